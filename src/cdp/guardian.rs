//! The guardian: a tiny shell that ends a browser's process group the moment our process is gone.
//!
//! Chromium exits when its pipe closes, but only once it reads it: not while it is still starting (over 1 s on a loaded
//! machine) and not while it is stopped. The guardian holds one end of a pipe of ours, too, and acts on its closing at
//! once. It ends with its browser, so that it can never meet a process group of the same number that came later.

use std::process::Stdio;

use rustix::process::Pid;
use tokio::process::{Child, Command};

/// Waits for the end of its input, then kills the group named first.
const SCRIPT: &str = "read -r _; kill -s KILL -- \"-$1\"";

/// Starts the guardian of a process group; `None`, logged, where there is no shell: the pipe alone then ends the browser.
pub(crate) fn watch(group: Pid) -> Option<Child> {
    let spawned = Command::new("/bin/sh")
        .args(["-c", SCRIPT, "gannet-guardian", &group.as_raw_nonzero().to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // A Ctrl-C at our terminal is for us to handle.
        .process_group(0)
        .kill_on_drop(true)
        .spawn();
    match spawned {
        Ok(child) => Some(child),
        Err(error) => {
            tracing::warn!(%error, "no guardian: a browser that is starting may outlive a killed driver for a moment");
            None
        }
    }
}
