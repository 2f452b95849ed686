//! A tab: the handle through which everything above asks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::{
    cdp::{browser::Browser, error::CdpError, session::Session},
    page::{
        collect::RefTable,
        context::{parse, value},
        driver,
        error::PageError,
        shim,
        state::State,
    },
    spec::deadline::Deadline,
};

/// A tab of a context. Cheap to clone.
#[derive(Clone)]
pub struct Page {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub browser: Browser,
    pub target_id: String,
    session_id: String,
    state: Mutex<State>,
    pub refs: Mutex<RefTable>,
    version: watch::Sender<u64>,
}

/// An element of a frame, held by the browser.
#[derive(Debug, Clone)]
pub struct Handle {
    pub frame: String,
    pub session: Session,
    pub object_id: String,
    pub node_ref: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedTarget {
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AttachedSession {
    session_id: String,
}

impl Inner {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn notify(&self) {
        self.version.send_modify(|version| *version += 1);
    }

    /// Waits until `ready` gives something, the page crashes or closes, or the deadline passes.
    pub async fn wait<T>(
        &self,
        what: &str,
        deadline: Deadline,
        ready: impl Fn(&State) -> Option<T>,
    ) -> Result<T, PageError> {
        let mut changes = self.version.subscribe();
        loop {
            {
                let state = self.state();
                if let Some(value) = ready(&state) {
                    return Ok(value);
                }
                if state.crashed {
                    return Err(PageError::Crashed);
                }
                if state.closed {
                    return Err(if self.browser.gone() { PageError::BrowserGone } else { PageError::FrameGone });
                }
            }
            match tokio::time::timeout_at(deadline.instant().into(), changes.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(PageError::BrowserGone),
                Err(_) => return Err(PageError::Timeout { what: what.to_owned() }),
            }
        }
    }
}

impl Page {
    pub(crate) async fn open(
        browser: &Browser,
        context: Option<&str>,
        viewport: (u32, u32),
        deadline: Deadline,
    ) -> Result<Self, PageError> {
        let root = browser.root();
        let events = browser.events();
        let mut params = json!({"url": "about:blank", "width": viewport.0, "height": viewport.1});
        if let Some(context) = context {
            params["browserContextId"] = context.into();
        }
        let created: CreatedTarget =
            parse(&root.call_raw("Target.createTarget", params, deadline).await?, "Target.createTarget")?;
        let params = json!({"targetId": created.target_id, "flatten": true});
        let attached: AttachedSession =
            parse(&root.call_raw("Target.attachToTarget", params, deadline).await?, "Target.attachToTarget")?;
        let mut state = State::default();
        state.sessions.insert(attached.session_id.clone());
        let inner = Arc::new(Inner {
            browser: browser.clone(),
            target_id: created.target_id,
            session_id: attached.session_id,
            state: Mutex::new(state),
            refs: Mutex::default(),
            version: watch::Sender::new(0),
        });
        tokio::spawn(driver::run(Arc::downgrade(&inner), events));
        let page = Self { inner };
        let metrics = json!({"width": viewport.0, "height": viewport.1, "deviceScaleFactor": 1, "mobile": false});
        let session = page.session();
        let (_, sized) = futures::join!(
            driver::set_up(&page.inner, &page.inner.session_id),
            session.call_raw("Emulation.setDeviceMetricsOverride", metrics, deadline)
        );
        sized?;
        page.inner.wait("the first frame", deadline, |state| state.main().map(|_| ())).await?;
        Ok(page)
    }

    /// The session of the page's own target.
    pub fn session(&self) -> Session {
        self.inner.browser.session(&self.inner.session_id)
    }

    /// Address of the main frame, fragment included.
    pub fn url(&self) -> String {
        self.inner.state().main().map(|frame| frame.url.clone()).unwrap_or_default()
    }

    /// Title of the main document.
    pub async fn title(&self, deadline: Deadline) -> Result<String, PageError> {
        let main = self.inner.state().main_frame.clone();
        Ok(self.call_frame(&main, "title", &[], deadline).await?.as_str().unwrap_or_default().to_owned())
    }

    /// Whether the page's process has crashed and nothing has revived it.
    pub fn crashed(&self) -> bool {
        self.inner.state().crashed
    }

    /// Frees the page from a script that does not end.
    pub async fn terminate_script(&self, deadline: Deadline) -> Result<(), PageError> {
        self.session().call_raw("Runtime.terminateExecution", json!({}), deadline).await?;
        Ok(())
    }

    /// Calls an entry of the shim in a frame's isolated world, waiting for the world to exist.
    pub(crate) async fn call_frame(
        &self,
        frame: &str,
        entry: &str,
        arguments: &[Value],
        deadline: Deadline,
    ) -> Result<Value, PageError> {
        let (session, world) = self
            .inner
            .wait("the frame's world", deadline, |state| {
                let frame = state.frames.get(frame)?;
                Some((frame.session.clone(), frame.world?))
            })
            .await?;
        let session = self.inner.browser.session(&session);
        let params = call_params(json!({"executionContextId": world}), entry, arguments);
        finish(session.call_raw("Runtime.callFunctionOn", params, deadline).await)
    }

    /// Calls an entry of the shim on an element.
    pub async fn call(
        &self,
        handle: &Handle,
        entry: &str,
        arguments: &[Value],
        deadline: Deadline,
    ) -> Result<Value, PageError> {
        let params = call_params(json!({"objectId": handle.object_id}), entry, arguments);
        finish(handle.session.call_raw("Runtime.callFunctionOn", params, deadline).await)
    }

    /// Evaluates an expression in the page's own world; promises are awaited.
    pub async fn evaluate(&self, expression: &str, deadline: Deadline) -> Result<Value, PageError> {
        let params =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true});
        finish(self.session().call_raw("Runtime.evaluate", params, deadline).await)
    }

    /// The element of a ref, a WCI id or a CSS selector (`css=…`), wherever it is.
    pub async fn resolve(&self, id: &str, deadline: Deadline) -> Result<Option<Handle>, PageError> {
        let known = self.inner.refs.lock().unwrap_or_else(PoisonError::into_inner).lookup(id);
        let frames = self.frames_in_order();
        let wanted: Vec<(String, Value)> = match known {
            Some((frame, local)) => vec![(frame, json!({"local": local}))],
            None => frames.into_iter().map(|frame| (frame, json!({"id": id}))).collect(),
        };
        for (frame, query) in wanted {
            let Some((session, world)) = self.world(&frame) else { continue };
            let session = self.inner.browser.session(&session);
            let mut params = call_params(json!({"executionContextId": world}), "element", &[query]);
            params["returnByValue"] = false.into();
            let reply = match session.call_raw("Runtime.callFunctionOn", params, deadline).await {
                Ok(reply) => value(&reply),
                // A frame that went meanwhile holds nothing.
                Err(CdpError::Detached | CdpError::Protocol { .. }) => continue,
                Err(error) => return Err(error.into()),
            };
            if let Some(object) = reply["result"]["objectId"].as_str() {
                let handle = Handle { frame, session, object_id: object.to_owned(), node_ref: id.to_owned() };
                return Ok(Some(handle));
            }
        }
        Ok(None)
    }

    /// Closes the tab.
    pub async fn close(&self, deadline: Deadline) -> Result<(), PageError> {
        let params = json!({"targetId": self.inner.target_id});
        self.inner.browser.root().call_raw("Target.closeTarget", params, deadline).await?;
        Ok(())
    }

    pub(crate) fn world(&self, frame: &str) -> Option<(String, i64)> {
        let state = self.inner.state();
        let frame = state.frames.get(frame)?;
        Some((frame.session.clone(), frame.world?))
    }

    /// Frame ids, parents before children.
    pub(crate) fn frames_in_order(&self) -> Vec<String> {
        let state = self.inner.state();
        let mut order = vec![state.main_frame.clone()];
        let mut at = 0;
        while at < order.len() {
            let parent = order[at].clone();
            let mut children: Vec<String> = state
                .frames
                .iter()
                .filter(|(_, frame)| frame.parent.as_deref() == Some(parent.as_str()))
                .map(|(id, _)| id.clone())
                .collect();
            children.sort();
            order.extend(children);
            at += 1;
        }
        order
    }
}

fn call_params(on: Value, entry: &str, arguments: &[Value]) -> Value {
    let mut params = on;
    params["functionDeclaration"] = shim::CALL.into();
    params["returnByValue"] = true.into();
    params["awaitPromise"] = true.into();
    params["arguments"] = json!([{"value": entry}, {"value": arguments}]);
    params
}

fn finish(reply: Result<Box<serde_json::value::RawValue>, CdpError>) -> Result<Value, PageError> {
    let mut reply = value(&reply?);
    if let Some(details) = reply.get("exceptionDetails") {
        let message = details["exception"]["description"].as_str().or(details["text"].as_str());
        return Err(PageError::Script { message: message.unwrap_or("exception").to_owned() });
    }
    Ok(reply["result"]["value"].take())
}

#[cfg(test)]
mod tests;
