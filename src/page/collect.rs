//! One snapshot of all frames: each frame's shim reports its nodes, and the child frames are inlined below their
//! frame elements. Refs are given here: one space over all frames, bound to the element, never used again.

use std::{
    collections::{HashMap, HashSet},
    sync::PoisonError,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    page::{error::PageError, frames::FrameId, tab::Page, worlds::World},
    spec::{
        deadline::Deadline,
        snapshot::{SnapNode, Snapshot, WciElement},
    },
};

/// Bound on reading one child frame: a hung advertisement must not cost the page its view.
const CHILD: Duration = Duration::from_secs(2);

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
        self.collect(&main, None, (0.0, 0.0), &mut joined, &mut seen, deadline).await?;
        joined.node_count = joined.nodes.len();
        Ok(joined)
    }

    async fn collect(
        &self,
        frame: &str,
        below: Option<u32>,
        offset: (f64, f64),
        joined: &mut Snapshot,
        seen: &mut HashSet<String>,
        deadline: Deadline,
    ) -> Result<(), PageError> {
        if !seen.insert(frame.to_owned()) {
            return Ok(());
        }
        let (answered, text) = self.call_world(frame, "snapshot", &[json!({})], deadline).await?;
        let world = answered.document;
        let top = below.is_none();
        let mut facts: Value = serde_json::from_str(text.as_str().unwrap_or("{}")).unwrap_or_default();
        if top {
            joined.url = facts["url"].as_str().unwrap_or_default().to_owned();
            joined.title = facts["title"].as_str().unwrap_or_default().to_owned();
            joined.viewport = serde_json::from_value(facts["viewport"].take()).unwrap_or_default();
            joined.scroll = serde_json::from_value(facts["scroll"].take()).unwrap_or_default();
        }
        joined.truncated |= facts["truncated"] == true;
        joined.hidden_text += u32::try_from(facts["hiddenText"].as_u64().unwrap_or_default()).unwrap_or(u32::MAX);
        let nodes = facts["nodes"].as_array_mut().map(std::mem::take).unwrap_or_default();
        // Position of each of this frame's nodes in the joined list; child frames come in between.
        let mut positions: Vec<u32> = Vec::with_capacity(nodes.len());
        for raw in nodes {
            let local = raw["id"].as_u64().unwrap_or_default();
            let inside: Option<[f64; 2]> = serde_json::from_value(raw["content"].clone()).ok();
            let Ok(mut node) = serde_json::from_value::<SnapNode>(raw) else { continue };
            node.parent = node.parent.and_then(|parent| positions.get(parent as usize).copied()).or(below);
            node.rect[0] += offset.0;
            node.rect[1] += offset.1;
            if local > 0 {
                let mut refs = self.inner.refs.lock().unwrap_or_else(PoisonError::into_inner);
                node.node_ref = refs.get(frame, world, local);
            }
            let at = u32::try_from(joined.nodes.len()).unwrap_or(u32::MAX);
            positions.push(at);
            let inner = inside.map(|[x, y]| (x + offset.0, y + offset.1, node.node_ref.clone()));
            joined.nodes.push(node);
            if let Some((x, y, node_ref)) = inner {
                match self.child_frame(frame, &answered, local, deadline).await {
                    Some(child) => {
                        let bounded = deadline.at_most(CHILD);
                        let inside = Box::pin(self.collect(&child, Some(at), (x, y), joined, seen, bounded));
                        if let Err(error) = inside.await {
                            joined.unread_frames.push(format!("{node_ref}: {error}"));
                        }
                    }
                    None => joined.unread_frames.push(format!("{node_ref}: not loaded")),
                }
            }
        }
        let elements = facts["wci"].as_array_mut().map(std::mem::take).unwrap_or_default();
        let base = u32::try_from(joined.wci.len()).unwrap_or(u32::MAX);
        for raw in elements {
            let local = raw["id"].as_u64().unwrap_or_default();
            let Ok(mut element) = serde_json::from_value::<WciElement>(raw) else { continue };
            element.parent = element.parent.map(|parent| parent + base);
            element.nested |= !top;
            let mut refs = self.inner.refs.lock().unwrap_or_else(PoisonError::into_inner);
            element.node_ref = refs.get(frame, world, local);
            joined.wci.push(element);
        }
        Ok(())
    }

    /// The frame inside a frame element.
    async fn child_frame(&self, frame: &str, world: &World, local: u64, deadline: Deadline) -> Option<FrameId> {
        let handle = self.handle(frame, world, local, deadline).await.ok()??;
        self.frame_inside(&handle, deadline).await.ok()?
    }
}
