//! Integration tests: one binary, a module a subject.

/// The command line on real pages: output, exit codes, bad input.
mod cli;
/// What a killed or interrupted driver leaves behind: nothing.
mod lifecycle;
/// MiniWoB++ tasks, solved through the MCP server.
mod miniwob;
/// Starting the product, serving pages, looking at processes.
mod support;
/// The house rules: who may import whom, what every file has.
mod tidy;
/// The WCI actions of the reference's vectors: results, written state, events.
mod wci_actions;
/// The WCI views of the reference's vectors, byte for byte.
mod wci_vectors;
