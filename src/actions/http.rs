//! The one HTTP client of Gannet's own requests (site files, `read_url`, search), behind the rule of `url_rule`.
//! What Chromium requests is not its business.
//!
//! # A request
//! 1. The URL is judged; so is each redirect target, at most ten, none followed by the library underneath.
//! 2. A name is resolved here (5 s). One address that may not be reached refuses the whole name, and only the addresses
//!    that were checked are connected to, so a second answer of the resolver cannot move the connection.
//! 3. The body is read up to a number of bytes after decompression; the deadline covers everything.
//!
//! No cookies, no credentials, no referrer, no proxy from the environment. A session that may read from a page on
//! loopback says so with [`Http::allow_own_origin`]: that opens loopback for that scheme, host and port alone.

use std::{
    collections::HashSet,
    error::Error as StdError,
    future::Future,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    pin::Pin,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use reqwest::{
    Client,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{ACCEPT, CONTENT_TYPE, LOCATION},
    redirect,
};
use tokio::time::{timeout, timeout_at};
use url::Url;

use crate::{
    actions::url_rule::{Cidr, Kind, Reason, judge, judge_address, judge_parsed},
    site::discovery::{Fetch, Fetched, Unreachable},
    spec::deadline::Deadline,
};

/// Most redirects that are followed.
const MOST_REDIRECTS: usize = 10;
const DNS_WAIT: Duration = Duration::from_secs(5);
const CONNECT_WAIT: Duration = Duration::from_secs(10);

/// Says whether a URL, first or redirected to, may be asked at all: the session's `--allow-domain` and `--deny-domain`.
pub type HopRule = Arc<dyn Fn(&Url) -> bool + Send + Sync>;

/// How the client behaves.
#[derive(Clone)]
pub struct HttpOptions {
    /// `--allow-private`.
    pub allow_private: Vec<Cidr>,
    pub user_agent: String,
    pub hop_rule: Option<HopRule>,
}

impl Default for HttpOptions {
    fn default() -> Self {
        let user_agent = concat!("Gannet/", env!("CARGO_PKG_VERSION")).to_owned();
        Self { allow_private: vec![], user_agent, hop_rule: None }
    }
}

/// What to ask for.
#[derive(Debug, Clone, Copy)]
pub struct GetOptions<'a> {
    /// Bytes of the body after decompression; the rest is not read.
    pub most_bytes: usize,
    pub accept: &'a str,
}

/// A response of any status, redirects followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The URL that answered.
    pub url: String,
    pub status: u16,
    /// The usual words for the status; empty for an unusual one.
    pub status_text: String,
    pub content_type: Option<String>,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The body is longer than was asked for.
    pub truncated: bool,
    pub redirects: usize,
}

/// Why there is no response. URLs are shown without query and fragment, which may hold secrets.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    #[error("refused `{url}`: {}", reason.explain())]
    Refused { url: String, reason: Reason },
    #[error("refused `{url}`: its domain is not allowed in this session")]
    DomainBlocked { url: String },
    #[error("more than {MOST_REDIRECTS} redirects, the last one to `{url}`")]
    TooManyRedirects { url: String },
    #[error("`{url}` did not answer in time")]
    Timeout { url: String },
    #[error("the name of `{url}` does not resolve")]
    Dns { url: String },
    #[error("cannot connect to `{url}`")]
    Connect {
        url: String,
        #[source]
        source: reqwest::Error,
    },
    #[error("the answer of `{url}` broke off or is not HTTP")]
    Broken {
        url: String,
        #[source]
        source: reqwest::Error,
    },
    #[error("the HTTP client cannot be set up")]
    Setup(#[source] reqwest::Error),
}

impl HttpError {
    /// The code of the URL rule, for errors that are its.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            HttpError::Refused { reason, .. } => Some(*reason),
            HttpError::TooManyRedirects { .. } => Some(Reason::Redirect),
            HttpError::Dns { .. } => Some(Reason::Dns),
            HttpError::DomainBlocked { .. }
            | HttpError::Timeout { .. }
            | HttpError::Connect { .. }
            | HttpError::Broken { .. }
            | HttpError::Setup(_) => None,
        }
    }

    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            HttpError::Timeout { .. }
            | HttpError::Dns { .. }
            | HttpError::Connect { .. }
            | HttpError::Broken { .. } => true,
            HttpError::Refused { .. }
            | HttpError::DomainBlocked { .. }
            | HttpError::TooManyRedirects { .. }
            | HttpError::Setup(_) => false,
        }
    }
}

/// The client. Cheap to clone; clones share connections and opened origins.
#[derive(Clone)]
pub struct Http {
    shared: Arc<Shared>,
}

struct Shared {
    options: HttpOptions,
    /// For all but the opened origins.
    strict: Client,
    /// As `strict`, with loopback.
    own: Client,
    own_origins: RwLock<HashSet<String>>,
}

/// Answers of a resolver.
type Answer = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;
/// How names are resolved: the system's way in the product.
type Lookup = Arc<dyn Fn(String) -> Answer + Send + Sync>;

impl Http {
    /// Sets the client up. No connection is made.
    pub fn new(options: HttpOptions) -> Result<Self, HttpError> {
        Self::with_lookup(options, Arc::new(|name| Box::pin(system_lookup(name))))
    }

    fn with_lookup(options: HttpOptions, lookup: Lookup) -> Result<Self, HttpError> {
        let with = |allow_private: Vec<Cidr>| {
            Client::builder()
                .user_agent(&options.user_agent)
                .redirect(redirect::Policy::none())
                .referer(false)
                .no_proxy()
                .connect_timeout(CONNECT_WAIT)
                .dns_resolver(Arc::new(Checked { allow_private: allow_private.into(), lookup: lookup.clone() }))
                .build()
                .map_err(HttpError::Setup)
        };
        let strict = with(options.allow_private.clone())?;
        let own = with(and_loopback(&options.allow_private))?;
        Ok(Self { shared: Arc::new(Shared { options, strict, own, own_origins: RwLock::default() }) })
    }

    /// Opens loopback for the origin of a page that the session shows there with the user's leave. Other origins,
    /// other ports of the same host included, stay closed, and so do private networks.
    pub fn allow_own_origin(&self, page: &Url) {
        if matches!(page.scheme(), "http" | "https") {
            let mut origins = self.shared.own_origins.write().unwrap_or_else(PoisonError::into_inner);
            origins.insert(page.origin().ascii_serialization());
        }
    }

    /// GET. The answer may have any status; what could not be asked is an error.
    pub async fn get(&self, url: &str, options: GetOptions<'_>, deadline: Deadline) -> Result<Response, HttpError> {
        // The text first: its length and its look are not the parsed URL's.
        let verdict = judge(url, &[]);
        let Some(parsed) = verdict.canonical.and_then(|canonical| Url::parse(&canonical).ok()) else {
            let reason = verdict.reason.unwrap_or(Reason::Malformed);
            return Err(HttpError::Refused { url: shortened(url), reason });
        };
        let all = self.follow(parsed.clone(), options);
        match timeout_at(deadline.instant().into(), all).await {
            Ok(result) => result,
            Err(_) => Err(HttpError::Timeout { url: shown(&parsed) }),
        }
    }

    async fn follow(&self, mut url: Url, options: GetOptions<'_>) -> Result<Response, HttpError> {
        for redirects in 0..=MOST_REDIRECTS {
            let client = self.judge_hop(&url)?;
            let request = client.get(url.clone()).header(ACCEPT, options.accept);
            let response = request.send().await.map_err(|error| classify(error, &url))?;
            match target(&response, &url) {
                Some(Ok(next)) => url = next,
                Some(Err(text)) => {
                    return Err(HttpError::Refused { url: shortened(&text), reason: Reason::Malformed });
                }
                None => return collect(response, &url, redirects, options.most_bytes).await,
            }
        }
        Err(HttpError::TooManyRedirects { url: shown(&url) })
    }

    /// The client for a URL that may be asked.
    fn judge_hop(&self, url: &Url) -> Result<&Client, HttpError> {
        let Shared { options, strict, own, own_origins } = &*self.shared;
        if options.hop_rule.as_ref().is_some_and(|allowed| !allowed(url)) {
            return Err(HttpError::DomainBlocked { url: shown(url) });
        }
        let origins = own_origins.read().unwrap_or_else(PoisonError::into_inner);
        let (client, kind, reason) = if origins.contains(&url.origin().ascii_serialization()) {
            let (kind, reason) = judge_parsed(url, &and_loopback(&options.allow_private));
            (own, kind, reason)
        } else {
            let (kind, reason) = judge_parsed(url, &options.allow_private);
            (strict, kind, reason)
        };
        match kind {
            // Names are judged again by `Checked`, address by address.
            Kind::Allow | Kind::NeedsDns => Ok(client),
            Kind::Deny | Kind::Invalid => {
                Err(HttpError::Refused { url: shown(url), reason: reason.unwrap_or(Reason::Malformed) })
            }
        }
    }
}

impl Fetch for Http {
    async fn fetch(&self, url: &Url, most_bytes: usize, deadline: Deadline) -> Result<Fetched, Unreachable> {
        let options = GetOptions { most_bytes, accept: "text/plain, text/markdown, application/json, */*;q=0.5" };
        match self.get(url.as_str(), options, deadline).await {
            Ok(response) => Ok(Fetched {
                url: response.url,
                status: response.status,
                content_type: response.content_type,
                body: response.body,
                truncated: response.truncated,
            }),
            Err(error) => Err(Unreachable { why: error.to_string() }),
        }
    }
}

fn and_loopback(allow_private: &[Cidr]) -> Vec<Cidr> {
    let loopback = [Cidr::new(Ipv4Addr::new(127, 0, 0, 0).into(), 8), Cidr::new(Ipv6Addr::LOCALHOST.into(), 128)];
    allow_private.iter().copied().chain(loopback).collect()
}

/// Where a response redirects to; the text of a target that is no URL.
fn target(response: &reqwest::Response, url: &Url) -> Option<Result<Url, String>> {
    if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let location = String::from_utf8_lossy(response.headers().get(LOCATION)?.as_bytes()).into_owned();
    Some(url.join(&location).map_err(|_| location))
}

async fn collect(
    mut response: reqwest::Response,
    url: &Url,
    redirects: usize,
    most_bytes: usize,
) -> Result<Response, HttpError> {
    let status = response.status();
    let text = |value: &reqwest::header::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let content_type = response.headers().get(CONTENT_TYPE).map(text);
    let headers = response.headers().iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect();
    let (mut body, mut truncated) = (Vec::new(), false);
    while let Some(chunk) = response.chunk().await.map_err(|error| classify(error, url))? {
        let room = most_bytes - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            truncated = true;
            break;
        }
    }
    Ok(Response {
        url: url.to_string(),
        status: status.as_u16(),
        status_text: status.canonical_reason().unwrap_or_default().to_owned(),
        content_type,
        headers,
        body,
        truncated,
        redirects,
    })
}

/// Our error for the library's. Refusals of [`Checked`] lie at the bottom of its chain of causes.
fn classify(error: reqwest::Error, url: &Url) -> HttpError {
    let shown = shown(url);
    let mut cause: Option<&(dyn StdError + 'static)> = Some(&error);
    while let Some(one) = cause {
        match one.downcast_ref::<NotConnected>() {
            Some(NotConnected::Refused(reason)) => return HttpError::Refused { url: shown, reason: *reason },
            Some(NotConnected::Unresolved) => return HttpError::Dns { url: shown },
            None => cause = one.source(),
        }
    }
    let source = error.without_url();
    if source.is_timeout() {
        HttpError::Timeout { url: shown }
    } else if source.is_connect() {
        HttpError::Connect { url: shown, source }
    } else {
        HttpError::Broken { url: shown, source }
    }
}

/// A URL without what may be secret in it.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    if !url.username().is_empty() || url.password().is_some() {
        // Fails only for URLs without a host, which have no user either.
        let _ = url.set_username("");
        let _ = url.set_password(None);
    }
    shortened(url.as_str())
}

/// The beginning of a text that may be no URL.
fn shortened(text: &str) -> String {
    let before_query = text.split(['?', '#']).next().unwrap_or_default();
    let mut out: String = before_query.chars().filter(|letter| !letter.is_control()).take(200).collect();
    if out.len() < before_query.len() {
        out.push('…');
    }
    out
}

/// Why a name was not connected to.
#[derive(Debug, thiserror::Error)]
enum NotConnected {
    #[error("an address of the name may not be reached")]
    Refused(Reason),
    #[error("the name does not resolve")]
    Unresolved,
}

/// A resolver that gives checked addresses or none.
struct Checked {
    allow_private: Arc<[Cidr]>,
    lookup: Lookup,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let answer = (self.lookup)(name.as_str().to_owned());
        let allow_private = self.allow_private.clone();
        Box::pin(async move {
            let addresses = match timeout(DNS_WAIT, answer).await {
                Ok(Ok(addresses)) if !addresses.is_empty() => addresses,
                Ok(Ok(_) | Err(_)) | Err(_) => return Err(NotConnected::Unresolved.into()),
            };
            match addresses.iter().find_map(|address| judge_address(*address, &allow_private)) {
                Some(reason) => Err(NotConnected::Refused(reason).into()),
                // Port 0 stands for the URL's.
                None => Ok(Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0))) as Addrs),
            }
        })
    }
}

async fn system_lookup(name: String) -> io::Result<Vec<IpAddr>> {
    Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect())
}

#[cfg(test)]
mod tests;
