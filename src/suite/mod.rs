//! Benchmark suites: tasks in their published forms, read into one model.

mod read;
pub mod sites;
pub mod suite_file;
pub mod task;
