//! One page against `Accessibility.getFullAXTree`: nodes are matched by the browser's own number of their element.
//!
//! Left out of the comparison, because they are not the page's own content or cannot be seen: what is inside the
//! browser's own shadow roots (segments of a date field), nodes without a box, `hidden` options. Names are compared with
//! white space collapsed and without characters that nobody reads (icon fonts, joiners of no width). Options of a native
//! select stand with the select in a snapshot, so their labels are looked up there.

use std::collections::{HashMap, HashSet};

use futures::{StreamExt, stream};
use gannet::{
    page::tab::Page,
    spec::{
        deadline::Deadline,
        snapshot::{SnapNode, Snapshot},
    },
};
use serde_json::{Value, json};

const INTERACTIVE: [&str; 17] = [
    "button",
    "checkbox",
    "combobox",
    "link",
    "listbox",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "option",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
    "treeitem",
];
/// Chromium's own names for roles, and roles that are kinds of others.
const SAME: [(&str, &str); 9] = [
    ("DisclosureTriangle", "button"),
    ("ColorWell", "button"),
    ("Date", "textbox"),
    ("DateTime", "textbox"),
    ("InputTime", "textbox"),
    ("doc-backlink", "link"),
    ("doc-biblioref", "link"),
    ("doc-glossref", "link"),
    ("doc-noteref", "link"),
];
/// Calls in flight at once.
const AT_ONCE: usize = 32;

/// What was compared so far.
#[derive(Debug, Default)]
pub struct Tally {
    pub compared: usize,
    pub different: usize,
    pub missing: usize,
    pub states: usize,
    pub wrong_states: usize,
    pub differences: Vec<String>,
}

/// An element of the page's own document and shadow roots.
struct Element {
    tag: String,
    attributes: HashMap<String, String>,
    /// The select around an option.
    select: Option<i64>,
    editing_host: bool,
}

impl Element {
    fn shown(&self) -> String {
        let mut shown = format!("<{}", self.tag);
        for name in ["id", "class", "role", "type", "name", "aria-label"] {
            if let Some(value) = self.attributes.get(name) {
                shown += &format!(" {name}={value:?}");
            }
        }
        shown + ">"
    }
}

impl Tally {
    /// Compares a page as it is now.
    pub async fn page(&mut self, page: &Page, path: &str, wait: Deadline) {
        let session = page.session();
        let snapshot = page.snapshot(wait).await.unwrap_or_else(|error| panic!("{path}: {error}"));
        let document = session.call_raw("DOM.getDocument", json!({"depth": -1, "pierce": true}), wait).await;
        let document: Value = serde_json::from_str(document.expect("a document").get()).expect("JSON");
        let mut elements = HashMap::new();
        collect(&document["root"], None, false, &mut elements);
        let tree = session.call_raw("Accessibility.getFullAXTree", json!({}), wait).await.expect("the browser's tree");
        let tree: Value = serde_json::from_str(tree.get()).expect("JSON");
        let mine = numbered(page, &snapshot, wait).await;

        let mut theirs = HashSet::new();
        for node in tree["nodes"].as_array().into_iter().flatten().filter(|node| node["ignored"] != true) {
            let Some(number) = node["backendDOMNodeId"].as_i64() else { continue };
            let Some(element) = elements.get(&number) else { continue };
            let Some(role) = role(node, element) else { continue };
            theirs.insert(number);
            let name = normal(node["name"]["value"].as_str().unwrap_or_default());
            if let Some(select) = element.select {
                self.option(path, mine.get(&select).copied(), element, &name);
                continue;
            }
            match mine.get(&number) {
                Some(found) => self.node(path, found, element, (role, &name), node),
                None if has_box(page, number, wait).await => {
                    self.missing += 1;
                    self.differs(format!("{path}: missing {role} {name:?} {}", element.shown()));
                }
                None => {}
            }
        }
        for (number, node) in &mine {
            if INTERACTIVE.contains(&node.role.as_str()) && !theirs.contains(number) && elements.contains_key(number) {
                let shown = elements[number].shown();
                self.differs(format!("{path}: {} {:?} {shown} is nothing interactive", node.role, node.name));
            }
        }
    }

    fn differs(&mut self, line: String) {
        self.compared += 1;
        self.different += 1;
        self.differences.push(line);
    }

    fn option(&mut self, path: &str, select: Option<&SnapNode>, element: &Element, name: &str) {
        if element.attributes.contains_key("hidden") {
            return;
        }
        match select {
            Some(found) if found.options.iter().any(|option| normal(&option.label) == name) => self.compared += 1,
            // The select itself is missing or invisible, and is counted there.
            None => {}
            Some(found) => self.differs(format!("{path}: option {name:?} is not among {:?}", found.options)),
        }
    }

    fn node(&mut self, path: &str, mine: &SnapNode, element: &Element, (role, name): (&str, &str), theirs: &Value) {
        let own = normal(&mine.name);
        let equal = own == name || own.strip_suffix('…').is_some_and(|start| name.starts_with(start));
        if mine.role != role || !equal {
            let ours = format!("{} {own:?}", mine.role);
            self.differs(format!("{path}: {ours}, in Chromium {role} {name:?} {}", element.shown()));
            return;
        }
        self.compared += 1;
        for (state, own, other) in states(mine, theirs, element) {
            self.states += 1;
            if own != other {
                self.wrong_states += 1;
                let shown = element.shown();
                self.differences.push(format!("{path}: {state} {own}, in Chromium {other}: {role} {name:?} {shown}"));
            }
        }
    }
}

/// The page's own elements by number; the browser's shadow roots and the documents of frames are not.
fn collect(node: &Value, select: Option<i64>, editable: bool, found: &mut HashMap<i64, Element>) {
    let number = node["backendNodeId"].as_i64().unwrap_or_default();
    let tag = node["localName"].as_str().unwrap_or_default().to_owned();
    let (mut select, mut editable) = (select, editable);
    if node["nodeType"] == 1 {
        let flat: Vec<&str> = node["attributes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let attributes: HashMap<String, String> =
            flat.chunks_exact(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect();
        let edits = attributes.get("contenteditable").is_some_and(|value| value != "false");
        let inside = select;
        if tag == "select" {
            select = Some(number);
        }
        found.insert(number, Element { tag, attributes, select: inside, editing_host: edits && !editable });
        editable |= edits;
    }
    for child in node["children"].as_array().into_iter().flatten() {
        collect(child, select, editable, found);
    }
    for root in node["shadowRoots"].as_array().into_iter().flatten() {
        if root["shadowRootType"] != "user-agent" {
            collect(root, select, editable, found);
        }
    }
}

/// The nodes of a snapshot by the browser's number of their element.
async fn numbered<'a>(page: &Page, snapshot: &'a Snapshot, wait: Deadline) -> HashMap<i64, &'a SnapNode> {
    let wanted = snapshot.nodes.iter().filter(|node| !node.node_ref.is_empty());
    stream::iter(wanted)
        .map(|node| async move {
            let handle = page.resolve(&node.node_ref, wait).await.ok()?;
            Some((page.backend_node_id(&handle, wait).await.ok()?, node))
        })
        .buffer_unordered(AT_ONCE)
        .filter_map(std::future::ready)
        .collect()
        .await
}

/// The role of an interactive node; `None` for any other.
fn role<'a>(node: &'a Value, element: &Element) -> Option<&'a str> {
    let given = node["role"]["value"].as_str().unwrap_or_default();
    let role = SAME.iter().find(|(theirs, _)| *theirs == given).map_or(given, |(_, ours)| ours);
    if INTERACTIVE.contains(&role) {
        return Some(role);
    }
    // What can be typed into is a text box, whatever else it is.
    (element.editing_host && !property(node, "editable").is_null()).then_some("textbox")
}

fn property<'a>(node: &'a Value, name: &str) -> &'a Value {
    let all = node["properties"].as_array().map_or(&[][..], Vec::as_slice);
    all.iter().find(|property| property["name"] == name).map_or(&Value::Null, |property| &property["value"]["value"])
}

/// States that both sides know: name, ours, Chromium's.
fn states(mine: &SnapNode, theirs: &Value, element: &Element) -> Vec<(&'static str, String, String)> {
    let said = |name: &str| match property(theirs, name) {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let flag = |name: &str| (property(theirs, name) == true).to_string();
    let or_none = |own: Option<String>| own.unwrap_or_else(|| "-".into());
    let mut all = vec![
        ("checked", or_none(mine.checked.clone()), said("checked")),
        ("pressed", or_none(mine.pressed.clone()), said("pressed")),
        ("disabled", mine.disabled.to_string(), flag("disabled")),
        ("required", mine.required.to_string(), flag("required")),
        ("readonly", mine.readonly.to_string(), flag("readonly")),
        ("focused", mine.focused.to_string(), flag("focused")),
    ];
    // A select that is closed is no news, and Chromium knows it of every one.
    if element.tag != "select" {
        all.push(("expanded", or_none(mine.expanded.map(|on| on.to_string())), said("expanded")));
    }
    // Chromium supplies the default of these where nothing is written.
    if mine.selected.is_some() {
        all.push(("selected", or_none(mine.selected.map(|on| on.to_string())), said("selected")));
    }
    if mine.level.is_some() {
        all.push(("level", or_none(mine.level.map(|level| level.to_string())), said("level")));
    }
    let description = normal(theirs["description"]["value"].as_str().unwrap_or_default());
    all.push(("description", normal(&mine.description), description));
    all
}

async fn has_box(page: &Page, number: i64, wait: Deadline) -> bool {
    let model = page.session().call_raw("DOM.getBoxModel", json!({"backendNodeId": number}), wait).await;
    let Ok(model) = model else { return false };
    let model: Value = serde_json::from_str(model.get()).unwrap_or_default();
    let size = |name: &str| model["model"][name].as_f64().unwrap_or_default();
    size("width") > 0.0 && size("height") > 0.0
}

/// White space collapsed, what nobody reads left out.
fn normal(text: &str) -> String {
    let read =
        |letter: &char| !matches!(letter, '\u{e000}'..='\u{f8ff}' | '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{ad}');
    let text: String = text.chars().filter(read).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
