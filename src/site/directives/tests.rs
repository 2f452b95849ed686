//! Unit tests of `wci.txt`: what is read, what is odd, and that nothing makes the reader fail.

use proptest::prelude::*;

use super::{parse, read};
use crate::site::reading::Reading;

#[test]
fn every_directive_is_read_and_odd_lines_are_named() {
    let text = "# a comment\nSite-Name: Shop\nAllow-Scope: a, b\nAllow-Scope: c\nDeny-Scope: none\n\
        Rate-Limit-Actions: 30/minute\nAuth-Required: checkout\nFrobnicate: 1\nno colon here\n";
    let (policy, findings) = parse(text);
    assert_eq!(policy.site_name.as_deref(), Some("Shop"));
    assert_eq!(policy.allowed_scopes, ["a", "b", "c"]);
    assert!(policy.denied_scopes.is_empty());
    assert_eq!(policy.rate_limit_actions, 30);
    assert_eq!(policy.auth_required, ["checkout"]);
    let lines: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
    assert!(lines.contains(&8) && lines.contains(&9), "{findings:?}");
}

#[test]
fn near_misses_are_a_broken_policy_and_prose_is_none() {
    assert!(matches!(read("deny-scope: admin\n", None).0, Reading::Malformed(_)));
    assert!(matches!(read("Not found", None).0, Reading::Absent(_)));
    assert!(matches!(read("<!doctype html><p>x", None).0, Reading::Absent(_)));
    // A server may call a plain text what it likes.
    assert!(matches!(read("Deny-Scope: admin\n", Some("text/html")).0, Reading::Value(_)));
    assert!(matches!(read("Deny-Scope: admin\n", Some("text/plain")).0, Reading::Value(_)));
}

proptest! {
    #[test]
    fn no_text_makes_it_fail(text in "(?s).{0,400}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_value_makes_it_fail(value in "[^\n]{0,80}") {
        let _ = parse(&format!("Rate-Limit-Actions: {value}\nDeny-Scope: {value}\nAuth-Flow-Scope:{value}\n"));
    }
}
