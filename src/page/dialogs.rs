//! JavaScript dialogs: reported always, answered at once by policy, or left open for the caller.
//! They are handled at the root of every session, because an open one holds up every script of its page.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    page::{
        error::PageError,
        state::{Inner, State},
        tab::Page,
        wire::DialogOpening,
    },
    spec::{action::DialogSeen, deadline::Deadline},
};

/// Bound on answering one.
const ANSWER: Duration = Duration::from_secs(5);
/// More dialogs than this within the window, 20 a second, close the tab: nobody could use it. Ending the script does not
/// help: measured, V8 took 3 s to notice the request between two alerts.
const STORM: usize = 60;
const STORM_WINDOW: Duration = Duration::from_secs(3);

/// What happens to a dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DialogPolicy {
    /// Cancelled; the question whether to leave the page is answered with yes.
    #[default]
    Dismiss,
    /// OK; a prompt gets its default text.
    Accept,
    /// Left open: every wait on the page ends with `DialogOpen` until it is answered.
    Ask,
}

/// Dialogs of one page.
#[derive(Debug, Default)]
pub(crate) struct Dialogs {
    pub policy: DialogPolicy,
    open: Option<Open>,
    recent: VecDeque<Instant>,
}

#[derive(Debug)]
struct Open {
    session: String,
    seen: DialogSeen,
    /// Its number in the log.
    number: u64,
}

impl Dialogs {
    /// The dialog that waits for the caller.
    pub fn open(&self) -> Option<&DialogSeen> {
        self.open.as_ref().map(|open| &open.seen)
    }

    /// A session went, and its dialog with it.
    pub fn forget(&mut self, session: &str) {
        if self.open.as_ref().is_some_and(|open| open.session == session) {
            self.open = None;
        }
    }

    fn count(&mut self) -> usize {
        let now = Instant::now();
        self.recent.push_back(now);
        while self.recent.front().is_some_and(|at| now.duration_since(*at) > STORM_WINDOW) {
            self.recent.pop_front();
        }
        self.recent.len()
    }
}

/// A dialog has opened.
pub(crate) fn opened(page: &Arc<Inner>, session: &str, dialog: DialogOpening) {
    let mut state = page.state();
    let recent = state.dialogs.count();
    let policy = state.dialogs.policy;
    let leaving = dialog.kind == "beforeunload";
    let storm = recent > STORM;
    let accept = policy == DialogPolicy::Accept || leaving;
    let mut seen = DialogSeen {
        kind: dialog.kind,
        message: dialog.message.chars().take(4_096).collect(),
        default_prompt: Some(dialog.default_prompt).filter(|text| !text.is_empty()),
        outcome: if accept { "accepted" } else { "dismissed" }.into(),
    };
    if policy == DialogPolicy::Ask && !storm {
        seen.outcome = "open".into();
        let number = state.log.dialogs.push(seen.clone());
        state.dialogs.open = Some(Open { session: session.to_owned(), seen, number });
        return;
    }
    let text = seen.default_prompt.clone();
    state.log.dialogs.push(seen);
    let target = state.target.clone();
    drop(state);
    let (page, session) = (Arc::clone(page), session.to_owned());
    tokio::spawn(async move {
        let wait = Deadline::after(ANSWER);
        let answered = if storm {
            tracing::warn!(tab = %page.tab, recent, "dialogs without end: the tab is closed");
            page.browser.root().call_raw("Target.closeTarget", json!({"targetId": target}), wait).await
        } else {
            let params = answer_params(accept, text.as_deref());
            page.browser.session(&session).call_raw("Page.handleJavaScriptDialog", params, wait).await
        };
        if let Err(error) = answered {
            tracing::debug!(%error, "the dialog was already gone");
        }
    });
}

/// A dialog has closed, by whatever.
pub(crate) fn closed(state: &mut State, session: &str, accepted: bool) {
    let of_session = |open: &&Open| open.session == session;
    if let Some(number) = state.dialogs.open.as_ref().filter(of_session).map(|open| open.number) {
        state.dialogs.open = None;
        set_outcome(state, number, accepted);
    }
}

fn set_outcome(state: &mut State, number: u64, accepted: bool) {
    if let Some(seen) = state.log.dialogs.get_mut(number) {
        seen.outcome = if accepted { "accepted" } else { "dismissed" }.into();
    }
}

fn answer_params(accept: bool, text: Option<&str>) -> serde_json::Value {
    match text {
        Some(text) => json!({"accept": accept, "promptText": text}),
        None => json!({"accept": accept}),
    }
}

impl Page {
    /// The dialog that waits for an answer.
    pub fn dialog(&self) -> Option<DialogSeen> {
        self.inner.state().dialogs.open().cloned()
    }

    /// Answers the open dialog and gives it with its outcome; `text` is for prompts. With none open it fails.
    pub async fn answer_dialog(
        &self,
        accept: bool,
        text: Option<&str>,
        deadline: Deadline,
    ) -> Result<DialogSeen, PageError> {
        let open =
            self.inner.state().dialogs.open.as_ref().map(|open| (open.session.clone(), open.seen.clone(), open.number));
        let Some((session, mut seen, number)) = open else {
            return Err(PageError::Script { message: "no dialog is open".into() });
        };
        let text = text.map(str::to_owned).or_else(|| seen.default_prompt.clone().filter(|_| accept));
        let params = answer_params(accept, text.as_deref());
        self.inner.browser.session(&session).call_raw("Page.handleJavaScriptDialog", params, deadline).await?;
        {
            let mut state = self.inner.state();
            if state.dialogs.open.as_ref().is_some_and(|open| open.number == number) {
                state.dialogs.open = None;
            }
            set_outcome(&mut state, number, accept);
        }
        self.inner.notify();
        seen.outcome = if accept { "accepted" } else { "dismissed" }.into();
        Ok(seen)
    }

    /// What happens to the next dialogs; one that is open stays so.
    pub fn set_dialog_policy(&self, policy: DialogPolicy) {
        self.inner.set_dialog_policy(policy);
    }
}
