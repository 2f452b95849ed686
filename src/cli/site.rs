//! `gannet site`: what a site publishes for agents.

use serde_json::json;

use crate::{
    actions::session::AgentSession,
    cli::{
        args::SiteArgs,
        failure::{Exit, Failure},
        session,
    },
    page::navigation,
};

/// Opens the page and prints what its site says; a policy that cannot be read is a failure.
pub async fn run(args: SiteArgs) -> Result<String, Failure> {
    navigation::check(&args.url)?;
    let session = AgentSession::open(session::options(&args.session)).await?;
    let went = session.call("navigate", json!({"url": args.url, "waitUntil": "domcontentloaded"})).await;
    let reply = if went.is_error { went } else { session.call("site_context", json!({})).await };
    session.close().await;
    if reply.is_error {
        let error = &reply.structured["error"];
        let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
        return Err(Failure { exit: Exit::Failed, message: text("message"), hint: text("hint") });
    }
    let said = if args.json {
        serde_json::to_string_pretty(&reply.structured).map_err(|error| Failure::internal(&error))?
    } else {
        reply.text
    };
    if reply.structured["policy"]["state"] == "unavailable" {
        let hint = "the site's owner has to repair it; `--site-policy ignore` acts without it".into();
        return Err(Failure { exit: Exit::Blocked, message: said, hint });
    }
    Ok(said)
}
