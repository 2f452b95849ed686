//! What changed between two snapshots of a page, in outline lines with a sign:
//! `~` changed (with what it was), `+` added, `-` removed. The cost follows the change, not the page.
//!
//! Elements are compared by ref, which is bound to the element; texts by their words within the nearest element. A text
//! that took another's place is one `~` line.

use std::collections::{HashMap, HashSet};

use super::{
    Outline, build,
    line::{self, Parts, fenced, quoted},
    name::by_content,
    rows,
    shape::{Shape, is_wrapper},
    write,
};
use crate::{
    spec::snapshot::{SnapNode, Snapshot},
    view::{budget, tokens},
};

/// Removed siblings of one kind that are listed one by one.
const MOST_REMOVED: usize = 3;

/// The delta from `before` to `after` within `budget` tokens; none when the two have no element in common, so that the
/// whole page is the shorter answer.
pub fn render(before: &Snapshot, after: &Snapshot, budget: usize) -> Option<Outline> {
    let (before, after) = (&*by_content(before), &*by_content(after));
    let (old, new) = (Side::of(before), Side::of(after));
    let common = new.by_ref.keys().any(|node_ref| old.here.contains(node_ref));
    if !common && !old.by_ref.is_empty() {
        return None;
    }
    let changed = changed(&old, &new);
    let added: Vec<usize> = new.only(&old);
    let removed = old.only(&new);
    let mut news = vec![];
    if before.url != after.url {
        news.push(format!("url {}", line::url(&after.url, &before.url)));
    }
    if before.title != after.title {
        news.push(format!("title {}", quoted(&after.title)));
    }
    let counts = [(changed.len(), "changed"), (added.len(), "added"), (removed.len(), "removed")];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    if counts.is_empty() && news.is_empty() {
        let text = "# no changes".to_owned();
        return Some(Outline { tokens: tokens::count(&text), text, shown: 0, omitted: 0 });
    }
    news.splice(0..0, counts);
    let mut groups = build::groups(&new.shape, &added);
    write::measure(&mut groups);
    let removed = removed_lines(&old, &removed);
    let budget = budget.max(budget::LEAST);
    let finish = |lines: &[String], omitted: usize, shown: usize| {
        let mut text = String::new();
        let mut used = 0;
        for _ in 0..4 {
            text = format!("# {} · budget {budget}, used {used}", news.join(", "));
            if omitted > 0 {
                text.push_str(&format!(", left out {omitted} changes"));
            }
            for line in lines {
                text.push('\n');
                text.push_str(line);
            }
            let now = tokens::count(&text);
            if now == used {
                break;
            }
            used = now;
        }
        Outline { text, tokens: used, shown, omitted }
    };
    let fixed = finish(&[], 9_999, 0).tokens;
    Some(budget::fill(budget, fixed, |limit| {
        let mut page = Page { left: limit, ..Page::default() };
        for line in &changed {
            page.put(line);
        }
        // What was removed is short; it keeps its room before what was added is cut to the rest.
        let reserve: usize = removed.iter().map(|line| cost(line)).sum();
        let room = page.left.saturating_sub(reserve.min(page.left / 2));
        // Each line carries a sign more than was measured.
        let written = write::write(&groups, super::PAGE, 0, room * 9 / 10);
        for line in &written.lines {
            let line = format!("+ {line}");
            page.left = page.left.saturating_sub(cost(&line));
            page.lines.push(line);
        }
        page.shown += written.shown;
        page.omitted += written.omitted;
        for line in &removed {
            page.put(line);
        }
        let outline = finish(&page.lines, page.omitted, page.shown);
        (outline.tokens, page.omitted == 0, outline)
    }))
}

/// Lines taken within a limit.
#[derive(Default)]
struct Page {
    lines: Vec<String>,
    left: usize,
    shown: usize,
    omitted: usize,
}

impl Page {
    fn put(&mut self, line: &str) {
        let cost = cost(line);
        if cost > self.left {
            self.omitted += 1;
            return;
        }
        self.left -= cost;
        self.shown += 1;
        self.lines.push(line.to_owned());
    }
}

fn cost(line: &str) -> usize {
    tokens::estimate(line) + 1
}

/// One of the two snapshots, ready to be looked up.
struct Side<'a> {
    shape: Shape<'a>,
    /// Elements that have something to say.
    by_ref: HashMap<&'a str, usize>,
    /// All elements, the silent ones too: those are neither added nor removed when they begin or cease to speak.
    here: HashSet<&'a str>,
    /// Texts of each element, by the nearest ref above them.
    texts: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Side<'a> {
    fn of(snapshot: &'a Snapshot) -> Self {
        let shape = Shape::of(snapshot);
        let mut by_ref = HashMap::with_capacity(snapshot.nodes.len());
        let mut texts: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut lists = vec![("", &shape.roots)];
        lists.extend(shape.children.iter().enumerate().map(|(at, list)| (snapshot.nodes[at].node_ref.as_str(), list)));
        for (above, list) in lists {
            for at in list {
                let node = &snapshot.nodes[*at];
                if node.role == "text" {
                    texts.entry(above).or_default().push(&node.name);
                } else if !node.node_ref.is_empty() {
                    by_ref.insert(node.node_ref.as_str(), *at);
                }
            }
        }
        let here = snapshot.nodes.iter().map(|node| node.node_ref.as_str()).collect();
        Self { shape, by_ref, here, texts }
    }

    /// Outermost elements that the other side lacks, in page order; texts beside them are left to `changed`.
    fn only(&self, other: &Side<'_>) -> Vec<usize> {
        let mut found = vec![];
        let mut below = self.shape.roots.clone();
        below.reverse();
        while let Some(at) = below.pop() {
            let node = self.shape.node(at);
            if node.role != "text" && !node.node_ref.is_empty() && !other.here.contains(node.node_ref.as_str()) {
                found.push(at);
                continue;
            }
            below.extend(self.shape.children[at].iter().rev());
        }
        found
    }
}

/// Lines of elements that say something else than before, and of texts within elements that stayed.
fn changed(old: &Side<'_>, new: &Side<'_>) -> Vec<String> {
    let mut lines = vec![];
    lines.extend(texts("", old, new));
    let nodes = old.shape.snapshot.nodes.iter().enumerate();
    let before: HashMap<&str, usize> = nodes.map(|(at, node)| (node.node_ref.as_str(), at)).collect();
    for (at, node) in new.shape.snapshot.nodes.iter().enumerate() {
        let shown = !node.node_ref.is_empty() && new.by_ref.get(node.node_ref.as_str()) == Some(&at);
        let Some(old_at) = before.get(node.node_ref.as_str()).copied().filter(|_| shown) else { continue };
        let before = old.shape.node(old_at);
        let cell = matches!(node.role.as_str(), "gridcell" | "rowheader" | "cell" | "columnheader");
        // A row is named by its cells, which speak for themselves.
        if says_other(before, node) && node.role != "row" {
            let (mut was, mut is) = (before.clone(), node.clone());
            if cell {
                // So do the controls in a cell.
                (was.name, is.name) = (rows::own_text(&old.shape, old_at), rows::own_text(&new.shape, at));
            }
            lines.extend(difference(&mut was, &mut is, new.shape.snapshot));
        }
        // The texts of a cell are its name.
        if !cell {
            lines.extend(texts(&node.node_ref, old, new));
        }
    }
    lines
}

/// Cheap look at the fields that lines are made of.
fn says_other(old: &SnapNode, new: &SnapNode) -> bool {
    let fields = |node: &SnapNode| {
        (
            node.disabled,
            node.required,
            node.invalid,
            node.readonly,
            node.focused,
            node.multiple,
            node.modal,
            node.secret,
        )
    };
    let states = |node: &SnapNode| (node.level, node.expanded, node.selected, node.current.is_some());
    old.name != new.name
        || old.value != new.value
        || old.checked != new.checked
        || old.pressed != new.pressed
        || old.href != new.href
        || old.role != new.role
        || fields(old) != fields(new)
        || states(old) != states(new)
        || old.options != new.options
}

/// `~ e3 textbox "Email" = "x" (was = "")`.
fn difference(old: &mut SnapNode, new: &mut SnapNode, page: &Snapshot) -> Option<String> {
    // Long names are shown by their beginning, unless that is what both have.
    let (old_name, new_name) = (cut(&old.name), cut(&new.name));
    if (old_name == new_name) == (old.name == new.name) {
        (old.name, new.name) = (old_name, new_name);
    }
    let (before, after) = (Parts::of(old, &page.url), Parts::of(new, &page.url));
    let mut was = vec![];
    let mut field = |sign: &str, old: &str, new: &str| {
        if old != new {
            was.push(format!("{sign}{}", if old.is_empty() { "\"\"" } else { old }));
        }
    };
    field("", &before.role, &after.role);
    field("", &before.name, &after.name);
    field("= ", &before.value, &after.value);
    field("→ ", &before.href, &after.href);
    field("", &before.options, &after.options);
    let marked = before.marks != after.marks;
    if marked && !before.marks.is_empty() {
        was.push(before.marks());
    }
    if was.is_empty() && !marked {
        return None;
    }
    let mut shown = after;
    // Unchanged options would cost more than the change.
    if before.options == shown.options {
        shown.options.clear();
    }
    if shown.node_ref.is_empty() {
        shown.node_ref.clone_from(&new.node_ref);
    }
    // Marks that came alone are in the line already.
    let was = if was.is_empty() { String::new() } else { format!(" (was {})", was.join(" ")) };
    Some(format!("~ {}{was}", shown.line()))
}

/// Changes among the texts of one element.
fn texts(above: &str, old: &Side<'_>, new: &Side<'_>) -> Vec<String> {
    let none = vec![];
    let (before, after) = (old.texts.get(above).unwrap_or(&none), new.texts.get(above).unwrap_or(&none));
    if before == after {
        return vec![];
    }
    let start = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let end =
        before[start..].iter().rev().zip(after[start..].iter().rev()).take_while(|(one, other)| one == other).count();
    let (before, after) = (&before[start..before.len() - end], &after[start..after.len() - end]);
    if before.len() == after.len() {
        let pairs = before.iter().zip(after).filter(|(old, new)| old != new);
        return pairs.map(|(old, new)| format!("~ text {} (was {})", quoted(new), quoted(old))).collect();
    }
    let (gone, came) = (without(before, after), without(after, before));
    let gone = gone.iter().map(|text| format!("- {}", fenced(text)));
    came.iter().map(|text| format!("+ {}", fenced(text))).chain(gone).collect()
}

/// Texts of one list that the other lacks, each counted as often as it stands there.
fn without<'a>(list: &[&'a str], other: &[&str]) -> Vec<&'a str> {
    let mut left: HashMap<&str, usize> = HashMap::new();
    for text in other {
        *left.entry(text).or_default() += 1;
    }
    let lacks = |text: &&&str| match left.get_mut(**text) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    list.iter().filter(lacks).copied().collect()
}

/// A line for each removed element; many of one kind are named and counted.
fn removed_lines(old: &Side<'_>, removed: &[usize]) -> Vec<String> {
    let mut lines = vec![];
    let mut seen = HashSet::new();
    for at in removed {
        let role = line::role(old.shape.node(*at));
        if !seen.insert(role.clone()) {
            continue;
        }
        let alike: Vec<usize> = removed.iter().copied().filter(|at| line::role(old.shape.node(*at)) == role).collect();
        let most = if alike.len() > MOST_REMOVED + 1 { MOST_REMOVED } else { alike.len() };
        lines.extend(alike[..most].iter().map(|at| removed_line(old, *at)));
        if alike.len() > most {
            lines.push(format!("- … {} more {role}", alike.len() - most));
        }
    }
    lines
}

fn removed_line(old: &Side<'_>, at: usize) -> String {
    let node = old.shape.node(at);
    if is_wrapper(node) || node.name.is_empty() {
        let name = first_name(&old.shape, at);
        return format!("- {} {} {name}", node.node_ref, line::role(node)).trim_end().to_owned();
    }
    format!("- {} {} {}", node.node_ref, line::role(node), quoted(&cut(&node.name)))
}

/// The first words of what a nameless element held.
fn first_name(shape: &Shape<'_>, at: usize) -> String {
    let mut below = vec![at];
    while let Some(next) = below.pop() {
        let name = &shape.node(next).name;
        if !name.is_empty() {
            return quoted(&cut(name));
        }
        below.extend(shape.children[next].iter().rev());
    }
    String::new()
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
