//! Tables, escapes and blocks by reference 1.3.0, 1.4.

use serde_json::json;

use super::render;
use crate::{
    spec::{
        view::ViewOptions,
        wci::{SiteContextSummary, WciNodeSpec},
    },
    view::wci_json::Heading,
};

const HEADING: Heading<'_> =
    Heading { title: "P", now: "2026-01-01T00:00:00.000Z", scope_desc: None, site: None, dropped: 0 };

#[test]
fn a_page_without_nodes_has_a_title_and_a_time() {
    let text = render(&[], &HEADING, &ViewOptions::default());
    assert_eq!(text, "## Page: P\n\n*Distilled at 2026-01-01T00:00:00.000Z · WCI v1.0*");
}

#[test]
fn both_tables_options_and_preconditions() {
    let form = WciNodeSpec {
        id: "a|b".into(),
        role: "form".into(),
        desc: "back\\slash\r\nbreak".into(),
        action: Some("select".into()),
        required: Some(true),
        options: Some(vec!["x".into(), "y|z".into()]),
        precondition: Some("sign in".into()),
        state: json!({"value": "", "valid": null}).as_object().cloned().unwrap(),
        ..WciNodeSpec::default()
    };
    let shown = WciNodeSpec { id: "t".into(), role: "display".into(), desc: "Total".into(), ..WciNodeSpec::default() };
    let text = render(&[form, shown], &HEADING, &ViewOptions::default());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[6], "| `a\\|b` | form | back\\\\slash break | `select` | ✅ | value=\"\", valid=null |");
    assert_eq!(lines[7], "| | | *Options:* `x`, `y\\|z` | | | |");
    assert_eq!(lines[9], "### Status & Display Nodes");
    assert_eq!(lines[13], "| `t` | Total |  |");
    assert_eq!(lines[15], "> ⚠️ **Precondition on `a|b`:** sign in");
}

#[test]
fn site_and_scope_come_first() {
    let site = SiteContextSummary {
        name: "S".into(),
        denied_scopes: Some(vec!["admin".into(), "x".into()]),
        auth_required_for: Some(vec![]),
        active_task_flow: Some("buy".into()),
        ..SiteContextSummary::default()
    };
    let heading = Heading { site: Some(&site), scope_desc: Some("The box"), ..HEADING };
    let options = ViewOptions { scope: Some("box".into()), ..ViewOptions::default() };
    let text = render(&[], &heading, &options);
    let head = "> **Site:** S — undefined\n> **Denied scopes:** admin, x\n> **Active task flow:** buy (step ?)\n\n## Page: P\n**Scope:** `box` — The box\n\n";
    assert!(text.starts_with(head), "{text}");
}
