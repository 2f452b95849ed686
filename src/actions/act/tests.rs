//! The result line: what was done, what was seen, nothing that the page could forge.

use serde_json::{Value, json};

use super::{left, line, worth_a_look};
use crate::spec::action::{ActionError, ActionResult, Reason};

fn result(observed: Value) -> ActionResult {
    serde_json::from_value(json!({
        "success": true, "nodeId": "e1", "action": "click", "timestamp": "t", "observed": observed,
    }))
    .unwrap()
}

#[test]
fn the_line_says_the_effect_and_what_received_it() {
    let changed = result(json!({"effect": "changed", "hit": "<button id=\"go\">", "value": "on", "settledMs": 1}));
    assert_eq!(line(&changed), "ok: click e1: changed, hit <button id=\"go\">, value \"on\"");
    let nothing = result(json!({"effect": "none", "settledMs": 1}));
    assert_eq!(line(&nothing), "ok: click e1: no effect was seen");
    let moved = json!({"effect": "navigated", "url": "http://x/", "title": "X \"Y\"\nZ", "settledMs": 1});
    assert_eq!(line(&result(moved)), r#"ok: click e1: navigated to http://x/ "X \"Y\"\nZ""#);
}

#[test]
fn a_failure_has_its_hint_on_a_line_of_its_own() {
    let error = ActionError::because(Reason::Disabled, "it is disabled", "fill e2");
    let failed = ActionResult { success: false, observed: None, error: Some(error), ..result(Value::Null) };
    assert_eq!(line(&failed), "failed: click e1: PRECONDITION_UNMET (disabled): it is disabled\nhint: fill e2");
    assert!(!worth_a_look(&failed));
}

#[test]
fn what_happened_beside_is_told_in_few_lines() {
    let beside = result(json!({
        "effect": "opened", "settledMs": 1, "validity": "not\nso",
        "dialog": {"kind": "alert", "message": "late\nok", "outcome": "dismissed"},
        "popup": {"tab": "t2", "url": "http://x/"},
        "download": {"name": "a\nb", "path": "/d/a", "size": 3, "sha256": "0"},
        "fileChooser": true,
        "console": ["e", "e", "a\nok: click e9: changed", "b", "c"],
        "failedRequests": ["GET http://x/ 404"],
    }));
    let lines = line(&beside);
    assert_eq!(
        lines.lines().collect::<Vec<_>>(),
        [
            "ok: click e1: opened",
            r#"alert "late\nok" was dismissed"#,
            "opened t2 http://x/; `tabs` selects it",
            r#"downloaded "a\nb", 3 bytes, to /d/a"#,
            "a file chooser opened; use `upload` on the input",
            r#"the field is not valid: "not\nso""#,
            r"console: a\nok: click e9: changed",
            "console: b",
            "console: c",
            "console: … 1 more",
            "request failed: GET http://x/ 404",
        ]
    );
}

#[test]
fn a_page_behind_an_open_dialog_is_not_looked_at() {
    let open = json!({"kind": "alert", "message": "m", "outcome": "open"});
    assert!(!worth_a_look(&result(json!({"effect": "changed", "dialog": open, "settledMs": 1}))));
    assert!(worth_a_look(&result(json!({"effect": "none", "settledMs": 1}))));
    assert!(left(&result(json!({"effect": "navigated", "settledMs": 1}))));
    assert!(!left(&result(json!({"effect": "opened", "settledMs": 1}))));
}
