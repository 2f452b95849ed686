//! Nodes of unannotated pages in the WCI schema, from roles and names. The id is the ref; `source` says `ax`.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::spec::{
    snapshot::{SnapNode, Snapshot},
    wci::WciNodeSpec,
};

/// Characters of a description, as the WCI reader cuts them.
const MOST_DESC: usize = 120;
/// Nodes looked at for the words of a nameless status or landmark.
const MOST_BELOW: usize = 50;

/// Every interactive node, landmark, heading and status of the page that carries no annotation.
pub fn nodes(snapshot: &Snapshot) -> impl Iterator<Item = WciNodeSpec> + '_ {
    let annotated: HashSet<&str> = snapshot.wci.iter().map(|element| element.node_ref.as_str()).collect();
    let free = move |(_, node): &(usize, &SnapNode)| {
        !node.node_ref.is_empty() && node.wci_id.is_none() && !annotated.contains(node.node_ref.as_str())
    };
    snapshot.nodes.iter().enumerate().filter(free).filter_map(|(at, node)| {
        let (role, action, priority) = classify(node)?;
        Some(WciNodeSpec {
            id: node.node_ref.clone(),
            role: role.to_owned(),
            desc: desc(snapshot, at, role),
            action: action.map(str::to_owned),
            state: state(node),
            precondition: None,
            required: node.required.then_some(true),
            options: options(node),
            emits: None,
            scope: scope(snapshot, node),
            hidden: None,
            priority,
            source: Some("ax"),
        })
    })
}

/// WCI role, action and priority of an accessibility role: what a task needs first, then what it may need, then ways
/// elsewhere, then headings.
fn classify(node: &SnapNode) -> Option<(&'static str, Option<&'static str>, i64)> {
    let submit = matches!(node.input_type.as_deref(), Some("submit" | "image"));
    let field = if node.required { 1 } else { 2 };
    Some(match node.role.as_str() {
        "textbox" | "searchbox" | "spinbutton" | "slider" => ("form", Some("fill"), field),
        "combobox" | "listbox" if node.tag == "input" || node.editable => ("form", Some("fill"), field),
        "combobox" | "listbox" => ("form", Some("select"), field),
        "checkbox" | "radio" | "switch" => ("form", Some("check"), field),
        "button" if node.input_type.as_deref() == Some("file") => ("form", Some("upload"), field),
        "button" => ("action", Some("click"), if submit { 1 } else { 2 }),
        "link" if leads_elsewhere(node) => ("nav", Some("navigate"), 4),
        "link" => ("action", Some("click"), 2),
        "menuitem" | "menuitemcheckbox" | "menuitemradio" | "option" | "tab" | "treeitem" => {
            ("action", Some("click"), 2)
        }
        "alert" | "status" | "log" | "timer" | "progressbar" | "meter" => ("status", None, 2),
        "form" | "dialog" | "alertdialog" | "search" | "main" | "navigation" | "region" | "banner" | "contentinfo"
        | "complementary" => ("landmark", None, 2),
        "heading" => ("display", None, 5),
        _ if node.clickable => ("action", Some("click"), 3),
        _ => return None,
    })
}

/// A link with a destination of its own; others are buttons in disguise.
fn leads_elsewhere(node: &SnapNode) -> bool {
    let web = |href: &str| href.starts_with("http:") || href.starts_with("https:");
    node.href.as_deref().is_some_and(|href| web(href) && !href.ends_with('#'))
}

fn options(node: &SnapNode) -> Option<Vec<String>> {
    let choices = || node.options.iter().map(|option| option.value.clone()).collect();
    (!node.options.is_empty() && !node.secret).then(choices)
}

/// The name; for a status its words, for a landmark its first heading.
fn desc(snapshot: &Snapshot, at: usize, role: &str) -> String {
    let node = &snapshot.nodes[at];
    let mut words = node.name.clone();
    if words.is_empty() && matches!(role, "status" | "landmark") {
        let mut inside = vec![at];
        let below = snapshot.nodes.iter().enumerate().skip(at + 1).take(MOST_BELOW);
        for (place, child) in below {
            if !child.parent.is_some_and(|parent| inside.contains(&(parent as usize))) {
                break;
            }
            inside.push(place);
            match (role, child.role.as_str()) {
                ("landmark", "heading") if words.is_empty() => words.clone_from(&child.name),
                ("status", "text") => {
                    words = format!("{words} {}", child.name).trim().to_owned();
                }
                _ => {}
            }
        }
    }
    words.chars().take(MOST_DESC).collect()
}

fn state(node: &SnapNode) -> Map<String, Value> {
    let mut state = Map::new();
    let mut put = |key: &str, value: Value| {
        state.insert(key.into(), value);
    };
    if let Some(value) = node.value.as_deref().filter(|_| !node.secret) {
        put("value", value.into());
    }
    match node.checked.as_deref() {
        Some("true") => put("checked", true.into()),
        Some("false") => put("checked", false.into()),
        Some(other) => put("checked", other.into()),
        None => {}
    }
    if let Some(expanded) = node.expanded {
        put("expanded", expanded.into());
    }
    if let Some(selected) = node.selected {
        put("selected", selected.into());
    }
    if node.disabled {
        put("disabled", true.into());
    }
    if node.invalid {
        put("valid", false.into());
    }
    state
}

/// The nearest landmark or form around a node.
fn scope(snapshot: &Snapshot, node: &SnapNode) -> Option<String> {
    let mut parent = node.parent;
    while let Some(at) = parent {
        let above = snapshot.nodes.get(at as usize)?;
        if matches!(classify(above), Some(("landmark", ..))) {
            return Some(above.wci_id.clone().unwrap_or_else(|| above.node_ref.clone()));
        }
        // Parents stand before their children; anything else would be a loop.
        parent = above.parent.filter(|next| *next < at);
    }
    None
}

#[cfg(test)]
mod tests;
