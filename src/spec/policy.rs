//! What a site allows (wci.txt joined with wci.json) and what the gate decided.

use serde::{Deserialize, Serialize};

/// The site's directives. Key order and defaults of reference 1.3.0; `none` and empty lists are empty (DESIGN 4.4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WciPolicy {
    pub allowed_scopes: Vec<String>,
    pub denied_scopes: Vec<String>,
    pub rate_limit_actions: i64,
    pub rate_limit_distil: i64,
    pub auth_required: Vec<String>,
    pub require_human_confirmation: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wci_version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_purpose: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_method: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auth_flow_scope: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_updated: Option<String>,
}

impl Default for WciPolicy {
    fn default() -> Self {
        Self {
            allowed_scopes: vec![],
            denied_scopes: vec![],
            rate_limit_actions: 60,
            rate_limit_distil: 120,
            auth_required: vec![],
            require_human_confirmation: vec![],
            wci_version: None,
            site_name: None,
            site_purpose: None,
            contact: None,
            manifest_url: None,
            context_url: None,
            auth_method: None,
            auth_flow_scope: None,
            last_updated: None,
        }
    }
}

/// One finding of a parser, with the line (1-based; 0 when it has none).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    pub line: usize,
    pub message: String,
}
