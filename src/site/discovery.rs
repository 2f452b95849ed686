//! Where a site's three files are (seed Appendix C) and what came of asking: pure steps over a [`Fetch`] that the
//! caller supplies. Parsing is the files' own; caching is the session's.
//!
//! # The algorithm
//! 1. For each file: the page's `meta` pointer, else the response header, else the root default together with the
//!    well-known address. All are asked in parallel. With a pointer of the page nothing else is asked for that file.
//! 2. `Manifest:` and `Context:` of the `wci.txt` found are asked where no `meta` or header spoke; they come before the
//!    defaults. A `meta` pointer without a leading slash that led nowhere is tried from the root, as the reference reads it.
//! 3. In order of preference the first body that is the file wins. An empty body, an HTML page and anything else that is
//!    not the file count as absent.
//! 4. No file because of 404: the site has no policy. No file because one could not be reached, or is broken: the policy
//!    is unavailable. `wci.json` holds rules too, so its failure counts as much. The narrative holds none.
//!
//! Pointers resolve against what gave them: the document's base, the page, the `wci.txt`.

use std::future::Future;

use serde::Serialize;
use url::Url;

use crate::{
    site::{
        context::{Finding, SiteContext},
        directives, manifest, narrative,
        policy::{PolicyState, join},
        reading::{Reading, quoted},
    },
    spec::{
        deadline::Deadline,
        policy::{Diagnostic, WciPolicy},
    },
};

/// One of the three files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum SiteFile {
    #[serde(rename = "wci.txt")]
    Directives,
    #[serde(rename = "wci.json")]
    Manifest,
    #[serde(rename = "wci.md")]
    Narrative,
}

/// Who named an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    Meta,
    Header,
    /// `Manifest:` or `Context:` in `wci.txt`.
    Directives,
    Root,
    WellKnown,
}

/// An address that was considered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Provenance {
    pub file: SiteFile,
    /// Where it was asked, or was in the end after redirects.
    pub url: String,
    pub source: Source,
    /// The HTTP status; absent when there was no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// This is the body that counts.
    pub used: bool,
    /// What came of it, for a person.
    pub why: String,
}

/// A response, redirects followed. Any status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fetched {
    /// The address that answered.
    pub url: String,
    pub status: u16,
    pub content_type: Option<String>,
    pub body: Vec<u8>,
    /// The body is longer than was asked for.
    pub truncated: bool,
}

/// There was no response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Unreachable {
    /// For a person: `timed out`, `the address is private`.
    pub why: String,
}

/// The seam to HTTP: `actions::http` in the product, a table in tests.
pub trait Fetch {
    /// GET, redirects followed, at most `most_bytes` of the body, not beyond `deadline`.
    fn fetch(
        &self,
        url: &Url,
        most_bytes: usize,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Fetched, Unreachable>> + Send;
}

/// What the page itself said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// The document's address, and the base that its relative addresses have (`document.baseURI`), when it differs.
    pub page: String,
    pub base: Option<String>,
    /// Name and content of the document's `meta` elements, in order. Names count as written.
    pub meta: Vec<(String, String)>,
    /// Headers of the document's response. Names count in any case.
    pub headers: Vec<(String, String)>,
}

/// An address to ask, before it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub file: SiteFile,
    pub source: Source,
    pub url: Url,
}

/// Step 1, pure: the first addresses to ask, and what is wrong with pointers that are not followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    pub first: Vec<Candidate>,
    /// `meta` pointers as the reference reads them, for those of `first` that lead nowhere.
    pub from_root: Vec<Candidate>,
    pub findings: Vec<Finding>,
}

impl SiteFile {
    const ALL: [SiteFile; 3] = [SiteFile::Directives, SiteFile::Manifest, SiteFile::Narrative];

    /// `meta` name, response header, root default, well-known address.
    fn names(self) -> [&'static str; 4] {
        match self {
            SiteFile::Directives => {
                ["wci:directives", "x-wci-directives", "/wci.txt", "/.well-known/wci/directives.txt"]
            }
            SiteFile::Manifest => ["wci:manifest", "x-wci-manifest", "/wci.json", "/.well-known/wci/manifest.json"],
            SiteFile::Narrative => ["wci:context", "x-wci-context", "/wci.md", "/.well-known/wci/context.md"],
        }
    }

    /// The name at the root, by which people know the file.
    pub fn name(self) -> &'static str {
        match self {
            SiteFile::Directives => "wci.txt",
            SiteFile::Manifest => "wci.json",
            SiteFile::Narrative => "wci.md",
        }
    }

    fn most_bytes(self) -> usize {
        match self {
            SiteFile::Directives => directives::MOST_BYTES,
            SiteFile::Manifest => manifest::MOST_BYTES,
            SiteFile::Narrative => narrative::MOST_BYTES,
        }
    }
}

/// Finds and reads the three files of the site of a page. Never fails: what went wrong is in the context.
pub async fn discover<F: Fetch>(hints: &Hints, fetch: &F, deadline: Deadline) -> SiteContext {
    let Some(page) = web(&hints.page) else { return SiteContext::none("") };
    let plan = plan(hints, &page);
    let mut findings = plan.findings;
    let mut outcomes = ask(plan.first, fetch, deadline).await;

    let lost = |one: &Candidate| !outcomes.iter().any(|outcome| outcome.candidate.file == one.file && outcome.found());
    let mut later: Vec<Candidate> = plan.from_root.into_iter().filter(lost).collect();
    later.extend(pointers(&outcomes, &mut findings));
    // An address that has answered is not asked again; as a pointer it may still rank higher.
    let asked = |one: &Candidate| outcomes.iter().position(|outcome| outcome.asked(one));
    let known: Vec<(usize, Source)> = later.iter().filter_map(|one| Some((asked(one)?, one.source))).collect();
    later.retain(|one| asked(one).is_none());
    for (at, source) in known {
        outcomes[at].candidate.source = outcomes[at].candidate.source.min_by_rank(source);
    }
    outcomes.extend(ask(later, fetch, deadline).await);
    outcomes.sort_by_key(|outcome| (outcome.candidate.file as u8, outcome.candidate.source.rank()));
    conclude(&page, outcomes, findings)
}

impl Source {
    fn rank(self) -> u8 {
        self as u8
    }

    fn min_by_rank(self, other: Self) -> Self {
        if other.rank() < self.rank() { other } else { self }
    }
}

/// An http(s) URL.
fn web(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// Step 1.
pub fn plan(hints: &Hints, page: &Url) -> Plan {
    let mut plan = Plan::default();
    let base = hints.base.as_deref().and_then(web).unwrap_or_else(|| page.clone());
    for file in SiteFile::ALL {
        let [meta, header, root, well_known] = file.names();
        let of_meta = hints.meta.iter().find(|(name, _)| name == meta).map(|(_, content)| content.as_str());
        let of_header = hints.headers.iter().find(|(name, _)| name.trim().eq_ignore_ascii_case(header));
        let given =
            [(Source::Meta, of_meta, &base), (Source::Header, of_header.map(|(_, value)| value.as_str()), page)];
        let mut explicit = None;
        for (source, pointer, base) in given {
            let Some(pointer) = pointer.map(str::trim).filter(|pointer| !pointer.is_empty()) else { continue };
            match resolve(pointer, base) {
                Some(url) => {
                    explicit = Some((source, pointer, url));
                    break;
                }
                None => plan.findings.push(unusable(file, pointer)),
            }
        }
        let add = |list: &mut Vec<Candidate>, source, url: Option<Url>| {
            list.extend(url.map(|url| Candidate { file, source, url }));
        };
        match explicit {
            Some((source, pointer, url)) => {
                let from_root = page.join("/").ok().and_then(|root| root.join(pointer).ok());
                if source == Source::Meta && from_root.as_ref() != Some(&url) {
                    add(&mut plan.from_root, source, from_root.filter(|other| other.origin() == page.origin()));
                }
                add(&mut plan.first, source, Some(url));
            }
            None => {
                add(&mut plan.first, Source::Root, page.join(root).ok());
                add(&mut plan.first, Source::WellKnown, page.join(well_known).ok());
            }
        }
    }
    plan
}

fn resolve(pointer: &str, base: &Url) -> Option<Url> {
    let mut url = base.join(pointer).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())?;
    url.set_fragment(None);
    Some(url)
}

fn unusable(file: SiteFile, pointer: &str) -> Finding {
    let message = format!("the pointer {} is no http(s) address, so it is not followed", quoted(pointer));
    Finding { file, diagnostic: Diagnostic { line: 0, message } }
}

/// Step 2: what the `wci.txt` found points to, where nobody of higher rank spoke.
fn pointers(outcomes: &[Outcome], findings: &mut Vec<Finding>) -> Vec<Candidate> {
    let Some((outcome, policy)) = outcomes.iter().find_map(|outcome| match &outcome.body {
        Body::Directives(policy) => Some((outcome, policy)),
        _ => None,
    }) else {
        return vec![];
    };
    let Some(base) = web(&outcome.url) else { return vec![] };
    let mut out = vec![];
    for (file, pointer) in [(SiteFile::Manifest, &policy.manifest_url), (SiteFile::Narrative, &policy.context_url)] {
        let spoken = outcomes.iter().any(|outcome| {
            outcome.candidate.file == file && matches!(outcome.candidate.source, Source::Meta | Source::Header)
        });
        let Some(pointer) = pointer.as_deref().filter(|pointer| !pointer.is_empty() && !spoken) else { continue };
        match resolve(pointer, &base) {
            Some(url) => out.push(Candidate { file, source: Source::Directives, url }),
            None => findings.push(unusable(file, pointer)),
        }
    }
    out
}

/// What an address gave.
struct Outcome {
    candidate: Candidate,
    /// The address that answered.
    url: String,
    status: Option<u16>,
    body: Body,
    findings: Vec<Diagnostic>,
    why: String,
}

enum Body {
    Directives(WciPolicy),
    Manifest(manifest::Manifest),
    Narrative(narrative::Narrative),
    Absent,
    /// Unreachable, refused or broken.
    Trouble,
}

impl Outcome {
    fn found(&self) -> bool {
        !matches!(self.body, Body::Absent | Body::Trouble)
    }

    fn asked(&self, one: &Candidate) -> bool {
        self.candidate.file == one.file && self.candidate.url == one.url
    }
}

async fn ask<F: Fetch>(candidates: Vec<Candidate>, fetch: &F, deadline: Deadline) -> Vec<Outcome> {
    let asked = candidates.into_iter().map(|candidate| async move {
        let response = fetch.fetch(&candidate.url, candidate.file.most_bytes(), deadline).await;
        judge(candidate, response)
    });
    futures::future::join_all(asked).await
}

/// What a response means for the file that was asked for.
fn judge(candidate: Candidate, response: Result<Fetched, Unreachable>) -> Outcome {
    let response = match response {
        Ok(response) => response,
        Err(unreachable) => {
            let url = candidate.url.to_string();
            return Outcome {
                candidate,
                url,
                status: None,
                body: Body::Trouble,
                findings: vec![],
                why: unreachable.why,
            };
        }
    };
    let (body, findings, why) = match availability(response.status, candidate.source) {
        Availability::Body => read(candidate.file, &response),
        Availability::Absent => (Body::Absent, vec![], format!("HTTP {}", response.status)),
        Availability::Trouble => (Body::Trouble, vec![], format!("HTTP {}", response.status)),
    };
    Outcome { candidate, url: response.url, status: Some(response.status), body, findings, why }
}

enum Availability {
    Body,
    Absent,
    Trouble,
}

/// 404 and the other client errors mean that there is no such file, as for robots.txt (RFC 9309, 2.3.1.3), except where
/// they may hide one: a login or a ban in front of the file itself (many servers close all dot paths, so it says nothing
/// at the well-known address), and errors that pass.
fn availability(status: u16, source: Source) -> Availability {
    match status {
        200..=299 => Availability::Body,
        401 | 403 | 407 | 451 if source != Source::WellKnown => Availability::Trouble,
        408 | 425 | 429 => Availability::Trouble,
        400..=499 => Availability::Absent,
        _ => Availability::Trouble,
    }
}

fn read(file: SiteFile, response: &Fetched) -> (Body, Vec<Diagnostic>, String) {
    let text = String::from_utf8_lossy(&response.body);
    let kind = response.content_type.as_deref();
    let (body, findings) = match file {
        SiteFile::Directives => {
            let (reading, findings) = directives::read(&text, kind);
            (whole(reading, response.truncated).map(Body::Directives), findings)
        }
        SiteFile::Manifest => {
            let (reading, findings) = manifest::read(&text, kind);
            (whole(reading, response.truncated).map(Body::Manifest), findings)
        }
        SiteFile::Narrative => {
            let (reading, findings) = narrative::read(&text, kind, response.truncated);
            (whole(reading, false).map(Body::Narrative), findings)
        }
    };
    match body {
        Ok(body) => (body, findings, "used".into()),
        Err(instead) => {
            let (body, why) = *instead;
            (body, findings, why)
        }
    }
}

/// A reading as a value, or as what stands for it with the reason. Half a policy is a broken one.
fn whole<T>(reading: Reading<T>, truncated: bool) -> Result<T, Box<(Body, String)>> {
    match reading {
        Reading::Absent(why) => Err(Box::new((Body::Absent, why))),
        Reading::Value(_) if truncated => Err(Box::new((Body::Trouble, "the file is too long".into()))),
        Reading::Value(value) => Ok(value),
        Reading::Malformed(why) => Err(Box::new((Body::Trouble, why))),
    }
}

/// Steps 3 and 4. `outcomes` stand in order of preference.
fn conclude(page: &Url, outcomes: Vec<Outcome>, mut findings: Vec<Finding>) -> SiteContext {
    let mut context = SiteContext::none(page.origin().ascii_serialization());
    let mut policy = None;
    let mut taken = [false; 3];
    let mut trouble: [Option<(String, String)>; 3] = Default::default();
    for outcome in outcomes {
        let file = outcome.candidate.file;
        let (found, first) = (outcome.found(), outcome.found() && !taken[file as usize]);
        let Outcome { candidate, url, status, body, findings: own, why } = outcome;
        if first || !found {
            findings.extend(own.into_iter().map(|diagnostic| Finding { file, diagnostic }));
        }
        if !found && matches!(candidate.source, Source::Meta | Source::Header) {
            let message = format!("the page points to {}, which is no {}: {why}", quoted(&url), file.name());
            findings.push(Finding { file, diagnostic: Diagnostic { line: 0, message } });
        }
        if matches!(body, Body::Trouble) && trouble[file as usize].is_none() {
            trouble[file as usize] = Some((url.clone(), why.clone()));
        }
        if first {
            taken[file as usize] = true;
            match body {
                Body::Directives(directives) => policy = Some(directives),
                Body::Manifest(manifest) => {
                    context.manifest_url = Some(url.clone());
                    context.manifest = Some(manifest);
                }
                Body::Narrative(narrative) => context.narrative = Some(narrative),
                Body::Absent | Body::Trouble => {}
            }
        }
        let why = if found && !first { "a better one was found".into() } else { why };
        context.provenance.push(Provenance { file, url, source: candidate.source, status, used: first, why });
    }
    let unread = [SiteFile::Directives, SiteFile::Manifest]
        .into_iter()
        .filter(|file| !taken[*file as usize])
        .find_map(|file| trouble[file as usize].take());
    context.policy = match (unread, join(policy.as_ref(), context.manifest.as_ref())) {
        (Some((url, why)), _) => PolicyState::Unavailable { url, why },
        (None, Some(policy)) => PolicyState::Known(Box::new(policy)),
        (None, None) => PolicyState::None,
    };
    context.diagnostics = findings;
    context
}

#[cfg(test)]
mod tests;
