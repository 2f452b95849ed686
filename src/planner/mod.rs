//! Planners: what to do next, from a task, a view and what happened so far. No I/O; `spec` only.

pub mod envelope;
pub mod flow;
