//! A case of the corpus, and the driver: one browser a table, one navigation and one action a case.

use std::{
    collections::HashMap,
    fmt::Write,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    http::{StatusCode, Uri, header},
    response::{Html, IntoResponse},
};
use gannet::actions::{
    host::HostOptions,
    permission::{ActionPolicy, Verdict},
    session::{AgentSession, SessionOptions},
};
use serde_json::{Value, json};

/// How long an event may take to reach the page once the action has been answered: a bound, no measure.
const ARRIVES: Duration = Duration::from_secs(5);
/// Patience of an action that is to fail, in milliseconds.
const IN_VAIN: u64 = 700;

/// One action on one page. Tables override what differs from [`CLICK`].
pub struct Case {
    pub name: &'static str,
    /// Below the prelude, which gives it `say(word)`. `{here}` is its own address without the origin, `{other}` the same
    /// of another origin.
    pub html: &'static str,
    /// Further pages: path below `{here}` and HTML, with the same prelude.
    pub pages: &'static [(&'static str, &'static str)],
    pub node: &'static str,
    pub action: &'static str,
    /// JSON; empty for none.
    pub value: &'static str,
    /// JSON; empty for none.
    pub options: &'static str,
    /// The effect, or the code and the reason of the error.
    pub want: &'static str,
    /// What `seen()` gives in the page afterwards: the words said, unless the page redefines it.
    pub saw: &'static str,
    /// A part of the result's JSON.
    pub says: &'static str,
}

/// A click on `#b` that the page sees.
pub const CLICK: Case = Case {
    name: "",
    html: "",
    pages: &[],
    node: "css=#b",
    action: "click",
    value: "",
    options: "",
    want: "changed",
    saw: "b",
    says: "",
};

/// Every page begins with this.
const PRELUDE: &str = "<!doctype html><meta charset=utf-8><title>Case</title><script>\
    const log = []; function say(word) { log.push(word); document.documentElement.dataset.said = log.length; }\
    var seen = () => log.join(' '); addEventListener('message', (event) => { \
    if (typeof event.data === 'string') say(event.data); });</script><style>body{margin:0}</style>";

/// Runs a table; every case that is not as it should be is in the message.
pub async fn run(cases: &'static [Case]) {
    run_with(cases, |options| options).await;
}

/// Runs a table in a session of its own kind.
pub async fn run_with(cases: &'static [Case], adjust: impl FnOnce(SessionOptions) -> SessionOptions) {
    let site = serve(cases).await;
    let base = tempfile::tempdir().expect("a temporary directory");
    let session = AgentSession::open(adjust(options(base.path()))).await.expect("a browser");
    let mut wrong = vec![];
    for (number, case) in cases.iter().enumerate() {
        let url = format!("http://127.0.0.1:{site}/{number}");
        if let Err(why) = check(&session, &url, case).await {
            wrong.push(format!("{}: {why}", case.name));
        }
    }
    session.close().await;
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// A session that may look into the page.
pub fn options(base: &std::path::Path) -> SessionOptions {
    let mut policy = ActionPolicy::default();
    policy.set("evaluate", Verdict::Allow, "the test looks into the page");
    SessionOptions {
        host: HostOptions {
            allow_no_sandbox: rustix::process::geteuid().is_root(),
            base: base.to_owned(),
            ..HostOptions::default()
        },
        caps: vec!["evaluate".into()],
        policy,
        ..SessionOptions::default()
    }
}

async fn check(session: &AgentSession, url: &str, case: &Case) -> Result<(), String> {
    let arrived = session.call("navigate", json!({"url": url})).await;
    if arrived.is_error {
        return Err(format!("the page does not load: {}", arrived.text));
    }
    let fails = case.want.starts_with(|letter: char| letter.is_ascii_uppercase());
    let mut request = json!({"nodeId": case.node, "action": case.action, "options": {}});
    if !case.value.is_empty() {
        request["value"] = serde_json::from_str(case.value).expect("a case's value is JSON");
    }
    if !case.options.is_empty() {
        request["options"] = serde_json::from_str(case.options).expect("a case's options are JSON");
    }
    if fails && request["options"]["timeoutMs"].is_null() {
        request["options"]["timeoutMs"] = IN_VAIN.into();
    }
    let reply = session.call("act", request).await;
    let result = reply.structured;
    let got = outcome(&result);
    let mut why = String::new();
    if got != case.want {
        let _ = write!(why, "`{got}` instead of `{}`; ", case.want);
    }
    let saw = sees(session, case.saw).await;
    if saw != case.saw {
        let _ = write!(why, "the page saw `{saw}` instead of `{}`; ", case.saw);
    }
    if !result.to_string().contains(case.says) {
        let _ = write!(why, "the result does not say `{}`; ", case.says);
    }
    if why.is_empty() { Ok(()) } else { Err(format!("{why}\n    {result}")) }
}

/// The effect of a success, the code and reason of a failure.
fn outcome(result: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if result["success"] == json!(true) {
        return text(&result["observed"]["effect"]);
    }
    format!("{} {}", text(&result["error"]["code"]), text(&result["error"]["reason"])).trim_end().to_owned()
}

/// What the page saw: at once where that is `want`, else what it is when the time is up.
async fn sees(session: &AgentSession, want: &str) -> String {
    let started = Instant::now();
    loop {
        let reply = session.call("evaluate", json!({"expression": "String(seen())"})).await;
        let saw = match &reply.structured["value"] {
            Value::String(text) => text.clone(),
            _ => reply.text.clone(),
        };
        // Where nothing may arrive, there is nothing to wait for.
        if saw == want || want.is_empty() || started.elapsed() > ARRIVES {
            return saw;
        }
        tokio::task::yield_now().await;
    }
}

/// Serves the pages of a table below the number of their case; gives the port. `/404` is not there, `/file/NAME` is a
/// download of that name.
async fn serve(cases: &'static [Case]) -> u16 {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a loopback port");
    let port = listener.local_addr().expect("a bound socket").port();
    let mut pages = HashMap::new();
    for (number, case) in cases.iter().enumerate() {
        for (path, html) in [("", case.html)].iter().chain(case.pages) {
            let here = format!("/{number}");
            let other = format!("http://localhost:{port}{here}");
            let html = format!("{PRELUDE}{html}").replace("{here}", &here).replace("{other}", &other);
            pages.insert(format!("{here}{path}"), html);
        }
    }
    let pages = Arc::new(pages);
    let router = Router::new().fallback(move |uri: Uri| {
        let pages = Arc::clone(&pages);
        async move {
            if let Some(name) = uri.path().strip_prefix("/file/") {
                let kind = (header::CONTENT_TYPE, "application/octet-stream".to_owned());
                let name = (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""));
                return ([kind, name], "twelve bytes").into_response();
            }
            match pages.get(uri.path()) {
                Some(html) => Html(html.clone()).into_response(),
                None => StatusCode::NOT_FOUND.into_response(),
            }
        }
    });
    tokio::spawn(async move { axum::serve(listener, router).await });
    port
}
