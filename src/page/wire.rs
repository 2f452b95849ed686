//! The event parameters that the driver relies on, as Chromium sends them. Only the fields that are used; everything
//! that another version may leave out has a default, so that protocol drift costs a fact, never the event.

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireFrame {
    pub id: String,
    pub parent_id: Option<String>,
    #[serde(default)]
    pub loader_id: String,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub url_fragment: String,
    #[serde(default)]
    pub mime_type: String,
    /// The address that could not be reached, on an error page.
    pub unreachable_url: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireTree {
    pub frame: WireFrame,
    #[serde(default)]
    pub child_frames: Vec<WireTree>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameTreeReply {
    pub frame_tree: WireTree,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameAttached {
    pub frame_id: String,
    pub parent_frame_id: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FrameNavigated {
    pub frame: WireFrame,
    /// `Navigation` or `BackForwardCacheRestore`.
    #[serde(default, rename = "type")]
    pub kind: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WithinDocument {
    pub frame_id: String,
    pub url: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameDetached {
    pub frame_id: String,
    /// `remove` or `swap`.
    #[serde(default)]
    pub reason: String,
}

/// `Page.frameStartedLoading`, `Page.frameStoppedLoading`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfFrame {
    pub frame_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Lifecycle {
    pub frame_id: String,
    #[serde(default)]
    pub loader_id: String,
    pub name: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ContextCreated {
    pub context: WireContext,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireContext {
    pub id: i64,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub aux_data: AuxData,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuxData {
    pub frame_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ContextDestroyed {
    pub execution_context_id: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DialogOpening {
    #[serde(default)]
    pub message: String,
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub default_prompt: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct DialogClosed {
    #[serde(default)]
    pub result: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileChooser {
    pub backend_node_id: Option<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExceptionThrown {
    #[serde(default)]
    pub timestamp: f64,
    pub exception_details: ExceptionDetails,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExceptionDetails {
    #[serde(default)]
    pub text: String,
    pub exception: Option<RemoteObject>,
    pub url: Option<String>,
    #[serde(default)]
    pub line_number: i64,
}

impl ExceptionDetails {
    /// What a developer's console would print.
    pub fn message(&self) -> String {
        match &self.exception {
            Some(RemoteObject { description: Some(description), .. }) => description.clone(),
            Some(object) if object.value != Value::Null => format!("{} {}", self.text, object.said()),
            Some(_) | None => self.text.clone(),
        }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct RemoteObject {
    #[serde(default)]
    pub value: Value,
    pub description: Option<String>,
}

impl RemoteObject {
    /// As a console prints it.
    pub fn said(&self) -> String {
        match (&self.value, &self.description) {
            (Value::String(text), _) => text.clone(),
            (Value::Null, Some(description)) => description.clone(),
            (value, _) => value.to_string(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ConsoleCalled {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub args: Vec<RemoteObject>,
    #[serde(default)]
    pub timestamp: f64,
    pub stack_trace: Option<StackTrace>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTrace {
    #[serde(default)]
    pub call_frames: Vec<CallFrame>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFrame {
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub line_number: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RequestSent {
    pub request_id: String,
    pub request: WireRequest,
    /// Seconds, monotonic.
    #[serde(default)]
    pub timestamp: f64,
    /// Seconds since the epoch.
    #[serde(default)]
    pub wall_time: f64,
    #[serde(default, rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub initiator: Initiator,
    pub redirect_response: Option<WireResponse>,
}

impl RequestSent {
    /// Made by the browser for itself, as a tab's icon is: no page, script or user asked for it.
    pub fn by_browser(&self) -> bool {
        self.kind == "Other" && self.initiator.kind == "other"
    }
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Initiator {
    #[serde(default, rename = "type")]
    pub kind: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct WireRequest {
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub method: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WireResponse {
    #[serde(default)]
    pub status: u16,
    #[serde(default)]
    pub mime_type: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ResponseReceived {
    pub request_id: String,
    #[serde(default)]
    pub loader_id: String,
    #[serde(default, rename = "type")]
    pub kind: String,
    pub response: WireResponse,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingFinished {
    pub request_id: String,
    #[serde(default)]
    pub timestamp: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadingFailed {
    pub request_id: String,
    #[serde(default)]
    pub timestamp: f64,
    #[serde(default)]
    pub error_text: String,
    #[serde(default)]
    pub canceled: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AttachedToTarget {
    pub session_id: String,
    pub target_info: TargetInfo,
    #[serde(default)]
    pub waiting_for_debugger: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TargetInfo {
    pub target_id: String,
    #[serde(default, rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub url: String,
    pub opener_id: Option<String>,
    pub browser_context_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DetachedFromTarget {
    pub session_id: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadBegin {
    pub frame_id: String,
    pub guid: String,
    #[serde(default)]
    pub url: String,
    #[serde(default)]
    pub suggested_filename: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DownloadProgress {
    pub guid: String,
    #[serde(default)]
    pub total_bytes: f64,
    #[serde(default)]
    pub received_bytes: f64,
    /// `inProgress`, `completed` or `canceled`.
    pub state: String,
}
