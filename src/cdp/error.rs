//! Errors of the protocol and of starting a browser.

use std::{path::PathBuf, time::Duration};

/// Why a command has no result.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CdpError {
    #[error("`{method}` was not answered within {after:?}")]
    Timeout { method: String, after: Duration },
    #[error("`{method}` failed: {message} ({code})")]
    Protocol { method: String, code: i64, message: String },
    #[error("the page's process crashed")]
    Crashed,
    #[error("the session was detached")]
    Detached,
    #[error("the browser is gone")]
    BrowserGone,
    #[error("parameters of `{method}` do not encode: {message}")]
    Encode { method: String, message: String },
    #[error("the reply to `{method}` does not decode: {message}")]
    Decode { method: String, message: String },
}

impl CdpError {
    /// Whether the same command may succeed on a new session or after a moment.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Timeout { .. } | Self::Crashed | Self::Detached => true,
            Self::Protocol { .. } | Self::BrowserGone | Self::Encode { .. } | Self::Decode { .. } => false,
        }
    }
}

/// Why there is no browser to talk to.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    #[error("no Chromium found; looked at {}", looked_at.join(", "))]
    NotFound { looked_at: Vec<String> },
    #[error("`{path}` cannot be started: {source}", path = path.display())]
    NotExecutable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("running as root needs Chromium without its sandbox, and that was not allowed")]
    SandboxAsRoot,
    #[error("the profile `{}` is in use by another Chromium", profile.display())]
    ProfileInUse { profile: PathBuf },
    #[error("`{}` ended before it answered ({status}): {stderr}", path.display())]
    Exited { path: PathBuf, status: String, stderr: String },
    #[error("`{}` did not answer in time: {stderr}", path.display())]
    Silent { path: PathBuf, stderr: String },
    #[error("cannot make the browser's directory in `{}`: {source}", base.display())]
    Directory {
        base: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("`{url}` is not a CDP endpoint: {message}")]
    Endpoint { url: String, message: String },
}

impl LaunchError {
    /// What the user does next.
    pub fn hint(&self) -> String {
        match self {
            Self::NotFound { .. } => {
                "install it with `apt-get install -y chromium`, or name one with `--browser PATH`".into()
            }
            Self::NotExecutable { .. } => "give the path of a Chromium or Chrome binary with `--browser PATH`".into(),
            Self::SandboxAsRoot => {
                "run as another user, or pass `--allow-no-sandbox` (or GANNET_ALLOW_NO_SANDBOX=1) in a container".into()
            }
            Self::ProfileInUse { .. } => "close the other browser, or use another `--profile DIR`".into(),
            Self::Exited { .. } | Self::Silent { .. } => {
                "run `gannet doctor`; it checks each cause and names a fix".into()
            }
            Self::Directory { .. } => "free some space or point TMPDIR to a writable directory".into(),
            Self::Endpoint { .. } => {
                "start the browser with `--remote-debugging-port=9222` and pass `--cdp http://127.0.0.1:9222`".into()
            }
        }
    }
}
