//! Integration tests: one binary, a module a subject.

/// Roles, names and states against Chromium's own accessibility tree.
mod ax;
/// The bridge's corpus: one action a case, what the page saw and what the result says.
mod bridge;
/// The command line on real pages: output, exit codes, bad input.
mod cli;
/// The commands beside `view` and `shot`: what each prints, writes and exits with.
mod commands;
/// Pages that hang, lie and get in the way: every tool answers, and the session goes on.
mod hostile;
/// What a killed or interrupted driver leaves behind: nothing.
mod lifecycle;
/// The MCP server as a client sees it: tools, schemas, replies, secrets.
mod mcp;
/// MiniWoB++ tasks, solved through the MCP server.
mod miniwob;
/// Bad input and dead browsers: a coded error with a hint, and the session goes on.
mod robust;
/// Starting the product, serving pages, looking at processes.
mod support;
/// The house rules: who may import whom, what every file has.
mod tidy;
/// The WCI actions of the reference's vectors: results, written state, events.
mod wci_actions;
/// The WCI views of the reference's vectors, byte for byte.
mod wci_vectors;
