//! `gannet report` and `gannet verify`: run directories, long after the run.

use std::fs;

use crate::{
    cli::{
        args::DirArgs,
        failure::{Exit, Failure},
    },
    evidence::{
        report::render,
        run_dir::{self, Finding, REPORT},
    },
};

/// Writes the report anew. The manifest then no longer holds for it, and says so when it is checked.
pub fn report(args: &DirArgs) -> Result<String, Failure> {
    let failed = |message: String| Failure {
        exit: Exit::Failed,
        message,
        hint: "name the directory of a run: it holds journal.jsonl".into(),
    };
    let page = render(&args.dir).map_err(|error| failed(error.to_string()))?;
    let path = args.dir.join(REPORT);
    // One that says the same stays as it was, and with it the manifest.
    if fs::read_to_string(&path).ok().as_deref() != Some(page.as_str()) {
        fs::write(&path, page).map_err(|error| failed(format!("cannot write `{}`: {error}", path.display())))?;
    }
    Ok(path.display().to_string())
}

/// Compares a directory with its manifest.
pub fn verify(args: &DirArgs) -> Result<String, Failure> {
    let findings = run_dir::verify(&args.dir).map_err(|error| Failure {
        exit: Exit::Failed,
        message: error.to_string(),
        hint: "only a run that ended has a manifest".into(),
    })?;
    if findings.is_empty() {
        return Ok(format!("{}: every file is as the run left it", args.dir.display()));
    }
    let lines: Vec<String> = findings
        .iter()
        .map(|finding| match finding {
            Finding::Missing { file } => format!("missing {file}"),
            Finding::Changed { file } => format!("changed {file}"),
            Finding::Added { file } => format!("added   {file}"),
        })
        .collect();
    Err(Failure {
        exit: Exit::Failed,
        message: format!("{} files are not as the run left them\n{}", lines.len(), lines.join("\n")),
        hint: "trust only what the manifest covers".into(),
    })
}
