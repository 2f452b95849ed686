//! The directory of a run: who may read it, how files come into it, and how it is checked afterwards.
//!
//! ```text
//! DIR/                    0700
//!   journal.jsonl         one event a line, on disk before the next one begins
//!   views/ results/ screenshots/
//!   report.html           made from the journal
//!   manifest.sha256.json  {"files": {"path": "sha256", …}}, written last
//! ```
//! Nothing is ever overwritten: every file is created with `O_EXCL`. What a file may contain is the caller's concern.

use std::{
    collections::BTreeMap,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub const JOURNAL: &str = "journal.jsonl";
pub const REPORT: &str = "report.html";
pub const MANIFEST: &str = "manifest.sha256.json";

/// Why a run directory cannot be written, read or trusted.
#[derive(Debug, thiserror::Error)]
pub enum RunDirError {
    #[error("cannot {doing} `{}`", path.display())]
    Io {
        doing: &'static str,
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("`{name}` is no plain path below a run directory")]
    BadName { name: String },
    #[error("`{}` is no manifest: {why}", path.display())]
    BadManifest { path: PathBuf, why: String },
    #[error("an event cannot be written as JSON: {why}")]
    Encode { why: String },
}

/// A directory that a run writes its evidence to.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    journal: File,
}

/// The checksums of a run, by path relative to its directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub files: BTreeMap<String, String>,
}

/// A file that is not what the manifest says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Finding {
    Missing { file: String },
    Changed { file: String },
    Added { file: String },
}

impl RunDir {
    /// Creates the directory, which must not be there yet, and its journal. Missing parents are created, too.
    pub fn create(path: &Path) -> Result<Self, RunDirError> {
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(failed("create", parent))?;
        }
        DirBuilder::new().mode(0o700).create(path).map_err(failed("create", path))?;
        let journal = create_new(&path.join(JOURNAL))?;
        Ok(Self { path: path.to_owned(), journal })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a new file; `name` is relative, such as `views/0003.txt`.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, RunDirError> {
        let path = self.path.join(checked(name)?);
        if let Some(parent) = path.parent().filter(|parent| *parent != self.path) {
            DirBuilder::new().recursive(true).mode(0o700).create(parent).map_err(failed("create", parent))?;
        }
        let mut file = create_new(&path)?;
        file.write_all(bytes).map_err(failed("write", &path))?;
        Ok(path)
    }

    /// Adds one line to the journal; it is on disk when this returns.
    pub fn append(&mut self, event: &impl Serialize) -> Result<(), RunDirError> {
        let mut line = serde_json::to_vec(event).map_err(|error| RunDirError::Encode { why: error.to_string() })?;
        line.push(b'\n');
        let path = self.path.join(JOURNAL);
        // One write a line, so that a kill leaves whole lines and at most one torn end.
        self.journal.write_all(&line).map_err(failed("write", &path))?;
        self.journal.sync_data().map_err(failed("write", &path))
    }

    /// Writes the manifest over all files that are there. The last thing that a run does.
    pub fn seal(self) -> Result<Manifest, RunDirError> {
        let manifest = Manifest { files: sums(&self.path)? };
        let text =
            serde_json::to_vec_pretty(&manifest).map_err(|error| RunDirError::Encode { why: error.to_string() })?;
        self.write(MANIFEST, &text)?;
        Ok(manifest)
    }
}

/// Compares a run directory with its manifest; an empty list means that nothing was touched.
pub fn verify(path: &Path) -> Result<Vec<Finding>, RunDirError> {
    let manifest_path = path.join(MANIFEST);
    let text = fs::read(&manifest_path).map_err(failed("read", &manifest_path))?;
    let manifest: Manifest = serde_json::from_slice(&text)
        .map_err(|error| RunDirError::BadManifest { path: manifest_path, why: error.to_string() })?;
    let found = sums(path)?;
    let mut findings = vec![];
    for (file, sum) in &manifest.files {
        match found.get(file) {
            None => findings.push(Finding::Missing { file: file.clone() }),
            Some(now) if now != sum => findings.push(Finding::Changed { file: file.clone() }),
            Some(_) => {}
        }
    }
    let added = found.keys().filter(|file| !manifest.files.contains_key(*file));
    findings.extend(added.map(|file| Finding::Added { file: file.clone() }));
    Ok(findings)
}

/// SHA-256 of every file below a directory, the manifest left out. Links are not followed: they are no evidence.
fn sums(root: &Path) -> Result<BTreeMap<String, String>, RunDirError> {
    let mut sums = BTreeMap::new();
    let mut left = vec![root.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(&directory).map_err(failed("read", &directory))? {
            let entry = entry.map_err(failed("read", &directory))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(failed("read", &path))?;
            if kind.is_dir() {
                left.push(path);
            } else if kind.is_file() {
                let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
                if name != MANIFEST {
                    sums.insert(name, sum(&path)?);
                }
            }
        }
    }
    Ok(sums)
}

fn sum(path: &Path) -> Result<String, RunDirError> {
    let mut file = File::open(path).map_err(failed("read", path))?;
    let mut digest = Sha256::new();
    let mut part = vec![0; 64 * 1024];
    loop {
        let count = file.read(&mut part).map_err(failed("read", path))?;
        if count == 0 {
            return Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect());
        }
        digest.update(&part[..count]);
    }
}

/// A relative path of plain names.
fn checked(name: &str) -> Result<&Path, RunDirError> {
    let path = Path::new(name);
    let plain = !name.is_empty() && path.components().all(|part| matches!(part, Component::Normal(_)));
    if plain { Ok(path) } else { Err(RunDirError::BadName { name: name.to_owned() }) }
}

fn create_new(path: &Path) -> Result<File, RunDirError> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed("create", path))
}

fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RunDirError {
    let path = path.to_owned();
    move |source| RunDirError::Io { doing, path, source }
}

#[cfg(test)]
mod tests;
