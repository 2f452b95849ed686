//! Gannet drives Chromium for AI agents: it gives the few nodes of a page that matter, within a token budget.
//!
//! # Codemap, in reading order
//! - [`spec`]: the contract as data. No I/O.
//! - [`cdp`]: start or reach a Chromium, route its messages, fail waiters that can no longer be answered.
//! - [`page`]: frames over all sessions, isolated worlds, navigation, dialogs, snapshots; the shim in `page/shim/*.js`.
//! - [`view`]: from a snapshot to a view, pure: outline, WCI JSON, WCI Markdown.
//! - [`bridge`]: acting like a person: actionability, real input, settling, the receipt of what was seen.
//! - [`evidence`]: screenshots with secrets covered.
//! - [`suite`]: benchmark suites: tasks in their published forms, and how their outcome is judged.
//! - [`cli`], [`telemetry`]: the command line, thin.
//!
//! # Invariants
//! - `spec` imports nothing of ours; `view` imports only `spec`, does no I/O and cannot fail.
//! - `chromiumoxide` appears only in `cdp`, `page`, `bridge` and `evidence`; `clap` only in `cli` and `main`.
//! - Every wait takes a deadline. Stdout is data; everything else goes to stderr through `tracing`.
//! - The value of a password, one-time code or card field never leaves the page.
//! - The library reads no environment and no home directory.
//!
//! `tests/it/tidy.rs` holds the import rules against the code.

pub mod actions;
pub mod bridge;
pub mod cdp;
pub mod cli;
pub mod evidence;
pub mod mcp;
pub mod page;
pub mod planner;
pub mod runtime;
pub mod site;
pub mod spec;
pub mod suite;
pub mod telemetry;
pub mod view;
