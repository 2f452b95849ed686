//! Why a call of an action fails, by layer; each becomes one coded error for a model.

use crate::{
    actions::{args::ArgsError, reply::ToolReply},
    evidence::screenshot::{NodeShotError, ShotError},
    page::{error::PageError, resolve::ResolveError},
    spec::action::{ActionError, Reason},
};

/// A call that failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ToolError {
    #[error(transparent)]
    Args(#[from] ArgsError),
    #[error(transparent)]
    Page(#[from] PageError),
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    #[error("the browser's picture cannot be read: {0}")]
    Picture(String),
    /// What was waited for did not come; `saw` is what was there instead.
    #[error("{what} did not come within {after_ms} ms; {saw}")]
    NotSeen { what: String, after_ms: u128, saw: String },
    /// Refused by a rule, or an error that has its code already.
    #[error(transparent)]
    Coded(#[from] ActionError),
}

impl From<ShotError> for ToolError {
    fn from(error: ShotError) -> Self {
        match error {
            ShotError::Page(error) => Self::Page(error),
            ShotError::Picture(why) => Self::Picture(why),
        }
    }
}

impl From<NodeShotError> for ToolError {
    fn from(error: NodeShotError) -> Self {
        match error {
            NodeShotError::Resolve(error) => Self::Resolve(error),
            NodeShotError::Shot(error) => error.into(),
            NodeShotError::NotShown { .. } => Self::Coded(ActionError::because(
                Reason::NotVisible,
                error.to_string(),
                "take a view and name a node that it shows",
            )),
        }
    }
}

impl ToolError {
    /// An argument whose value means nothing.
    pub fn invalid(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Coded(ActionError::because(Reason::InvalidValue, message, hint))
    }

    /// Whether the page may hang, so that it is looked after before the next call.
    pub fn suspects_page(&self) -> bool {
        match self {
            Self::Page(error) | Self::Resolve(ResolveError::Page(error)) => {
                matches!(error, PageError::Timeout { .. } | PageError::Hung | PageError::Crashed)
            }
            Self::Coded(error) => {
                matches!(error.reason, Some(Reason::Timeout | Reason::Hung | Reason::Crashed))
            }
            Self::Args(_) | Self::Resolve(_) | Self::Picture(_) | Self::NotSeen { .. } => false,
        }
    }

    /// The error in the words of the contract.
    pub fn coded(&self) -> ActionError {
        match self {
            Self::Args(error) => ActionError::because(Reason::InvalidValue, error.to_string(), error.hint()),
            Self::Page(error) => error.coded(),
            Self::Resolve(error) => error.coded(),
            Self::Picture(_) => ActionError::because(Reason::Unsupported, self.to_string(), "run `gannet doctor`"),
            Self::NotSeen { .. } => ActionError::because(
                Reason::Timeout,
                self.to_string(),
                "take a view to see what is there, or wait longer with timeoutMs",
            ),
            Self::Coded(error) => error.clone(),
        }
    }
}

impl From<&ToolError> for ToolReply {
    fn from(error: &ToolError) -> Self {
        Self::failed(&error.coded())
    }
}
