//! Nodes of unannotated pages in the WCI schema, from roles and names. The id is the ref; `source` says `ax`.

use serde_json::{Map, Value};

use crate::spec::{
    snapshot::{SnapNode, Snapshot},
    wci::WciNodeSpec,
};

/// Every interactive node, landmark, heading and status of the page.
pub fn nodes(snapshot: &Snapshot) -> impl Iterator<Item = WciNodeSpec> + '_ {
    snapshot.nodes.iter().filter(|node| !node.node_ref.is_empty() && node.wci_id.is_none()).filter_map(|node| {
        let (role, action, priority) = classify(node)?;
        Some(WciNodeSpec {
            id: node.node_ref.clone(),
            role: role.to_owned(),
            desc: node.name.clone(),
            action: action.map(str::to_owned),
            state: state(node),
            precondition: None,
            required: node.required.then_some(true),
            options: (!node.options.is_empty())
                .then(|| node.options.iter().map(|option| option.value.clone()).collect()),
            emits: None,
            scope: scope(snapshot, node),
            hidden: None,
            priority,
            source: Some("ax"),
        })
    })
}

/// WCI role, action and priority of an accessibility role.
fn classify(node: &SnapNode) -> Option<(&'static str, Option<&'static str>, i64)> {
    let submit = node.input_type.as_deref() == Some("submit");
    Some(match node.role.as_str() {
        "textbox" | "searchbox" | "spinbutton" | "slider" => ("form", Some("fill"), if node.required { 1 } else { 2 }),
        "combobox" if node.tag == "input" => ("form", Some("fill"), if node.required { 1 } else { 2 }),
        "combobox" | "listbox" => ("form", Some("select"), if node.required { 1 } else { 2 }),
        "checkbox" | "radio" | "switch" => ("form", Some("check"), if node.required { 1 } else { 2 }),
        "button" if node.input_type.as_deref() == Some("file") => ("form", Some("upload"), 2),
        "button" => ("action", Some("click"), if submit { 1 } else { 2 }),
        "link" => ("nav", Some("click"), 3),
        "menuitem" | "menuitemcheckbox" | "menuitemradio" | "option" | "tab" | "treeitem" => {
            ("action", Some("click"), 2)
        }
        "alert" | "status" | "log" | "timer" | "progressbar" | "meter" => ("status", None, 2),
        "form" | "dialog" | "alertdialog" | "search" | "main" | "navigation" | "region" | "banner" | "contentinfo"
        | "complementary" => ("landmark", None, 3),
        "heading" => ("display", None, 3),
        _ if node.clickable => ("action", Some("click"), 3),
        _ => return None,
    })
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
    while let Some(above) = parent.and_then(|at| snapshot.nodes.get(at as usize)) {
        if matches!(classify(above), Some(("landmark", ..))) {
            return Some(above.node_ref.clone());
        }
        parent = above.parent;
    }
    None
}
