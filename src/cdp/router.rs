//! The router: numbers commands, matches replies, hands events on in order, and fails at once every waiter whose
//! session crashed, was detached or destroyed, or whose browser is gone.
//!
//! It decodes the envelope only. Parameters and results stay raw text until somebody asks for a type, so that a browser
//! newer than our protocol types costs a counter, never a session.

use std::{
    collections::{HashMap, VecDeque},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use tokio::sync::{mpsc, oneshot, watch};

use crate::{
    cdp::{error::CdpError, transport::Incoming},
    spec::deadline::Deadline,
};

/// An event as it came: which session, which method, raw parameters.
#[derive(Debug)]
pub struct Event {
    pub session_id: Option<String>,
    pub method: String,
    pub params: Box<RawValue>,
    unparsable: Arc<AtomicU64>,
}

impl Event {
    /// The parameters as a type; `None`, counted, when this browser sends something else.
    pub fn parse<T: DeserializeOwned>(&self) -> Option<T> {
        match serde_json::from_str(self.params.get()) {
            Ok(value) => Some(value),
            Err(error) => {
                self.unparsable.fetch_add(1, Ordering::Relaxed);
                tracing::debug!(method = %self.method, %error, "event does not parse");
                None
            }
        }
    }
}

/// What the router has seen, for `doctor` and for tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RouterStats {
    pub commands: u64,
    pub events: u64,
    /// Messages that are no CDP envelope.
    pub garbage: u64,
    /// Events that did not parse as the type a subscriber asked for.
    pub unparsable_events: u64,
    /// Replies to commands nobody waits for any more.
    pub late_replies: u64,
}

type Reply = Result<Box<RawValue>, CdpError>;

struct Waiter {
    method: String,
    session: Option<String>,
    reply: oneshot::Sender<Reply>,
}

#[derive(Default)]
struct State {
    waiters: HashMap<u64, Waiter>,
    taps: Vec<mpsc::UnboundedSender<Arc<Event>>>,
    /// Live sessions and their targets.
    sessions: HashMap<String, String>,
    crashed: HashMap<String, ()>,
    /// The most recent detached sessions, so that a command to one of them fails at once.
    detached: VecDeque<String>,
}

/// How many detached sessions are remembered.
const DETACHED_KEPT: usize = 256;

/// Shared by all sessions of one browser.
pub(crate) struct Router {
    state: Mutex<State>,
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    next_id: AtomicU64,
    commands: AtomicU64,
    events: AtomicU64,
    garbage: AtomicU64,
    late: AtomicU64,
    unparsable: Arc<AtomicU64>,
    closed: AtomicBool,
    gone: watch::Sender<bool>,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, rename = "sessionId")]
    session_id: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<ProtocolError>,
}

#[derive(Deserialize)]
struct ProtocolError {
    #[serde(default)]
    code: i64,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: String,
    target_info: AttachedTarget,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AttachedTarget {
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detached {
    session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetGone {
    target_id: String,
}

impl Router {
    pub(crate) fn new(outgoing: mpsc::UnboundedSender<Vec<u8>>) -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::default(),
            outgoing,
            next_id: AtomicU64::new(1),
            commands: AtomicU64::new(0),
            events: AtomicU64::new(0),
            garbage: AtomicU64::new(0),
            late: AtomicU64::new(0),
            unparsable: Arc::default(),
            closed: AtomicBool::new(false),
            gone: watch::Sender::new(false),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends one command and waits until its reply, its session's end, the browser's end or the deadline.
    pub(crate) async fn call(
        &self,
        session: Option<&str>,
        method: &str,
        params: &RawValue,
        deadline: Deadline,
    ) -> Reply {
        let started = std::time::Instant::now();
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let (reply, answer) = oneshot::channel();
        {
            let mut state = self.state();
            if self.closed.load(Ordering::Acquire) {
                return Err(CdpError::BrowserGone);
            }
            if let Some(session) = session {
                if state.detached.iter().any(|gone| gone == session) {
                    return Err(CdpError::Detached);
                }
                // A crashed page answers navigation only: that is what revives it.
                if state.crashed.contains_key(session)
                    && !method.starts_with("Page.navigate")
                    && method != "Page.reload"
                {
                    return Err(CdpError::Crashed);
                }
            }
            state.waiters.insert(id, Waiter { method: method.to_owned(), session: session.map(str::to_owned), reply });
        }
        let _forget = Forget { router: self, id };
        self.commands.fetch_add(1, Ordering::Relaxed);
        if self.outgoing.send(encode(id, session, method, params)).is_err() {
            return Err(CdpError::BrowserGone);
        }
        match tokio::time::timeout_at(deadline.instant().into(), answer).await {
            Ok(Ok(reply)) => reply,
            Ok(Err(_)) => Err(CdpError::BrowserGone),
            Err(_) => Err(CdpError::Timeout { method: method.to_owned(), after: started.elapsed() }),
        }
    }

    /// Every event from now on, in the order in which the browser sent them.
    pub(crate) fn tap(&self) -> mpsc::UnboundedReceiver<Arc<Event>> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.state().taps.push(sender);
        receiver
    }

    pub(crate) fn alive(&self, session: Option<&str>) -> bool {
        let state = self.state();
        !self.closed.load(Ordering::Acquire)
            && session.is_none_or(|id| !state.crashed.contains_key(id) && !state.detached.iter().any(|gone| gone == id))
    }

    pub(crate) fn stats(&self) -> RouterStats {
        RouterStats {
            commands: self.commands.load(Ordering::Relaxed),
            events: self.events.load(Ordering::Relaxed),
            garbage: self.garbage.load(Ordering::Relaxed),
            unparsable_events: self.unparsable.load(Ordering::Relaxed),
            late_replies: self.late.load(Ordering::Relaxed),
        }
    }

    pub(crate) fn is_gone(&self) -> bool {
        *self.gone.borrow()
    }

    pub(crate) async fn wait_gone(&self) {
        // The sender lives as long as this router, so the wait ends by the value alone.
        let _ = self.gone.subscribe().wait_for(|gone| *gone).await;
    }

    fn answer(&self, id: u64, result: Option<&RawValue>, error: Option<ProtocolError>) {
        let mut state = self.state();
        let Some(waiter) = state.waiters.remove(&id) else {
            self.late.fetch_add(1, Ordering::Relaxed);
            return;
        };
        if let (Some(session), None) = (&waiter.session, &error)
            && revives(&waiter.method)
        {
            state.crashed.remove(session);
        }
        drop(state);
        let reply = match (result, error) {
            (_, Some(ProtocolError { code, message })) => {
                Err(CdpError::Protocol { method: waiter.method, code, message })
            }
            (Some(result), None) => Ok(result.to_owned()),
            (None, None) => Ok(RawValue::NULL.to_owned()),
        };
        // A caller that went away no longer wants it.
        let _ = waiter.reply.send(reply);
    }

    fn fail_sessions(state: &mut State, sessions: &[String], error: &CdpError) {
        let ids: Vec<u64> = state
            .waiters
            .iter()
            .filter(|(_, waiter)| waiter.session.as_ref().is_some_and(|session| sessions.contains(session)))
            .map(|(id, _)| *id)
            .collect();
        for id in ids {
            if let Some(waiter) = state.waiters.remove(&id) {
                let _ = waiter.reply.send(Err(error.clone()));
            }
        }
    }

    /// Keeps the session table, before anybody else sees the event.
    fn track(&self, event: &Event) {
        match event.method.as_str() {
            "Target.attachedToTarget" => {
                if let Some(Attached { session_id, target_info }) = event.parse() {
                    self.state().sessions.insert(session_id, target_info.target_id);
                }
            }
            "Target.detachedFromTarget" => {
                if let Some(Detached { session_id }) = event.parse() {
                    let mut state = self.state();
                    state.detach(&session_id);
                    Self::fail_sessions(&mut state, &[session_id], &CdpError::Detached);
                }
            }
            "Target.targetDestroyed" => {
                if let Some(TargetGone { target_id }) = event.parse() {
                    let mut state = self.state();
                    let sessions = state.sessions_of(&target_id);
                    for session in &sessions {
                        state.detach(session);
                    }
                    Self::fail_sessions(&mut state, &sessions, &CdpError::Detached);
                }
            }
            "Target.targetCrashed" => {
                if let Some(TargetGone { target_id }) = event.parse() {
                    let mut state = self.state();
                    let sessions = state.sessions_of(&target_id);
                    state.crash(&sessions);
                }
            }
            "Inspector.targetCrashed" => {
                if let Some(session) = &event.session_id {
                    self.state().crash(std::slice::from_ref(session));
                }
            }
            "Inspector.targetReloadedAfterCrash" => {
                if let Some(session) = &event.session_id {
                    self.state().crashed.remove(session);
                }
            }
            _ => {}
        }
    }

    fn publish(&self, event: Event) {
        self.events.fetch_add(1, Ordering::Relaxed);
        self.track(&event);
        let event = Arc::new(event);
        self.state().taps.retain(|tap| tap.send(Arc::clone(&event)).is_ok());
    }
}

impl State {
    fn sessions_of(&self, target: &str) -> Vec<String> {
        self.sessions.iter().filter(|(_, of)| of.as_str() == target).map(|(session, _)| session.clone()).collect()
    }

    fn detach(&mut self, session: &str) {
        self.sessions.remove(session);
        self.crashed.remove(session);
        if self.detached.len() == DETACHED_KEPT {
            self.detached.pop_front();
        }
        self.detached.push_back(session.to_owned());
    }

    fn crash(&mut self, sessions: &[String]) {
        for session in sessions {
            self.crashed.insert(session.clone(), ());
        }
        // A navigation in flight is the reviving one: it is answered by the new process.
        let dead: Vec<u64> = self
            .waiters
            .iter()
            .filter(|(_, waiter)| waiter.session.as_ref().is_some_and(|session| sessions.contains(session)))
            .map(|(id, _)| *id)
            .collect();
        for id in dead {
            if let Some(waiter) = self.waiters.remove(&id) {
                let _ = waiter.reply.send(Err(CdpError::Crashed));
            }
        }
    }
}

impl Incoming for Router {
    fn message(&self, bytes: &[u8]) {
        let envelope: Envelope = match serde_json::from_slice(bytes) {
            Ok(envelope) => envelope,
            Err(error) => {
                self.garbage.fetch_add(1, Ordering::Relaxed);
                tracing::debug!(%error, bytes = bytes.len(), "not a CDP message");
                return;
            }
        };
        tracing::trace!(target: "gannet::cdp::frames", "< {}", String::from_utf8_lossy(&bytes[..bytes.len().min(2_000)]));
        match envelope {
            Envelope { id: Some(id), result, error, .. } => self.answer(id, result, error),
            Envelope { method: Some(method), session_id, params, .. } => self.publish(Event {
                session_id: session_id.map(std::borrow::Cow::into_owned),
                method: method.into_owned(),
                params: params.unwrap_or(RawValue::NULL).to_owned(),
                unparsable: Arc::clone(&self.unparsable),
            }),
            Envelope { .. } => {
                self.garbage.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn closed(&self) {
        let waiters: Vec<Waiter> = {
            let mut state = self.state();
            self.closed.store(true, Ordering::Release);
            state.taps.clear();
            state.waiters.drain().map(|(_, waiter)| waiter).collect()
        };
        for waiter in waiters {
            let _ = waiter.reply.send(Err(CdpError::BrowserGone));
        }
        self.gone.send_replace(true);
    }
}

/// Commands that a crashed page answers, from its new process.
fn revives(method: &str) -> bool {
    matches!(method, "Page.navigate" | "Page.navigateToHistoryEntry" | "Page.reload")
}

/// Takes a waiter out of the table however its call ends.
struct Forget<'a> {
    router: &'a Router,
    id: u64,
}

impl Drop for Forget<'_> {
    fn drop(&mut self) {
        self.router.state().waiters.remove(&self.id);
    }
}

fn encode(id: u64, session: Option<&str>, method: &str, params: &RawValue) -> Vec<u8> {
    let mut message = format!("{{\"id\":{id},\"method\":\"{method}\",\"params\":{}", params.get());
    if let Some(session) = session {
        // Session ids are hexadecimal: nothing to escape.
        message.push_str(",\"sessionId\":\"");
        message.push_str(session);
        message.push('"');
    }
    message.push('}');
    tracing::trace!(target: "gannet::cdp::frames", "> {message}");
    message.into_bytes()
}

#[cfg(test)]
mod tests;
