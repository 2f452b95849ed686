//! Filters, order and cap of reference 1.3.0, 1.2, with hiding by subtree.

use serde_json::{Map, Value};

use super::{annotated, select};
use crate::spec::{
    snapshot::{Snapshot, WciElement},
    view::ViewOptions,
};

fn page() -> Snapshot {
    let element = |attrs: &[(&str, &str)]| {
        let attrs: Map<String, Value> = attrs.iter().map(|(key, value)| ((*key).to_owned(), (*value).into())).collect();
        WciElement { attrs, ..WciElement::default() }
    };
    let mut wci = vec![
        element(&[("id", "box"), ("role", "landmark")]),
        element(&[("id", "low"), ("priority", "5"), ("scope", "box")]),
        element(&[("id", "child")]),
        element(&[("id", "first"), ("role", "action"), ("priority", "1"), ("scope", "box")]),
        element(&[("id", "inner"), ("scope", " box")]),
        element(&[("id", "gone"), ("scope", "box")]),
        element(&[("id", "framed"), ("scope", "box")]),
    ];
    wci[5].hidden = true;
    wci[6].nested = true;
    Snapshot { wci, ..Snapshot::default() }
}

#[track_caller]
fn check(options: &ViewOptions, ids: &[&str]) {
    let found: Vec<String> = select(annotated(&page(), options), options).into_iter().map(|node| node.id).collect();
    assert_eq!(found, ids);
}

#[test]
fn priority_then_document_order() {
    check(&ViewOptions::default(), &["first", "box", "child", "inner", "low"]);
}

#[test]
fn scopes_are_compared_as_text() {
    let scope = |scope: &str| ViewOptions { scope: Some(scope.into()), ..ViewOptions::default() };
    check(&scope("box"), &["first", "box", "low"]);
    check(&scope("child"), &["child"]);
    check(&scope(" box"), &["inner"]);
    check(&scope(""), &["first", "box", "child", "inner", "low"]);
}

#[test]
fn roles_priorities_and_caps() {
    check(&ViewOptions { roles: Some(vec!["action".into()]), ..ViewOptions::default() }, &["first"]);
    check(&ViewOptions { roles: Some(vec![]), ..ViewOptions::default() }, &[]);
    check(&ViewOptions { max_priority: Some(1), ..ViewOptions::default() }, &["first"]);
    check(&ViewOptions { max_nodes: 2, ..ViewOptions::default() }, &["first", "box"]);
    check(&ViewOptions { max_nodes: 0, ..ViewOptions::default() }, &[]);
    check(&ViewOptions { max_nodes: -3, ..ViewOptions::default() }, &[]);
}

#[test]
fn hidden_and_nested_nodes_are_for_those_who_ask() {
    let options = ViewOptions { hidden: true, frames: true, ..ViewOptions::default() };
    check(&options, &["first", "box", "child", "inner", "gone", "framed", "low"]);
}
