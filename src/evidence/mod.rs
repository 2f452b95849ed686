//! Evidence: what can be shown to somebody who was not there.

pub mod report;
pub mod run_dir;
pub mod screenshot;
