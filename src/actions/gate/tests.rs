//! What the door lets through, without a page. With one: the tests of the server.

use std::{sync::Arc, time::Duration};

use super::{Gate, GateOptions, Journal, covers, domain};
use crate::{
    actions::{
        permission::{ActionPolicy, Verdict},
        registry::Registry,
    },
    spec::action::{ErrorCode, Reason},
};

fn gate(allow: &[&str], deny: &[&str], policy: ActionPolicy) -> (Gate, Arc<Journal>) {
    let list = |domains: &[&str]| domains.iter().map(|domain| (*domain).to_owned()).collect();
    let options = GateOptions {
        policy,
        allow_domains: list(allow),
        deny_domains: list(deny),
        upload_roots: vec![],
        timeout: Duration::from_secs(1),
    };
    let journal = Arc::new(Journal::default());
    (Gate::new(options, Arc::clone(&journal)), journal)
}

fn lets(allow: &[&str], deny: &[&str], url: &str) -> bool {
    gate(allow, deny, ActionPolicy::default()).0.admit_url(url).is_ok()
}

#[test]
fn tools_pass_by_tier_and_by_the_users_word() {
    let registry = Registry::standard();
    let code = |policy: ActionPolicy, name: &str| {
        let (gate, _) = gate(&[], &[], policy);
        gate.admit(registry.get(name).unwrap()).err().map(|error| error.code)
    };
    let with = |name: &str, verdict| {
        let mut policy = ActionPolicy::default();
        policy.set(name, verdict, "so be it");
        policy
    };
    assert_eq!(code(ActionPolicy::default(), "act"), None);
    assert_eq!(code(ActionPolicy::default(), "read_url"), Some(ErrorCode::HumanConfirmationRequired));
    assert_eq!(code(ActionPolicy::default(), "evaluate"), Some(ErrorCode::HumanConfirmationRequired));
    assert_eq!(code(with("read_url", Verdict::Allow), "fetch_url"), None, "an alias is the action");
    assert_eq!(code(with("act", Verdict::Deny), "act"), Some(ErrorCode::ScopeDenied));
    assert_eq!(code(with("view", Verdict::Ask), "view"), Some(ErrorCode::HumanConfirmationRequired));
}

#[test]
fn what_is_refused_is_in_the_journal() {
    let (gate, journal) = gate(&[], &["bad.example"], ActionPolicy::default());
    let mut events = journal.listen();
    gate.admit(Registry::standard().get("evaluate").unwrap()).unwrap_err();
    let refusal = gate.admit_url("https://www.bad.example/x").unwrap_err();
    assert_eq!(refusal.reason, Some(Reason::DomainBlocked));
    assert!(!refusal.hint.is_empty());
    gate.admit_url("https://good.example/").unwrap();
    let seen: Vec<_> = std::iter::from_fn(|| events.try_recv().ok()).map(|event| (event.seq, event.phase)).collect();
    assert_eq!(seen, [(1, "gate".to_owned()), (2, "gate".to_owned())]);
}

#[test]
fn everybody_who_listens_gets_all_of_it_in_order() {
    let journal = Journal::default();
    journal.write("run", "unheard".into(), serde_json::Value::Null);
    let (mut one, two) = (journal.listen(), journal.listen());
    drop(two);
    for summary in ["a", "b"] {
        journal.write("act", summary.into(), serde_json::Value::Null);
    }
    let heard: Vec<_> = std::iter::from_fn(|| one.try_recv().ok()).map(|event| (event.seq, event.summary)).collect();
    assert_eq!(heard, [(2, "a".to_owned()), (3, "b".to_owned())]);
}

#[test]
fn deny_comes_before_allow_and_an_empty_list_allows_all() {
    assert!(lets(&[], &[], "https://a.example/"));
    assert!(lets(&["example.com"], &[], "https://shop.example.com/"));
    assert!(!lets(&["example.com"], &[], "https://other.example/"));
    assert!(!lets(&["example.com"], &["pay.example.com"], "https://pay.example.com/"));
    assert!(lets(&["example.com"], &["pay.example.com"], "https://shop.example.com/"));
    // It leads nowhere.
    assert!(lets(&["example.com"], &[], "about:blank"));
}

#[test]
fn a_domain_stands_for_itself_and_what_is_below_it() {
    for (domain, host, wanted) in [
        ("example.com", "example.com", true),
        ("example.com", "a.b.example.com", true),
        ("example.com", "example.com.", true),
        ("example.com", "evil-example.com", false),
        ("example.com", "example.com.evil.net", false),
        ("a.example.com", "example.com", false),
        (" EXAMPLE.com. ", "example.com", true),
        ("*.example.com", "example.com", true),
        (".example.com", "www.example.com", true),
        ("bücher.example", "xn--bcher-kva.example", true),
        ("BÜCHER.example", "www.xn--bcher-kva.example", true),
        ("127.1", "127.0.0.1", true),
        ("[::1]", "[::1]", true),
        ("", "example.com", false),
        ("*", "example.com", false),
    ] {
        assert_eq!(covers(domain, host), wanted, "`{domain}` and {host}");
    }
}

#[test]
fn what_is_no_domain_is_said_to_be_none() {
    for text in ["", ".", "https://example.com", "example.com:443", "example.com/path", "a b", "user@example.com"] {
        assert_eq!(domain(text), None, "`{text}`");
    }
    assert_eq!(domain("*.Example.COM").as_deref(), Some("example.com"));
}
