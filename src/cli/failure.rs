//! A command that failed: what a person reads, and the exit code.

use std::fmt::Display;

use crate::{
    actions::{error::ToolError, host::SessionError},
    evidence::screenshot::ShotError,
    page::error::PageError,
    runtime::demo::DemoError,
};

/// Exit codes (DESIGN 4.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Failed = 1,
    Usage = 2,
    Blocked = 3,
    Budget = 4,
    Browser = 5,
    Internal = 70,
    Interrupted = 130,
}

/// One failure.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
    pub hint: String,
}

impl Failure {
    /// A defect of ours.
    pub fn internal(error: &impl Display) -> Self {
        Self { exit: Exit::Internal, message: error.to_string(), hint: "report this as a defect".into() }
    }

    /// Standard streams that cannot be read or written.
    pub fn output(error: &impl Display) -> Self {
        Self { exit: Exit::Failed, message: error.to_string(), hint: "check standard input and output".into() }
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        match error {
            SessionError::Page(error) => error.into(),
            other => Self { exit: Exit::Browser, hint: other.hint(), message: other.to_string() },
        }
    }
}

impl From<DemoError> for Failure {
    fn from(error: DemoError) -> Self {
        let (exit, hint) = match &error {
            DemoError::Session { .. } => (Exit::Browser, "run `gannet doctor`"),
            DemoError::Serve(_) => (Exit::Failed, "check that loopback is up"),
            DemoError::Evidence(_) => (Exit::Failed, "name a writable directory that is not there yet with `--record`"),
        };
        Self { exit, message: error.to_string(), hint: hint.into() }
    }
}

impl From<ToolError> for Failure {
    fn from(error: ToolError) -> Self {
        let error = error.coded();
        Self { exit: Exit::Failed, message: error.message, hint: error.hint }
    }
}

impl From<PageError> for Failure {
    fn from(error: PageError) -> Self {
        let exit = match &error {
            PageError::BadUrl { .. } => Exit::Usage,
            PageError::BrowserGone | PageError::Crashed | PageError::Cdp(_) => Exit::Browser,
            PageError::Timeout { .. }
            | PageError::NavigationFailed { .. }
            | PageError::FrameGone
            | PageError::Script { .. }
            | PageError::Hung
            | PageError::Closed
            | PageError::DialogOpen(_) => Exit::Failed,
        };
        Self { exit, message: error.to_string(), hint: error.hint().to_owned() }
    }
}

impl From<ShotError> for Failure {
    fn from(error: ShotError) -> Self {
        match error {
            ShotError::Page(error) => error.into(),
            ShotError::Picture(_) => {
                Self { exit: Exit::Browser, message: error.to_string(), hint: "run `gannet doctor`".into() }
            }
        }
    }
}
