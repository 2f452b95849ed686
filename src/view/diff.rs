//! The difference of two WCI views by the rules of reference 1.3.0: nodes by id (of equal ids the last one counts),
//! fields compared as JSON, so that the order of keys counts too.

use serde_json::{Map, Value, json};

use super::wci_json::{minified, node_json, pretty};
use crate::spec::{
    view::ViewOptions,
    wci::{WCI_VERSION, WciNodeSpec},
};

/// Fields that are compared, in the order in which changes are told.
const FIELDS: [&str; 11] =
    ["role", "desc", "action", "state", "precondition", "required", "options", "emits", "scope", "hidden", "priority"];

/// What became of the nodes of a view.
#[derive(Debug, Clone, PartialEq)]
pub struct Diff {
    added: Vec<Map<String, Value>>,
    removed: Vec<String>,
    updated: Vec<Update>,
}

/// One node that says something else. A field that is absent on one side is absent here.
#[derive(Debug, Clone, PartialEq)]
struct Update {
    id: String,
    /// Field, value before, value after.
    fields: Vec<(&'static str, Option<Value>, Option<Value>)>,
}

impl Diff {
    /// The difference of two lists of nodes, written as `options` say.
    pub fn between(before: &[WciNodeSpec], after: &[WciNodeSpec], options: &ViewOptions) -> Self {
        let (before, after) = (by_id(before, options), by_id(after, options));
        let mut diff = Self { added: vec![], removed: vec![], updated: vec![] };
        for (id, node) in &after {
            let Some(old) = before.get(id).and_then(Value::as_object) else {
                diff.added.extend(node.as_object().cloned());
                continue;
            };
            let fields = FIELDS.iter().filter_map(|field| {
                let (was, is) = (old.get(*field).cloned(), node.get(*field).cloned());
                (text(was.as_ref()) != text(is.as_ref())).then_some((*field, was, is))
            });
            let fields: Vec<_> = fields.collect();
            if !fields.is_empty() {
                diff.updated.push(Update { id: id.clone(), fields });
            }
        }
        diff.removed = before.keys().filter(|id| !after.contains_key(*id)).cloned().collect();
        diff
    }

    /// Nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.updated.is_empty()
    }

    /// Nodes that it tells of.
    pub fn len(&self) -> usize {
        self.added.len() + self.removed.len() + self.updated.len()
    }

    /// The diff as JSON; `from` and `to` are the times of the two views.
    pub fn json(&self, from: &str, to: &str, scope: Option<&str>) -> String {
        pretty(&self.value(from, to, scope))
    }

    fn value(&self, from: &str, to: &str, scope: Option<&str>) -> Value {
        let mut out = Map::new();
        out.insert("wci_version".into(), WCI_VERSION.into());
        out.insert("kind".into(), "diff".into());
        out.insert("from".into(), from.into());
        out.insert("to".into(), to.into());
        if let Some(scope) = scope {
            out.insert("scope".into(), scope.into());
        }
        let updated = self.updated.iter().map(|update| {
            let (mut changed, mut previous) = (Map::new(), Map::new());
            for (field, was, is) in &update.fields {
                if let Some(is) = is {
                    changed.insert((*field).into(), is.clone());
                }
                if let Some(was) = was {
                    previous.insert((*field).into(), was.clone());
                }
            }
            json!({"id": update.id, "changed": changed, "previous": previous})
        });
        let updated: Vec<Value> = updated.collect();
        out.insert("added".into(), json!(self.added));
        out.insert("removed".into(), json!(self.removed));
        out.insert("updated".into(), updated.into());
        out.insert("unchanged".into(), self.is_empty().into());
        Value::Object(out)
    }

    /// The diff as Markdown. What is absent reads `undefined`, as the reference writes it.
    pub fn markdown(&self) -> String {
        if self.is_empty() {
            return "_No changes since the previous view._".into();
        }
        let mut blocks = vec!["### Changes since last view".to_owned()];
        if !self.added.is_empty() {
            let lines = self.added.iter().map(|node| {
                let field = |key: &str| node.get(key).and_then(Value::as_str).unwrap_or("undefined");
                format!("- `{}` ({}) — {}", field("id"), field("role"), field("desc"))
            });
            blocks.push(block("**Added**", lines));
        }
        if !self.updated.is_empty() {
            let lines = self.updated.iter().map(|update| {
                let fields = update
                    .fields
                    .iter()
                    .map(|(field, was, is)| format!("{field}: {} → {}", text(was.as_ref()), text(is.as_ref())));
                format!("- `{}` — {}", update.id, fields.collect::<Vec<_>>().join("; "))
            });
            blocks.push(block("**Updated**", lines));
        }
        if !self.removed.is_empty() {
            let ids: Vec<String> = self.removed.iter().map(|id| format!("`{id}`")).collect();
            blocks.push(format!("**Removed** — {}", ids.join(", ")));
        }
        blocks.join("\n\n")
    }
}

fn block(title: &str, lines: impl Iterator<Item = String>) -> String {
    std::iter::once(title.to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

/// `JSON.stringify`, which gives `undefined` for what is absent.
fn text(value: Option<&Value>) -> String {
    value.map_or_else(|| "undefined".to_owned(), minified)
}

/// Nodes by id: the place of the first, the content of the last.
fn by_id(nodes: &[WciNodeSpec], options: &ViewOptions) -> Map<String, Value> {
    let mut map = Map::new();
    for node in nodes {
        map.insert(node.id.clone(), Value::Object(node_json(node, options)));
    }
    map
}

#[cfg(test)]
mod tests;
