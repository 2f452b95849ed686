//! Bringing back a page that does not answer, one step of the ladder after the other: close its dialog, end its script,
//! put a new target behind the tab. The browser itself is the session's to restart.

use std::time::Duration;

use serde_json::json;

use crate::{
    cdp::error::CdpError,
    page::{error::PageError, tab::Page},
    spec::deadline::Deadline,
};

/// How long a step may take to show that it helped.
const PROBE: Duration = Duration::from_secs(1);
/// How long ending a script may take: 36 to 48 ms measured, more on a loaded machine.
const TERMINATE: Duration = Duration::from_secs(2);

/// What brought the page back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recovery {
    /// It answered: nothing was wrong, or a dialog or a script was.
    Freed,
    /// The tab has a new, blank target; `url` is where it was.
    Replaced { url: String },
}

impl Page {
    /// Ends the scripts that run in the page, in all its frames.
    pub async fn terminate_script(&self, deadline: Deadline) -> Result<(), PageError> {
        let sessions: Vec<String> = self.inner.state().sessions.iter().cloned().collect();
        let calls = sessions.iter().map(|session| {
            let session = self.inner.browser.session(session);
            async move { session.call_raw("Runtime.terminateExecution", json!({}), deadline).await }
        });
        let own = self.session();
        // What a frame or a worker says does not matter: it may have gone meanwhile.
        let (reply, _) = futures::join!(
            own.call_raw("Runtime.terminateExecution", json!({}), deadline),
            futures::future::join_all(calls)
        );
        reply?;
        Ok(())
    }

    /// Whether the page's main thread is too busy to answer. One that waits for a dialog, or has crashed, does not hang.
    pub async fn hangs(&self, deadline: Deadline) -> bool {
        self.dialog().is_none() && !self.crashed() && matches!(self.ping(deadline).await, Err(CdpError::Timeout { .. }))
    }

    /// Brings back a page that hangs, with all that it takes. At least half of the time is left for a new target.
    pub async fn recover(&self, deadline: Deadline) -> Result<Recovery, PageError> {
        if self.closed() {
            return Err(PageError::Closed);
        }
        let step = deadline.remaining() / 4;
        if self.dialog().is_some() {
            // A dialog that is gone already is as good as answered.
            let _ = self.answer_dialog(false, None, deadline.at_most(TERMINATE)).await;
        }
        if !self.crashed() {
            let ended = self.terminate_script(deadline.at_most(TERMINATE.min(step))).await;
            if matches!(ended, Err(PageError::BrowserGone)) {
                return Err(PageError::BrowserGone);
            }
            if ended.is_ok() && self.ping(deadline.at_most(PROBE.min(step))).await.is_ok() {
                return Ok(Recovery::Freed);
            }
        }
        let url = self.url();
        let fresh = match self.context.open(deadline).await {
            Ok(fresh) => fresh,
            Err(PageError::Timeout { .. }) => return Err(PageError::Hung),
            Err(error) => return Err(error),
        };
        let viewport = self.inner.state().viewport;
        let old = self.context.replace(&self.inner, &fresh);
        tracing::warn!(tab = self.tab(), %url, "the page hung; the tab has a new process");
        if viewport != self.context.options.viewport {
            self.resize(viewport.0, viewport.1, deadline).await?;
        }
        let root = self.inner.browser.root();
        tokio::spawn(async move {
            let close = root.call_raw("Target.closeTarget", json!({"targetId": old}), Deadline::after(TERMINATE));
            if let Err(error) = close.await {
                tracing::debug!(%error, "the target that hung is not closed");
            }
        });
        Ok(Recovery::Replaced { url })
    }

    /// Has the page's main thread run the smallest script.
    async fn ping(&self, deadline: Deadline) -> Result<(), CdpError> {
        let params = json!({"expression": "0", "returnByValue": true});
        self.session().call_raw("Runtime.evaluate", params, deadline).await.map(|_| ())
    }
}
