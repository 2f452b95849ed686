//! Going somewhere: our own lifecycle wait, bound to the document that the navigation made.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    page::{context, error::PageError, tab::Page},
    spec::{action::DialogSeen, deadline::Deadline},
};

/// When a navigation counts as done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
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
    /// False when the navigation stayed in the same document.
    pub new_document: bool,
    /// Dialogs raised meanwhile and what was done with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dialogs: Vec<DialogSeen>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    loader_id: Option<String>,
    error_text: Option<String>,
}

/// The URL that may be navigated to: `http`, `https` or `about:blank`; everything else is refused by name.
pub fn check(url: &str) -> Result<url::Url, PageError> {
    let bad = |why: String| PageError::BadUrl { url: url.to_owned(), why };
    let parsed = url::Url::parse(url).map_err(|error| bad(error.to_string()))?;
    match parsed.scheme() {
        "http" | "https" => Ok(parsed),
        "about" if parsed.path() == "blank" => Ok(parsed),
        scheme => Err(bad(format!("scheme `{scheme}` is not allowed"))),
    }
}

impl Page {
    /// Opens `url` and waits for the stage asked for, the deadline, a crash or the browser's end.
    pub async fn goto(&self, url: &str, until: WaitUntil, deadline: Deadline) -> Result<Navigation, PageError> {
        let url = check(url)?;
        let dialogs = self.inner.state().dialogs.len();
        let reply = self.session().call_raw("Page.navigate", json!({"url": url.as_str()}), deadline).await?;
        self.inner.state().crashed = false;
        let navigated: Navigated = context::parse(&reply, "Page.navigate")?;
        if let Some(text) = navigated.error_text.filter(|text| !text.is_empty()) {
            return Err(PageError::NavigationFailed { url: url.into(), text });
        }
        let Some(loader) = navigated.loader_id else {
            return self.arrived(None, dialogs, deadline).await;
        };
        self.reach(&loader, until, url.as_str(), deadline).await?;
        self.arrived(Some(&loader), dialogs, deadline).await
    }

    /// Goes back (-1), forward (1) or reloads (0).
    pub async fn history(&self, delta: i64, until: WaitUntil, deadline: Deadline) -> Result<Navigation, PageError> {
        let dialogs = self.inner.state().dialogs.len();
        let before = self.inner.state().main().map(|frame| frame.loader.clone()).unwrap_or_default();
        let moves = |state: &super::state::State| (state.documents, state.same_document);
        let start = moves(&self.inner.state());
        if delta == 0 {
            self.session().call_raw("Page.reload", json!({}), deadline).await?;
        } else {
            let reply = self.session().call_raw("Page.getNavigationHistory", json!({}), deadline).await?;
            let history = context::value(&reply);
            let wanted = history["currentIndex"].as_i64().unwrap_or_default() + delta;
            let entry = usize::try_from(wanted).ok().and_then(|index| history["entries"].get(index));
            let Some(entry) = entry.and_then(|entry| entry["id"].as_i64()) else {
                return Err(PageError::BadUrl {
                    url: format!("history {delta:+}"),
                    why: "there is no such history entry".into(),
                });
            };
            let params = json!({"entryId": entry});
            self.session().call_raw("Page.navigateToHistoryEntry", params, deadline).await?;
        }
        self.inner.wait("the history navigation", deadline, |state| (moves(state) != start).then_some(())).await?;
        let loader = self.inner.state().main().map(|frame| frame.loader.clone()).unwrap_or_default();
        if loader == before {
            return self.arrived(None, dialogs, deadline).await;
        }
        self.reach(&loader, until, "the history entry", deadline).await?;
        self.arrived(Some(&loader), dialogs, deadline).await
    }

    async fn reach(&self, loader: &str, until: WaitUntil, what: &str, deadline: Deadline) -> Result<(), PageError> {
        let event = until.event();
        let what = format!("{event} of {what}");
        self.inner
            .wait(&what, deadline, |state| {
                let frame = state.main()?;
                (frame.loader == loader && frame.lifecycle.contains(event)).then_some(())
            })
            .await
    }

    async fn arrived(&self, loader: Option<&str>, dialogs: usize, deadline: Deadline) -> Result<Navigation, PageError> {
        let title = self.title(deadline).await.unwrap_or_default();
        let state = self.inner.state();
        Ok(Navigation {
            url: state.main().map(|frame| frame.url.clone()).unwrap_or_default(),
            status: loader.and_then(|loader| state.status.get(loader)).copied(),
            title,
            new_document: loader.is_some(),
            dialogs: state.dialogs[dialogs..].to_vec(),
        })
    }
}
