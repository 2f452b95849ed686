//! Formats, budgets and deltas through the one door.

use serde_json::{Value, json};

use super::{DistilContext, Earlier, delta, distil};
use crate::{
    spec::{
        snapshot::{Snapshot, WciElement},
        view::{Fallback, Format, View, ViewOptions},
    },
    view::{outline::tests::page, tokens},
};

const CONTEXT: DistilContext<'_> = DistilContext { now: "2026-01-02T00:00:00.000Z", site: None };

fn annotated(count: usize) -> Snapshot {
    let element = |number: usize| {
        let attrs = json!({"id": format!("n{number}"), "role": "action", "desc": format!("Node number {number}")});
        WciElement {
            node_ref: format!("e{number}"),
            attrs: attrs.as_object().cloned().unwrap(),
            ..WciElement::default()
        }
    };
    let mut page = page(&[(0, "button", "Go")]);
    page.wci = (0..count).map(element).collect();
    page
}

fn options(format: Format) -> ViewOptions {
    ViewOptions { format, ..ViewOptions::default() }
}

fn ids(view: &View) -> Vec<String> {
    let json: Value = serde_json::from_str(&view.text).unwrap();
    json["nodes"].as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_fallback_is_for_pages_without_annotations_unless_asked_for() {
    let json = options(Format::Json);
    assert_eq!(ids(&distil(&annotated(0), &json, &CONTEXT)), ["e1"]);
    assert_eq!(ids(&distil(&annotated(2), &json, &CONTEXT)), ["n0", "n1"]);
    let never = ViewOptions { fallback: Fallback::Never, ..json.clone() };
    assert_eq!(ids(&distil(&annotated(0), &never, &CONTEXT)), [""; 0]);
    let mut page = annotated(2);
    page.wci[0].node_ref = "e8".into();
    page.wci[1].node_ref = "e9".into();
    let always = ViewOptions { fallback: Fallback::Always, ..json };
    assert_eq!(ids(&distil(&page, &always, &CONTEXT)), ["e1", "n0", "n1"]);
}

#[test]
fn every_format_keeps_to_its_budget_and_says_what_it_cost() {
    let page = annotated(100);
    for format in [Format::Json, Format::Markdown] {
        let view = distil(&page, &ViewOptions { budget: Some(600), ..options(format) }, &CONTEXT);
        assert_eq!(view.tokens, tokens::count(&view.text));
        assert!(view.tokens <= 600 && view.tokens > 500, "{}", view.tokens);
        assert!(view.truncated && view.omitted == 100 - view.shown);
        assert!(view.text.contains(&view.omitted.to_string()), "{}", view.text);
    }
}

#[test]
fn an_outline_can_be_limited_to_a_scope() {
    let page = page(&[(0, "main", ""), (1, "button", "In"), (0, "button", "Out")]);
    let view = distil(&page, &ViewOptions { scope: Some("e1".into()), ..options(Format::Outline) }, &CONTEXT);
    assert!(view.text.contains("\"In\"") && !view.text.contains("\"Out\""), "{}", view.text);
}

#[test]
fn a_delta_is_given_where_it_is_shorter() {
    let before = annotated(20);
    let mut after = before.clone();
    after.wci[3].state = json!({"clicked": true}).as_object().cloned();
    after.nodes[0].name = "Gone".into();
    let earlier = Earlier { snapshot: &before, at: "2026-01-01T00:00:00.000Z" };
    let json = delta(&earlier, &after, &options(Format::Json), &CONTEXT).text;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["kind"], &json["from"], &json["to"]), (&json!("diff"), &json!(earlier.at), &json!(CONTEXT.now)));
    assert_eq!(json["updated"][0]["id"], "n3");
    let markdown = delta(&earlier, &after, &options(Format::Markdown), &CONTEXT).text;
    assert!(markdown.ends_with("- `n3` — state: {} → {\"clicked\":true}"), "{markdown}");
    let outline = delta(&earlier, &after, &options(Format::Outline), &CONTEXT).text;
    assert!(outline.ends_with("~ e1 button \"Gone\" (was \"Go\")"), "{outline}");
}

#[test]
fn the_whole_view_is_given_where_all_is_new() {
    let (before, after) = (annotated(0), annotated(2));
    let mut other = after.clone();
    other.nodes[0].node_ref = "e77".into();
    let earlier = Earlier { snapshot: &before, at: "2026-01-01T00:00:00.000Z" };
    let outline = delta(&earlier, &other, &options(Format::Outline), &CONTEXT);
    assert!(outline.text.starts_with("# Shop — "), "{}", outline.text);
}
