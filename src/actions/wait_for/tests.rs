//! Conditions: what they may be, how they are said, what an address matches.

use serde_json::{Value, json};

use super::{Condition, squeezed, text_of, url_matches};

fn condition(args: Value) -> Condition {
    serde_json::from_value(args).unwrap()
}

#[test]
fn a_condition_must_say_what_is_waited_for() {
    for args in [
        json!({}),
        json!({"state": "visible"}),
        json!({"text": "x", "state": "visible"}),
        json!({"nodeId": "e1", "state": "happy"}),
    ] {
        let error = condition(args.clone()).check().expect_err("it is refused").coded();
        assert!(!error.hint.is_empty(), "{args}");
    }
    for args in [
        json!({"text": "x"}),
        json!({"gone": "x"}),
        json!({"url": "x"}),
        json!({"ms": 0}),
        json!({"nodeId": "e1"}),
        json!({"nodeId": "e1", "state": "unchecked"}),
        json!({"text": "x", "timeoutMs": 5}),
    ] {
        assert!(condition(args.clone()).check().is_ok(), "{args}");
    }
}

#[test]
fn a_condition_is_said_in_words() {
    let all = condition(json!({"text": "a\nb", "gone": "c", "url": "/d", "nodeId": "e1", "ms": 7}));
    assert_eq!(all.said(), r#"text "a\nb", text "c" gone, url "/d", e1 visible, 7 ms"#);
    assert_eq!(condition(json!({"nodeId": "css=p", "state": "gone"})).said(), "css=p gone");
}

#[test]
fn an_address_matches_by_a_part_or_a_whole_pattern() {
    let url = "https://shop.example/cart/7?step=pay";
    for (wanted, matches) in [
        ("/cart/", true),
        ("", true),
        ("/Cart/", false),
        ("*", true),
        ("*/cart/*", true),
        ("https://*/cart/7", false),
        ("https://*step=pay", true),
        ("*pay", true),
        ("*pay*", true),
        ("/cart*", false),
        ("https://shop.example/*/7*=*", true),
        ("https://shop.example/cart/7?step=pay*", true),
        ("*pay?*", false),
        ("*7*7*", false),
    ] {
        assert_eq!(url_matches(wanted, url), matches, "`{wanted}`");
    }
    assert!(!url_matches("ab*ba", "aba"), "nothing counts twice");
}

#[test]
fn white_space_and_the_kind_of_a_value_make_no_difference() {
    assert_eq!(squeezed("  a \n\t b\u{a0}c "), "a b c");
    assert_eq!(squeezed(" \n "), "");
    assert_eq!(
        [json!("7"), json!(7), json!(true), Value::Null].map(|value| text_of(&value)),
        ["7", "7", "true", "null"]
    );
}
