//! What an action changed on a page, in as many tokens as the change is worth.

use std::{sync::Arc, time::Duration};

use crate::{
    actions::session::{AgentSession, Seen},
    page::tab::Page,
    spec::{
        deadline::Deadline,
        view::{View, ViewOptions},
    },
    view::distil::{DistilContext, Earlier, delta, distil},
};

/// Most tokens of the change on a page.
const CHANGE: usize = 800;
/// Most tokens of a page that the action led to.
const ARRIVAL: usize = 600;
/// How long looking may take after an action that has already spent its time.
const LOOK: Duration = Duration::from_secs(2);

/// The page as it was last seen: kept where it is still the same document, looked at now otherwise.
pub async fn before(session: &AgentSession, page: &Page, deadline: Deadline) -> Option<Seen> {
    if let Some(seen) = session.last_seen(page.tab()).filter(|seen| same_document(&seen.snapshot.url, &page.url())) {
        return Some(seen);
    }
    match page.snapshot(deadline).await {
        Ok(snapshot) => Some(session.saw(page, Arc::new(snapshot))),
        Err(error) => {
            tracing::debug!(%error, "no look before the action");
            None
        }
    }
}

/// The change since `before`; on another document its beginning. `None` when the page cannot be looked at.
pub async fn after(
    session: &AgentSession,
    page: &Page,
    before: Option<&Seen>,
    navigated: bool,
    deadline: Deadline,
) -> Option<View> {
    let deadline = deadline.max(Deadline::after(LOOK));
    let snapshot = match page.snapshot(deadline).await {
        Ok(snapshot) => Arc::new(snapshot),
        Err(error) => {
            tracing::debug!(%error, "no look after the action");
            return None;
        }
    };
    let seen = session.saw(page, snapshot);
    let context = DistilContext { now: &seen.at, site: None };
    let options = |budget| ViewOptions { budget: Some(budget), ..ViewOptions::default() };
    Some(match before.filter(|_| !navigated) {
        Some(earlier) => {
            let earlier = Earlier { snapshot: &earlier.snapshot, at: &earlier.at };
            delta(&earlier, &seen.snapshot, &options(CHANGE), &context)
        }
        None => distil(&seen.snapshot, &options(ARRIVAL), &context),
    })
}

/// Whether two addresses differ at most in their fragment.
fn same_document(one: &str, other: &str) -> bool {
    let base = |url: &str| url.split('#').next().unwrap_or_default().to_owned();
    base(one) == base(other)
}
