//! The one way from a snapshot to a view in any format.
//!
//! The WCI formats are made by these passes, in this order:
//!
//! 1. *annotated* (`prune`, `reader`): the publisher's nodes, filtered and by priority. First, because annotations win
//!    over what accessibility semantics say of the same element.
//! 2. *fill* (`fallback`): nodes from accessibility semantics where the page has no annotations, or beside them when
//!    asked. Before the cap, so that both kinds share one order of priority.
//! 3. *select* (`prune`): scope, roles, priority, stable sort, cap on nodes.
//! 4. *fit* (`budget`): the longest prefix within the budget. After the sort, so that what is cut matters least.
//! 5. *write* (`wci_json`, `wci_markdown`).
//!
//! The outline has passes of its own: see `outline`.

use super::{budget, diff::Diff, fallback, outline, prune, tokens, wci_json, wci_markdown};
use crate::spec::{
    snapshot::Snapshot,
    view::{DEFAULT_BUDGET, Fallback, Format, View, ViewOptions},
    wci::{SiteContextSummary, WciNodeSpec},
};

/// What a view needs beside the page.
#[derive(Debug, Clone, Copy)]
pub struct DistilContext<'a> {
    /// RFC 3339, UTC, milliseconds.
    pub now: &'a str,
    pub site: Option<&'a SiteContextSummary>,
}

/// An earlier look at the page, for a delta.
#[derive(Debug, Clone, Copy)]
pub struct Earlier<'a> {
    pub snapshot: &'a Snapshot,
    /// When it was taken: RFC 3339, UTC, milliseconds.
    pub at: &'a str,
}

/// Distils a page.
pub fn distil(snapshot: &Snapshot, options: &ViewOptions, context: &DistilContext<'_>) -> View {
    match options.format {
        Format::Outline => {
            let budget = options.budget.unwrap_or(DEFAULT_BUDGET);
            let scope = options.scope.as_deref().filter(|scope| !scope.is_empty());
            let expand = options.expand.as_deref().or(scope).and_then(outline::Expand::parse);
            from_outline(outline::render(snapshot, budget, expand.as_ref()), budget, snapshot)
        }
        Format::Json | Format::Markdown => wci(snapshot, options, context),
    }
}

/// What changed since an earlier look, in the format that the options ask for; the whole view where that is shorter.
pub fn delta(earlier: &Earlier<'_>, snapshot: &Snapshot, options: &ViewOptions, context: &DistilContext<'_>) -> View {
    let whole = || distil(snapshot, options, context);
    match options.format {
        Format::Outline => {
            let budget = options.budget.unwrap_or(DEFAULT_BUDGET);
            match outline::delta::render(earlier.snapshot, snapshot, budget) {
                Some(delta) if delta.tokens * 4 <= budget => from_outline(delta, budget, snapshot),
                Some(delta) => cheaper(from_outline(delta, budget, snapshot), whole()),
                None => whole(),
            }
        }
        Format::Json | Format::Markdown => {
            let (before, after) = (nodes(earlier.snapshot, options), nodes(snapshot, options));
            let diff = Diff::between(&before, &after, options);
            let text = match options.format {
                Format::Markdown => diff.markdown(),
                Format::Json | Format::Outline => diff.json(earlier.at, context.now, options.scope.as_deref()),
            };
            let view = View {
                view_id: String::new(),
                format: options.format,
                tokens: tokens::count(&text),
                text,
                budget: options.budget,
                shown: diff.len(),
                omitted: 0,
                truncated: snapshot.truncated,
            };
            cheaper(view, whole())
        }
    }
}

/// A delta is worth its name only if it is the smaller one.
fn cheaper(delta: View, whole: View) -> View {
    let over = delta.budget.is_some_and(|budget| delta.tokens > budget);
    if delta.tokens < whole.tokens && !over { delta } else { whole }
}

fn from_outline(outline: outline::Outline, budget: usize, snapshot: &Snapshot) -> View {
    View {
        view_id: String::new(),
        format: Format::Outline,
        tokens: outline.tokens,
        text: outline.text,
        budget: Some(budget),
        shown: outline.shown,
        omitted: outline.omitted,
        truncated: snapshot.truncated || outline.omitted > 0,
    }
}

fn wci(snapshot: &Snapshot, options: &ViewOptions, context: &DistilContext<'_>) -> View {
    let nodes = nodes(snapshot, options);
    let all = nodes.len();
    let write = |count: usize| {
        let heading = wci_json::Heading {
            title: &snapshot.title,
            now: context.now,
            scope_desc: scope_desc(snapshot, options),
            site: context.site,
            dropped: all - count,
        };
        match options.format {
            Format::Markdown => wci_markdown::render(&nodes[..count], &heading, options),
            Format::Json | Format::Outline => wci_json::render(&nodes[..count], &heading, options),
        }
    };
    let shown = match options.budget {
        Some(budget) => budget::longest_prefix(all, |count| tokens::count(&write(count)) <= budget),
        None => all,
    };
    let text = write(shown);
    View {
        view_id: String::new(),
        format: options.format,
        tokens: tokens::count(&text),
        text,
        budget: options.budget,
        shown,
        omitted: all - shown,
        truncated: snapshot.truncated || shown < all,
    }
}

/// Passes 1 to 3.
fn nodes(snapshot: &Snapshot, options: &ViewOptions) -> Vec<WciNodeSpec> {
    let annotated = prune::annotated(snapshot, options);
    let fill = match options.fallback {
        Fallback::Auto => snapshot.wci.is_empty(),
        Fallback::Never => false,
        Fallback::Always => true,
    };
    if fill {
        prune::select(annotated.chain(fallback::nodes(snapshot)), options)
    } else {
        prune::select(annotated, options)
    }
}

/// The description of the first element that has the scope as its id.
fn scope_desc<'a>(snapshot: &'a Snapshot, options: &ViewOptions) -> Option<&'a str> {
    let scope = options.scope.as_deref().filter(|scope| !scope.is_empty())?;
    let landmark = snapshot.wci.iter().find(|element| element.attrs.get("id").is_some_and(|id| id == scope))?;
    landmark.attrs.get("desc")?.as_str()
}

#[cfg(test)]
mod tests;
