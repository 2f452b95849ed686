//! The one way to bound a wait. Monotonic, so a jump of the wall clock changes nothing.

use std::time::{Duration, Instant};

/// A point in time after which a wait gives up. Cheap to copy; inherited from caller to callee.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// A deadline `wait` from now.
    pub fn after(wait: Duration) -> Self {
        Self(Instant::now() + wait)
    }

    /// A deadline `ms` milliseconds from now.
    pub fn after_ms(ms: u64) -> Self {
        Self::after(Duration::from_millis(ms))
    }

    /// The earlier of this deadline and one `wait` from now.
    pub fn at_most(self, wait: Duration) -> Self {
        self.min(Self::after(wait))
    }

    /// Time left; zero once it has passed.
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Whether it has passed.
    pub fn passed(self) -> bool {
        self.remaining().is_zero()
    }

    /// The instant, for `tokio::time::timeout_at`.
    pub fn instant(self) -> Instant {
        self.0
    }
}
