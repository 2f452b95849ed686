//! The command line: parse, run, exit code. Stdout is data; everything else goes to stderr.

pub mod args;
pub mod doctor;
pub mod failure;
pub mod look;
pub mod open;
pub mod run;
