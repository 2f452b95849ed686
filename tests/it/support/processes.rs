//! What `/proc` says of a driver's browsers: found by descent and by user-data-dir, never by name.

use std::{fs, path::PathBuf, time::Duration};

use rustix::process::{Pid, Signal, kill_process};

/// The user-data-dir of the Chromium that `driver` started, once there is one.
pub fn user_data_dir(driver: u32) -> Option<PathBuf> {
    running().into_iter().find_map(|process| {
        let of_driver = process.parent == driver;
        let dir = process.arguments.iter().find_map(|argument| argument.strip_prefix("--user-data-dir="));
        dir.filter(|_| of_driver).map(PathBuf::from)
    })
}

/// The Chromium that `driver` started, while it runs.
pub fn browser_of(driver: u32) -> Option<u32> {
    running()
        .into_iter()
        .find(|process| process.parent == driver && process.names("--user-data-dir=") && alive(process.pid))
        .map(|process| process.pid)
}

/// The processes of that Chromium's pages.
pub fn renderers_of(driver: u32) -> Vec<u32> {
    let Some(dir) = user_data_dir(driver) else { return vec![] };
    let ours = naming(&dir);
    running()
        .into_iter()
        .filter(|process| process.names("--type=renderer") && ours.contains(&process.pid))
        .map(|process| process.pid)
        .collect()
}

/// The guardian that `driver` gave its browser, once there is one.
pub fn guardian_of(driver: u32) -> Option<u32> {
    running()
        .into_iter()
        .find(|process| {
            process.parent == driver && process.arguments.iter().any(|argument| argument == "gannet-guardian")
        })
        .map(|process| process.pid)
}

/// Ids of the processes whose command line names `dir`.
pub fn naming(dir: &std::path::Path) -> Vec<u32> {
    let dir = dir.to_string_lossy();
    running()
        .into_iter()
        .filter(|process| process.arguments.iter().any(|argument| argument.contains(&*dir)))
        .map(|process| process.pid)
        .collect()
}

/// Sends a signal to one process of the test.
pub fn signal(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(pid.cast_signed()).expect("a process id is positive");
    kill_process(pid, signal).expect("the process is ours and alive");
}

/// Whether a process is there and not a zombie.
pub fn alive(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X'])))
}

/// Waits until `condition` holds, looking every 10 ms; false when `bound` has passed.
pub async fn within(bound: Duration, mut condition: impl FnMut() -> bool) -> bool {
    tokio::time::timeout(bound, async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .is_ok()
}

struct Process {
    pid: u32,
    parent: u32,
    arguments: Vec<String>,
}

impl Process {
    /// Whether an argument begins so.
    fn names(&self, start: &str) -> bool {
        self.arguments.iter().any(|argument| argument.starts_with(start))
    }
}

fn running() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else { return vec![] };
    entries
        .flatten()
        .filter_map(|entry| {
            let pid: u32 = entry.file_name().to_string_lossy().parse().ok()?;
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            let parent = stat.rsplit_once(") ")?.1.split_whitespace().nth(1)?.parse().ok()?;
            let line = fs::read(entry.path().join("cmdline")).ok()?;
            let text = String::from_utf8_lossy(&line);
            // Chromium rewrites its helpers' titles: the arguments may be separated by spaces.
            let arguments = text.split(['\0', ' ']).filter(|part| !part.is_empty()).map(str::to_owned).collect();
            Some(Process { pid, parent, arguments })
        })
        .collect()
}
