//! Evidence: what can be shown to somebody who was not there.

pub mod screenshot;
