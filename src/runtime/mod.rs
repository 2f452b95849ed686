//! Running an agent: observe, orient, decide, act, evaluate, within budgets, with everything written down.

pub mod agent;
pub mod demo;
pub mod fixtures;
pub mod journal;
pub mod progress;
pub mod run;
pub mod script;
mod secrets;
pub mod session_agent;
