//! The tree of a snapshot, made ready for writing. Three passes, in this order:
//!
//! 1. *shape*: children of each node in document order. Depth is capped, because a page may nest 50,000 elements and
//!    everything after this recurses.
//! 2. *hoist*: what is modal comes first, for nothing else can be used while it is open. Before *hush*, so that a dialog
//!    is not measured against the name of what it lies in.
//! 3. *hush*: what says nothing, or says again what its parent's name said, goes. Bottom up, so that a box that only
//!    held silent things is silent itself.

use crate::spec::snapshot::{SnapNode, Snapshot};

/// Levels of nesting that are kept; deeper nodes become children of the last level.
const MOST_LEVELS: usize = 60;

/// A snapshot with its children lists.
#[derive(Debug)]
pub struct Shape<'a> {
    pub snapshot: &'a Snapshot,
    pub children: Vec<Vec<usize>>,
    pub roots: Vec<usize>,
}

impl<'a> Shape<'a> {
    /// All passes.
    pub fn of(snapshot: &'a Snapshot) -> Self {
        let mut shape = Self::tree(snapshot);
        shape.hoist();
        shape.roots = shape.hush(&shape.roots.clone(), "");
        shape
    }

    pub fn node(&self, at: usize) -> &'a SnapNode {
        &self.snapshot.nodes[at]
    }

    /// Index of a node by ref or WCI id; a WCI id wins.
    pub fn find(&self, id: &str) -> Option<usize> {
        let nodes = &self.snapshot.nodes;
        let annotated = nodes.iter().position(|node| node.wci_id.as_deref() == Some(id));
        annotated.or_else(|| nodes.iter().position(|node| !id.is_empty() && node.node_ref == id))
    }

    fn tree(snapshot: &'a Snapshot) -> Self {
        let count = snapshot.nodes.len();
        let (mut children, mut roots) = (vec![vec![]; count], vec![]);
        // Level of each node, and the parent that the cap on levels gives it.
        let (mut level, mut above) = (vec![0_usize; count], vec![None; count]);
        for (at, node) in snapshot.nodes.iter().enumerate() {
            let mut parent = node.parent.map(|parent| parent as usize).filter(|parent| *parent < at);
            if let Some(deep) = parent.filter(|parent| level[*parent] >= MOST_LEVELS) {
                parent = above[deep];
            }
            above[at] = parent;
            match parent {
                Some(parent) => {
                    level[at] = level[parent] + 1;
                    children[parent].push(at);
                }
                None => roots.push(at),
            }
        }
        Self { snapshot, children, roots }
    }

    fn hoist(&mut self) {
        let mut modal = vec![];
        for (at, node) in self.snapshot.nodes.iter().enumerate() {
            let opens = node.modal && matches!(node.role.as_str(), "dialog" | "alertdialog");
            let inside = opens && modal.iter().any(|outer| self.is_below(at, *outer));
            if opens && !inside {
                modal.push(at);
            }
        }
        if modal.is_empty() {
            return;
        }
        for list in self.children.iter_mut().chain([&mut self.roots]) {
            list.retain(|at| !modal.contains(at));
        }
        self.roots.splice(0..0, modal);
    }

    fn is_below(&self, at: usize, outer: usize) -> bool {
        let mut parent = self.node(at).parent;
        while let Some(above) = parent.map(|parent| parent as usize).filter(|above| *above < self.snapshot.nodes.len())
        {
            if above == outer {
                return true;
            }
            parent = self.node(above).parent.filter(|next| (*next as usize) < above);
        }
        false
    }

    fn hush(&mut self, list: &[usize], said: &str) -> Vec<usize> {
        let mut kept = Vec::with_capacity(list.len());
        for at in list.iter().copied() {
            let node = self.node(at);
            let repeats = !node.name.is_empty() && said.contains(&node.name);
            if node.role == "text" {
                if !repeats && !node.name.trim().is_empty() {
                    kept.push(at);
                }
                continue;
            }
            let inside = match node.role.as_str() {
                _ if names_its_content(node) => node.name.as_str(),
                // Another document, or a layer above: no name reaches into it.
                "iframe" | "dialog" | "alertdialog" => "",
                _ => said,
            };
            let below = std::mem::take(&mut self.children[at]);
            self.children[at] = self.hush(&below, inside);
            let mute = match node.role.as_str() {
                "separator" => true,
                "img" | "heading" | "figure" => node.name.is_empty() || repeats,
                // An empty cell keeps its column.
                "cell" | "gridcell" | "columnheader" | "rowheader" | "iframe" => false,
                _ => node.name.is_empty() && node.value.as_deref().is_none_or(str::is_empty),
            };
            if !mute || !self.children[at].is_empty() || is_usable(node) {
                kept.push(at);
            }
        }
        kept
    }
}

/// Something that can be acted on, or that its author gave an id for agents.
pub fn is_usable(node: &SnapNode) -> bool {
    node.interactive || node.clickable || node.editable || node.wci_id.is_some()
}

/// Structure that says nothing by itself; its children stand where it stood.
pub fn is_wrapper(node: &SnapNode) -> bool {
    let bare = match node.role.as_str() {
        // Named by what they hold.
        "row" | "cell" | "gridcell" | "columnheader" | "rowheader" => node.selected != Some(true),
        "" | "rowgroup" | "list" | "group" | "listitem" | "figure" | "definition" | "term" | "paragraph"
        | "generic" | "none" | "presentation" => node.name.is_empty(),
        _ => false,
    };
    bare && !is_usable(node)
}

/// The accessible name is the content, so that the content need not be said again.
fn names_its_content(node: &SnapNode) -> bool {
    node.interactive || node.clickable || matches!(node.role.as_str(), "heading" | "tooltip")
}
