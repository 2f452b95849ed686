//! One snapshot of all frames: each frame's shim reports its nodes, and the child frames are inlined below their
//! frame elements. Refs are given here: one space over all frames, bound to the element, never used again.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    time::Duration,
};

use futures::{StreamExt, stream};
use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use crate::{
    cdp::session::Session,
    page::{error::PageError, frames::FrameId, shim, tab::Page, worlds::World},
    spec::{
        deadline::Deadline,
        snapshot::{SnapNode, Snapshot, WciElement},
    },
};

/// Bound on reading one child frame: a hung advertisement must not cost the page its view.
const CHILD: Duration = Duration::from_secs(2);

/// Closed shadow roots are opened so deep in one another.
const MOST_NESTED: usize = 5;
/// Elements that are looked at for one at the same time.
const AT_ONCE: usize = 16;

/// What the shim says of one document. Nodes stay text until they are taken: one that does not parse costs only itself.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Facts<'a> {
    #[serde(borrow)]
    url: Cow<'a, str>,
    #[serde(borrow)]
    title: Cow<'a, str>,
    viewport: [f64; 2],
    scroll: [f64; 4],
    #[serde(borrow)]
    nodes: Vec<&'a RawValue>,
    /// Element numbers, one a node; 0 for text.
    ids: Vec<u64>,
    frames: Vec<FrameBox>,
    #[serde(borrow)]
    wci: Vec<&'a RawValue>,
    wci_ids: Vec<u64>,
    truncated: bool,
    hidden_text: u32,
}

/// Elements that may have a closed shadow root.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Hosts {
    hosts: Vec<u64>,
}

/// Place of a frame element among the nodes, and x, y, width, height of its content.
#[derive(Deserialize)]
struct FrameBox(usize, f64, f64, f64, f64);

/// Where a child frame's nodes go.
#[derive(Debug, Clone, Copy)]
struct Within {
    /// The frame element, in the joined list.
    below: Option<u32>,
    /// Where the frame's own coordinates begin.
    offset: (f64, f64),
    /// What of it can be seen: x, y, width, height.
    area: [f64; 4],
}

/// Refs of a page: `e12` to an element of a frame's world.
#[derive(Debug, Default)]
pub(crate) struct RefTable {
    next: u32,
    by_element: HashMap<(String, i64, u64), u32>,
    by_ref: HashMap<u32, (String, i64, u64)>,
}

impl RefTable {
    /// The ref of an element, given now when it has none.
    pub fn get(&mut self, frame: &str, world: i64, local: u64) -> String {
        let key = (frame.to_owned(), world, local);
        let number = *self.by_element.entry(key.clone()).or_insert_with(|| {
            self.next += 1;
            self.by_ref.insert(self.next, key);
            self.next
        });
        format!("e{number}")
    }

    /// Frame, document and element number of a ref.
    pub fn lookup(&self, node_ref: &str) -> Option<(String, i64, u64)> {
        let number = node_ref.strip_prefix('e')?.parse::<u32>().ok()?;
        self.by_ref.get(&number).cloned()
    }
}

impl Page {
    /// The facts of this instant over all frames.
    pub async fn snapshot(&self, deadline: Deadline) -> Result<Snapshot, PageError> {
        let main = self.inner.state().main_frame.clone();
        let mut joined = Snapshot::default();
        let mut seen = HashSet::new();
        self.collect(&main, None, &mut joined, &mut seen, deadline).await?;
        joined.node_count = joined.nodes.len();
        Ok(joined)
    }

    async fn collect(
        &self,
        frame: &str,
        within: Option<Within>,
        joined: &mut Snapshot,
        seen: &mut HashSet<String>,
        deadline: Deadline,
    ) -> Result<(), PageError> {
        if !seen.insert(frame.to_owned()) {
            return Ok(());
        }
        let (world, text) = self.read_frame(frame, deadline).await?;
        let facts: Facts<'_> = serde_json::from_str(&text).unwrap_or_default();
        let place = match &within {
            Some(within) => *within,
            None => {
                joined.url = facts.url.into_owned();
                joined.title = facts.title.into_owned();
                joined.viewport = facts.viewport;
                joined.scroll = facts.scroll;
                Within { below: None, offset: (0.0, 0.0), area: [0.0, 0.0, facts.viewport[0], facts.viewport[1]] }
            }
        };
        joined.truncated |= facts.truncated;
        joined.hidden_text += facts.hidden_text;
        let mut frames: HashMap<usize, [f64; 4]> =
            facts.frames.into_iter().map(|FrameBox(at, x, y, width, height)| (at, [x, y, width, height])).collect();
        // Position of each of this frame's nodes in the joined list; child frames come in between.
        let mut positions: Vec<u32> = Vec::with_capacity(facts.nodes.len());
        for (number, raw) in facts.nodes.into_iter().enumerate() {
            // A node that does not parse keeps its place: others name it as their parent.
            let mut node: SnapNode = serde_json::from_str(raw.get()).unwrap_or_default();
            node.parent = node.parent.and_then(|parent| positions.get(parent as usize).copied()).or(place.below);
            node.rect = shifted(node.rect, place.offset);
            node.in_view &= within.is_none() || meet(node.rect, place.area);
            let local = facts.ids.get(number).copied().unwrap_or_default();
            if local > 0 {
                node.node_ref = self.ref_of(frame, world.document, local);
            }
            let at = u32::try_from(joined.nodes.len()).unwrap_or(u32::MAX);
            positions.push(at);
            let inner = frames.remove(&number).map(|content| {
                let content = shifted(content, place.offset);
                let offset = (content[0], content[1]);
                (Within { below: Some(at), offset, area: common(content, place.area) }, node.node_ref.clone())
            });
            joined.nodes.push(node);
            if let Some((inner, node_ref)) = inner {
                match self.child_frame(frame, &world, local, deadline).await {
                    Some(child) => {
                        let bounded = deadline.at_most(CHILD);
                        let inside = Box::pin(self.collect(&child, Some(inner), joined, seen, bounded));
                        if let Err(error) = inside.await {
                            joined.unread_frames.push(format!("{node_ref}: {error}"));
                        }
                    }
                    None => joined.unread_frames.push(format!("{node_ref}: not loaded")),
                }
            }
        }
        let base = u32::try_from(joined.wci.len()).unwrap_or(u32::MAX);
        for (raw, local) in facts.wci.into_iter().zip(facts.wci_ids) {
            let mut element: WciElement = serde_json::from_str(raw.get()).unwrap_or_default();
            element.parent = element.parent.map(|parent| parent + base);
            element.nested |= within.is_some();
            element.node_ref = self.ref_of(frame, world.document, local);
            joined.wci.push(element);
        }
        Ok(())
    }

    /// What the shim says of a frame's document, once every closed shadow root that it can tell of is open to it.
    async fn read_frame(&self, frame: &str, deadline: Deadline) -> Result<(World, String), PageError> {
        let mut depth = 0;
        loop {
            let (world, text) = self.call_world(frame, "snapshot", &[json!({})], deadline).await?;
            let Value::String(text) = text else { return Ok((world, String::new())) };
            depth += 1;
            let hosts = serde_json::from_str::<Hosts>(&text).unwrap_or_default().hosts;
            if hosts.is_empty() || depth > MOST_NESTED {
                return Ok((world, text));
            }
            let looks = hosts.into_iter().map(|host| self.open_root(frame, &world, host, deadline));
            let opened: Vec<bool> = stream::iter(looks).buffer_unordered(AT_ONCE).collect().await;
            if !opened.contains(&true) {
                return Ok((world, text));
            }
        }
    }

    /// Hands the closed shadow root of an element to the shim; false when it has none.
    async fn open_root(&self, frame: &str, world: &World, host: u64, deadline: Deadline) -> bool {
        let Ok(Some((session, object))) = self.element(frame, world, host, deadline).await else { return false };
        let opened = self.hand_over(world, &session, &object, deadline).await;
        let _ = session.call_raw("Runtime.releaseObject", json!({"objectId": object}), deadline).await;
        opened.is_ok_and(|opened| opened)
    }

    async fn hand_over(
        &self,
        world: &World,
        session: &Session,
        host: &str,
        deadline: Deadline,
    ) -> Result<bool, PageError> {
        let call = async |method: &'static str, params: Value| {
            let reply = self.inner.guarded(session.call_raw(method, params, deadline)).await?;
            Ok::<Value, PageError>(serde_json::from_str(reply.get()).unwrap_or_default())
        };
        let described = call("DOM.describeNode", json!({"objectId": host, "depth": 0})).await?;
        let roots = described["node"]["shadowRoots"].as_array().map_or(&[][..], Vec::as_slice);
        let Some(root) = roots.iter().find(|root| root["shadowRootType"] == "closed") else { return Ok(false) };
        let wanted = json!({"backendNodeId": root["backendNodeId"], "executionContextId": world.context});
        let resolved = call("DOM.resolveNode", wanted).await?;
        let Some(root) = resolved["object"]["objectId"].as_str() else { return Ok(false) };
        let params = json!({"objectId": host, "functionDeclaration": shim::ADOPT, "arguments": [{"objectId": root}]});
        let given = call("Runtime.callFunctionOn", params).await;
        let _ = call("Runtime.releaseObject", json!({"objectId": root})).await;
        Ok(given?["exceptionDetails"].is_null())
    }

    /// The frame inside a frame element.
    async fn child_frame(&self, frame: &str, world: &World, local: u64, deadline: Deadline) -> Option<FrameId> {
        let handle = self.handle(frame, world, local, deadline).await.ok()??;
        self.frame_inside(&handle, deadline).await.ok()?
    }
}

fn shifted([x, y, width, height]: [f64; 4], (right, down): (f64, f64)) -> [f64; 4] {
    [x + right, y + down, width, height]
}

/// The part that two boxes share; of no size when there is none.
fn common(one: [f64; 4], other: [f64; 4]) -> [f64; 4] {
    let (left, top) = (one[0].max(other[0]), one[1].max(other[1]));
    let right = (one[0] + one[2]).min(other[0] + other[2]);
    let bottom = (one[1] + one[3]).min(other[1] + other[3]);
    [left, top, (right - left).max(0.0), (bottom - top).max(0.0)]
}

fn meet(one: [f64; 4], other: [f64; 4]) -> bool {
    let [_, _, width, height] = common(one, other);
    width > 0.0 && height > 0.0
}
