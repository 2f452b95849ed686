//! From a file or directory to a suite: which form it has is seen from its content, never from its name alone.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::{
    read::{miniwob, own, verified, webarena},
    sites::Sites,
    task::{Form, Suite},
};

/// Names that a published suite's file has, tried in a directory in this order.
const KNOWN: [&str; 3] = ["webarena-verified.json", "test.raw.json", "test_raw.json"];

/// How a suite is read.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    pub sites: Sites,
    /// Seeds of every MiniWoB++ page; its benchmark's own when empty.
    pub seeds: Vec<u32>,
}

/// Why there is no suite.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error("cannot read `{}`", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("`{name}` is not well-formed: {why}")]
    Syntax { name: String, why: String },
    #[error("task {at} of `{name}` cannot be read: {why}")]
    Task { name: String, at: usize, why: String },
    #[error("`{name}` has no form of a suite that is known here")]
    UnknownForm { name: String },
    #[error("task `{id}` of `{name}` is there twice")]
    Twice { name: String, id: String },
    #[error("task `{id}` of `{name}` depends on `{missing}`, which is not there")]
    NoSuchTask { name: String, id: String, missing: String },
    #[error("task `{id}` of `{name}` depends on itself in the end")]
    Cycle { name: String, id: String },
}

impl SuiteError {
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "name a file or directory that can be read",
            Self::Syntax { .. } | Self::Task { .. } => "compare it with the published form",
            Self::UnknownForm { .. } => {
                "give WebArena's `test.raw.json`, WebArena-Verified's dataset, the `html` directory of MiniWoB++, or a \
                 YAML file of tasks"
            }
            Self::Twice { .. } => "give every task an id of its own",
            Self::NoSuchTask { .. } | Self::Cycle { .. } => "correct `depends_on`",
        }
    }
}

/// Reads a suite from a file, or from a directory that holds one.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Suite, SuiteError> {
    let suite = if path.is_dir() { directory(path, options)? } else { file(path, options)? };
    checked(suite)
}

fn directory(path: &Path, options: &ReadOptions) -> Result<Suite, SuiteError> {
    if let Some(pages) = miniwob::pages_below(path)? {
        return Ok(miniwob::suite(&pages, &options.seeds));
    }
    if let Some(file_path) = KNOWN.iter().map(|name| path.join(name)).find(|file| file.is_file()) {
        return file(&file_path, options);
    }
    // WebArena's harness writes one file a task.
    let mut single: Vec<(u64, PathBuf)> = entries(path)?
        .into_iter()
        .filter(|file| file.extension().is_some_and(|extension| extension == "json"))
        .filter_map(|file| Some((file.file_stem()?.to_str()?.parse().ok()?, file)))
        .collect();
    single.sort();
    let mut tasks = vec![];
    for (_, file) in single {
        tasks.push(json(&text(&file)?, &file)?);
    }
    let name = shown(path);
    if tasks.is_empty() { Err(SuiteError::UnknownForm { name }) } else { published(tasks, name, options) }
}

fn file(path: &Path, options: &ReadOptions) -> Result<Suite, SuiteError> {
    let text = text(path)?;
    if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
        return own::suite(&text, &shown(path), &options.sites);
    }
    let tasks = match json(&text, path)? {
        Value::Array(tasks) => tasks,
        single => vec![single],
    };
    published(tasks, shown(path), options)
}

fn published(tasks: Vec<Value>, name: String, options: &ReadOptions) -> Result<Suite, SuiteError> {
    match form(&tasks) {
        Some(Form::Verified) => verified::suite(tasks, name, &options.sites),
        Some(form) => webarena::suite(tasks, name, form, &options.sites),
        None => Err(SuiteError::UnknownForm { name }),
    }
}

/// What the tasks themselves show.
fn form(tasks: &[Value]) -> Option<Form> {
    let first = tasks.first()?;
    if first["eval"].is_array() {
        Some(Form::Verified)
    } else if !first["eval"]["eval_types"].is_array() {
        None
    } else if tasks.iter().any(|task| task.get("image").is_some()) {
        Some(Form::VisualWebArena)
    } else {
        Some(Form::WebArena)
    }
}

/// Ids are unique, and what they depend on is there and comes to an end.
fn checked(suite: Suite) -> Result<Suite, SuiteError> {
    let name = || suite.name.clone();
    let mut by_id = std::collections::HashMap::new();
    for task in &suite.tasks {
        if by_id.insert(task.id.as_str(), task).is_some() {
            return Err(SuiteError::Twice { name: name(), id: task.id.clone() });
        }
    }
    for task in &suite.tasks {
        if let Some(missing) = task.depends_on.iter().find(|id| !by_id.contains_key(id.as_str())) {
            return Err(SuiteError::NoSuchTask { name: name(), id: task.id.clone(), missing: missing.clone() });
        }
    }
    // Taking away what waits for nothing leaves nothing, unless there is a cycle.
    let mut waiting: Vec<_> = suite.tasks.iter().collect();
    let mut over = std::collections::HashSet::new();
    loop {
        let before = waiting.len();
        waiting.retain(|task| {
            let ready = task.depends_on.iter().all(|id| over.contains(id.as_str()));
            if ready {
                over.insert(task.id.as_str());
            }
            !ready
        });
        if waiting.len() == before {
            break;
        }
    }
    match waiting.first() {
        Some(task) => Err(SuiteError::Cycle { name: name(), id: task.id.clone() }),
        None => Ok(suite),
    }
}

pub(super) fn entries(path: &Path) -> Result<Vec<PathBuf>, SuiteError> {
    let failed = |source| SuiteError::Io { path: path.to_owned(), source };
    let listed: Result<Vec<_>, _> = fs::read_dir(path).map_err(failed)?.map(|entry| Ok(entry?.path())).collect();
    let mut paths = listed.map_err(failed)?;
    paths.sort();
    Ok(paths)
}

fn text(path: &Path) -> Result<String, SuiteError> {
    fs::read_to_string(path).map_err(|source| SuiteError::Io { path: path.to_owned(), source })
}

fn json(text: &str, path: &Path) -> Result<Value, SuiteError> {
    serde_json::from_str(text).map_err(|error| SuiteError::Syntax { name: shown(path), why: error.to_string() })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests;
