//! The frame tree of a page over all its sessions. Pure: events in, facts out.
//!
//! A frame keeps its id when it moves to another process; what changes is the session it is reached by. Chromium says
//! so by `frameDetached` with reason `swap` on the old session, and by the new session's own frame tree.

use std::collections::{HashMap, HashSet};

use crate::page::wire::{WireFrame, WireTree};

/// Id of a frame, stable over navigations and process swaps.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FrameId(pub String);

impl std::ops::Deref for FrameId {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for FrameId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// One frame of the tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frame {
    pub parent: Option<String>,
    pub session: String,
    /// Address, fragment included.
    pub url: String,
    pub loader: String,
    pub mime: String,
    /// An error page stands in for an address that could not be reached.
    pub unreachable: bool,
    /// Execution context of the isolated world.
    pub world: Option<i64>,
    /// Number of the document that is loaded; comes back when the document does.
    pub document: i64,
    /// Lifecycle events of the present loader.
    pub lifecycle: HashSet<String>,
    /// The session that reported its document.
    reported_by: String,
    /// When it was attached, to list siblings in a stable order.
    order: u64,
}

/// All frames of a page.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    all: HashMap<String, Frame>,
    /// Documents by frame and loader. A loader is of one document, and one world of ours lives in a document.
    documents: HashMap<(String, String), i64>,
    attached: u64,
}

/// What a frame's navigation event changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Committed {
    /// Another document than before.
    NewDocument,
    Same,
}

impl Frames {
    pub fn get(&self, id: &str) -> Option<&Frame> {
        self.all.get(id)
    }

    pub fn get_mut(&mut self, id: &str) -> Option<&mut Frame> {
        self.all.get_mut(id)
    }

    /// Enters a session's whole tree. It was asked for, so it may be older than what events have said meanwhile: a
    /// frame whose document the same session has reported already is left as it is.
    pub fn add_tree(&mut self, session: &str, tree: WireTree) {
        if self.all.get(&tree.frame.id).is_none_or(|frame| frame.reported_by != session) {
            self.commit(session, tree.frame);
        }
        for child in tree.child_frames {
            self.add_tree(session, child);
        }
    }

    pub fn attach(&mut self, session: &str, id: &str, parent: &str) {
        let frame = self.entry(id);
        frame.parent = Some(parent.to_owned());
        frame.take_session(session);
    }

    /// A frame has a document: the one that it had, or another one.
    pub fn commit(&mut self, session: &str, wire: WireFrame) -> Committed {
        let next = i64::try_from(self.documents.len()).unwrap_or(i64::MAX) + 1;
        let document = *self.documents.entry((wire.id.clone(), wire.loader_id.clone())).or_insert(next);
        let frame = self.entry(&wire.id);
        frame.take_session(session);
        session.clone_into(&mut frame.reported_by);
        frame.url = wire.url + &wire.url_fragment;
        frame.mime = wire.mime_type;
        frame.unreachable = wire.unreachable_url.is_some();
        if wire.parent_id.is_some() {
            frame.parent = wire.parent_id;
        }
        if frame.document == document {
            return Committed::Same;
        }
        frame.document = document;
        frame.loader = wire.loader_id;
        frame.lifecycle.clear();
        // The children were the old document's; after a crash nobody reports their end.
        for child in self.children(&wire.id) {
            self.remove(&child);
        }
        Committed::NewDocument
    }

    /// Removes a frame and everything below it.
    pub fn remove(&mut self, id: &str) {
        for child in self.children(id) {
            self.remove(&child);
        }
        self.all.remove(id);
    }

    /// A session ended: the frames that are still reached by it are gone.
    pub fn end_session(&mut self, session: &str) {
        let gone: Vec<String> =
            self.all.iter().filter(|(_, frame)| frame.session == session).map(|(id, _)| id.clone()).collect();
        for id in gone {
            self.remove(&id);
        }
    }

    /// A world of ours exists in a frame.
    pub fn world_created(&mut self, session: &str, frame: &str, context: i64) {
        if let Some(frame) = self.all.get_mut(frame) {
            frame.take_session(session);
            frame.world = Some(context);
        }
    }

    pub fn world_destroyed(&mut self, session: &str, context: i64) {
        for frame in self.all.values_mut().filter(|frame| frame.session == session && frame.world == Some(context)) {
            frame.world = None;
        }
    }

    /// Every world of a session is gone.
    pub fn worlds_cleared(&mut self, session: &str) {
        for frame in self.all.values_mut().filter(|frame| frame.session == session) {
            frame.world = None;
        }
    }

    pub fn contains(&self, id: &str) -> bool {
        self.all.contains_key(id)
    }

    /// Ids of the frames below `root` and of itself, parents before children, siblings as they came.
    pub fn in_order(&self, root: &str) -> Vec<String> {
        let mut order = vec![root.to_owned()];
        let mut at = 0;
        while let Some(parent) = order.get(at).cloned() {
            order.extend(self.children(&parent).into_iter().filter(|child| child != root));
            at += 1;
        }
        order
    }

    /// The topmost frame that is reached by the same session without leaving it: what coordinates are relative to.
    pub fn local_root(&self, id: &str) -> String {
        let mut at = id;
        while let Some(frame) = self.all.get(at)
            && let Some(parent) = frame.parent.as_deref()
            && self.all.get(parent).is_some_and(|parent| parent.session == frame.session)
        {
            at = parent;
        }
        at.to_owned()
    }

    fn children(&self, id: &str) -> Vec<String> {
        let mut children: Vec<(u64, &String)> = self
            .all
            .iter()
            .filter(|(_, frame)| frame.parent.as_deref() == Some(id))
            .map(|(child, frame)| (frame.order, child))
            .collect();
        children.sort();
        children.into_iter().map(|(_, child)| child.clone()).collect()
    }

    fn entry(&mut self, id: &str) -> &mut Frame {
        self.all.entry(id.to_owned()).or_insert_with(|| {
            self.attached += 1;
            Frame { order: self.attached, ..Frame::default() }
        })
    }
}

impl Frame {
    fn take_session(&mut self, session: &str) {
        if self.session != session {
            // The frame moved to another process: its world there is another one.
            self.world = None;
            session.clone_into(&mut self.session);
        }
    }
}

#[cfg(test)]
mod tests;
