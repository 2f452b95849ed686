//! What a page knows of itself, kept by the driver from events and read by everybody else; and how to wait on it.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

use crate::{
    cdp::{browser::Browser, error::CdpError, session::Session},
    page::{
        collect::RefTable,
        dialogs::{DialogPolicy, Dialogs},
        error::PageError,
        frames::{Frame, Frames},
        log::Log,
    },
    spec::deadline::Deadline,
};

/// Main-frame documents remembered, to follow a navigation that another one replaced.
const LOADERS: usize = 64;

/// What a document's response said.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    pub status: u16,
    pub mime: String,
}

/// State of one page over all its sessions.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub target: String,
    /// The session of the page's own target.
    pub session: String,
    /// All sessions of the page: its own, its out-of-process frames', its workers'.
    pub sessions: HashSet<String>,
    pub main_frame: String,
    pub frames: Frames,
    /// Its sessions are set up; before that no call is answered in full.
    pub ready: bool,
    pub crashed: bool,
    pub closed: bool,
    pub dialogs: Dialogs,
    pub log: Log,
    /// Committed documents of the main frame, and same-document navigations.
    pub documents: u64,
    pub same_document: u64,
    /// The main frame's spinner.
    pub loading: bool,
    pub file_choosers: u64,
    /// The input that the last file chooser was opened for.
    pub file_chooser: Option<i64>,
    pub viewport: (u32, u32),
    /// Loaders of the main frame, oldest first.
    loaders: VecDeque<String>,
    /// Response of a document, by loader; as many as loaders are kept.
    responses: HashMap<String, Response>,
    answered: VecDeque<String>,
}

impl State {
    pub fn main(&self) -> Option<&Frame> {
        self.frames.get(&self.main_frame)
    }

    /// The main frame has another document.
    pub fn main_committed(&mut self, loader: String) {
        self.documents += 1;
        self.crashed = false;
        if self.loaders.len() == LOADERS {
            self.loaders.pop_front();
        }
        self.loaders.push_back(loader);
    }

    /// Whether the main frame has had this loader and has another one now.
    pub fn superseded(&self, loader: &str) -> bool {
        self.main().is_some_and(|main| main.loader != loader) && self.loaders.iter().any(|past| past == loader)
    }

    pub fn answered(&mut self, loader: &str, response: Response) {
        if self.responses.insert(loader.to_owned(), response).is_none() {
            self.answered.push_back(loader.to_owned());
        }
        if self.answered.len() > LOADERS
            && let Some(oldest) = self.answered.pop_front()
        {
            self.responses.remove(&oldest);
        }
    }

    pub fn response(&self, loader: &str) -> Option<&Response> {
        self.responses.get(loader)
    }

    /// A process went: what lived in it is no more.
    pub fn process_gone(&mut self, session: &str) {
        self.frames.worlds_cleared(session);
        self.dialogs.forget(session);
        if session == self.session {
            self.crashed = true;
            self.loading = false;
            self.log.forget_requests();
        }
    }
}

/// A page as the driver and all its handles share it.
pub(crate) struct Inner {
    pub browser: Browser,
    /// `t1`, `t2`, …: stable, whatever happens to the target behind it.
    pub tab: String,
    pub refs: Mutex<RefTable>,
    state: Mutex<State>,
    version: watch::Sender<u64>,
}

impl Inner {
    pub fn new(browser: Browser, tab: String, target: &str, session: &str, viewport: (u32, u32)) -> Self {
        let state = State {
            target: target.to_owned(),
            session: session.to_owned(),
            sessions: HashSet::from([session.to_owned()]),
            viewport,
            ..State::default()
        };
        Self { browser, tab, refs: Mutex::default(), state: Mutex::new(state), version: watch::Sender::new(0) }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn notify(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    pub fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// The session of the page's own target.
    pub fn session(&self) -> Session {
        let id = self.state().session.clone();
        self.browser.session(&id)
    }

    /// Waits until `ready` gives something; fails as soon as the page has crashed or closed, a dialog is open that only
    /// the caller may answer, or the deadline passes.
    pub async fn wait<T>(
        &self,
        what: &str,
        deadline: Deadline,
        ready: impl Fn(&State) -> Option<T>,
    ) -> Result<T, PageError> {
        let mut changes = self.changes();
        loop {
            {
                let state = self.state();
                if let Some(value) = ready(&state) {
                    return Ok(value);
                }
                if let Some(error) = self.stopped(&state) {
                    return Err(error);
                }
                if state.crashed {
                    return Err(PageError::Crashed);
                }
            }
            match tokio::time::timeout_at(deadline.instant().into(), changes.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(PageError::BrowserGone),
                Err(_) => return Err(PageError::Timeout { what: what.to_owned() }),
            }
        }
    }

    /// Awaits a command, but no longer than it can be answered: an open dialog holds up every script of the page.
    pub async fn guarded<T>(&self, command: impl Future<Output = Result<T, CdpError>>) -> Result<T, PageError> {
        // Nothing is sent that could only be done after a dialog: a navigation would happen late, unasked for.
        if let Some(error) = self.stopped(&self.state()) {
            return Err(error);
        }
        tokio::select! {
            biased;
            reply = command => reply.map_err(|error| self.said(error)),
            error = self.held_up() => Err(error),
        }
    }

    async fn held_up(&self) -> PageError {
        let mut changes = self.changes();
        loop {
            if let Some(error) = self.stopped(&self.state()) {
                return error;
            }
            if changes.changed().await.is_err() {
                return PageError::BrowserGone;
            }
        }
    }

    fn stopped(&self, state: &State) -> Option<PageError> {
        if state.closed {
            return Some(if self.browser.gone() { PageError::BrowserGone } else { PageError::Closed });
        }
        state.dialogs.open().map(|seen| PageError::DialogOpen(seen.clone()))
    }

    /// A protocol error as this page's: a detached session of a closed tab is a closed tab.
    fn said(&self, error: CdpError) -> PageError {
        match error {
            CdpError::Detached if self.state().closed => PageError::Closed,
            other => other.into(),
        }
    }

    /// What happens to dialogs from now on.
    pub fn set_dialog_policy(&self, policy: DialogPolicy) {
        self.state().dialogs.policy = policy;
    }
}
