//! What a site says to agents: `wci.txt`, `wci.json` and `wci.md`, where they are found and what they allow.
//! Pure: no clock, no browser, no network. HTTP comes in through `discovery::Fetch`, the time through arguments.
//!
//! Everything here is written by the site and is judged, never obeyed: a site may only narrow what an agent does.

pub mod context;
pub mod directives;
pub mod discovery;
pub mod manifest;
pub mod narrative;
pub mod policy;
pub mod rates;
pub mod reading;
pub mod url_pattern;

#[cfg(test)]
mod vectors_tests;
