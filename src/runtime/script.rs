//! Scripted smoke tests: steps and expectations in YAML, run through the same actions as an agent's.
//!
//! ```yaml
//! name: booking
//! steps:
//!   - goto: https://shop.example/
//!   - fill: {node: 'label=Full name', value: Ada}
//!   - click: role=button[name="Book"]
//!   - expect: {text: Booked for Ada}
//!   - shot: booked.png
//! ```
//! A step is one of `goto` (or `navigate`), `view`, `act`, a verb of `act`, `wait`, `expect` and `shot`. `expect` waits:
//! it fails when what it says does not come to hold within its `timeoutMs`, 5,000 when absent.

mod steps;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::{
    actions::{session::AgentSession, wait_for},
    evidence::screenshot::{self, ShotFormat, ShotOptions},
    spec::deadline::Deadline,
};

pub use steps::{BadScript, Script, Step, parse};

/// Longest side of a picture, in px.
const MAX_SIDE: u32 = 8_000;
/// Bound on a picture.
const PICTURE: Duration = Duration::from_secs(10);
/// How long an expectation may take to hold.
const EXPECT_MS: u64 = 5_000;

/// One step's outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct StepOutcome {
    /// The step in words.
    pub name: String,
    /// Line of the step in its file, from 1; 0 when not known.
    pub line: usize,
    pub took: Duration,
    /// Why it failed.
    pub failure: Option<String>,
    /// What it saw or wrote.
    pub output: String,
}

/// A script's outcome: the steps up to the first that failed; the others were not run.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptOutcome {
    pub name: String,
    pub steps: Vec<StepOutcome>,
    pub skipped: Vec<String>,
    pub took: Duration,
    /// Picture of the page where it failed.
    pub shot: Option<PathBuf>,
}

impl ScriptOutcome {
    pub fn passed(&self) -> bool {
        self.steps.iter().all(|step| step.failure.is_none())
    }
}

/// Runs a script in a session; pictures go to `out`.
pub async fn run(session: &AgentSession, script: &Script, out: &Path) -> ScriptOutcome {
    let started = Instant::now();
    let mut outcome =
        ScriptOutcome { name: script.name.clone(), steps: vec![], skipped: vec![], took: Duration::ZERO, shot: None };
    for (at, (step, line)) in script.steps.iter().enumerate() {
        let begun = Instant::now();
        let done = perform(session, step, out).await;
        let failed = done.is_err();
        let (failure, output) = match done {
            Ok(output) => (None, output),
            Err(why) => (Some(why), String::new()),
        };
        outcome.steps.push(StepOutcome { name: step.to_string(), line: *line, took: begun.elapsed(), failure, output });
        if failed {
            outcome.skipped = script.steps[at + 1..].iter().map(|(step, _)| step.to_string()).collect();
            let file = out.join(format!("{}-failed.png", slug(&script.name)));
            outcome.shot = picture(session, &file, false).await.ok();
            break;
        }
    }
    outcome.took = started.elapsed();
    outcome
}

async fn perform(session: &AgentSession, step: &Step, out: &Path) -> Result<String, String> {
    match step {
        Step::Goto(args) => call(session, "navigate", args.clone()).await,
        Step::View(args) => call(session, "view", args.clone()).await,
        Step::Act(args) => call(session, "act", args.clone()).await,
        Step::Wait(args) => call(session, "wait_for", args.clone()).await,
        Step::Shot { file, full_page } => {
            let path = picture(session, &out.join(file), *full_page).await?;
            Ok(path.display().to_string())
        }
        Step::Expect(expected) => {
            let deadline = Deadline::after_ms(expected.timeout_ms.unwrap_or(EXPECT_MS));
            if let Some(condition) = expected.condition() {
                let mut args = condition;
                args["timeoutMs"] = json!(u64::try_from(deadline.remaining().as_millis()).unwrap_or(EXPECT_MS));
                call(session, "wait_for", args).await?;
            }
            if let (Some(node), Some(value)) = (&expected.node, &expected.value) {
                wait_for::value(session, node, value, deadline).await.map_err(|error| error.to_string())?;
            }
            if let Some(title) = &expected.title {
                wait_for::title(session, title, deadline).await.map_err(|error| error.to_string())?;
            }
            Ok(String::new())
        }
    }
}

/// One action; its failure in two lines.
async fn call(session: &AgentSession, name: &str, args: Value) -> Result<String, String> {
    let reply = session.call(name, args).await;
    if reply.is_error { Err(reply.text) } else { Ok(reply.text) }
}

async fn picture(session: &AgentSession, path: &Path, full_page: bool) -> Result<PathBuf, String> {
    let deadline = Deadline::after(PICTURE);
    let name = path.to_string_lossy();
    let format = ShotFormat::of_name(&name).ok_or_else(|| format!("`{name}` is no .png, .jpg or .webp file"))?;
    let page = session.page(deadline).await.map_err(|error| error.to_string())?;
    let options = ShotOptions { full_page, format, max_side: MAX_SIDE };
    let shot = screenshot::capture(&page, &options, deadline).await.map_err(|error| error.to_string())?;
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)
            .map_err(|error| format!("cannot make `{}`: {error}", directory.display()))?;
    }
    std::fs::write(path, &shot.bytes).map_err(|error| format!("cannot write `{name}`: {error}"))?;
    Ok(path.to_owned())
}

/// A name as part of a file's.
fn slug(name: &str) -> String {
    let plain = name.chars().map(|letter| if letter.is_alphanumeric() { letter.to_ascii_lowercase() } else { '-' });
    let plain: String = plain.collect();
    let plain = plain.trim_matches('-');
    if plain.is_empty() { "script".into() } else { plain.into() }
}

#[cfg(test)]
mod tests;
