//! From a shaped tree to lines in groups. Three passes, in this order:
//!
//! 1. *rows*: siblings of one kind become a header and a compact row each (`rows.rs`). Before *flatten*, which would take
//!    away the boxes that tell one card from the next.
//! 2. *flatten*: a wrapper without a name of its own vanishes and its children move up; the first line of a list item
//!    or table row keeps the rest of it below itself.
//! 3. *join* and *gather*: texts that follow each other become one line, links and the like one group. After *flatten*,
//!    which brings them together.

use super::{
    line::{Parts, fenced, push, quoted},
    rows,
    shape::{Shape, is_usable, is_wrapper},
};

/// Characters up to which texts that follow each other share a line.
const MOST_TEXT: usize = 400;

/// A line and what lies below it.
#[derive(Debug, Default)]
pub struct Item {
    pub line: String,
    /// What a fold calls several of them.
    pub noun: &'static str,
    /// Id for `expand`; none when nothing lies below.
    pub handle: String,
    /// Nodes of the snapshot that this line stands for.
    pub nodes: usize,
    /// Position of the first child, as `expand` counts: 1 where this line is itself the first of a vanished wrapper.
    pub base: usize,
    /// What the page is about: its main part, or a dialog.
    pub subject: bool,
    /// Estimated tokens of the line, set by `write::measure`.
    pub cost: usize,
    /// What lies below stands at the same level: rows under their table's line.
    pub flat: bool,
    pub groups: Vec<Group>,
}

/// Siblings of one kind: rows under one header, or a single line.
#[derive(Debug, Default)]
pub struct Group {
    /// The line above rows.
    pub header: Option<String>,
    pub items: Vec<Item>,
}

impl Group {
    fn single(item: Item) -> Self {
        Self { header: None, items: vec![item] }
    }
}

/// Groups of a list of siblings.
pub fn groups(shape: &Shape<'_>, list: &[usize]) -> Vec<Group> {
    gather(join_texts(flatten(shape, list)))
}

/// One node with its inside, as `expand` opens it: options, rows or children.
pub fn opened(shape: &Shape<'_>, at: usize) -> Item {
    let node = shape.node(at);
    if let Some(table) = rows::table(shape, at) {
        return table;
    }
    let mut item = Item {
        line: Parts::of(node, &shape.snapshot.url).line(),
        noun: noun(&node.role),
        handle: node.node_ref.clone(),
        nodes: 1,
        ..Item::default()
    };
    if node.options.is_empty() || node.secret {
        item.groups = groups(shape, &shape.children[at]);
        return item;
    }
    let options = node.options.iter().map(|option| {
        let mut line = format!("option {}", quoted(&option.label));
        if option.value != option.label {
            push(&mut line, &format!("= {}", quoted(&option.value)));
        }
        for (on, mark) in [(option.selected, "[selected]"), (option.disabled, "[disabled]")] {
            push(&mut line, if on { mark } else { "" });
        }
        Item { line, noun: "options", nodes: 1, ..Item::default() }
    });
    item.groups = vec![Group { header: None, items: options.collect() }];
    item
}

fn flatten(shape: &Shape<'_>, list: &[usize]) -> Vec<Group> {
    let mut out = vec![];
    let mut at = 0;
    while at < list.len() {
        let run = rows::siblings(shape, &list[at..]);
        if let Some(group) = run.group {
            out.push(group);
        } else {
            for node in &list[at..at + run.taken] {
                one(shape, *node, &mut out);
            }
        }
        at += run.taken;
    }
    out
}

/// Adds the lines of one node.
pub fn one(shape: &Shape<'_>, at: usize, out: &mut Vec<Group>) {
    let node = shape.node(at);
    if node.role == "text" {
        out.push(Group::single(text(&node.name)));
        return;
    }
    if let Some(table) = rows::table(shape, at) {
        out.push(Group::single(table));
        return;
    }
    if is_wrapper(node) {
        let mut inner = vec![];
        let own = rows::own_text(shape, at);
        if !own.is_empty() {
            inner.push(Group::single(text(&own)));
        }
        inner.extend(flatten(shape, &shape.children[at]));
        if matches!(node.role.as_str(), "listitem" | "row") {
            inner = adopt(join_texts(inner), &node.node_ref);
        }
        out.extend(inner);
        return;
    }
    let mut parts = Parts::of(node, &shape.snapshot.url);
    let mut children: &[usize] = &shape.children[at];
    // A heading that is one link: the link, marked as a heading.
    let only = if let [only] = children { Some(*only) } else { None };
    let only = only.filter(|only| is_usable(shape.node(*only)) && shape.node(*only).name == node.name);
    if let Some(link) = only.filter(|_| node.role == "heading" && !is_usable(node)) {
        let heading = std::mem::take(&mut parts.role);
        parts = Parts::of(shape.node(link), &shape.snapshot.url);
        parts.marks.insert(0, heading);
        children = &shape.children[link];
    }
    out.push(Group::single(Item {
        line: parts.line(),
        noun: noun(&node.role),
        handle: node.node_ref.clone(),
        nodes: 1,
        subject: matches!(node.role.as_str(), "main" | "dialog" | "alertdialog"),
        groups: groups(shape, children),
        ..Item::default()
    }));
}

fn text(words: &str) -> Item {
    Item { line: fenced(words), noun: "texts", nodes: 1, ..Item::default() }
}

/// The first line of a vanished box takes the rest of the box below itself, so that one box does not run into the next.
fn adopt(mut inner: Vec<Group>, handle: &str) -> Vec<Group> {
    let [first, _, ..] = inner.as_mut_slice() else { return inner };
    let ([leader], None) = (first.items.as_mut_slice(), &first.header) else { return inner };
    if !leader.groups.is_empty() {
        return inner;
    }
    handle.clone_into(&mut leader.handle);
    leader.base = 1;
    let rest = gather(inner.split_off(1));
    if let Some(leader) = inner.first_mut().and_then(|first| first.items.first_mut()) {
        leader.groups = rest;
    }
    inner
}

/// Joins texts that follow each other.
fn join_texts(list: Vec<Group>) -> Vec<Group> {
    let mut out: Vec<Group> = Vec::with_capacity(list.len());
    for group in list {
        let before = out.last_mut().and_then(lone_text);
        if let (Some(before), [item]) = (before, group.items.as_slice()) {
            let joins = group.header.is_none() && item.noun == "texts" && item.groups.is_empty();
            if joins && before.line.len() + item.line.len() <= MOST_TEXT {
                push(&mut before.line, item.line.strip_prefix("| ").unwrap_or(&item.line));
                before.nodes += item.nodes;
                continue;
            }
        }
        out.push(group);
    }
    out
}

fn lone_text(group: &mut Group) -> Option<&mut Item> {
    match group.items.as_mut_slice() {
        [item] if group.header.is_none() && item.noun == "texts" && item.groups.is_empty() => Some(item),
        _ => None,
    }
}

/// Makes one group of lines of one kind that follow each other, so that they are folded together. Landmarks, fields and
/// texts are each worth their place.
fn gather(list: Vec<Group>) -> Vec<Group> {
    let mut out: Vec<Group> = Vec::with_capacity(list.len());
    for mut group in list {
        let kind = |group: &Group| group.items.first().map(|item| item.noun).filter(|_| group.header.is_none());
        let noun = kind(&group).filter(|noun| !matches!(*noun, "texts" | "nodes" | "tables"));
        match out.last_mut().filter(|last| noun.is_some() && kind(last) == noun) {
            Some(last) => last.items.append(&mut group.items),
            None => out.push(group),
        }
    }
    out
}

fn noun(role: &str) -> &'static str {
    match role {
        "link" => "links",
        "button" => "buttons",
        "option" => "options",
        "listitem" => "items",
        "checkbox" => "checkboxes",
        "radio" => "radios",
        "menuitem" => "menu items",
        "treeitem" => "tree items",
        "tab" => "tabs",
        "img" => "images",
        "article" => "articles",
        "heading" => "headings",
        "row" => "rows",
        _ => "nodes",
    }
}
