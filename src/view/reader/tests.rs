//! The attribute rules of reference 1.3.0, 1.1.

use serde_json::{Map, Value};

use super::read;
use crate::spec::snapshot::WciElement;

fn element(attrs: &[(&str, &str)]) -> WciElement {
    let attrs: Map<String, Value> = attrs.iter().map(|(key, value)| ((*key).to_owned(), (*value).into())).collect();
    WciElement { node_ref: "e7".into(), text: "its text".into(), attrs, ..WciElement::default() }
}

#[test]
fn ids_come_from_the_attribute_then_html_then_the_ref() {
    assert_eq!(read(&element(&[("id", " spaced id ")])).id, " spaced id ");
    let mut html = element(&[("id", ""), ("role", "action")]);
    html.html_id = "html".into();
    assert_eq!(read(&html).id, "html");
    assert_eq!(read(&element(&[("role", "action")])).id, "wci-anon-e7");
}

#[test]
fn unknown_words_fall_back() {
    let node = read(&element(&[("role", "Action"), ("action", "Click")]));
    assert_eq!((node.role.as_str(), node.action), ("display", None));
    let node = read(&element(&[("role", "nav"), ("action", "navigate")]));
    assert_eq!((node.role.as_str(), node.action.as_deref()), ("nav", Some("navigate")));
    assert_eq!(read(&element(&[("action", "")])).action, None);
}

#[test]
fn a_description_may_be_empty_but_not_absent() {
    assert_eq!(read(&element(&[])).desc, "its text");
    assert_eq!(read(&element(&[("desc", "")])).desc, "");
    assert_eq!(read(&element(&[("desc", " as is ")])).desc, " as is ");
}

#[test]
fn priorities_are_what_parse_int_says_clamped() {
    let cases = [
        ("0", 1),
        ("-1", 1),
        ("9", 5),
        ("2.7", 2),
        (" 4x", 4),
        ("1e1", 1),
        ("0x5", 1),
        ("Infinity", 3),
        ("", 3),
        ("abc", 3),
        ("+2", 2),
        ("-", 3),
        ("99999999999999999999999", 5),
        ("-99999999999999999999999", 1),
    ];
    for (raw, priority) in cases {
        assert_eq!(read(&element(&[("priority", raw)])).priority, priority, "{raw:?}");
    }
    assert_eq!(read(&element(&[])).priority, 3);
}

#[test]
fn flags_are_true_when_bare_or_true() {
    for (raw, flag) in [("", true), ("true", true), ("TRUE", true), ("1", false), ("yes", false), (" true ", false)] {
        let node = read(&element(&[("required", raw), ("hidden", raw)]));
        assert_eq!((node.required, node.hidden), (Some(flag), Some(flag)), "{raw:?}");
    }
    assert_eq!(read(&element(&[])).required, None);
}

#[test]
fn empty_strings_stay() {
    let node = read(&element(&[("precondition", ""), ("emit", ""), ("scope", "")]));
    assert_eq!(
        (node.precondition, node.emits, node.scope),
        (Some(String::new()), Some(String::new()), Some(String::new()))
    );
}
