//! `gannet suite`: benchmark suites on the command line.

use std::{fs, path::Path};

use serde::Serialize;

use crate::{
    cli::{
        failure::{Exit, Failure},
        suite_args::{ListArgs, ListFormat, SourceArgs, SuiteCommand},
    },
    suite::{
        sites::Sites,
        suite_file::{ReadOptions, SuiteError, read},
        task::Suite,
    },
};

impl From<SuiteError> for Failure {
    fn from(error: SuiteError) -> Self {
        Self { exit: Exit::Usage, hint: error.hint().into(), message: said(&error) }
    }
}

/// An error with its cause.
fn said(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

pub async fn run(command: SuiteCommand) -> Result<String, Failure> {
    match command {
        SuiteCommand::List(args) => list(&args),
    }
}

fn list(args: &ListArgs) -> Result<String, Failure> {
    let suite = suite(&args.source)?;
    match args.format {
        ListFormat::Text => Ok(table(&suite)),
        ListFormat::Json => pretty(&suite),
    }
}

/// The suite that the options name, with what they choose of it.
pub fn suite(args: &SourceArgs) -> Result<Suite, Failure> {
    let options = ReadOptions { sites: sites(args)?, seeds: args.seed.clone() };
    let mut suite = read(&args.path, &options)?;
    if !args.task.is_empty() {
        if let Some(missing) = args.task.iter().find(|id| suite.tasks.iter().all(|task| task.id != **id)) {
            return Err(Failure {
                exit: Exit::Usage,
                message: format!("there is no task `{missing}`"),
                hint: "`gannet suite list` names all tasks".into(),
            });
        }
        suite.tasks.retain(|task| args.task.contains(&task.id));
    }
    Ok(suite)
}

/// The addresses of sites from the configuration and the command line.
pub fn sites(args: &SourceArgs) -> Result<Sites, Failure> {
    let mut sites = match &args.config {
        Some(path) => parsed(path)?,
        None => Sites::default(),
    };
    for (name, url) in &args.site {
        sites.set(name, url);
    }
    Ok(sites)
}

fn parsed(path: &Path) -> Result<Sites, Failure> {
    let shown = path.display();
    let usage = |message: String| Failure {
        exit: Exit::Usage,
        message,
        hint: "the form is `{\"environments\": {\"__SHOPPING__\": {\"urls\": [\"http://…\"]}}}`".into(),
    };
    let text = fs::read_to_string(path).map_err(|error| usage(format!("cannot read `{shown}`: {error}")))?;
    Sites::parse(&text).map_err(|error| usage(format!("`{shown}` names no sites: {error}")))
}

fn table(suite: &Suite) -> String {
    let mut lines = vec![format!("{} ({}): {} tasks", suite.name, suite.form.name(), suite.tasks.len())];
    let id_width = suite.tasks.iter().map(|task| task.id.len()).max().unwrap_or_default();
    for task in &suite.tasks {
        let intent = if task.intent.is_empty() { "(the page says it)" } else { task.intent.trim() };
        let intent = intent.split_whitespace().collect::<Vec<_>>().join(" ");
        lines.push(format!("{:id_width$}  {}  {}  {intent}", task.id, task.sites.join("+"), task.kinds().join("+")));
    }
    lines.join("\n")
}

/// A value as indented JSON.
fn pretty(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map_err(|error| Failure::internal(&error))
}
