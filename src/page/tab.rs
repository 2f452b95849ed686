//! A tab: the handle through which everything above asks.

use std::sync::Arc;

use serde_json::json;

use crate::{
    cdp::session::Session,
    page::{
        context::Shared,
        error::PageError,
        frames::FrameId,
        log::{ConsoleEntry, Marker, NetworkEntry, PageLog},
        state::Inner,
    },
    spec::deadline::Deadline,
};

/// A tab of a context. Cheap to clone.
#[derive(Clone)]
pub struct Page {
    pub(crate) inner: Arc<Inner>,
    pub(crate) context: Arc<Shared>,
}

impl Page {
    /// Its name, `t1`, `t2`, …: never used again, kept over crashes and recoveries.
    pub fn tab(&self) -> &str {
        &self.inner.tab
    }

    /// The session of the page's own target; another one after a recovery.
    pub fn session(&self) -> Session {
        self.inner.session()
    }

    pub fn main_frame(&self) -> FrameId {
        FrameId(self.inner.state().main_frame.clone())
    }

    /// Address of the main frame, fragment included.
    pub fn url(&self) -> String {
        self.inner.state().main().map(|frame| frame.url.clone()).unwrap_or_default()
    }

    /// Title of the main document.
    pub async fn title(&self, deadline: Deadline) -> Result<String, PageError> {
        let main = self.main_frame();
        Ok(self.call_frame(&main, "title", &[], deadline).await?.as_str().unwrap_or_default().to_owned())
    }

    /// Whether the page's process has crashed and nothing has revived it.
    pub fn crashed(&self) -> bool {
        self.inner.state().crashed
    }

    /// Whether the tab is no more.
    pub fn closed(&self) -> bool {
        self.inner.state().closed
    }

    /// This moment, to ask later what came after it.
    pub fn marker(&self) -> Marker {
        let state = self.inner.state();
        let mut marker = state.log.marker();
        marker.documents = state.documents;
        marker.file_choosers = state.file_choosers;
        marker.url = state.main().map(|frame| frame.url.clone()).unwrap_or_default();
        marker
    }

    /// What came after a marker.
    pub fn since(&self, marker: &Marker) -> PageLog {
        let mut log = {
            let state = self.inner.state();
            let main = state.main();
            PageLog {
                navigated: state.documents > marker.documents,
                url_changed: main.is_some_and(|frame| frame.url != marker.url),
                load_pending: state.loading || main.is_some_and(|frame| !frame.lifecycle.contains("load")),
                file_chooser: state.file_choosers > marker.file_choosers,
                ..state.log.since(marker)
            }
        };
        for popup in &mut log.popups {
            if let Some(url) = self.context.url_of(&popup.tab) {
                popup.url = url;
            }
        }
        log
    }

    /// Resolves when the page's state changes next.
    pub async fn changed(&self) {
        // The sender lives in the page itself.
        let _ = self.inner.changes().changed().await;
    }

    /// The last lines of the console, oldest first.
    pub fn console(&self) -> Vec<ConsoleEntry> {
        self.inner.state().log.console()
    }

    /// The last requests, oldest first.
    pub fn network(&self) -> Vec<NetworkEntry> {
        self.inner.state().log.network()
    }

    /// The file input (backend node id) that the last file chooser was opened for.
    pub fn file_chooser(&self) -> Option<i64> {
        self.inner.state().file_chooser
    }

    /// A directory of the browser's own for files that a page is to read; `None` where the browser runs elsewhere.
    /// It goes with the browser.
    pub fn scratch(&self) -> Option<std::path::PathBuf> {
        let downloads = self.inner.browser.downloads_dir()?;
        Some(downloads.parent()?.join("uploads"))
    }

    /// What the browser says to a session from now on, in order: for events that no page keeps.
    pub fn events(&self) -> tokio::sync::mpsc::UnboundedReceiver<Arc<crate::cdp::router::Event>> {
        self.inner.browser.events()
    }

    /// Awaits a command, but no longer than it can be answered: an open dialog holds up every script of the page.
    pub async fn guarded<T>(
        &self,
        command: impl Future<Output = Result<T, crate::cdp::error::CdpError>>,
    ) -> Result<T, PageError> {
        self.inner.guarded(command).await
    }

    /// Shows the tab.
    pub async fn bring_to_front(&self, deadline: Deadline) -> Result<(), PageError> {
        self.inner.guarded(self.session().call_raw("Page.bringToFront", json!({}), deadline)).await?;
        Ok(())
    }

    /// Sets the viewport, in CSS px.
    pub async fn resize(&self, width: u32, height: u32, deadline: Deadline) -> Result<(), PageError> {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        let session = self.session();
        self.inner.guarded(session.call_raw("Emulation.setDeviceMetricsOverride", metrics, deadline)).await?;
        self.inner.state().viewport = (width, height);
        Ok(())
    }

    /// Closes the tab; `beforeunload` is not asked. Closing a closed one is no error.
    pub async fn close(&self, deadline: Deadline) -> Result<(), PageError> {
        let target = {
            let state = self.inner.state();
            if state.closed {
                return Ok(());
            }
            state.target.clone()
        };
        let params = json!({"targetId": target});
        match self.inner.browser.root().call_raw("Target.closeTarget", params, deadline).await {
            Ok(_) => {}
            Err(_) if self.closed() => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        let mut changes = self.inner.changes();
        while !self.closed() {
            if tokio::time::timeout_at(deadline.instant().into(), changes.changed()).await.is_err() {
                return Err(PageError::Timeout { what: "closing the tab".into() });
            }
        }
        Ok(())
    }
}
