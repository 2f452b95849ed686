//! Bad input and dead browsers: a coded error with a hint, and the session goes on.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{
    cli::Gannet,
    healthy::{HEALTHY, goes_on},
    mcp::Mcp,
    processes::{browser_of, renderers_of, signal, within},
    server::Site,
};

/// Bound on a process that is killed.
const DIES_WITHIN: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_browser_is_named_with_its_cure() {
    let output = Gannet::new(["view", "http://127.0.0.1:9/", "--browser", "/nowhere/chromium"]).run().await;
    output.exits(5).complains("/nowhere/chromium").complains("hint");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_no_browser_is_said_to_be_none() {
    let output = Gannet::new(["view", "http://127.0.0.1:9/", "--browser", "/dev/null"]).run().await;
    output.exits(5).complains("hint");
    let output = Gannet::new(["view", "http://127.0.0.1:9/", "--browser", "/bin/true"]).run().await;
    output.exits(5).complains("hint");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_endpoint_is_a_browser_failure() {
    let output = Gannet::new(["view", "http://127.0.0.1:9/", "--cdp", "http://127.0.0.1:9"]).run().await;
    output.exits(5).complains("hint");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_malformed_script_names_the_line() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("broken.yaml");
    std::fs::write(&file, "name: broken\nsteps:\n  - navigate: \"/\"\n   - click: {\n").expect("the file is written");
    let output = Gannet::new([std::ffi::OsStr::new("script"), file.as_os_str()]).run().await;
    output.exits(2).complains("line");
}

#[tokio::test(flavor = "multi_thread")]
async fn schemes_that_are_not_pages_are_refused() {
    let site = Site::pages(&[("/healthy", HEALTHY)]).await;
    let mcp = Mcp::start(&[]).await;
    for url in ["ftp://127.0.0.1/x", "javascript:alert(1)", "file:///etc/passwd", "chrome://crash", "not a url", ""] {
        let reply = mcp.call("navigate", json!({ "url": url })).await;
        reply.coded();
    }
    goes_on(&mcp, &site).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_node_is_not_found() {
    let site = Site::pages(&[("/healthy", HEALTHY)]).await;
    let mcp = Mcp::start(&[]).await;
    mcp.navigate(&site.url("/healthy")).await;
    for node in ["e99999", "no-such-node", "css=#none", "role=button[name=\"None\"]"] {
        let reply = mcp.act(node, "click", Value::Null).await;
        assert_eq!(reply.coded(), "NODE_NOT_FOUND", "{node}: {}", reply.raw);
    }
    let reply = mcp.act("css=#go", "levitate", Value::Null).await;
    assert_eq!(reply.coded(), "ACTION_NOT_SUPPORTED", "{}", reply.raw);
    goes_on(&mcp, &site).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_arguments_are_errors_not_the_end() {
    let site = Site::pages(&[("/healthy", HEALTHY)]).await;
    let mcp = Mcp::start(&[]).await;
    mcp.navigate(&site.url("/healthy")).await;
    for (tool, arguments) in [
        ("view", json!({ "budget": "many" })),
        ("act", json!({})),
        ("act", json!({ "nodeId": 7, "action": "click" })),
        ("tabs", json!({ "op": "juggle" })),
        ("navigate", json!({ "uri": "x" })),
    ] {
        let reply = mcp.call(tool, arguments.clone()).await;
        assert!(reply.failed(), "`{tool}` {arguments} should fail: {}", reply.raw);
    }
    goes_on(&mcp, &site).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_port_is_a_navigation_error() {
    let site = Site::pages(&[("/healthy", HEALTHY)]).await;
    let mcp = Mcp::start(&[]).await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).expect("a free port");
    let reply = mcp.call("navigate", json!({ "url": format!("http://{free}/") })).await;
    reply.coded();
    goes_on(&mcp, &site).await;
}

/// A page to die under, with its session.
async fn doomed() -> (Site, Mcp) {
    let site = Site::pages(&[("/healthy", HEALTHY), ("/doomed", "<title>Doomed</title><p>Not for long</p>")]).await;
    let mcp = Mcp::start(&[]).await;
    mcp.navigate(&site.url("/doomed")).await;
    (site, mcp)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_browser_is_followed_by_a_new_session_that_says_so() {
    let (site, mcp) = doomed().await;
    for _ in 0..2 {
        let browser = browser_of(mcp.pid).expect("the driver has a browser");
        signal(browser, Signal::KILL);
        assert!(within(DIES_WITHIN, || browser_of(mcp.pid) != Some(browser)).await);
        let reply = mcp.navigate(&site.url("/doomed")).await;
        assert!(reply.text.contains("new session"), "the model is not told: {}", reply.raw);
        let again = mcp.navigate(&site.url("/doomed")).await;
        assert!(!again.text.contains("new session"), "it is told once: {}", again.raw);
        goes_on(&mcp, &site).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_killed_during_a_call_ends_the_call_with_a_reason() {
    let (site, mcp) = doomed().await;
    let browser = browser_of(mcp.pid).expect("the driver has a browser");
    let (reply, ()) = tokio::join!(mcp.call("wait_for", json!({ "text": "nothing", "timeoutMs": 40_000 })), async {
        // Whether the call has begun or not: it must not wait for a browser that is dead.
        signal(browser, Signal::KILL);
    });
    if reply.failed() {
        reply.coded();
        assert_eq!(reply.reason(), "browser_gone", "{}", reply.raw);
    }
    let reply = mcp.navigate(&site.url("/healthy")).await;
    assert!(reply.text.contains("new session"), "the model is not told: {}", reply.raw);
    goes_on(&mcp, &site).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crashed_page_is_said_and_the_session_goes_on() {
    let (site, mcp) = doomed().await;
    let renderers = renderers_of(mcp.pid);
    assert!(!renderers.is_empty(), "the page has a process");
    for renderer in renderers {
        signal(renderer, Signal::KILL);
    }
    let first = mcp.call("view", json!({})).await;
    if first.failed() {
        first.coded();
        assert_eq!(first.reason(), "crashed", "{}", first.raw);
    }
    goes_on(&mcp, &site).await;
}
