//! The MCP server: the registry's actions as tools, over standard streams.

pub mod server;
