//! Where Chromium is. The real binary is preferred to a distribution's wrapper script, which adds flags and extensions.

use std::path::{Path, PathBuf};

use chromiumoxide::detection::{DetectionOptions, default_executable};

use crate::cdp::error::LaunchError;

/// Real binaries on the usual paths, best first.
const USUAL: [&str; 6] = [
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/opt/chromium/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// The Chromium to start: the one asked for, else the first on the usual paths, else what detection finds.
pub fn find(asked: Option<&Path>) -> Result<PathBuf, LaunchError> {
    if let Some(path) = asked {
        return if path.is_file() {
            Ok(path.to_owned())
        } else {
            Err(LaunchError::NotFound { looked_at: vec![path.display().to_string()] })
        };
    }
    USUAL
        .iter()
        .map(PathBuf::from)
        .find(|path| path.is_file())
        .or_else(|| default_executable(DetectionOptions::default()).ok())
        .ok_or_else(|| LaunchError::NotFound {
            looked_at: USUAL.iter().map(ToString::to_string).chain(["PATH".to_owned()]).collect(),
        })
}
