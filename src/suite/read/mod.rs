//! One reader a form. Each turns published data into tasks and judges nothing.

pub mod miniwob;
pub mod own;
pub mod verified;
pub mod webarena;
