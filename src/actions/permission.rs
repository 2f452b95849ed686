//! Permission metadata of actions, and the decision by tier or by the user's own word (action contract, "Permission
//! Metadata Contract" and "Policy Contract"). An unknown tier asks: the seed decides where the reference fails open.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::spec::tool::{Permission, Tier};

/// What may be done with an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Allow,
    Ask,
    Deny,
}

/// The decision on one action.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PolicyDecision {
    pub action: Verdict,
    pub action_name: String,
    pub permission: Option<Permission>,
    pub reason: String,
    /// `explicit` or `tier`.
    pub source: &'static str,
    pub tier: Option<u8>,
}

/// The user's own word on actions, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActionPolicy(BTreeMap<String, (Verdict, String)>);

/// An entry of a policy that means nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Unsupported action policy \"{value}\" for \"{action}\".")]
pub struct PolicyError {
    pub action: String,
    pub value: String,
}

/// The reason of an entry that gives none.
const EXPLICIT: &str = "explicit_action_policy";

impl ActionPolicy {
    /// Reads `{name: "allow" | "ask" | "deny" | {action, reason}}`; anything but an object is an empty policy.
    pub fn parse(value: &Value) -> Result<Self, PolicyError> {
        let mut policy = Self::default();
        for (action, entry) in value.as_object().into_iter().flatten() {
            let verdict = entry.get("action").unwrap_or(entry);
            let Ok(verdict) = serde_json::from_value::<Verdict>(verdict.clone()) else {
                let value = entry.as_str().map_or_else(|| entry.to_string(), str::to_owned);
                return Err(PolicyError { action: action.clone(), value });
            };
            let reason = entry.get("reason").and_then(Value::as_str).filter(|reason| !reason.trim().is_empty());
            policy.set(action, verdict, reason.unwrap_or(EXPLICIT));
        }
        Ok(policy)
    }

    /// Decides one action whatever its tier.
    pub fn set(&mut self, action: &str, verdict: Verdict, reason: &str) {
        self.0.insert(action.to_owned(), (verdict, reason.to_owned()));
    }

    /// The decision on an action of a tier; `None` is a tier that nobody knows.
    pub fn evaluate(&self, action: &str, tier: Option<u8>, permission: Option<Permission>) -> PolicyDecision {
        let (verdict, reason, source) = match self.0.get(action) {
            Some((verdict, reason)) => (*verdict, reason.clone(), "explicit"),
            None => {
                let verdict = match tier {
                    Some(0) => Verdict::Allow,
                    Some(3) => Verdict::Deny,
                    _ => Verdict::Ask,
                };
                (verdict, "tier_policy".to_owned(), "tier")
            }
        };
        PolicyDecision { action: verdict, action_name: action.to_owned(), permission, reason, source, tier }
    }
}

/// Looks at the page, changes nothing.
pub fn reads(effect: &str) -> Permission {
    of(effect, true, false)
}

/// Acts on the page.
pub fn acts(effect: &str) -> Permission {
    of(effect, false, false)
}

/// Reads, and may run beside other calls.
pub fn reads_aside(effect: &str) -> Permission {
    of(effect, true, true)
}

fn of(effect: &str, is_read_only: bool, is_concurrency_safe: bool) -> Permission {
    Permission {
        effect: effect.to_owned(),
        interrupt_behavior: if is_read_only { "abort_safe" } else { "checkpoint_required" }.to_owned(),
        is_concurrency_safe,
        is_destructive: false,
        is_read_only,
        needs_approval: false,
        source: "built_in_metadata".to_owned(),
    }
}

/// The permission with what follows from its tier.
pub fn of_tier(mut permission: Permission, tier: Tier) -> Permission {
    permission.needs_approval = tier.0 != 0;
    permission
}

#[cfg(test)]
mod tests;
