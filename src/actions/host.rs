//! The browser of a session: started, or reached where it runs already. The one place of the actions that names the
//! protocol layer, because a session owns its browser.

use std::path::PathBuf;

use crate::{
    cdp::{
        browser::{Browser, LaunchOptions},
        error::LaunchError,
    },
    page::{
        context::{Context, ContextOptions},
        error::PageError,
    },
    spec::deadline::Deadline,
};

/// Which browser.
#[derive(Debug, Clone)]
pub struct HostOptions {
    /// The binary; `None` looks on the usual paths.
    pub executable: Option<PathBuf>,
    /// Endpoint of a running browser, `http://` or `ws://`, instead of one of our own.
    pub cdp: Option<String>,
    /// Directory that keeps cookies and storage.
    pub profile: Option<PathBuf>,
    pub allow_no_sandbox: bool,
    pub headed: bool,
    pub extra_args: Vec<String>,
    /// Where the browser's own directory is made.
    pub base: PathBuf,
}

impl Default for HostOptions {
    fn default() -> Self {
        let launch = LaunchOptions::default();
        Self {
            executable: None,
            cdp: None,
            profile: None,
            allow_no_sandbox: false,
            headed: false,
            extra_args: vec![],
            base: launch.base,
        }
    }
}

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Page(#[from] PageError),
}

impl SessionError {
    /// What to do next, as an imperative.
    pub fn hint(&self) -> String {
        match self {
            Self::Launch(error) => error.hint(),
            Self::Page(error) => error.hint().to_owned(),
        }
    }
}

/// The browser and the one context in it that is the session's.
pub struct Host {
    browser: Browser,
    pub context: Context,
}

impl Host {
    /// Starts or reaches the browser and opens the context.
    pub async fn open(
        options: &HostOptions,
        mut context: ContextOptions,
        deadline: Deadline,
    ) -> Result<Self, SessionError> {
        let browser = match &options.cdp {
            Some(url) => Browser::connect(url, deadline).await?,
            None => {
                let launch = LaunchOptions {
                    executable: options.executable.clone(),
                    allow_no_sandbox: options.allow_no_sandbox,
                    profile: options.profile.clone(),
                    viewport: context.viewport,
                    headed: options.headed,
                    extra_args: options.extra_args.clone(),
                    base: options.base.clone(),
                };
                Browser::launch(launch, deadline).await?
            }
        };
        // A profile lives in the browser's own context.
        context.isolated = options.profile.is_none();
        match Context::new(&browser, context, deadline).await {
            Ok(context) => Ok(Self { browser, context }),
            Err(error) => {
                browser.close().await;
                Err(error.into())
            }
        }
    }

    /// Whether the browser has ended.
    pub fn gone(&self) -> bool {
        self.browser.gone()
    }

    /// Ends a browser of ours; leaves another one as it was.
    pub async fn close(&self, deadline: Deadline) {
        if self.browser.is_remote() {
            // It may be on its way out, too, and what is in it goes with it.
            let _ = self.context.close(deadline).await;
        }
        self.browser.close().await;
    }
}
