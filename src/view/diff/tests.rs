//! The diffs of vectors 01, 30 and 36 of the reference, from hand-made nodes.

use serde_json::{Map, Value, json};

use super::Diff;
use crate::spec::{view::ViewOptions, wci::WciNodeSpec};

fn node(id: &str, state: &Value) -> WciNodeSpec {
    let state: Map<String, Value> = state.as_object().cloned().unwrap_or_default();
    WciNodeSpec { id: id.into(), role: "display".into(), state, priority: 3, ..WciNodeSpec::default() }
}

fn between(before: &[WciNodeSpec], after: &[WciNodeSpec]) -> Diff {
    Diff::between(before, after, &ViewOptions::default())
}

#[test]
fn nothing() {
    let nodes = [node("a", &json!({"v": 1}))];
    let diff = between(&nodes, &nodes);
    assert_eq!(diff.markdown(), "_No changes since the previous view._");
    let text = diff.json("A", "B", None);
    let want = json!({
        "wci_version": "1.0", "kind": "diff", "from": "A", "to": "B", "added": [], "removed": [], "updated": [], "unchanged": true
    });
    assert_eq!(text, serde_json::to_string_pretty(&want).unwrap());
}

#[test]
fn added_updated_and_removed() {
    let mut desc = node("desc", &json!({}));
    desc.desc = "desc change".into();
    let mut other = desc.clone();
    other.desc = "new".into();
    let before =
        [node("removed", &json!({})), node("keyorder", &json!({"a": 1, "b": 2})), node("gone", &json!({"a": 1})), desc];
    let after = [
        node("keyorder", &json!({"b": 2, "a": 1})),
        node("gone", &json!({})),
        other,
        node("appeared", &json!({"hello": true})),
    ];
    let diff = between(&before, &after);
    assert_eq!(
        diff.markdown(),
        "### Changes since last view\n\n**Added**\n- `appeared` (display) — undefined\n\n**Updated**\n\
         - `keyorder` — state: {\"a\":1,\"b\":2} → {\"b\":2,\"a\":1}\n- `gone` — state: {\"a\":1} → {}\n\
         - `desc` — desc: \"desc change\" → \"new\"\n\n**Removed** — `removed`"
    );
    let want = json!({
        "wci_version": "1.0", "kind": "diff", "from": "A", "to": "B", "scope": "s",
        "added": [{"id": "appeared", "role": "display", "state": {"hello": true}}],
        "removed": ["removed"],
        "updated": [
            {"id": "keyorder", "changed": {"state": {"b": 2, "a": 1}}, "previous": {"state": {"a": 1, "b": 2}}},
            {"id": "gone", "changed": {"state": {}}, "previous": {"state": {"a": 1}}},
            {"id": "desc", "changed": {"desc": "new"}, "previous": {"desc": "desc change"}}
        ],
        "unchanged": false
    });
    assert_eq!(diff.json("A", "B", Some("s")), serde_json::to_string_pretty(&want).unwrap());
}

#[test]
fn a_default_that_compact_drops_is_absent_in_the_diff() {
    let mut urgent = node("a", &json!({}));
    urgent.priority = 1;
    let diff = between(&[urgent], &[node("a", &json!({}))]);
    let text: Value = serde_json::from_str(&diff.json("A", "B", None)).unwrap();
    assert_eq!(text["updated"][0], json!({"id": "a", "changed": {}, "previous": {"priority": 1}}));
    assert!(diff.markdown().ends_with("- `a` — priority: 1 → undefined"));
}

#[test]
fn of_equal_ids_the_last_counts() {
    let (one, two) = (node("a", &json!({"v": 1})), node("a", &json!({"v": 2})));
    assert!(between(&[one.clone(), two.clone()], std::slice::from_ref(&two)).is_empty());
    assert_eq!(between(&[two.clone(), one], &[two]).len(), 1);
}
