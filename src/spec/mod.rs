//! The contract as data: what crosses a boundary of Gannet. No I/O, no browser, no clock.
//!
//! Wire names are camelCase for actions and snake_case for WCI views, as the two seeds say.

pub mod action;
pub mod deadline;
pub mod event;
pub mod js_number;
pub mod policy;
pub mod read_url;
pub mod snapshot;
pub mod tool;
pub mod view;
pub mod wci;
