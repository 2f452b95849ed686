//! A page on which everything works: what a session is tried with after something went wrong.

use serde_json::json;

use crate::support::{mcp::Mcp, server::Site};

/// To be served at `/healthy`.
pub const HEALTHY: &str = "<title>Healthy</title><button id=go onclick=\"document.title='Clicked'\">Go</button>";

/// The session still works: a page loads and a click is seen.
#[track_caller]
pub fn goes_on<'a>(mcp: &'a Mcp, site: &'a Site) -> impl Future<Output = ()> + 'a {
    let caller = std::panic::Location::caller();
    async move {
        let arrived = mcp.call("navigate", json!({ "url": site.url("/healthy") })).await;
        assert!(!arrived.failed(), "{caller}: the session does not go on: {}", arrived.raw);
        let reply = mcp.act("css=#go", "click", json!(null)).await;
        assert_eq!(reply.structured["observed"]["effect"], json!("changed"), "{caller}: {}", reply.raw);
    }
}
