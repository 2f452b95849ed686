//! All that is known about one site: its policy, manifest and narrative, where each came from, and what was odd about
//! them; and the summary of it that goes into a view. Holds no engine and no clock.

use serde::Serialize;
use url::Url;

use crate::{
    site::{
        discovery::{Provenance, SiteFile},
        manifest::Manifest,
        narrative::Narrative,
        policy::PolicyState,
        url_pattern::{Closeness, closeness},
    },
    spec::{policy::Diagnostic, wci::SiteContextSummary},
};

/// Most steps of task flows that are compared with a page's address.
const MOST_STEPS: usize = 200;

/// A site as its files describe it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SiteContext {
    /// Scheme, host and port, e.g. `https://shop.example`; empty for a page that has none.
    pub origin: String,
    pub policy: PolicyState,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Manifest>,
    /// Where the manifest was; relative patterns in it are resolved against this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub manifest_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub narrative: Option<Narrative>,
    /// Every address that was considered, in the order of preference.
    pub provenance: Vec<Provenance>,
    pub diagnostics: Vec<Finding>,
}

/// A diagnostic and its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub file: SiteFile,
    #[serde(flatten)]
    pub diagnostic: Diagnostic,
}

/// The step of a journey that a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveFlow<'a> {
    pub flow: &'a str,
    /// 0-based, as `current_step` in a view.
    pub step: usize,
}

impl SiteContext {
    /// A place without a site: `about:blank`, `data:`, `file:`.
    pub fn none(origin: impl Into<String>) -> Self {
        Self {
            origin: origin.into(),
            policy: PolicyState::None,
            manifest: None,
            manifest_url: None,
            narrative: None,
            provenance: vec![],
            diagnostics: vec![],
        }
    }

    /// Whether the site publishes anything that a view should mention.
    pub fn publishes(&self) -> bool {
        self.manifest.is_some() || matches!(self.policy, PolicyState::Known(_))
    }

    /// The summary for a view of `page`, given the flow that the agent is known to be in. `None` when the site
    /// publishes nothing. The name falls back to the host; empty lists are left out.
    pub fn summary(&self, page: &str, current_flow: Option<&str>) -> Option<SiteContextSummary> {
        if !self.publishes() {
            return None;
        }
        let directives = match &self.policy {
            PolicyState::Known(policy) => Some(&policy.directives),
            PolicyState::None | PolicyState::Unavailable { .. } => None,
        };
        let site = self.manifest.as_ref().map(|manifest| &manifest.site);
        let given = |text: Option<&String>| text.filter(|text| !text.is_empty()).cloned();
        let list = |list: Option<&Vec<String>>| list.filter(|list| !list.is_empty()).cloned();
        let active = self.active_flow(page, current_flow);
        Some(SiteContextSummary {
            name: given(directives.and_then(|directives| directives.site_name.as_ref()))
                .or_else(|| given(site.and_then(|site| site.name.as_ref())))
                .unwrap_or_else(|| host(&self.origin)),
            purpose: given(directives.and_then(|directives| directives.site_purpose.as_ref()))
                .or_else(|| given(site.and_then(|site| site.purpose.as_ref()))),
            auth_required_for: list(directives.map(|directives| &directives.auth_required)),
            denied_scopes: list(directives.map(|directives| &directives.denied_scopes)),
            active_task_flow: active.map(|active| active.flow.to_owned()),
            current_step: active.and_then(|active| i64::try_from(active.step).ok()),
        })
    }

    /// The journey that `page` belongs to: the step whose `url_pattern` is closest to its address (grammar in
    /// `url_pattern`). Among equally close steps the one of `current_flow` wins, then the first of its flow; steps of
    /// several flows that are equally close say nothing, and neither does a flow without patterns.
    pub fn active_flow(&self, page: &str, current_flow: Option<&str>) -> Option<ActiveFlow<'_>> {
        let page = Url::parse(page).ok()?;
        let manifest = self.manifest.as_ref()?;
        let base = Url::parse(self.manifest_url.as_deref().unwrap_or(&self.origin)).ok()?;
        let mut found: Vec<(Closeness, ActiveFlow<'_>)> = manifest
            .task_flows
            .iter()
            .flat_map(|flow| flow.steps.iter().enumerate().map(|(step, part)| (flow.id.as_str(), step, part)))
            .take(MOST_STEPS)
            .filter_map(|(flow, step, part)| {
                let close = closeness(part.url_pattern.as_deref()?, &base, &page)?;
                Some((close, ActiveFlow { flow, step }))
            })
            .collect();
        let closest = found.iter().map(|(close, _)| *close).max()?;
        found.retain(|(close, _)| *close == closest);
        let (_, first) = found.first()?;
        match current_flow.and_then(|current| found.iter().find(|(_, active)| active.flow == current)) {
            Some((_, active)) => Some(*active),
            None => found.iter().all(|(_, active)| active.flow == first.flow).then_some(*first),
        }
    }
}

fn host(origin: &str) -> String {
    Url::parse(origin).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_else(|| origin.to_owned())
}

#[cfg(test)]
mod tests;
