//! The command line: thin. Stdout is data, stderr is for people.

pub mod args;
mod debug;
mod doctor;
mod evidence;
mod failure;
mod look;
mod open;
mod read;
pub mod run;
mod schema;
mod script;
mod session;
mod site;
mod suite;
pub mod suite_args;
mod task;
