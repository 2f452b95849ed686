//! `read_url`: one page as a person would read it, in a tab of its own: rendered text, title, a picture. Not a browsing
//! tool: the page is closed again. Shape and failure categories: action contract, "Read URL Rules".

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{
    actions::{
        args::{Field, Schema},
        error::ToolError,
        permission,
        registry::{Definition, Ran, read},
        reply::ToolReply,
        session::{AgentSession, Call},
        url_rule::{Kind, judge},
    },
    evidence::screenshot::{ShotFormat, ShotOptions, capture},
    page::{
        error::PageError,
        navigation::{Navigation, WaitUntil},
        tab::Page,
    },
    spec::{deadline::Deadline, read_url::ReadUrlResult, tool::Tier},
};

/// Limits of the contract.
const MAX_BYTES: usize = 200_000;
const TIMEOUT_MS: u64 = 10_000;
/// Longest side of the picture, in px.
const MAX_SIDE: u32 = 1_280;
/// How long closing the tab may take.
const CLOSE: Duration = Duration::from_secs(2);
/// How long the picture may take.
const PICTURE: Duration = Duration::from_secs(3);
/// Below this many characters a page with the words of a barrier is one.
const BARRIER: usize = 1_500;
/// What barriers say in place of the page.
const BARRIERS: [&str; 10] = [
    "just a moment",
    "checking your browser",
    "verify you are human",
    "verifying you are human",
    "attention required",
    "are you a robot",
    "unusual traffic",
    "enable javascript and cookies to continue",
    "access denied",
    "complete the captcha",
];

/// What to read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReadRequest {
    pub url: String,
    pub method: Option<String>,
    pub mode: Option<String>,
    pub max_bytes: Option<f64>,
    pub timeout_ms: Option<f64>,
    pub headers: Map<String, Value>,
    /// Without a picture a read costs less.
    pub screenshot: Option<bool>,
}

pub fn definition() -> Definition {
    Definition {
        name: "read_url",
        description: "Read one public page as text, aside from the tabs.",
        tier: Tier(1),
        permission: permission::reads_aside("external_network"),
        aliases: &["read", "open_url", "fetch_url"],
        capability: None,
        schema: Schema::of([
            Field::new("url", "string", "").required(),
            Field::new("method", "string", "").one_of(&["GET", "HEAD"]),
            Field::new("mode", "string", "").one_of(&["auto", "text", "html_text", "json"]),
            Field::new("maxBytes", "integer", ""),
            Field::new("timeoutMs", "integer", ""),
            Field::new("headers", "object", ""),
            Field::new("screenshot", "boolean", "default true"),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let request: ReadRequest = read(call.action, call.args)?;
        let result = read_one(call.session, &request).await;
        let text = match (&result.error, &result.text) {
            (Some(error), _) => {
                format!("{error}: {} ({})", result.message.as_deref().unwrap_or_default(), result.url)
            }
            (None, text) => {
                let title = result.title.as_deref().unwrap_or_default();
                let cut = if result.truncated == Some(true) { "\n… cut at maxBytes" } else { "" };
                let status = result.status.map(|status| format!("{status} ")).unwrap_or_default();
                format!("{status}{title:?} {}\n{}{cut}", result.url, text.as_deref().unwrap_or_default())
            }
        };
        let is_error = !result.ok;
        let mut structured = json!(result);
        if is_error {
            tracing::debug!(url = result.url, "a read failed");
            structured["ok"] = false.into();
        }
        Ok(ToolReply { text, structured, is_error, images: vec![] })
    })
}

/// A failure on its way to the result: category, finer reason, message.
struct Failed {
    error: &'static str,
    reason: String,
    message: String,
    status: Option<u16>,
}

impl Failed {
    fn new(error: &'static str, reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self { error, reason: reason.into(), message: message.into(), status: None }
    }
}

/// Reads one page. Never fails otherwise than by its result.
pub async fn read_one(session: &AgentSession, request: &ReadRequest) -> ReadUrlResult {
    match attempt(session, request).await {
        Ok(result) => result,
        Err((url, failed)) => ReadUrlResult {
            ok: false,
            status: failed.status,
            error: Some(failed.error.to_owned()),
            reason: Some(failed.reason),
            message: Some(failed.message),
            platform: Some("browser".to_owned()),
            ..blank(url)
        },
    }
}

async fn attempt(session: &AgentSession, request: &ReadRequest) -> Result<ReadUrlResult, (String, Failed)> {
    let allow_private = &session.options.allow_private;
    let verdict = judge(&request.url, allow_private);
    let url = verdict.canonical.clone().unwrap_or_else(|| request.url.clone());
    let fail = |failed: Failed| (url.clone(), failed);
    if !matches!(verdict.verdict, Kind::Allow | Kind::NeedsDns) {
        let why = verdict.reason.map_or("it may not be read", |reason| reason.explain());
        let reason = verdict.reason.map(|reason| super::reply::word(&reason)).unwrap_or_default();
        return Err(fail(Failed::new("invalid_url", reason, format!("refused: {why}"))));
    }
    let method = method(request).map_err(fail)?;
    if let Err(refusal) = session.gate.admit_url(&url) {
        return Err(fail(Failed::new("invalid_url", "domain_blocked", refusal.message)));
    }
    resolve(&url, allow_private).await.map_err(fail)?;
    let deadline = Deadline::after_ms(timeout_ms(request).min(600_000));
    let page = session.context().new_page(deadline).await.map_err(|error| fail(of_page(&error)))?;
    let result = visit(session, &page, request, &url, &method, deadline).await;
    let closed = page.close(Deadline::after(CLOSE)).await;
    if let Err(error) = closed {
        tracing::debug!(%error, "the tab of a read is not closed");
    }
    result.map_err(fail)
}

async fn visit(
    session: &AgentSession,
    page: &Page,
    request: &ReadRequest,
    url: &str,
    method: &str,
    deadline: Deadline,
) -> Result<ReadUrlResult, Failed> {
    let headers: Map<String, Value> =
        request.headers.iter().filter(|(_, value)| value.is_string()).map(|(k, v)| (k.clone(), v.clone())).collect();
    if !headers.is_empty() {
        let params = json!({"headers": headers});
        let set = page.session().call_raw("Network.setExtraHTTPHeaders", params, deadline).await;
        set.map_err(|error| of_page(&PageError::from(error)))?;
    }
    let navigation = page.goto(url, WaitUntil::Load, deadline).await.map_err(|error| of_page(&error))?;
    let gone = |failed: Failed| Failed { status: navigation.status, ..failed };
    // Where redirects and scripts led is judged as the address itself was.
    let landed = judge(&navigation.url, &session.options.allow_private);
    if !matches!(landed.verdict, Kind::Allow | Kind::NeedsDns) {
        let reason = landed.reason.map(|reason| super::reply::word(&reason)).unwrap_or_default();
        return Err(gone(Failed::new("invalid_url", reason, format!("refused: it leads to {}", navigation.url))));
    }
    session
        .gate
        .admit_url(&navigation.url)
        .map_err(|refusal| gone(Failed::new("invalid_url", "domain_blocked", refusal.message)))?;
    resolve(&navigation.url, &session.options.allow_private).await.map_err(gone)?;
    if let Some(status) = navigation.status.filter(|status| *status >= 400) {
        let message = format!("URL request failed with status {status}.");
        return Err(gone(Failed::new("http_error", format!("http_{status}"), message)));
    }
    if navigation.status == Some(202) {
        return Err(gone(Failed::new("blocked_page", "non_final_response", "the server answered that it is not done")));
    }
    if navigation.download || !is_text(&navigation.mime) {
        let mime = if navigation.mime.is_empty() { "a download" } else { &navigation.mime };
        let message = format!("the response is not text: {mime}");
        return Err(gone(Failed::new("unsupported_content_type", "unsupported_content_type", message)));
    }
    let mode = mode(request.mode.as_deref(), &navigation.mime);
    let mut result = ReadUrlResult {
        status: navigation.status,
        status_text: navigation.status.map(phrase),
        content_type: Some(navigation.mime.clone()),
        mode: Some(mode.to_owned()),
        title: Some(navigation.title.clone()),
        ..blank(navigation.url.clone())
    };
    if method == "HEAD" {
        return Ok(ReadUrlResult { text: Some(String::new()), bytes: Some(0), truncated: Some(false), ..result });
    }
    let rendered =
        page.call_frame(&page.main_frame().0, "text", &[], deadline).await.map_err(|error| of_page(&error))?;
    let rendered = rendered.as_str().unwrap_or_default();
    let text = if mode == "json" { pretty(rendered) } else { tidy(rendered) };
    if text.is_empty() && mode == "html_text" {
        return Err(gone(Failed::new("empty_content", "empty_content", "the page has no readable text")));
    }
    if let Some(barrier) = barrier(&navigation, &text) {
        return Err(gone(Failed::new("blocked_page", "challenge", format!("the page is a barrier: {barrier:?}"))));
    }
    result.bytes = u64::try_from(text.len()).ok();
    let most = max_bytes(request);
    result.truncated = Some(text.len() > most);
    result.text = Some(text[..text.floor_char_boundary(most)].to_owned());
    if request.screenshot.unwrap_or(true) {
        let options = ShotOptions { full_page: false, format: ShotFormat::Jpeg, max_side: MAX_SIDE };
        // The text is there: a picture that fails is no failure of the read.
        match capture(page, &options, deadline.max(Deadline::after(PICTURE))).await {
            Ok(shot) => {
                let data = BASE64_STANDARD.encode(&shot.bytes);
                result.screenshot_data_url = Some(format!("data:image/jpeg;base64,{data}"));
                result.screenshot_mime_type = Some("image/jpeg".to_owned());
            }
            Err(error) => tracing::debug!(%error, "no picture of the page"),
        }
    }
    Ok(result)
}

fn blank(url: String) -> ReadUrlResult {
    ReadUrlResult {
        kind: "read_url_result".to_owned(),
        ok: true,
        url,
        status: None,
        status_text: None,
        content_type: None,
        mode: None,
        text: None,
        title: None,
        screenshot_data_url: None,
        screenshot_mime_type: None,
        bytes: None,
        truncated: None,
        error: None,
        reason: None,
        message: None,
        platform: None,
    }
}

fn of_page(error: &PageError) -> Failed {
    match error {
        PageError::Timeout { .. } | PageError::Hung => Failed::new("timeout", "timeout", error.to_string()),
        PageError::BadUrl { .. } => Failed::new("invalid_url", "scheme", error.to_string()),
        PageError::NavigationFailed { text, .. } => {
            let reason = text.trim_start_matches("net::").to_ascii_lowercase();
            if reason.contains("timed_out") {
                return Failed::new("timeout", reason, error.to_string());
            }
            Failed::new("fetch_failed", reason, error.to_string())
        }
        _ => Failed::new("fetch_failed", super::reply::word(&error.reason()), error.to_string()),
    }
}

fn method(request: &ReadRequest) -> Result<String, Failed> {
    let method = request.method.as_deref().unwrap_or("GET").trim().to_ascii_uppercase();
    match method.as_str() {
        "GET" | "HEAD" => Ok(method),
        _ => Err(Failed::new("invalid_method", "invalid_method", "read_url only supports \"GET\" or \"HEAD\".")),
    }
}

fn timeout_ms(request: &ReadRequest) -> u64 {
    positive(request.timeout_ms).unwrap_or(TIMEOUT_MS)
}

fn max_bytes(request: &ReadRequest) -> usize {
    positive(request.max_bytes).and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(MAX_BYTES)
}

/// A whole positive number, as the contract takes it; anything else counts as not given.
fn positive(number: Option<f64>) -> Option<u64> {
    number.filter(|number| *number >= 1.0 && number.fract() == 0.0 && *number < 1e15).map(|number| number as u64)
}

fn is_text(mime: &str) -> bool {
    let mime = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    mime.is_empty()
        || mime.starts_with("text/")
        || mime.ends_with("+json")
        || mime.ends_with("+xml")
        || matches!(mime.as_str(), "application/json" | "application/xml" | "application/javascript")
}

fn mode(asked: Option<&str>, mime: &str) -> &'static str {
    let mime = mime.to_ascii_lowercase();
    match asked.unwrap_or_default().to_ascii_lowercase().as_str() {
        "text" => "text",
        "html_text" => "html_text",
        "json" => "json",
        _ if mime.contains("html") => "html_text",
        _ if mime.starts_with("application/json") || mime.contains("+json") => "json",
        _ => "text",
    }
}

/// The reason phrase of a status.
fn phrase(status: u16) -> String {
    let known = reqwest::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason());
    known.unwrap_or_default().to_owned()
}

fn pretty(text: &str) -> String {
    match serde_json::from_str::<Value>(text) {
        Ok(value) => serde_json::to_string_pretty(&value).unwrap_or_else(|_| text.to_owned()),
        Err(_) => text.to_owned(),
    }
}

/// Lines without white space at their ends, at most one blank line between them.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = 0;
    for line in text.lines().map(str::trim) {
        if line.is_empty() {
            blank += 1;
            continue;
        }
        if !out.is_empty() {
            out.push_str(if blank > 0 { "\n\n" } else { "\n" });
        }
        blank = 0;
        out.push_str(line);
    }
    out
}

/// The words by which a short page is known as a barrier rather than the page.
fn barrier(navigation: &Navigation, text: &str) -> Option<&'static str> {
    if text.len() > BARRIER {
        return None;
    }
    let said = format!("{}\n{text}", navigation.title).to_lowercase();
    BARRIERS.into_iter().find(|words| said.contains(words))
}

/// Judges every address that the host has now. The browser resolves again for itself: a name that changes between the
/// two is the network boundary's to stop, not this look's.
async fn resolve(url: &str, allow_private: &[super::url_rule::Cidr]) -> Result<(), Failed> {
    let parsed = url::Url::parse(url).map_err(|error| Failed::new("invalid_url", "malformed", error.to_string()))?;
    let (Some(url::Host::Domain(host)), Some(port)) = (parsed.host(), parsed.port_or_known_default()) else {
        return Ok(());
    };
    let found = tokio::net::lookup_host((host, port)).await;
    let addresses: Vec<_> = found
        .map_err(|error| Failed::new("fetch_failed", "dns", format!("`{host}` does not resolve: {error}")))?
        .collect();
    for address in addresses {
        if let Some(reason) = super::url_rule::judge_address(address.ip(), allow_private) {
            let message = format!("refused: `{host}` is {}: {}", address.ip(), reason.explain());
            return Err(Failed::new("invalid_url", super::reply::word(&reason), message));
        }
    }
    Ok(())
}

/// A failed read as an error of the call, for callers that want one.
impl From<Failed> for ToolError {
    fn from(failed: Failed) -> Self {
        Self::invalid(failed.message, "check the address")
    }
}

#[cfg(test)]
mod tests;
