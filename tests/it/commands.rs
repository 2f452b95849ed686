//! The commands beside `view` and `shot`: what each prints, writes and exits with.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::support::{cli::Gannet, server::Site};

const FORM: &str = "<title>Ferry booking</title><h1>Book a ferry</h1><p>Two boats a day.</p>\
    <form><label for=name>Full name</label><input id=name><label for=pin>PIN</label>\
    <input id=pin type=password value=hunter2-secret><button id=book type=button \
    onclick=\"document.getElementById('out').textContent='Booked for '+document.getElementById('name').value\">Book</button>\
    </form><p id=out></p>";

#[track_caller]
fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("not JSON ({error}): {text}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn read_gives_one_result_a_line_in_order() {
    let site =
        Site::pages(&[("/a", FORM), ("/b", "<title>B</title><main><p>The second page has a text.</p></main>")]).await;
    let (a, b) = (site.url("/a"), site.url("/b"));
    let output = Gannet::new(["read", &a, &b, "--allow-private", "127.0.0.0/8"]).run().await.exits(0);
    let lines: Vec<Value> = output.stdout.lines().map(parse).collect();
    assert_eq!(lines.len(), 2, "{}", output.stdout);
    for (line, url) in lines.iter().zip([&a, &b]) {
        assert_eq!(line["kind"], json!("read_url_result"), "{line}");
        assert_eq!((&line["ok"], line["url"].as_str()), (&json!(true), Some(url.as_str())), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn read_refuses_private_addresses_without_a_request() {
    let site = Site::page(FORM).await;
    let output = Gannet::new(["read", &site.url("/")]).run().await;
    let result = parse(output.stdout.lines().next().unwrap_or_default());
    assert_eq!(result["ok"], json!(false), "{result}");
    assert_eq!(site.hits("/"), 0, "the refused page was asked for");
    assert_ne!(output.code, 0, "a failed read is not success");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_passes_and_fails_by_what_the_page_shows() {
    let site = Site::page(FORM).await;
    let directory = tempfile::tempdir().expect("a temporary directory");
    let run = async |name: &str, expected: &str| {
        let text = format!(
            "name: booking\nsteps:\n  - navigate: {url}\n  - fill: {{node: 'label=Full name', value: Ada}}\n  \
             - click: role=button[name=\"Book\"]\n  - expect: {{text: '{expected}'}}\n",
            url = site.url("/")
        );
        let file = directory.path().join(name);
        fs::write(&file, text).expect("the script is written");
        Gannet::new([Path::new("script"), &file]).directory(directory.path()).run().await
    };
    run("passes.yaml", "Booked for Ada").await.exits(0);
    run("fails.yaml", "Booked for Grace").await.exits(1);
}

#[tokio::test]
async fn schemas_exist_for_every_provider() {
    for provider in ["openai", "gemini", "anthropic", "mcp"] {
        let output = Gannet::new(["schema", "--provider", provider]).run().await.exits(0);
        let schemas = parse(&output.stdout).to_string();
        for tool in ["navigate", "view", "act", "read_url"] {
            assert!(schemas.contains(&format!("\"{tool}\"")), "{provider} lacks {tool}: {schemas}");
        }
    }
}

#[tokio::test]
async fn completions_are_written_for_each_shell() {
    for shell in ["bash", "zsh", "fish"] {
        Gannet::new(["completions", shell]).run().await.exits(0).prints("gannet");
    }
}

#[tokio::test]
async fn debug_url_judges_without_a_network() {
    for (url, verdict) in
        [("https://example.com/a", "allow"), ("http://169.254.169.254/latest", "deny"), ("http://0x7f.1/", "deny")]
    {
        let output = Gannet::new(["debug", "url"]).stdin(json!({ "url": url }).to_string()).run().await.exits(0);
        assert_eq!(parse(&output.stdout)["verdict"], json!(verdict), "{url}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn demo_runs_a_whole_task_and_ends_with_the_report() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let output = Gannet::new(["demo"]).directory(directory.path()).run().await.exits(0);
    let said = output.stdout.clone() + &output.stderr;
    let report = said.split_whitespace().rev().find(|word| word.ends_with(".html")).expect("a report is named");
    let report = report.trim_matches(['`', '\'', '"']).trim_start_matches("file://");
    assert!(directory.path().join(report).is_file(), "no report at {report}: {said}");
}
