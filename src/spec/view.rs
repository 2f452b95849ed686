//! View options and the view as it leaves Gannet (DESIGN 4.2).

use serde::{Deserialize, Serialize};

/// How a view is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    #[default]
    Outline,
    Json,
    Markdown,
}

/// Whether unannotated nodes are shown: `auto` only on pages without any annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fallback {
    #[default]
    Auto,
    Never,
    Always,
}

/// What to show of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ViewOptions {
    pub format: Format,
    pub scope: Option<String>,
    /// Cap on WCI nodes after the priority sort.
    pub max_nodes: i64,
    pub include_state: bool,
    /// Tokens (o200k_base); for WCI formats absent means no budget.
    pub budget: Option<usize>,
    pub roles: Option<Vec<String>>,
    pub max_priority: Option<i64>,
    /// Id of an earlier view: only the difference is wanted.
    pub since: Option<String>,
    /// `e3` or `e3 from 20`: open a fold.
    pub expand: Option<String>,
    pub fallback: Fallback,
    /// Include frames and shadow trees in the WCI formats (the outline always has them).
    pub frames: bool,
    /// Include nodes hidden by `data-wci-hidden`.
    pub hidden: bool,
    /// Drop keys at their defaults, as reference 1.3.0 does.
    pub compact: bool,
}

impl Default for ViewOptions {
    fn default() -> Self {
        Self {
            format: Format::Outline,
            scope: None,
            max_nodes: 128,
            include_state: true,
            budget: None,
            roles: None,
            max_priority: None,
            since: None,
            expand: None,
            fallback: Fallback::Auto,
            frames: false,
            hidden: false,
            compact: true,
        }
    }
}

/// Default budget of an outline, in tokens.
pub const DEFAULT_BUDGET: usize = 2_000;

/// A distilled page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// Pass as `since` to get a delta. Set by `actions::view`; empty before.
    pub view_id: String,
    pub format: Format,
    /// The rendered text: outline, Markdown or pretty JSON.
    pub text: String,
    pub tokens: usize,
    pub budget: Option<usize>,
    /// Nodes shown and nodes left out.
    pub shown: usize,
    pub omitted: usize,
    pub truncated: bool,
}
