//! Pages: the frames of a tab over all its sessions, their isolated worlds, navigation, dialogs and snapshots.
//! It reports facts of the browser; what to show is `view`'s, what to do is `bridge`'s.

pub mod collect;
pub mod context;
pub mod dialogs;
mod downloads;
mod driver;
pub mod error;
pub mod frames;
pub mod log;
pub mod navigation;
pub mod recovery;
pub mod resolve;
pub(crate) mod shim;
mod state;
pub mod tab;
mod targets;
mod wire;
mod worlds;

#[cfg(test)]
mod tests;
