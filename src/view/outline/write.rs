//! Lines within a budget. What does not fit is counted and gets a handle, and every part of the page keeps its share:
//! a list of 300 links cannot take the place of the form below it.
//!
//! 1. *share*: the largest number of siblings per group with which the whole page fits. Costs are estimates here, one a
//!    line, made once.
//! 2. *write*: groups up to their share; what the shares leave over goes to the main part of the page, or where it has
//!    none, to the groups in page order.
//! 3. *fold*: one line for the rest of a group, with the handle that opens it.

use super::build::{Group, Item};
use crate::view::tokens;

/// Estimated tokens of a fold line.
const FOLD: usize = 18;
/// Groups that a list of siblings shows for each row that a group may show, and at least.
const GROUPS_PER_SHARE: usize = 6;
const FEWEST_GROUPS: usize = 10;
/// Deepest indentation.
const MOST_INDENT: usize = 12;

/// What was written, and what was left out.
#[derive(Debug, Default)]
pub struct Written {
    pub lines: Vec<String>,
    pub shown: usize,
    pub omitted: usize,
}

/// Writes a measured list of siblings; `handle` opens it, `from` is the position of its first item that is wanted.
pub fn write(groups: &[Group], handle: &str, from: usize, limit: usize) -> Written {
    let most = groups.iter().map(widest).max().unwrap_or_default().max(groups.len()).max(1);
    let (mut fit, mut over) = (0, most + 1);
    while over - fit > 1 {
        let middle = fit.midpoint(over);
        if list_cost(groups, middle, 0) <= limit { fit = middle } else { over = middle }
    }
    // With no share at all not even the first of each group fits: then lines are cut where the limit is.
    let (share, strict) = (fit.max(1), fit == 0);
    let spare = limit.saturating_sub(list_cost(groups, share, 0));
    let has_subject = groups.iter().any(has_subject);
    let mut writer =
        Writer { share, spare, strict, left: limit, has_subject, subjects: 0, open: 0, written: Written::default() };
    writer.list(groups, 0, handle, 0, from);
    writer.written
}

fn has_subject(group: &Group) -> bool {
    group.items.iter().any(|item| item.subject || item.groups.iter().any(has_subject))
}

fn widest(group: &Group) -> usize {
    let below = group.items.iter().flat_map(|item| &item.groups).map(widest).max().unwrap_or_default();
    let lists = group.items.iter().map(|item| item.groups.len()).max().unwrap_or_default();
    group.items.len().max(below).max(lists)
}

/// With its line break and indentation.
fn line_cost(tokens: usize, depth: usize) -> usize {
    tokens + 1 + usize::from(depth > 0)
}

/// Estimates every line once; `write` may then be called with several limits.
pub fn measure(groups: &mut [Group]) {
    for item in groups.iter_mut().flat_map(|group| &mut group.items) {
        item.cost = tokens::estimate(&item.line);
        measure(&mut item.groups);
    }
}

fn most_groups(share: usize) -> usize {
    share.saturating_mul(GROUPS_PER_SHARE).saturating_add(FEWEST_GROUPS)
}

/// Nodes that an item and what lies below it stand for.
fn nodes(item: &Item) -> usize {
    item.nodes + item.groups.iter().flat_map(|group| &group.items).map(nodes).sum::<usize>()
}

/// Items of a group that its share lets through: folding a single one would cost what it saves.
fn within(items: usize, share: usize) -> usize {
    if items <= share + 1 { items } else { share }
}

/// Tokens of a list when each group shows at most `share` items.
fn list_cost(groups: &[Group], share: usize, depth: usize) -> usize {
    let most = most_groups(share);
    let shown: usize = groups.iter().take(most).map(|group| group_cost(group, share, depth)).sum();
    shown + if groups.len() > most { FOLD } else { 0 }
}

fn group_cost(group: &Group, share: usize, depth: usize) -> usize {
    let header = group.header.as_ref().map_or(0, |header| line_cost(tokens::estimate(header), depth));
    let shown = within(group.items.len(), share);
    let items: usize = group.items.iter().take(shown).map(|item| item_cost(item, share, depth)).sum();
    header + items + if group.items.len() > shown { FOLD } else { 0 }
}

fn item_cost(item: &Item, share: usize, depth: usize) -> usize {
    let below = if item.flat { depth } else { depth + 1 };
    line_cost(item.cost, depth) + list_cost(&item.groups, share, below)
}

struct Writer {
    share: usize,
    /// What the shares leave over.
    spare: usize,
    /// The shares do not fit the limit, so each line must be held against it.
    strict: bool,
    left: usize,
    /// The page says what it is about, and how deep in that the writer is: what is spare goes there.
    has_subject: bool,
    subjects: usize,
    /// Lists begun and not ended: each may still need a fold line.
    open: usize,
    written: Written,
}

impl Writer {
    /// Writes a line if it and the folds of all open lists fit.
    fn line(&mut self, text: &str, depth: usize) -> bool {
        let cost = line_cost(tokens::estimate(text), depth);
        if self.strict && cost + FOLD * self.open > self.left {
            return false;
        }
        self.left = self.left.saturating_sub(cost);
        self.written.lines.push(format!("{}{text}", "  ".repeat(depth.min(MOST_INDENT))));
        true
    }

    fn fold(&mut self, rest: &[&Item], depth: usize, handle: &str, position: usize) {
        let Some(first) = rest.first() else { return };
        let noun = if rest.iter().all(|item| item.noun == first.noun) { first.noun } else { "nodes" };
        let line = format!("… {} more {noun} (expand {handle} from {position})", rest.len());
        self.written.omitted += rest.iter().map(|item| nodes(item)).sum::<usize>();
        self.left = self.left.saturating_sub(FOLD);
        self.written.lines.push(format!("{}{line}", "  ".repeat(depth.min(MOST_INDENT))));
    }

    /// As `fold`, but before the lines that were written since `at`.
    fn fold_before(&mut self, at: usize, rest: &[&Item], depth: usize, handle: &str, position: usize) {
        self.fold(rest, depth, handle, position);
        if let Some(line) = self.written.lines.pop() {
            self.written.lines.insert(at, line);
        }
    }

    fn list(&mut self, groups: &[Group], depth: usize, handle: &str, base: usize, from: usize) {
        self.open += 1;
        let mut position = base;
        // Groups of which nothing fits share a fold with their neighbors.
        let mut silent: Vec<&Item> = vec![];
        let mut silent_from = base;
        for (place, group) in groups.iter().enumerate() {
            let skipped = from.saturating_sub(position).min(group.items.len());
            position += skipped;
            if skipped == group.items.len() && skipped > 0 {
                continue;
            }
            let items = &group.items[skipped..];
            let header = group.header.as_deref();
            let at = self.written.lines.len();
            let fits = place < most_groups(self.share) && header.is_none_or(|header| self.line(header, depth));
            let shown = if fits { self.items(items, depth) } else { 0 };
            if shown > 0 && !silent.is_empty() {
                self.fold_before(at, &silent, depth, handle, silent_from);
                silent.clear();
            }
            if silent.is_empty() {
                silent_from = position + shown;
            }
            position += items.len();
            if shown == items.len() {
                continue;
            }
            silent.extend(&items[shown..]);
            // A group that was cut for its share is folded alone; one that did not fit takes the rest of the list along.
            let room = fits && (!self.strict || self.left >= FOLD * (self.open + 2));
            if !room {
                silent.extend(groups[place + 1..].iter().flat_map(|group| &group.items));
                break;
            }
            if shown > 0 {
                self.fold(&silent, depth, handle, silent_from);
                silent.clear();
            }
        }
        if !silent.is_empty() {
            self.fold(&silent, depth, handle, silent_from);
        }
        self.open -= 1;
    }

    /// Writes items of one group up to its share and what is spare; how many were written.
    fn items(&mut self, items: &[Item], depth: usize) -> usize {
        let share = within(items.len(), self.share);
        for (place, item) in items.iter().enumerate() {
            if place >= share {
                let cost = item_cost(item, self.share, depth);
                if cost > self.spare || (self.has_subject && self.subjects == 0) {
                    return place;
                }
                self.spare -= cost;
            }
            if !self.line(&item.line, depth) {
                return place;
            }
            self.written.shown += item.nodes;
            let below = if item.flat { depth } else { depth + 1 };
            self.subjects += usize::from(item.subject);
            self.list(&item.groups, below, &item.handle, item.base, 0);
            self.subjects -= usize::from(item.subject);
        }
        items.len()
    }
}
