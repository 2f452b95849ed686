//! Downloads: into the browser's own directory under names that are safe, bounded in number and size, hashed when they
//! are complete. A name that a server gives is a hint, never a path.

use std::{
    collections::HashMap,
    fs, io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError},
    time::Duration,
};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    page::{
        context::Shared,
        state::Inner,
        wire::{DownloadBegin, DownloadProgress},
    },
    spec::{action::DownloadSeen, deadline::Deadline},
};

/// Downloads a context.
const COUNT: usize = 20;
/// Bytes of one.
const SIZE: f64 = 100.0 * 1024.0 * 1024.0;
/// Bytes of all.
const TOTAL: f64 = 500.0 * 1024.0 * 1024.0;
/// Bytes of a file name, as most file systems have it, less room for a number.
const NAME: usize = 200;
/// Bound on calling one off.
const CANCEL: Duration = Duration::from_secs(5);

/// Downloads of one context.
pub(crate) struct Downloads {
    /// `None` refuses all.
    directory: Option<PathBuf>,
    context: Option<String>,
    active: HashMap<String, Active>,
    begun: usize,
    complete: f64,
}

struct Active {
    /// The page and the pages that led to it.
    pages: Vec<Arc<Inner>>,
    name: String,
    url: String,
    received: f64,
}

impl Downloads {
    pub fn new(directory: Option<PathBuf>, context: Option<String>) -> Self {
        let directory = directory.map(|base| match &context {
            // Chromium's context ids are hexadecimal; anything else would be no file name.
            Some(id) => base.join(id.chars().filter(char::is_ascii_alphanumeric).collect::<String>()),
            None => base.join("default"),
        });
        Self { directory, context, active: HashMap::new(), begun: 0, complete: 0.0 }
    }

    /// Parameters of `Browser.setDownloadBehavior`; `None` leaves the own context of somebody else's browser alone.
    /// Makes the directory: Chromium cancels a download into one that is not there.
    pub fn behavior(&self) -> Option<Value> {
        if let Some(directory) = &self.directory
            && let Err(error) = fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)
        {
            tracing::warn!(%error, directory = %directory.display(), "downloads will fail");
        }
        let mut params = match &self.directory {
            Some(directory) => json!({"behavior": "allowAndName", "downloadPath": directory, "eventsEnabled": true}),
            None if self.context.is_some() => json!({"behavior": "deny", "eventsEnabled": true}),
            None => return None,
        };
        if let Some(context) = &self.context {
            params["browserContextId"] = context.as_str().into();
        }
        Some(params)
    }

    /// Why one more byte is too much.
    fn exceeded(&self, active: &Active, announced: f64) -> Option<&'static str> {
        let size = active.received.max(announced);
        let under_way: f64 = self.active.values().map(|other| other.received).sum();
        if self.begun > COUNT {
            Some("refused: too many downloads")
        } else if size > SIZE {
            Some("refused: larger than 100 MiB")
        } else if self.complete + under_way.max(size) > TOTAL {
            Some("refused: all downloads together are larger than 500 MiB")
        } else {
            None
        }
    }
}

/// A download has begun, if it is one of ours.
pub(crate) fn began(shared: &Arc<Shared>, begin: DownloadBegin) {
    let Some(page) = shared.page_of_frame(&begin.frame_id) else { return };
    let mut pages = vec![page];
    while pages.len() < 8
        && let Some(opener) = pages.last().and_then(|page| shared.opener_of(&page.tab))
    {
        pages.push(opener);
    }
    for page in &pages {
        page.state().log.downloads_pending += 1;
        page.notify();
    }
    let mut downloads = shared.downloads.lock().unwrap_or_else(PoisonError::into_inner);
    downloads.begun += 1;
    let name = safe_name(&begin.suggested_filename);
    let active = Active { pages, name, url: begin.url, received: 0.0 };
    let refused = downloads.exceeded(&active, 0.0);
    downloads.active.insert(begin.guid.clone(), active);
    drop(downloads);
    if let Some(why) = refused {
        refuse(shared, &begin.guid, why);
    }
}

/// A download goes on or has ended.
pub(crate) fn progressed(shared: &Arc<Shared>, progress: &DownloadProgress) {
    let mut downloads = shared.downloads.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(active) = downloads.active.get_mut(&progress.guid) else { return };
    active.received = progress.received_bytes;
    match progress.state.as_str() {
        "completed" => {
            downloads.complete += progress.received_bytes;
            let active = downloads.active.remove(&progress.guid);
            let directory = downloads.directory.clone();
            drop(downloads);
            if let (Some(active), Some(directory)) = (active, directory) {
                let guid = progress.guid.clone();
                tokio::task::spawn_blocking(move || complete(&active, &directory, &guid));
            }
        }
        "canceled" => {
            let active = downloads.active.remove(&progress.guid);
            drop(downloads);
            if let Some(active) = active {
                ended(&active, Err("canceled"));
            }
        }
        _ => {
            let exceeded = downloads
                .active
                .get(&progress.guid)
                .and_then(|active| downloads.exceeded(active, progress.total_bytes));
            drop(downloads);
            if let Some(why) = exceeded {
                refuse(shared, &progress.guid, why);
            }
        }
    }
}

fn refuse(shared: &Arc<Shared>, guid: &str, why: &'static str) {
    let mut downloads = shared.downloads.lock().unwrap_or_else(PoisonError::into_inner);
    let (active, context) = (downloads.active.remove(guid), downloads.context.clone());
    drop(downloads);
    if let Some(active) = active {
        ended(&active, Err(why));
    }
    let (browser, mut params) = (shared.browser.clone(), json!({"guid": guid}));
    if let Some(context) = context {
        params["browserContextId"] = context.into();
    }
    tokio::spawn(async move {
        if let Err(error) = browser.root().call_raw("Browser.cancelDownload", params, Deadline::after(CANCEL)).await {
            tracing::debug!(%error, "the download had already ended");
        }
    });
}

fn complete(active: &Active, directory: &Path, guid: &str) {
    match name_and_hash(directory, guid, &active.name) {
        Ok(seen) => ended(active, Ok(seen)),
        Err(error) => {
            tracing::warn!(%error, name = %active.name, "the download cannot be kept");
            ended(active, Err("cannot be kept on disk"));
        }
    }
}

fn ended(active: &Active, outcome: Result<DownloadSeen, &str>) {
    for page in &active.pages {
        let mut state = page.state();
        state.log.downloads_pending = state.log.downloads_pending.saturating_sub(1);
        match &outcome {
            Ok(seen) => {
                state.log.downloads.push(seen.clone());
            }
            Err(why) => state.log.refused("DOWNLOAD", &active.url, why),
        }
        drop(state);
        page.notify();
    }
}

/// Gives the file its name, never over another one, and hashes it.
fn name_and_hash(directory: &Path, guid: &str, name: &str) -> io::Result<DownloadSeen> {
    if !guid.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-') {
        return Err(io::Error::other("no GUID"));
    }
    let from = directory.join(guid);
    let (name, path) = link(&from, directory, name)?;
    fs::remove_file(&from)?;
    let mut hash = Sha256::new();
    let size = io::copy(&mut fs::File::open(&path)?, &mut hash)?;
    let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(DownloadSeen { name, path: path.to_string_lossy().into_owned(), size, sha256 })
}

/// A second name for the file; `report.pdf`, else `report (1).pdf` and so on. A link fails where a file exists.
fn link(from: &Path, directory: &Path, name: &str) -> io::Result<(String, PathBuf)> {
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
        _ => (name, String::new()),
    };
    for number in 0..=COUNT {
        let tried = if number == 0 { name.to_owned() } else { format!("{stem} ({number}){extension}") };
        let path = directory.join(&tried);
        match fs::hard_link(from, &path) {
            Ok(()) => return Ok((tried, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

/// A file name from a server's hint: no directory, no control or direction character, not hidden, not too long.
fn safe_name(hint: &str) -> String {
    let last = hint.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last
        .chars()
        .filter(|letter| !letter.is_control() && !is_format(*letter))
        .map(|letter| if matches!(letter, ':' | '*' | '?' | '"' | '<' | '>' | '|') { '_' } else { letter })
        .collect();
    let kept = kept.trim().trim_start_matches('.').trim_end_matches(['.', ' ']);
    let (stem, extension) = match kept.rsplit_once('.') {
        Some((stem, extension)) if extension.len() <= 16 => (stem, format!(".{extension}")),
        _ => (kept, String::new()),
    };
    let mut end = stem.len().min(NAME - extension.len());
    while !stem.is_char_boundary(end) {
        end -= 1;
    }
    let stem = &stem[..end];
    if stem.is_empty() { "download".into() } else { format!("{stem}{extension}") }
}

/// Characters that are not seen but change how the rest is read: direction, joiners, tags.
fn is_format(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests;
