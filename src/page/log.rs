//! What happened in a page: console, network, dialogs, popups and downloads, each in a ring of bounded size, and
//! markers that cut out what came after a moment.

use std::collections::{HashMap, VecDeque};

use serde::Serialize;

use crate::{
    page::wire::{ConsoleCalled, ExceptionThrown, LoadingFailed, LoadingFinished, RequestSent, ResponseReceived},
    spec::action::{DialogSeen, DownloadSeen, PopupSeen},
};

/// Entries kept of each log.
const ENTRIES: usize = 1_000;
/// Longest text kept of one entry, in characters.
const TEXT: usize = 4_096;
/// Longest `data:` address kept, in characters.
const DATA_URL: usize = 200;

/// One line of the console.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleEntry {
    /// `log`, `info`, `warning`, `error`, …, or `exception` for one that nobody caught.
    pub level: String,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Counted from 1; 0 when not known.
    pub line: i64,
    /// Milliseconds since the epoch.
    pub at_ms: u64,
}

/// One request, redirects apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NetworkEntry {
    pub method: String,
    pub url: String,
    /// CDP's resource type: `Document`, `Fetch`, `Image`, …
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub mime: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Milliseconds since the epoch.
    pub at_ms: u64,
    /// `None` while it is under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub took_ms: Option<u64>,
}

/// A moment in a page's log.
#[derive(Debug, Clone, Default)]
pub struct Marker {
    console: u64,
    failed: u64,
    dialogs: u64,
    popups: u64,
    downloads: u64,
    requests: u64,
    pub(crate) documents: u64,
    pub(crate) file_choosers: u64,
    pub(crate) url: String,
}

/// What came after a marker.
#[derive(Debug, Clone, Default)]
pub struct PageLog {
    pub console_errors: Vec<String>,
    /// `METHOD url status-or-error`.
    pub failed_requests: Vec<String>,
    pub dialogs: Vec<DialogSeen>,
    pub popups: Vec<PopupSeen>,
    /// Downloads that are complete, on disk.
    pub downloads: Vec<DownloadSeen>,
    /// Downloads under way, whenever they began.
    pub downloads_pending: usize,
    /// A new document was committed in the main frame.
    pub navigated: bool,
    pub url_changed: bool,
    /// Documents, XHR and fetches that began since the marker and have not ended.
    pub pending_requests: usize,
    /// Documents, of any frame, that began to load since the marker and have not arrived.
    pub pending_documents: usize,
    /// The main frame is loading.
    pub load_pending: bool,
    pub file_chooser: bool,
}

/// The last entries of a sequence, and how many there were.
#[derive(Debug)]
pub(crate) struct Ring<T> {
    kept: VecDeque<T>,
    seen: u64,
}

impl<T> Default for Ring<T> {
    fn default() -> Self {
        Self { kept: VecDeque::new(), seen: 0 }
    }
}

impl<T: Clone> Ring<T> {
    /// Adds one and gives its number.
    pub fn push(&mut self, entry: T) -> u64 {
        if self.kept.len() == ENTRIES {
            self.kept.pop_front();
        }
        self.kept.push_back(entry);
        self.seen += 1;
        self.seen - 1
    }

    pub fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        let first = self.seen - u64::try_from(self.kept.len()).unwrap_or_default();
        self.kept.get_mut(usize::try_from(number.checked_sub(first)?).ok()?)
    }

    fn since(&self, seen: u64) -> Vec<T> {
        let new = usize::try_from(self.seen.saturating_sub(seen)).unwrap_or(usize::MAX);
        self.kept.iter().skip(self.kept.len().saturating_sub(new)).cloned().collect()
    }

    fn all(&self) -> Vec<T> {
        self.kept.iter().cloned().collect()
    }
}

#[derive(Debug)]
struct Request {
    /// Its number in the ring.
    number: u64,
    /// Seconds, monotonic.
    started: f64,
    by_browser: bool,
}

/// The log of one page.
#[derive(Debug, Default)]
pub(crate) struct Log {
    console: Ring<ConsoleEntry>,
    errors: Ring<String>,
    network: Ring<NetworkEntry>,
    failed: Ring<String>,
    pub dialogs: Ring<DialogSeen>,
    pub popups: Ring<PopupSeen>,
    pub downloads: Ring<DownloadSeen>,
    pub downloads_pending: usize,
    in_flight: HashMap<String, Request>,
}

impl Log {
    pub fn marker(&self) -> Marker {
        Marker {
            console: self.errors.seen,
            failed: self.failed.seen,
            dialogs: self.dialogs.seen,
            popups: self.popups.seen,
            downloads: self.downloads.seen,
            requests: self.network.seen,
            ..Marker::default()
        }
    }

    /// What the log alone can say; the page adds its own state.
    pub fn since(&self, marker: &Marker) -> PageLog {
        let first = self.network.seen - u64::try_from(self.network.kept.len()).unwrap_or_default();
        let pending =
            self.in_flight.values().filter(|request| request.number >= marker.requests).filter_map(|request| {
                let index = usize::try_from(request.number.checked_sub(first)?).ok()?;
                self.network.kept.get(index).map(|entry| entry.kind.as_str()).filter(|kind| awaited(kind))
            });
        let pending: Vec<&str> = pending.collect();
        PageLog {
            console_errors: self.errors.since(marker.console),
            failed_requests: self.failed.since(marker.failed),
            dialogs: self.dialogs.since(marker.dialogs),
            popups: self.popups.since(marker.popups),
            downloads: self.downloads.since(marker.downloads),
            downloads_pending: self.downloads_pending,
            pending_requests: pending.len(),
            pending_documents: pending.iter().filter(|kind| **kind == "Document").count(),
            ..PageLog::default()
        }
    }

    pub fn console(&self) -> Vec<ConsoleEntry> {
        self.console.all()
    }

    pub fn network(&self) -> Vec<NetworkEntry> {
        self.network.all()
    }

    pub fn console_called(&mut self, called: &ConsoleCalled) {
        let text = cut(&called.args.iter().map(super::wire::RemoteObject::said).collect::<Vec<_>>().join(" "), TEXT);
        let place = called.stack_trace.as_ref().and_then(|trace| trace.call_frames.first());
        if matches!(called.kind.as_str(), "error" | "assert") {
            self.errors.push(text.clone());
        }
        self.console.push(ConsoleEntry {
            level: called.kind.clone(),
            text,
            url: place.map(|frame| cut_url(&frame.url)),
            line: place.map_or(0, |frame| frame.line_number + 1),
            at_ms: whole(called.timestamp),
        });
    }

    pub fn exception_thrown(&mut self, thrown: &ExceptionThrown) {
        let text = cut(&thrown.exception_details.message(), TEXT);
        self.errors.push(text.clone());
        self.console.push(ConsoleEntry {
            level: "exception".into(),
            text,
            url: thrown.exception_details.url.as_deref().map(cut_url),
            line: thrown.exception_details.line_number + 1,
            at_ms: whole(thrown.timestamp),
        });
    }

    pub fn request_sent(&mut self, sent: &RequestSent) {
        if let Some(redirect) = &sent.redirect_response {
            self.with(&sent.request_id, |entry| entry.status = Some(redirect.status));
            self.end(&sent.request_id, sent.timestamp);
        }
        let number = self.network.push(NetworkEntry {
            method: sent.request.method.clone(),
            url: cut_url(&sent.request.url),
            kind: sent.kind.clone(),
            status: None,
            mime: String::new(),
            error: None,
            at_ms: whole(sent.wall_time * 1_000.0),
            took_ms: None,
        });
        // Requests that never end (event streams, a worker that went) must not pile up.
        if self.in_flight.len() >= 4 * ENTRIES {
            let oldest = number.saturating_sub(u64::try_from(ENTRIES).unwrap_or_default());
            self.in_flight.retain(|_, request| request.number >= oldest);
        }
        self.in_flight.insert(
            sent.request_id.clone(),
            Request { number, started: sent.timestamp, by_browser: sent.by_browser() },
        );
    }

    pub fn response_received(&mut self, received: &ResponseReceived) {
        let mut failed = None;
        self.with(&received.request_id, |entry| {
            entry.status = Some(received.response.status);
            entry.mime.clone_from(&received.response.mime_type);
            if received.response.status >= 400 {
                failed = Some(format!("{} {} {}", entry.method, entry.url, received.response.status));
            }
        });
        self.list_failure(&received.request_id, failed);
    }

    pub fn loading_finished(&mut self, finished: &LoadingFinished) {
        self.end(&finished.request_id, finished.timestamp);
    }

    pub fn loading_failed(&mut self, failed: &LoadingFailed) {
        let mut line = None;
        self.with(&failed.request_id, |entry| {
            entry.error = Some(failed.error_text.clone());
            // What a page gave up itself is no failure; a status of 400 and more has been listed already.
            if !failed.canceled && entry.status.is_none_or(|status| status < 400) {
                line = Some(format!("{} {} {}", entry.method, entry.url, failed.error_text));
            }
        });
        self.list_failure(&failed.request_id, line);
        self.end(&failed.request_id, failed.timestamp);
    }

    /// Something that was refused rather than requested.
    pub fn refused(&mut self, what: &str, url: &str, why: &str) {
        self.failed.push(format!("{what} {} {why}", cut_url(url)));
    }

    /// The process went: nothing in flight will end.
    pub fn forget_requests(&mut self) {
        self.in_flight.clear();
    }

    /// Lists a failure, unless the browser failed at something of its own: a missing icon is no fault of the page.
    fn list_failure(&mut self, request: &str, line: Option<String>) {
        if let Some(line) = line
            && !self.in_flight.get(request).is_some_and(|request| request.by_browser)
        {
            self.failed.push(line);
        }
    }

    fn with(&mut self, request: &str, change: impl FnOnce(&mut NetworkEntry)) {
        if let Some(number) = self.in_flight.get(request).map(|request| request.number)
            && let Some(entry) = self.network.get_mut(number)
        {
            change(entry);
        }
    }

    fn end(&mut self, request: &str, at: f64) {
        if let Some(Request { number, started, .. }) = self.in_flight.remove(request)
            && let Some(entry) = self.network.get_mut(number)
        {
            entry.took_ms = Some(whole((at - started) * 1_000.0));
        }
    }
}

/// Requests that an action may have started and whose answer changes the page.
fn awaited(kind: &str) -> bool {
    matches!(kind, "Document" | "XHR" | "Fetch")
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

pub(crate) fn cut_url(url: &str) -> String {
    cut(url, if url.starts_with("data:") { DATA_URL } else { TEXT })
}

fn whole(ms: f64) -> u64 {
    if ms.is_finite() && ms > 0.0 { ms as u64 } else { 0 }
}

#[cfg(test)]
mod tests;
