//! The WCI view as Markdown: two tables, as the seed's section 5 and reference 1.3.0 write them.

use serde_json::Value;

use super::wci_json::{Heading, minified};
use crate::spec::{
    view::ViewOptions,
    wci::{WCI_VERSION, WciNodeSpec},
};

const ACTIONABLE: [&str; 4] = ["action", "form", "nav", "landmark"];

/// The whole Markdown, without a trailing newline.
pub fn render(nodes: &[WciNodeSpec], heading: &Heading<'_>, options: &ViewOptions) -> String {
    let mut lines = Vec::new();
    if let Some(site) = heading.site {
        lines.push(format!("> **Site:** {} — {}", site.name, site.purpose.as_deref().unwrap_or("undefined")));
        for (title, scopes) in [("Denied scopes", &site.denied_scopes), ("Auth required for", &site.auth_required_for)]
        {
            if let Some(scopes) = scopes.as_ref().filter(|scopes| !scopes.is_empty()) {
                lines.push(format!("> **{title}:** {}", scopes.join(", ")));
            }
        }
        if let Some(flow) = site.active_task_flow.as_deref().filter(|flow| !flow.is_empty()) {
            let step = site.current_step.map_or_else(|| "?".to_owned(), |step| step.to_string());
            lines.push(format!("> **Active task flow:** {flow} (step {step})"));
        }
        lines.push(String::new());
    }
    lines.push(format!("## Page: {}", heading.title));
    if let Some(scope) = options.scope.as_deref().filter(|scope| !scope.is_empty()) {
        let desc = heading.scope_desc.filter(|desc| !desc.is_empty()).map(|desc| format!(" — {desc}"));
        lines.push(format!("**Scope:** `{scope}`{}", desc.unwrap_or_default()));
    }
    lines.push(String::new());
    let (actionable, rest): (Vec<_>, Vec<_>) = nodes.iter().partition(|node| ACTIONABLE.contains(&node.role.as_str()));
    if !actionable.is_empty() {
        lines.extend(
            [
                "### Actionable Nodes",
                "",
                "| ID | Role | Description | Action | Required | State |",
                "|----|------|-------------|--------|----------|-------|",
            ]
            .map(str::to_owned),
        );
        for node in actionable {
            let action = node.action.as_ref().map_or_else(|| "—".to_owned(), |action| format!("`{action}`"));
            let required = if node.required == Some(true) { "✅" } else { "—" };
            let (id, desc, state) = (cell(&node.id), cell(&node.desc), state(node, options));
            lines.push(format!("| `{id}` | {} | {desc} | {action} | {required} | {state} |", node.role));
            if let Some(choices) = node.options.as_ref().filter(|choices| !choices.is_empty()) {
                let choices: Vec<String> = choices.iter().map(|choice| format!("`{}`", cell(choice))).collect();
                lines.push(format!("| | | *Options:* {} | | | |", choices.join(", ")));
            }
        }
        lines.push(String::new());
    }
    if !rest.is_empty() {
        lines.extend(
            ["### Status & Display Nodes", "", "| ID | Description | State |", "|----|-------------|-------|"]
                .map(str::to_owned),
        );
        for node in rest {
            lines.push(format!("| `{}` | {} | {} |", cell(&node.id), cell(&node.desc), state(node, options)));
        }
        lines.push(String::new());
    }
    let conditions = nodes.iter().filter_map(|node| {
        let condition = node.precondition.as_ref().filter(|condition| !condition.is_empty())?;
        Some(format!("> ⚠️ **Precondition on `{}`:** {condition}", node.id))
    });
    let before = lines.len();
    lines.extend(conditions);
    if lines.len() > before {
        lines.push(String::new());
    }
    if heading.dropped > 0 {
        lines.push(format!("*{} more nodes left out for the budget*", heading.dropped));
    }
    lines.push(format!("*Distilled at {} · WCI v{WCI_VERSION}*", heading.now));
    lines.join("\n")
}

fn state(node: &WciNodeSpec, options: &ViewOptions) -> String {
    if !options.include_state {
        return String::new();
    }
    let pairs = node.state.iter().map(|(key, value): (&String, &Value)| format!("{key}={}", minified(value)));
    cell(&pairs.collect::<Vec<_>>().join(", "))
}

/// Escapes a table cell.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace("\r\n", " ").replace('\n', " ")
}

#[cfg(test)]
mod tests;
