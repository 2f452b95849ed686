//! Calls into a page: the shim in a frame's isolated world, expressions in the page's own world. One round trip each.

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use crate::{
    cdp::session::Session,
    page::{
        context,
        error::PageError,
        frames::FrameId,
        resolve::Handle,
        shim,
        tab::Page,
        wire::{ExceptionDetails, RemoteObject},
    },
    spec::deadline::Deadline,
};

/// Longest result of an expression, in bytes of JSON.
const RESULT: usize = 1024 * 1024;

/// Our world in a frame's present document.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub session: String,
    pub context: i64,
    /// Number of the document: elements are numbered within it.
    pub document: i64,
}

/// What `Runtime.callFunctionOn` and `Runtime.evaluate` reply.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluated {
    result: RemoteObject,
    exception_details: Option<ExceptionDetails>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ObjectReply {
    result: ObjectResult,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ObjectResult {
    object_id: Option<String>,
}

#[derive(Deserialize)]
struct ResolvedNode {
    object: ObjectResult,
}

#[derive(Deserialize)]
struct DescribedNode {
    node: WireNode,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireNode {
    backend_node_id: i64,
    frame_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameOwner {
    backend_node_id: i64,
}

#[derive(Deserialize)]
struct BoxModelReply {
    model: BoxModel,
}

#[derive(Deserialize)]
struct BoxModel {
    /// Four corners, clockwise from the top left one.
    content: Vec<f64>,
}

impl Page {
    /// Calls an entry of the shim on an element; promises are awaited.
    pub async fn call(
        &self,
        handle: &Handle,
        function: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<Value, PageError> {
        let params = call_params(json!({"objectId": handle.object_id}), function, args);
        let call = handle.session.call_raw("Runtime.callFunctionOn", params, deadline);
        result(&self.inner.guarded(call).await.map_err(gone)?)
    }

    /// Calls an entry of the shim on no element, in a frame's world.
    pub async fn call_frame(
        &self,
        frame: &str,
        function: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<Value, PageError> {
        Ok(self.call_world(frame, function, args, deadline).await?.1)
    }

    /// As `call_frame`, and says which world answered.
    pub(crate) async fn call_world(
        &self,
        frame: &str,
        function: &str,
        args: &[Value],
        deadline: Deadline,
    ) -> Result<(World, Value), PageError> {
        let ready = self.inner.wait("the frame's world", deadline, |state| match state.frames.get(frame) {
            Some(found) => found
                .world
                .map(|context| Ok(World { session: found.session.clone(), context, document: found.document })),
            None => Some(Err(PageError::FrameGone)),
        });
        let world = ready.await??;
        let session = self.inner.browser.session(&world.session);
        let params = call_params(json!({"executionContextId": world.context}), function, args);
        let reply = self.inner.guarded(session.call_raw("Runtime.callFunctionOn", params, deadline)).await;
        Ok((world, result(&reply.map_err(gone)?)?))
    }

    /// Evaluates in the page's own world; promises are awaited. On an element, `element` names it, and an expression
    /// that gives a function is called with it.
    pub async fn evaluate(
        &self,
        expression: &str,
        on: Option<&Handle>,
        deadline: Deadline,
    ) -> Result<Value, PageError> {
        let reply = match on {
            None => {
                let params = json!({
                    "expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true,
                });
                self.inner.guarded(self.session().call_raw("Runtime.evaluate", params, deadline)).await?
            }
            Some(handle) => {
                let node = json!({"backendNodeId": self.backend_node_id(handle, deadline).await?});
                let reply = self.inner.guarded(handle.session.call_raw("DOM.resolveNode", node, deadline)).await?;
                let object = context::parse::<ResolvedNode>(&reply, "DOM.resolveNode")?.object.object_id;
                let params = json!({
                    "objectId": object.ok_or(PageError::FrameGone)?,
                    "functionDeclaration": shim::EVALUATE.replace("__EXPRESSION__", expression),
                    "returnByValue": true, "awaitPromise": true, "userGesture": true,
                });
                self.inner.guarded(handle.session.call_raw("Runtime.callFunctionOn", params, deadline)).await?
            }
        };
        if reply.get().len() > RESULT {
            return Err(PageError::Script { message: "the result is larger than 1 MiB; return less".into() });
        }
        result(&reply)
    }

    /// The browser's own number of a handle's element, for commands that take no object.
    pub async fn backend_node_id(&self, handle: &Handle, deadline: Deadline) -> Result<i64, PageError> {
        Ok(self.describe(handle, deadline).await?.backend_node_id)
    }

    /// The frame inside a frame element.
    pub(crate) async fn frame_inside(&self, handle: &Handle, deadline: Deadline) -> Result<Option<FrameId>, PageError> {
        Ok(self.describe(handle, deadline).await?.frame_id.map(FrameId))
    }

    async fn describe(&self, handle: &Handle, deadline: Deadline) -> Result<WireNode, PageError> {
        let params = json!({"objectId": handle.object_id});
        let reply = self.inner.guarded(handle.session.call_raw("DOM.describeNode", params, deadline)).await;
        Ok(context::parse::<DescribedNode>(&reply.map_err(gone)?, "DOM.describeNode")?.node)
    }

    /// The shim's element of a number, as an object of the browser; `None` when it is no more.
    pub(crate) async fn element(
        &self,
        frame: &str,
        world: &World,
        number: u64,
        deadline: Deadline,
    ) -> Result<Option<(Session, String)>, PageError> {
        let session = self.inner.browser.session(&world.session);
        let query = [json!({"local": number})];
        let mut params = call_params(json!({"executionContextId": world.context}), "element", &query);
        params["returnByValue"] = false.into();
        let reply = self.inner.guarded(session.call_raw("Runtime.callFunctionOn", params, deadline)).await;
        let reply = match reply.map_err(gone) {
            Ok(reply) => reply,
            Err(PageError::FrameGone) => return Ok(None),
            Err(error) => return Err(error),
        };
        tracing::trace!(frame, number, "element by number");
        let object = context::parse::<ObjectReply>(&reply, "Runtime.callFunctionOn")?.result.object_id;
        Ok(object.map(|object| (session, object)))
    }

    /// From a point of a frame's viewport to the top frame's, in CSS px; `size` is that of the frame's viewport.
    /// Chromium gives boxes relative to the topmost frame of the same process, transforms of frame elements included.
    pub async fn to_top(
        &self,
        frame: &FrameId,
        point: (f64, f64),
        size: (f64, f64),
        deadline: Deadline,
    ) -> Result<(f64, f64), PageError> {
        let ((mut x, mut y), (mut width, mut height)) = (point, size);
        let mut at = frame.0.clone();
        loop {
            let parent = {
                let state = self.inner.state();
                let frame = state.frames.get(&at).ok_or(PageError::FrameGone)?;
                frame.parent.as_deref().and_then(|parent| {
                    let session = state.frames.get(parent)?.session.clone();
                    Some((state.frames.local_root(parent), session))
                })
            };
            let Some((root, session)) = parent else { return Ok((x, y)) };
            let session = self.inner.browser.session(&session);
            let owner = session.call_raw("DOM.getFrameOwner", json!({"frameId": at}), deadline);
            let owner = self.inner.guarded(owner).await.map_err(gone)?;
            let owner: FrameOwner = context::parse(&owner, "DOM.getFrameOwner")?;
            let node = json!({"backendNodeId": owner.backend_node_id});
            let reply = self.inner.guarded(session.call_raw("DOM.getBoxModel", node, deadline)).await.map_err(gone)?;
            let model = context::parse::<BoxModelReply>(&reply, "DOM.getBoxModel")?.model;
            let [left, top, right, right_top, _, _, bottom_left, bottom] = model.content[..] else {
                return Err(PageError::FrameGone);
            };
            let (across, down) = (x / width.max(1.0), y / height.max(1.0));
            x = left + (right - left) * across + (bottom_left - left) * down;
            y = top + (right_top - top) * across + (bottom - top) * down;
            if root != self.main_frame().0 {
                let size = self.call_frame(&root, "viewport", &[], deadline).await?;
                width = size["width"].as_f64().unwrap_or_default();
                height = size["height"].as_f64().unwrap_or_default();
            }
            at = root;
        }
    }

    /// Another element of a handle's frame, by the number that the shim gave it; `None` when it is no more.
    pub async fn beside(&self, handle: &Handle, number: u64, deadline: Deadline) -> Result<Option<Handle>, PageError> {
        match self.world(&handle.frame.0) {
            Some(world) => self.handle(&handle.frame.0, &world, number, deadline).await,
            None => Ok(None),
        }
    }

    /// The ref of an element of a handle's frame, by its number.
    pub fn ref_beside(&self, handle: &Handle, number: u64) -> Option<String> {
        let world = self.world(&handle.frame.0)?;
        Some(self.ref_of(&handle.frame.0, world.document, number))
    }

    /// The frames that can be called into, the top one first.
    pub fn frames(&self) -> Vec<FrameId> {
        let frames = self.frames_in_order().into_iter().filter(|frame| self.world(frame).is_some());
        frames.map(FrameId).collect()
    }

    pub(crate) fn world(&self, frame: &str) -> Option<World> {
        let state = self.inner.state();
        let frame = state.frames.get(frame)?;
        Some(World { session: frame.session.clone(), context: frame.world?, document: frame.document })
    }

    /// Frame ids, parents before children.
    pub(crate) fn frames_in_order(&self) -> Vec<String> {
        let state = self.inner.state();
        state.frames.in_order(&state.main_frame)
    }
}

fn call_params(on: Value, function: &str, args: &[Value]) -> Value {
    let mut params = on;
    params["functionDeclaration"] = shim::CALL.into();
    params["returnByValue"] = true.into();
    params["awaitPromise"] = true.into();
    params["userGesture"] = false.into();
    params["arguments"] = json!([{"value": function}, {"value": args}]);
    params
}

/// CDP's code for a context, an object or a node that is not there any more, among other things that a call of ours
/// cannot cause.
const SERVER_ERROR: i64 = -32000;

/// A refusal to call into a world that was there a moment ago means that its document went.
fn gone(error: PageError) -> PageError {
    match error {
        PageError::Cdp(crate::cdp::error::CdpError::Protocol { code: SERVER_ERROR, .. }) => PageError::FrameGone,
        other => other,
    }
}

fn result(reply: &RawValue) -> Result<Value, PageError> {
    let Evaluated { result, exception_details } = context::parse(reply, "Runtime.callFunctionOn")?;
    match exception_details {
        Some(details) => Err(PageError::Script { message: details.message() }),
        None => Ok(result.value),
    }
}
