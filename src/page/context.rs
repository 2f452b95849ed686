//! One isolated browser context: its own cookies, storage and cache, its tabs, and the task that keeps their state.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Deserialize;
use serde_json::json;
use tokio::sync::{OnceCell, watch};

use crate::{
    cdp::{browser::Browser, error::CdpError},
    page::{
        dialogs::DialogPolicy,
        downloads::Downloads,
        driver,
        error::PageError,
        state::Inner,
        tab::Page,
        targets,
        wire::{AttachedToTarget, TargetInfo},
    },
    spec::deadline::Deadline,
};

/// How the pages of a context behave.
#[derive(Debug, Clone)]
pub struct ContextOptions {
    /// CSS px.
    pub viewport: (u32, u32),
    /// False takes the browser's own context, which a persistent profile lives in.
    pub isolated: bool,
    pub dialog: DialogPolicy,
    /// Let `goto` open `data:` and `blob:` addresses.
    pub allow_data_urls: bool,
    /// Let `goto` open `file:` addresses.
    pub allow_file_urls: bool,
}

impl Default for ContextOptions {
    fn default() -> Self {
        Self {
            viewport: (1280, 720),
            isolated: true,
            dialog: DialogPolicy::default(),
            allow_data_urls: false,
            allow_file_urls: false,
        }
    }
}

impl From<(u32, u32)> for ContextOptions {
    fn from(viewport: (u32, u32)) -> Self {
        Self { viewport, ..Self::default() }
    }
}

/// An isolated profile within a browser. Cheap to clone.
#[derive(Clone)]
pub struct Context {
    shared: Arc<Shared>,
}

/// A context as its handles, its pages and its driver share it. Pages know it, it knows the state of its pages, so
/// that all of it goes with the last handle.
pub(crate) struct Shared {
    pub browser: Browser,
    pub options: ContextOptions,
    /// `None` for the browser's own context.
    id: Option<String>,
    tabs: Mutex<Tabs>,
    pub downloads: Mutex<Downloads>,
    /// Counts the tabs that came and went.
    version: watch::Sender<u64>,
    listening: OnceCell<()>,
}

#[derive(Default)]
struct Tabs {
    /// In the order in which they opened.
    pages: Vec<Tab>,
    by_session: HashMap<String, Arc<Inner>>,
    /// Page targets that attached but are not known to be ours, by target.
    parked: HashMap<String, (String, TargetInfo)>,
    last: u32,
}

struct Tab {
    page: Arc<Inner>,
    /// The tab whose script opened it.
    opener: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    browser_context_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedTarget {
    target_id: String,
}

impl Context {
    /// A context by its options; the browser's own one when they say that it is not isolated.
    pub async fn new(
        browser: &Browser,
        options: impl Into<ContextOptions>,
        deadline: Deadline,
    ) -> Result<Self, PageError> {
        let options = options.into();
        let mut id = None;
        if options.isolated {
            let params = json!({"disposeOnDetach": true});
            let reply = browser.root().call_raw("Target.createBrowserContext", params, deadline).await?;
            id = Some(parse::<Created>(&reply, "Target.createBrowserContext")?.browser_context_id);
        }
        let context = Self::start(browser, id, options);
        context.shared.listen(deadline).await?;
        Ok(context)
    }

    /// The browser's own context, which a persistent profile lives in.
    pub fn default_of(browser: &Browser, viewport: (u32, u32)) -> Self {
        Self::start(browser, None, ContextOptions { isolated: false, ..viewport.into() })
    }

    fn start(browser: &Browser, id: Option<String>, options: ContextOptions) -> Self {
        let shared = Arc::new(Shared {
            browser: browser.clone(),
            options,
            downloads: Mutex::new(Downloads::new(browser.downloads_dir(), id.clone())),
            id,
            tabs: Mutex::default(),
            version: watch::Sender::new(0),
            listening: OnceCell::new(),
        });
        tokio::spawn(driver::run(Arc::downgrade(&shared), browser.events()));
        Self { shared }
    }

    /// Opens a blank page.
    pub async fn new_page(&self, deadline: Deadline) -> Result<Page, PageError> {
        let inner = self.shared.open(deadline).await?;
        Ok(Page { inner, context: Arc::clone(&self.shared) })
    }

    /// Its open tabs in the order in which they opened, popups included.
    pub fn pages(&self) -> Vec<Page> {
        self.shared.pages().into_iter().map(|inner| Page { inner, context: Arc::clone(&self.shared) }).collect()
    }

    /// The open tab of a name (`t1`).
    pub fn page(&self, tab: &str) -> Option<Page> {
        self.pages().into_iter().find(|page| page.tab() == tab)
    }

    /// Closes all its pages and forgets its data.
    pub async fn close(&self, deadline: Deadline) -> Result<(), PageError> {
        let Some(id) = &self.shared.id else {
            for page in self.pages() {
                page.close(deadline).await?;
            }
            return Ok(());
        };
        let params = json!({"browserContextId": id});
        self.shared.browser.root().call_raw("Target.disposeBrowserContext", params, deadline).await?;
        Ok(())
    }
}

impl Shared {
    fn tabs(&self) -> MutexGuard<'_, Tabs> {
        self.tabs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// Has page targets and downloads reported, once.
    async fn listen(&self, deadline: Deadline) -> Result<(), PageError> {
        let start = async {
            let root = self.browser.root();
            let attach = json!({
                "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": [{"type": "page"}],
            });
            let downloads = self.downloads.lock().unwrap_or_else(PoisonError::into_inner).behavior();
            let (attached, behaves) = futures::join!(root.call_raw("Target.setAutoAttach", attach, deadline), async {
                match downloads {
                    Some(params) => root.call_raw("Browser.setDownloadBehavior", params, deadline).await.map(|_| ()),
                    None => Ok(()),
                }
            });
            attached?;
            behaves
        };
        self.listening.get_or_try_init(|| start).await?;
        Ok(())
    }

    /// Opens a blank page and waits until it is set up.
    pub async fn open(self: &Arc<Self>, deadline: Deadline) -> Result<Arc<Inner>, PageError> {
        self.listen(deadline).await?;
        // Its size is set with the rest; a window of a profile takes none here.
        let mut params = json!({"url": "about:blank"});
        if let Some(id) = &self.id {
            params["browserContextId"] = id.as_str().into();
        }
        let reply = self.browser.root().call_raw("Target.createTarget", params, deadline).await?;
        let target = parse::<CreatedTarget>(&reply, "Target.createTarget")?.target_id;
        let mut changes = self.version.subscribe();
        let page = loop {
            if let Some(page) = self.page_of_target(&target) {
                break page;
            }
            let parked = self.tabs().parked.remove(&target);
            if let Some((session, info)) = parked {
                targets::adopt(self, &session, &info);
                continue;
            }
            match tokio::time::timeout_at(deadline.instant().into(), changes.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(PageError::BrowserGone),
                Err(_) if self.browser.gone() => return Err(PageError::BrowserGone),
                Err(_) => return Err(PageError::Timeout { what: "attaching to the new page".into() }),
            }
        };
        let main = page.wait("the first frame", deadline, |state| {
            let none = || PageError::Timeout { what: "setting up the new page".into() };
            state.ready.then(|| state.main().map(|_| ()).ok_or_else(none))
        });
        main.await??;
        Ok(page)
    }

    /// Whether a page target belongs here: by its context, or, in the browser's own, by the page that opened it.
    pub fn owns(&self, info: &TargetInfo) -> bool {
        match &self.id {
            Some(id) => info.browser_context_id.as_ref() == Some(id),
            None => info.opener_id.as_deref().is_some_and(|opener| self.page_of_target(opener).is_some()),
        }
    }

    pub fn park(&self, event: &AttachedToTarget) {
        // Pages of other contexts never become ours.
        if self.id.is_none() {
            let parked = (event.session_id.clone(), event.target_info.clone());
            self.tabs().parked.insert(event.target_info.target_id.clone(), parked);
            self.changed();
        }
    }

    pub fn new_tab(&self, target: &str, session: &str, opener: Option<String>) -> Arc<Inner> {
        let mut tabs = self.tabs();
        tabs.last += 1;
        let tab = format!("t{}", tabs.last);
        let page = Arc::new(Inner::new(self.browser.clone(), tab, target, session, self.options.viewport));
        page.set_dialog_policy(self.options.dialog);
        tabs.by_session.insert(session.to_owned(), Arc::clone(&page));
        tabs.pages.push(Tab { page: Arc::clone(&page), opener });
        drop(tabs);
        self.changed();
        page
    }

    pub fn pages(&self) -> Vec<Arc<Inner>> {
        self.tabs().pages.iter().map(|tab| Arc::clone(&tab.page)).collect()
    }

    pub fn page_of(&self, session: &str) -> Option<Arc<Inner>> {
        self.tabs().by_session.get(session).cloned()
    }

    pub fn page_of_target(&self, target: &str) -> Option<Arc<Inner>> {
        self.pages().into_iter().find(|page| page.state().target == target)
    }

    pub fn page_of_frame(&self, frame: &str) -> Option<Arc<Inner>> {
        self.pages().into_iter().find(|page| page.state().frames.contains(frame))
    }

    /// The page that opened a tab, while it is there.
    pub fn opener_of(&self, tab: &str) -> Option<Arc<Inner>> {
        let tabs = self.tabs();
        let opener = tabs.pages.iter().find(|one| one.page.tab == tab)?.opener.clone()?;
        tabs.pages.iter().find(|one| one.page.tab == opener).map(|one| Arc::clone(&one.page))
    }

    pub fn open_popups(&self) -> usize {
        self.tabs().pages.iter().filter(|tab| tab.opener.is_some()).count()
    }

    /// Present address of a tab.
    pub fn url_of(&self, tab: &str) -> Option<String> {
        let page = self.pages().into_iter().find(|page| page.tab == tab)?;
        let state = page.state();
        state.main().map(|frame| frame.url.clone())
    }

    pub fn route(&self, session: &str, page: &Arc<Inner>) {
        self.tabs().by_session.insert(session.to_owned(), Arc::clone(page));
    }

    /// A session ended; with a page's own one, the page.
    pub fn session_ended(&self, session: &str) {
        let Some(page) = self.tabs().by_session.remove(session) else { return };
        let mut state = page.state();
        state.sessions.remove(session);
        state.dialogs.forget(session);
        let whole = state.session == session;
        if whole {
            state.closed = true;
        } else {
            state.frames.end_session(session);
        }
        drop(state);
        if whole {
            let mut tabs = self.tabs();
            tabs.pages.retain(|tab| !Arc::ptr_eq(&tab.page, &page));
            tabs.by_session.retain(|_, of| !Arc::ptr_eq(of, &page));
            drop(tabs);
            self.changed();
        }
        page.notify();
    }

    /// The browser is gone, and every page with it.
    pub fn ended(&self) {
        for page in self.pages() {
            page.state().closed = true;
            page.notify();
        }
        self.changed();
    }

    /// Puts the target of `fresh` behind the tab of `old`, whose own target is given up; gives that target.
    pub fn replace(&self, old: &Arc<Inner>, fresh: &Arc<Inner>) -> String {
        let mut tabs = self.tabs();
        let was: Vec<String> = old.state().sessions.iter().cloned().collect();
        for session in was {
            tabs.by_session.remove(&session);
        }
        tabs.pages.retain(|tab| !Arc::ptr_eq(&tab.page, fresh));
        let mut taken = std::mem::take(&mut *fresh.state());
        for session in &taken.sessions {
            tabs.by_session.insert(session.clone(), Arc::clone(old));
        }
        fresh.state().closed = true;
        let mut state = old.state();
        taken.documents = state.documents + 1;
        taken.same_document = state.same_document;
        taken.log = std::mem::take(&mut state.log);
        taken.log.forget_requests();
        taken.dialogs.policy = state.dialogs.policy;
        taken.file_choosers = state.file_choosers;
        let before = std::mem::replace(&mut *state, taken);
        drop(state);
        drop(tabs);
        old.notify();
        self.changed();
        before.target
    }
}

/// Decodes a raw reply, naming the method when it has another shape.
pub(crate) fn parse<'a, T: Deserialize<'a>>(
    reply: &'a serde_json::value::RawValue,
    method: &str,
) -> Result<T, PageError> {
    serde_json::from_str(reply.get())
        .map_err(|error| PageError::Cdp(CdpError::Decode { method: method.to_owned(), message: error.to_string() }))
}
