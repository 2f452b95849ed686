//! The one way from a snapshot to a view in any format.

use super::{fallback, outline, prune, tokens, wci_json, wci_markdown};
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

/// Distils a page.
pub fn distil(snapshot: &Snapshot, options: &ViewOptions, context: &DistilContext<'_>) -> View {
    match options.format {
        Format::Outline => {
            let budget = options.budget.unwrap_or(DEFAULT_BUDGET);
            let expand = options.expand.as_deref().and_then(outline::Expand::parse);
            let outline = outline::render(snapshot, budget, expand.as_ref());
            View {
                view_id: String::new(),
                format: options.format,
                tokens: tokens::count(&outline.text),
                text: outline.text,
                budget: Some(budget),
                shown: outline.shown,
                omitted: outline.omitted,
                truncated: snapshot.truncated || outline.omitted > 0,
            }
        }
        Format::Json | Format::Markdown => wci(snapshot, options, context),
    }
}

fn wci(snapshot: &Snapshot, options: &ViewOptions, context: &DistilContext<'_>) -> View {
    let mut nodes = prune::annotated(snapshot, options);
    let fill = match options.fallback {
        Fallback::Auto => snapshot.wci.is_empty(),
        Fallback::Never => false,
        Fallback::Always => true,
    };
    if fill {
        nodes = prune::select(nodes.into_iter().chain(fallback::nodes(snapshot)), options);
    }
    let all = nodes.len();
    let write = |shown: &[WciNodeSpec]| {
        let heading = wci_json::Heading {
            title: &snapshot.title,
            now: context.now,
            scope_desc: scope_desc(snapshot, options),
            site: context.site,
            dropped: all - shown.len(),
        };
        match options.format {
            Format::Markdown => wci_markdown::render(shown, &heading, options),
            Format::Json | Format::Outline => wci_json::render(shown, &heading, options),
        }
    };
    // The longest prefix that fits: the text grows with each node, so halving finds it.
    let mut shown = all;
    if let Some(budget) = options.budget {
        let fits = |count: usize| tokens::count(&write(&nodes[..count])) <= budget;
        if !fits(all) {
            let (mut fit, mut over) = (0, all);
            while over - fit > 1 {
                let middle = fit.midpoint(over);
                if fits(middle) { fit = middle } else { over = middle }
            }
            shown = fit;
        }
    }
    let text = write(&nodes[..shown]);
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

/// The description of the first element that has the scope as its id.
fn scope_desc<'a>(snapshot: &'a Snapshot, options: &ViewOptions) -> Option<&'a str> {
    let scope = options.scope.as_deref().filter(|scope| !scope.is_empty())?;
    let landmark = snapshot.wci.iter().find(|element| element.attrs.get("id").is_some_and(|id| id == scope))?;
    landmark.attrs.get("desc")?.as_str()
}
