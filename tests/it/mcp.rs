//! The MCP server as a client sees it: tools, schemas, replies, secrets.

use serde_json::{Value, json};
use tiktoken_rs::o200k_base;

use crate::support::{mcp::Mcp, server::Site};

/// The default set, by DESIGN 4.6.
const TOOLS: [&str; 13] = [
    "navigate",
    "view",
    "act",
    "batch",
    "find",
    "wait_for",
    "tabs",
    "dialog",
    "read_url",
    "screenshot",
    "site_context",
    "console",
    "network",
];
/// Bar P7.
const SCHEMA_BUDGET: usize = 2_500;
/// Bar P6: a delta after one click, and after nothing.
const DELTA_BUDGET: usize = 120;
const NOTHING_BUDGET: usize = 15;
const SECRET: &str = "hunter2-swordfish";

fn tokens(text: &str) -> usize {
    o200k_base().expect("the vocabulary is built in").encode_ordinary(text).len()
}

fn shop() -> String {
    format!(
        "<title>Harbor shop</title><h1>Harbor shop</h1><label>Name <input id=name></label>\
         <label>Password <input id=pw type=password value='{SECRET}'></label>\
         <label>Size <select id=size><option>Small<option>Large</select></label>\
         <button id=add onclick=\"document.getElementById('cart').textContent='Cart: '+(++n)+' rope'\">Add rope</button>\
         <p id=cart>Cart: empty</p><a href='/next'>Next page</a><script>let n=0</script>"
    )
}

async fn open(args: &[&str]) -> (Site, Mcp) {
    let site = Site::pages(&[("/", &shop()), ("/next", "<title>Second</title><h1>Second page</h1>")]).await;
    let mcp = Mcp::start(args).await;
    mcp.navigate(&site.url("/")).await;
    (site, mcp)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_default_tools_are_those_of_the_design_and_fit_their_budget() {
    let mcp = Mcp::start(&[]).await;
    let tools = mcp.tools().await;
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    for tool in TOOLS {
        assert!(names.contains(&tool), "`{tool}` is missing: {names:?}");
    }
    assert!(!names.contains(&"evaluate"), "`evaluate` needs its capability: {names:?}");
    let schemas = serde_json::to_string(&tools).expect("tools are JSON");
    assert!(tokens(&schemas) <= SCHEMA_BUDGET, "{} tokens of schemas", tokens(&schemas));
}

#[tokio::test(flavor = "multi_thread")]
async fn capabilities_add_their_tools() {
    let mcp = Mcp::start(&["--cap", "evaluate"]).await;
    assert!(mcp.tools().await.iter().any(|tool| tool.name == "evaluate"));
}

#[tokio::test(flavor = "multi_thread")]
async fn navigate_says_where_it_is() {
    let (site, mcp) = open(&[]).await;
    let reply = mcp.navigate(&site.url("/next")).await;
    assert_eq!(reply.structured["ok"], json!(true), "{}", reply.raw);
    assert_eq!(reply.structured["status"], json!(200), "{}", reply.raw);
    assert_eq!(reply.structured["title"], json!("Second"), "{}", reply.raw);
    assert_eq!(reply.structured["url"], json!(site.url("/next")), "{}", reply.raw);
    let back = mcp.call("navigate", json!({ "history": -1 })).await.ok();
    assert_eq!(back.structured["title"], json!("Harbor shop"), "{}", back.raw);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_reports_the_change_it_caused() {
    let (_site, mcp) = open(&[]).await;
    assert!(mcp.view().await.contains("Cart: empty"));
    let reply = mcp.click("role=button[name=\"Add rope\"]").await;
    assert_eq!(reply.structured["success"], json!(true), "{}", reply.raw);
    assert_eq!(reply.structured["observed"]["effect"], json!("changed"), "{}", reply.raw);
    assert!(reply.text.contains("Cart: 1 rope"), "the delta is not in the reply: {}", reply.text);
    assert!(mcp.view().await.contains("Cart: 1 rope"));
}

#[tokio::test(flavor = "multi_thread")]
async fn fill_and_select_read_back_what_the_page_holds() {
    let (_site, mcp) = open(&["--cap", "evaluate"]).await;
    mcp.fill("label=Name", "Ada").await;
    mcp.act("label=Size", "select", json!("Large")).await.ok();
    assert_eq!(mcp.evaluate("document.getElementById('name').value").await, json!("Ada"));
    assert_eq!(mcp.evaluate("document.getElementById('size').value").await, json!("Large"));
}

#[tokio::test(flavor = "multi_thread")]
async fn deltas_are_small_and_nothing_costs_next_to_nothing() {
    let (_site, mcp) = open(&[]).await;
    let first = mcp.call("view", json!({})).await.ok();
    let id = first.structured["viewId"].as_str().expect("a view has an id").to_owned();
    let unchanged = mcp.call("view", json!({ "since": id })).await.ok();
    assert!(tokens(&unchanged.text) <= NOTHING_BUDGET, "{} tokens: {}", tokens(&unchanged.text), unchanged.text);
    mcp.click("css=#add").await;
    let changed = mcp.call("view", json!({ "since": id })).await.ok();
    assert!(changed.text.contains("Cart: 1 rope"), "{}", changed.text);
    assert!(tokens(&changed.text) <= DELTA_BUDGET, "{} tokens: {}", tokens(&changed.text), changed.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ref_of_a_view_can_be_acted_on_and_survives_a_change() {
    let (_site, mcp) = open(&[]).await;
    let node = crate::support::outline::refs(&mcp.view().await)
        .into_iter()
        .find(|node| node.name == "Add rope")
        .expect("the button is in the view");
    mcp.click(&node.id).await;
    let again = mcp.click(&node.id).await;
    assert!(again.text.contains("Cart: 2 rope"), "{}", again.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_navigates_and_the_reply_says_so() {
    let (site, mcp) = open(&[]).await;
    let reply = mcp.click("role=link[name=\"Next page\"]").await;
    assert_eq!(reply.structured["observed"]["effect"], json!("navigated"), "{}", reply.raw);
    assert_eq!(reply.structured["observed"]["url"], json!(site.url("/next")), "{}", reply.raw);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_stops_at_the_first_failure() {
    let (_site, mcp) = open(&["--cap", "evaluate"]).await;
    let reply = mcp
        .call(
            "batch",
            json!({ "actions": [
                { "nodeId": "css=#add", "action": "click" },
                { "nodeId": "e99999", "action": "click" },
                { "nodeId": "css=#add", "action": "click" },
            ] }),
        )
        .await;
    assert!(reply.raw.contains("NODE_NOT_FOUND"), "{}", reply.raw);
    assert_eq!(mcp.evaluate("document.getElementById('cart').textContent").await, json!("Cart: 1 rope"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_alias_of_act_works() {
    let (_site, mcp) = open(&[]).await;
    let reply = mcp.call("wci_dispatch", json!({ "nodeId": "css=#add", "action": "click" })).await.ok();
    assert!(reply.text.contains("Cart: 1 rope"), "{}", reply.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screenshot_is_an_image() {
    let (_site, mcp) = open(&[]).await;
    let reply = mcp.call("screenshot", json!({})).await.ok();
    assert!(reply.raw.contains("\"image/"), "no image: {}", &reply.raw[..reply.raw.len().min(400)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn tabs_open_list_and_close() {
    let (site, mcp) = open(&[]).await;
    mcp.call("tabs", json!({ "op": "new" })).await.ok();
    mcp.navigate(&site.url("/next")).await;
    let list = mcp.call("tabs", json!({ "op": "list" })).await.ok();
    assert!(list.raw.contains("Harbor shop") && list.raw.contains("Second"), "{}", list.raw);
    mcp.call("tabs", json!({ "op": "select", "tab": "t1" })).await.ok();
    assert!(mcp.view().await.contains("Harbor shop"));
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_of_another_origin_share_the_ref_space() {
    let inner = "<title>Inner</title><button id=in onclick=\"this.textContent='Pressed'\">Inside</button>";
    let site = Site::pages(&[("/inner", inner)]).await;
    let outer =
        Site::page(&format!("<title>Outer</title><iframe src='{}'></iframe>", site.other_origin("/inner"))).await;
    let mcp = Mcp::start(&[]).await;
    mcp.navigate(&outer.url("/")).await;
    mcp.call("wait_for", json!({ "text": "Inside" })).await.ok();
    let node = crate::support::outline::refs(&mcp.view().await)
        .into_iter()
        .find(|node| node.name == "Inside")
        .expect("the frame's button is in the view");
    let reply = mcp.click(&node.id).await;
    assert!(reply.text.contains("Pressed"), "{}", reply.raw);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_in_no_reply() {
    let (site, mcp) = open(&[]).await;
    let mut replies = vec![mcp.fill("css=#pw", &format!("{SECRET}-new")).await.raw];
    for (tool, arguments) in [
        ("view", json!({ "budget": 8000 })),
        ("view", json!({ "format": "json", "fallback": "always" })),
        ("view", json!({ "format": "markdown", "fallback": "always" })),
        ("find", json!({ "query": "Password" })),
        ("act", json!({ "nodeId": "css=#pw", "action": "type", "value": SECRET })),
        ("act", json!({ "nodeId": "css=#pw", "action": "focus" })),
        ("act", json!({ "nodeId": "css=#pw", "action": "check" })),
        ("console", json!({})),
        ("network", json!({})),
        ("site_context", json!({})),
        ("tabs", json!({ "op": "list" })),
    ] {
        replies.push(mcp.call(tool, arguments).await.raw);
    }
    replies.push(mcp.navigate(&site.url("/")).await.raw);
    for reply in replies {
        assert!(!reply.contains(SECRET), "the password leaked: {reply}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn evaluate_gives_values_and_exceptions() {
    let (_site, mcp) = open(&["--cap", "evaluate"]).await;
    assert_eq!(mcp.evaluate("[1, {a: 'b'}]").await, json!([1, { "a": "b" }]));
    assert_eq!(mcp.evaluate("Promise.resolve(7)").await, json!(7));
    let reply = mcp.call("evaluate", json!({ "expression": "no.such" })).await;
    assert!(reply.failed() && reply.raw.contains("ReferenceError"), "{}", reply.raw);
    assert_eq!(mcp.evaluate("null").await, Value::Null);
}
