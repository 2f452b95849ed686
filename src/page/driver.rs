//! The driver of a context: one task that reads the browser's events in order and keeps the state of every page.
//! It never waits for the browser: what an event calls for is sent by a task of its own.

use std::sync::{Arc, Weak};

use tokio::sync::mpsc::UnboundedReceiver;

use crate::{
    cdp::router::Event,
    page::{
        context::Shared,
        dialogs, downloads,
        frames::Committed,
        shim,
        state::{Inner, Response, State},
        targets,
        wire::{
            AttachedToTarget, ConsoleCalled, ContextCreated, ContextDestroyed, DetachedFromTarget, DialogClosed,
            DialogOpening, DownloadBegin, DownloadProgress, ExceptionThrown, FileChooser, FrameAttached, FrameDetached,
            FrameNavigated, Lifecycle, LoadingFailed, LoadingFinished, OfFrame, RequestSent, ResponseReceived,
            WithinDocument,
        },
    },
};

/// Reads events until the browser ends, or nobody holds the context or a page of it any more.
pub(crate) async fn run(context: Weak<Shared>, mut events: UnboundedReceiver<Arc<Event>>) {
    while let Some(event) = events.recv().await {
        let Some(shared) = context.upgrade() else { return };
        handle(&shared, &event);
    }
    if let Some(shared) = context.upgrade() {
        shared.ended();
    }
}

fn handle(shared: &Arc<Shared>, event: &Event) {
    let session = event.session_id.as_deref();
    match event.method.as_str() {
        "Target.attachedToTarget" => {
            if let Some(attached) = event.parse::<AttachedToTarget>() {
                targets::attached(shared, session, attached);
            }
            return;
        }
        "Target.detachedFromTarget" => {
            if let Some(detached) = event.parse::<DetachedFromTarget>() {
                shared.session_ended(&detached.session_id);
            }
            return;
        }
        "Browser.downloadWillBegin" => {
            if let Some(begin) = event.parse::<DownloadBegin>() {
                downloads::began(shared, begin);
            }
            return;
        }
        "Browser.downloadProgress" => {
            if let Some(progress) = event.parse::<DownloadProgress>() {
                downloads::progressed(shared, &progress);
            }
            return;
        }
        _ => {}
    }
    let Some(session) = session else { return };
    let Some(page) = shared.page_of(session) else { return };
    let known = match event.method.split('.').next() {
        Some("Page") => page_event(&page, session, event),
        Some("Network") => network_event(&mut page.state(), event),
        Some("Runtime") => runtime_event(&mut page.state(), session, event),
        Some("Inspector") if event.method == "Inspector.targetCrashed" => {
            page.state().process_gone(session);
            Some(())
        }
        _ => None,
    };
    if known.is_some() {
        page.notify();
    }
}

fn page_event(page: &Arc<Inner>, session: &str, event: &Event) -> Option<()> {
    if event.method == "Page.javascriptDialogOpening" {
        dialogs::opened(page, session, event.parse::<DialogOpening>()?);
        return Some(());
    }
    let mut state = page.state();
    match event.method.as_str() {
        "Page.frameAttached" => {
            let attached: FrameAttached = event.parse()?;
            state.frames.attach(session, &attached.frame_id, &attached.parent_frame_id);
        }
        "Page.frameNavigated" => {
            let navigated: FrameNavigated = event.parse()?;
            let restored = navigated.kind == "BackForwardCacheRestore";
            let (id, loader) = (navigated.frame.id.clone(), navigated.frame.loader_id.clone());
            let main = navigated.frame.parent_id.is_none() && session == state.session;
            if main {
                state.main_frame.clone_from(&id);
            }
            let committed = state.frames.commit(session, navigated.frame);
            if main && committed == Committed::NewDocument {
                state.main_committed(loader);
            }
            if restored {
                restore(&mut state, &id);
                targets::refresh_tree(page, session);
            }
        }
        "Page.navigatedWithinDocument" => {
            let within: WithinDocument = event.parse()?;
            if within.frame_id == state.main_frame {
                state.same_document += 1;
            }
            state.frames.get_mut(&within.frame_id)?.url = within.url;
        }
        "Page.frameDetached" => {
            let detached: FrameDetached = event.parse()?;
            // A swap to another process is no removal: the frame comes back on its own session.
            if detached.reason != "swap" {
                state.frames.remove(&detached.frame_id);
            }
        }
        "Page.frameStartedLoading" | "Page.frameStoppedLoading" => {
            let of: OfFrame = event.parse()?;
            if of.frame_id == state.main_frame {
                state.loading = event.method == "Page.frameStartedLoading";
            }
        }
        "Page.lifecycleEvent" => {
            let stage: Lifecycle = event.parse()?;
            let frame = state.frames.get_mut(&stage.frame_id)?;
            if frame.loader == stage.loader_id {
                frame.lifecycle.insert(stage.name);
            }
        }
        "Page.javascriptDialogClosed" => {
            let closed: DialogClosed = event.parse()?;
            dialogs::closed(&mut state, session, closed.result);
        }
        "Page.fileChooserOpened" => {
            let chooser: FileChooser = event.parse()?;
            state.file_choosers += 1;
            state.file_chooser = chooser.backend_node_id;
        }
        _ => return None,
    }
    Some(())
}

/// A document from the back/forward cache has been through all its stages before.
fn restore(state: &mut State, frame: &str) {
    if let Some(frame) = state.frames.get_mut(frame) {
        for stage in ["init", "DOMContentLoaded", "load", "networkAlmostIdle", "networkIdle"] {
            frame.lifecycle.insert(stage.into());
        }
    }
}

fn runtime_event(state: &mut State, session: &str, event: &Event) -> Option<()> {
    match event.method.as_str() {
        "Runtime.executionContextCreated" => {
            let ContextCreated { context } = event.parse()?;
            if context.name == shim::WORLD {
                state.frames.world_created(session, context.aux_data.frame_id.as_deref()?, context.id);
            }
        }
        "Runtime.executionContextDestroyed" => {
            let destroyed: ContextDestroyed = event.parse()?;
            state.frames.world_destroyed(session, destroyed.execution_context_id);
        }
        "Runtime.executionContextsCleared" => state.frames.worlds_cleared(session),
        "Runtime.consoleAPICalled" => state.log.console_called(&event.parse::<ConsoleCalled>()?),
        "Runtime.exceptionThrown" => state.log.exception_thrown(&event.parse::<ExceptionThrown>()?),
        _ => return None,
    }
    Some(())
}

fn network_event(state: &mut State, event: &Event) -> Option<()> {
    match event.method.as_str() {
        "Network.requestWillBeSent" => {
            let sent: RequestSent = event.parse()?;
            state.log.request_sent(&sent);
        }
        "Network.responseReceived" => {
            let received: ResponseReceived = event.parse()?;
            if received.kind == "Document" {
                let response = Response { status: received.response.status, mime: received.response.mime_type.clone() };
                state.answered(&received.loader_id, response);
            }
            state.log.response_received(&received);
        }
        "Network.loadingFinished" => state.log.loading_finished(&event.parse::<LoadingFinished>()?),
        "Network.loadingFailed" => state.log.loading_failed(&event.parse::<LoadingFailed>()?),
        _ => return None,
    }
    Some(())
}
