//! `view`: the page within a budget, or what changed of it since an earlier view.

use std::{
    sync::{Arc, PoisonError},
    time::Instant,
};

use serde_json::json;

use crate::{
    actions::{
        args::{Field, Schema},
        error::ToolError,
        permission,
        registry::{Definition, Ran, read},
        reply::ToolReply,
        session::{AgentSession, Call, Seen},
    },
    page::tab::Page,
    site::rates::Kind,
    spec::{
        deadline::Deadline,
        tool::Tier,
        view::{Format, View, ViewOptions},
        wci::SiteContextSummary,
    },
    view::distil::{DistilContext, Earlier, delta, distil},
};

pub fn definition() -> Definition {
    Definition {
        name: "view",
        description: "The page as a compact outline with refs (e12) for act. Folds open with expand; since gives only changes.",
        tier: Tier(0),
        permission: permission::reads("page_read"),
        aliases: &["snapshot", "wci_view"],
        capability: None,
        schema: Schema::of([
            Field::new("format", "string", "").one_of(&["outline", "json", "markdown"]),
            Field::new("budget", "integer", "most tokens, default 2000"),
            Field::new("expand", "string", "a fold: `e3` or `e3 from 20`"),
            Field::new("since", "string", "viewId of an earlier view"),
            Field::new("scope", "string", "landmark id or ref"),
            Field::new("maxNodes", "integer", ""),
            Field::new("includeState", "boolean", ""),
            Field::new("roles", "array", "").with("items", json!({"type": "string"})),
            Field::new("maxPriority", "integer", "1 to 5"),
            Field::new("fallback", "string", "unannotated nodes in json, markdown")
                .one_of(&["auto", "never", "always"]),
            Field::new("frames", "boolean", ""),
            Field::new("hidden", "boolean", ""),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let options: ViewOptions = read(call.action, call.args)?;
        let page = call.session.page(call.deadline).await?;
        let (view, note) = look(call.session, &page, &options, call.deadline).await?;
        let text = match note {
            Some(note) => format!("{note}\n{}", view.text),
            None => view.text.clone(),
        };
        Ok(ToolReply::ok(format!("{text}\n[{}]", view.view_id), json!(view)))
    })
}

/// A view of a page, and a note where it is not what was asked for. The look is remembered.
pub async fn look(
    session: &AgentSession,
    page: &Page,
    options: &ViewOptions,
    deadline: Deadline,
) -> Result<(View, Option<String>), ToolError> {
    if let Some(site) = session.sites.known(&page.url()).await {
        let limits = { site.engine.lock().unwrap_or_else(PoisonError::into_inner).limits() };
        if let Some((_, distils)) = limits {
            let mut rates = site.rates.lock().unwrap_or_else(PoisonError::into_inner);
            rates.attempt(Kind::Distil, distils, Instant::now()).map_err(|limited| limited.error())?;
        }
    }
    let snapshot = Arc::new(page.snapshot(deadline).await?);
    let site = match options.format {
        Format::Outline => None,
        Format::Json | Format::Markdown => summary(session, page, deadline).await,
    };
    let seen = session.saw(page, snapshot);
    let context = DistilContext { now: &seen.at, site: site.as_ref() };
    let mut note = None;
    let earlier = options.since.as_deref().and_then(|id| {
        let kept = session.kept_view(id).filter(|kept| kept.tab == seen.tab);
        if kept.is_none() {
            note = Some(format!("{id} is not known any more; this is the whole view"));
        }
        kept
    });
    let mut view = match &earlier {
        Some(Seen { at, snapshot, .. }) => delta(&Earlier { snapshot, at }, &seen.snapshot, options, &context),
        None => distil(&seen.snapshot, options, &context),
    };
    view.view_id = session.keep_view(seen);
    Ok((view, note))
}

async fn summary(session: &AgentSession, page: &Page, deadline: Deadline) -> Option<SiteContextSummary> {
    let site = session.sites.of(page, deadline).await;
    site.context.summary(&page.url(), None)
}
