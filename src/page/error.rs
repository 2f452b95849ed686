//! Errors of pages: what stopped a navigation, a snapshot or a call into the page.

use crate::{
    cdp::error::CdpError,
    spec::action::{ActionError, DialogSeen, ErrorCode, Reason},
};

/// Why a page did not do what was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum PageError {
    #[error("{what} did not end in time")]
    Timeout { what: String },
    #[error("the page's process crashed")]
    Crashed,
    /// Ending its script did not bring it back.
    #[error("the page hangs")]
    Hung,
    #[error("the browser is gone")]
    BrowserGone,
    #[error("the tab was closed")]
    Closed,
    #[error("navigation to `{url}` failed: {text}")]
    NavigationFailed { url: String, text: String },
    #[error("`{url}` is not a URL that can be opened: {why}")]
    BadUrl { url: String, why: String },
    #[error("a dialog is open ({}): {:?}", .0.kind, .0.message)]
    DialogOpen(DialogSeen),
    #[error("the frame is gone")]
    FrameGone,
    #[error("script failed: {message}")]
    Script { message: String },
    #[error("the browser refused: {0}")]
    Cdp(CdpError),
}

impl PageError {
    /// The contract's reason for this error.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Timeout { .. } => Reason::Timeout,
            Self::Crashed => Reason::Crashed,
            Self::Hung => Reason::Hung,
            Self::BrowserGone => Reason::BrowserGone,
            Self::NavigationFailed { .. } | Self::BadUrl { .. } => Reason::NavigationBlocked,
            Self::DialogOpen(_) => Reason::DialogOpen,
            Self::FrameGone | Self::Closed => Reason::Detached,
            Self::Script { .. } | Self::Cdp(_) => Reason::Unsupported,
        }
    }

    /// The error in the words of the contract.
    pub fn coded(&self) -> ActionError {
        let reason = self.reason();
        let code = match self {
            Self::BadUrl { .. } => ErrorCode::ValidationFailed,
            // Nobody refused: the address does not answer, or the page's own script failed.
            Self::NavigationFailed { .. } | Self::Script { .. } | Self::Cdp(_) => ErrorCode::UnknownError,
            _ => reason.code(),
        };
        ActionError { code, message: self.to_string(), hint: self.hint().to_owned(), reason: Some(reason) }
    }

    /// What to do next, as an imperative.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Timeout { .. } => "retry with a longer timeout, or go to another page; the session is still usable",
            Self::Crashed => "navigate again: that starts a new process for the page",
            Self::Hung => "open the address again; if that hangs, too, close the tab and open another one",
            Self::BrowserGone => "start a new session; the MCP server does so with the next call",
            Self::Closed => "choose another tab, or open a new one",
            Self::NavigationFailed { .. } => "check the address and that the server is up",
            Self::BadUrl { .. } => "give an absolute http:// or https:// URL",
            Self::DialogOpen(_) => "answer the dialog first: accept or dismiss it",
            Self::FrameGone => "take a new view; the frame was replaced",
            Self::Script { .. } => "check the expression",
            Self::Cdp(_) => "run with -vvv to see the protocol messages",
        }
    }
}

impl From<CdpError> for PageError {
    fn from(error: CdpError) -> Self {
        match error {
            CdpError::Timeout { method, .. } => Self::Timeout { what: format!("the page's answer to {method}") },
            CdpError::Crashed => Self::Crashed,
            CdpError::Detached => Self::FrameGone,
            CdpError::BrowserGone => Self::BrowserGone,
            other @ (CdpError::Protocol { .. } | CdpError::Encode { .. } | CdpError::Decode { .. }) => Self::Cdp(other),
        }
    }
}
