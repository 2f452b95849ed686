//! A site on loopback for one test: pages by path, one that never answers, one that never stops computing.

use axum::{Router, http::header::CONTENT_TYPE, response::Html, routing::get};

/// Serves `pages` (path, HTML), `/hang` (no answer) and `/busy` (an endless script); gives the base address.
pub async fn serve(pages: &'static [(&'static str, &'static str)]) -> String {
    let mut app = Router::new()
        .route("/hang", get(std::future::pending::<String>))
        .route("/busy", get(|| async { Html("<title>Busy</title><p>before</p><script>for(;;);</script>") }))
        .route("/plain.txt", get(|| async { ([(CONTENT_TYPE, "text/plain")], "plain words") }));
    for (path, html) in pages {
        app = app.route(path, get(move || async move { Html(*html) }));
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("loopback has a port");
    let address = listener.local_addr().expect("a bound socket has an address");
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}")
}
