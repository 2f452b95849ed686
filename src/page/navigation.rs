//! Going somewhere: our own lifecycle wait, bound to the document that the navigation made.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    page::{context, context::ContextOptions, error::PageError, state::State, tab::Page},
    spec::{action::DialogSeen, deadline::Deadline},
};

/// When a navigation counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WaitUntil {
    /// The new document has been committed.
    Commit,
    DomContentLoaded,
    #[default]
    Load,
    /// No request for 500 ms after load.
    Idle,
}

impl WaitUntil {
    fn event(self) -> &'static str {
        match self {
            Self::Commit => "init",
            Self::DomContentLoaded => "DOMContentLoaded",
            Self::Load => "load",
            Self::Idle => "networkIdle",
        }
    }
}

/// What a navigation led to.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Navigation {
    pub url: String,
    /// HTTP status of the document; absent for documents without a response (`about:blank`, history, fragments).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    pub title: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub mime: String,
    /// False when the navigation stayed in the same document.
    pub new_document: bool,
    /// The address is a download; the page is where it was.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub download: bool,
    /// The stage reached: earlier than asked for when the deadline came first and the document could be read already.
    pub reached: WaitUntil,
    /// Dialogs raised meanwhile and what was done with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dialogs: Vec<DialogSeen>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    loader_id: Option<String>,
    error_text: Option<String>,
    #[serde(default)]
    is_download: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct History {
    current_index: i64,
    entries: Vec<HistoryEntry>,
}

#[derive(Deserialize)]
struct HistoryEntry {
    id: i64,
    #[serde(default)]
    url: String,
}

/// How long a title may take where the deadline has passed.
const TITLE: Duration = Duration::from_millis(500);
/// How long the event of a same-document navigation may come after the reply.
const FRAGMENT: Duration = Duration::from_millis(250);
/// How long a document that was answered may take to begin before the page that it follows is asked whether it hangs.
const BEGIN: Duration = Duration::from_secs(1);
/// How long that page may take to say that it does not, and its script to end.
const PROBE: Duration = Duration::from_millis(500);
/// How long stopping may take where the deadline has passed.
const STOP: Duration = Duration::from_millis(500);
/// How often a navigation is followed to the document that replaced its own.
const REDIRECTS: usize = 20;

/// The URL that may be navigated to: `http`, `https` or `about:blank`; everything else is refused by name.
pub fn check(url: &str) -> Result<url::Url, PageError> {
    check_for(url, &ContextOptions::default())
}

/// As `check`, with what a context allows beyond.
pub fn check_for(url: &str, options: &ContextOptions) -> Result<url::Url, PageError> {
    let bad = |why: String| PageError::BadUrl { url: super::log::cut_url(url), why };
    let parsed = url::Url::parse(url).map_err(|error| bad(error.to_string()))?;
    match parsed.scheme() {
        "http" | "https" => Ok(parsed),
        "about" if parsed.path() == "blank" => Ok(parsed),
        "data" | "blob" if options.allow_data_urls => Ok(parsed),
        "file" if options.allow_file_urls => Ok(parsed),
        scheme => Err(bad(format!("scheme `{scheme}` is not allowed"))),
    }
}

impl Page {
    /// Opens `url` and waits for the stage asked for, the deadline, a crash or the browser's end. A page that crashed
    /// is revived.
    pub async fn goto(&self, url: &str, wait: WaitUntil, deadline: Deadline) -> Result<Navigation, PageError> {
        let url = check_for(url, &self.context.options)?;
        let marker = self.marker();
        let same_before = self.inner.state().same_document;
        let navigated = match self.navigate(&url, deadline).await {
            // Both of a crash's events fail what is in flight; after the second the page can be revived.
            Err(PageError::Crashed) => self.navigate(&url, deadline).await,
            other => other,
        };
        let navigated = match navigated {
            Err(PageError::Timeout { .. }) => {
                self.stop().await;
                return Err(PageError::Timeout { what: format!("the answer of {url}") });
            }
            other => other?,
        };
        self.inner.state().crashed = false;
        if let Some(text) = navigated.error_text.filter(|text| !text.is_empty()) {
            let response = self.inner.state().response(navigated.loader_id.as_deref().unwrap_or_default()).cloned();
            match (text.as_str(), response) {
                ("net::ERR_ABORTED", Some(response)) if matches!(response.status, 204 | 205) => {
                    let stayed = self.arrived(None, wait, &marker, deadline).await;
                    return Ok(Navigation { status: Some(response.status), ..stayed });
                }
                ("net::ERR_ABORTED", _) if navigated.is_download => {
                    let stayed = self.arrived(None, wait, &marker, deadline).await;
                    return Ok(Navigation { download: true, ..stayed });
                }
                // An error status without a body: Chromium shows its own page, but the server has answered.
                ("net::ERR_HTTP_RESPONSE_CODE_FAILURE", Some(_)) => {}
                _ => return Err(PageError::NavigationFailed { url: url.into(), text }),
            }
        }
        let Some(loader) = navigated.loader_id.as_deref() else {
            let moved = |state: &State| (state.same_document != same_before).then_some(());
            // Going to where one is already moves nothing.
            let _ = self.inner.wait("the fragment", deadline.at_most(FRAGMENT), moved).await;
            return Ok(self.arrived(None, wait, &marker, deadline).await);
        };
        let begun = |state: &State| {
            let here = state.main().is_some_and(|main| main.loader == loader);
            (here || state.superseded(loader)).then_some(())
        };
        self.let_begin(begun, deadline).await?;
        let reached = self.reach(loader, wait, url.as_str(), deadline).await?;
        Ok(self.arrived(Some(loader), reached, &marker, deadline).await)
    }

    /// A script without end keeps the next document of its process from beginning: it is ended. A dialog that opens in
    /// this very moment can be answered by nobody; then only a new target helps, and the page is said to hang.
    async fn let_begin(&self, begun: impl Fn(&State) -> Option<()>, deadline: Deadline) -> Result<(), PageError> {
        let step = deadline.remaining() / 4;
        let wait = self.inner.wait("the document", deadline.at_most(BEGIN.min(step)), begun).await;
        let late = matches!(wait, Err(PageError::Timeout { .. }));
        if late && self.hangs(deadline.at_most(PROBE.min(step))).await {
            let ended = self.terminate_script(deadline.at_most(PROBE.min(step))).await;
            if matches!(ended, Err(PageError::Timeout { .. })) {
                return Err(PageError::Hung);
            }
        }
        Ok(())
    }

    async fn navigate(&self, url: &url::Url, deadline: Deadline) -> Result<Navigated, PageError> {
        let session = self.session();
        let call = session.call_raw("Page.navigate", json!({"url": url.as_str()}), deadline);
        context::parse(&self.inner.guarded(call).await?, "Page.navigate")
    }

    /// Goes back (-1), forward (1) or reloads (0).
    pub async fn history(&self, delta: i32, wait: WaitUntil, deadline: Deadline) -> Result<Navigation, PageError> {
        let marker = self.marker();
        let moves = |state: &State| (state.documents, state.same_document);
        let before = moves(&self.inner.state());
        let session = self.session();
        let mut to = self.url();
        if delta == 0 {
            self.inner.guarded(session.call_raw("Page.reload", json!({}), deadline)).await?;
        } else {
            let asked = session.call_raw("Page.getNavigationHistory", json!({}), deadline);
            let reply = self.inner.guarded(asked).await?;
            let history: History = context::parse(&reply, "Page.getNavigationHistory")?;
            let wanted = usize::try_from(history.current_index + i64::from(delta)).ok();
            let Some(entry) = wanted.and_then(|index| history.entries.get(index)) else {
                let why = "there is no such history entry".into();
                return Err(PageError::BadUrl { url: format!("history {delta:+}"), why });
            };
            to.clone_from(&entry.url);
            let params = json!({"entryId": entry.id});
            self.inner.guarded(session.call_raw("Page.navigateToHistoryEntry", params, deadline)).await?;
        }
        self.let_begin(|state| (moves(state) != before).then_some(()), deadline).await?;
        let what = format!("the answer of {to}");
        let moved = self.inner.wait(&what, deadline, |state| {
            let now = moves(state);
            (now != before).then(|| (now.0 != before.0, state.main().map(|main| main.loader.clone())))
        });
        let (new_document, loader) = match moved.await {
            Err(error @ PageError::Timeout { .. }) => {
                self.stop().await;
                return Err(error);
            }
            other => other?,
        };
        let Some(loader) = loader.filter(|_| new_document) else {
            return Ok(self.arrived(None, wait, &marker, deadline).await);
        };
        if self.inner.state().main().is_some_and(|main| main.unreachable) {
            return Err(PageError::NavigationFailed { url: to, text: "the address cannot be reached".into() });
        }
        let reached = self.reach(&loader, wait, &to, deadline).await?;
        Ok(self.arrived(Some(&loader), reached, &marker, deadline).await)
    }

    /// Waits for a stage of a loader's document, or of the one that replaced it meanwhile. When the deadline comes
    /// first, a document that can be read already is still a result.
    async fn reach(
        &self,
        loader: &str,
        wait: WaitUntil,
        what: &str,
        deadline: Deadline,
    ) -> Result<WaitUntil, PageError> {
        let event = wait.event();
        let waits_for = format!("{event} of {what}");
        let mut followed = loader.to_owned();
        for _ in 0..REDIRECTS {
            let there = self.inner.wait(&waits_for, deadline, |state| {
                let main = state.main()?;
                if main.loader == followed {
                    return main.lifecycle.contains(event).then_some(None);
                }
                // A script or a meta element went on to another document.
                state.superseded(&followed).then(|| Some(main.loader.clone()))
            });
            match there.await {
                Ok(None) => return Ok(wait),
                Ok(Some(next)) => followed = next,
                Err(error @ PageError::Timeout { .. }) => {
                    self.stop().await;
                    let dom = WaitUntil::DomContentLoaded;
                    let readable = self.inner.state().main().is_some_and(|main| {
                        wait > dom && main.loader == followed && main.lifecycle.contains(dom.event())
                    });
                    let loaded = self.inner.state().main().is_some_and(|main| main.lifecycle.contains("load"));
                    return match (readable, loaded) {
                        (true, true) => Ok(WaitUntil::Load),
                        (true, false) => Ok(dom),
                        (false, _) => Err(error),
                    };
                }
                Err(error) => return Err(error),
            }
        }
        Err(PageError::NavigationFailed {
            url: what.to_owned(),
            text: "it goes on to other documents without end".into(),
        })
    }

    /// Gives up what is still loading, before anything else can begin: a late stop would end the next navigation.
    async fn stop(&self) {
        let session = self.session();
        if let Err(error) = session.call_raw("Page.stopLoading", json!({}), Deadline::after(STOP)).await {
            tracing::debug!(%error, "loading is not stopped");
        }
    }

    async fn arrived(
        &self,
        loader: Option<&str>,
        reached: WaitUntil,
        marker: &super::log::Marker,
        deadline: Deadline,
    ) -> Navigation {
        // Also where the deadline has passed the title is worth a moment; a page that hangs now has none.
        let title = self.title(deadline.at_most(4 * TITLE).max(Deadline::after(TITLE))).await.unwrap_or_default();
        let dialogs = self.since(marker).dialogs;
        let state = self.inner.state();
        let main = state.main();
        let response = loader.and(main).and_then(|main| state.response(&main.loader));
        Navigation {
            url: main.map(|frame| frame.url.clone()).unwrap_or_default(),
            status: response.map(|response| response.status),
            title,
            mime: match response {
                Some(response) => response.mime.clone(),
                None => main.map(|frame| frame.mime.clone()).unwrap_or_default(),
            },
            new_document: loader.is_some(),
            download: false,
            reached,
            dialogs,
        }
    }
}
