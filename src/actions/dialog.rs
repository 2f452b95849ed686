//! `dialog`: answers the open dialog, or sets what happens to the next ones.

use serde::Deserialize;
use serde_json::json;

use crate::{
    actions::{
        args::{Field, Schema},
        error::ToolError,
        navigate, permission,
        registry::{Definition, Ran, read},
        reply::{ToolReply, word},
        session::Call,
    },
    page::dialogs::DialogPolicy,
    spec::tool::Tier,
};

#[derive(Deserialize)]
struct Args {
    accept: Option<bool>,
    text: Option<String>,
    policy: Option<DialogPolicy>,
}

pub fn definition() -> Definition {
    Definition {
        name: "dialog",
        description: "Answer the open JavaScript dialog, or set what happens to the next ones.",
        tier: Tier(0),
        permission: permission::acts("browser_input"),
        aliases: &[],
        capability: None,
        schema: Schema::of([
            Field::new("accept", "boolean", ""),
            Field::new("text", "string", "for a prompt"),
            Field::new("policy", "string", "").one_of(&["accept", "dismiss", "ask"]),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let args: Args = read(call.action, call.args)?;
        let page = call.session.page(call.deadline).await?;
        let answer = args.accept.or(args.text.as_ref().map(|_| true));
        let mut policy = args.policy;
        let mut answered = None;
        match (page.dialog(), answer) {
            (Some(_), Some(accept)) => {
                answered = Some(page.answer_dialog(accept, args.text.as_deref(), call.deadline).await?);
            }
            (None, Some(_)) if args.text.is_some() => {
                return Err(ToolError::invalid(
                    "no dialog is open, and a text is kept for none",
                    "set policy to `ask`, do what opens the prompt, then answer it",
                ));
            }
            // No dialog is open: the answer is for the next.
            (None, Some(accept)) => {
                policy = policy.or(Some(if accept { DialogPolicy::Accept } else { DialogPolicy::Dismiss }));
            }
            (_, None) => {}
        }
        if let Some(policy) = policy {
            for page in call.session.context().pages() {
                page.set_dialog_policy(policy);
            }
        }
        let open = page.dialog();
        let mut lines = vec![];
        lines.extend(answered.as_ref().map(navigate::dialog));
        lines.extend(policy.map(|policy| format!("next dialogs: {}", word(&policy))));
        lines.extend(open.as_ref().map(|open| format!("open: {} {:?}", open.kind, open.message)));
        if lines.is_empty() {
            lines.push("no dialog is open".to_owned());
        }
        let structured = json!({"ok": true, "answered": answered, "policy": policy, "open": open});
        Ok(ToolReply::ok(lines.join("\n"), structured))
    })
}
