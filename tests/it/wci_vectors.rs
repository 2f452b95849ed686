//! BARS T2, the view half: every `distil` of the vectors equals ours byte for byte, JSON and Markdown, after the clock
//! and anonymous ids are normalised. Differences that DESIGN 4.4 demands stand in one table, each with its reason.

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

/// Vectors whose view differs on purpose.
const DIFFERENCES: &[(&str, &str)] = &[
    ("06-hidden-subtree", "hiding takes the subtree, as the seed says; the reference hides one node"),
    ("38-password-mask-overwritten", "the value of a password field never leaves the page"),
    ("36-role-only-not-dispatchable", "anonymous ids are made of refs, so that they can be dispatched"),
];

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
    let (mut compared, mut wrong) = (0, vec![]);
    for vector in &vectors {
        let name = vector["name"].as_str().unwrap();
        page.goto(&format!("{site}/{name}"), WaitUntil::Load, wait).await.unwrap();
        let snapshot = page.snapshot(wait).await.unwrap();
        for expected in vector["expected"]["distil"].as_array().unwrap() {
            if expected["root"] != "document" || !expected["options"]["maxTokens"].is_null() {
                continue;
            }
            let site_context = serde_json::from_value(expected["options"]["siteContext"].clone()).ok();
            let context = DistilContext { now: NOW, site: site_context.as_ref() };
            for (format, key) in [(Format::Json, "viewJSON"), (Format::Markdown, "markdown")] {
                let Some(want) = expected[key].as_str() else { continue };
                let got = distil(&snapshot, &options(&expected["options"], format), &context).text;
                compared += 1;
                if normalised(&got) != normalised(want) {
                    wrong.push((
                        name,
                        format!("{name} {} {key}\n--- want\n{want}\n--- got\n{got}", expected["options"]),
                    ));
                }
            }
        }
    }
    browser.close().await;
    let surprises: Vec<&String> = wrong
        .iter()
        .filter(|(name, _)| !DIFFERENCES.iter().any(|(known, _)| known == name))
        .map(|(_, text)| text)
        .collect();
    assert!(
        surprises.is_empty(),
        "{} of {compared} differ:\n{}",
        surprises.len(),
        surprises.iter().map(|text| text.as_str()).collect::<Vec<_>>().join("\n==========\n")
    );
    assert!(compared >= 40, "only {compared} views were compared");
    eprintln!("{compared} views compared, {} differ as DESIGN 4.4 demands", wrong.len());
}
