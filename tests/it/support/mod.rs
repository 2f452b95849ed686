//! What the tests share. Only these files know how the product is started.

pub mod cli;
pub mod healthy;
pub mod mcp;
pub mod outline;
pub mod processes;
pub mod server;
pub mod site;
