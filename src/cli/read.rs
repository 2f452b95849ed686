//! `gannet read`: `read_url` over many addresses, one JSON result a line, in the order of the addresses.

use std::io::Write;

use futures::StreamExt;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::{
    actions::{
        read_url::{ReadRequest, read_one},
        session::AgentSession,
    },
    cli::{
        args::ReadArgs,
        failure::{Exit, Failure},
        session,
    },
};

/// Reads all; fails when one could not be read, or was refused.
pub async fn run(args: ReadArgs) -> Result<String, Failure> {
    let urls = if args.urls.is_empty() { from_stdin().await? } else { args.urls.clone() };
    if urls.is_empty() {
        return Err(Failure {
            exit: Exit::Usage,
            message: "there is no address to read".into(),
            hint: "name addresses, or give them on standard input, one a line".into(),
        });
    }
    let session = AgentSession::open(session::options(&args.session)).await?;
    let outcome = read_all(&session, &args, urls).await;
    session.close().await;
    outcome
}

async fn read_all(session: &AgentSession, args: &ReadArgs, urls: Vec<String>) -> Result<String, Failure> {
    let request = |url: String| ReadRequest {
        url,
        max_bytes: args.max_bytes.map(f64::from),
        timeout_ms: args.session.browser.timeout.map(|ms| ms as f64),
        screenshot: Some(!args.no_screenshot),
        ..ReadRequest::default()
    };
    let count = urls.len();
    let reads = futures::stream::iter(urls).map(|url| async { read_one(session, &request(url)).await });
    let mut results = Box::pin(reads.buffered(usize::from(args.concurrency)));
    let (mut failed, mut refused) = (0, 0);
    while let Some(result) = results.next().await {
        failed += usize::from(!result.ok);
        refused += usize::from(result.error.as_deref() == Some("invalid_url"));
        let line = serde_json::to_string(&result).map_err(|error| Failure::internal(&error))?;
        // One line at a time: a reader sees each as it comes.
        writeln!(std::io::stdout(), "{line}").map_err(|error| Failure::output(&error))?;
    }
    if failed == 0 {
        return Ok(String::new());
    }
    Err(Failure {
        exit: if refused == failed { Exit::Blocked } else { Exit::Failed },
        message: format!("{failed} of {count} pages could not be read"),
        hint: "each line with `ok: false` says why; `--allow-private CIDR` opens a test network".into(),
    })
}

async fn from_stdin() -> Result<Vec<String>, Failure> {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut urls = vec![];
    while let Some(line) = lines.next_line().await.map_err(|error| Failure::output(&error))? {
        let line = line.trim();
        if !line.is_empty() {
            urls.push(line.to_owned());
        }
    }
    Ok(urls)
}
