//! A site on loopback: fixed pages, files of a directory, a route that never answers, and a counter of hits.
//! `127.0.0.1` and `localhost` are two hosts of the same server, so a frame can be cross-origin.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{Response, StatusCode, header},
};

/// A request for this path is accepted and never answered.
pub const NEVER: &str = "/hang";

/// A running site; it ends with the test's runtime.
pub struct Site {
    port: u16,
    state: Arc<SiteState>,
}

#[derive(Default)]
struct SiteState {
    pages: HashMap<String, String>,
    directory: Option<PathBuf>,
    hits: Mutex<HashMap<String, usize>>,
}

impl Site {
    /// Serves each `(path, html)`.
    pub async fn pages(pages: &[(&str, &str)]) -> Self {
        let pages = pages.iter().map(|(path, html)| ((*path).to_owned(), (*html).to_owned())).collect();
        Self::serve(SiteState { pages, ..SiteState::default() }).await
    }

    /// Serves one page at `/`.
    pub async fn page(html: &str) -> Self {
        Self::pages(&[("/", html)]).await
    }

    /// Serves the files below a directory.
    pub async fn directory(path: &Path) -> Self {
        Self::serve(SiteState { directory: Some(path.to_owned()), ..SiteState::default() }).await
    }

    async fn serve(state: SiteState) -> Self {
        let state = Arc::new(state);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a loopback port");
        let port = listener.local_addr().expect("a bound socket").port();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { port, state }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The same page under the other host name: another origin.
    pub fn other_origin(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    /// How often a path was asked for.
    pub fn hits(&self, path: &str) -> usize {
        self.state.hits.lock().unwrap_or_else(PoisonError::into_inner).get(path).copied().unwrap_or(0)
    }
}

async fn answer(State(state): State<Arc<SiteState>>, request: Request) -> Response<Body> {
    let path = request.uri().path().to_owned();
    *state.hits.lock().unwrap_or_else(PoisonError::into_inner).entry(path.clone()).or_default() += 1;
    if path == NEVER {
        std::future::pending::<()>().await;
    }
    if let Some(html) = state.pages.get(&path) {
        return respond(StatusCode::OK, "text/html; charset=utf-8", html.clone().into_bytes());
    }
    if let Some(directory) = &state.directory
        && !path.contains("..")
        && let Ok(bytes) = tokio::fs::read(directory.join(path.trim_start_matches('/'))).await
    {
        return respond(StatusCode::OK, content_type(&path), bytes);
    }
    respond(StatusCode::NOT_FOUND, "text/plain", b"not found".to_vec())
}

fn respond(status: StatusCode, content_type: &str, body: Vec<u8>) -> Response<Body> {
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, content_type)
        .body(Body::from(body))
        .expect("fixed headers are valid")
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "gif" => "image/gif",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}
