//! What a site allows: `wci.txt` and `wci.json` joined so that the stricter rule wins, and the engine that decides one
//! attempt. Pure: the caller gives the clock, keeps the engine for as long as the session is at the site, and tells it
//! what the user has granted. Rate limits are `rates`'; finding the files is `discovery`'s.
//!
//! # How an attempt is decided
//! Scope is by ancestry (DESIGN 4.4; the reference looks at one scope only, and a page can escape a denial by nesting).
//! 1. A policy that could not be read refuses every act. Reading goes on.
//! 2. Denied if any enclosing scope, or the node's own id, is in a deny list.
//! 3. Denied if one of them is `critical`, unless `Allow-Scope` names it or the user granted it.
//! 4. With an allow list, denied unless the nearest scope (without a scope: the node's id) is in it. The auth-flow scope
//!    is exempt: a person must be able to log in.
//! 5. Each of them that needs a login needs a login grant, the auth-flow scope excepted.
//! 6. Each of them that needs a person (listed, `high` or `critical`) needs a confirmation grant, or this one attempt
//!    was confirmed.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::{
    site::{
        manifest::{Manifest, Sensitivity},
        reading::js_trim,
    },
    spec::{
        action::{ActionError, ErrorCode},
        policy::WciPolicy,
        snapshot::Snapshot,
    },
};

/// What is known about a site's policy.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum PolicyState {
    /// The site publishes none (404): nothing is restricted, nothing is limited.
    None,
    Known(Box<SitePolicy>),
    /// There is or may be one, but it could not be read: reading is allowed, acting is refused.
    Unavailable {
        url: String,
        why: String,
    },
}

/// Both files as one set of rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SitePolicy {
    /// The joined lists, limits and facts.
    #[serde(flatten)]
    pub directives: WciPolicy,
    /// Scopes of `sensitivity: critical`.
    #[serde(rename = "criticalScopes")]
    pub critical: Vec<String>,
    /// Of the denied scopes those that only `wci.json` denies.
    #[serde(skip)]
    pub denied_by_manifest: Vec<String>,
}

/// Joins the directives with the manifest, the stricter rule winning; `None` when there is neither.
///
/// Lists are united, limits take the smaller one, facts come from `wci.txt` first. A limit that neither file states is
/// the default of the specification. The allow list is `wci.txt`'s: the manifest's catalog of scopes allows nothing.
pub fn join(directives: Option<&WciPolicy>, manifest: Option<&Manifest>) -> Option<SitePolicy> {
    let Some(manifest) = manifest else {
        return directives.map(|directives| SitePolicy { directives: directives.clone(), ..SitePolicy::default() });
    };
    let mut joined = SitePolicy { directives: directives.cloned().unwrap_or_default(), ..SitePolicy::default() };
    let policy = &mut joined.directives;
    for scope in &manifest.denied_scopes {
        if add(&mut policy.denied_scopes, scope) {
            joined.denied_by_manifest.push(scope.clone());
        }
    }
    for scope in &manifest.scopes {
        if scope.requires_human_confirmation || scope.sensitivity >= Some(Sensitivity::High) {
            add(&mut policy.require_human_confirmation, &scope.id);
        }
        if scope.sensitivity == Some(Sensitivity::Critical) {
            add(&mut joined.critical, &scope.id);
        }
    }
    for step in manifest.task_flows.iter().flat_map(|flow| &flow.steps).filter(|step| !step.scope.is_empty()) {
        if step.requires_auth {
            add(&mut policy.auth_required, &step.scope);
        }
        if step.requires_human_confirmation {
            add(&mut policy.require_human_confirmation, &step.scope);
        }
    }
    if let Some(authentication) = &manifest.authentication {
        for scope in &authentication.required_for {
            add(&mut policy.auth_required, scope);
        }
        fill(&mut policy.auth_method, &authentication.method);
        fill(&mut policy.auth_flow_scope, &authentication.auth_flow_scope);
    }
    if let Some(limits) = &manifest.rate_limits {
        let stated = directives.is_some();
        limit(&mut policy.rate_limit_actions, limits.actions_per_minute, stated);
        limit(&mut policy.rate_limit_distil, limits.distil_requests_per_minute, stated);
    }
    fill(&mut policy.wci_version, &manifest.wci_version);
    fill(&mut policy.site_name, &manifest.site.name);
    fill(&mut policy.site_purpose, &manifest.site.purpose);
    fill(&mut policy.contact, &manifest.site.contact);
    fill(&mut policy.last_updated, &manifest.last_updated);
    Some(joined)
}

/// Adds a member that is not there yet; whether it was new.
fn add(list: &mut Vec<String>, member: &str) -> bool {
    let new = !list.iter().any(|one| one == member);
    if new {
        list.push(member.to_owned());
    }
    new
}

fn fill(fact: &mut Option<String>, other: &Option<String>) {
    if fact.as_ref().is_none_or(String::is_empty) && other.is_some() {
        fact.clone_from(other);
    }
}

fn limit(own: &mut i64, other: Option<i64>, stated: bool) {
    if let Some(other) = other {
        *own = if stated { other.min(*own) } else { other };
    }
}

/// An element that encloses the target (or is it), as its attributes stand in the page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Enclosing {
    /// `data-wci-scope`.
    pub scope: Option<String>,
    /// `data-wci-role`.
    pub role: Option<String>,
    /// `data-wci-id`.
    pub id: Option<String>,
}

/// The scopes around a target, the nearest first, from the target and its ancestors in that order. A declared scope
/// stands before the landmark's own id; names are trimmed; a landmark without an id is transparent.
pub fn scope_chain(enclosing: &[Enclosing]) -> Vec<String> {
    let mut chain = vec![];
    for element in enclosing {
        let landmark = element.role.as_deref() == Some("landmark");
        for name in [element.scope.as_deref(), element.id.as_deref().filter(|_| landmark)].into_iter().flatten() {
            let name = js_trim(name);
            if !name.is_empty() {
                add(&mut chain, name);
            }
        }
    }
    chain
}

/// [`scope_chain`] of a ref in a snapshot. Sees annotated ancestors only: an element that carries nothing but
/// `data-wci-scope` is not in a snapshot, so a gate that can ask the page should.
pub fn scope_chain_in(snapshot: &Snapshot, node_ref: &str) -> Vec<String> {
    let annotated = |wanted: &str| snapshot.wci.iter().position(|element| element.node_ref == wanted);
    let mut at = annotated(node_ref);
    let mut node = snapshot.nodes.iter().find(|node| node.node_ref == node_ref);
    // A parent stands before its child, so both walks end; the bound holds for a snapshot that says otherwise.
    for _ in 0..snapshot.nodes.len() {
        if at.is_some() {
            break;
        }
        let Some(parent) = node.and_then(|node| node.parent) else { break };
        node = snapshot.nodes.get(parent as usize);
        at = node.filter(|node| !node.node_ref.is_empty()).and_then(|node| annotated(&node.node_ref));
    }
    let mut enclosing = vec![];
    for _ in 0..snapshot.wci.len() {
        let Some(element) = at.and_then(|at| snapshot.wci.get(at)) else { break };
        let attr = |key: &str| element.attrs.get(key).and_then(|value| value.as_str()).map(str::to_owned);
        enclosing.push(Enclosing { scope: attr("scope"), role: attr("role"), id: attr("id") });
        at = element.parent.map(|parent| parent as usize);
    }
    scope_chain(&enclosing)
}

/// What an agent is about to do.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    /// Scopes around the target, the nearest first; see [`scope_chain`].
    pub scopes: &'a [String],
    /// The verb as requested, known or not.
    pub verb: &'a str,
    /// The `data-wci-id` of the target, or the id it was asked for by. Empty for the page itself.
    pub node_id: &'a str,
    /// The user has confirmed this one attempt.
    pub confirmed: bool,
}

/// What a grant lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GrantKind {
    /// The user is logged in where this scope needs it.
    Login,
    /// The user agrees to actions in this scope.
    Confirmation,
    /// The user allows a critical scope; it still needs a confirmation.
    Critical,
}

/// A user's word for one scope. Scopes inside need their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    pub scope: String,
    pub kind: GrantKind,
    /// The first instant at which it no longer holds.
    pub until: Instant,
}

/// Why an attempt is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    PolicyUnavailable,
    DenyScope,
    ManifestDeniedScopes,
    CriticalSensitivity,
    AllowScope,
    AuthRequired,
    HumanConfirmation,
}

/// The decision on one attempt.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    Allow,
    Deny {
        code: ErrorCode,
        scope: String,
        rule: Rule,
        /// For the agent, in the words of reference 1.3.0.
        error: ActionError,
    },
}

/// Decides attempts at one site.
#[derive(Debug, Clone)]
pub struct Engine {
    state: PolicyState,
    grants: Vec<Grant>,
}

impl Engine {
    /// An engine for what was found. `--site-policy ignore` is an engine over [`PolicyState::None`].
    pub fn new(state: PolicyState) -> Self {
        Self { state, grants: vec![] }
    }

    /// Decides one attempt. `now` is compared with the lifetimes of grants.
    pub fn decide(&self, attempt: &Attempt<'_>, now: Instant) -> Decision {
        // Scrolling the page is how it is read; it acts on nothing.
        if attempt.verb == "scroll" && attempt.node_id.is_empty() && attempt.scopes.is_empty() {
            return Decision::Allow;
        }
        let policy = match &self.state {
            PolicyState::None => return Decision::Allow,
            PolicyState::Unavailable { url, why } => return unavailable(url, why),
            PolicyState::Known(policy) => policy,
        };
        let names = names(attempt);
        let nearest = attempt.scopes.first().map_or(attempt.node_id, String::as_str);
        // By scope only: a node that merely calls itself `login` frees nothing.
        let in_auth_flow = attempt.scopes.iter().any(|scope| policy.is_auth_flow(scope))
            || (attempt.scopes.is_empty() && policy.is_auth_flow(nearest));
        let refuse = |rule, scope: &str| refused(rule, scope, attempt);

        if let Some(scope) = names.iter().find(|name| policy.denies(name)) {
            let manifest_only = policy.denied_by_manifest.iter().any(|one| one == scope);
            return refuse(if manifest_only { Rule::ManifestDeniedScopes } else { Rule::DenyScope }, scope);
        }
        let critical = |name: &&&str| {
            policy.is_critical(name)
                && !policy.directives.allowed_scopes.iter().any(|allowed| allowed == **name)
                && !self.granted(name, GrantKind::Critical, now)
        };
        if let Some(scope) = names.iter().find(critical) {
            return refuse(Rule::CriticalSensitivity, scope);
        }
        if !in_auth_flow && policy.not_on_allow_list(nearest) {
            return refuse(Rule::AllowScope, nearest);
        }
        let needs_login = |name: &&&str| policy.requires_auth(name) && !self.granted(name, GrantKind::Login, now);
        if let Some(scope) = names.iter().find(needs_login).filter(|_| !in_auth_flow) {
            return refuse(Rule::AuthRequired, scope);
        }
        let needs_person = |name: &&&str| {
            policy.requires_human_confirmation(name) && !self.granted(name, GrantKind::Confirmation, now)
        };
        if let Some(scope) = names.iter().find(needs_person).filter(|_| !attempt.confirmed) {
            return refuse(Rule::HumanConfirmation, scope);
        }
        Decision::Allow
    }

    /// Records the user's word for a scope. A second grant of the kind replaces the first.
    pub fn grant(&mut self, scope: &str, kind: GrantKind, lifetime: Duration, now: Instant) {
        self.revoke(scope, kind);
        // A lifetime beyond the clock's range is for ever, as near as a session can tell.
        let until = now.checked_add(lifetime).unwrap_or(now + Duration::from_secs(365 * 24 * 3600));
        self.grants.push(Grant { scope: scope.to_owned(), kind, until });
    }

    /// Takes a grant back.
    pub fn revoke(&mut self, scope: &str, kind: GrantKind) {
        self.grants.retain(|grant| grant.scope != scope || grant.kind != kind);
    }

    /// Grants that hold now.
    pub fn grants(&self, now: Instant) -> impl Iterator<Item = &Grant> {
        self.grants.iter().filter(move |grant| now < grant.until)
    }

    /// What the engine decides by.
    pub fn state(&self) -> &PolicyState {
        &self.state
    }

    /// The limits per minute on actions and distilled views; `None` where the site limits nothing.
    pub fn limits(&self) -> Option<(i64, i64)> {
        match &self.state {
            PolicyState::Known(policy) => {
                Some((policy.directives.rate_limit_actions, policy.directives.rate_limit_distil))
            }
            PolicyState::None | PolicyState::Unavailable { .. } => None,
        }
    }

    fn granted(&self, scope: &str, kind: GrantKind, now: Instant) -> bool {
        self.grants(now).any(|grant| grant.kind == kind && grant.scope == scope)
    }
}

impl SitePolicy {
    /// Whether the lists of `wci.txt` and `wci.json` deny a scope on its own, as the reference asks: denied, or not on an
    /// allow list that there is. Ancestry, sensitivity and grants are [`Engine::decide`]'s.
    pub fn is_scope_denied(&self, scope: &str) -> bool {
        self.denies(scope) || self.not_on_allow_list(scope)
    }

    /// Whether a scope needs a login.
    pub fn requires_auth(&self, scope: &str) -> bool {
        self.directives.auth_required.iter().any(|one| one == scope)
    }

    /// Whether a scope needs a person.
    pub fn requires_human_confirmation(&self, scope: &str) -> bool {
        self.is_critical(scope) || self.directives.require_human_confirmation.iter().any(|one| one == scope)
    }

    fn denies(&self, scope: &str) -> bool {
        self.directives.denied_scopes.iter().any(|one| one == scope)
    }

    fn is_critical(&self, scope: &str) -> bool {
        self.critical.iter().any(|one| one == scope)
    }

    fn not_on_allow_list(&self, scope: &str) -> bool {
        let allowed = &self.directives.allowed_scopes;
        !allowed.is_empty() && !allowed.iter().any(|one| one == scope)
    }

    fn is_auth_flow(&self, scope: &str) -> bool {
        self.directives.auth_flow_scope.as_deref().is_some_and(|flow| !flow.is_empty() && flow == scope)
    }
}

/// All names under which a rule may speak of the target, the nearest scope first and its own id last.
fn names<'a>(attempt: &Attempt<'a>) -> Vec<&'a str> {
    let mut names: Vec<&str> = attempt.scopes.iter().map(String::as_str).collect();
    if !attempt.node_id.is_empty() && !names.contains(&attempt.node_id) {
        names.push(attempt.node_id);
    }
    names
}

fn unavailable(url: &str, why: &str) -> Decision {
    Decision::Deny {
        code: ErrorCode::ScopeDenied,
        scope: String::new(),
        rule: Rule::PolicyUnavailable,
        error: ActionError::coded(
            ErrorCode::ScopeDenied,
            format!("The site policy at {url} could not be read ({why}), so acting here is refused."),
            "Read on, retry later, or inform the user: only they can set `--site-policy ignore`.",
        ),
    }
}

fn refused(rule: Rule, scope: &str, attempt: &Attempt<'_>) -> Decision {
    let (verb, id) = (attempt.verb, attempt.node_id);
    let (code, message, hint) = match rule {
        Rule::DenyScope | Rule::AllowScope | Rule::PolicyUnavailable => (
            ErrorCode::ScopeDenied,
            format!("Scope \"{scope}\" is denied by wci.txt."),
            "Do not retry this scope; choose an allowed scope or inform the user.",
        ),
        Rule::ManifestDeniedScopes => (
            ErrorCode::ScopeDenied,
            format!("Scope \"{scope}\" is denied by wci.json."),
            "Do not retry this scope; choose an allowed scope or inform the user.",
        ),
        Rule::CriticalSensitivity => (
            ErrorCode::ScopeDenied,
            format!("Scope \"{scope}\" is denied by wci.json: its sensitivity is critical."),
            "Do not retry this scope; inform the user, who alone can allow it.",
        ),
        Rule::AuthRequired => (
            ErrorCode::AuthRequired,
            format!("Scope \"{scope}\" requires authentication before \"{verb}\" on \"{id}\"."),
            "Complete the auth flow (see Auth-Flow-Scope in wci.txt) before dispatching.",
        ),
        Rule::HumanConfirmation => (
            ErrorCode::HumanConfirmationRequired,
            format!("Scope \"{scope}\" requires explicit human confirmation before \"{verb}\" on \"{id}\"."),
            "Obtain user approval, then dispatch with confirmation recorded in your agent state.",
        ),
    };
    Decision::Deny { code, scope: scope.to_owned(), rule, error: ActionError::coded(code, message, hint) }
}

#[cfg(test)]
mod tests;
