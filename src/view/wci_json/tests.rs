//! Keys, their order and their absence, by reference 1.3.0, 1.3.

use serde_json::json;

use super::{Heading, minified, node_json, render};
use crate::spec::{
    view::ViewOptions,
    wci::{SiteContextSummary, WciNodeSpec},
};

fn node() -> WciNodeSpec {
    WciNodeSpec { id: "n".into(), role: "form".into(), desc: "D".into(), priority: 3, ..WciNodeSpec::default() }
}

fn keys(node: &WciNodeSpec, options: &ViewOptions) -> Vec<String> {
    node_json(node, options).keys().cloned().collect()
}

#[test]
fn compact_drops_defaults_and_puts_an_empty_state_last() {
    let options = ViewOptions::default();
    let mut small = node();
    small.scope = Some(String::new());
    small.required = Some(false);
    small.desc.clear();
    small.options = Some(vec![]);
    assert_eq!(keys(&small, &options), ["id", "role", "options", "scope", "state"]);
    let mut full = node();
    full.state = json!({"v": 1}).as_object().cloned().unwrap();
    full.action = Some("fill".into());
    full.precondition = Some(String::new());
    full.required = Some(true);
    full.emits = Some("x".into());
    full.hidden = Some(true);
    full.priority = 1;
    let all = ["id", "role", "desc", "action", "state", "precondition", "required", "emits", "hidden", "priority"];
    assert_eq!(keys(&full, &options), all);
    let stateless = ViewOptions { include_state: false, ..ViewOptions::default() };
    assert_eq!(keys(&full, &stateless).last().map(String::as_str), Some("state"));
}

#[test]
fn the_long_form_keeps_every_known_value_in_place() {
    let mut node = node();
    node.required = Some(false);
    let options = ViewOptions { compact: false, ..ViewOptions::default() };
    assert_eq!(keys(&node, &options), ["id", "role", "desc", "state", "required", "priority"]);
}

#[test]
fn the_source_of_a_fallback_node_is_said() {
    let mut node = node();
    node.source = Some("ax");
    assert_eq!(node_json(&node, &ViewOptions::default())["source"], "ax");
}

#[test]
fn numbers_and_strings_are_those_of_javascript() {
    let value = json!({"a": 1.0, "b": -0.0, "c": 1e21, "d": 0.1, "e": 12_345_678_901_234_567_000_u64, "f": "\u{2028}é/\u{7f}\u{1}"});
    let text = "{\"a\":1,\"b\":0,\"c\":1e+21,\"d\":0.1,\"e\":12345678901234567000,\"f\":\"\u{2028}é/\u{7f}\\u0001\"}";
    assert_eq!(minified(&value), text);
}

#[test]
fn the_heading_has_its_order_and_empty_lists_stay_short() {
    let site = SiteContextSummary { name: "S".into(), ..SiteContextSummary::default() };
    let heading =
        Heading { title: "T", now: "2026-01-01T00:00:00.000Z", scope_desc: Some("B"), site: Some(&site), dropped: 0 };
    let options = ViewOptions { scope: Some("box".into()), ..ViewOptions::default() };
    assert_eq!(
        render(&[], &heading, &options),
        "{\n  \"wci_version\": \"1.0\",\n  \"page_title\": \"T\",\n  \"scope\": \"box\",\n  \"scope_desc\": \"B\",\n  \
         \"distilled_at\": \"2026-01-01T00:00:00.000Z\",\n  \"node_count\": 0,\n  \"site_context\": {\n    \"name\": \"S\"\n  \
         },\n  \"nodes\": []\n}"
    );
}

#[test]
fn what_the_budget_cost_is_said() {
    let heading = Heading { title: "", now: "", scope_desc: None, site: None, dropped: 3 };
    assert!(
        render(&[node()], &heading, &ViewOptions::default()).ends_with("\"truncated\": {\n    \"dropped\": 3\n  }\n}")
    );
}
