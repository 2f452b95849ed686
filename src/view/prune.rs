//! Which annotated nodes a view holds, and in which order (`pruneDOM`; hiding takes the subtree, as the seed says).

use super::reader;
use crate::spec::{snapshot::Snapshot, view::ViewOptions, wci::WciNodeSpec};

/// The annotated nodes of a page in document order, without what is hidden or beyond the top document's own tree,
/// unless asked for.
pub fn annotated<'a>(snapshot: &'a Snapshot, options: &ViewOptions) -> impl Iterator<Item = WciNodeSpec> + 'a {
    let (frames, hidden) = (options.frames, options.hidden);
    let shown = snapshot.wci.iter().filter(move |element| (frames || !element.nested) && (hidden || !element.hidden));
    shown.map(reader::read)
}

/// Scope, roles and priority, then a stable sort by priority and the cap; a scope is compared as text, with the node's
/// own `data-wci-scope` or its id.
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

#[cfg(test)]
mod tests;
