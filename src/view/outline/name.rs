//! The pass before all others: something to act on that has no name, and holds nothing but a short text, is called by
//! that text. Such nodes are rows of menus, tree items, list items that react to a click: their role takes no name from
//! content, but a person, and an agent, knows them by nothing else.

use std::borrow::Cow;

use super::shape::is_usable;
use crate::spec::snapshot::{SnapNode, Snapshot};

/// Longest text, in characters, that serves as a name.
const MOST: usize = 120;

/// The snapshot with such names; itself where there are none to give.
pub fn by_content(snapshot: &Snapshot) -> Cow<'_, Snapshot> {
    let nodes = &snapshot.nodes;
    let takes = |node: &SnapNode| {
        node.name.is_empty() && is_usable(node) && !node.editable && !node.secret && !holds_by_role(&node.role)
    };
    if !nodes.iter().any(takes) {
        return Cow::Borrowed(snapshot);
    }
    // `None`: it holds something else, or too much.
    let mut said: Vec<Option<String>> = nodes.iter().map(|node| takes(node).then(String::new)).collect();
    for node in nodes {
        let Some(slot) = node.parent.and_then(|parent| said.get_mut(parent as usize)) else { continue };
        let Some(text) = slot else { continue };
        if node.role != "text" || text.len() + node.name.len() > MOST {
            *slot = None;
            continue;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(node.name.trim());
    }
    let mut named = snapshot.clone();
    for (node, text) in named.nodes.iter_mut().zip(said) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            node.name = text;
        }
    }
    Cow::Owned(named)
}

/// Rows and cells are written by what they hold anyway; a form or a frame is no thing to press.
fn holds_by_role(role: &str) -> bool {
    matches!(
        role,
        "row"
            | "cell"
            | "gridcell"
            | "columnheader"
            | "rowheader"
            | "table"
            | "grid"
            | "form"
            | "iframe"
            | "dialog"
            | "alertdialog"
            | "textbox"
            | "searchbox"
            | "combobox"
            | "listbox"
            | "text"
    )
}

#[cfg(test)]
mod tests;
