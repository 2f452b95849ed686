//! Unit tests of `wci.md`.

use super::{MOST_CHARS, parse, read};
use crate::site::reading::Reading;

#[test]
fn control_characters_go_and_a_long_text_is_cut_and_said() {
    let (narrative, findings) = parse("# Shop\n\u{1b}[31mred\u{7}\tok\n");
    assert_eq!(narrative.expect("a narrative").text, "# Shop\n[31mred\tok");
    assert!(findings.is_empty());
    let long = "line\n".repeat(MOST_CHARS);
    let (narrative, findings) = parse(&long);
    let narrative = narrative.expect("a narrative");
    assert!(narrative.truncated && narrative.text.chars().count() <= MOST_CHARS);
    assert_eq!(findings.len(), 1);
}

#[test]
fn an_empty_or_html_body_is_no_narrative() {
    assert_eq!(parse("").0, None);
    assert_eq!(parse("<!DOCTYPE html><p>x").0, None);
    assert!(matches!(read("<p>x", Some("text/html"), false).0, Reading::Absent(_)));
    assert!(matches!(read("# x", None, true).0, Reading::Value(narrative) if narrative.truncated));
}
