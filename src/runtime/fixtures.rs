//! The two demonstration shops, part of the binary and served on loopback: one annotated with `data-wci-*` and the
//! site files, one plain HTML. Every site is an origin of its own, because the site files live at an origin's root.

use std::{io, net::Ipv4Addr};

use axum::{
    Router,
    http::{StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use tokio::{net::TcpListener, task::JoinHandle};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// One file: path, content type, content.
type File = (&'static str, &'static str, &'static str);

/// What both shops have.
const SHARED: [File; 2] = [
    ("/style.css", CSS, include_str!("../../fixtures-sites/shared/style.css")),
    ("/store.js", SCRIPT, include_str!("../../fixtures-sites/shared/store.js")),
];
const SHOP: [File; 9] = [
    ("/index.html", HTML, include_str!("../../fixtures-sites/shop/index.html")),
    ("/register.html", HTML, include_str!("../../fixtures-sites/shop/register.html")),
    ("/search.html", HTML, include_str!("../../fixtures-sites/shop/search.html")),
    ("/cart.html", HTML, include_str!("../../fixtures-sites/shop/cart.html")),
    ("/checkout.html", HTML, include_str!("../../fixtures-sites/shop/checkout.html")),
    ("/shop.js", SCRIPT, include_str!("../../fixtures-sites/shop/shop.js")),
    ("/wci.txt", TEXT, include_str!("../../fixtures-sites/shop/wci.txt")),
    ("/wci.json", JSON, include_str!("../../fixtures-sites/shop/wci.json")),
    ("/wci.md", MARKDOWN, include_str!("../../fixtures-sites/shop/wci.md")),
];
const PLAIN: [File; 6] = [
    ("/index.html", HTML, include_str!("../../fixtures-sites/plain/index.html")),
    ("/register.html", HTML, include_str!("../../fixtures-sites/plain/register.html")),
    ("/search.html", HTML, include_str!("../../fixtures-sites/plain/search.html")),
    ("/cart.html", HTML, include_str!("../../fixtures-sites/plain/cart.html")),
    ("/checkout.html", HTML, include_str!("../../fixtures-sites/plain/checkout.html")),
    ("/shop.js", SCRIPT, include_str!("../../fixtures-sites/plain/shop.js")),
];

/// A demonstration site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// Annotated, with `wci.txt`, `wci.json` and `wci.md`.
    Shop,
    /// The same shop as ordinary accessible HTML.
    Plain,
}

impl Site {
    pub fn name(self) -> &'static str {
        match self {
            Self::Shop => "shop",
            Self::Plain => "plain",
        }
    }

    /// The file of a path; `/` is the home page.
    fn file(self, path: &str) -> Option<&'static File> {
        let path = if path == "/" { "/index.html" } else { path };
        let own: &'static [File] = match self {
            Self::Shop => &SHOP,
            Self::Plain => &PLAIN,
        };
        own.iter().chain(&SHARED).find(|file| file.0 == path)
    }
}

/// A site that is being served; dropping it ends the server.
#[derive(Debug)]
pub struct Fixtures {
    /// `http://127.0.0.1:PORT/`.
    pub base_url: String,
    server: JoinHandle<()>,
}

impl Drop for Fixtures {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Serves a site on a free port of loopback.
pub async fn serve(site: Site) -> io::Result<Fixtures> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let base_url = format!("http://{}/", listener.local_addr()?);
    let app = Router::new().fallback(move |uri: Uri| async move { answer(site, uri.path()) });
    let server = tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, app).await {
            tracing::warn!("the demonstration site ended: {error}");
        }
    });
    Ok(Fixtures { base_url, server })
}

fn answer(site: Site, path: &str) -> Response {
    match site.file(path) {
        Some((_, kind, content)) => ([(header::CONTENT_TYPE, *kind)], *content).into_response(),
        None => (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, TEXT)], "not here").into_response(),
    }
}
