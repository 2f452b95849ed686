//! The one task model that every suite's form is read into. Data only.
//!
//! Addresses and checks hold the real addresses of sites where they were given; `__SHOPPING__` and its like stay where
//! they were not. WebArena-Verified's checks keep their placeholders: its scoring maps addresses back to them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A form that tasks are published in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    #[serde(rename = "webarena")]
    WebArena,
    #[serde(rename = "visualwebarena")]
    VisualWebArena,
    #[serde(rename = "webarena-verified")]
    Verified,
    #[serde(rename = "miniwob")]
    MiniWob,
    /// Ours, in YAML.
    Own,
}

impl Form {
    /// As people write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::WebArena => "WebArena",
            Self::VisualWebArena => "VisualWebArena",
            Self::Verified => "WebArena-Verified",
            Self::MiniWob => "MiniWoB++",
            Self::Own => "own",
        }
    }
}

/// Tasks that were read from one file or directory, in its order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Suite {
    pub name: String,
    pub form: Form,
    pub tasks: Vec<Task>,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    pub id: String,
    pub sites: Vec<String>,
    pub intent: String,
    /// Tasks of one template share it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// One tab each.
    pub start_urls: Vec<String>,
    /// Path of a storage state, as the file names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_state: Option<String>,
    pub require_login: bool,
    pub require_reset: bool,
    /// CSS px.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub viewport: Option<(u32, u32)>,
    /// Addresses of pictures that belong to the intent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<String>,
    /// Ids of tasks that have to be over before this one begins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// Values that the person gives, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub data: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_steps: Option<u32>,
    pub check: Check,
}

impl Task {
    /// The kinds of check, such as `string_match`; what reports group by.
    pub fn kinds(&self) -> Vec<&str> {
        match &self.check {
            Check::WebArena(eval) => eval.eval_types.iter().map(String::as_str).collect(),
            Check::Verified { evaluators } => {
                evaluators.iter().filter_map(|evaluator| evaluator["evaluator"].as_str()).collect()
            }
            Check::MiniWob { .. } => vec!["page_reward"],
        }
    }
}

/// How a task's outcome is judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Check {
    /// WebArena's evaluators, VisualWebArena's included.
    WebArena(WebArenaEval),
    /// WebArena-Verified's, over the answer and the network's log. As published.
    Verified { evaluators: Vec<Value> },
    /// The page itself gives the reward of its episode.
    MiniWob { page: String, seed: u32 },
}

/// WebArena's `eval`, read with the fields that a published file may leave out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct WebArenaEval {
    pub eval_types: Vec<String>,
    /// Approach and its references, in order.
    pub reference_answers: Option<Map<String, Value>>,
    pub reference_url: Option<String>,
    pub url_note: Option<String>,
    pub program_html: Vec<HtmlTarget>,
    pub string_note: Option<String>,
    /// VisualWebArena's checks of pictures; they need models that are no part of this product.
    pub page_image_query: Vec<Value>,
}

/// One page to look at, and what it has to hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HtmlTarget {
    /// An address, `last`, or `func:…`.
    pub url: String,
    /// JavaScript from `document.` on, `func:…`, or nothing for the whole page.
    #[serde(default)]
    pub locator: String,
    pub required_contents: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prep_actions: Vec<String>,
}
