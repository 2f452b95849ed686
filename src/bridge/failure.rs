//! Why an action did not succeed, on its way to the contract's error.

use crate::{
    page::{error::PageError, resolve::ResolveError},
    spec::action::{ActionError, ErrorCode, Reason, Verb},
};

/// What stopped an action.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum Failure {
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    #[error(transparent)]
    Page(#[from] PageError),
    #[error(transparent)]
    Action(#[from] ActionError),
}

impl Failure {
    /// A failure for a reason of the contract.
    pub fn because(reason: Reason, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Action(ActionError::because(reason, message, hint))
    }

    /// A failure of a WCI code without a finer reason.
    pub fn coded(code: ErrorCode, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Action(ActionError::coded(code, message, hint))
    }

    /// The node does not take this verb, in the words of the WCI reference.
    pub fn unsupported(id: &str, verb: Verb, hint: &str) -> Self {
        let message = format!("Node \"{id}\" does not support \"{}\".", verb.name());
        Self::Action(ActionError {
            code: ErrorCode::ActionNotSupported,
            message,
            hint: hint.to_owned(),
            reason: Some(Reason::Unsupported),
        })
    }

    /// Whether it may pass if the element is looked for again.
    pub fn is_about_the_element(&self) -> bool {
        match self {
            Self::Resolve(ResolveError::NotFound { .. } | ResolveError::Stale { .. }) => true,
            Self::Page(error) => matches!(error, PageError::FrameGone),
            Self::Action(error) => error.reason == Some(Reason::Detached),
            Self::Resolve(_) => false,
        }
    }

    /// The contract's error.
    pub fn coded_error(self) -> ActionError {
        match self {
            Self::Action(error) => error,
            Self::Page(PageError::FrameGone) => ActionError::because(
                Reason::Detached,
                "the element went with its frame",
                "take a new view; the page has changed",
            ),
            Self::Page(error) => error.coded(),
            Self::Resolve(error) => error.coded(),
        }
    }
}
