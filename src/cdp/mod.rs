//! The CDP layer: start or reach a Chromium, route its messages, and fail every waiter that can no longer be answered.
//! It knows processes, sessions and envelopes; it knows nothing of pages, frames or actions.

pub mod browser;
pub mod directory;
pub mod error;
pub mod executable;
pub(crate) mod flags;
mod guardian;
pub mod router;
pub mod session;
pub(crate) mod transport;
