//! `act`: one action on one node, through the gate. The reply's text is the result line, then what changed; the exact
//! result is beside it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    actions::{
        args::{Field, Schema},
        delta,
        navigate::dialog,
        permission,
        registry::{Definition, Ran, read},
        reply::{ToolReply, one_line, said, word},
        session::{AgentSession, Call},
    },
    page::{error::PageError, tab::Page},
    spec::{
        action::{ActionRequest, ActionResult, Effect, Observed, Verb},
        deadline::Deadline,
        tool::Tier,
    },
};

/// Console errors and failed requests that the text names.
const NAMED: usize = 3;
/// Longest of them, in characters.
const LINE: usize = 200;

pub fn definition() -> Definition {
    let mut fields = fields();
    fields.push(Field::new("options", "object", "").with("properties", options()));
    Definition {
        name: "act",
        description: "Act on a node as a user would; replies with what changed.",
        tier: Tier(0),
        permission: permission::acts("browser_input"),
        aliases: &["wci_dispatch"],
        capability: None,
        schema: Schema::of(fields),
        run,
    }
}

/// What names an action; `batch` takes the same.
pub fn fields() -> Vec<Field> {
    let verbs: Vec<&str> = Verb::ALL.into_iter().map(Verb::name).collect();
    vec![
        Field::new("nodeId", "string", "ref, WCI id, or css= role=button[name=\"Go\"] label= text= testid="),
        Field::new("action", "string", &verbs.join(" ")).required(),
        Field::new("value", "", "text, option(s), true/false, key(s) such as Control+A, or {x,y} to scroll by"),
    ]
}

fn options() -> Value {
    json!({
        "button": {"type": "string"}, "modifiers": {"type": "array", "items": {"type": "string"}},
        "clickCount": {"type": "integer"}, "timeoutMs": {"type": "integer"},
        "position": {"type": "object", "description": "{x,y} in the node"},
        "to": {"type": "string", "description": "drag target"},
        "files": {"type": "array", "items": {"type": "string"}},
        "confirm": {"type": "boolean", "description": "the user agreed"},
    })
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let request: ActionRequest = read(call.action, call.args)?;
        let page = call.session.page(call.deadline).await?;
        let before = delta::before(call.session, &page, call.deadline).await;
        let result = perform(call.session, &page, &request, call.deadline).await?;
        let mut text = line(&result);
        if worth_a_look(&result) {
            let navigated = left(&result);
            if let Some(view) = delta::after(call.session, &page, before.as_ref(), navigated, call.deadline).await {
                text = format!("{text}\n{}", view.text);
            }
        }
        Ok(ToolReply { text, is_error: !result.success, structured: json!(result), images: vec![] })
    })
}

/// One action through the gate.
pub async fn perform(
    session: &AgentSession,
    page: &Page,
    request: &ActionRequest,
    deadline: Deadline,
) -> Result<ActionResult, PageError> {
    let site = session.sites.of(page, deadline).await;
    Ok(session.gate.dispatch(page, &site, request, deadline).await)
}

/// Whether the page may look different now.
pub fn worth_a_look(result: &ActionResult) -> bool {
    let open = |observed: &Observed| observed.dialog.as_ref().is_some_and(|dialog| dialog.outcome == "open");
    result.success && !result.observed.as_ref().is_some_and(open)
}

/// Whether the action led to another document.
pub fn left(result: &ActionResult) -> bool {
    result.observed.as_ref().is_some_and(|observed| observed.effect == Effect::Navigated)
}

/// The result for a model: what was done, what received it, what was seen.
pub fn line(result: &ActionResult) -> String {
    let did = format!("{} {}", one_line(&result.action, LINE), one_line(&result.node_id, LINE)).trim_end().to_owned();
    let mut lines = vec![match (&result.error, &result.observed) {
        (Some(error), _) => format!("failed: {did}: {}", said(error)),
        (None, Some(observed)) => format!("ok: {did}: {}", effect(observed)),
        (None, None) => format!("ok: {did}"),
    }];
    if let Some(observed) = &result.observed {
        lines.extend(observed.dialog.as_ref().map(dialog));
        if let Some(popup) = &observed.popup {
            lines.push(format!("opened {} {}; `tabs` selects it", popup.tab, popup.url));
        }
        if let Some(file) = &observed.download {
            lines.push(format!("downloaded {:?}, {} bytes, to {}", file.name, file.size, file.path));
        }
        if observed.file_chooser == Some(true) {
            lines.push("a file chooser opened; use `upload` on the input".to_owned());
        }
        if let Some(validity) = &observed.validity {
            lines.push(format!("the field is not valid: {validity:?}"));
        }
        lines.extend(few("console", &observed.console));
        lines.extend(few("request failed", &observed.failed_requests));
    }
    for side in result.side_effects.iter().take(NAMED) {
        lines.push(format!("{} became {}", side.node_id, Value::Object(side.change.clone())));
    }
    lines.join("\n")
}

fn effect(observed: &Observed) -> String {
    let mut parts = vec![match observed.effect {
        Effect::None => "no effect was seen".to_owned(),
        Effect::Navigated => {
            let to = observed.url.as_deref().unwrap_or_default();
            format!("navigated to {to} {:?}", observed.title.as_deref().unwrap_or_default())
        }
        other => word(&other),
    }];
    if let Some(hit) = &observed.hit {
        parts.push(format!("hit {hit}"));
    }
    if let Some(value) = &observed.value {
        parts.push(format!("value {value}"));
    }
    parts.join(", ")
}

/// The first few of a list, each once.
fn few(what: &str, all: &[String]) -> Vec<String> {
    let each: BTreeSet<&String> = all.iter().collect();
    let mut lines: Vec<String> =
        each.iter().take(NAMED).map(|one| format!("{what}: {}", one_line(one, LINE))).collect();
    if each.len() > NAMED {
        lines.push(format!("{what}: … {} more", each.len() - NAMED));
    }
    lines
}

#[cfg(test)]
mod tests;
