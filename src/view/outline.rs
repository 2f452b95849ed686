//! The outline: a compact tree of what a person could read or use, one node a line, within a token budget.
//!
//! ```text
//! # Shop — https://shop.example/ · budget 2000, used 412, left out 300 nodes
//! e1 navigation "Main"
//!   e2 link "Home" → /
//! h1 "Products"
//! | Prices include tax.
//! e7 searchbox "Find" = "rope" [required]
//! 120 × article: button "Add to cart", link "Details" → /p/*
//! e11 e12 → 1 | Rope | $12.95
//! e15 e16 → 2 | Anchor | $80.00
//! … 118 more rows (expand page from 4)
//! ```
//!
//! Passes, in this order: `name` (by content), `shape` (tree, modal first, silence), `build` (rows, flatten, merge), `write` (share, fold).
//! The budget is kept while lines are written, by estimates; the whole text is then counted exactly, and if the
//! estimates were off by more than a little it is written again with a corrected limit.
//! Page text can forge nothing: see `line`.

mod build;
pub mod delta;
mod line;
mod name;
mod rows;
mod shape;
mod write;

use std::fmt::Write;

use self::{build::Group, shape::Shape, write::Written};
use super::{budget, tokens};
use crate::spec::snapshot::Snapshot;

/// The handle of the page itself, for folds that lie in no node.
const PAGE: &str = "page";

/// A finished outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    pub text: String,
    /// Exact tokens of `text`.
    pub tokens: usize,
    pub shown: usize,
    pub omitted: usize,
}

/// Where to begin: a node, and the position of the first child that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expand {
    /// A ref, a WCI id, or `page`.
    pub node_ref: String,
    pub from: usize,
}

impl Expand {
    /// Reads `e3` or `e3 from 20`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (id, from) = match text.rsplit_once(" from ") {
            Some((id, from)) => (id.trim(), from.trim().parse().ok()?),
            None => (text, 0),
        };
        (!id.is_empty()).then(|| Self { node_ref: id.to_owned(), from })
    }
}

/// Writes the outline of a page, or of the part that `expand` names, within `budget` tokens.
pub fn render(snapshot: &Snapshot, budget: usize, expand: Option<&Expand>) -> Outline {
    let snapshot = &*name::by_content(snapshot);
    let shape = Shape::of(snapshot);
    let target = expand.filter(|expand| expand.node_ref != PAGE).map(|expand| (expand, shape.find(&expand.node_ref)));
    let mut notes = notes(snapshot);
    let from = expand.map_or(0, |expand| expand.from);
    let (top, handle, from, mut groups) = match target {
        Some((_, Some(at))) => {
            let item = build::opened(&shape, at);
            // Below a list item or row of its own, the first child was the line itself.
            (Some((item.line, usize::from(!item.flat))), item.handle, from, item.groups)
        }
        Some((expand, None)) => {
            notes.push(format!("nothing has the id {}", line::quoted(&expand.node_ref)));
            (None, PAGE.to_owned(), 0, build::groups(&shape, &shape.roots))
        }
        None => (None, PAGE.to_owned(), from, build::groups(&shape, &shape.roots)),
    };
    write::measure(&mut groups);
    let head = Head { title: &snapshot.title, url: &snapshot.url, budget: budget.max(budget::LEAST), notes };
    fit(&head, top, &groups, &handle, from)
}

/// What the first line says beside the budget.
fn notes(snapshot: &Snapshot) -> Vec<String> {
    let mut notes = vec![];
    if snapshot.truncated {
        notes.push("page cut at the node cap".to_owned());
    }
    if !snapshot.unread_frames.is_empty() {
        notes.push(format!("{} frames not read", snapshot.unread_frames.len()));
    }
    notes
}

struct Head<'a> {
    title: &'a str,
    url: &'a str,
    budget: usize,
    notes: Vec<String>,
}

impl Head<'_> {
    /// The first line with the exact count of tokens, itself included; then the body.
    fn finish(&self, written: &Written) -> Outline {
        let body = written.lines.join("\n");
        let mut text = String::new();
        let mut used = 0;
        // The count stands in what is counted: a second or third look settles it.
        for _ in 0..4 {
            text = self.line(used, written.omitted);
            if !body.is_empty() {
                text.push('\n');
                text.push_str(&body);
            }
            let now = tokens::count(&text);
            if now == used {
                break;
            }
            used = now;
        }
        Outline { text, tokens: used, shown: written.shown, omitted: written.omitted }
    }

    fn line(&self, used: usize, omitted: usize) -> String {
        let mut out = String::from("#");
        // The signs that part this line are ours alone: a title must not pass for the URL behind it.
        let title: String = line::plain(self.title).replace(['—', '·'], "-").chars().take(100).collect();
        // A long title or URL must not cost what a small budget has for the page.
        if self.budget >= budget::LEAST * 3 {
            if !title.is_empty() {
                let _ = write!(out, " {title} —");
            }
            let _ = write!(out, " {} ·", line::url(self.url, ""));
        }
        let _ = write!(out, " budget {}, used {used}", self.budget);
        if omitted > 0 {
            let _ = write!(out, ", left out {omitted} nodes");
        }
        for note in &self.notes {
            let _ = write!(out, ", {note}");
        }
        out
    }
}

/// Writes with limits that come ever nearer to the budget; the fullest text that keeps to it wins.
fn fit(head: &Head<'_>, top: Option<(String, usize)>, groups: &[Group], handle: &str, from: usize) -> Outline {
    let first =
        tokens::count(&head.line(head.budget, 99_999)) + top.as_ref().map_or(0, |(line, _)| tokens::estimate(line));
    let attempt = |limit: usize| {
        let mut written = write::write(groups, handle, from, limit);
        if let Some((line, indent)) = &top {
            for below in &mut written.lines {
                below.insert_str(0, &"  ".repeat(*indent));
            }
            written.lines.insert(0, line.clone());
            written.shown += 1;
        }
        written
    };
    budget::fill(head.budget, first, |limit| {
        let outline = head.finish(&attempt(limit));
        (outline.tokens, outline.omitted == 0, outline)
    })
}

#[cfg(test)]
pub(crate) mod tests;
