//! Row templates: what repeats is said once in a header, what differs stands in a row.
//!
//! A row is `refs | text | text`. Before the first ` | ` stand only refs and quoted names of ours; behind it only page
//! text, whose bars are escaped. The header says what each ref is, in order: a row then needs no role and no repeated
//! name. A row that lacks one of them has `-` in its place; one that has more gives the rest with their roles.

use std::collections::HashMap;

use super::{
    build::{self, Group, Item},
    line::{self, Parts, cell, push},
    shape::{Shape, is_usable, is_wrapper},
};

/// Siblings from which a template saves more than its header costs.
const FEWEST: usize = 4;
/// Controls and texts that a row may hold; what holds more is a part of the page, not a row.
const MOST_PARTS: usize = 40;

/// Siblings at the start of a list: a group of rows if they are alike, and how many siblings that is.
pub struct Run {
    pub group: Option<Group>,
    /// At least one: these need not be looked at again.
    pub taken: usize,
}

/// Nodes of a cell that are compared with its name.
const MOST_BELOW: usize = 200;

/// What one row holds.
#[derive(Debug, Default)]
struct Row {
    at: usize,
    controls: Vec<usize>,
    cells: Vec<String>,
    nodes: usize,
}

/// One control that most rows have: its role, the name and options if most have the same, the start of the URL that all
/// share.
#[derive(Debug)]
struct Slot {
    role: String,
    name: Option<String>,
    options: Option<String>,
    href: String,
}

/// The rows of a table; none when it is laid out by cells that are more than rows.
pub fn table(shape: &Shape<'_>, at: usize) -> Option<Item> {
    let node = shape.node(at);
    if !matches!(node.role.as_str(), "table" | "grid" | "treegrid") {
        return None;
    }
    let (mut rows, mut others) = (vec![], vec![]);
    collect_rows(shape, at, &mut rows, &mut others);
    let head = rows.first().filter(|row| is_head(shape, **row)).and_then(|row| of_cells(shape, *row));
    let data: Vec<(usize, Option<Row>)> =
        rows.iter().skip(usize::from(head.is_some())).map(|row| (*row, of_cells(shape, *row))).collect();
    let parts: Vec<&Row> = data.iter().filter_map(|(_, row)| row.as_ref()).collect();
    let told = parts.iter().filter(|row| row.cells.len() > 1).count();
    if told < 2 || parts.len() * 5 < data.len() * 4 {
        return None;
    }
    let slots = slots(shape, &parts);
    // A column whose cells hold nothing but controls is said by the refs already.
    let columns = parts.iter().map(|row| row.cells.len()).max().unwrap_or_default();
    let has_text = |column: &usize| parts.iter().any(|row| row.cells.get(*column).is_some_and(|text| !text.is_empty()));
    let used: Vec<usize> = (0..columns).filter(has_text).collect();
    let of_row = |row: &Row| -> Vec<String> {
        used.iter().map(|column| row.cells.get(*column).map(|text| cell(text)).unwrap_or_default()).collect()
    };
    let mut line = Parts::of(node, &shape.snapshot.url).line();
    push(&mut line, &format!("{} rows{}", data.len(), slot_list(&slots)));
    let labels = head.as_ref().map(of_row).unwrap_or_default();
    if labels.iter().any(|label| !label.is_empty()) {
        line.push_str(&format!(" | {}", labels.join(" | ")));
    }
    let items = data.iter().map(|(at, row)| match row {
        Some(row) => item(shape, row, &slots, of_row(row)),
        None => opened_row(shape, *at),
    });
    let rows = Group { header: None, items: items.collect() };
    // Buttons in the head, such as those that sort, come behind the rows.
    let rest: Vec<usize> = head.iter().flat_map(|head| &head.controls).copied().chain(others).collect();
    let groups = std::iter::once(rows).chain(build::groups(shape, &rest)).collect();
    let handle = node.node_ref.clone();
    Some(Item { line, noun: "tables", handle, nodes: 1, flat: true, groups, ..Item::default() })
}

fn is_head(shape: &Shape<'_>, row: usize) -> bool {
    let cells = &shape.children[row];
    !cells.is_empty() && cells.iter().all(|cell| shape.node(*cell).role == "columnheader")
}

/// A row that is more than a row, with its inside below it.
fn opened_row(shape: &Shape<'_>, at: usize) -> Item {
    let node = shape.node(at);
    let line = format!("{} row", node.node_ref);
    let handle = node.node_ref.clone();
    Item { line, noun: "rows", handle, nodes: 1, groups: build::groups(shape, &shape.children[at]), ..Item::default() }
}

/// A run of like siblings at the start of a list.
pub fn siblings(shape: &Shape<'_>, list: &[usize]) -> Run {
    let Some(first) = list.first().map(|at| shape.node(*at)) else { return Run { group: None, taken: 1 } };
    let (rows, taken, noun) = match first.role.as_str() {
        "article" | "listitem" | "group" | "row" | "" | "figure" => {
            let alike = |at: &&usize| {
                let node = shape.node(**at);
                (&node.role, &node.tag) == (&first.role, &first.tag)
            };
            let rows: Vec<Row> = list.iter().take_while(alike).map_while(|at| of_card(shape, *at)).collect();
            let taken = rows.len();
            (rows, taken, if first.role.is_empty() { "group" } else { first.role.as_str() }.to_owned())
        }
        "heading" => {
            let (rows, taken) = chapters(shape, list);
            (rows, taken, line::role(first))
        }
        _ => return Run { group: None, taken: 1 },
    };
    let whole = rows.iter().filter(|row| row.controls.len() + row.cells.len() > 1).count();
    if rows.len() < FEWEST || whole * 2 <= rows.len() {
        return Run { group: None, taken: taken.max(1) };
    }
    let parts: Vec<&Row> = rows.iter().collect();
    let slots = slots(shape, &parts);
    let header = format!("{} × {noun}{}", rows.len(), slot_list(&slots));
    let items = parts.iter().map(|row| item(shape, row, &slots, row.cells.iter().map(|text| cell(text)).collect()));
    Run { group: Some(Group { header: Some(header), items: items.collect() }), taken }
}

/// Cards without a box of their own: a heading, then the same kinds of things up to the next heading of its level, with
/// a control among them. The heading tells where a card begins; without one it could only be guessed.
fn chapters(shape: &Shape<'_>, list: &[usize]) -> (Vec<Row>, usize) {
    let kind = |at: &usize| {
        let node = shape.node(*at);
        let leaf = shape.children[*at].is_empty() || node.role == "heading";
        (leaf && (matches!(node.role.as_str(), "text" | "heading" | "img") || is_usable(node)))
            .then_some((node.role.as_str(), node.level))
    };
    let Some(start) = list.first().and_then(kind) else { return (vec![], 1) };
    // The first card, texts that follow each other as one.
    let chapter = |from: usize| {
        let mut kinds = vec![start];
        let mut end = from + 1;
        while let Some(next) = list.get(end).and_then(kind).filter(|next| *next != start) {
            if next.0 != "text" || kinds.last() != Some(&next) {
                kinds.push(next);
            }
            end += 1;
        }
        (kinds, end)
    };
    let (pattern, _) = chapter(0);
    if pattern.len() > MOST_PARTS || pattern.iter().all(|(role, _)| matches!(*role, "text" | "heading" | "img")) {
        return (vec![], 1);
    }
    let (mut rows, mut at) = (vec![], 0);
    while list.get(at).and_then(kind) == Some(start) {
        let (kinds, end) = chapter(at);
        if kinds != pattern {
            break;
        }
        let mut row = Row { at: list[at], ..Row::default() };
        if !list[at..end].iter().all(|node| gather(shape, *node, &mut row)) {
            break;
        }
        rows.push(row);
        at = end;
    }
    if rows.len() < FEWEST { (vec![], 1) } else { (rows, at) }
}

/// Text of a cell that its children do not say again.
pub fn own_text(shape: &Shape<'_>, at: usize) -> String {
    let node = shape.node(at);
    if !matches!(node.role.as_str(), "cell" | "gridcell" | "columnheader" | "rowheader") {
        return String::new();
    }
    let mut rest = node.name.clone();
    let mut boxes = false;
    let mut below = shape.children[at].clone();
    for _ in 0..MOST_BELOW {
        let Some(child) = below.pop() else { break };
        let node = shape.node(child);
        boxes |= matches!(node.role.as_str(), "checkbox" | "radio");
        for said in
            [Some(node.name.as_str()), node.value.as_deref()].into_iter().flatten().filter(|said| !said.is_empty())
        {
            if let Some(found) = rest.rfind(said) {
                rest.replace_range(found..found + said.len(), " ");
            }
        }
        below.extend(&shape.children[child]);
    }
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    // The value of a box without one, which the name of its cell holds.
    if boxes && rest == "on" { String::new() } else { rest }
}

fn collect_rows(shape: &Shape<'_>, at: usize, rows: &mut Vec<usize>, others: &mut Vec<usize>) {
    for child in &shape.children[at] {
        let node = shape.node(*child);
        match node.role.as_str() {
            "row" => rows.push(*child),
            "rowgroup" | "" if !is_usable(node) => collect_rows(shape, *child, rows, others),
            _ => others.push(*child),
        }
    }
}

/// A row of a table: one text a cell.
fn of_cells(shape: &Shape<'_>, at: usize) -> Option<Row> {
    let mut row = start(shape, at);
    for cell in &shape.children[at] {
        let node = shape.node(*cell);
        let before = row.cells.len();
        if !is_wrapper(node) || !gather(shape, *cell, &mut row) {
            return None;
        }
        let text = row.cells.split_off(before).join(" ");
        row.cells.push(text);
    }
    Some(row)
}

/// A card: one text a text.
fn of_card(shape: &Shape<'_>, at: usize) -> Option<Row> {
    let mut row = start(shape, at);
    gather_children(shape, at, &mut row).then_some(row)
}

fn start(shape: &Shape<'_>, at: usize) -> Row {
    let node = shape.node(at);
    let said = is_usable(node) || !Parts::of(node, "").marks.is_empty();
    Row { at, controls: if said { vec![at] } else { vec![] }, cells: vec![], nodes: 1 }
}

/// Takes a node into a row; false when it is more than a row can hold.
fn gather(shape: &Shape<'_>, at: usize, row: &mut Row) -> bool {
    let node = shape.node(at);
    row.nodes += 1;
    match node.role.as_str() {
        _ if row.nodes > MOST_PARTS => return false,
        "text" => row.cells.push(node.name.clone()),
        "iframe" | "dialog" | "alertdialog" | "table" | "grid" | "treegrid" | "tree" | "form" | "main"
        | "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "region" | "tablist" | "menu"
        | "menubar" => return false,
        _ if is_usable(node) => row.controls.push(at),
        _ if is_wrapper(node) => {
            let text = own_text(shape, at);
            if !text.is_empty() {
                row.cells.push(text);
            }
        }
        "heading" if shape.children[at].iter().any(|child| shape.node(*child).name == node.name) => {}
        _ => {
            let value = node.value.as_deref().filter(|_| !node.secret).unwrap_or_default();
            let text = [node.name.as_str(), value].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>();
            if !text.is_empty() {
                row.cells.push(text.join(" "));
            }
        }
    }
    gather_children(shape, at, row)
}

fn gather_children(shape: &Shape<'_>, at: usize, row: &mut Row) -> bool {
    shape.children[at].iter().all(|child| gather(shape, *child, row))
}

/// What the controls of most rows have in common.
fn slots(shape: &Shape<'_>, rows: &[&Row]) -> Vec<Slot> {
    let roles = |row: &Row| row.controls.iter().map(|at| line::role(shape.node(*at))).collect::<Vec<_>>();
    let mut counts: HashMap<Vec<String>, (usize, usize)> = HashMap::new();
    for (position, row) in rows.iter().enumerate() {
        counts.entry(roles(row)).or_insert((0, position)).0 += 1;
    }
    // The most frequent; of equals the one seen first.
    let most = counts.into_iter().max_by_key(|(_, (count, position))| (*count, usize::MAX - position));
    let Some((most, _)) = most else { return vec![] };
    let like: Vec<&Row> = rows.iter().copied().filter(|row| roles(row) == most).collect();
    let slot = |(place, role): (usize, &String)| {
        let parts: Vec<Parts> =
            like.iter().map(|row| Parts::of(shape.node(row.controls[place]), &shape.snapshot.url)).collect();
        let common = |field: fn(&Parts) -> &String| common(parts.iter().map(field));
        Slot {
            role: role.clone(),
            name: common(|parts| &parts.name),
            options: common(|parts| &parts.options),
            href: shared_start(&parts.iter().map(|part| part.href.as_str()).collect::<Vec<_>>()),
        }
    };
    most.iter().enumerate().map(slot).collect()
}

/// The text that more than half of several have.
fn common<'a>(texts: impl Iterator<Item = &'a String>) -> Option<String> {
    let mut counts: HashMap<&String, usize> = HashMap::new();
    let mut all = 0;
    for text in texts {
        *counts.entry(text).or_default() += 1;
        all += 1;
    }
    let most = counts.into_iter().find(|(_, count)| count * 2 > all && *count > 1)?;
    Some(most.0.clone()).filter(|text| !text.is_empty())
}

/// The start that URLs share, cut behind a separator; empty when it is not worth a sign.
fn shared_start(urls: &[&str]) -> String {
    let Some(first) = urls.first().filter(|_| urls.len() > 1) else { return String::new() };
    let shared = urls.iter().fold(first.len(), |length, url| {
        first.bytes().zip(url.bytes()).take(length).take_while(|(one, other)| one == other).count()
    });
    let mut end = shared;
    while end > 0 && !(first.is_char_boundary(end) && first[..end].ends_with(['/', '=', '#', '?', '&'])) {
        end -= 1;
    }
    if end < 2 { String::new() } else { first[..end].to_owned() }
}

/// `: button "Add", link "Details" → /p/*`.
fn slot_list(slots: &[Slot]) -> String {
    let words = slots.iter().map(|slot| {
        let mut out = slot.role.clone();
        push(&mut out, slot.name.as_deref().unwrap_or_default());
        if !slot.href.is_empty() {
            push(&mut out, &format!("→ {}*", slot.href));
        }
        push(&mut out, slot.options.as_deref().unwrap_or_default());
        out
    });
    let words: Vec<String> = words.collect();
    if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) }
}

fn item(shape: &Shape<'_>, row: &Row, slots: &[Slot], mut cells: Vec<String>) -> Item {
    let mut line = String::new();
    let mut left = slots.iter();
    for at in &row.controls {
        let mut parts = Parts::of(shape.node(*at), &shape.snapshot.url);
        // The next slot that this control fills; those passed over are missing in this row.
        let fits = |slot: &Slot| slot.role == parts.role && slot.name.as_ref().is_none_or(|name| *name == parts.name);
        let mut ahead = left.clone();
        let skipped = ahead.position(&fits);
        let slot = skipped.and_then(|skipped| left.nth(skipped));
        for _ in 0..skipped.unwrap_or_default() {
            push(&mut line, "-");
        }
        push(&mut line, &parts.node_ref);
        match slot {
            Some(slot) => {
                if slot.name.is_none() {
                    push(&mut line, &parts.name);
                }
                if slot.options.as_ref() == Some(&parts.options) {
                    parts.options.clear();
                }
                if let Some(rest) = parts.href.strip_prefix(&slot.href).filter(|_| !slot.href.is_empty()) {
                    parts.href = rest.to_owned();
                }
            }
            None => {
                push(&mut line, &parts.role);
                push(&mut line, &parts.name);
            }
        }
        push(&mut line, &parts.wci);
        parts.end(&mut line);
    }
    for _ in left {
        push(&mut line, "-");
    }
    // A row without any control is known by its own ref.
    if row.controls.is_empty() && slots.is_empty() {
        line.clone_from(&shape.node(row.at).node_ref);
    }
    while cells.last().is_some_and(String::is_empty) {
        cells.pop();
    }
    if !cells.is_empty() {
        line.push_str(&format!(" | {}", cells.join(" | ")));
    }
    Item { line, noun: "rows", nodes: row.nodes, ..Item::default() }
}
