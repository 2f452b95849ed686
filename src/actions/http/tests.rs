//! The client against servers on loopback and a resolver of the test's own. Asserts on the servers' hit counters.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::{
    Router,
    extract::{Query, State},
    http::{HeaderMap, StatusCode, header::LOCATION},
    response::IntoResponse,
    routing::get,
};

use super::*;

#[derive(Clone, Default)]
struct Hits(Arc<AtomicUsize>);

impl Hits {
    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// `/to?url=` redirects, `/loop` for ever, `/big` sends 1 MB, `/hang` nothing, `/headers` what it was sent.
async fn serve() -> (SocketAddr, Hits) {
    async fn to(Query(query): Query<Vec<(String, String)>>) -> impl IntoResponse {
        let target = query.into_iter().next().map(|(_, target)| target).unwrap_or_default();
        (StatusCode::FOUND, [(LOCATION, target)])
    }
    let hits = Hits::default();
    let app = Router::new()
        .route("/", get(|| async { "hello" }))
        .route("/to", get(to))
        .route("/loop", get(|| async { (StatusCode::FOUND, [(LOCATION, "/loop")]) }))
        .route("/big", get(|| async { "x".repeat(1_000_000) }))
        .route("/hang", get(std::future::pending::<String>))
        .route("/gone", get(|| async { (StatusCode::GONE, "gone") }))
        .route("/headers", get(|headers: HeaderMap| async move { format!("{headers:?}") }))
        .layer(axum::middleware::from_fn_with_state(hits.clone(), count))
        .with_state(());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, hits)
}

async fn count(
    State(hits): State<Hits>,
    request: axum::extract::Request,
    next: axum::middleware::Next,
) -> axum::response::Response {
    hits.0.fetch_add(1, Ordering::SeqCst);
    next.run(request).await
}

fn client(ranges: &[&str], names: &'static [(&'static str, &'static [&'static str])]) -> Http {
    let allow_private = ranges.iter().map(|range| range.parse().unwrap()).collect();
    let lookup: Lookup = Arc::new(move |name| {
        Box::pin(async move {
            let found = names.iter().find(|(known, _)| *known == name).ok_or(io::ErrorKind::NotFound)?;
            Ok(found.1.iter().map(|address| address.parse().unwrap()).collect())
        })
    });
    Http::with_lookup(HttpOptions { allow_private, ..HttpOptions::default() }, lookup).unwrap()
}

async fn ask(http: &Http, url: &str) -> Result<Response, HttpError> {
    http.get(url, GetOptions { most_bytes: 1_000, accept: "*/*" }, Deadline::after_ms(5_000)).await
}

fn reason(result: Result<Response, HttpError>) -> Option<Reason> {
    result.expect_err("the request is refused").reason()
}

#[tokio::test]
async fn loopback_is_closed_until_it_is_opened() {
    let (address, hits) = serve().await;
    let url = format!("http://{address}/");
    assert_eq!(reason(ask(&client(&[], &[]), &url).await), Some(Reason::PrivateAddress));
    assert_eq!(hits.count(), 0);
    let response = ask(&client(&["127.0.0.0/8"], &[]), &url).await.unwrap();
    assert_eq!((response.status, response.body.as_slice(), response.redirects), (200, b"hello".as_slice(), 0));
    assert_eq!(hits.count(), 1);
}

#[tokio::test]
async fn an_own_origin_opens_no_other_port_and_no_other_name() {
    let ((own, own_hits), (other, other_hits)) = (serve().await, serve().await);
    let http = client(&[], &[("localhost", &["127.0.0.1"]), ("shop.example.com", &["127.0.0.1"])]);
    http.allow_own_origin(&Url::parse(&format!("http://{own}/app")).unwrap());
    assert_eq!(ask(&http, &format!("http://{own}/")).await.unwrap().status, 200);
    for url in [
        format!("http://{other}/"),
        format!("http://localhost:{}/", own.port()),
        format!("http://{own}/to?url=http://{other}/"),
    ] {
        assert_eq!(reason(ask(&http, &url).await), Some(Reason::PrivateAddress), "{url}");
    }
    // By name, too: the origin's port only.
    let named = format!("http://shop.example.com:{}/", own.port());
    assert_eq!(reason(ask(&http, &named).await), Some(Reason::PrivateAddress));
    http.allow_own_origin(&Url::parse(&named).unwrap());
    assert_eq!(ask(&http, &named).await.unwrap().status, 200);
    let elsewhere = format!("http://shop.example.com:{}/", other.port());
    assert_eq!(reason(ask(&http, &elsewhere).await), Some(Reason::PrivateAddress));
    assert_eq!((own_hits.count(), other_hits.count()), (3, 0));
}

#[tokio::test]
async fn each_redirect_is_judged() {
    let (address, hits) = serve().await;
    let http = client(&["127.0.0.1/32"], &[]);
    for (target, expected) in [
        ("http://127.0.0.2/", Reason::PrivateAddress),
        ("http://169.254.169.254/latest/", Reason::Metadata),
        ("http://2130706434/", Reason::PrivateAddress),
        ("file:///etc/passwd", Reason::Scheme),
        ("http://u:p@127.0.0.1/", Reason::Userinfo),
        ("https://example.com:22/", Reason::Port),
        ("http://[::1]/", Reason::PrivateAddress),
        ("http://[", Reason::Malformed),
    ] {
        let encoded: String = url::form_urlencoded::byte_serialize(target.as_bytes()).collect();
        let url = format!("http://{address}/to?url={encoded}");
        assert_eq!(reason(ask(&http, &url).await), Some(expected), "{target}");
    }
    let good = ask(&http, &format!("http://{address}/to?url=/")).await.unwrap();
    assert_eq!((good.redirects, good.url), (1, format!("http://{address}/")));
    let before = hits.count();
    assert_eq!(reason(ask(&http, &format!("http://{address}/loop")).await), Some(Reason::Redirect));
    assert_eq!(hits.count() - before, MOST_REDIRECTS + 1);
}

#[tokio::test]
async fn one_bad_address_refuses_the_name() {
    let (address, hits) = serve().await;
    let http = client(
        &["127.0.0.0/8"],
        &[
            ("good.example.com", &["127.0.0.1"]),
            ("multi.example.com", &["127.0.0.1", "10.0.0.5"]),
            ("mapped.example.com", &["::ffff:169.254.169.254"]),
            ("empty.example.com", &[]),
        ],
    );
    let at = |name: &str| format!("http://{name}:{}/", address.port());
    assert_eq!(ask(&http, &at("good.example.com")).await.unwrap().status, 200);
    assert_eq!(reason(ask(&http, &at("multi.example.com")).await), Some(Reason::PrivateAddress));
    assert_eq!(reason(ask(&http, &at("mapped.example.com")).await), Some(Reason::Metadata));
    assert_eq!(reason(ask(&http, &at("empty.example.com")).await), Some(Reason::Dns));
    assert_eq!(reason(ask(&http, &at("nobody.example.com")).await), Some(Reason::Dns));
    assert_eq!(hits.count(), 1);
}

#[tokio::test]
async fn a_resolver_that_changes_its_mind_moves_nothing() {
    let (address, hits) = serve().await;
    let turn = AtomicUsize::new(0);
    let lookup: Lookup = Arc::new(move |_| {
        let first = turn.fetch_add(1, Ordering::SeqCst) == 0;
        let address = if first { [192, 0, 2, 1] } else { [127, 0, 0, 1] };
        Box::pin(async move { Ok(vec![IpAddr::from(address)]) })
    });
    let options = HttpOptions { allow_private: vec!["192.0.2.0/24".parse().unwrap()], ..HttpOptions::default() };
    let http = Http::with_lookup(options, lookup).unwrap();
    let url = format!("http://rebind.example.com:{}/", address.port());
    let wait = Deadline::after_ms(300);
    // The first answer is allowed and leads nowhere, the second one is refused.
    assert!(http.get(&url, GetOptions { most_bytes: 10, accept: "*/*" }, wait).await.is_err());
    assert_eq!(reason(ask(&http, &url).await), Some(Reason::PrivateAddress));
    assert_eq!(hits.count(), 0);
}

#[tokio::test]
async fn bytes_and_time_are_bounded() {
    let (address, _) = serve().await;
    let http = client(&["127.0.0.0/8"], &[]);
    let big = ask(&http, &format!("http://{address}/big")).await.unwrap();
    assert_eq!((big.body.len(), big.truncated), (1_000, true));
    let whole = GetOptions { most_bytes: 1_000_000, accept: "*/*" };
    let whole = http.get(&format!("http://{address}/big"), whole, Deadline::after_ms(5_000)).await.unwrap();
    assert_eq!((whole.body.len(), whole.truncated), (1_000_000, false));
    let hang = format!("http://{address}/hang?token=secret");
    let error = http.get(&hang, GetOptions { most_bytes: 10, accept: "*/*" }, Deadline::after_ms(50)).await;
    let error = error.expect_err("nothing answers");
    assert!(matches!(error, HttpError::Timeout { .. }), "{error:?}");
    assert!(!error.to_string().contains("secret"), "{error}");
    assert_eq!(ask(&http, &format!("http://{address}/gone")).await.unwrap().status_text, "Gone");
}

#[tokio::test]
async fn a_request_carries_no_more_than_it_must() {
    let (address, _) = serve().await;
    let http = client(&["127.0.0.0/8"], &[]);
    let sent = ask(&http, &format!("http://{address}/to?url=/headers")).await.unwrap();
    let sent = String::from_utf8(sent.body).unwrap();
    assert!(sent.contains("Gannet/"), "{sent}");
    for header in ["cookie", "referer", "authorization"] {
        assert!(!sent.contains(header), "{sent}");
    }
}

#[tokio::test]
async fn the_domain_rule_covers_every_hop() {
    let (address, hits) = serve().await;
    let allow_private = vec!["127.0.0.0/8".parse().unwrap()];
    let hop_rule: Option<HopRule> = Some(Arc::new(|url| url.host_str() == Some("127.0.0.1")));
    let http = Http::new(HttpOptions { allow_private, hop_rule, ..HttpOptions::default() }).unwrap();
    let url = format!("http://{address}/to?url=http://127.0.0.2:{}/", address.port());
    assert!(matches!(ask(&http, &url).await, Err(HttpError::DomainBlocked { .. })));
    assert_eq!(hits.count(), 1);
}

#[tokio::test]
async fn a_port_without_a_server_is_a_connect_error() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let error = ask(&client(&["127.0.0.0/8"], &[]), &format!("http://{address}/?q=secret")).await;
    let error = error.expect_err("nobody listens");
    assert!(matches!(error, HttpError::Connect { .. }) && error.is_transient(), "{error:?}");
    assert!(!format!("{error:?}").contains("secret"), "{error:?}");
}
