//! Pages in a real Chromium.

use crate::{
    cdp::browser::{Browser, LaunchOptions},
    page::{context::Context, navigation::WaitUntil},
    spec::deadline::Deadline,
};
use axum::{Router, response::Html, routing::get};

async fn serve() -> String {
    let app = Router::new()
        .route("/", get(|| async { Html("<title>T</title><h1>Hi</h1><label>Mail <input id=m value=a></label><button data-wci-id=go data-wci-role=action>Go</button><iframe src=/inner></iframe>") }))
        .route("/inner", get(|| async { Html("<button>Inside</button>") }))
        .route("/alert", get(|| async { Html("<title>A</title><script>alert('hello')</script><p>after") }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}")
}

#[tokio::test]
async fn a_page_is_opened_read_and_survives_dialogs_crashes_and_endless_scripts() {
    let site = serve().await;
    let base = tempfile::tempdir().unwrap();
    let options = LaunchOptions {
        allow_no_sandbox: rustix::process::geteuid().is_root(),
        base: base.path().to_owned(),
        ..LaunchOptions::default()
    };
    let wait = Deadline::after_ms(30_000);
    let browser = Browser::launch(options, wait).await.unwrap();
    let context = Context::new(&browser, (1000, 700), wait).await.unwrap();
    let page = context.new_page(wait).await.unwrap();
    let there = page.goto(&format!("{site}/"), WaitUntil::Load, wait).await.unwrap();
    assert_eq!((there.status, there.title.as_str()), (Some(200), "T"));
    let snapshot = page.snapshot(wait).await.unwrap();
    let named: Vec<(&str, &str)> = snapshot.nodes.iter().map(|node| (node.role.as_str(), node.name.as_str())).collect();
    assert!(named.contains(&("textbox", "Mail")), "{named:?}");
    assert!(named.contains(&("button", "Inside")), "{named:?}");
    assert_eq!(snapshot.wci.len(), 1);
    // A ref survives a change of name, and the element is found by it.
    let before = snapshot.nodes.iter().find(|node| node.role == "button").unwrap().node_ref.clone();
    page.evaluate("document.querySelector('button').textContent = 'Went'", wait).await.unwrap();
    let after = page.snapshot(wait).await.unwrap();
    assert!(after.nodes.iter().any(|node| node.node_ref == before && node.name == "Went"));
    assert!(page.resolve(&before, wait).await.unwrap().is_some());
    assert!(page.resolve("go", wait).await.unwrap().is_some());
    assert!(page.resolve("nothing", wait).await.unwrap().is_none());

    let started = std::time::Instant::now();
    let alert = page.goto(&format!("{site}/alert"), WaitUntil::Load, wait).await.unwrap();
    assert_eq!(alert.dialogs[0].message, "hello");
    assert!(started.elapsed().as_millis() < 5_000);

    let error = page.goto("file:///etc/passwd", WaitUntil::Load, wait).await.unwrap_err();
    assert!(error.to_string().contains("file"), "{error}");

    let hung = page.evaluate("for(;;);", Deadline::after_ms(300)).await.unwrap_err();
    assert!(matches!(hung, crate::page::error::PageError::Timeout { .. }));
    page.terminate_script(Deadline::after_ms(3_000)).await.unwrap();
    assert_eq!(page.evaluate("1+1", Deadline::after_ms(3_000)).await.unwrap(), 2);

    let crash = page.session().call_raw("Page.crash", serde_json::json!({}), Deadline::after_ms(5_000)).await;
    assert!(crash.is_err());
    let revived = page.goto(&format!("{site}/"), WaitUntil::Load, Deadline::after_ms(10_000)).await.unwrap();
    assert_eq!(revived.title, "T");
    browser.close().await;
}
