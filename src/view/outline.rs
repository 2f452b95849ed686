//! The outline: a compact tree of what a person could read or use, within a token budget.
//!
//! Passes, in this order: *shape* (children of each node, in document order), *merge* (rows of a table become one line
//! each, so that a thousand rows cost a thousand lines and not ten thousand), *write* (one node a line; wrappers without
//! a name vanish and their children move up), *fold* (what no longer fits is counted and given a handle).
//! Page text can forge nothing: it stands in quotes with quotes escaped, and never starts a line.

use std::fmt::Write;

use super::tokens;
use crate::spec::snapshot::{SnapNode, Snapshot};

/// Tokens kept back for the first line and the last fold.
const RESERVE: usize = 60;

/// A finished outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub text: String,
    pub shown: usize,
    pub omitted: usize,
}

/// Where to begin: the whole page, or the children of one node from a position on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expand {
    pub node_ref: String,
    pub from: usize,
}

impl Expand {
    /// Reads `e3` or `e3 from 20`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let node_ref = words.next()?.to_owned();
        let from = match words.next() {
            Some("from") => words.next()?.parse().ok()?,
            Some(_) => return None,
            None => 0,
        };
        Some(Self { node_ref, from })
    }
}

/// Writes the outline of a page within `budget` tokens.
pub fn render(snapshot: &Snapshot, budget: usize, expand: Option<&Expand>) -> Outline {
    let mut children: Vec<Vec<usize>> = vec![vec![]; snapshot.nodes.len()];
    let mut roots = vec![];
    for (at, node) in snapshot.nodes.iter().enumerate() {
        match node.parent.and_then(|parent| children.get_mut(parent as usize)) {
            Some(siblings) => siblings.push(at),
            None => roots.push(at),
        }
    }
    let mut writer =
        Writer { snapshot, children, left: budget.saturating_sub(RESERVE), lines: vec![], shown: 0, omitted: 0 };
    match expand.and_then(|expand| writer.position(&expand.node_ref).map(|at| (at, expand.from))) {
        Some((at, from)) => {
            writer.line(0, &describe(&snapshot.nodes[at]), 1);
            let inside: Vec<usize> = writer.children[at].iter().skip(from).copied().collect();
            writer.siblings(&inside, 1, Some((at, from)));
        }
        None => {
            // What is modal comes first: nothing else can be used while it is open.
            roots.sort_by_key(|at| !snapshot.nodes[*at].modal);
            writer.siblings(&roots, 0, None);
        }
    }
    let Writer { lines, shown, omitted, .. } = writer;
    let body = lines.join("\n");
    let mut head = format!("# {} — {}", quoted(&snapshot.title), short_url(&snapshot.url));
    let used = tokens::count(&body) + tokens::estimate(&head) + 12;
    let _ = write!(head, " · budget {budget}, used {used}");
    if omitted > 0 {
        let _ = write!(head, ", left out {omitted} nodes");
    }
    if snapshot.truncated {
        head.push_str(", page cut at the node cap");
    }
    if snapshot.hidden_text > 0 {
        let _ = write!(head, ", {} hidden", snapshot.hidden_text);
    }
    Outline { text: format!("{head}\n{body}"), shown, omitted }
}

struct Writer<'a> {
    snapshot: &'a Snapshot,
    children: Vec<Vec<usize>>,
    left: usize,
    lines: Vec<String>,
    shown: usize,
    omitted: usize,
}

impl Writer<'_> {
    fn position(&self, node_ref: &str) -> Option<usize> {
        self.snapshot
            .nodes
            .iter()
            .position(|node| node.node_ref == node_ref || node.wci_id.as_deref() == Some(node_ref))
    }

    /// Writes a line if it fits.
    fn line(&mut self, depth: usize, text: &str, nodes: usize) -> bool {
        let cost = tokens::estimate(text) + 1;
        if cost > self.left {
            return false;
        }
        self.left -= cost;
        self.shown += nodes;
        self.lines.push(format!("{}{text}", "  ".repeat(depth.min(12))));
        true
    }

    fn size(&self, at: usize) -> usize {
        1 + self.children[at].iter().map(|child| self.size(*child)).sum::<usize>()
    }

    /// Writes siblings until the budget is spent; the rest becomes one fold line with the handle that opens it.
    fn siblings(&mut self, nodes: &[usize], depth: usize, within: Option<(usize, usize)>) -> bool {
        for (position, at) in nodes.iter().enumerate() {
            if self.node(*at, depth) {
                continue;
            }
            let rest = &nodes[position..];
            self.omitted += rest.iter().map(|at| self.size(*at)).sum::<usize>();
            let handle = within.and_then(|(parent, from)| {
                let node = &self.snapshot.nodes[parent];
                (!node.node_ref.is_empty()).then(|| format!(" (expand {} from {})", node.node_ref, from + position))
            });
            let kind = if rest.iter().all(|at| self.snapshot.nodes[*at].role == "row") { "rows" } else { "nodes" };
            self.lines.push(format!(
                "{}… {} more {kind}{}",
                "  ".repeat(depth.min(12)),
                rest.len(),
                handle.unwrap_or_default()
            ));
            return false;
        }
        true
    }

    /// Writes a node and what is below it; false when its own line does not fit.
    fn node(&mut self, at: usize, depth: usize) -> bool {
        let node = &self.snapshot.nodes[at];
        let inside = self.children[at].clone();
        if node.role == "row" && inside.iter().all(|cell| self.is_plain_cell(*cell)) {
            let cells: Vec<String> = inside.iter().map(|cell| quoted(&self.cell(*cell))).collect();
            return self.line(depth, &format!("{} row | {}", node.node_ref, cells.join(" | ")), 1 + inside.len());
        }
        if is_wrapper(node) {
            // The children of a wrapper stand where it stood; those that do not fit are folded right there.
            if !inside.is_empty() && self.left < 12 {
                return false;
            }
            self.siblings(&inside, depth, (!node.node_ref.is_empty()).then_some((at, 0)));
            return true;
        }
        if !self.line(depth, &describe(node), 1) {
            return false;
        }
        self.siblings(&inside, depth + 1, Some((at, 0)));
        true
    }

    fn is_plain_cell(&self, at: usize) -> bool {
        let node = &self.snapshot.nodes[at];
        matches!(node.role.as_str(), "cell" | "gridcell" | "columnheader" | "rowheader")
            && self.children[at].iter().all(|child| {
                let child = &self.snapshot.nodes[*child];
                child.role == "text" || (!child.interactive && !child.clickable && is_wrapper(child))
            })
    }

    fn cell(&self, at: usize) -> String {
        let node = &self.snapshot.nodes[at];
        if !node.name.is_empty() {
            return node.name.clone();
        }
        let texts = self.children[at].iter().map(|child| self.snapshot.nodes[*child].name.as_str());
        texts.collect::<Vec<_>>().join(" ")
    }
}

/// Structure that says nothing by itself.
fn is_wrapper(node: &SnapNode) -> bool {
    matches!(
        node.role.as_str(),
        "" | "rowgroup" | "list" | "group" | "listitem" | "figure" | "definition" | "term" | "table"
    ) && node.name.is_empty()
        && !node.clickable
        && !node.interactive
}

/// `e12 button "Add" [disabled]`.
fn describe(node: &SnapNode) -> String {
    if node.role == "text" {
        return quoted(&node.name);
    }
    let mut line = String::new();
    if !node.node_ref.is_empty() {
        line.push_str(&node.node_ref);
        line.push(' ');
    }
    match (node.role.as_str(), node.level) {
        ("heading", Some(level)) => {
            let _ = write!(line, "h{level}");
        }
        ("", _) => line.push_str("clickable"),
        (role, _) => line.push_str(role),
    }
    if !node.name.is_empty() {
        let _ = write!(line, " {}", quoted(&node.name));
    }
    if let Some(id) = &node.wci_id {
        let _ = write!(line, " #{}", quoted(id).trim_matches('"'));
    }
    if node.secret {
        line.push_str(" = (secret)");
    } else if let Some(value) = node.value.as_deref().filter(|value| !value.is_empty()) {
        let _ = write!(line, " = {}", quoted(value));
    }
    if let Some(href) = &node.href {
        let _ = write!(line, " → {}", short_url(href));
    }
    let mut marks = vec![];
    let mut mark = |on: bool, text: &str| {
        if on {
            marks.push(text.to_owned());
        }
    };
    mark(node.checked.as_deref() == Some("true"), "checked");
    mark(node.checked.as_deref() == Some("mixed"), "mixed");
    mark(node.pressed.as_deref() == Some("true"), "pressed");
    mark(node.selected == Some(true), "selected");
    mark(node.expanded == Some(true), "expanded");
    mark(node.expanded == Some(false), "collapsed");
    mark(node.disabled, "disabled");
    mark(node.required, "required");
    mark(node.invalid, "invalid");
    mark(node.readonly, "readonly");
    mark(node.focused, "focused");
    mark(node.modal, "modal");
    if !marks.is_empty() {
        let _ = write!(line, " [{}]", marks.join(" "));
    }
    if !node.options.is_empty() && !node.secret {
        let options: Vec<String> = node.options.iter().take(20).map(|option| quoted(&option.label)).collect();
        let more = node.options.len().saturating_sub(20);
        let more = if more > 0 { format!(" … {more} more") } else { String::new() };
        let _ = write!(line, " ({}{more})", options.join(" "));
    }
    line
}

/// Page text in quotes: quotes and backslashes escaped, control characters gone.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            control if control.is_control() => out.push(' '),
            // Bidirectional overrides and tag characters change what a reader sees.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{e0000}'..='\u{e007f}' => {}
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// At most 80 characters of a URL; a `data:` URL is never printed.
fn short_url(url: &str) -> String {
    if url.starts_with("data:") {
        return "data:…".into();
    }
    let plain: String = url.chars().filter(|character| !character.is_control() && !character.is_whitespace()).collect();
    if plain.chars().count() <= 80 {
        return plain;
    }
    let head: String = plain.chars().take(79).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests;
