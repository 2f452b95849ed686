//! A client of `gannet mcp` over its standard streams, through the protocol crate's own client.

use std::{
    fs::File,
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use rmcp::{
    RoleClient, ServiceExt,
    model::{CallToolRequestParams, Tool},
    service::RunningService,
    transport::TokioChildProcess,
};
use serde_json::{Value, json};
use tokio::sync::SemaphorePermit;

use crate::support::cli::{BROWSERS, command};

/// No reply of a test may take longer.
const BOUND: Duration = Duration::from_secs(45);

/// A running server with one session.
pub struct Mcp {
    service: RunningService<RoleClient, ()>,
    pub pid: u32,
    log: PathBuf,
    _permit: SemaphorePermit<'static>,
}

/// One reply to a tool call.
#[derive(Debug)]
pub struct Reply {
    /// All text blocks, joined by line ends.
    pub text: String,
    pub structured: Value,
    pub is_error: bool,
    /// The whole reply as it came.
    pub raw: String,
    pub took: Duration,
}

impl Mcp {
    /// Starts `gannet mcp` with these arguments.
    pub async fn start(args: &[&str]) -> Self {
        let permit = BROWSERS.acquire().await.expect("the semaphore is never closed");
        let log = log_file();
        let mut command = command();
        command.arg("mcp").args(args);
        let (process, _) = TokioChildProcess::builder(command)
            .stderr(File::create(&log).expect("the log file can be written"))
            .spawn()
            .expect("`gannet mcp` starts");
        let pid = process.id().expect("a running process has an id");
        let service = tokio::time::timeout(BOUND, ().serve(process))
            .await
            .expect("the server initializes in time")
            .unwrap_or_else(|error| panic!("no MCP server: {error}; its log is {}", log.display()));
        Self { service, pid, log, _permit: permit }
    }

    pub async fn tools(&self) -> Vec<Tool> {
        self.service.list_all_tools().await.expect("tools can be listed")
    }

    /// Calls a tool; a protocol error fails the test, a tool's error is in the reply.
    pub async fn call(&self, tool: &str, arguments: Value) -> Reply {
        let Value::Object(arguments) = arguments else { panic!("arguments of `{tool}` must be an object") };
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments.clone());
        let started = Instant::now();
        let result = tokio::time::timeout(BOUND, self.service.call_tool(params))
            .await
            .unwrap_or_else(|_| panic!("`{tool}` {arguments:?} not answered in {BOUND:?}; log {}", self.log.display()))
            .unwrap_or_else(|error| panic!("`{tool}` {arguments:?}: {error}; log {}", self.log.display()));
        let raw = serde_json::to_string(&result).expect("a reply is JSON");
        let text = result.content.iter().filter_map(|block| block.as_text().map(|text| text.text.as_str()));
        Reply {
            text: text.collect::<Vec<_>>().join("\n"),
            structured: result.structured_content.unwrap_or(Value::Null),
            is_error: result.is_error.unwrap_or(false),
            raw,
            took: started.elapsed(),
        }
    }

    /// Goes to a page; the test fails when that fails.
    pub async fn navigate(&self, url: &str) -> Reply {
        self.call("navigate", json!({ "url": url })).await.ok()
    }

    /// The page's outline, with room for all of it.
    pub async fn view(&self) -> String {
        self.call("view", json!({ "budget": 8000 })).await.ok().text
    }

    pub async fn act(&self, node: &str, action: &str, value: Value) -> Reply {
        let mut arguments = json!({ "nodeId": node, "action": action });
        if !value.is_null() {
            arguments["value"] = value;
        }
        self.call("act", arguments).await
    }

    /// Clicks; the test fails when that fails.
    pub async fn click(&self, node: &str) -> Reply {
        self.act(node, "click", Value::Null).await.ok()
    }

    /// Fills; the test fails when that fails.
    pub async fn fill(&self, node: &str, value: &str) -> Reply {
        self.act(node, "fill", json!(value)).await.ok()
    }

    /// A value from the page's own script world. Needs `--cap evaluate`.
    pub async fn evaluate(&self, expression: &str) -> Value {
        let reply = self.call("evaluate", json!({ "expression": expression })).await.ok();
        reply.structured.get("value").cloned().unwrap_or(Value::Null)
    }

    /// Ends the session as a client does: by closing the stream.
    pub async fn close(self) {
        self.service.cancel().await.expect("the client stops");
    }
}

impl Reply {
    /// Asserts success.
    #[track_caller]
    pub fn ok(self) -> Self {
        assert!(!self.failed(), "the call failed: {}", self.raw);
        self
    }

    /// Whether the reply says failure, in any of its three ways.
    pub fn failed(&self) -> bool {
        self.is_error || self.structured["ok"] == json!(false) || self.structured["success"] == json!(false)
    }

    /// Asserts a failure that carries a code and a hint, and gives its code.
    #[track_caller]
    pub fn coded(&self) -> String {
        assert!(self.failed(), "this should fail: {}", self.raw);
        let error = &self.structured["error"];
        let part = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        for name in ["code", "message", "hint"] {
            assert!(!part(name).is_empty(), "the error has no `{name}`: {}", self.raw);
        }
        part("code")
    }

    /// The precise reason of a failure.
    pub fn reason(&self) -> &str {
        self.structured["error"]["reason"].as_str().unwrap_or_default()
    }
}

fn log_file() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = format!("mcp-{}-{}.log", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}
