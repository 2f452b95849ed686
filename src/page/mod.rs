//! Pages: the frames of a tab over all its sessions, their isolated worlds, navigation, dialogs and snapshots.
//! It reports facts of the browser; what to show is `view`'s, what to do is `bridge`'s.

pub mod collect;
pub mod context;
mod driver;
pub mod error;
pub mod navigation;
pub(crate) mod shim;
mod state;
pub mod tab;
