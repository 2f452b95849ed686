//! The list of actions holds together: names, schemas, permission, capabilities.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::json;

use super::{Registry, read};

/// DESIGN 4.6, in its order.
const DEFAULT: [&str; 13] = [
    "navigate",
    "view",
    "act",
    "batch",
    "find",
    "wait_for",
    "tabs",
    "dialog",
    "read_url",
    "screenshot",
    "site_context",
    "console",
    "network",
];

#[test]
fn the_default_set_is_that_of_the_design() {
    let offered: Vec<&str> = Registry::standard().offered(&[]).map(|spec| spec.name).collect();
    assert_eq!(offered, DEFAULT);
    let caps = ["evaluate".to_owned()];
    let offered: Vec<&str> = Registry::standard().offered(&caps).map(|spec| spec.name).collect();
    assert_eq!(offered.last(), Some(&"evaluate"));
    assert_eq!(offered.len(), DEFAULT.len() + 1);
}

#[test]
fn every_name_leads_to_one_action() {
    let registry = Registry::standard();
    let mut names = HashSet::new();
    for spec in registry.list() {
        for name in std::iter::once(&spec.name).chain(spec.aliases) {
            assert!(names.insert(*name), "`{name}` is two actions");
            assert_eq!(registry.get(name).unwrap().name, spec.name);
        }
    }
    assert_eq!(registry.get("wci_dispatch").unwrap().name, "act");
    for unknown in ["", "Act", "act ", "click"] {
        assert!(registry.get(unknown).is_none(), "`{unknown}`");
    }
}

#[test]
fn every_action_says_what_it_takes_and_may_do() {
    for spec in Registry::standard().list() {
        assert!(!spec.description.is_empty(), "{}", spec.name);
        assert_eq!(spec.permission.needs_approval, spec.tier.0 != 0, "{}", spec.name);
        assert_eq!(spec.input_schema["type"], "object", "{}", spec.name);
        let action = Registry::standard().action(spec.name).unwrap();
        let keys: HashSet<&str> = action.schema.fields.iter().map(|field| field.key.as_str()).collect();
        assert_eq!(keys.len(), action.schema.fields.len(), "a key of {} is there twice", spec.name);
        assert_eq!(spec.input_schema, action.schema.json_schema(), "{}", spec.name);
        for field in &action.schema.fields {
            let known = ["", "string", "number", "integer", "boolean", "object", "array"];
            assert!(known.contains(&field.kind.as_str()), "{} of {}: `{}`", field.key, spec.name, field.kind);
        }
    }
}

#[test]
fn what_an_action_cannot_read_is_an_error_of_its_args() {
    #[derive(Debug, Deserialize)]
    struct Args {
        count: u8,
    }
    let args = |value| read::<Args>("count", serde_json::from_value(value).unwrap());
    assert_eq!(args(json!({"count": 3})).unwrap().count, 3);
    for value in [json!({"count": 300}), json!({"count": "3"}), json!({})] {
        assert_eq!(args(value).unwrap_err().reason(), "content");
    }
}
