//! The router against a scripted browser: no process, no I/O.

use std::{sync::Arc, time::Duration};

use tokio::sync::mpsc;

use super::{Incoming, RawValue, Router};
use crate::{cdp::error::CdpError, spec::deadline::Deadline};

fn router() -> (Arc<Router>, mpsc::UnboundedReceiver<Vec<u8>>) {
    let (sender, sent) = mpsc::unbounded_channel();
    (Router::new(sender), sent)
}

fn id_of(message: &[u8]) -> u64 {
    serde_json::from_slice::<serde_json::Value>(message).unwrap()["id"].as_u64().unwrap()
}

async fn call(router: &Router, session: Option<&str>, method: &str) -> Result<String, CdpError> {
    let deadline = Deadline::after(Duration::from_secs(5));
    router.call(session, method, RawValue::NULL, deadline).await.map(|reply| reply.get().to_owned())
}

#[tokio::test]
async fn a_reply_reaches_its_caller_and_an_error_keeps_its_code() {
    let (router, mut sent) = router();
    let browser = Arc::clone(&router);
    let script = tokio::spawn(async move {
        let first = id_of(&sent.recv().await.unwrap());
        browser.message(format!(r#"{{"id":{first},"result":{{"a":1}}}}"#).as_bytes());
        let second = id_of(&sent.recv().await.unwrap());
        browser.message(format!(r#"{{"id":{second},"error":{{"code":-32000,"message":"no"}}}}"#).as_bytes());
    });
    assert_eq!(call(&router, None, "A.b").await.unwrap(), r#"{"a":1}"#);
    let error = call(&router, None, "A.c").await.unwrap_err();
    assert!(matches!(error, CdpError::Protocol { code: -32000, .. }), "{error}");
    script.await.unwrap();
}

#[tokio::test]
async fn waiters_of_a_crashed_page_fail_at_once_and_only_navigation_is_let_through() {
    let (router, mut sent) = router();
    router.message(br#"{"method":"Target.attachedToTarget","params":{"sessionId":"S","targetInfo":{"targetId":"T"}}}"#);
    let waiting = {
        let router = Arc::clone(&router);
        tokio::spawn(async move { call(&router, Some("S"), "Runtime.evaluate").await })
    };
    sent.recv().await.unwrap();
    router.message(br#"{"method":"Target.targetCrashed","params":{"targetId":"T"}}"#);
    assert!(matches!(waiting.await.unwrap(), Err(CdpError::Crashed)));
    assert!(matches!(call(&router, Some("S"), "Runtime.evaluate").await, Err(CdpError::Crashed)));
    let reviving = {
        let router = Arc::clone(&router);
        tokio::spawn(async move { call(&router, Some("S"), "Page.navigate").await })
    };
    let id = id_of(&sent.recv().await.unwrap());
    router.message(format!(r#"{{"id":{id},"result":{{}}}}"#).as_bytes());
    assert!(reviving.await.unwrap().is_ok());
}

#[tokio::test]
async fn a_detached_session_and_a_gone_browser_fail_their_waiters() {
    let (router, mut sent) = router();
    let waiting = |session: Option<&'static str>| {
        let router = Arc::clone(&router);
        tokio::spawn(async move { call(&router, session, "A.b").await })
    };
    let detached = waiting(Some("S"));
    sent.recv().await.unwrap();
    router.message(br#"{"method":"Target.detachedFromTarget","params":{"sessionId":"S"}}"#);
    assert!(matches!(detached.await.unwrap(), Err(CdpError::Detached)));
    let orphan = waiting(None);
    sent.recv().await.unwrap();
    router.closed();
    assert!(matches!(orphan.await.unwrap(), Err(CdpError::BrowserGone)));
    assert!(matches!(call(&router, None, "A.b").await, Err(CdpError::BrowserGone)));
    router.wait_gone().await;
}

#[tokio::test]
async fn garbage_and_foreign_events_are_counted_and_never_fatal() {
    let (router, _sent) = router();
    let mut events = router.tap();
    router.message(b"not json");
    router.message(br#"{"id":99,"result":{}}"#);
    router.message(br#"{"method":"Future.event","params":{"x":[1]}}"#);
    let event = events.recv().await.unwrap();
    assert_eq!(event.method, "Future.event");
    assert!(event.parse::<Vec<String>>().is_none());
    let stats = router.stats();
    assert_eq!((stats.garbage, stats.late_replies, stats.unparsable_events), (1, 1, 1));
}

#[tokio::test]
async fn a_command_that_is_never_answered_ends_at_its_deadline_and_leaves_no_waiter() {
    let (router, _sent) = router();
    let error = router.call(None, "A.b", RawValue::NULL, Deadline::after(Duration::from_millis(20))).await.unwrap_err();
    assert!(matches!(error, CdpError::Timeout { .. }));
    assert!(router.state().waiters.is_empty());
}
