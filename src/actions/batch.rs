//! `batch`: several actions in order, up to the first that fails; one delta for all of them.

use serde::Deserialize;
use serde_json::json;

use crate::{
    actions::{
        act,
        args::{Field, Schema},
        delta,
        error::ToolError,
        permission,
        registry::{Definition, Ran, read},
        reply::ToolReply,
        session::Call,
    },
    spec::{
        action::{ActionRequest, ActionResult},
        tool::Tier,
    },
};

/// Most actions of one batch.
const MOST: usize = 50;

#[derive(Deserialize)]
struct Args {
    actions: Vec<ActionRequest>,
}

pub fn definition() -> Definition {
    Definition {
        name: "batch",
        description: "Several acts in order; stops at the first failure.",
        tier: Tier(0),
        permission: permission::acts("browser_input"),
        aliases: &[],
        capability: None,
        schema: Schema::of([
            Field::new("actions", "array", "each as for act").required().with("items", json!({"type": "object"})),
            Field::new("timeoutMs", "integer", "for all together"),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let Args { actions } = read(call.action, call.args)?;
        if actions.is_empty() || actions.len() > MOST {
            return Err(ToolError::invalid(
                format!("a batch has 1 to {MOST} actions, not {}", actions.len()),
                "split it",
            ));
        }
        let page = call.session.page(call.deadline).await?;
        let before = delta::before(call.session, &page, call.deadline).await;
        let mut results: Vec<ActionResult> = vec![];
        for request in &actions {
            let result = act::perform(call.session, &page, request, call.deadline).await?;
            let failed = !result.success;
            results.push(result);
            if failed {
                break;
            }
        }
        let ok = results.iter().all(|result| result.success);
        let mut lines: Vec<String> = results.iter().map(act::line).collect();
        if results.len() < actions.len() {
            lines.push(format!("{} of {} not done", actions.len() - results.len(), actions.len()));
        }
        if results.iter().any(act::worth_a_look)
            && results.last().is_none_or(|last| last.error.is_some() || act::worth_a_look(last))
        {
            let left = results.iter().any(act::left);
            if let Some(view) = delta::after(call.session, &page, before.as_ref(), left, call.deadline).await {
                lines.push(view.text);
            }
        }
        let error = results.last().and_then(|last| last.error.clone());
        let mut structured = json!({"ok": ok, "results": results});
        if let Some(error) = error {
            structured["error"] = json!(error);
        }
        Ok(ToolReply { text: lines.join("\n"), structured, is_error: !ok, images: vec![] })
    })
}
