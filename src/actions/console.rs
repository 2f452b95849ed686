//! `console`: the last lines of the page's console.

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
    page::log::ConsoleEntry,
    spec::tool::Tier,
};

/// Lines when the call asks for no number.
const LIMIT: usize = 20;
/// Longest line in the text, in characters.
const LINE: usize = 300;

#[derive(Deserialize)]
struct Args {
    level: Option<String>,
    limit: Option<usize>,
}

pub fn definition() -> Definition {
    Definition {
        name: "console",
        description: "The last console lines.",
        tier: Tier(0),
        permission: permission::reads("page_read"),
        aliases: &[],
        capability: None,
        schema: Schema::of([
            Field::new("level", "string", "").one_of(&["all", "error", "warning"]),
            Field::new("limit", "integer", ""),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let args: Args = read(call.action, call.args)?;
        let page = call.session.page(call.deadline).await?;
        let wanted = |entry: &ConsoleEntry| match args.level.as_deref() {
            None | Some("all") => true,
            Some("error") => matches!(entry.level.as_str(), "error" | "assert" | "exception"),
            Some(level) => entry.level == level,
        };
        let all: Vec<ConsoleEntry> = page.console().into_iter().filter(wanted).collect();
        let shown = &all[all.len().saturating_sub(args.limit.unwrap_or(LIMIT))..];
        let mut lines: Vec<String> = shown.iter().map(|entry| line(&entry.level, &entry.text)).collect();
        if lines.is_empty() {
            lines.push("the console is empty".to_owned());
        }
        Ok(ToolReply::ok(lines.join("\n"), json!({"ok": true, "total": all.len(), "entries": shown})))
    })
}

fn line(level: &str, text: &str) -> String {
    format!("{level}: {}", one_line(text, LINE))
}
