//! From facts to a view. Pure: no I/O, no clock, cannot fail.

pub mod budget;
pub mod diff;
pub mod distil;
pub mod fallback;
pub mod outline;
pub mod prune;
pub mod reader;
pub mod tokens;
pub mod wci_json;
pub mod wci_markdown;
