//! One task: observe, orient, decide, act, evaluate, until it is done, cannot go on, or its budget is spent.
//!
//! Every phase is an event; what an action did is taken from its receipt, never from the planner's hopes. The journal
//! and the report read these keys of `detail`: `tookMs` of every phase; `url title view nodes tokens` of `observe`;
//! `envelope verdict closed` of `decide`; `shot` before and `result` after of `act`; `stop answer` of `finish`.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use serde::Serialize;
use serde_json::{Value, json};

use super::{
    agent::{Agent, Reply},
    journal::Recorder,
};
use crate::{
    evidence::run_dir::RunDirError,
    planner::{
        envelope::{Act, Envelope},
        flow::{
            decide::{Decision, Verdict, decide},
            state::{FlowState, Intent, Memory, Outcome, Seen, SiteFacts, Turn},
        },
    },
    spec::{
        action::{ActionError, ActionResult, ErrorCode},
        deadline::Deadline,
        policy::WciPolicy,
    },
};

/// Longest wait for one tool.
const CALL: Duration = Duration::from_secs(30);
/// Longest wait for a picture, which is evidence and no part of the task.
const PICTURE: Duration = Duration::from_secs(5);
/// The same action without any effect, so many times, is no progress.
const MOST_IDLE: usize = 3;
/// Nodes of a view that the planner reads.
const MOST_NODES: u32 = 400;

/// How a task is run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    pub url: String,
    /// Values that the person gave, by name.
    pub data: BTreeMap<String, String>,
    /// Actions at most.
    pub max_steps: u32,
    /// Wall time at most.
    pub time: Duration,
}

/// Why a run ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Stop {
    /// Every goal was seen to be reached.
    Done,
    /// The person has to say something first.
    Asked {
        question: String,
    },
    /// The site wants a person to confirm what comes next.
    NeedsPerson {
        scope: String,
        question: String,
    },
    /// The policy forbids what comes next.
    Forbidden {
        why: String,
    },
    /// The planner does not know how to go on.
    CannotGoOn {
        why: String,
    },
    /// The same action was repeated without any effect.
    NoProgress {
        action: String,
    },
    StepsSpent {
        steps: u32,
    },
    TimeSpent,
    /// The page could not be opened or looked at.
    PageFailed {
        why: String,
    },
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunOutcome {
    pub stop: Stop,
    /// For a person.
    pub answer: String,
    /// Actions that were taken.
    pub steps: u32,
    pub took_ms: u64,
}

/// Runs a task with the flow planner. `Err` only when the evidence cannot be written.
pub async fn run_task<A: Agent>(
    agent: &mut A,
    task: &str,
    options: &RunOptions,
    recorder: &mut Recorder<'_>,
) -> Result<RunOutcome, RunDirError> {
    for (name, value) in &options.data {
        recorder.secrets.learn(name, value);
    }
    let started = Instant::now();
    let mut run = Run {
        agent,
        recorder,
        task,
        options,
        deadline: Deadline::after(options.time),
        site: SiteFacts::default(),
        memory: Memory::default(),
        step: 0,
    };
    let detail = json!({"task": task, "url": options.url, "planner": "flow", "maxSteps": options.max_steps});
    run.recorder.event("run", 0, &format!("{task} ({})", options.url), detail)?;
    let (stop, answer) = run.cycles().await?;
    let steps = run.step;
    run.recorder.next_files();
    let picture = run.agent.picture(None, Deadline::after(PICTURE)).await;
    let shot = run.recorder.picture(picture.as_ref())?;
    let took_ms = millis(started);
    let detail = json!({"stop": stop, "answer": answer, "steps": steps, "tookMs": took_ms, "shot": shot});
    run.recorder.event("finish", steps, &answer, detail)?;
    Ok(RunOutcome { stop, answer, steps, took_ms })
}

struct Run<'r, 's, A> {
    agent: &'r mut A,
    recorder: &'r mut Recorder<'s>,
    task: &'r str,
    options: &'r RunOptions,
    deadline: Deadline,
    site: SiteFacts,
    memory: Memory,
    /// Actions begun so far.
    step: u32,
}

impl<A: Agent> Run<'_, '_, A> {
    async fn cycles(&mut self) -> Result<(Stop, String), RunDirError> {
        let opened = self.call("navigate", json!({"url": self.options.url})).await;
        if opened.is_error {
            return Ok(page_failed(&opened));
        }
        self.learn_site().await?;
        loop {
            if self.deadline.passed() {
                return Ok((Stop::TimeSpent, "The time for this task is spent.".into()));
            }
            let page = match self.observe().await? {
                Ok(page) => page,
                Err(reply) => return Ok(page_failed(&reply)),
            };
            let decision = self.decide(&page)?;
            self.memory.closed.extend(decision.closed.iter().cloned());
            let (act, goal, intent) = match (decision.envelope, decision.verdict) {
                (Envelope::Action(act), Verdict::Act { goal, intent }) => (act, goal, intent),
                (envelope, verdict) => return Ok(ended(envelope, verdict)),
            };
            if self.step >= self.options.max_steps {
                let answer = format!("{} actions were taken, as many as are allowed.", self.step);
                return Ok((Stop::StepsSpent { steps: self.step }, answer));
            }
            self.step += 1;
            let turn = self.act(&page, act, goal, intent).await?;
            self.memory.turns.push(turn);
            if let Some(action) = self.idle() {
                let answer = format!("{action} was repeated {MOST_IDLE} times, and nothing happened.");
                return Ok((Stop::NoProgress { action }, answer));
            }
        }
    }

    /// What the site publishes; a site that says nothing allows everything here, and the gate decides anyway.
    async fn learn_site(&mut self) -> Result<(), RunDirError> {
        let started = Instant::now();
        let reply = self.call("site_context", json!({})).await;
        if !reply.is_error {
            self.site = site_facts(&reply.structured);
        }
        let flows: Vec<&str> = self.site.task_flows.iter().map(|flow| flow.id.as_str()).collect();
        let summary = if flows.is_empty() {
            "the site describes no task flows; forms, actions and links of the page are used".to_owned()
        } else {
            format!("the site describes {}; a person confirms {}", list(&flows), list(&self.site.confirm))
        };
        let detail = json!({
            "flows": flows, "confirm": self.site.confirm, "denied": self.site.denied, "tookMs": millis(started),
        });
        self.recorder.event("orient", 0, &summary, detail)
    }

    /// The page as planner and person see it; the inner error is a view that could not be had.
    async fn observe(&mut self) -> Result<Result<Seen, Reply>, RunDirError> {
        let started = Instant::now();
        self.recorder.next_files();
        let structure = self.call("view", json!({"format": "json", "maxNodes": MOST_NODES})).await;
        let url = self.agent.url();
        let parsed = if structure.is_error { None } else { Seen::parse(view_text(&structure), &url).ok() };
        let Some(page) = parsed else { return Ok(Err(structure)) };
        let outline = self.call("view", json!({"format": "outline"})).await;
        self.recorder.text("views", "json", view_text(&structure))?;
        let view = self.recorder.text("views", "txt", view_text(&outline))?;
        let detail = json!({
            "url": url, "title": page.title, "nodes": page.nodes.len(), "tokens": outline.structured["tokens"],
            "view": view, "tookMs": millis(started),
        });
        let summary = format!("\"{}\", {} nodes", page.title, page.nodes.len());
        self.recorder.event("observe", self.step + 1, &summary, detail)?;
        Ok(Ok(page))
    }

    fn decide(&mut self, page: &Seen) -> Result<Decision, RunDirError> {
        let started = Instant::now();
        let Self { task, options, site, memory, .. } = self;
        let decision = decide(&FlowState { task, data: &options.data, page, site, memory });
        if let Envelope::Action(act) = &decision.envelope {
            let field = act.args.get("nodeId").and_then(Value::as_str).and_then(|id| page.node(id));
            let value = act.args.get("value").and_then(Value::as_str);
            if let (Some(field), Some(value)) = (field, value) {
                self.recorder.secrets.learn(&format!("{} {}", field.id, field.desc), value);
            }
        }
        for shown in &decision.closed {
            self.recorder.event("evaluate", self.step, &format!("reached: {shown}"), json!({"reached": shown}))?;
        }
        let (summary, reasoning) = said(&decision.envelope, page);
        let detail = json!({
            "envelope": decision.envelope, "verdict": verdict_name(&decision.verdict), "does": summary,
            "closed": decision.closed, "tookMs": millis(started),
        });
        self.recorder.event("decide", self.step + 1, &format!("{summary}: {reasoning}"), detail)?;
        Ok(decision)
    }

    async fn act(&mut self, page: &Seen, act: Act, goal: usize, intent: Intent) -> Result<Turn, RunDirError> {
        let node = act.args.get("nodeId").and_then(Value::as_str).map(str::to_owned);
        let picture = self.agent.picture(node.as_deref(), self.deadline.at_most(PICTURE)).await;
        let shot = self.recorder.picture(picture.as_ref())?;
        let started = Instant::now();
        let reply = self.call(&act.name, Value::Object(act.args.clone())).await;
        let took = millis(started);
        for event in self.agent.gate_events() {
            self.recorder.event("gate", self.step, &event.summary, event.detail)?;
        }
        let outcome = outcome(&reply);
        let result = self.recorder.json("results", &reply.structured)?;
        let detail = json!({
            "name": act.name, "args": act.args, "success": outcome.success, "effect": outcome.effect,
            "error": outcome.error, "receipt": reply.structured["observed"], "shot": shot, "result": result,
            "tookMs": took,
        });
        self.recorder.event("act", self.step, &happened(&outcome, &reply), detail)?;
        let text = |key: &str| act.args.get(key).and_then(Value::as_str).map(str::to_owned);
        Ok(Turn {
            goal,
            intent,
            target: node.or_else(|| text("url")).unwrap_or_default(),
            verb: text("action").unwrap_or(act.name),
            value: act.args.get("value").cloned(),
            url: page.url.clone(),
            outcome,
        })
    }

    /// A tool that is bounded by its own wait and by the run's time.
    async fn call(&mut self, name: &str, args: Value) -> Reply {
        let deadline = self.deadline.at_most(CALL);
        let call = self.agent.call(name, args, deadline);
        tokio::time::timeout_at(deadline.instant().into(), call).await.unwrap_or_else(|_| Reply {
            text: format!("`{name}` did not end in time"),
            is_error: true,
            ..Reply::default()
        })
    }

    /// The last action, if it has been taken without effect too often in a row.
    fn idle(&self) -> Option<String> {
        let last = self.memory.turns.last()?;
        let same = |turn: &&Turn| {
            (&turn.target, &turn.verb, &turn.value) == (&last.target, &last.verb, &last.value)
                && !turn.outcome.took_effect()
        };
        let count = self.memory.turns.iter().rev().take_while(same).count();
        (count >= MOST_IDLE).then(|| format!("`{} {}`", last.verb, last.target))
    }
}

/// What the tool's receipt says, whatever the planner hoped for.
fn outcome(reply: &Reply) -> Outcome {
    if let Ok(result) = serde_json::from_value::<ActionResult>(reply.structured.clone()) {
        let observed = result.observed.as_ref();
        return Outcome {
            success: result.success && !reply.is_error,
            effect: observed.map(|observed| observed.effect),
            validity: observed.and_then(|observed| observed.validity.clone()),
            error: result.error,
        };
    }
    let ok = !reply.is_error && reply.structured["ok"] != false;
    let effect = reply.structured.get("url").filter(|_| ok).map(|_| crate::spec::action::Effect::Navigated);
    let error = || {
        let error = serde_json::from_value(reply.structured["error"].clone()).ok();
        error.unwrap_or_else(|| ActionError::coded(ErrorCode::UnknownError, reply.text.clone(), ""))
    };
    Outcome { success: ok, effect, validity: None, error: (!ok).then(error) }
}

fn happened(outcome: &Outcome, reply: &Reply) -> String {
    if let Some(error) = &outcome.error {
        return format!("failed: {}", error.message);
    }
    let observed = &reply.structured["observed"];
    let text = |key: &str| observed[key].as_str().map(str::to_owned);
    let effect = outcome.effect.and_then(|effect| json!(effect).as_str().map(str::to_owned));
    let place = text("title").filter(|_| outcome.left_page()).map(|title| format!(" to \"{title}\""));
    format!("{}{}", effect.unwrap_or_else(|| "done".into()), place.unwrap_or_default())
}

/// What an envelope says, in a person's words, and why.
fn said(envelope: &Envelope, page: &Seen) -> (String, String) {
    match envelope {
        Envelope::Action(act) => {
            let text =
                |key: &str| act.args.get(key).map(|value| value.as_str().map_or(value.to_string(), str::to_owned));
            let id = text("nodeId").unwrap_or_default();
            let called = page.node(&id).map(|node| node.desc.as_str()).filter(|desc| !desc.is_empty());
            let target = text("url").or_else(|| called.map(|desc| format!("\"{desc}\""))).unwrap_or(id);
            let verb = text("action").unwrap_or_else(|| act.name.clone());
            let value = text("value").map(|value| format!(" with \"{value}\"")).unwrap_or_default();
            (format!("{verb} {target}{value}"), act.reasoning.clone())
        }
        Envelope::Clarify { question, reasoning } => (format!("ask \"{question}\""), reasoning.clone()),
        Envelope::Final { reasoning, .. } | Envelope::Finalize { reasoning, .. } => {
            ("finish".into(), reasoning.clone())
        }
        Envelope::Plan { actions, reasoning, .. } => (format!("{} actions", actions.len()), reasoning.clone()),
    }
}

fn ended(envelope: Envelope, verdict: Verdict) -> (Stop, String) {
    let answer = match envelope {
        Envelope::Clarify { question, .. } => question,
        Envelope::Final { answer, .. } => answer,
        Envelope::Finalize { instruction, .. } => instruction,
        Envelope::Action(_) | Envelope::Plan { .. } => "The planner's answer and its verdict disagree.".into(),
    };
    let stop = match verdict {
        Verdict::Done => Stop::Done,
        Verdict::Ask => Stop::Asked { question: answer.clone() },
        Verdict::Person { scope } => Stop::NeedsPerson { scope, question: answer.clone() },
        Verdict::Forbidden => Stop::Forbidden { why: answer.clone() },
        Verdict::Cannot | Verdict::Act { .. } => Stop::CannotGoOn { why: answer.clone() },
    };
    (stop, answer)
}

fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Act { .. } => "act",
        Verdict::Done => "done",
        Verdict::Ask => "ask",
        Verdict::Person { .. } => "person",
        Verdict::Forbidden => "forbidden",
        Verdict::Cannot => "cannot",
    }
}

fn page_failed(reply: &Reply) -> (Stop, String) {
    let why = if reply.text.is_empty() { "the page could not be looked at".to_owned() } else { reply.text.clone() };
    (Stop::PageFailed { why: why.clone() }, format!("The page failed: {why}"))
}

/// A view's text: of the view object, or else the reply's own.
fn view_text(reply: &Reply) -> &str {
    reply.structured["text"].as_str().unwrap_or(&reply.text)
}

/// What the planner needs of `site_context`: `{policy, manifest}`, the parsed directives and the published manifest.
fn site_facts(context: &Value) -> SiteFacts {
    let mut facts: SiteFacts = serde_json::from_value(context["manifest"].clone()).unwrap_or_default();
    let policy: WciPolicy = serde_json::from_value(context["policy"].clone()).unwrap_or_default();
    let scopes = context["manifest"]["scopes"].as_array().into_iter().flatten();
    let wants = |scope: &&Value| scope["requires_human_confirmation"] == true || scope["sensitivity"] == "high";
    let confirm = scopes.clone().filter(wants).filter_map(|scope| scope["id"].as_str());
    let critical = scopes.filter(|scope| scope["sensitivity"] == "critical").filter_map(|scope| scope["id"].as_str());
    let listed = context["manifest"]["denied_scopes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    facts.confirm = policy.require_human_confirmation;
    facts.confirm.extend(confirm.map(str::to_owned));
    facts.denied = policy.denied_scopes;
    facts.denied.extend(critical.chain(listed).map(str::to_owned));
    for list in [&mut facts.confirm, &mut facts.denied] {
        list.sort();
        list.dedup();
    }
    facts
}

fn list(items: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = items.iter().map(|item| format!("`{}`", item.as_ref())).collect();
    if quoted.is_empty() { "nothing".into() } else { quoted.join(", ") }
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
