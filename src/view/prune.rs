//! Which annotated nodes a view holds, and in which order (`pruneDOM`; hiding takes the subtree, as the seed says).

use super::reader;
use crate::spec::{snapshot::Snapshot, view::ViewOptions, wci::WciNodeSpec};

/// The annotated nodes of a page, filtered, by priority and then document order, capped at `max_nodes`.
pub fn annotated(snapshot: &Snapshot, options: &ViewOptions) -> Vec<WciNodeSpec> {
    let candidates = snapshot
        .wci
        .iter()
        .filter(|element| options.frames || !element.nested)
        .filter(|element| options.hidden || !element.hidden)
        .map(reader::read);
    select(candidates, options)
}

/// The filters and the sort, shared with nodes that accessibility gave.
pub fn select(candidates: impl Iterator<Item = WciNodeSpec>, options: &ViewOptions) -> Vec<WciNodeSpec> {
    let scope = options.scope.as_deref().filter(|scope| !scope.is_empty());
    let mut nodes: Vec<WciNodeSpec> = candidates
        .filter(|node| scope.is_none_or(|scope| node.scope.as_deref() == Some(scope) || node.id == scope))
        .filter(|node| options.roles.as_ref().is_none_or(|roles| roles.contains(&node.role)))
        .filter(|node| options.max_priority.is_none_or(|most| node.priority <= most))
        .collect();
    nodes.sort_by_key(|node| node.priority);
    nodes.truncate(usize::try_from(options.max_nodes).unwrap_or(0));
    nodes
}
