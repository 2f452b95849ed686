//! The one event type of a run: terminal, journal, report and JUnit are consumers of the same ordered stream.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One thing that happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunEvent {
    /// 1-based position in the run.
    pub seq: u64,
    /// RFC 3339, UTC, milliseconds.
    pub at: String,
    /// The phase: `run`, `observe`, `orient`, `decide`, `act`, `evaluate`, `gate`, `finish`.
    pub phase: String,
    /// The step (cycle) it belongs to, 0 before the first.
    pub step: u32,
    /// One line for a person.
    pub summary: String,
    /// The exact data: request, result, decision, file names.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub detail: Value,
}
