//! `gannet demo`: a whole agent task on the two demonstration shops, without key, model or network.
//! Whether it worked is looked up on the page afterwards, apart from what the planner says.

use std::{
    collections::BTreeMap,
    fmt::Display,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use serde_json::json;
use url::Url;

use super::{
    agent::{Agent, Reply},
    fixtures::{self, Site},
    journal::{FinishError, Recorder},
    run::{RunOptions, RunOutcome, run_task},
};
use crate::{
    evidence::run_dir::{REPORT, RunDir, RunDirError},
    planner::flow::state::Seen,
    spec::{deadline::Deadline, event::RunEvent},
};

pub const TASK: &str = "create an account and put the blue kettle in the cart";
const PRODUCT: &str = "Blue kettle";
const PERSON: &str = "Ada Gannet";
/// Longest wait for one look at the page, and for the end of a session.
const LOOK: Duration = Duration::from_secs(10);

/// How the demonstration is run.
#[derive(Debug, Clone)]
pub struct DemoOptions {
    /// Where the evidence goes; must not be there yet.
    pub dir: PathBuf,
    /// Actions at most, on each site.
    pub max_steps: u32,
    /// Wall time at most, on each site.
    pub time: Duration,
}

/// One site's run, and what was seen on its page afterwards.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteOutcome {
    pub site: Site,
    pub run: RunOutcome,
    pub account_seen: bool,
    pub product_seen: bool,
}

/// The whole demonstration.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoOutcome {
    pub sites: Vec<SiteOutcome>,
    pub dir: PathBuf,
    pub report: PathBuf,
}

impl DemoOutcome {
    /// Whether the goal state was seen on the page of every site.
    pub fn reached(&self) -> bool {
        self.sites.iter().all(|site| site.account_seen && site.product_seen)
    }
}

/// Why there was no demonstration.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("the demonstration sites cannot be served")]
    Serve(#[source] io::Error),
    #[error("no browser session: {message}")]
    Session { message: String },
    #[error(transparent)]
    Evidence(#[from] FinishError),
}

impl From<RunDirError> for DemoError {
    fn from(error: RunDirError) -> Self {
        Self::Evidence(error.into())
    }
}

/// Runs the task on both sites, each in a session of its own that `open` gives, and writes the report.
pub async fn demo<A, E, Opening>(
    open: impl Fn() -> Opening,
    options: &DemoOptions,
    sink: &mut (dyn FnMut(&RunEvent) + Send),
) -> Result<DemoOutcome, DemoError>
where
    A: Agent,
    E: Display,
    Opening: Future<Output = Result<A, E>>,
{
    let mut recorder = Recorder::new(RunDir::create(&options.dir)?, sink);
    let mut sites = vec![];
    for site in [Site::Shop, Site::Plain] {
        let served = fixtures::serve(site).await.map_err(DemoError::Serve)?;
        let mut agent = open().await.map_err(|error| DemoError::Session { message: error.to_string() })?;
        let outcome = run_on(&mut agent, site, &served.base_url, options, &mut recorder).await;
        agent.close(Deadline::after(LOOK)).await;
        sites.push(outcome?);
    }
    recorder.finish()?;
    Ok(DemoOutcome { sites, dir: options.dir.clone(), report: options.dir.join(REPORT) })
}

async fn run_on<A: Agent>(
    agent: &mut A,
    site: Site,
    url: &str,
    options: &DemoOptions,
    recorder: &mut Recorder<'_>,
) -> Result<SiteOutcome, RunDirError> {
    let run_options =
        RunOptions { url: url.to_owned(), data: data(), max_steps: options.max_steps, time: options.time };
    let run = run_task(agent, TASK, &run_options, recorder).await?;
    let reply = agent.call("view", json!({"format": "json"}), Deadline::after(LOOK)).await;
    let page = look(&reply, &agent.url());
    let in_cart = Url::parse(&page.url).is_ok_and(|url| url.path() == "/cart.html");
    let shows = |role: &str, text: &str| page.nodes.iter().any(|node| node.role == role && node.desc.contains(text));
    let account_seen = shows("nav", PERSON);
    let product_seen = in_cart && shows("display", PRODUCT);
    for (what, seen) in
        [("the page names the new account", account_seen), ("the cart shows the blue kettle", product_seen)]
    {
        let summary = format!("{}: {what}", if seen { "seen" } else { "NOT seen" });
        recorder.event("evaluate", run.steps, &summary, json!({"check": what, "seen": seen, "site": site.name()}))?;
    }
    Ok(SiteOutcome { site, run, account_seen, product_seen })
}

fn look(reply: &Reply, url: &str) -> Seen {
    let text = reply.structured["text"].as_str().unwrap_or(&reply.text);
    // A view that cannot be read shows nothing.
    Seen::parse(text, url).unwrap_or_default()
}

/// Made up for the demonstration, as a person would give it with `--data`.
fn data() -> BTreeMap<String, String> {
    let given =
        [("name", PERSON), ("email", "ada@example.com"), ("password", "plunge-dive-surface"), ("country", "Germany")];
    given.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// A directory below `base` for this moment that nobody has yet.
pub fn directory(base: &Path, what: &str) -> PathBuf {
    let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S").to_string();
    let first = base.join(format!("gannet-{what}-{now}"));
    let numbered = (2..).map(|number| base.join(format!("gannet-{what}-{now}-{number}")));
    std::iter::once(first).chain(numbered).find(|path| !path.exists()).unwrap_or_default()
}
