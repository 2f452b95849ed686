//! Runs the `gannet` binary: arguments in, exit code and both streams out, within a bound.

use std::{
    ffi::OsStr,
    path::Path,
    process::Stdio,
    sync::OnceLock,
    time::{Duration, Instant},
};

use tokio::{io::AsyncWriteExt, process::Command, sync::Semaphore};

/// No command of a test may take longer; a hang is a failure with its arguments in the message.
const BOUND: Duration = Duration::from_secs(60);

/// Two cores: more than two Chromiums at once only measure the machine.
pub static BROWSERS: Semaphore = Semaphore::const_new(2);

/// A `gannet` command being put together.
pub struct Gannet {
    command: Command,
    stdin: Option<Vec<u8>>,
    shown: Vec<String>,
}

/// What a finished command left.
pub struct Output {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
    shown: String,
}

impl Gannet {
    pub fn new<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Self {
        let mut gannet = Self { command: command(), stdin: None, shown: vec![] };
        for arg in args {
            gannet.shown.push(arg.as_ref().to_string_lossy().into_owned());
            gannet.command.arg(arg);
        }
        gannet
    }

    pub fn directory(mut self, path: &Path) -> Self {
        self.command.current_dir(path);
        self
    }

    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = Some(bytes.into());
        self
    }

    /// Runs it to its end.
    pub async fn run(mut self) -> Output {
        let _permit = BROWSERS.acquire().await.expect("the semaphore is never closed");
        let shown = format!("gannet {}", self.shown.join(" "));
        let started = Instant::now();
        self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = self.command.spawn().unwrap_or_else(|error| panic!("`{shown}` does not start: {error}"));
        let mut stdin = child.stdin.take().expect("stdin is piped");
        if let Some(bytes) = self.stdin {
            // A command that reads no input closes the pipe: not a failure of the test.
            let _ = stdin.write_all(&bytes).await;
        }
        drop(stdin);
        let output = tokio::time::timeout(BOUND, child.wait_with_output())
            .await
            .unwrap_or_else(|_| panic!("`{shown}` still ran after {BOUND:?}"))
            .expect("the child can be waited for");
        Output {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            took: started.elapsed(),
            shown,
        }
    }
}

impl Output {
    /// Asserts the exit code; the message shows what was run and both streams.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "`{}` exited {} instead of {code}\n--- stdout\n{}\n--- stderr\n{}",
            self.shown, self.code, self.stdout, self.stderr
        );
        self
    }

    /// Asserts that standard error names `text`.
    #[track_caller]
    pub fn complains(self, text: &str) -> Self {
        assert!(
            self.stderr.to_lowercase().contains(&text.to_lowercase()),
            "`{}` does not say `{text}`:\n{}",
            self.shown,
            self.stderr
        );
        self
    }

    /// Asserts that standard output holds `text`.
    #[track_caller]
    pub fn prints(self, text: &str) -> Self {
        assert!(
            self.stdout.contains(text),
            "`{}` does not print `{text}`:\n{}\n--- stderr\n{}",
            self.shown,
            self.stdout,
            self.stderr
        );
        self
    }
}

/// The binary under test, allowed to run Chromium without a sandbox only where there can be none.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gannet"));
    if rustix::process::geteuid().is_root() {
        command.env("GANNET_ALLOW_NO_SANDBOX", "1");
    }
    command
}

/// The names of all commands, from `gannet --help`.
pub async fn commands() -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    if let Some(names) = NAMES.get() {
        return names;
    }
    let help = Gannet::new(["--help"]).run().await.exits(0).stdout;
    let names = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| line.is_empty() || line.starts_with(' '))
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect();
    NAMES.get_or_init(|| names)
}
