//! Unit tests of what a view says of a site.

use super::SiteContext;
use crate::site::{
    directives, manifest,
    policy::{PolicyState, join},
};

fn context(txt: Option<&str>, json: Option<&str>) -> SiteContext {
    let directives = txt.map(|txt| directives::parse(txt).0);
    let manifest = json.and_then(|json| manifest::parse(json).0);
    let policy = join(directives.as_ref(), manifest.as_ref());
    SiteContext {
        policy: policy.map_or(PolicyState::None, |policy| PolicyState::Known(Box::new(policy))),
        manifest_url: manifest.as_ref().map(|_| "https://shop.example/wci.json".to_owned()),
        manifest,
        ..SiteContext::none("https://shop.example")
    }
}

#[test]
fn a_site_without_files_has_no_summary() {
    assert_eq!(context(None, None).summary("https://shop.example/", None), None);
}

#[test]
fn the_name_falls_back_to_the_host_and_empty_lists_are_left_out() {
    let summary = context(Some("Deny-Scope: admin\n"), None).summary("https://shop.example/", None).expect("a summary");
    assert_eq!(summary.name, "shop.example");
    assert_eq!(summary.denied_scopes, Some(vec!["admin".to_owned()]));
    assert_eq!(summary.auth_required_for, None);
}

#[test]
fn the_step_of_a_flow_is_found_by_address_and_the_known_flow_wins() {
    let json = r#"{"wci_version": "1.0", "site": {"name": "S"}, "task_flows": [
        {"id": "buy", "description": "d", "steps": [{"scope": "list", "url_pattern": "/list"}, {"scope": "cart", "url_pattern": "/cart"}]},
        {"id": "gift", "description": "d", "steps": [{"scope": "cart", "url_pattern": "/cart"}]}]}"#;
    let context = context(None, Some(json));
    let step = |page: &str, flow: Option<&str>| {
        let active = context.active_flow(page, flow)?;
        Some((active.flow.to_owned(), active.step))
    };
    assert_eq!(step("https://shop.example/cart", Some("gift")), Some(("gift".to_owned(), 0)));
    assert_eq!(step("https://shop.example/cart", None), None, "two flows are as near: neither is known to be it");
    assert_eq!(step("https://shop.example/list", None), Some(("buy".to_owned(), 0)));
    assert_eq!(step("https://shop.example/elsewhere", None), None);
}
