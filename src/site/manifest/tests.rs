//! Unit tests of `wci.json`: parts that are wrong cost themselves only, and no text makes the reader fail.

use proptest::prelude::*;

use super::{Sensitivity, parse, read};
use crate::site::reading::Reading;

#[test]
fn what_is_well_formed_is_kept_beside_what_is_not() {
    let text = r#"{"wci_version": "1.0", "site": {"name": "S", "purpose": []}, "denied_scopes": ["a", 7],
        "scopes": [{"id": "pay", "desc": "d", "sensitivity": "critical"}, {"id": "x", "sensitivity": "huge"}],
        "task_flows": [{"id": "f", "description": "d", "steps": [{"scope": "pay", "requires_auth": true}]}],
        "rate_limits": {"actions_per_minute": 10}}"#;
    let (manifest, findings) = parse(text);
    let manifest = manifest.expect("a manifest");
    assert_eq!(manifest.site.name.as_deref(), Some("S"));
    assert_eq!(manifest.site.purpose, None);
    assert!(manifest.denied_scopes.contains(&"a".to_owned()));
    assert_eq!(manifest.scopes[0].sensitivity, Some(Sensitivity::Critical));
    assert!(manifest.task_flows[0].steps[0].requires_auth);
    assert_eq!(manifest.rate_limits.and_then(|limits| limits.actions_per_minute), Some(10));
    assert!(!findings.is_empty());
}

#[test]
fn what_is_no_manifest_is_said() {
    assert!(matches!(read("{bad", None).0, Reading::Malformed(_)));
    assert!(!matches!(read("[1, 2]", None).0, Reading::Value(_)));
    assert!(!matches!(read(r#"{"error": "not found"}"#, None).0, Reading::Value(_)));
    assert!(matches!(read("", None).0, Reading::Absent(_)));
}

proptest! {
    #[test]
    fn no_text_makes_it_fail(text in "(?s).{0,400}") {
        let _ = parse(&text);
    }

    #[test]
    fn no_value_makes_it_fail(part in r#"[\[\]{}":,a-z0-9]{0,60}"#) {
        let _ = parse(&format!(r#"{{"wci_version": "1.0", "scopes": [{part}], "denied_scopes": {part}}}"#));
    }
}
