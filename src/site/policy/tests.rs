//! Unit tests of the joined policy and its decisions.

use std::time::{Duration, Instant};

use super::{Attempt, Decision, Enclosing, Engine, GrantKind, PolicyState, Rule, join, scope_chain};
use crate::{
    site::{directives, manifest},
    spec::action::ErrorCode,
};

fn engine(txt: &str, json: Option<&str>) -> Engine {
    let directives = directives::parse(txt).0;
    let manifest = json.and_then(|json| manifest::parse(json).0);
    let policy = join(Some(&directives), manifest.as_ref()).expect("a policy");
    Engine::new(PolicyState::Known(Box::new(policy)))
}

fn decide(engine: &Engine, scopes: &[&str], confirmed: bool, now: Instant) -> Option<Rule> {
    let scopes: Vec<String> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
    match engine.decide(&Attempt { scopes: &scopes, verb: "click", node_id: "node", confirmed }, now) {
        Decision::Allow => None,
        Decision::Deny { rule, .. } => Some(rule),
    }
}

#[test]
fn a_denied_scope_anywhere_around_denies_and_allowing_needs_the_nearest() {
    let now = Instant::now();
    let engine = engine("Allow-Scope: shop, cart\nDeny-Scope: admin\n", None);
    assert_eq!(decide(&engine, &["cart"], false, now), None);
    assert_eq!(decide(&engine, &["cart", "admin"], false, now), Some(Rule::DenyScope));
    assert_eq!(decide(&engine, &["other", "shop"], false, now), Some(Rule::AllowScope));
}

#[test]
fn login_and_confirmation_are_granted_for_a_time_and_by_scope() {
    let now = Instant::now();
    let mut engine =
        engine("Auth-Required: account\nRequire-Human-Confirmation: checkout\nAuth-Flow-Scope: login\n", None);
    assert_eq!(decide(&engine, &["account"], false, now), Some(Rule::AuthRequired));
    assert_eq!(decide(&engine, &["login"], false, now), None);
    engine.grant("account", GrantKind::Login, Duration::from_secs(60), now);
    assert_eq!(decide(&engine, &["account"], false, now), None);
    let later = now + Duration::from_secs(61);
    assert_eq!(decide(&engine, &["account"], false, later), Some(Rule::AuthRequired));
    assert_eq!(decide(&engine, &["checkout"], false, now), Some(Rule::HumanConfirmation));
    assert_eq!(decide(&engine, &["checkout"], true, now), None);
    engine.grant("checkout", GrantKind::Confirmation, Duration::from_secs(60), now);
    assert_eq!(decide(&engine, &["checkout"], false, now), None);
    engine.revoke("checkout", GrantKind::Confirmation);
    assert_eq!(decide(&engine, &["checkout"], false, now), Some(Rule::HumanConfirmation));
}

#[test]
fn the_manifest_can_only_narrow() {
    let now = Instant::now();
    let json = r#"{"wci_version": "1.0", "denied_scopes": ["beta"], "rate_limits": {"actions_per_minute": 500},
        "scopes": [{"id": "pay", "desc": "d", "sensitivity": "critical"}]}"#;
    let narrowed = engine("Rate-Limit-Actions: 20\n", Some(json));
    assert_eq!(decide(&narrowed, &["beta"], true, now), Some(Rule::ManifestDeniedScopes));
    assert_eq!(decide(&narrowed, &["pay"], true, now), Some(Rule::CriticalSensitivity));
    assert_eq!(narrowed.limits().map(|(actions, _)| actions), Some(20));
    let allowed = engine("Allow-Scope: pay\n", Some(json));
    assert_eq!(decide(&allowed, &["pay"], false, now), Some(Rule::HumanConfirmation));
    assert_eq!(decide(&allowed, &["pay"], true, now), None);
}

#[test]
fn a_policy_that_cannot_be_read_refuses_acting_and_says_why() {
    let engine = Engine::new(PolicyState::Unavailable { url: "https://a.b/wci.txt".into(), why: "status 500".into() });
    let attempt = Attempt { scopes: &[], verb: "click", node_id: "x", confirmed: true };
    match engine.decide(&attempt, Instant::now()) {
        Decision::Deny { code, error, .. } => {
            assert_eq!(code, ErrorCode::ScopeDenied);
            assert!(error.message.contains("status 500"), "{}", error.message);
        }
        Decision::Allow => panic!("acting is refused"),
    }
    let scroll = Attempt { scopes: &[], verb: "scroll", node_id: "", confirmed: false };
    assert_eq!(engine.decide(&scroll, Instant::now()), Decision::Allow);
}

#[test]
fn the_chain_names_declared_scopes_and_landmarks_nearest_first() {
    let of = |scope: Option<&str>, role: Option<&str>, id: Option<&str>| Enclosing {
        scope: scope.map(str::to_owned),
        role: role.map(str::to_owned),
        id: id.map(str::to_owned),
    };
    let chain = scope_chain(&[
        of(Some(" inner "), Some("action"), Some("button")),
        of(None, Some("landmark"), Some("form")),
        of(None, Some("landmark"), None),
        of(Some("form"), None, None),
        of(Some("outer"), Some("landmark"), Some("page")),
    ]);
    assert_eq!(chain, ["inner", "form", "outer", "page"]);
}
