//! `gannet doctor`: what could stand in the way, and the fix of each.

use crate::{
    cdp::{
        browser::{Browser, LaunchOptions},
        error::LaunchError,
        executable,
    },
    cli::{
        args::BrowserArgs,
        failure::{Exit, Failure},
    },
    spec::deadline::Deadline,
};

/// Checks one after the other; the first that fails is the failure.
pub async fn run(args: BrowserArgs) -> Result<String, Failure> {
    let mut lines = vec![];
    if args.cdp.is_none() {
        let path = executable::find(args.browser.as_deref()).map_err(failed)?;
        lines.push(format!("ok   browser     {}", path.display()));
    }
    let deadline = Deadline::after_ms(args.command_timeout());
    let browser = browser(&args, deadline).await?;
    let version = browser.root().call_raw("Browser.getVersion", serde_json::json!({}), deadline).await;
    let sandboxed = browser.sandboxed();
    let remote = browser.is_remote();
    browser.close().await;
    let version = version.map_err(|error| {
        failed(LaunchError::Endpoint {
            url: args.cdp.clone().unwrap_or_else(|| "pipe".into()),
            message: error.to_string(),
        })
    })?;
    let version: serde_json::Value = serde_json::from_str(version.get()).map_err(|error| Failure {
        exit: Exit::Browser,
        message: format!("the browser's version is no JSON: {error}"),
        hint: "use a Chromium with CDP 1.3".into(),
    })?;
    let text = |key: &str| version[key].as_str().unwrap_or("unknown").to_owned();
    lines.push(format!("ok   version     {}, protocol {}", text("product"), text("protocolVersion")));
    lines.push(if sandboxed {
        "ok   sandbox     on".into()
    } else {
        "note sandbox     off, as allowed; run as another user than root to have it on".into()
    });
    lines.push(format!("ok   connection  {}", if remote { "WebSocket" } else { "pipe: ends with this process" }));
    Ok(lines.join("\n"))
}

async fn browser(args: &BrowserArgs, deadline: Deadline) -> Result<Browser, Failure> {
    let browser = match &args.cdp {
        Some(url) => Browser::connect(url, deadline).await,
        None => {
            let options = LaunchOptions {
                executable: args.browser.clone(),
                allow_no_sandbox: args.allow_no_sandbox,
                profile: args.profile.clone(),
                viewport: args.viewport,
                base: std::env::temp_dir(),
                ..LaunchOptions::default()
            };
            Browser::launch(options, deadline).await
        }
    };
    browser.map_err(failed)
}

fn failed(error: LaunchError) -> Failure {
    Failure { exit: Exit::Browser, hint: error.hint(), message: error.to_string() }
}
