//! The driver of a page: one task that reads the browser's events in order and keeps the page's state.
//! Dialogs are answered here, at the root of every session, so that nothing that waits can be held up by one.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    cdp::router::Event,
    page::{
        shim,
        state::{Frame, State},
        tab::Inner,
    },
    spec::{action::DialogSeen, deadline::Deadline},
};

/// Bound on each set-up command of a session.
const SETUP: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireFrame {
    id: String,
    parent_id: Option<String>,
    loader_id: String,
    url: String,
    #[serde(default)]
    url_fragment: String,
}

/// Reads events until the page or the browser ends, or nobody holds the page any more.
pub(crate) async fn run(page: Weak<Inner>, mut events: tokio::sync::mpsc::UnboundedReceiver<Arc<Event>>) {
    while let Some(event) = events.recv().await {
        let Some(page) = page.upgrade() else { return };
        if handle(&page, &event) {
            page.notify();
        }
        if page.state().closed {
            return;
        }
    }
    if let Some(page) = page.upgrade() {
        page.state().closed = true;
        page.notify();
    }
}

/// Enables what a session needs, all commands in flight at once, then lets its target run.
pub(crate) async fn set_up(page: &Inner, session_id: &str) {
    let session = page.browser.session(session_id);
    let wait = Deadline::after(SETUP);
    let auto_attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
    let script = json!({"source": shim::SOURCE, "worldName": shim::WORLD, "runImmediately": true});
    let (_, _, tree, _, _, _, _) = futures::join!(
        session.call_raw("Page.enable", json!({}), wait),
        session.call_raw("Page.setLifecycleEventsEnabled", json!({"enabled": true}), wait),
        session.call_raw("Page.getFrameTree", json!({}), wait),
        session.call_raw("Runtime.enable", json!({}), wait),
        session.call_raw("Network.enable", json!({"maxPostDataSize": 0}), wait),
        session.call_raw("Page.addScriptToEvaluateOnNewDocument", script, wait),
        session.call_raw("Target.setAutoAttach", auto_attach, wait),
    );
    if let Ok(tree) = tree {
        let tree = super::context::value(&tree);
        add_tree(&mut page.state(), session_id, &tree["frameTree"]);
    }
    // A target that does not wait says so; that is fine.
    let _ = session.call_raw("Runtime.runIfWaitingForDebugger", json!({}), wait).await;
    page.notify();
}

fn add_tree(state: &mut State, session: &str, tree: &Value) {
    if let Ok(frame) = WireFrame::deserialize(&tree["frame"]) {
        if frame.parent_id.is_none() && state.main_frame.is_empty() {
            state.main_frame.clone_from(&frame.id);
        }
        upsert(state, session, frame);
    }
    for child in tree["childFrames"].as_array().into_iter().flatten() {
        add_tree(state, session, child);
    }
}

fn upsert(state: &mut State, session: &str, frame: WireFrame) {
    let entry = state.frames.entry(frame.id).or_default();
    if entry.loader != frame.loader_id {
        entry.lifecycle.clear();
        entry.loader = frame.loader_id;
    }
    if entry.session != session {
        // The frame moved to another process: its world there is another one.
        entry.world = None;
        session.clone_into(&mut entry.session);
    }
    entry.url = frame.url + &frame.url_fragment;
    if frame.parent_id.is_some() {
        entry.parent = frame.parent_id;
    }
}

/// Applies one event; gives whether somebody may wait for it.
fn handle(page: &Arc<Inner>, event: &Event) -> bool {
    let Some(session) = event.session_id.as_deref() else {
        return root_event(page, event);
    };
    if !page.state().sessions.contains(session) {
        return false;
    }
    let params = super::context::value(&event.params);
    let text = |key: &str| params[key].as_str().unwrap_or_default().to_owned();
    let mut state = page.state();
    match event.method.as_str() {
        "Page.frameAttached" => {
            let frame = Frame { parent: Some(text("parentFrameId")), session: session.into(), ..Frame::default() };
            state.frames.entry(text("frameId")).or_insert(frame);
        }
        "Page.frameNavigated" => {
            let Ok(frame) = WireFrame::deserialize(&params["frame"]) else { return false };
            if frame.id == state.main_frame {
                state.documents += 1;
                state.crashed = false;
            }
            upsert(&mut state, session, frame);
        }
        "Page.navigatedWithinDocument" => {
            let (id, url) = (text("frameId"), text("url"));
            if id == state.main_frame {
                state.same_document += 1;
            }
            if let Some(frame) = state.frames.get_mut(&id) {
                frame.url = url;
            }
        }
        "Page.frameDetached" => {
            // A swap to another process is no removal: the frame comes back on its own session.
            if params["reason"] != "swap" {
                let id = text("frameId");
                state.drop_frame(&id);
            }
        }
        "Page.lifecycleEvent" => {
            let (id, loader, name) = (text("frameId"), text("loaderId"), text("name"));
            if let Some(frame) = state.frames.get_mut(&id)
                && frame.loader == loader
            {
                frame.lifecycle.insert(name);
            }
        }
        "Runtime.executionContextCreated" => {
            let context = &params["context"];
            if context["name"] == shim::WORLD
                && let Some(frame) = context["auxData"]["frameId"].as_str()
                && let Some(frame) = state.frames.get_mut(frame)
            {
                frame.world = context["id"].as_i64();
                session.clone_into(&mut frame.session);
            }
        }
        "Runtime.executionContextDestroyed" => {
            let id = params["executionContextId"].as_i64();
            for frame in state.frames.values_mut().filter(|frame| frame.session == session && frame.world == id) {
                frame.world = None;
            }
        }
        "Runtime.executionContextsCleared" => {
            for frame in state.frames.values_mut().filter(|frame| frame.session == session) {
                frame.world = None;
            }
        }
        "Page.javascriptDialogOpening" => {
            let seen = DialogSeen {
                kind: text("type"),
                message: text("message"),
                default_prompt: Some(text("defaultPrompt")).filter(|text| !text.is_empty()),
                outcome: if params["type"] == "beforeunload" { "accepted" } else { "dismissed" }.into(),
            };
            answer(page, session, seen.kind == "beforeunload");
            state.dialogs.push(seen);
        }
        "Inspector.targetCrashed" => state.crashed = true,
        "Runtime.exceptionThrown" => {
            let details = &params["exceptionDetails"];
            let message = details["exception"]["description"].as_str().or(details["text"].as_str());
            let message = message.unwrap_or("exception").to_owned();
            state.console_error(&message);
        }
        "Runtime.consoleAPICalled" if params["type"] == "error" => {
            let parts: Vec<String> = params["args"].as_array().into_iter().flatten().map(argument).collect();
            state.console_error(&parts.join(" "));
        }
        "Network.requestWillBeSent" => {
            let kind = text("type");
            let id = text("requestId");
            let url = params["request"]["url"].as_str().unwrap_or_default().to_owned();
            state.request_urls.insert(id.clone(), url);
            if matches!(kind.as_str(), "Document" | "Fetch" | "XHR" | "Script") {
                state.pending.insert(id);
            }
        }
        "Network.responseReceived" => {
            let status = params["response"]["status"].as_u64().unwrap_or_default();
            let status = u16::try_from(status).unwrap_or_default();
            if params["type"] == "Document" {
                state.status.insert(text("loaderId"), status);
            } else if status >= 400 {
                let url = params["response"]["url"].as_str().unwrap_or_default().to_owned();
                state.request_failed(format!("{url} {status}"));
            }
        }
        "Network.loadingFinished" => {
            let id = text("requestId");
            state.pending.remove(&id);
            state.request_urls.remove(&id);
        }
        "Network.loadingFailed" => {
            let id = text("requestId");
            state.pending.remove(&id);
            if let Some(url) = state.request_urls.remove(&id)
                && params["canceled"] != true
            {
                state.request_failed(format!("{url} {}", text("errorText")));
            }
        }
        "Target.attachedToTarget" => {
            let child = text("sessionId");
            state.sessions.insert(child.clone());
            let kind = params["targetInfo"]["type"].as_str().unwrap_or_default().to_owned();
            drop(state);
            attach(page, child, &kind);
        }
        "Target.detachedFromTarget" => {
            let child = text("sessionId");
            state.sessions.remove(&child);
        }
        _ => return false,
    }
    true
}

fn root_event(page: &Arc<Inner>, event: &Event) -> bool {
    let params = super::context::value(&event.params);
    if params["targetId"] != page.target_id.as_str() {
        return false;
    }
    match event.method.as_str() {
        "Target.targetCrashed" => page.state().crashed = true,
        "Target.targetDestroyed" => page.state().closed = true,
        _ => return false,
    }
    true
}

/// Frames get the whole set-up; workers only run.
fn attach(page: &Arc<Inner>, session: String, kind: &str) {
    let page = Arc::clone(page);
    if kind == "iframe" || kind == "page" {
        tokio::spawn(async move { set_up(&page, &session).await });
    } else {
        tokio::spawn(async move {
            let worker = page.browser.session(&session);
            let _ = worker.call_raw("Runtime.runIfWaitingForDebugger", json!({}), Deadline::after(SETUP)).await;
        });
    }
}

fn answer(page: &Arc<Inner>, session: &str, accept: bool) {
    let session = page.browser.session(session);
    tokio::spawn(async move {
        let params = json!({"accept": accept});
        if let Err(error) = session.call_raw("Page.handleJavaScriptDialog", params, Deadline::after(SETUP)).await {
            tracing::debug!(%error, "the dialog was already gone");
        }
    });
}

fn argument(argument: &Value) -> String {
    match (&argument["value"], argument["description"].as_str()) {
        (Value::String(text), _) => text.clone(),
        (Value::Null, Some(description)) => description.to_owned(),
        (value, _) => value.to_string(),
    }
}
