//! What a page knows of itself, kept by the driver from events and read by everybody else.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::spec::action::DialogSeen;

/// Entries kept of each log.
const LOG: usize = 1_000;
/// Longest console line kept, in characters.
const LINE: usize = 4_096;

/// One frame of the tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Frame {
    pub parent: Option<String>,
    pub session: String,
    pub url: String,
    pub loader: String,
    /// Execution context of the isolated world.
    pub world: Option<i64>,
    /// Lifecycle events of the present loader.
    pub lifecycle: HashSet<String>,
}

/// State of one page over all its sessions.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub main_frame: String,
    pub sessions: HashSet<String>,
    pub frames: HashMap<String, Frame>,
    pub crashed: bool,
    pub closed: bool,
    /// Dialogs seen so far, oldest first.
    pub dialogs: Vec<DialogSeen>,
    pub console_errors: VecDeque<String>,
    /// Status of each document's response, by loader.
    pub status: HashMap<String, u16>,
    /// Requests in flight that an action may have started: document, fetch, XHR, script.
    pub pending: HashSet<String>,
    pub failed_requests: VecDeque<String>,
    pub request_urls: HashMap<String, String>,
    /// Committed documents of the main frame, and same-document navigations.
    pub documents: u64,
    pub same_document: u64,
    pub console_seen: u64,
    pub failed_seen: u64,
}

impl State {
    pub fn main(&self) -> Option<&Frame> {
        self.frames.get(&self.main_frame)
    }

    /// Removes a frame and everything below it.
    pub fn drop_frame(&mut self, id: &str) {
        let children: Vec<String> = self
            .frames
            .iter()
            .filter(|(_, frame)| frame.parent.as_deref() == Some(id))
            .map(|(child, _)| child.clone())
            .collect();
        for child in children {
            self.drop_frame(&child);
        }
        self.frames.remove(id);
    }

    pub fn console_error(&mut self, text: &str) {
        self.console_seen += 1;
        push(&mut self.console_errors, text.chars().take(LINE).collect());
    }

    pub fn request_failed(&mut self, text: String) {
        self.failed_seen += 1;
        push(&mut self.failed_requests, text);
    }
}

fn push(log: &mut VecDeque<String>, line: String) {
    if log.len() == LOG {
        log.pop_front();
    }
    log.push_back(line);
}
