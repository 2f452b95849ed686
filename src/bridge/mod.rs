//! Acting on a page like a person, and telling the truth about it: actionability, real input, settling, the receipt.
//! Only `actions::gate` calls it.

mod control;
mod controls;
pub mod dispatch;
mod drag;
mod failure;
mod keyboard;
mod pointer;
mod receipt;
mod settle;
mod target;
mod text;
mod upload;
