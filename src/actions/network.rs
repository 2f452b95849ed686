//! `network`: the last requests of the page.

use serde::Deserialize;
use serde_json::json;

use crate::{
    actions::{
        args::{Field, Schema},
        permission,
        registry::{Definition, Ran, read},
        reply::{ToolReply, one_line},
        session::Call,
    },
    page::log::NetworkEntry,
    spec::tool::Tier,
};

/// Requests when the call asks for no number.
const LIMIT: usize = 30;
/// Longest address in the text, in characters.
const ADDRESS: usize = 200;

#[derive(Deserialize)]
struct Args {
    /// A part of the address.
    url: Option<String>,
    #[serde(default)]
    failed: bool,
    limit: Option<usize>,
}

pub fn definition() -> Definition {
    Definition {
        name: "network",
        description: "The last requests.",
        tier: Tier(0),
        permission: permission::reads("page_read"),
        aliases: &[],
        capability: None,
        schema: Schema::of([
            Field::new("url", "string", "part of it"),
            Field::new("failed", "boolean", ""),
            Field::new("limit", "integer", ""),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let args: Args = read(call.action, call.args)?;
        let page = call.session.page(call.deadline).await?;
        let wanted = |entry: &NetworkEntry| {
            args.url.as_ref().is_none_or(|part| entry.url.contains(part.as_str())) && (!args.failed || failed(entry))
        };
        let all: Vec<NetworkEntry> = page.network().into_iter().filter(wanted).collect();
        let shown = &all[all.len().saturating_sub(args.limit.unwrap_or(LIMIT))..];
        let mut lines: Vec<String> = shown.iter().map(line).collect();
        if lines.is_empty() {
            lines.push("no requests".to_owned());
        }
        Ok(ToolReply::ok(lines.join("\n"), json!({"ok": true, "total": all.len(), "requests": shown})))
    })
}

fn failed(entry: &NetworkEntry) -> bool {
    entry.error.is_some() || entry.status.is_some_and(|status| status >= 400)
}

fn line(entry: &NetworkEntry) -> String {
    let url = one_line(&entry.url, ADDRESS);
    let outcome = match (&entry.error, entry.status) {
        (Some(error), _) => error.clone(),
        (None, Some(status)) => status.to_string(),
        (None, None) => "pending".to_owned(),
    };
    format!("{} {url} {outcome} {}", entry.method, entry.kind)
}
