//! A real Chromium: started, asked, closed, and nothing left behind.

use std::path::PathBuf;

use super::{Browser, LaunchOptions};
use crate::{cdp::error::LaunchError, spec::deadline::Deadline};

fn options(base: &std::path::Path) -> LaunchOptions {
    LaunchOptions {
        allow_no_sandbox: rustix::process::geteuid().is_root(),
        base: base.to_owned(),
        ..Default::default()
    }
}

#[tokio::test]
async fn a_browser_answers_and_leaves_nothing() {
    let base = tempfile::tempdir().unwrap();
    let browser = Browser::launch(options(base.path()), Deadline::after_ms(20_000)).await.unwrap();
    let version = browser.root().call_raw("Browser.getVersion", serde_json::json!({}), Deadline::after_ms(5_000)).await;
    assert!(version.unwrap().get().contains("Chrom"));
    browser.close().await;
    assert!(browser.gone());
    assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_wrong_executable_is_named_with_a_hint() {
    let base = tempfile::tempdir().unwrap();
    let wrong = LaunchOptions { executable: Some(PathBuf::from("/bin/true")), ..options(base.path()) };
    let error = Browser::launch(wrong, Deadline::after_ms(5_000)).await.err().unwrap();
    assert!(matches!(error, LaunchError::Exited { .. }), "{error}");
    let missing = LaunchOptions { executable: Some(PathBuf::from("/nowhere/chromium")), ..options(base.path()) };
    let error = Browser::launch(missing, Deadline::after_ms(5_000)).await.err().unwrap();
    assert!(matches!(error, LaunchError::NotFound { .. }), "{error}");
    assert!(error.hint().contains("apt-get install"));
}

#[tokio::test]
async fn an_endpoint_that_is_none_is_an_error_in_time() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = format!("http://{}", listener.local_addr().unwrap());
    let started = std::time::Instant::now();
    for url in [silent.as_str(), "ftp://x", "ws://127.0.0.1:1/"] {
        let error = Browser::connect(url, Deadline::after_ms(300)).await.err().unwrap();
        assert!(matches!(error, LaunchError::Endpoint { .. }), "{error}");
    }
    assert!(started.elapsed().as_secs() < 5);
}
