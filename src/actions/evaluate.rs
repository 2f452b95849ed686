//! `evaluate`: an expression in the page's own world. Offered only with the capability of its name.

use serde::Deserialize;
use serde_json::json;

use crate::{
    actions::{
        args::{Field, Schema},
        permission,
        registry::{Definition, Ran, read},
        reply::ToolReply,
        session::Call,
    },
    spec::tool::Tier,
};

/// Most characters of a value in the text.
const TEXT: usize = 4_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    expression: String,
    node_id: Option<String>,
}

pub fn definition() -> Definition {
    Definition {
        name: "evaluate",
        description: "Evaluate JavaScript in the page; with nodeId, `element` is the node.",
        tier: Tier(2),
        permission: permission::acts("script"),
        aliases: &[],
        capability: Some("evaluate"),
        schema: Schema::of([
            Field::new("expression", "string", "").required(),
            Field::new("nodeId", "string", ""),
            Field::new("timeoutMs", "integer", ""),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let args: Args = read(call.action, call.args)?;
        let page = call.session.page(call.deadline).await?;
        let handle = match &args.node_id {
            Some(id) => Some(page.resolve(id, call.deadline).await?),
            None => None,
        };
        let value = page.evaluate(&args.expression, handle.as_ref(), call.deadline).await?;
        let text: String = value.to_string().chars().take(TEXT).collect();
        Ok(ToolReply::ok(text, json!({"ok": true, "value": value})))
    })
}
