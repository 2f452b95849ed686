//! What the tests share. Only these files know how the product is started.

pub mod cli;
pub mod processes;
pub mod site;
