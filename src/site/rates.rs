//! A site's per-minute limits: sliding windows of 60 s over the attempts that were let through, for actions and for
//! distilled views. The caller passes the clock and keeps one [`Rates`] an origin, shared by all tabs.
//!
//! Attempts count, successful or not (the reference counts successes only); an attempt that is refused here does not,
//! or a client that keeps asking would never be let in again.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use crate::spec::action::{ActionError, ErrorCode};

/// Length of the window. An entry that is exactly this old still counts, as in reference 1.3.0.
const WINDOW: Duration = Duration::from_secs(60);
/// Most attempts remembered; a limit above it is as good as none.
const MOST_ENTRIES: usize = 10_000;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Action,
    Distil,
}

/// Attempts of the last minute at one origin.
#[derive(Debug, Clone, Default)]
pub struct Rates {
    actions: VecDeque<Instant>,
    distils: VecDeque<Instant>,
}

/// An attempt over the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{} rate limit ({limit}/min) exceeded.", match kind { Kind::Action => "Action", Kind::Distil => "Distil" })]
pub struct RateLimited {
    pub kind: Kind,
    pub limit: i64,
    /// When the next attempt can pass; `None` when the limit allows nothing ever.
    pub retry_after_ms: Option<u64>,
}

impl Rates {
    /// Counts an attempt, or says when the next one can pass. `limit` is per minute; 0 and less allow nothing.
    pub fn attempt(&mut self, kind: Kind, limit: i64, now: Instant) -> Result<(), RateLimited> {
        self.check(kind, limit, now)?;
        let entries = self.entries(kind);
        entries.push_back(now);
        if entries.len() > MOST_ENTRIES {
            entries.pop_front();
        }
        Ok(())
    }

    /// As [`Rates::attempt`], without counting.
    pub fn check(&mut self, kind: Kind, limit: i64, now: Instant) -> Result<(), RateLimited> {
        let entries = self.entries(kind);
        while entries.front().is_some_and(|oldest| now.saturating_duration_since(*oldest) > WINDOW) {
            entries.pop_front();
        }
        let Ok(most @ 1..) = usize::try_from(limit) else {
            return Err(RateLimited { kind, limit, retry_after_ms: None });
        };
        let Some(over) = entries.len().checked_sub(most) else { return Ok(()) };
        let leaves = entries.get(over).map_or(Duration::ZERO, |entry| {
            (WINDOW + Duration::from_millis(1)).saturating_sub(now.saturating_duration_since(*entry))
        });
        let retry_after_ms = Some(u64::try_from(leaves.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX));
        Err(RateLimited { kind, limit, retry_after_ms })
    }

    fn entries(&mut self, kind: Kind) -> &mut VecDeque<Instant> {
        match kind {
            Kind::Action => &mut self.actions,
            Kind::Distil => &mut self.distils,
        }
    }
}

impl RateLimited {
    /// The error in the words of reference 1.3.0. The waiting time is in [`RateLimited::retry_after_ms`].
    pub fn error(&self) -> ActionError {
        let directive = match self.kind {
            Kind::Action => "Rate-Limit-Actions",
            Kind::Distil => "Rate-Limit-Distil",
        };
        ActionError::coded(
            ErrorCode::RateLimited,
            self.to_string(),
            format!("Wait before retrying. The site’s wci.txt {directive} directive is in effect."),
        )
    }
}

#[cfg(test)]
mod tests;
