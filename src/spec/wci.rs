//! The WCI view types (seed Appendix A), serialised in the key order of reference 1.3.0.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Spec version that views carry.
pub const WCI_VERSION: &str = "1.0";

/// Site facts embedded in a view (seed Appendix A, `SiteContextSummary`).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteContextSummary {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_required_for: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denied_scopes: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_task_flow: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_step: Option<i64>,
}

/// One node as the reader gives it (seed Appendix A, `WciNodeSpec`). `None` is an absent attribute; `Some("")` an empty one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WciNodeSpec {
    pub id: String,
    pub role: String,
    pub desc: String,
    pub action: Option<String>,
    pub state: Map<String, Value>,
    pub precondition: Option<String>,
    pub required: Option<bool>,
    pub options: Option<Vec<String>>,
    pub emits: Option<String>,
    pub scope: Option<String>,
    pub hidden: Option<bool>,
    pub priority: i64,
    /// `ax` for nodes built from accessibility semantics; absent on annotated ones.
    pub source: Option<&'static str>,
}
