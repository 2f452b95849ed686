//! What can be done: one registry of actions, one session that runs them, one gate before anything acts on a page.

pub mod act;
pub mod args;
pub mod batch;
pub mod console;
pub mod delta;
pub mod dialog;
pub mod error;
pub mod evaluate;
pub mod find;
pub mod gate;
pub mod host;
pub mod http;
pub mod navigate;
pub mod network;
pub mod permission;
pub mod read_url;
pub mod registry;
pub mod reply;
pub mod screenshot;
pub mod session;
pub mod site_cache;
pub mod site_context;
pub mod tabs;
pub mod url_rule;
#[cfg(test)]
mod vectors;
pub mod view;
pub mod wait_for;
