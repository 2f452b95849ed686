//! The recorder of a run: numbers events, keeps secrets out, writes the journal and its files, and tells who listens.
//! An event is on disk before it is told; what cannot be written ends the run.

use jiff::Timestamp;
use serde_json::Value;

use super::{agent::Picture, secrets::Secrets};
use crate::{
    evidence::{
        report,
        run_dir::{REPORT, RunDir, RunDirError},
    },
    spec::event::RunEvent,
};

/// Writes one run, or several into one directory.
pub struct Recorder<'a> {
    directory: RunDir,
    sink: &'a mut (dyn FnMut(&RunEvent) + Send),
    pub(super) secrets: Secrets,
    seq: u64,
    files: u32,
}

/// What a finished directory holds beside the journal.
#[derive(Debug, thiserror::Error)]
pub enum FinishError {
    #[error(transparent)]
    Directory(#[from] RunDirError),
    #[error(transparent)]
    Report(#[from] report::ReportError),
}

impl<'a> Recorder<'a> {
    pub fn new(directory: RunDir, sink: &'a mut (dyn FnMut(&RunEvent) + Send)) -> Self {
        Self { directory, sink, secrets: Secrets::default(), seq: 0, files: 0 }
    }

    /// Writes and tells one event.
    pub fn event(&mut self, phase: &str, step: u32, summary: &str, mut detail: Value) -> Result<(), RunDirError> {
        self.secrets.scrub_value(&mut detail);
        self.seq += 1;
        let event = RunEvent {
            seq: self.seq,
            at: format!("{:.3}", Timestamp::now()),
            phase: phase.to_owned(),
            step,
            summary: self.secrets.scrub(summary),
            detail,
        };
        self.directory.append(&event)?;
        (self.sink)(&event);
        Ok(())
    }

    /// Starts the number that the next files share.
    pub fn next_files(&mut self) {
        self.files += 1;
    }

    /// Writes `folder/NNNN.extension`; gives that name.
    pub fn text(&mut self, folder: &str, extension: &str, text: &str) -> Result<String, RunDirError> {
        let name = format!("{folder}/{:04}.{extension}", self.files);
        self.directory.write(&name, self.secrets.scrub(text).as_bytes())?;
        Ok(name)
    }

    /// Writes a JSON file.
    pub fn json(&mut self, folder: &str, value: &Value) -> Result<String, RunDirError> {
        let mut value = value.clone();
        self.secrets.scrub_value(&mut value);
        let name = format!("{folder}/{:04}.json", self.files);
        let text = serde_json::to_vec_pretty(&value).map_err(|error| RunDirError::Encode { why: error.to_string() })?;
        self.directory.write(&name, &text)?;
        Ok(name)
    }

    /// Writes a picture, if there is one.
    pub fn picture(&mut self, picture: Option<&Picture>) -> Result<Option<String>, RunDirError> {
        let Some(picture) = picture else { return Ok(None) };
        let name = format!("screenshots/{:04}.{}", self.files, picture.extension);
        self.directory.write(&name, &picture.bytes)?;
        Ok(Some(name))
    }

    /// Writes the report and the manifest.
    pub fn finish(self) -> Result<(), FinishError> {
        let html = report::render(self.directory.path())?;
        self.directory.write(REPORT, html.as_bytes())?;
        self.directory.seal()?;
        Ok(())
    }
}
