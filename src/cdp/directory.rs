//! One 0700 directory per browser: profile, temporary files, downloads. Removed with the browser; what a killed driver
//! left behind is swept at the next start, by the owner's pid and start time, never by name alone.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

/// Directory names begin with this.
const PREFIX: &str = "gannet-browser-";
/// The lock file: `pid start-time` of the owning driver.
const OWNER: &str = "owner";
/// A directory without a lock file is left alone for so long: its maker may be about to write it.
const GRACE: Duration = Duration::from_secs(60);

/// A browser's own directory; dropping it removes it.
#[derive(Debug)]
pub struct BrowserDirectory {
    path: PathBuf,
}

impl BrowserDirectory {
    /// Makes one below `base`, after sweeping the directories of dead owners there.
    pub fn create(base: &Path) -> io::Result<Self> {
        sweep(base);
        let made = tempfile::Builder::new()
            .prefix(PREFIX)
            .permissions(<fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o700))
            .tempdir_in(base)?;
        let mut owner =
            fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(made.path().join(OWNER))?;
        let pid = std::process::id();
        write!(owner, "{pid} {}", start_time(pid).unwrap_or_default())?;
        for part in ["profile", "tmp", "downloads"] {
            fs::DirBuilder::new().mode(0o700).create(made.path().join(part))?;
        }
        Ok(Self { path: made.keep() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn profile(&self) -> PathBuf {
        self.path.join("profile")
    }

    pub fn tmp(&self) -> PathBuf {
        self.path.join("tmp")
    }

    pub fn downloads(&self) -> PathBuf {
        self.path.join("downloads")
    }

    /// Removes it; processes that are just ending may still write into it, so a few tries.
    pub fn remove(&self) {
        for _ in 0..20 {
            match fs::remove_dir_all(&self.path) {
                Ok(()) => return,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return,
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
        tracing::warn!(path = %self.path.display(), "the browser's directory could not be removed; the next start sweeps it");
    }
}

impl Drop for BrowserDirectory {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Removes the directories below `base` whose owner is dead. Gives how many went.
pub fn sweep(base: &Path) -> usize {
    let Ok(entries) = fs::read_dir(base) else { return 0 };
    let mut swept = 0;
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) || !is_ours(&entry.path()) {
            continue;
        }
        if owner_is_dead(&entry.path()) && fs::remove_dir_all(entry.path()).is_ok() {
            swept += 1;
        }
    }
    swept
}

/// A real directory of this very user; a symbolic link or another user's directory is not touched.
fn is_ours(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir() && meta.uid() == rustix::process::geteuid().as_raw())
}

fn owner_is_dead(path: &Path) -> bool {
    match fs::read_to_string(path.join(OWNER)) {
        Ok(owner) => {
            let (pid, started) = owner.split_once(' ').unwrap_or((&owner, ""));
            match pid.parse::<u32>() {
                Ok(pid) => start_time(pid).is_none_or(|now| now != started),
                Err(_) => older_than_grace(path),
            }
        }
        Err(_) => older_than_grace(path),
    }
}

fn older_than_grace(path: &Path) -> bool {
    fs::metadata(path)
        .and_then(|meta| meta.modified())
        .is_ok_and(|modified| SystemTime::now().duration_since(modified).is_ok_and(|age| age > GRACE))
}

/// Field 22 of `/proc/PID/stat`; `None` when there is no such process.
fn start_time(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the command in parentheses, which may hold spaces.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19).map(str::to_owned)
}

#[cfg(test)]
mod tests;
