//! Decisions against the handed-out vectors, and where the seed differs from them: what nobody knows asks.

use serde_json::{Value, json};

use super::{ActionPolicy, Verdict, acts, of_tier, reads, reads_aside};
use crate::{actions::vectors::action_runtime, spec::tool::Tier};

#[test]
fn the_vectors_are_decided_as_recorded() {
    for vector in action_runtime("policy") {
        let policy = ActionPolicy::parse(&vector["policy"]).unwrap();
        let action = &vector["action"];
        let name = action["name"].as_str().or(action.as_str()).unwrap();
        let tier = action["tier"].as_u64().and_then(|tier| u8::try_from(tier).ok());
        let mut wanted = vector["result"].clone();
        // The reference allows what it does not know.
        if wanted["source"] == "tier" && !matches!(tier, Some(0..=3)) {
            wanted["action"] = "ask".into();
        }
        let got = serde_json::to_value(policy.evaluate(name, tier, None)).unwrap();
        assert_eq!(got, wanted, "{vector}");
    }
}

#[test]
fn policies_that_mean_nothing_are_refused() {
    for vector in action_runtime("policyNormalize") {
        match (ActionPolicy::parse(&vector["input"]), vector["result"]["thrown"].as_str()) {
            (Err(error), Some(wanted)) => assert_eq!(error.to_string(), wanted),
            (Ok(policy), None) => assert_eq!(policy, ActionPolicy::default(), "{vector}"),
            (got, wanted) => panic!("{got:?}, not {wanted:?}"),
        }
    }
}

#[test]
fn every_tier_has_its_verdict() {
    let policy = ActionPolicy::default();
    let verdict = |tier| policy.evaluate("a", tier, None).action;
    assert_eq!(
        [0, 1, 2, 3].map(|tier| verdict(Some(tier))),
        [Verdict::Allow, Verdict::Ask, Verdict::Ask, Verdict::Deny]
    );
    assert_eq!([Some(4), Some(255), None].map(verdict), [Verdict::Ask; 3]);
}

#[test]
fn the_users_word_comes_before_the_tier_and_keeps_its_reason() {
    let policy = json!({"a": {"action": "deny", "reason": "not here"}, "b": {"action": "allow", "reason": " "}});
    let policy = ActionPolicy::parse(&policy).unwrap();
    let denied = policy.evaluate("a", Some(0), Some(reads("page_read")));
    assert_eq!((denied.action, denied.reason.as_str(), denied.source), (Verdict::Deny, "not here", "explicit"));
    assert_eq!(policy.evaluate("b", Some(3), None).reason, "explicit_action_policy");
    assert!(ActionPolicy::parse(&json!({"a": "Allow"})).is_err(), "words are exact");
    assert!(ActionPolicy::parse(&json!({"a": null})).is_err());
}

#[test]
fn permissions_follow_from_what_is_done_and_the_tier() {
    let (read, act, aside) = (reads("page_read"), acts("browser_input"), reads_aside("external_network"));
    assert!(read.is_read_only && !read.is_concurrency_safe && read.interrupt_behavior == "abort_safe");
    assert!(!act.is_read_only && act.interrupt_behavior == "checkpoint_required");
    assert!(aside.is_read_only && aside.is_concurrency_safe);
    assert!(!of_tier(read.clone(), Tier(0)).needs_approval);
    assert!(of_tier(read, Tier(1)).needs_approval);
    assert_eq!(serde_json::to_value(&act).unwrap()["source"], Value::from("built_in_metadata"));
}
