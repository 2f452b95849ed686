//! What is known of the sites that a session visits: one entry an origin, read when it is first needed.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use serde::Deserialize;

use crate::{
    actions::http::{Http, HttpError, HttpOptions},
    page::tab::Page,
    site::{
        context::SiteContext,
        discovery::{Hints, discover},
        policy::{Engine, PolicyState},
        rates::Rates,
    },
    spec::deadline::Deadline,
};

/// Bound on reading a site's files.
const DISCOVERY: Duration = Duration::from_secs(5);
/// How long what was read counts.
const FRESH: Duration = Duration::from_secs(600);
/// How long a policy that could not be read is not asked for again.
const RETRY: Duration = Duration::from_secs(10);
/// Asks a document for what it says of its site's files.
const HINTS: &str = include_str!("site_hints.js");

/// Whether the site's policy is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SiteMode {
    #[default]
    Enforce,
    /// The user's own switch.
    Ignore,
}

/// One site.
pub struct Site {
    pub context: SiteContext,
    pub engine: Mutex<Engine>,
    pub rates: Mutex<Rates>,
    read_at: Instant,
}

impl Site {
    fn new(context: SiteContext, mode: SiteMode) -> Self {
        let policy = match mode {
            SiteMode::Enforce => context.policy.clone(),
            SiteMode::Ignore => PolicyState::None,
        };
        Self { context, engine: Mutex::new(Engine::new(policy)), rates: Mutex::default(), read_at: Instant::now() }
    }

    fn stale(&self) -> bool {
        let most = if matches!(self.context.policy, PolicyState::Unavailable { .. }) { RETRY } else { FRESH };
        self.read_at.elapsed() > most
    }
}

#[derive(Debug, Default, Deserialize)]
struct Said {
    base: Option<String>,
    #[serde(default)]
    meta: Vec<(String, String)>,
}

type Slot = Arc<tokio::sync::Mutex<Option<Arc<Site>>>>;

/// Sites by origin.
pub struct SiteCache {
    mode: SiteMode,
    options: HttpOptions,
    /// Set up when it is first needed: reading the system's certificates takes a while.
    http: OnceLock<Result<Http, Arc<HttpError>>>,
    slots: Mutex<HashMap<String, Slot>>,
}

impl SiteCache {
    /// `options` are those of the client that asks for the sites' files.
    pub fn new(mode: SiteMode, options: HttpOptions) -> Self {
        Self { mode, options, http: OnceLock::new(), slots: Mutex::default() }
    }

    fn http(&self) -> Result<&Http, Arc<HttpError>> {
        let http = self.http.get_or_init(|| Http::new(self.options.clone()).map_err(Arc::new));
        http.as_ref().map_err(Arc::clone)
    }

    /// The site of a page, read now when it is not known.
    pub async fn of(&self, page: &Page, deadline: Deadline) -> Arc<Site> {
        let url = page.url();
        let Some(origin) = origin(&url) else {
            return Arc::new(Site::new(SiteContext::none(""), self.mode));
        };
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry(origin).or_default())
        };
        let mut known = slot.lock().await;
        if let Some(site) = known.as_ref().filter(|site| !site.stale()) {
            return Arc::clone(site);
        }
        let deadline = deadline.at_most(DISCOVERY);
        let said = match page.evaluate(HINTS, None, deadline).await {
            Ok(said) => serde_json::from_value(said).unwrap_or_default(),
            Err(error) => {
                tracing::debug!(%error, "the page does not say where its site's files are");
                Said::default()
            }
        };
        let hints = Hints { page: url.clone(), base: said.base, meta: said.meta, headers: vec![] };
        let context = match self.http() {
            Ok(http) => {
                if let Ok(url) = url::Url::parse(&url) {
                    http.allow_own_origin(&url);
                }
                discover(&hints, http, deadline).await
            }
            Err(error) => {
                let policy = PolicyState::Unavailable { url: url.clone(), why: error.to_string() };
                SiteContext { policy, ..SiteContext::none(url.as_str()) }
            }
        };
        let site = Arc::new(Site::new(context, self.mode));
        *known = Some(Arc::clone(&site));
        site
    }

    /// The site of a page if it has been read.
    pub async fn known(&self, url: &str) -> Option<Arc<Site>> {
        let slot = {
            let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.get(&origin(url)?)?)
        };
        slot.lock().await.clone()
    }
}

/// Scheme, host and port of a web page.
fn origin(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(url.origin().ascii_serialization())
}
