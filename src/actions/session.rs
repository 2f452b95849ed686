//! One agent's session: a browser, its tabs, what was seen of them, and the one way to call an action. The library, the
//! command line and the MCP server use the same.
//!
//! # A call
//! 1. The name, or an alias of it, is looked up; its capability must be on.
//! 2. The gate decides by tier and by the user's policy.
//! 3. The arguments are checked; aliases are rewritten.
//! 4. Calls wait for each other, but for those that read aside. A tab that hung in the call before is brought back.
//! 5. The action runs within the deadline; whatever happens, a reply comes.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use crate::{
    actions::{
        error::ToolError,
        gate::{Gate, GateOptions, Journal},
        host::{Host, HostOptions, SessionError},
        http::HttpOptions,
        permission::ActionPolicy,
        registry::{Action, Registry, has_capability},
        reply::ToolReply,
        site_cache::{SiteCache, SiteMode},
        url_rule::Cidr,
    },
    page::{
        context::{Context, ContextOptions},
        dialogs::DialogPolicy,
        error::PageError,
        recovery::Recovery,
        tab::Page,
    },
    spec::{
        action::{ActionError, ErrorCode},
        deadline::Deadline,
        event::RunEvent,
        snapshot::Snapshot,
    },
};

/// Views kept for `since`.
const VIEWS: usize = 8;
/// How long a call may run over its deadline before it is given up.
const GRACE: Duration = Duration::from_millis(700);
/// Longest deadline that a call may ask for, in milliseconds.
const LONGEST: u64 = 600_000;
/// How long bringing a tab back may take.
const RECOVERY: Duration = Duration::from_secs(5);
/// How long ending the browser may take before it is killed.
const CLOSE: Duration = Duration::from_secs(2);

/// How a session behaves.
#[derive(Debug, Clone)]
pub struct SessionOptions {
    pub host: HostOptions,
    /// CSS px.
    pub viewport: (u32, u32),
    /// Deadline of a call that names none.
    pub timeout: Duration,
    pub dialog: DialogPolicy,
    /// Directories that files may be uploaded from; none means no upload.
    pub upload_roots: Vec<PathBuf>,
    /// Capabilities that are on: `evaluate`.
    pub caps: Vec<String>,
    /// The user's word on actions, before their tier.
    pub policy: ActionPolicy,
    pub site: SiteMode,
    /// Hosts that may be visited, with everything below them; empty means all.
    pub allow_domains: Vec<String>,
    pub deny_domains: Vec<String>,
    /// Private addresses that `read_url` may reach.
    pub allow_private: Vec<Cidr>,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            host: HostOptions::default(),
            viewport: (1280, 720),
            timeout: Duration::from_secs(10),
            dialog: DialogPolicy::default(),
            upload_roots: vec![],
            caps: vec![],
            policy: ActionPolicy::default(),
            site: SiteMode::default(),
            allow_domains: vec![],
            deny_domains: vec![],
            allow_private: vec![],
        }
    }
}

/// A page as it was seen once.
#[derive(Debug, Clone)]
pub struct Seen {
    pub tab: String,
    /// RFC 3339, UTC, milliseconds.
    pub at: String,
    pub snapshot: Arc<Snapshot>,
}

#[derive(Default)]
struct State {
    current: String,
    /// The last look at each tab, which deltas are counted from.
    last: HashMap<String, Seen>,
    /// Looks with an id, oldest first.
    views: VecDeque<(String, Seen)>,
    viewed: u64,
    /// Tabs that may hang.
    suspects: HashSet<String>,
}

/// One agent's session.
pub struct AgentSession {
    pub options: SessionOptions,
    pub gate: Gate,
    pub sites: SiteCache,
    host: Host,
    journal: Arc<Journal>,
    turn: tokio::sync::Mutex<()>,
    state: Mutex<State>,
}

/// One call of an action, as its function gets it.
pub struct Call<'a> {
    pub session: &'a AgentSession,
    pub action: &'static str,
    /// Checked by the action's schema.
    pub args: Map<String, Value>,
    pub deadline: Deadline,
}

impl AgentSession {
    /// Starts or reaches the browser and opens a blank tab.
    pub async fn open(options: SessionOptions) -> Result<Self, SessionError> {
        let deadline = Deadline::after(options.timeout.max(Duration::from_secs(30)));
        Self::open_by(options, deadline).await
    }

    /// As [`AgentSession::open`], by a deadline.
    pub async fn open_by(options: SessionOptions, deadline: Deadline) -> Result<Self, SessionError> {
        let context =
            ContextOptions { viewport: options.viewport, dialog: options.dialog, ..ContextOptions::default() };
        let host = Host::open(&options.host, context, deadline).await?;
        let page = match host.context.new_page(deadline).await {
            Ok(page) => page,
            Err(error) => {
                host.close(Deadline::after(CLOSE)).await;
                return Err(error.into());
            }
        };
        let journal = Arc::new(Journal::default());
        let gate = Gate::new(GateOptions::of(&options), Arc::clone(&journal));
        let http = HttpOptions { allow_private: options.allow_private.clone(), ..HttpOptions::default() };
        let sites = SiteCache::new(options.site, http);
        let state = Mutex::new(State { current: page.tab().to_owned(), ..State::default() });
        Ok(Self { options, gate, sites, host, journal, turn: tokio::sync::Mutex::default(), state })
    }

    /// Calls an action by name. A reply always comes; failures are replies, too.
    pub async fn call(&self, name: &str, args: Value) -> ToolReply {
        let reply = match self.try_call(name, args).await {
            Ok(reply) => reply,
            Err(error) => ToolReply::from(&error),
        };
        let line = reply.text.lines().next().unwrap_or_default();
        self.journal.write("act", format!("{name}: {line}"), json!({"action": name, "ok": !reply.is_error}));
        reply
    }

    async fn try_call(&self, name: &str, args: Value) -> Result<ToolReply, ToolError> {
        let registry = Registry::standard();
        let action = registry.action(name).filter(|action| has_capability(&action.spec, &self.options.caps));
        let action = action.ok_or_else(|| unknown(registry, name, &self.options.caps))?;
        let name = action.spec.name;
        self.gate.admit(&action.spec)?;
        let valid = action.schema.strict(name, &args)?;
        for rewrite in &valid.alias_rewrites {
            tracing::info!(
                from = rewrite.from,
                to = rewrite.to,
                collision = rewrite.collision,
                "an alias was rewritten"
            );
        }
        let args = valid.normalized_args;
        let deadline = Deadline::after(timeout(&args, self.options.timeout));
        if action.spec.permission.is_concurrency_safe {
            return self.run(action, args, deadline).await;
        }
        let turn = tokio::time::timeout_at(deadline.instant().into(), self.turn.lock()).await;
        let _turn = turn.map_err(|_| PageError::Timeout { what: "the call before".into() })?;
        let tab = self.current_tab();
        let note = self.heal(&tab, deadline).await?;
        let ran = self.run(action, args, deadline).await;
        let suspect = match &ran {
            Ok(reply) => reply.is_error && reply.structured["error"]["code"] == "UNKNOWN_ERROR",
            Err(error) => error.suspects_page(),
        };
        if suspect {
            self.state().suspects.insert(tab);
        }
        let mut reply = ran?;
        if let Some(note) = note {
            reply.text = format!("{note}\n{}", reply.text);
        }
        Ok(reply)
    }

    async fn run(&self, action: &Action, args: Map<String, Value>, deadline: Deadline) -> Result<ToolReply, ToolError> {
        let name = action.spec.name;
        let call = Call { session: self, action: name, args, deadline };
        let until = deadline.instant() + GRACE;
        match tokio::time::timeout_at(until.into(), (action.run)(call)).await {
            Ok(ran) => ran,
            Err(_) => Err(PageError::Timeout { what: name.to_owned() }.into()),
        }
    }

    /// Brings back a tab that may hang; says so where it cost the page.
    async fn heal(&self, tab: &str, deadline: Deadline) -> Result<Option<String>, ToolError> {
        if !self.state().suspects.remove(tab) {
            return Ok(None);
        }
        let Some(page) = self.host.context.page(tab) else { return Ok(None) };
        // A dialog that waits for an answer is no hanging page.
        if page.dialog().is_some() {
            return Ok(None);
        }
        self.revive(&page, deadline).await
    }

    /// Ends what keeps a page from answering; says so where it cost the page.
    pub async fn revive(&self, page: &Page, deadline: Deadline) -> Result<Option<String>, ToolError> {
        let tab = page.tab();
        match page.recover(deadline.at_most(RECOVERY)).await {
            Ok(Recovery::Freed) | Err(PageError::Closed) => Ok(None),
            Ok(Recovery::Replaced { url }) => {
                self.state().last.remove(tab);
                Ok(Some(format!("note: the page at {url} hung and was ended; {tab} began anew")))
            }
            Err(error) => {
                self.state().suspects.insert(tab.to_owned());
                Err(error.into())
            }
        }
    }

    /// The tab that calls go to; another one, or a new one, when it was closed.
    pub async fn page(&self, deadline: Deadline) -> Result<Page, PageError> {
        if self.host.gone() {
            return Err(PageError::BrowserGone);
        }
        let current = self.current_tab();
        if let Some(page) = self.host.context.page(&current) {
            return Ok(page);
        }
        let page = match self.host.context.pages().pop() {
            Some(page) => page,
            None => self.host.context.new_page(deadline).await?,
        };
        self.select(&page);
        Ok(page)
    }

    /// Makes a tab the one that calls go to.
    pub fn select(&self, page: &Page) {
        page.tab().clone_into(&mut self.state().current);
    }

    pub fn current_tab(&self) -> String {
        self.state().current.clone()
    }

    /// Address of the tab that calls go to.
    pub fn current_url(&self) -> String {
        self.host.context.page(&self.current_tab()).map(|page| page.url()).unwrap_or_default()
    }

    pub fn context(&self) -> &Context {
        &self.host.context
    }

    /// The last look at a tab.
    pub fn last_seen(&self, tab: &str) -> Option<Seen> {
        self.state().last.get(tab).cloned()
    }

    /// Remembers a look, which the next delta is counted from.
    pub fn saw(&self, page: &Page, snapshot: Arc<Snapshot>) -> Seen {
        let mut state = self.state();
        // A page that has not changed is kept once, however often it is looked at.
        let same = state.last.get(page.tab()).filter(|last| last.snapshot == snapshot);
        let snapshot = same.map_or(snapshot, |last| Arc::clone(&last.snapshot));
        let seen = Seen { tab: page.tab().to_owned(), at: now(), snapshot };
        state.last.retain(|tab, _| self.host.context.page(tab).is_some());
        state.last.insert(seen.tab.clone(), seen.clone());
        seen
    }

    /// Keeps a look for `since` and gives its id.
    pub fn keep_view(&self, seen: Seen) -> String {
        let mut state = self.state();
        state.viewed += 1;
        let id = format!("v{}", state.viewed);
        if state.views.len() == VIEWS {
            state.views.pop_front();
        }
        state.views.push_back((id.clone(), seen));
        id
    }

    /// A look by its id.
    pub fn kept_view(&self, id: &str) -> Option<Seen> {
        self.state().views.iter().find(|(kept, _)| kept == id).map(|(_, seen)| seen.clone())
    }

    /// Everything that happens in the session from now on, in order.
    pub fn events(&self) -> mpsc::UnboundedReceiver<RunEvent> {
        self.journal.listen()
    }

    /// Where events are written.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Whether the browser has ended.
    pub fn gone(&self) -> bool {
        self.host.gone()
    }

    /// Ends the session: its browser, or its context in somebody else's.
    pub async fn close(&self) {
        self.host.close(Deadline::after(CLOSE)).await;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// This moment: RFC 3339, UTC, milliseconds.
pub fn now() -> String {
    format!("{:.3}", Timestamp::now())
}

/// The time that the arguments give a call.
fn timeout(args: &Map<String, Value>, default: Duration) -> Duration {
    let of = |value: Option<&Value>| value.and_then(Value::as_u64);
    let asked =
        of(args.get("timeoutMs")).or_else(|| of(args.get("options").and_then(|options| options.get("timeoutMs"))));
    let wait = of(args.get("ms")).map_or(Duration::ZERO, |ms| Duration::from_millis(ms.min(LONGEST)));
    asked.map_or(default, |ms| Duration::from_millis(ms.clamp(1, LONGEST))) + wait
}

fn unknown(registry: &Registry, name: &str, caps: &[String]) -> ActionError {
    let hint = match registry.get(name).and_then(|spec| spec.capability) {
        Some(capability) => format!("start with `--cap {capability}` to have it"),
        None => {
            let names: Vec<&str> = registry.offered(caps).map(|spec| spec.name).collect();
            format!("use one of {}", names.join(", "))
        }
    };
    ActionError::coded(ErrorCode::ActionNotSupported, format!("there is no action `{name}` here"), hint)
}
