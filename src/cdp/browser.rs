//! One Chromium: started by us over a pipe, or somebody else's reached by WebSocket.
//!
//! A browser of ours cannot outlive us: its pipe closes with our process, however that ends, Chromium exits when its
//! pipe closes, and a guardian kills one that is not reading yet or any more. `PR_SET_PDEATHSIG` is not used: it fires when the thread that forked ends, and tokio's threads do.

use std::{
    collections::VecDeque,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::Stdio,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use command_fds::{CommandFdExt, FdMapping};
use rustix::{
    pipe::{PipeFlags, pipe_with},
    process::{Pid, Signal, kill_process_group},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    net::unix::pipe,
    process::{Child, Command},
    sync::mpsc,
};

use crate::{
    cdp::{
        directory::BrowserDirectory,
        error::{CdpError, LaunchError},
        executable, flags, guardian,
        router::{Event, Router, RouterStats},
        session::Session,
        transport,
    },
    spec::deadline::Deadline,
};

/// How to start a Chromium.
#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The binary; `None` looks on the usual paths.
    pub executable: Option<PathBuf>,
    /// Pass `--no-sandbox`. Never set on the user's behalf.
    pub allow_no_sandbox: bool,
    /// A persistent profile directory; `None` gives a fresh one that goes with the browser.
    pub profile: Option<PathBuf>,
    /// Window size in CSS px.
    pub viewport: (u32, u32),
    pub headed: bool,
    pub extra_args: Vec<String>,
    /// Where the browser's directory is made.
    pub base: PathBuf,
}

impl Default for LaunchOptions {
    fn default() -> Self {
        Self {
            executable: None,
            allow_no_sandbox: false,
            profile: None,
            viewport: (1280, 720),
            headed: false,
            extra_args: vec![],
            base: PathBuf::from("/tmp"),
        }
    }
}

/// A browser to talk to. Cheap to clone; the last clone to go ends a browser that we started.
#[derive(Clone)]
pub struct Browser {
    inner: Arc<Inner>,
}

struct Inner {
    router: Arc<Router>,
    process: Option<Process>,
}

struct Process {
    group: Pid,
    directory: BrowserDirectory,
    persistent_profile: bool,
    sandboxed: bool,
    stderr: Arc<Mutex<VecDeque<String>>>,
}

impl Drop for Process {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ = kill_process_group(self.group, Signal::KILL);
    }
}

/// Lines of stderr kept for error messages.
const STDERR_LINES: usize = 40;
/// Exit code of a Chromium whose profile another one holds (`RESULT_CODE_PROFILE_IN_USE`).
const PROFILE_IN_USE: i32 = 21;

impl Browser {
    /// Starts a Chromium and waits until it answers.
    pub async fn launch(options: LaunchOptions, deadline: Deadline) -> Result<Self, LaunchError> {
        let path = executable::find(options.executable.as_deref())?;
        if rustix::process::geteuid().is_root() && !options.allow_no_sandbox {
            return Err(LaunchError::SandboxAsRoot);
        }
        let directory_error = |source: std::io::Error| LaunchError::Directory { base: options.base.clone(), source };
        let directory = BrowserDirectory::create(&options.base).map_err(directory_error)?;
        let pipe_error = |error: rustix::io::Errno| directory_error(error.into());
        let (their_input, our_output) = pipe_with(PipeFlags::CLOEXEC).map_err(pipe_error)?;
        let (our_input, their_output) = pipe_with(PipeFlags::CLOEXEC).map_err(pipe_error)?;
        let mut child = spawn(&path, &options, &directory, their_input, their_output)?;
        let stderr = keep_stderr(&mut child);
        let group = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let Some(group) = group else {
            return Err(LaunchError::Exited { path, status: "at once".into(), stderr: tail(&stderr) });
        };
        let guardian = guardian::watch(group);
        let (outgoing, messages) = mpsc::unbounded_channel();
        let router = Router::new(outgoing);
        let inner = Inner {
            router: Arc::clone(&router),
            process: Some(Process {
                group,
                directory,
                persistent_profile: options.profile.is_some(),
                sandboxed: !options.allow_no_sandbox,
                stderr: Arc::clone(&stderr),
            }),
        };
        let reader = pipe::Receiver::from_owned_fd(our_input).map_err(directory_error)?;
        let writer = pipe::Sender::from_owned_fd(our_output).map_err(directory_error)?;
        transport::run_pipe(reader, writer, messages, Arc::clone(&router) as Arc<dyn transport::Incoming>);
        let browser = Self { inner: Arc::new(inner) };
        match browser.root().call_raw("Browser.getVersion", serde_json::json!({}), deadline).await {
            Ok(_) => {
                reap(child, guardian);
                Ok(browser)
            }
            Err(CdpError::BrowserGone) => Err(exited(child, path, &options, &stderr).await),
            Err(_) => {
                reap(child, guardian);
                Err(LaunchError::Silent { path, stderr: tail(&stderr) })
            }
        }
    }

    /// Connects to a running browser by its `http://` or `ws://` endpoint.
    pub async fn connect(url: &str, deadline: Deadline) -> Result<Self, LaunchError> {
        let failed = |message: String| LaunchError::Endpoint { url: url.to_owned(), message };
        let within = deadline.instant().into();
        let socket = if url.starts_with("ws://") || url.starts_with("wss://") {
            url.to_owned()
        } else if url.starts_with("http://") || url.starts_with("https://") {
            tokio::time::timeout_at(within, web_socket_url(url))
                .await
                .map_err(|_| failed("no answer in time".into()))?
                .map_err(failed)?
        } else {
            return Err(failed("an endpoint begins with http:// or ws://".into()));
        };
        let (outgoing, messages) = mpsc::unbounded_channel();
        let router = Router::new(outgoing);
        let incoming = Arc::clone(&router) as Arc<dyn transport::Incoming>;
        tokio::time::timeout_at(within, transport::run_websocket(&socket, messages, incoming))
            .await
            .map_err(|_| failed("no answer in time".into()))?
            .map_err(|error| failed(error.to_string()))?;
        let browser = Self { inner: Arc::new(Inner { router, process: None }) };
        browser
            .root()
            .call_raw("Browser.getVersion", serde_json::json!({}), deadline)
            .await
            .map_err(|error| failed(error.to_string()))?;
        Ok(browser)
    }

    /// The browser's root session.
    pub fn root(&self) -> Session {
        Session::new(Arc::clone(&self.inner.router), None)
    }

    /// The session of an id that an attach event named.
    pub fn session(&self, id: &str) -> Session {
        Session::new(Arc::clone(&self.inner.router), Some(id))
    }

    /// Every event of every session from now on, in order; the channel ends with the browser.
    pub fn events(&self) -> mpsc::UnboundedReceiver<Arc<Event>> {
        self.inner.router.tap()
    }

    /// Where a browser of ours may put downloads.
    pub fn downloads_dir(&self) -> Option<PathBuf> {
        self.inner.process.as_ref().map(|process| process.directory.downloads())
    }

    /// Whether somebody else started it.
    pub fn is_remote(&self) -> bool {
        self.inner.process.is_none()
    }

    /// Whether Chromium's sandbox is on; a remote browser is taken at its word.
    pub fn sandboxed(&self) -> bool {
        self.inner.process.as_ref().is_none_or(|process| process.sandboxed)
    }

    /// The last lines that the browser wrote to stderr.
    pub fn stderr(&self) -> String {
        self.inner.process.as_ref().map(|process| tail(&process.stderr)).unwrap_or_default()
    }

    pub fn stats(&self) -> RouterStats {
        self.inner.router.stats()
    }

    /// Whether the connection has ended.
    pub fn gone(&self) -> bool {
        self.inner.router.is_gone()
    }

    /// Waits until the connection has ended.
    pub async fn wait_gone(&self) {
        self.inner.router.wait_gone().await;
    }

    /// Ends a browser of ours and removes its directory; leaves a remote one running.
    pub async fn close(&self) {
        let Some(process) = &self.inner.process else { return };
        if process.persistent_profile {
            // A profile that is kept must be written out: ask first.
            let wait = Deadline::after(Duration::from_secs(5));
            let asked = self.root().call_raw("Browser.close", serde_json::json!({}), wait).await;
            if asked.is_ok() {
                let _ = tokio::time::timeout_at(wait.instant().into(), self.wait_gone()).await;
            }
        }
        let _ = kill_process_group(process.group, Signal::KILL);
        let _ = tokio::time::timeout(Duration::from_secs(2), self.wait_gone()).await;
        process.directory.remove();
    }
}

fn spawn(
    path: &Path,
    options: &LaunchOptions,
    directory: &BrowserDirectory,
    input: OwnedFd,
    output: OwnedFd,
) -> Result<Child, LaunchError> {
    let mut command = Command::new(path);
    command.args(flags::BASE);
    if !options.headed {
        command.arg("--headless=new");
    }
    if options.allow_no_sandbox {
        command.args(["--no-sandbox", "--test-type"]);
    }
    if small_shared_memory() {
        command.arg("--disable-dev-shm-usage");
    }
    let profile = options.profile.clone().unwrap_or_else(|| directory.profile());
    command
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={},{}", options.viewport.0, options.viewport.1))
        .args(&options.extra_args)
        .env("TMPDIR", directory.tmp())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let mapped = command
        .fd_mappings(vec![FdMapping { parent_fd: input, child_fd: 3 }, FdMapping { parent_fd: output, child_fd: 4 }]);
    let not_executable = |source| LaunchError::NotExecutable { path: path.to_owned(), source };
    mapped.map_err(|collision| not_executable(std::io::Error::other(collision.to_string())))?;
    command.spawn().map_err(not_executable)
}

/// Chromium's shared memory lives in `/dev/shm`, which containers keep small.
fn small_shared_memory() -> bool {
    const ENOUGH: u64 = 1024 * 1024 * 1024;
    rustix::fs::statvfs("/dev/shm").map_or(true, |stat| stat.f_blocks * stat.f_frsize < ENOUGH)
}

/// Drains stderr for as long as the browser lives, keeping the last lines.
fn keep_stderr(child: &mut Child) -> Arc<Mutex<VecDeque<String>>> {
    let lines: Arc<Mutex<VecDeque<String>>> = Arc::default();
    if let Some(stderr) = child.stderr.take() {
        let kept = Arc::clone(&lines);
        tokio::spawn(async move {
            let mut reader = BufReader::new(stderr);
            let mut line = Vec::new();
            // A line is capped; the rest of a longer one comes as the next.
            while (&mut reader).take(4_096).read_until(b'\n', &mut line).await.is_ok_and(|read| read > 0) {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                tracing::trace!(target: "gannet::chromium", "{text}");
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() == STDERR_LINES {
                    kept.pop_front();
                }
                kept.push_back(text);
                line.clear();
            }
        });
    }
    lines
}

fn tail(lines: &Mutex<VecDeque<String>>) -> String {
    let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    lines.iter().rev().take(5).rev().map(String::as_str).collect::<Vec<_>>().join("; ")
}

/// Waits for the child wherever it ends, so that no zombie stays, and dismisses its guardian.
fn reap(mut child: Child, guardian: Option<Child>) {
    tokio::spawn(async move {
        let _ = child.wait().await;
        if let Some(mut guardian) = guardian {
            // It may have ended by itself.
            let _ = guardian.kill().await;
        }
    });
}

async fn exited(
    mut child: Child,
    path: PathBuf,
    options: &LaunchOptions,
    stderr: &Mutex<VecDeque<String>>,
) -> LaunchError {
    let status = match tokio::time::timeout(Duration::from_secs(2), child.wait()).await {
        Ok(Ok(status)) => status,
        Ok(Err(_)) | Err(_) => return LaunchError::Silent { path, stderr: tail(stderr) },
    };
    match (status.code(), &options.profile) {
        (Some(PROFILE_IN_USE), Some(profile)) => LaunchError::ProfileInUse { profile: profile.clone() },
        _ => LaunchError::Exited { path, status: status.to_string(), stderr: tail(stderr) },
    }
}

async fn web_socket_url(base: &str) -> Result<String, String> {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Version {
        web_socket_debugger_url: String,
    }
    let url = format!("{}/json/version", base.trim_end_matches('/'));
    let reply = reqwest::get(&url).await.map_err(|error| error.to_string())?;
    let text = reply.text().await.map_err(|error| error.to_string())?;
    serde_json::from_str::<Version>(&text)
        .map(|version| version.web_socket_debugger_url)
        .map_err(|error| format!("`{url}` gives no webSocketDebuggerUrl: {error}"))
}

#[cfg(test)]
mod tests;
