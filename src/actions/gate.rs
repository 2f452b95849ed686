//! The one door: nothing acts on a page but through here. The only caller of the bridge.
//!
//! # What an action passes, in this order
//! 1. the tier of its tool, or the user's own word on it;
//! 2. the user's rule on domains, for the page that it would act on;
//! 3. the site's policy: scopes around the target, consent, login;
//! 4. the site's rate limit;
//! 5. the journal: the intent is written before anything happens;
//! 6. the bridge, within the deadline;
//! 7. the journal again: what came of it.

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::{
    actions::{
        error::ToolError,
        permission::{ActionPolicy, Verdict},
        registry::Registry,
        reply::word,
        session::{SessionOptions, now},
        site_cache::Site,
    },
    bridge::dispatch::{BridgeOptions, dispatch},
    page::tab::Page,
    site::{
        policy::{Attempt, Decision, PolicyState, scope_chain_in},
        rates::Kind,
    },
    spec::{
        action::{ActionError, ActionRequest, ActionResult, ErrorCode, Reason},
        deadline::Deadline,
        event::RunEvent,
        tool::ToolSpec,
    },
};

/// How long the bridge may run over the deadline before it is given up.
const GRACE: Duration = Duration::from_millis(500);

/// How long an element is waited for where the request names no deadline.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the gate goes by.
#[derive(Debug, Clone)]
pub struct GateOptions {
    pub policy: ActionPolicy,
    pub allow_domains: Vec<String>,
    pub deny_domains: Vec<String>,
    pub upload_roots: Vec<PathBuf>,
    pub timeout: Duration,
}

impl GateOptions {
    /// The gate's part of a session's options.
    pub fn of(options: &SessionOptions) -> Self {
        Self {
            policy: options.policy.clone(),
            allow_domains: options.allow_domains.clone(),
            deny_domains: options.deny_domains.clone(),
            upload_roots: options.upload_roots.clone(),
            timeout: options.timeout,
        }
    }
}

/// The ordered stream of what happens; everybody who listens gets all of it.
#[derive(Default)]
pub struct Journal {
    last: AtomicU64,
    listeners: Mutex<Vec<mpsc::UnboundedSender<RunEvent>>>,
}

impl Journal {
    /// Events from now on.
    pub fn listen(&self) -> mpsc::UnboundedReceiver<RunEvent> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).push(sender);
        receiver
    }

    /// Writes one event.
    pub fn write(&self, phase: &str, summary: String, detail: Value) {
        let mut listeners = self.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        let seq = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::info!(phase, "{summary}");
        let event = RunEvent { seq, at: now(), phase: phase.to_owned(), step: 0, summary, detail };
        listeners.retain(|listener| listener.send(event.clone()).is_ok());
    }
}

/// The door.
pub struct Gate {
    options: GateOptions,
    journal: Arc<Journal>,
}

impl Gate {
    pub fn new(options: GateOptions, journal: Arc<Journal>) -> Self {
        Self { options, journal }
    }

    /// Decides whether a tool may be used at all.
    pub fn admit(&self, spec: &ToolSpec) -> Result<(), ActionError> {
        let permission = Some(spec.permission.clone());
        let decision = self.options.policy.evaluate(spec.name, Some(spec.tier.0), permission);
        let refusal = match decision.action {
            Verdict::Allow => return Ok(()),
            Verdict::Ask => ActionError::coded(
                ErrorCode::HumanConfirmationRequired,
                format!("`{}` needs the user's permission ({})", spec.name, decision.reason),
                "ask the user, or go on without it",
            ),
            Verdict::Deny => ActionError::coded(
                ErrorCode::ScopeDenied,
                format!("`{}` is denied ({})", spec.name, decision.reason),
                "go on without it",
            ),
        };
        self.journal.write("gate", refusal.message.clone(), json!({"action": spec.name, "decision": decision}));
        Err(refusal)
    }

    /// The user's rule on domains: `deny` before `allow`; a name stands for itself and everything below it.
    pub fn admit_url(&self, url: &str) -> Result<(), ActionError> {
        let host = url::Url::parse(url).ok().and_then(|url| url.host_str().map(str::to_owned));
        // What has no host (`about:blank`) leads nowhere.
        let Some(host) = host else { return Ok(()) };
        let listed = |list: &[String]| list.iter().any(|domain| covers(domain, &host));
        let denied = listed(&self.options.deny_domains);
        if !denied && (self.options.allow_domains.is_empty() || listed(&self.options.allow_domains)) {
            return Ok(());
        }
        let why = if denied { "is denied" } else { "is not among the allowed domains" };
        self.journal.write("gate", format!("{host} {why}"), json!({"url": url}));
        Err(ActionError::because(
            Reason::DomainBlocked,
            format!("the domain `{host}` {why}"),
            "go to another site; only the user can change the rule",
        ))
    }

    /// Passes one action to the bridge, or says why not.
    pub async fn dispatch(
        &self,
        page: &Page,
        site: &Site,
        request: &ActionRequest,
        deadline: Deadline,
    ) -> ActionResult {
        let at = now();
        let result = match self.pass(page, site, request, deadline).await {
            Ok(judged) => self.perform(page, request, judged, &at, deadline).await,
            Err(error) => refused(request, &at, error.coded()),
        };
        if result.success {
            self.count(site);
        }
        let summary = format!("{} {}: {}", request.action, request.node_id, outcome(&result));
        self.journal.write("act", summary, json!({"result": result}));
        result
    }

    /// Steps 1 to 4. Gives the refs of the very elements that were judged, the drag target's second.
    async fn pass(
        &self,
        page: &Page,
        site: &Site,
        request: &ActionRequest,
        deadline: Deadline,
    ) -> Result<Judged, ToolError> {
        if let Some(spec) = Registry::standard().get("act") {
            self.admit(spec)?;
        }
        self.admit_url(&page.url())?;
        let state = { site.engine.lock().unwrap_or_else(PoisonError::into_inner).state().clone() };
        let mut judged = Judged::default();
        if matches!(state, PolicyState::None) {
            return Ok(judged);
        }
        judged.node = Some(self.judge(page, site, request, &request.node_id, deadline).await?);
        if let Some(to) = request.options.as_ref().and_then(|options| options.to.as_deref()) {
            judged.to = Some(self.judge(page, site, request, to, deadline).await?);
        }
        let limits = { site.engine.lock().unwrap_or_else(PoisonError::into_inner).limits() };
        if let Some((actions, _)) = limits {
            let mut rates = site.rates.lock().unwrap_or_else(PoisonError::into_inner);
            rates.check(Kind::Action, actions, Instant::now()).map_err(|limited| limited.error())?;
        }
        Ok(judged)
    }

    /// Counts an action that succeeded; what failed or was refused costs the site nothing.
    fn count(&self, site: &Site) {
        let limits = { site.engine.lock().unwrap_or_else(PoisonError::into_inner).limits() };
        if let Some((actions, _)) = limits {
            let mut rates = site.rates.lock().unwrap_or_else(PoisonError::into_inner);
            // It passed before; that another one came in between does not undo it.
            let _ = rates.attempt(Kind::Action, actions, Instant::now());
        }
    }

    /// The site's word on one target; gives the ref of the element that was judged.
    async fn judge(
        &self,
        page: &Page,
        site: &Site,
        request: &ActionRequest,
        node_id: &str,
        deadline: Deadline,
    ) -> Result<String, ToolError> {
        let (mut scopes, mut wci_id, mut node_ref) = (vec![], node_id.to_owned(), node_id.to_owned());
        if !node_id.is_empty() {
            let asked = request.options.as_ref().and_then(|options| options.timeout_ms).is_some();
            let patience = if asked { deadline } else { deadline.at_most(PATIENCE) };
            node_ref = page.resolve_within(node_id, patience, deadline).await?.node_ref;
            let snapshot = page.snapshot(deadline).await?;
            scopes = scope_chain_in(&snapshot, &node_ref);
            let annotated = snapshot.wci.iter().find(|element| element.node_ref == node_ref);
            if let Some(id) = annotated.and_then(|element| element.attrs.get("id")).and_then(Value::as_str) {
                id.clone_into(&mut wci_id);
            }
        }
        let confirmed = request.options.as_ref().and_then(|options| options.confirm).unwrap_or_default();
        let attempt = Attempt { scopes: &scopes, verb: &request.action, node_id: &wci_id, confirmed };
        let decision = site.engine.lock().unwrap_or_else(PoisonError::into_inner).decide(&attempt, Instant::now());
        match decision {
            Decision::Allow => Ok(node_ref),
            Decision::Deny { scope, rule, error, .. } => {
                let detail = json!({"nodeId": node_id, "action": request.action, "scope": scope, "rule": rule});
                self.journal.write("gate", error.message.clone(), detail);
                Err(error.into())
            }
        }
    }

    /// Steps 5 and 6. What was typed stays out of the journal: it may be a secret.
    async fn perform(
        &self,
        page: &Page,
        request: &ActionRequest,
        judged: Judged,
        at: &str,
        deadline: Deadline,
    ) -> ActionResult {
        let intent = json!({"intent": true, "nodeId": request.node_id, "action": request.action, "tab": page.tab(), "url": page.url()});
        self.journal.write("gate", format!("{} {}", request.action, request.node_id), intent);
        let options = BridgeOptions {
            upload_roots: self.options.upload_roots.clone(),
            default_timeout: deadline.remaining().min(self.options.timeout),
            judged: judged.node,
            now: at.to_owned(),
        };
        let mut judged_request = request.clone();
        if let Some(to) = judged.to {
            judged_request.options.get_or_insert_default().to = Some(to);
        }
        let until = deadline.instant() + GRACE;
        match tokio::time::timeout_at(until.into(), dispatch(page, &judged_request, &options)).await {
            Ok(result) => result,
            Err(_) => {
                let hint = "take a view before you repeat it: it may have happened";
                refused(request, at, ActionError::because(Reason::Timeout, "the action did not end in time", hint))
            }
        }
    }
}

/// The elements that a site's policy has judged, by ref; none where there is no policy.
#[derive(Debug, Default)]
struct Judged {
    node: Option<String>,
    /// Drag target.
    to: Option<String>,
}

/// The result of an action that did not happen.
fn refused(request: &ActionRequest, at: &str, error: ActionError) -> ActionResult {
    ActionResult {
        success: false,
        node_id: request.node_id.clone(),
        action: request.action.clone(),
        value: None,
        timestamp: at.to_owned(),
        state_change: None,
        side_effects: vec![],
        error: Some(error),
        observed: None,
    }
}

/// A result in a word.
fn outcome(result: &ActionResult) -> String {
    match (&result.error, &result.observed) {
        (Some(error), _) => word(&error.code),
        (None, Some(observed)) => word(&observed.effect),
        (None, None) => "done".to_owned(),
    }
}

/// A domain of a list as a URL has its host: lower case, names of other scripts as Punycode. `*.example.com` and
/// `.example.com` read as `example.com`. `None` is no domain: a rule on it would hold for nothing.
pub fn domain(text: &str) -> Option<String> {
    let text = text.trim();
    let text = text.strip_prefix("*.").unwrap_or(text).trim_matches('.');
    url::Host::parse(text).ok().map(|host| host.to_string())
}

/// Whether a domain of a list stands for a host: for itself, and for everything below it.
fn covers(domain: &str, host: &str) -> bool {
    let host = host.trim_end_matches('.');
    let Some(domain) = self::domain(domain) else { return false };
    host.strip_suffix(domain.as_str()).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}

#[cfg(test)]
mod tests;
