//! The registry's data: what each action is called, takes and may do. One source for planner, CLI and MCP.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Default policy tier of an action: 0 allow, 1 and 2 ask, 3 deny.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tier(pub u8);

/// Normalised permission metadata (action contract, "Permission Metadata Contract").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Permission {
    /// `read`, `browser_input`, `external_network`, `script`.
    pub effect: String,
    pub interrupt_behavior: String,
    pub is_concurrency_safe: bool,
    pub is_destructive: bool,
    pub is_read_only: bool,
    pub needs_approval: bool,
    pub source: String,
}

/// One registered action as planners, MCP clients and `gannet schema` see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolSpec {
    pub name: &'static str,
    pub description: &'static str,
    pub tier: Tier,
    pub permission: Permission,
    /// JSON Schema of the arguments: `{type: object, properties, required}`.
    pub input_schema: Value,
    /// Other names under which the tool may be called, e.g. `wci_dispatch` for `act`.
    pub aliases: &'static [&'static str],
    /// The capability (`--cap`) that must be on for the tool to be offered; `None` means always.
    pub capability: Option<&'static str>,
}
