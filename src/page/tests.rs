//! Pages in a real Chromium, against local pages on two host names: `127.0.0.1` and `localhost` are different sites, so
//! a frame of the other one runs in a process of its own.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use axum::{
    Router,
    http::{StatusCode, header},
    response::Html,
    routing::get,
};
use serde_json::json;

use super::{
    context::{Context, ContextOptions},
    dialogs::DialogPolicy,
    error::PageError,
    navigation::WaitUntil,
    recovery::Recovery,
    resolve::ResolveError,
    tab::Page,
};
use crate::{
    cdp::browser::{Browser, LaunchOptions},
    spec::deadline::Deadline,
};

struct Site {
    port: u16,
}

impl Site {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let html = |text: String| get(move || async move { Html(text) });
        let other = format!("http://localhost:{port}");
        let pages = [
            ("/", "<title>T</title><h1>Hi</h1><label>Mail <input id=m value=a></label><label>Mail me <input type=checkbox></label><button data-wci-id=go data-wci-role=action>Go</button><button>Go now</button><button>Go later</button><p data-testid=para>Some <b>bold</b> words</p><a href=/b>Next</a>".to_owned()),
            ("/b", "<title>B</title><h1 id=there>There</h1><button>First</button>".into()),
            ("/alert", "<title>A</title><script>alert('hello')</script><p>after".into()),
            ("/storm", "<title>S</title><script>for (let i = 0; i < 1000; i++) alert(i)</script><p>after".into()),
            ("/ask", "<title>Q</title><button onclick=\"document.title = prompt('Name?', 'Ann')\">Ask</button>".into()),
            ("/frames", format!("<title>F</title><body style='margin:0'><div style='height:40px'></div><iframe id=one style='border:2px solid;margin-left:10px;padding:3px' src={other}/inner></iframe><iframe id=two srcdoc='<button>Doc</button>'></iframe><iframe id=three></iframe>")),
            ("/inner", format!("<body style='margin:0'><div style='height:7px'></div><iframe id=deep style='border:0' src=http://127.0.0.1:{port}/deep></iframe><button>Inside</button>")),
            ("/deep", "<button id=d>Deepest</button>".into()),
            ("/goes-on", "<title>G</title><script>location = '/b'</script>".into()),
            ("/slow-image", "<title>I</title><p>text<img src=/never>".into()),
            ("/hang-at-load", "<title>H</title><script>onload = () => { for (;;); }</script>".into()),
            ("/frame-alert", format!("<title>O</title><iframe src={other}/alert></iframe>")),
            ("/popup", "<title>P</title><script>function many(n) { for (let i = 0; i < n; i++) open('/b?' + i) }</script>".into()),
            ("/files", "<a id=get href=/file>Get</a><input type=file id=f>".into()),
            ("/errors", "<script>console.log('fine', {a: 1}); console.error('bad', 7); fetch('/missing'); setTimeout(() => { throw new Error('late') })</script>".into()),
        ];
        let mut app = Router::new();
        for (path, text) in pages {
            app = app.route(path, html(text));
        }
        let app = app
            .route("/never", get(std::future::pending::<()>))
            .route("/empty", get(|| async { StatusCode::NO_CONTENT }))
            .route("/gone", get(|| async { StatusCode::GONE }))
            .route(
                "/file",
                get(|| async {
                    let disposition = "attachment; filename=\"../re port.txt\"";
                    ([(header::CONTENT_DISPOSITION, disposition), (header::CONTENT_TYPE, "text/plain")], "one")
                }),
            );
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { port }
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

/// A test's browser, context, page and site; the browser ends with it.
struct Fixture {
    site: Site,
    browser: Browser,
    context: Context,
    page: Page,
}

fn soon() -> Deadline {
    Deadline::after_ms(20_000)
}

fn trace() {
    let _ = tracing_subscriber::fmt().with_env_filter("gannet::cdp::frames=trace").with_ansi(false).try_init();
}

async fn with_page<F: Future<Output = ()>>(options: ContextOptions, test: impl FnOnce(Fixture) -> F) {
    if std::env::var_os("GANNET_TEST_TRACE").is_some() {
        trace();
    }
    let base = tempfile::tempdir().unwrap();
    let launch = LaunchOptions {
        allow_no_sandbox: rustix::process::geteuid().is_root(),
        base: base.path().to_owned(),
        ..LaunchOptions::default()
    };
    let browser = Browser::launch(launch, soon()).await.unwrap();
    let context = Context::new(&browser, options, soon()).await.unwrap();
    let page = context.new_page(soon()).await.unwrap();
    let ended = browser.clone();
    test(Fixture { site: Site::start().await, browser, context, page }).await;
    ended.close().await;
}

/// Waits, by the page's own events, until something holds.
async fn until(page: &Page, what: &str, holds: impl Fn(&Page) -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !holds(page) {
        assert!(Instant::now() < deadline, "never: {what}");
        let _ = tokio::time::timeout(Duration::from_millis(200), page.changed()).await;
    }
}

fn size() -> ContextOptions {
    (1000, 700).into()
}

#[tokio::test]
async fn a_page_is_opened_and_read() {
    with_page(size(), |t| async move {
        let there = t.page.goto(&t.site.url("/"), WaitUntil::Load, soon()).await.unwrap();
        assert_eq!((there.status, there.title.as_str(), there.mime.as_str()), (Some(200), "T", "text/html"));
        assert!(there.new_document && there.reached == WaitUntil::Load);
        assert_eq!(t.page.tab(), "t1");
        let size = t.page.evaluate("[innerWidth, innerHeight]", None, soon()).await.unwrap();
        assert_eq!(size, json!([1000, 700]));
        let fragment = t.page.goto(&t.site.url("/#m"), WaitUntil::Load, soon()).await.unwrap();
        assert!(!fragment.new_document && fragment.url.ends_with("/#m"));
        let on = t.page.goto(&t.site.url("/goes-on"), WaitUntil::Load, soon()).await.unwrap();
        assert_eq!((on.title.as_str(), on.status), ("B", Some(200)));
        let back = t.page.history(-1, WaitUntil::Load, soon()).await.unwrap();
        assert_eq!((back.title.as_str(), back.url), ("T", t.site.url("/#m")));
        let forward = t.page.history(1, WaitUntil::Load, soon()).await.unwrap();
        assert_eq!(forward.title, "B");
        let again = t.page.history(0, WaitUntil::Load, soon()).await.unwrap();
        assert!(again.new_document);
        assert!(matches!(t.page.history(5, WaitUntil::Load, soon()).await, Err(PageError::BadUrl { .. })));
        t.page.resize(500, 400, soon()).await.unwrap();
        assert_eq!(t.page.evaluate("innerWidth", None, soon()).await.unwrap(), 500);
    })
    .await;
}

#[tokio::test]
async fn answers_that_are_no_page_are_told_apart() {
    with_page(size(), |t| async move {
        t.page.goto(&t.site.url("/"), WaitUntil::Load, soon()).await.unwrap();
        let empty = t.page.goto(&t.site.url("/empty"), WaitUntil::Load, soon()).await.unwrap();
        assert_eq!((empty.status, empty.new_document, empty.title.as_str()), (Some(204), false, "T"));
        let file = t.page.goto(&t.site.url("/file"), WaitUntil::Load, soon()).await.unwrap();
        assert!(file.download && !file.new_document, "{file:?}");
        let gone = t.page.goto(&t.site.url("/gone"), WaitUntil::Load, soon()).await.unwrap();
        assert_eq!(gone.status, Some(410));
        let refused = t.page.goto("http://127.0.0.1:1/", WaitUntil::Load, soon()).await.unwrap_err();
        assert!(matches!(refused, PageError::NavigationFailed { .. }), "{refused}");
        for url in
            ["file:///etc/passwd", "chrome://crash", "javascript:1", "data:text/html,x", "view-source:http://a", "x"]
        {
            let refused = t.page.goto(url, WaitUntil::Load, soon()).await.unwrap_err();
            assert!(matches!(refused, PageError::BadUrl { .. }), "{url}: {refused}");
        }
        let slow = t.page.goto(&t.site.url("/slow-image"), WaitUntil::Load, Deadline::after_ms(1_500)).await.unwrap();
        assert_eq!((slow.reached, slow.title.as_str()), (WaitUntil::DomContentLoaded, "I"));
        let never = t.page.goto(&t.site.url("/never"), WaitUntil::Load, Deadline::after_ms(500)).await.unwrap_err();
        assert!(matches!(never, PageError::Timeout { .. }), "{never}");
        assert_eq!(t.page.goto(&t.site.url("/b"), WaitUntil::Idle, soon()).await.unwrap().title, "B");
    })
    .await;
}

#[tokio::test]
async fn ids_of_every_form_find_their_element_and_no_other() {
    with_page(size(), |t| async move {
        t.page.goto(&t.site.url("/"), WaitUntil::Load, soon()).await.unwrap();
        let described = async |id: &str| -> Result<String, ResolveError> {
            let handle = t.page.resolve(id, soon()).await?;
            Ok(t.page
                .evaluate("element.outerHTML", Some(&handle), soon())
                .await?
                .as_str()
                .unwrap_or_default()
                .to_owned())
        };
        for (id, part) in [
            ("go", "data-wci-id"),
            ("css=#m", "id=\"m\""),
            ("role=button[name=\"Go\"]", ">Go<"),
            ("role=heading", "Hi"),
            ("label=Mail", "id=\"m\""),
            ("label=mail me", "checkbox"),
            ("text=bold", "<b>"),
            ("text=Some bold words", "<p"),
            ("testid=para", "<p"),
            ("text=Next", "<a"),
        ] {
            let html = described(id).await.unwrap_or_else(|error| panic!("{id}: {error}"));
            assert!(html.contains(part), "{id}: {html}");
        }
        match described("role=button").await.unwrap_err() {
            ResolveError::Ambiguous { count: 3, candidates, .. } => {
                assert!(candidates[0].ends_with("(button \"Go\")"), "{candidates:?}")
            }
            other => panic!("{other}"),
        }
        assert!(matches!(described("role=button[name=\"go\"]").await, Err(ResolveError::NotFound { .. })));
        assert!(matches!(described("css=a[").await, Err(ResolveError::BadLocator { .. })));
        match described("go-on").await.unwrap_err() {
            ResolveError::NotFound { candidates, .. } => assert_eq!(candidates, ["go"]),
            other => panic!("{other}"),
        }
        // A ref holds over a change of name, dies with its element, and never means one of another document.
        let snapshot = t.page.snapshot(soon()).await.unwrap();
        let refs: Vec<String> =
            snapshot.nodes.iter().map(|node| node.node_ref.clone()).filter(|r| !r.is_empty()).collect();
        let go = t.page.resolve("go", soon()).await.unwrap().node_ref;
        t.page.evaluate("document.querySelector('button').textContent = 'Went'", None, soon()).await.unwrap();
        assert!(described(&go).await.unwrap().contains("Went"));
        t.page.evaluate("document.querySelector('button').remove()", None, soon()).await.unwrap();
        assert!(matches!(described(&go).await, Err(ResolveError::Stale { .. })));
        t.page.goto(&t.site.url("/b"), WaitUntil::Load, soon()).await.unwrap();
        t.page.snapshot(soon()).await.unwrap();
        for node_ref in refs {
            assert!(matches!(described(&node_ref).await, Err(ResolveError::Stale { .. })), "{node_ref}");
        }
    })
    .await;
}

#[tokio::test]
async fn refs_survive_back_and_forward_where_the_document_does() {
    with_page(size(), |t| async move {
        t.page.goto(&t.site.url("/"), WaitUntil::Load, soon()).await.unwrap();
        t.page.evaluate("window.kept = 7", None, soon()).await.unwrap();
        let link = t.page.resolve("text=Next", soon()).await.unwrap().node_ref;
        t.page.goto(&t.site.url("/b"), WaitUntil::Load, soon()).await.unwrap();
        t.page.history(-1, WaitUntil::Load, soon()).await.unwrap();
        let kept = t.page.evaluate("window.kept === 7", None, soon()).await.unwrap() == true;
        let found = t.page.resolve(&link, soon()).await;
        assert_eq!(found.is_ok(), kept, "kept: {kept}, {found:?}");
        println!("document kept over back: {kept}");
    })
    .await;
}

#[tokio::test]
async fn frames_of_every_process_are_one_tree() {
    with_page(size(), |t| async move {
        t.page.goto(&t.site.url("/frames"), WaitUntil::Load, soon()).await.unwrap();
        let snapshot = t.page.snapshot(soon()).await.unwrap();
        let buttons: Vec<&str> =
            snapshot.nodes.iter().filter(|node| node.role == "button").map(|node| node.name.as_str()).collect();
        assert_eq!(buttons, ["Deepest", "Inside", "Doc"], "unread: {:?}", snapshot.unread_frames);
        for id in ["text=Deepest", "frame=#one >> frame=#deep >> css=#d", "frame=#one >> frame=#deep >> role=button"] {
            let handle = t.page.resolve(id, soon()).await.unwrap_or_else(|error| panic!("{id}: {error}"));
            let html = t.page.evaluate("el => el.outerHTML", Some(&handle), soon()).await.unwrap();
            assert!(html.as_str().unwrap().contains("Deepest"));
            // 40 px above, 10 margin, 2 border and 3 padding; 7 px above the inner frame.
            assert_eq!(
                t.page.to_top(&handle.frame, (0.0, 0.0), (1.0, 1.0), soon()).await.unwrap(),
                (15.0, 52.0),
                "{id}"
            );
            let rect = snapshot.nodes.iter().find(|node| node.name == "Deepest").unwrap().rect;
            let there = t.page.evaluate("element.getBoundingClientRect().y", Some(&handle), soon()).await.unwrap();
            assert_eq!(rect[1], there.as_f64().unwrap() + 52.0);
        }
        let inside = t.page.resolve("text=Inside", soon()).await.unwrap();
        let scoped = format!(
            "frame={} >> text=Doc",
            snapshot.nodes.iter().filter(|n| n.role == "iframe").nth(2).unwrap().node_ref
        );
        t.page.resolve(&scoped, soon()).await.unwrap();
        // The frame leaves its process and comes back; then it goes.
        let home = format!("document.querySelector('#one').src = '{}'", t.site.url("/deep"));
        t.page.evaluate(&home, None, soon()).await.unwrap();
        until(&t.page, "the frame at home", |page| page.frames_in_order().len() == 4).await;
        let deadline = soon();
        while t.page.resolve("frame=#one >> text=Deepest", soon()).await.is_err() {
            assert!(!deadline.passed());
            t.page.changed().await;
        }
        assert!(matches!(t.page.resolve(&inside.node_ref, soon()).await, Err(ResolveError::Stale { .. })));
        t.page.evaluate("document.querySelector('#one').remove()", None, soon()).await.unwrap();
        until(&t.page, "the frame gone", |page| page.frames_in_order().len() == 3).await;
    })
    .await;
}

#[tokio::test]
async fn dialogs_are_reported_and_never_in_the_way() {
    with_page(size(), |t| async move {
        let started = Instant::now();
        let alert = t.page.goto(&t.site.url("/alert"), WaitUntil::Load, soon()).await.unwrap();
        let took = started.elapsed();
        assert_eq!((alert.dialogs[0].message.as_str(), alert.dialogs[0].outcome.as_str()), ("hello", "dismissed"));
        println!("alert at load: {took:?}");
        assert!(took < Duration::from_secs(2), "{took:?}");
        let inside = t.page.goto(&t.site.url("/frame-alert"), WaitUntil::Load, soon()).await.unwrap();
        assert_eq!(inside.dialogs.len(), 1, "{inside:?}");
        let started = Instant::now();
        let (marker, stormy) = (t.page.marker(), t.context.new_page(soon()).await.unwrap());
        let storm = stormy.goto(&t.site.url("/storm"), WaitUntil::Load, soon()).await;
        println!("storm: {:?}, {} dialogs", started.elapsed(), stormy.since(&marker).dialogs.len());
        assert!(matches!(storm, Err(PageError::Closed)), "{storm:?}");
        assert!(started.elapsed() < Duration::from_secs(5) && stormy.since(&marker).dialogs.len() > 50);
        t.page.set_dialog_policy(DialogPolicy::Accept);
        t.page.goto(&t.site.url("/ask"), WaitUntil::Load, soon()).await.unwrap();
        assert_eq!(t.page.evaluate("prompt('Name?', 'Ann')", None, soon()).await.unwrap(), "Ann");

        t.page.set_dialog_policy(DialogPolicy::Ask);
        let marker = t.page.marker();
        let started = Instant::now();
        let open = t.page.evaluate("document.querySelector('button').click()", None, soon()).await.unwrap_err();
        assert!(matches!(&open, PageError::DialogOpen(seen) if seen.message == "Name?"), "{open}");
        let blocked = t.page.snapshot(soon()).await.unwrap_err();
        assert!(matches!(blocked, PageError::DialogOpen(_)), "{blocked}");
        assert!(matches!(t.page.goto(&t.site.url("/"), WaitUntil::Load, soon()).await, Err(PageError::DialogOpen(_))));
        assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
        assert_eq!(t.page.since(&marker).dialogs[0].outcome, "open");
        let seen = t.page.answer_dialog(true, Some("Bea"), soon()).await.unwrap();
        assert_eq!((seen.outcome.as_str(), seen.default_prompt.as_deref()), ("accepted", Some("Ann")));
        assert_eq!(t.page.title(soon()).await.unwrap(), "Bea");
        assert_eq!(t.page.since(&marker).dialogs[0].outcome, "accepted");
        assert!(t.page.answer_dialog(true, None, soon()).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn a_crash_fails_waiters_at_once_and_navigation_revives() {
    with_page(size(), |t| async move {
        t.page.goto(&t.site.url("/frames"), WaitUntil::Load, soon()).await.unwrap();
        let started = Instant::now();
        let session = t.page.session();
        let (waiter, crash) = futures::join!(
            t.page.evaluate("new Promise(() => {})", None, soon()),
            session.call_raw("Page.crash", json!({}), soon())
        );
        assert!(matches!(waiter, Err(PageError::Crashed)), "{waiter:?}");
        assert!(crash.is_err() && started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
        assert!(t.page.crashed());
        assert!(matches!(t.page.snapshot(soon()).await, Err(PageError::Crashed)));
        let revived = t.page.goto(&t.site.url("/"), WaitUntil::Load, soon()).await.unwrap();
        assert_eq!((revived.title.as_str(), t.page.crashed(), t.page.tab()), ("T", false, "t1"));
        assert_eq!(t.page.frames_in_order().len(), 1);
        let size = t.page.evaluate("[innerWidth, innerHeight]", None, soon()).await.unwrap();
        assert_eq!(size, json!([1000, 700]));
        t.page.resolve("go", soon()).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_page_that_hangs_is_freed_or_replaced() {
    with_page(size(), |t| async move {
        t.page.goto(&t.site.url("/hang-at-load"), WaitUntil::DomContentLoaded, soon()).await.unwrap();
        let hung = t.page.evaluate("1", None, Deadline::after_ms(300)).await.unwrap_err();
        assert!(matches!(hung, PageError::Timeout { .. }), "{hung}");
        assert_eq!(t.page.recover(soon()).await.unwrap(), Recovery::Freed);
        assert_eq!(t.page.evaluate("1+1", None, soon()).await.unwrap(), 2);

        // A process that is stopped answers nothing.
        t.page.goto(&t.site.url("/b"), WaitUntil::Load, soon()).await.unwrap();
        t.page.resize(640, 480, soon()).await.unwrap();
        let stopped = stop_own_process(&t).await;
        let started = Instant::now();
        let recovered = t.page.recover(soon()).await;
        let _ = rustix::process::kill_process(stopped, rustix::process::Signal::CONT);
        println!("replaced after {:?}", started.elapsed());
        assert_eq!(recovered.unwrap(), Recovery::Replaced { url: t.site.url("/b") });
        assert_eq!((t.page.tab(), t.context.pages().len()), ("t1", 1));
        assert_eq!(t.page.goto(&t.site.url("/"), WaitUntil::Load, soon()).await.unwrap().title, "T");
        assert_eq!(t.page.evaluate("[innerWidth, innerHeight]", None, soon()).await.unwrap(), json!([640, 480]));
    })
    .await;
}

/// Stops the page's renderer and gives it: the one without which the page does not answer.
async fn stop_own_process(t: &Fixture) -> rustix::process::Pid {
    use rustix::process::{Pid, Signal, kill_process};
    let reply = t.browser.root().call_raw("SystemInfo.getProcessInfo", json!({}), soon()).await.unwrap();
    let reply: serde_json::Value = serde_json::from_str(reply.get()).unwrap();
    let all = reply["processInfo"].as_array().unwrap().iter().filter(|one| one["type"] == "renderer");
    for id in all.map(|one| i32::try_from(one["id"].as_i64().unwrap()).unwrap()) {
        let pid = Pid::from_raw(id).unwrap();
        kill_process(pid, Signal::STOP).unwrap();
        if t.page.evaluate("1", None, Deadline::after_ms(1_000)).await.is_err() {
            return pid;
        }
        kill_process(pid, Signal::CONT).unwrap();
    }
    panic!("no renderer is the page's");
}

#[tokio::test]
async fn popups_become_tabs_and_are_capped() {
    with_page(size(), |t| async move {
        t.page.goto(&t.site.url("/popup"), WaitUntil::Load, soon()).await.unwrap();
        let marker = t.page.marker();
        t.page.evaluate("many(1)", None, soon()).await.unwrap();
        until(&t.page, "a popup with an address", |page| {
            page.since(&marker).popups.first().is_some_and(|popup| popup.url.ends_with("/b?0"))
        })
        .await;
        assert_eq!(t.page.since(&marker).popups[0].tab, "t2");
        let popup = t.context.page("t2").unwrap();
        until(&popup, "its document", |popup| popup.url().ends_with("/b?0")).await;
        assert_eq!(popup.title(soon()).await.unwrap(), "B");
        assert_eq!(popup.evaluate("innerWidth", None, soon()).await.unwrap(), 1000);
        popup.close(soon()).await.unwrap();
        assert!(popup.closed() && t.context.page("t2").is_none());
        assert!(matches!(popup.snapshot(soon()).await, Err(PageError::Closed)));

        t.page.evaluate("many(13)", None, soon()).await.unwrap();
        until(&t.page, "13 popups", |page| {
            let log = page.since(&marker);
            log.popups.len() - 1 + log.failed_requests.iter().filter(|line| line.starts_with("OPEN")).count() == 13
        })
        .await;
        assert_eq!(t.context.pages().len(), 11);
        // Two contexts of one browser keep to themselves.
        let second = Context::new(&t.browser, size(), soon()).await.unwrap();
        let page = second.new_page(soon()).await.unwrap();
        page.goto(&t.site.url("/"), WaitUntil::Load, soon()).await.unwrap();
        assert_eq!((second.pages().len(), t.context.pages().len(), page.tab()), (1, 11, "t1"));
        t.context.close(soon()).await.unwrap();
        until(&t.page, "the end", Page::closed).await;
        assert_eq!(page.title(soon()).await.unwrap(), "T");
    })
    .await;
}

#[tokio::test]
async fn the_own_context_of_a_browser_takes_only_its_own_tabs() {
    with_page(size(), |t| async move {
        let own = Context::new(&t.browser, ContextOptions { isolated: false, ..size() }, soon()).await.unwrap();
        let page = own.new_page(soon()).await.unwrap();
        page.goto(&t.site.url("/"), WaitUntil::Load, soon()).await.unwrap();
        assert_eq!(own.pages().len(), 1);
        let marker = page.marker();
        page.evaluate("void open('/b')", None, soon()).await.unwrap();
        until(&page, "the popup", |page| page.since(&marker).popups.len() == 1).await;
        assert_eq!((own.pages().len(), t.context.pages().len()), (2, 1));
    })
    .await;
}

#[tokio::test]
async fn downloads_are_kept_and_hashed_and_file_choosers_are_seen() {
    with_page(size(), |t| async move {
        t.page.goto(&t.site.url("/files"), WaitUntil::Load, soon()).await.unwrap();
        let marker = t.page.marker();
        t.page.evaluate("document.querySelector('#get').click()", None, soon()).await.unwrap();
        until(&t.page, "the download", |page| page.since(&marker).downloads.len() == 1).await;
        let log = t.page.since(&marker);
        let file = &log.downloads[0];
        assert_eq!((file.name.ends_with("re port.txt"), file.size, log.downloads_pending), (true, 3, 0), "{file:?}");
        assert_eq!(file.sha256, "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed");
        assert_eq!(std::fs::read_to_string(&file.path).unwrap(), "one");
        assert!(!log.navigated && !log.url_changed);
        t.page.evaluate("document.querySelector('#f').click()", None, soon()).await.unwrap();
        until(&t.page, "the file chooser", |page| page.since(&marker).file_chooser).await;
        assert!(t.page.file_chooser().is_some());
    })
    .await;
}

#[tokio::test]
async fn the_log_says_what_failed() {
    with_page(size(), |t| async move {
        let marker = t.page.marker();
        t.page.goto(&t.site.url("/errors"), WaitUntil::Load, soon()).await.unwrap();
        until(&t.page, "the failures", |page| {
            let log = page.since(&marker);
            log.console_errors.len() >= 2 && !log.failed_requests.is_empty() && log.pending_requests == 0
        })
        .await;
        let log = t.page.since(&marker);
        assert!(log.navigated && log.url_changed && !log.load_pending);
        assert_eq!(log.console_errors[0], "bad 7");
        assert!(log.console_errors[1].starts_with("Error: late"), "{:?}", log.console_errors);
        assert_eq!(log.failed_requests, [format!("GET {} 404", t.site.url("/missing"))]);
        assert_eq!(t.page.console()[0].text, "fine Object");
        assert_eq!(t.page.network()[0].status, Some(200));
        assert!(t.page.since(&t.page.marker()).console_errors.is_empty());
    })
    .await;
}

#[tokio::test]
async fn everything_ends_with_the_browser() {
    with_page(size(), |t| async move {
        t.page.goto(&t.site.url("/"), WaitUntil::Load, soon()).await.unwrap();
        let waiter = t.page.evaluate("new Promise(() => {})", None, soon());
        let (waiter, ()) = futures::join!(waiter, t.browser.close());
        assert!(matches!(waiter, Err(PageError::BrowserGone)), "{waiter:?}");
        assert!(matches!(t.page.snapshot(soon()).await, Err(PageError::BrowserGone)));
        assert!(matches!(t.context.new_page(soon()).await, Err(PageError::BrowserGone)));
    })
    .await;
}

#[tokio::test]
async fn a_browser_goes_with_the_last_handle_of_a_page() {
    let base = tempfile::tempdir().unwrap();
    let launch = LaunchOptions {
        allow_no_sandbox: rustix::process::geteuid().is_root(),
        base: base.path().to_owned(),
        ..LaunchOptions::default()
    };
    let browser = Browser::launch(launch, soon()).await.unwrap();
    let context = Context::new(&browser, size(), soon()).await.unwrap();
    let page = context.new_page(soon()).await.unwrap();
    drop((browser, context));
    assert_eq!(page.evaluate("1", None, soon()).await.unwrap(), 1);
    drop(page);
    let deadline = soon();
    while std::fs::read_dir(base.path()).unwrap().count() > 0 {
        assert!(!deadline.passed(), "the browser's directory is still there");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Prints how much `goto` takes beyond a bare `Page.navigate` and its load event; asserts nothing, as machines differ.
#[tokio::test]
async fn goto_costs_little_more_than_navigation() {
    with_page(size(), |t| async move {
        let url = t.site.url("/b");
        let mut events = t.browser.events();
        let (mut raw, mut own) = (vec![], vec![]);
        for _ in 0..30 {
            // Each begins on a page that has been painted, or the first of a pair has the better start.
            let rest = || tokio::time::sleep(Duration::from_millis(60));
            rest().await;
            while events.try_recv().is_ok() {}
            let started = Instant::now();
            t.page.session().call_raw("Page.navigate", json!({"url": url}), soon()).await.unwrap();
            while let Some(event) = events.recv().await {
                if event.method == "Page.loadEventFired" {
                    break;
                }
            }
            raw.push(started.elapsed());
            rest().await;
            let started = Instant::now();
            t.page.goto(&url, WaitUntil::Load, soon()).await.unwrap();
            own.push(started.elapsed());
        }
        raw.sort();
        own.sort();
        println!("median of 30: bare {:?}, goto {:?}", raw[15], own[15]);
    })
    .await;
}
