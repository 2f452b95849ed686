//! BARS T2, the view half: every `distil` of the vectors equals ours byte for byte, JSON and Markdown, after the clock
//! and anonymous ids are normalised. Views that differ as DESIGN demands stand in one table, each with its reason and its
//! number: one more or one fewer fails. The vectors' `settleMs` is for their actions; views are taken at load.

use std::{collections::BTreeMap, path::PathBuf};

use axum::{Router, response::Html, routing::get};
use gannet::{
    cdp::browser::{Browser, LaunchOptions},
    page::{context::Context, navigation::WaitUntil},
    spec::{
        deadline::Deadline,
        view::{Fallback, Format, ViewOptions},
    },
    view::distil::{DistilContext, distil},
};
use serde_json::Value;

const NOW: &str = "2026-01-01T00:00:00.000Z";

/// Vector, how many of its views differ on purpose, and why.
const DIFFERENCES: &[(&str, usize, &str)] = &[
    ("06-hidden-subtree", 2, "DESIGN 4.4: hiding takes the subtree, as the seed says; the reference hides one node"),
    (
        "38-password-mask-overwritten",
        2,
        "DESIGN 4.4: the value of a password field never leaves the page, not even an empty one",
    ),
];

/// Why a view of the reference has no counterpart here; none when it has one.
fn beyond(expected: &Value) -> Option<&'static str> {
    if expected["root"] != "document" {
        return Some("a view of an element: ours are of the page, narrowed by `scope`");
    }
    if !expected["options"]["maxTokens"].is_null() {
        return Some("`maxTokens` counts characters / 3.7: our `budget` counts o200k tokens and says what was cut");
    }
    None
}

fn vectors() -> Vec<PathBuf> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let shared = root.join("../shared/vectors/wci");
    let own = root.join("tests/vectors/wci");
    let place = if shared.is_dir() {
        shared
    } else {
        eprintln!("left out: the full WCI vectors (no ../shared); the copied ones are tested");
        own
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn options(raw: &Value, format: Format) -> ViewOptions {
    let mut options = ViewOptions { format, fallback: Fallback::Never, ..ViewOptions::default() };
    for (key, value) in raw.as_object().unwrap() {
        match key.as_str() {
            "scope" => options.scope = value.as_str().map(str::to_owned),
            "maxNodes" => options.max_nodes = value.as_i64().unwrap(),
            "includeState" => options.include_state = value.as_bool().unwrap(),
            "includeHidden" => options.hidden = value.as_bool().unwrap(),
            "compact" => options.compact = value.as_bool().unwrap(),
            "maxPriority" => options.max_priority = value.as_i64(),
            "roles" => options.roles = serde_json::from_value(value.clone()).unwrap(),
            "format" | "siteContext" | "maxTokens" => {}
            other => panic!("the vectors have an option that this test does not know: {other}"),
        }
    }
    options
}

/// Anonymous ids are random in the reference and refs in ours.
fn normalised(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("wci-anon-") {
        out.push_str(&rest[..at]);
        out.push_str("wci-anon-N");
        rest = rest[at + 9..].trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '-');
    }
    out + rest
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn views_of_the_vectors_are_byte_equal() {
    let vectors: Vec<Value> = vectors()
        .iter()
        .map(|path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
        .filter(|vector: &Value| vector["expected"]["distil"].as_array().is_some_and(|all| !all.is_empty()))
        .collect();
    let pages: BTreeMap<String, String> = vectors
        .iter()
        .map(|vector| {
            (vector["name"].as_str().unwrap().to_owned(), vector["input"]["html"].as_str().unwrap().to_owned())
        })
        .collect();
    let app = Router::new().route(
        "/{name}",
        get(move |axum::extract::Path(name): axum::extract::Path<String>| {
            let html = pages.get(&name).cloned().unwrap_or_default();
            async move { Html(html) }
        }),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let site = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });

    let base = tempfile::tempdir().unwrap();
    let launch = LaunchOptions {
        allow_no_sandbox: rustix::process::geteuid().is_root(),
        base: base.path().to_owned(),
        ..LaunchOptions::default()
    };
    let wait = Deadline::after_ms(60_000);
    let browser = Browser::launch(launch, wait).await.expect("Chromium starts (apt-get install -y chromium)");
    let context = Context::new(&browser, (1280, 720), wait).await.unwrap();
    let page = context.new_page(wait).await.unwrap();
    let (mut compared, mut left_out) = (0, BTreeMap::new());
    let mut differ: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for vector in &vectors {
        let name = vector["name"].as_str().unwrap();
        page.goto(&format!("{site}/{name}"), WaitUntil::Load, wait).await.unwrap();
        let snapshot = page.snapshot(wait).await.unwrap();
        for expected in vector["expected"]["distil"].as_array().unwrap() {
            if let Some(reason) = beyond(expected) {
                *left_out.entry(reason).or_insert(0) += 1;
                continue;
            }
            let site_context = serde_json::from_value(expected["options"]["siteContext"].clone()).ok();
            let context = DistilContext { now: NOW, site: site_context.as_ref() };
            for (format, key) in [(Format::Json, "viewJSON"), (Format::Markdown, "markdown")] {
                let Some(want) = expected[key].as_str() else { continue };
                let got = distil(&snapshot, &options(&expected["options"], format), &context).text;
                compared += 1;
                if normalised(&got) != normalised(want) {
                    let text = format!("{name} {} {key}\n--- want\n{want}\n--- got\n{got}", expected["options"]);
                    differ.entry(name).or_default().push(text);
                }
            }
        }
    }
    browser.close().await;
    for vector in &vectors {
        let name = vector["name"].as_str().unwrap();
        let found = differ.get(name).map_or(&[][..], Vec::as_slice);
        let wanted = DIFFERENCES.iter().find(|(known, ..)| *known == name).map_or(0, |(_, count, _)| *count);
        assert_eq!(found.len(), wanted, "{name}: {}", found.join("\n==========\n"));
    }
    assert!(compared >= 40, "only {compared} views were compared");
    for (reason, count) in left_out {
        eprintln!("left out: {count} × {reason}");
    }
    let known: usize = DIFFERENCES.iter().map(|(_, count, _)| count).sum();
    eprintln!("{compared} views compared, {known} differ as DESIGN 4.4 demands");
}
