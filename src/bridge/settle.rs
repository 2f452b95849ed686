//! Waiting until what an action started is over, and no longer.
//!
//! 1. A document that is on its way is awaited: its commit within the action's deadline, then its load.
//! 2. A change in the page is over once a frame has passed without another one; where nothing has changed yet, the
//!    page gets a little longer to show an effect.
//! 3. Requests that the action started are awaited, and what they change again by 2.
//! 4. All of this but 1 ends after `BOUND`, whatever the page does: one that never rests costs no more.

use std::time::{Duration, Instant};

use serde_json::json;

use super::control::{Counts, read};
use crate::{
    page::{
        error::PageError,
        frames::FrameId,
        log::{Marker, PageLog},
        tab::Page,
    },
    spec::deadline::Deadline,
};

/// Longest wait for a page that does not rest.
const BOUND: Duration = Duration::from_secs(3);
/// Longest wait for a document that has been committed to load.
const LOAD: Duration = Duration::from_secs(5);
/// How long, in ms, a page may take to show a first effect.
const IDLE_MS: u32 = 120;
/// The same where an answer has just come: what it changes shows at once.
const ANSWERED_MS: u32 = 24;
/// How often the log is looked at while nothing reports a change.
const POLL: Duration = Duration::from_millis(50);

/// A page before an action.
#[derive(Debug, Clone)]
pub(crate) struct Since {
    pub marker: Marker,
    pub frame: FrameId,
    pub counts: Counts,
    /// It was loading already: that is not the action's.
    pub loading: bool,
}

/// A page after an action.
#[derive(Debug, Clone)]
pub(crate) struct Settled {
    pub log: PageLog,
    pub took: Duration,
}

/// Waits for rest; a page that has gone, or waits for an answer to a dialog, is as settled as it gets.
pub(crate) async fn settle(page: &Page, since: &Since, deadline: Deadline) -> Settled {
    let start = Instant::now();
    let bound = deadline.at_most(BOUND);
    let mut idle = IDLE_MS;
    loop {
        let log = page.since(&since.marker);
        if page.closed() || page.crashed() || page.dialog().is_some() {
            return Settled { log, took: start.elapsed() };
        }
        let document = log.pending_documents > 0;
        let loading = log.load_pending && (log.navigated || !since.loading);
        let until = match (document, loading) {
            (true, _) => deadline,
            (false, true) => deadline.at_most(LOAD.saturating_sub(start.elapsed())),
            (false, false) => bound,
        };
        if until.passed() {
            return Settled { log, took: start.elapsed() };
        }
        if log.pending_requests > 0 || loading {
            let _ = tokio::time::timeout(until.remaining().min(POLL), page.changed()).await;
            idle = ANSWERED_MS;
            continue;
        }
        match rest(page, since, idle, bound).await {
            Ok(()) => {}
            Err(PageError::FrameGone | PageError::Timeout { .. }) => {
                tokio::time::sleep(POLL.min(until.remaining())).await
            }
            Err(_) => return Settled { log: page.since(&since.marker), took: start.elapsed() },
        }
        let log = page.since(&since.marker);
        if log.pending_requests == 0 && !(log.load_pending && (log.navigated || !since.loading)) {
            return Settled { log, took: start.elapsed() };
        }
    }
}

async fn rest(page: &Page, since: &Since, idle: u32, bound: Deadline) -> Result<(), PageError> {
    let most = bound.remaining().as_secs_f64() * 1_000.0;
    let args = [json!({"dom": since.counts.dom, "input": since.counts.input, "scroll": since.counts.scroll})];
    let args = [&args[..], &[json!(idle), json!(most)]].concat();
    // A frame that has just been replaced has no world for a moment; a page that hangs answers never.
    let answer = page.call_frame(&since.frame.0, "rest", &args, bound).await?;
    let _: Counts = read(answer)?;
    Ok(())
}
