//! Targets as they attach: pages become tabs, out-of-process frames join their page's tree, workers only run.
//!
//! Every target is attached paused, by auto-attach on the root session and, recursively, on every session below; it is
//! set up with its commands in flight together, and runs when the last of them is on its way.

use std::{sync::Arc, time::Duration};

use serde_json::json;

use crate::{
    page::{
        context::{self, Shared},
        shim,
        state::Inner,
        wire::{AttachedToTarget, FrameTreeReply, TargetInfo},
    },
    spec::{action::PopupSeen, deadline::Deadline},
};

/// Bound on each set-up command of a session.
const SETUP: Duration = Duration::from_secs(5);
/// Open popups a context; more are closed at once.
const POPUPS: usize = 10;
/// A paused page that is not ours is left so long to its owner, then it runs.
const FOREIGN: Duration = Duration::from_secs(1);

/// A target has attached, below `parent` or, without one, below the root session.
pub(crate) fn attached(shared: &Arc<Shared>, parent: Option<&str>, event: AttachedToTarget) {
    match parent {
        None => page_attached(shared, event),
        Some(parent) => child_attached(shared, parent, event),
    }
}

fn child_attached(shared: &Arc<Shared>, parent: &str, event: AttachedToTarget) {
    let Some(page) = shared.page_of(parent) else { return };
    page.state().sessions.insert(event.session_id.clone());
    shared.route(&event.session_id, &page);
    if event.target_info.kind == "iframe" {
        tokio::spawn(async move { set_up(&page, &event.session_id, None).await });
    } else {
        tokio::spawn(async move { run_worker(&page, &event.session_id).await });
    }
}

fn page_attached(shared: &Arc<Shared>, event: AttachedToTarget) {
    if event.target_info.kind != "page" || shared.page_of(&event.session_id).is_some() {
        return;
    }
    if !shared.owns(&event.target_info) {
        shared.park(&event);
        if event.waiting_for_debugger {
            let weak = Arc::downgrade(shared);
            tokio::spawn(async move {
                tokio::time::sleep(FOREIGN).await;
                if let Some(shared) = weak.upgrade()
                    && shared.page_of(&event.session_id).is_none()
                {
                    let session = shared.browser.session(&event.session_id);
                    let wait = Deadline::after(SETUP);
                    let _ = session.call_raw("Runtime.runIfWaitingForDebugger", json!({}), wait).await;
                }
            });
        }
        return;
    }
    adopt(shared, &event.session_id, &event.target_info);
}

/// Makes a tab of a page target and sets it up; a popup beyond the cap is closed instead.
pub(crate) fn adopt(shared: &Arc<Shared>, session: &str, info: &TargetInfo) {
    let opener = info.opener_id.as_deref().and_then(|target| shared.page_of_target(target));
    if let Some(opener) = &opener
        && shared.open_popups() >= POPUPS
    {
        opener.state().log.refused("OPEN", &info.url, "too many tabs");
        opener.notify();
        let root = shared.browser.root();
        let (popup, params) = (shared.browser.session(session), json!({"targetId": info.target_id}));
        tokio::spawn(async move {
            let wait = Deadline::after(SETUP);
            // Its opener waits for it as long as it is paused, even when it is closed.
            let _ = futures::join!(
                root.call_raw("Target.closeTarget", params, wait),
                popup.call_raw("Runtime.runIfWaitingForDebugger", json!({}), wait),
            );
        });
        return;
    }
    let page = shared.new_tab(&info.target_id, session, opener.as_ref().map(|opener| opener.tab.clone()));
    if let Some(opener) = opener {
        opener.state().log.popups.push(PopupSeen { tab: page.tab.clone(), url: info.url.clone() });
        opener.notify();
    }
    let (session, viewport) = (session.to_owned(), shared.options.viewport);
    tokio::spawn(async move {
        set_up(&page, &session, Some(viewport)).await;
        page.state().ready = true;
        page.notify();
    });
}

/// Enables what a session needs, then lets its target run. A page has a viewport, a frame in it has none.
async fn set_up(page: &Arc<Inner>, id: &str, viewport: Option<(u32, u32)>) {
    let session = page.browser.session(id);
    let wait = Deadline::after(SETUP);
    let auto_attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
    let script = json!({"source": shim::SOURCE, "worldName": shim::WORLD, "runImmediately": true});
    let call = |method, params| session.call_raw(method, params, wait);
    let of_page = async {
        let Some((width, height)) = viewport else { return };
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        let _ = futures::join!(
            call("Emulation.setDeviceMetricsOverride", metrics),
            call("Emulation.setFocusEmulationEnabled", json!({"enabled": true})),
            call("Page.setInterceptFileChooserDialog", json!({"enabled": true})),
        );
    };
    // The tree comes first: what the commands below have reported is about frames that must be known by then.
    let (_, tree) = futures::join!(call("Page.enable", json!({})), call("Page.getFrameTree", json!({})));
    if let Ok(tree) = tree
        && let Ok(FrameTreeReply { frame_tree }) = context::parse(&tree, "Page.getFrameTree")
    {
        let mut state = page.state();
        if frame_tree.frame.parent_id.is_none() && state.main_frame.is_empty() {
            state.main_frame.clone_from(&frame_tree.frame.id);
        }
        state.frames.add_tree(id, frame_tree);
    }
    // `join!` polls in order, so this is the order on the wire; an error is the session's end, which an event tells.
    let _ = futures::join!(
        call("Inspector.enable", json!({})),
        call("Page.setLifecycleEventsEnabled", json!({"enabled": true})),
        call("Runtime.enable", json!({})),
        call("Network.enable", json!({"maxPostDataSize": 0})),
        call("Page.addScriptToEvaluateOnNewDocument", script),
        call("Target.setAutoAttach", auto_attach),
        of_page,
        call("Runtime.runIfWaitingForDebugger", json!({})),
    );
    page.notify();
}

async fn run_worker(page: &Inner, id: &str) {
    let session = page.browser.session(id);
    let wait = Deadline::after(SETUP);
    let auto_attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
    let _ = futures::join!(
        session.call_raw("Target.setAutoAttach", auto_attach, wait),
        session.call_raw("Runtime.runIfWaitingForDebugger", json!({}), wait),
    );
}

/// Reads the frames of a session again, where no event tells of them.
pub(crate) fn refresh_tree(page: &Arc<Inner>, session: &str) {
    let (page, id) = (Arc::clone(page), session.to_owned());
    tokio::spawn(async move {
        let session = page.browser.session(&id);
        if let Ok(reply) = session.call_raw("Page.getFrameTree", json!({}), Deadline::after(SETUP)).await
            && let Ok(FrameTreeReply { frame_tree }) = context::parse(&reply, "Page.getFrameTree")
        {
            page.state().frames.add_tree(&id, frame_tree);
            page.notify();
        }
    });
}
