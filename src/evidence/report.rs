//! A run as one HTML file that a person enjoys reading: outcome first, then what happened, step by step.
//!
//! Made from `journal.jsonl` alone, so it can be made again at any time. Everything in it is page text or ours, all of
//! it escaped; the file loads nothing and runs no script, and its policy (CSP) says so. The keys read from an event's
//! `detail` are listed in `runtime::run`.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use minijinja::{Environment, context};
use serde::Serialize;
use serde_json::Value;

use super::run_dir::JOURNAL;
use crate::spec::event::RunEvent;

const TEMPLATE: &str = include_str!("report.html.jinja");
/// Lines of a view that are shown.
const EXCERPT: usize = 24;
/// A larger file is named, not shown.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("cannot read `{}`", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("`{}` holds no event that can be read", path.display())]
    NoEvents { path: PathBuf },
    #[error("the report's template fails")]
    Template(#[from] minijinja::Error),
}

/// One run of a task on one site.
#[derive(Debug, Default, Serialize)]
struct Chapter {
    task: String,
    url: String,
    planner: String,
    /// `done`, `asked`, …: the kind of stop; empty for a run that was cut off.
    stop: String,
    /// Whether the run did what it was asked to, checks included.
    good: bool,
    answer: String,
    took: String,
    actions: u64,
    reached: Vec<String>,
    checks: Vec<Check>,
    site: Option<String>,
    shot: Option<String>,
    steps: Vec<Step>,
    policy: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Check {
    what: String,
    seen: bool,
}

/// One cycle: what was seen, decided, done, and came of it.
#[derive(Debug, Default, Serialize)]
struct Step {
    number: u32,
    title: String,
    url: String,
    nodes: u64,
    tokens: Option<u64>,
    view: String,
    more: usize,
    does: String,
    why: String,
    decision: String,
    acted: bool,
    /// `changed`, `navigated`, `opened`, `none` or `failed`.
    effect: String,
    happened: String,
    hint: String,
    receipt: String,
    shot: Option<String>,
    reached: Vec<String>,
    phases: Vec<Phase>,
    took: String,
}

/// A part of a step's time, `share` in percent.
#[derive(Debug, Serialize)]
struct Phase {
    name: &'static str,
    ms: u64,
    share: u64,
}

/// The report of a run directory, as HTML.
pub fn render(directory: &Path) -> Result<String, ReportError> {
    let events = events(directory)?;
    let chapters = chapters(directory, &events);
    let good = !chapters.is_empty() && chapters.iter().all(|chapter| chapter.good);
    let mut environment = Environment::new();
    // The name's ending turns escaping on.
    environment.add_template("report.html", TEMPLATE)?;
    let started = events.first().map(|event| event.at.as_str()).unwrap_or_default();
    let page = environment.get_template("report.html")?.render(context! {
        chapters, good, started, version => env!("CARGO_PKG_VERSION"), count => events.len(),
    })?;
    Ok(page)
}

/// The journal's events; a torn last line is what a kill leaves, and is left out.
fn events(directory: &Path) -> Result<Vec<RunEvent>, ReportError> {
    let path = directory.join(JOURNAL);
    let text = fs::read(&path).map_err(|source| ReportError::Read { path: path.clone(), source })?;
    let text = String::from_utf8_lossy(&text);
    let events: Vec<RunEvent> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if events.is_empty() { Err(ReportError::NoEvents { path }) } else { Ok(events) }
}

fn chapters(directory: &Path, events: &[RunEvent]) -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = vec![];
    for event in events {
        if event.phase == "run" {
            chapters.push(Chapter {
                task: text(event, "task"),
                url: text(event, "url"),
                planner: text(event, "planner"),
                ..Chapter::default()
            });
        }
        if let Some(chapter) = chapters.last_mut() {
            chapter.add(directory, event);
        }
    }
    for chapter in &mut chapters {
        for step in &mut chapter.steps {
            step.finish();
        }
        chapter.good = chapter.stop == "done" && chapter.checks.iter().all(|check| check.seen);
    }
    chapters
}

impl Chapter {
    fn add(&mut self, directory: &Path, event: &RunEvent) {
        match event.phase.as_str() {
            "orient" => self.site = Some(event.summary.clone()),
            "observe" => {
                let (view, more) = excerpt(directory, &text(event, "view"));
                let mut step = Step {
                    number: event.step,
                    title: text(event, "title"),
                    url: text(event, "url"),
                    nodes: event.detail["nodes"].as_u64().unwrap_or_default(),
                    tokens: event.detail["tokens"].as_u64(),
                    view,
                    more,
                    ..Step::default()
                };
                step.time("observe", event);
                self.steps.push(step);
            }
            "evaluate" if event.detail["check"].is_string() => {
                self.checks.push(Check { what: text(event, "check"), seen: event.detail["seen"] == true });
            }
            "evaluate" => {
                let reached = text(event, "reached");
                if let Some(step) = self.steps.last_mut() {
                    step.reached.push(reached.clone());
                }
                self.reached.push(reached);
            }
            "gate" => self.policy.push(format!("step {}: {}", event.step, event.summary)),
            "decide" => {
                if let Some(step) = self.steps.last_mut() {
                    step.does = text(event, "does");
                    step.why = text_of(&event.detail["envelope"]["reasoning"]);
                    step.decision = pretty(&event.detail["envelope"]);
                    step.time("decide", event);
                }
                if matches!(event.detail["verdict"].as_str(), Some("person" | "forbidden")) {
                    self.policy.push(format!("step {}: {}", event.step, event.summary));
                }
            }
            "act" => {
                if let Some(step) = self.steps.last_mut() {
                    step.act(directory, event);
                }
            }
            "finish" => {
                self.stop = text_of(&event.detail["stop"]["kind"]);
                self.answer = text(event, "answer");
                self.actions = event.detail["steps"].as_u64().unwrap_or_default();
                self.took = duration(event.detail["tookMs"].as_u64().unwrap_or_default());
                self.shot = picture(directory, &text(event, "shot"));
            }
            _ => {}
        }
    }
}

impl Step {
    fn act(&mut self, directory: &Path, event: &RunEvent) {
        self.acted = true;
        let failed = event.detail["success"] != true;
        self.effect = if failed { "failed".into() } else { text(event, "effect") };
        self.happened = event.summary.clone();
        self.hint = text_of(&event.detail["error"]["hint"]);
        self.receipt = pretty(&event.detail["receipt"]);
        self.shot = picture(directory, &text(event, "shot"));
        self.time("act", event);
    }

    fn time(&mut self, name: &'static str, event: &RunEvent) {
        let ms = event.detail["tookMs"].as_u64().unwrap_or_default();
        self.phases.push(Phase { name, ms, share: 0 });
    }

    /// Shares of the step's time; each that took any has at least one percent.
    fn finish(&mut self) {
        let whole: u64 = self.phases.iter().map(|phase| phase.ms).sum();
        for phase in &mut self.phases {
            phase.share = (phase.ms * 100).checked_div(whole).unwrap_or_default().max(u64::from(phase.ms > 0));
        }
        self.took = duration(whole);
    }
}

fn text(event: &RunEvent, key: &str) -> String {
    text_of(&event.detail[key])
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn pretty(value: &Value) -> String {
    if value.is_null() { String::new() } else { serde_json::to_string_pretty(value).unwrap_or_default() }
}

fn duration(ms: u64) -> String {
    if ms < 1_000 { format!("{ms} ms") } else { format!("{}.{} s", ms / 1_000, ms % 1_000 / 100) }
}

/// The first lines of a view, and how many follow.
fn excerpt(directory: &Path, name: &str) -> (String, usize) {
    let Some(bytes) = file(directory, name) else { return (String::new(), 0) };
    let text = String::from_utf8_lossy(&bytes);
    let shown: Vec<&str> = text.lines().take(EXCERPT).collect();
    (shown.join("\n"), text.lines().count().saturating_sub(EXCERPT))
}

/// A picture as a `data:` URL.
fn picture(directory: &Path, name: &str) -> Option<String> {
    let kind = match Path::new(name).extension()?.to_str()? {
        "jpg" => "jpeg",
        "png" => "png",
        "webp" => "webp",
        _ => return None,
    };
    Some(format!("data:image/{kind};base64,{}", BASE64_STANDARD.encode(file(directory, name)?)))
}

/// A file of the run, named by its journal: below the directory, no link, not too large.
fn file(directory: &Path, name: &str) -> Option<Vec<u8>> {
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    if name.is_empty() || !plain {
        return None;
    }
    let path = directory.join(name);
    let real = path.canonicalize().ok()?;
    let inside = real.starts_with(directory.canonicalize().ok()?);
    let fits = fs::metadata(&real).ok().is_some_and(|data| data.is_file() && data.len() <= MOST_BYTES);
    if inside && fits { fs::read(real).ok() } else { None }
}

#[cfg(test)]
mod tests;
