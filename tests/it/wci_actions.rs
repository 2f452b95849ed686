//! BARS T2, the action half: every action of the vectors gives the reference's result, after the clock is normalised and
//! our own keys (`observed`, `reason`) are taken away. Results that differ as DESIGN demands stand in one table, each
//! with its reason: one more or one fewer fails.

use std::{collections::BTreeMap, path::PathBuf};

use axum::{
    Router,
    http::{StatusCode, Uri, header},
    response::{Html, IntoResponse},
};
use gannet::actions::{
    host::HostOptions,
    session::{AgentSession, SessionOptions},
};
use serde_json::{Value, json};

/// Vector, numbers of its actions whose result differs on purpose, and why.
const DIFFERENCES: &[(&str, &[usize], &str)] = &[
    ("06-hidden-subtree", &[2], "trusted input: what styles hide cannot be pressed"),
    ("08-shadow-iframe", &[0, 1], "one ref space: shadow trees and frames are reached"),
    ("20-click", &[1], "trusted input: a disabled button cannot be pressed, and nothing was clicked"),
    ("20-click", &[14, 15], "DESIGN 4.3: more verbs than nine"),
    ("22-select", &[2, 8], "options are chosen by value, then label, then text"),
    ("22-select", &[6], "action contract: a null argument is no argument"),
    ("22-select", &[9, 10, 15], "trusted input: neither a disabled list nor a disabled option can be chosen"),
    ("22-select", &[13], "a list that takes several options takes a list of values"),
    ("23-check", &[7], "action contract: a null argument is no argument"),
    ("23-check", &[8], "trusted input: a disabled box cannot be pressed"),
    ("23-check", &[11], "DESIGN 4.4: a text field is not checked, whatever its property says"),
    ("23-check", &[12], "boxes by role are pressed, and must then say that they are checked"),
    ("25-submit", &[3, 4], "DESIGN 4.4: what the browser refuses was not submitted"),
    ("25-submit", &[5], "`form=` makes an element part of a form"),
    ("26a-navigate-guards", &[5], "a script is no address"),
    ("26d-navigate-invalid-url", &[0], "DESIGN 4.4: an address that cannot be opened was not navigated to"),
    ("27-upload", &[2], "trusted input: a field that takes one file gets no two"),
    ("27-upload", &[4], "follows from the one before"),
    ("27-upload", &[5, 9], "paths are taken, below the roots that the user names"),
    ("27-upload", &[10], "trusted input: a disabled field opens no chooser"),
    ("30-side-effects", &[0], "all microtasks are over when trusted input is; a duplicated id is one element, not two"),
    ("30-side-effects", &[1], "a duplicated id is one element: the other has not changed"),
    ("30-side-effects", &[2], "trusted input: an empty element has nothing to press"),
    ("34-publisher-validation", &[1], "DESIGN 4.4: what the browser refuses was not submitted"),
    ("34-publisher-validation", &[3], "follows from the one before"),
    ("38-password-mask-overwritten", &[0], "DESIGN 4.4: the value of a password field is in no result"),
    ("40-policy-denylist", &[2, 3], "DESIGN 4.4: denied if any enclosing scope is denied"),
    ("52-txt-empty-allow", &[0], "DESIGN 4.4: an empty list means an empty list"),
    ("57-txt-html-fallback", &[0], "an HTML answer is no wci.txt"),
    ("82-manifest-not-enforced", &[0], "DESIGN 4.4: wci.json counts, and the strictest wins"),
];

/// Vectors whose actions need what a browser on a real clock has not.
const STEPS: &str = "a step that moves the clock";

fn vectors() -> Vec<Value> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let shared = root.join("../shared/vectors/wci");
    let place = if shared.is_dir() {
        shared
    } else {
        eprintln!("left out: the full WCI vectors (no ../shared); the copied ones are tested");
        root.join("tests/vectors/wci")
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |path: &PathBuf| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let with_actions = |vector: &Value| vector["expected"]["actions"].as_array().is_some_and(|all| !all.is_empty());
    files.iter().map(read).filter(with_actions).collect()
}

/// What a vector's site serves: its page, and the site files that it names or whose policy it gives.
fn files(vector: &Value) -> BTreeMap<String, (u16, String, String)> {
    let mut files = BTreeMap::new();
    for (path, file) in vector["input"]["files"].as_object().into_iter().flatten() {
        let text = |key: &str| file[key].as_str().map(str::to_owned);
        let body = file.as_str().map(str::to_owned).or_else(|| text("body")).unwrap_or_default();
        let kind = text("contentType").unwrap_or_else(|| "text/plain".into());
        files.insert(path.clone(), (file["status"].as_u64().unwrap_or(200) as u16, kind, body));
    }
    if let Some(policy) = vector["input"]["policy"].as_object() {
        let list = |key: &str| {
            let items = policy[key].as_array().into_iter().flatten().filter_map(Value::as_str);
            items.collect::<Vec<_>>().join(", ")
        };
        let mut txt = String::new();
        for (directive, key) in [
            ("Allow-Scope", "allowedScopes"),
            ("Deny-Scope", "deniedScopes"),
            ("Auth-Required", "authRequired"),
            ("Require-Human-Confirmation", "requireHumanConfirmation"),
        ] {
            if !list(key).is_empty() {
                txt.push_str(&format!("{directive}: {}\n", list(key)));
            }
        }
        txt.push_str(&format!("Rate-Limit-Actions: {}\n", policy["rateLimitActions"]));
        if let Some(scope) = policy.get("authFlowScope").and_then(Value::as_str) {
            txt.push_str(&format!("Auth-Flow-Scope: {scope}\n"));
        }
        files.insert("/wci.txt".into(), (200, "text/plain".into(), txt));
    }
    files
}

async fn serve(vector: &Value) -> String {
    let html = vector["input"]["html"].as_str().unwrap_or_default().to_owned();
    let page = vector["input"]["path"].as_str().unwrap_or("/index.html").to_owned();
    let files = files(vector);
    let path = page.clone();
    let app = Router::new().fallback(move |uri: Uri| {
        let answer = if uri.path() == path {
            Html(html.clone()).into_response()
        } else if let Some((status, kind, body)) = files.get(uri.path()) {
            let status = StatusCode::from_u16(*status).unwrap();
            (status, [(header::CONTENT_TYPE, kind.clone())], body.clone()).into_response()
        } else {
            StatusCode::NOT_FOUND.into_response()
        };
        async move { answer }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}{page}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

/// A result without the clock and without what is ours alone.
fn normalised(result: &Value) -> Value {
    let mut result = result.clone();
    if let Some(fields) = result.as_object_mut() {
        fields.remove("observed");
        fields.insert("timestamp".into(), "T".into());
        if let Some(error) = fields.get_mut("error").and_then(Value::as_object_mut) {
            error.remove("reason");
            // Ours goes on with what is near (DESIGN 4.1).
            let hint = error["hint"].as_str().unwrap_or_default();
            let hint = hint.split(" Near it: ").next().unwrap_or_default().to_owned();
            error.insert("hint".into(), hint.into());
        }
    }
    result
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn actions_of_the_vectors_give_the_reference_s_results() {
    let base = tempfile::tempdir().unwrap();
    let host = HostOptions {
        allow_no_sandbox: rustix::process::geteuid().is_root(),
        base: base.path().to_owned(),
        ..HostOptions::default()
    };
    let session = AgentSession::open(SessionOptions { host, ..SessionOptions::default() }).await.unwrap();
    let (mut compared, mut left_out) = (0, 0);
    let mut wrong = vec![];
    for vector in &vectors() {
        let name = vector["name"].as_str().unwrap();
        let url = serve(vector).await;
        assert!(!session.call("navigate", json!({"url": url})).await.is_error, "{name}");
        let known = DIFFERENCES.iter().filter(|(known, ..)| *known == name).flat_map(|(_, numbers, _)| *numbers);
        let known: Vec<usize> = known.copied().collect();
        let expected = vector["expected"]["actions"].as_array().unwrap();
        for (at, action) in expected.iter().enumerate() {
            if action.get("step").is_some() {
                left_out += expected.len() - at;
                eprintln!("left out: {} results of {name} after {STEPS}", expected.len() - at);
                break;
            }
            let mut request = action["request"].clone();
            request["options"] = json!({"timeoutMs": 400});
            let reply = session.call("act", request).await;
            let (got, want) = (normalised(&reply.structured), normalised(&action["result"]));
            compared += 1;
            let differs = serde_json::to_string(&got).unwrap() != serde_json::to_string(&want).unwrap();
            if differs != known.contains(&at) {
                wrong.push(format!("{name} {at} {}\n  want {want}\n  got  {got}", action["request"]));
            }
        }
    }
    session.close().await;
    let known: usize = DIFFERENCES.iter().map(|(_, numbers, _)| numbers.len()).sum();
    eprintln!("{compared} results compared, {known} differ as DESIGN demands, {left_out} left out");
    assert!(wrong.is_empty(), "{} results differ otherwise than by the table:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared >= 20, "only {compared} results were compared");
}
