//! A command that failed: what a person reads, and the exit code.

use crate::{cdp::error::LaunchError, evidence::screenshot::ShotError, page::error::PageError};

/// Exit codes (DESIGN 4.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Failed = 1,
    Usage = 2,
    Blocked = 3,
    Browser = 5,
    Interrupted = 130,
}

/// One failure.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
    pub hint: String,
}

impl From<LaunchError> for Failure {
    fn from(error: LaunchError) -> Self {
        Self { exit: Exit::Browser, message: error.to_string(), hint: error.hint() }
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
