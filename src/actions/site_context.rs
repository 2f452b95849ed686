//! `site_context`: what the site of the page says to agents, and what its policy means here.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use crate::{
    actions::{
        args::{Field, Schema},
        navigate::{Target, go},
        permission,
        registry::{Definition, Ran, read},
        reply::{ToolReply, one_line},
        session::Call,
    },
    page::navigation::WaitUntil,
    site::{context::SiteContext, policy::PolicyState},
    spec::tool::Tier,
};

/// Most characters of the narrative in the text.
const NARRATIVE: usize = 2_000;
/// How long a tab of our own may take to close.
const CLOSE: Duration = Duration::from_secs(1);

#[derive(Deserialize)]
struct Args {
    url: Option<String>,
}

pub fn definition() -> Definition {
    Definition {
        name: "site_context",
        description: "What the site publishes for agents: purpose, task flows, policy.",
        tier: Tier(0),
        permission: permission::reads("page_read"),
        aliases: &[],
        capability: None,
        schema: Schema::of([Field::new("url", "string", "default: the current page")]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let args: Args = read(call.action, call.args)?;
        let here = call.session.page(call.deadline).await?;
        let site = match &args.url {
            None => call.session.sites.of(&here, call.deadline).await,
            Some(url) => {
                // Read in a tab of its own, so that the current page stays.
                let aside = call.session.context().new_page(call.deadline).await?;
                call.session.select(&aside);
                let went = go(call.session, Target::Url(url), WaitUntil::DomContentLoaded, call.deadline).await;
                let site = call.session.sites.of(&aside, call.deadline).await;
                call.session.select(&here);
                // It goes with the session at the latest.
                let _ = aside.close(call.deadline.at_most(CLOSE)).await;
                went?;
                site
            }
        };
        let mut structured = json!(site.context);
        structured["ok"] = true.into();
        Ok(ToolReply::ok(said(&site.context), structured))
    })
}

/// A site in a few lines for a model.
pub fn said(context: &SiteContext) -> String {
    let mut lines = vec![match &context.policy {
        PolicyState::None => format!("{}: no policy, nothing is restricted", context.origin),
        PolicyState::Unavailable { url, why } => {
            format!(
                "{}: the policy at {url} cannot be read ({why}); reading is allowed, acting is refused",
                context.origin
            )
        }
        PolicyState::Known(policy) => {
            let directives = &policy.directives;
            let list = |what: &str, list: &[String]| {
                if list.is_empty() { String::new() } else { format!("; {what} {}", list.join(", ")) }
            };
            format!(
                "{}: policy{}{}{}{}; at most {} actions and {} views a minute",
                context.origin,
                list("allowed:", &directives.allowed_scopes),
                list("denied:", &directives.denied_scopes),
                list("login for:", &directives.auth_required),
                list("a person confirms:", &directives.require_human_confirmation),
                directives.rate_limit_actions,
                directives.rate_limit_distil,
            )
        }
    }];
    if let Some(manifest) = &context.manifest {
        let name = manifest.site.name.as_deref().unwrap_or_default();
        let purpose = manifest.site.purpose.as_deref().unwrap_or_default();
        lines.push(one_line(&format!("{name}: {purpose}"), NARRATIVE));
        for flow in &manifest.task_flows {
            let steps: Vec<&str> = flow.steps.iter().map(|step| step.scope.as_str()).collect();
            let flow = format!("flow {}: {} ({})", flow.id, flow.description, steps.join(" → "));
            lines.push(one_line(&flow, NARRATIVE));
        }
    }
    if let Some(narrative) = &context.narrative {
        let end = narrative.text.char_indices().nth(NARRATIVE).map_or(narrative.text.len(), |(end, _)| end);
        lines.push("the site says of itself:".to_owned());
        // Marked line by line: none of them can pass for one of ours.
        lines.extend(narrative.text[..end].lines().map(|line| format!("| {}", one_line(line, end))));
    }
    lines.join("\n")
}
