//! Action requests and results: the WCI `ActionRequest`/`ActionResult` (seed section 6 and Appendix B)
//! with Gannet's verbs, options and the `observed` receipt. Key order on the wire is declaration order.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What an agent may ask of a node: the nine WCI verbs, then ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    Click,
    Fill,
    Select,
    Check,
    Upload,
    Submit,
    Navigate,
    Focus,
    Clear,
    DoubleClick,
    RightClick,
    Hover,
    Press,
    Type,
    Scroll,
    Drag,
}

impl Verb {
    /// All verbs in the order in which errors and schemas list them.
    pub const ALL: [Verb; 16] = [
        Verb::Click,
        Verb::Fill,
        Verb::Select,
        Verb::Check,
        Verb::Upload,
        Verb::Focus,
        Verb::Clear,
        Verb::Submit,
        Verb::Navigate,
        Verb::DoubleClick,
        Verb::RightClick,
        Verb::Hover,
        Verb::Press,
        Verb::Type,
        Verb::Scroll,
        Verb::Drag,
    ];

    /// The wire name.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Click => "click",
            Verb::Fill => "fill",
            Verb::Select => "select",
            Verb::Check => "check",
            Verb::Upload => "upload",
            Verb::Submit => "submit",
            Verb::Navigate => "navigate",
            Verb::Focus => "focus",
            Verb::Clear => "clear",
            Verb::DoubleClick => "double_click",
            Verb::RightClick => "right_click",
            Verb::Hover => "hover",
            Verb::Press => "press",
            Verb::Type => "type",
            Verb::Scroll => "scroll",
            Verb::Drag => "drag",
        }
    }

    /// The verb of a wire name, exact and case-sensitive.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.name() == name)
    }
}

/// One action on one node. `action` stays a string so that an unknown verb becomes a result, not a parse error.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionRequest {
    /// A WCI id, a ref (`e12`) or a locator; see `page::resolve`. May be empty for verbs on the page (`press`, `scroll`, `navigate`).
    #[serde(default)]
    pub node_id: String,
    pub action: String,
    /// A `null` that was given is not the same as nothing: results repeat it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub value: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<ActionOptions>,
}

/// Keeps `null` apart from absence.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Options of an action. Positions are CSS px from the node's top left corner.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActionOptions {
    /// `left` (default), `right` or `middle`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub button: Option<String>,
    /// Any of `Alt Control Meta Shift`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub click_count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// Drag target: a node id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Paths for `upload`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The user has confirmed this one action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<bool>,
}

/// A point in CSS px.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Position {
    pub x: f64,
    pub y: f64,
}

/// WCI error codes (seed Appendix B, and HUMAN_CONFIRMATION_REQUIRED of the reference).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ErrorCode {
    NodeNotFound,
    PreconditionUnmet,
    ScopeDenied,
    ActionNotSupported,
    ValidationFailed,
    AuthRequired,
    HumanConfirmationRequired,
    RateLimited,
    UnknownError,
}

/// Gannet's precise reason below a WCI code (DESIGN 4.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Covered,
    NotVisible,
    Disabled,
    NotStable,
    NotInViewport,
    NotEditable,
    NoSuchOption,
    Detached,
    Stale,
    Ambiguous,
    DialogOpen,
    NavigationBlocked,
    DomainBlocked,
    Timeout,
    Crashed,
    Hung,
    BrowserGone,
    InvalidValue,
    UploadOutsideRoot,
    Unsupported,
}

impl Reason {
    /// The WCI code that a reason maps to, by DESIGN 4.3.
    pub fn code(self) -> ErrorCode {
        match self {
            Reason::Covered
            | Reason::NotVisible
            | Reason::Disabled
            | Reason::NotStable
            | Reason::NotInViewport
            | Reason::DialogOpen => ErrorCode::PreconditionUnmet,
            Reason::Stale | Reason::Detached | Reason::Ambiguous => ErrorCode::NodeNotFound,
            Reason::InvalidValue | Reason::NoSuchOption | Reason::UploadOutsideRoot => ErrorCode::ValidationFailed,
            Reason::NotEditable | Reason::Unsupported => ErrorCode::ActionNotSupported,
            Reason::NavigationBlocked | Reason::DomainBlocked => ErrorCode::ScopeDenied,
            Reason::Timeout | Reason::Crashed | Reason::Hung | Reason::BrowserGone => ErrorCode::UnknownError,
        }
    }
}

/// Why an action failed, for a model: what is wrong, and what to do next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ActionError {
    pub code: ErrorCode,
    pub message: String,
    /// An imperative, naming the ref to use next where there is one.
    pub hint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

impl ActionError {
    /// An error whose code follows from its reason.
    pub fn because(reason: Reason, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code: reason.code(), message: message.into(), hint: hint.into(), reason: Some(reason) }
    }

    /// An error of a WCI code that has no finer reason.
    pub fn coded(code: ErrorCode, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into(), reason: None }
    }
}

/// State of the target before and after, as observed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StateChange {
    pub before: Map<String, Value>,
    pub after: Map<String, Value>,
}

/// Another annotated node whose state changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SideEffect {
    pub node_id: String,
    pub change: Map<String, Value>,
}

/// What the browser showed after the action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    Changed,
    Navigated,
    Opened,
    None,
}

/// The receipt of an action: observations only, never claims.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Observed {
    pub effect: Effect,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What received the pointer event, e.g. `<button id="go">`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit: Option<String>,
    /// The control's value as read back; absent for secrets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The browser's or the site's validation message, when the control is invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validity: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<DialogSeen>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub popup: Option<PopupSeen>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub download: Option<DownloadSeen>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_chooser: Option<bool>,
    /// Console errors since the action began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub console: Vec<String>,
    /// `METHOD url status-or-error` of requests that failed since the action began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_requests: Vec<String>,
    /// Side effects seen only after the first frame.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<SideEffect>,
    pub settled_ms: u64,
}

/// A JavaScript dialog and what was done with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DialogSeen {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_prompt: Option<String>,
    /// `accepted`, `dismissed` or `open`.
    pub outcome: String,
}

/// A tab that the action opened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PopupSeen {
    pub tab: String,
    pub url: String,
}

/// A file that the action downloaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DownloadSeen {
    pub name: String,
    pub path: String,
    pub size: u64,
    pub sha256: String,
}

/// The result of an action: the WCI keys in the WCI order, then `observed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionResult {
    pub success: bool,
    pub node_id: String,
    pub action: String,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "given")]
    pub value: Option<Value>,
    /// RFC 3339 in UTC with milliseconds, taken when the dispatch started.
    pub timestamp: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_change: Option<StateChange>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub side_effects: Vec<SideEffect>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ActionError>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed: Option<Observed>,
}
