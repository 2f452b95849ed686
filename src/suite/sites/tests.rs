//! Placeholders: filled everywhere, or still there and named.

use serde_json::json;

use super::*;

#[test]
fn every_string_of_a_task_is_filled() {
    let mut sites = Sites::default();
    sites.set("shopping", "http://shop.test");
    sites.set("__SHOPPING_ADMIN__", "http://shop.test/admin");
    let mut task = json!({"a": ["__SHOPPING__/x", 1], "b": {"c": "__SHOPPING_ADMIN__ |OR| __MAP__"}});
    sites.fill_value(&mut task);
    assert_eq!(task, json!({"a": ["http://shop.test/x", 1], "b": {"c": "http://shop.test/admin |OR| __MAP__"}}));
    assert_eq!(unfilled(task["b"]["c"].as_str().unwrap_or_default()), Some("__MAP__"));
    assert_eq!(unfilled("http://shop.test/__init__.py"), None);
}

#[test]
fn a_configuration_names_the_active_address() {
    let text = r#"{"environments": {"__GITLAB__": {"urls": ["http://a", "http://b"], "active_url_idx": 1}}}"#;
    let sites = Sites::parse(text).expect("the configuration is well-formed");
    assert_eq!(sites.fill("__GITLAB__/x"), "http://b/x");
    assert!(Sites::parse("{}").is_err());
}
