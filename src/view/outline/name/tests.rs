//! Unit tests of names from content.

use std::borrow::Cow;

use super::by_content;
use crate::spec::snapshot::{SnapNode, Snapshot};

fn node(role: &str, name: &str, parent: Option<u32>, clickable: bool) -> SnapNode {
    SnapNode { role: role.into(), name: name.into(), parent, clickable, ..SnapNode::default() }
}

#[test]
fn a_clickable_with_a_short_text_is_called_by_it() {
    let nodes = vec![
        node("listitem", "", None, true),
        node("text", "Spain", Some(0), false),
        node("", "", None, true),
        node("text", "one", Some(2), false),
        node("text", "two", Some(2), false),
    ];
    let snapshot = Snapshot { nodes, ..Snapshot::default() };
    let named = by_content(&snapshot);
    assert_eq!(named.nodes[0].name, "Spain");
    assert_eq!(named.nodes[2].name, "one two");
}

#[test]
fn what_holds_more_than_a_short_text_keeps_its_silence() {
    let long = "word ".repeat(40);
    for (inside, clickable) in
        [(node("button", "Go", Some(0), false), true), (node("text", &long, Some(0), false), true)]
    {
        let nodes = vec![node("listitem", "", None, clickable), inside];
        let snapshot = Snapshot { nodes, ..Snapshot::default() };
        assert_eq!(by_content(&snapshot).nodes[0].name, "");
    }
    let plain = Snapshot {
        nodes: vec![node("listitem", "", None, false), node("text", "a", Some(0), false)],
        ..Snapshot::default()
    };
    assert!(matches!(by_content(&plain), Cow::Borrowed(_)));
}
