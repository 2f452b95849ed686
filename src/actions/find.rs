//! `find`: nodes by what they say, without the rest of the page.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    actions::{
        args::{Field, Schema},
        error::ToolError,
        permission,
        registry::{Definition, Ran, read},
        reply::ToolReply,
        session::Call,
    },
    spec::{
        snapshot::{SnapNode, Snapshot},
        tool::Tier,
    },
};

/// Most matches of one reply.
const MOST: usize = 20;
/// Longest text of one match, in characters.
const TEXT: usize = 120;

#[derive(Deserialize)]
struct Args {
    query: String,
    role: Option<String>,
}

pub fn definition() -> Definition {
    Definition {
        name: "find",
        description: "Find nodes by text; gives refs.",
        tier: Tier(0),
        permission: permission::reads("page_read"),
        aliases: &[],
        capability: None,
        schema: Schema::of([
            Field::new("query", "string", "part of name, text or value").required(),
            Field::new("role", "string", ""),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let args: Args = read(call.action, call.args)?;
        if args.query.trim().is_empty() {
            return Err(ToolError::invalid("the query is empty", "give a part of the text to find"));
        }
        let page = call.session.page(call.deadline).await?;
        let snapshot = page.snapshot(call.deadline).await?;
        let found = matches(&snapshot, args.query.trim(), args.role.as_deref());
        let shown = &found[..found.len().min(MOST)];
        let mut lines: Vec<String> = shown.iter().map(|at| line(&snapshot, *at)).collect();
        if found.len() > MOST {
            lines.push(format!("… {} more", found.len() - MOST));
        }
        if found.is_empty() {
            lines.push(format!("nothing visible matches {:?}", args.query));
        }
        let nodes: Vec<Value> = shown.iter().map(|at| node(&snapshot, *at)).collect();
        let reply = ToolReply::ok(lines.join("\n"), json!({"ok": true, "total": found.len(), "matches": nodes}));
        // A ref that is acted on next is compared with this look.
        call.session.saw(&page, Arc::new(snapshot));
        Ok(reply)
    })
}

/// Positions of the nodes that match; what can be used comes before what can only be read, whole names before parts.
fn matches(snapshot: &Snapshot, query: &str, role: Option<&str>) -> Vec<usize> {
    let query = query.to_lowercase();
    let mut found: Vec<(u8, usize)> = vec![];
    for (at, node) in snapshot.nodes.iter().enumerate() {
        let fields = [
            Some(&node.name),
            node.value.as_ref(),
            Some(&node.description),
            node.placeholder.as_ref(),
            node.wci_id.as_ref(),
        ];
        let mut texts = fields.into_iter().flatten().map(|text| text.to_lowercase());
        let of_role = role.is_none_or(|role| node.role.eq_ignore_ascii_case(role));
        if !of_role || !texts.any(|text| text.contains(&query)) {
            continue;
        }
        let usable = node.interactive || node.clickable || node.editable;
        let exact = node.name.to_lowercase() == query;
        let rank = match (usable, exact) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        };
        // A text inside a node that says the same has been found with it.
        let told = node.role == "text"
            && node.parent.and_then(|parent| snapshot.nodes.get(parent as usize)).is_some_and(|parent| {
                !parent.node_ref.is_empty() && role.is_none() && parent.name.to_lowercase().contains(&query)
            });
        if !told {
            found.push((rank, at));
        }
    }
    found.sort_by_key(|(rank, at)| (*rank, *at));
    found.into_iter().map(|(_, at)| at).collect()
}

/// The ref of a node; of a text, that of the nearest element around it.
fn nearest_ref(snapshot: &Snapshot, at: usize) -> &str {
    let mut node = &snapshot.nodes[at];
    while node.node_ref.is_empty() {
        match node.parent.and_then(|parent| snapshot.nodes.get(parent as usize)) {
            Some(parent) => node = parent,
            None => break,
        }
    }
    &node.node_ref
}

fn line(snapshot: &Snapshot, at: usize) -> String {
    let node = &snapshot.nodes[at];
    let mut line = format!("{} {} {:?}", nearest_ref(snapshot, at), role(node), cut(&node.name));
    if let Some(value) = &node.value {
        line.push_str(&format!(" = {:?}", cut(value)));
    }
    if node.disabled {
        line.push_str(" [disabled]");
    }
    line.trim_start().to_owned()
}

fn node(snapshot: &Snapshot, at: usize) -> Value {
    let node = &snapshot.nodes[at];
    let mut found = json!({"ref": nearest_ref(snapshot, at), "role": role(node), "name": cut(&node.name)});
    if let Some(value) = &node.value {
        found["value"] = json!(cut(value));
    }
    if let Some(id) = &node.wci_id {
        found["wciId"] = json!(id);
    }
    found
}

fn role(node: &SnapNode) -> &str {
    if node.role.is_empty() { "element" } else { &node.role }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
