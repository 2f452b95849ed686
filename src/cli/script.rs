//! `gannet script`: smoke tests from YAML files, each in a session of its own.

use std::{fs, path::Path};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use crate::{
    actions::session::AgentSession,
    cli::{
        args::ScriptArgs,
        failure::{Exit, Failure},
        session,
    },
    runtime::script::{self, Script, ScriptOutcome},
};

/// Runs all files; one that cannot be read fails the command before any runs.
pub async fn run(args: ScriptArgs) -> Result<String, Failure> {
    let scripts = args.files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let mut outcomes = vec![];
    for script in &scripts {
        let session = AgentSession::open(session::options(&args.session)).await?;
        let outcome = script::run(&session, script, &args.out).await;
        session.close().await;
        outcomes.push(outcome);
    }
    if let Some(path) = &args.junit {
        let text = junit(&outcomes).to_string().map_err(|error| Failure::internal(&error))?;
        fs::write(path, text).map_err(|error| Failure {
            exit: Exit::Failed,
            message: format!("cannot write `{}`: {error}", path.display()),
            hint: "name another file with `--junit FILE`".into(),
        })?;
    }
    let said: Vec<String> = outcomes.iter().map(said).collect();
    let failed = outcomes.iter().filter(|outcome| !outcome.passed()).count();
    if failed == 0 {
        return Ok(said.join("\n"));
    }
    Err(Failure {
        exit: Exit::Failed,
        message: format!("{failed} of {} scripts failed\n{}", outcomes.len(), said.join("\n")),
        hint: "the picture shows the page where it failed".into(),
    })
}

fn read(file: &Path) -> Result<Script, Failure> {
    let name = file.display().to_string();
    let usage = |message: String| Failure {
        exit: Exit::Usage,
        message,
        hint: "see the README for the form of a script".into(),
    };
    let text = fs::read_to_string(file).map_err(|error| usage(format!("cannot read `{name}`: {error}")))?;
    script::parse(&text, &name).map_err(|error| usage(error.to_string()))
}

fn said(outcome: &ScriptOutcome) -> String {
    let mark = if outcome.passed() { "ok  " } else { "FAIL" };
    let mut lines = vec![format!("{mark} {} ({} ms)", outcome.name, outcome.took.as_millis())];
    for step in &outcome.steps {
        let mark = if step.failure.is_some() { "FAIL" } else { "ok  " };
        lines.push(format!("  {mark} {}", step.name));
        for line in step.failure.iter().flat_map(|why| why.lines()) {
            lines.push(format!("       {line}"));
        }
    }
    lines.extend(outcome.skipped.iter().map(|step| format!("  skip {step}")));
    lines.extend(outcome.shot.iter().map(|path| format!("  picture {}", path.display())));
    lines.join("\n")
}

fn junit(outcomes: &[ScriptOutcome]) -> Report {
    let mut report = Report::new("gannet script");
    for outcome in outcomes {
        let mut suite = TestSuite::new(outcome.name.as_str());
        suite.set_time(outcome.took);
        for step in &outcome.steps {
            let status = match &step.failure {
                None => TestCaseStatus::success(),
                Some(why) => {
                    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                    status.set_message(why.lines().next().unwrap_or_default());
                    status.set_description(why.as_str());
                    status
                }
            };
            let mut case = TestCase::new(step.name.as_str(), status);
            case.set_classname(outcome.name.as_str());
            case.set_time(step.took);
            suite.add_test_case(case);
        }
        for step in &outcome.skipped {
            let mut case = TestCase::new(step.as_str(), TestCaseStatus::skipped());
            case.set_classname(outcome.name.as_str());
            suite.add_test_case(case);
        }
        report.add_test_suite(suite);
    }
    report
}
