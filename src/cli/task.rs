//! `gannet demo` and `gannet run`: agent tasks with live progress on stderr, evidence in a directory, and the answer on
//! stdout.

use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    cli::{
        args::{DemoArgs, PlannerArg, RunArgs},
        failure::{Exit, Failure},
        session,
    },
    evidence::run_dir::{REPORT, RunDir},
    page::navigation,
    runtime::{
        agent::Agent,
        demo::{self, DemoError, DemoOptions},
        journal::Recorder,
        progress,
        run::{RunOptions, RunOutcome, Stop, run_task},
        session_agent::SessionAgent,
    },
    spec::{deadline::Deadline, event::RunEvent},
};

/// Actions and wall time that the demonstration may take on each site.
const DEMO_STEPS: u32 = 40;
const DEMO_TIME: Duration = Duration::from_secs(90);
/// How long ending a session may take.
const CLOSE: Duration = Duration::from_secs(5);

/// The demonstration.
pub async fn demo(args: DemoArgs) -> Result<String, Failure> {
    let dir = directory(args.record, "demo");
    let options = DemoOptions { dir, max_steps: DEMO_STEPS, time: DEMO_TIME };
    let session = session::plain(&args.browser);
    let outcome = demo::demo(|| SessionAgent::open(session.clone()), &options, &mut tell).await?;
    let mut lines = vec![];
    for site in &outcome.sites {
        let seen = if site.account_seen && site.product_seen { "goal seen" } else { "goal NOT seen" };
        lines.push(format!("{}: {seen} after {} actions, {} ms", site.site.name(), site.run.steps, site.run.took_ms));
    }
    lines.push(outcome.report.display().to_string());
    if outcome.reached() {
        return Ok(lines.join("\n"));
    }
    Err(Failure {
        exit: Exit::Failed,
        message: lines.join("\n"),
        hint: format!("open {} to see where it stopped", outcome.report.display()),
    })
}

/// A task on a site.
pub async fn run(args: RunArgs) -> Result<String, Failure> {
    match args.planner {
        PlannerArg::Flow => {}
    }
    navigation::check(&args.url)?;
    let dir = directory(args.record.clone(), "run");
    let run_dir = RunDir::create(&dir).map_err(DemoError::from)?;
    let options = RunOptions {
        url: args.url.clone(),
        data: args.data.iter().cloned().collect(),
        max_steps: args.max_steps,
        time: Duration::from_secs(args.max_time),
    };
    let mut agent = SessionAgent::open(session::options(&args.session)).await?;
    let mut sink = tell;
    let mut recorder = Recorder::new(run_dir, &mut sink);
    let outcome = run_task(&mut agent, &args.task, &options, &mut recorder).await;
    agent.close(Deadline::after(CLOSE)).await;
    let outcome = outcome.map_err(DemoError::from)?;
    recorder.finish().map_err(DemoError::Evidence)?;
    answer(&outcome, &dir.join(REPORT))
}

fn answer(outcome: &RunOutcome, report: &Path) -> Result<String, Failure> {
    let exit = match &outcome.stop {
        Stop::Done => return Ok(format!("{}\n{}", outcome.answer, report.display())),
        Stop::NeedsPerson { .. } | Stop::Forbidden { .. } => Exit::Blocked,
        Stop::StepsSpent { .. } | Stop::TimeSpent => Exit::Budget,
        Stop::Asked { .. } | Stop::CannotGoOn { .. } | Stop::NoProgress { .. } | Stop::PageFailed { .. } => {
            Exit::Failed
        }
    };
    let hint = match &outcome.stop {
        Stop::Asked { .. } => "give what is asked for with `--data NAME=VALUE`".to_owned(),
        Stop::NeedsPerson { .. } => "a person has to do this step".to_owned(),
        _ => format!("open {} to see where it stopped", report.display()),
    };
    Err(Failure { exit, message: format!("{}\nreport: {}", outcome.answer, report.display()), hint })
}

/// Progress goes to stderr; nobody to tell is no reason to stop.
fn tell(event: &RunEvent) {
    if let Some(line) = progress::line(event) {
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

fn directory(asked: Option<PathBuf>, what: &str) -> PathBuf {
    asked.unwrap_or_else(|| demo::directory(Path::new("."), what))
}
