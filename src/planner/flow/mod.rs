//! The deterministic planner (DESIGN 5): no model, no network, never a guessed value.

pub mod decide;
mod form;
mod mend;
pub mod state;
mod task;
mod words;

#[cfg(test)]
mod tests;
