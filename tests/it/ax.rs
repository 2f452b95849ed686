//! BARS T1: role and name of every visible interactive node against Chromium's own accessibility tree, node by node.
//!
//! Pages of this repository (`ax/*.html`) are always compared. `GANNET_MINIWOB` names the directory of MiniWoB++, and
//! `GANNET_DOCS` directories of HTML documentation, separated like a search path (`/usr/share/doc`, a package's `docs`);
//! what is not given is left out and said so.

mod compare;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use gannet::{
    cdp::browser::{Browser, LaunchOptions},
    page::{context::Context, navigation::WaitUntil, tab::Page},
    spec::deadline::Deadline,
};

use self::compare::Tally;
use crate::support::{cli::BROWSERS, server::Site};

/// Of a thousand interactive nodes, so many have Chromium's role and name.
const BAR: f64 = 0.995;
/// Documentation pages compared, taken evenly from those that there are.
const MOST_DOCUMENTS: usize = 60;
/// Larger documents cost the browser's own tree minutes.
const MOST_BYTES: u64 = 400_000;

const OWN: [(&str, &str); 8] = [
    ("/forms.html", include_str!("ax/forms.html")),
    ("/hidden.html", include_str!("ax/hidden.html")),
    ("/media.html", include_str!("ax/media.html")),
    ("/modal.html", include_str!("ax/modal.html")),
    ("/names.html", include_str!("ax/names.html")),
    ("/shadow.html", include_str!("ax/shadow.html")),
    ("/tables.html", include_str!("ax/tables.html")),
    ("/widgets.html", include_str!("ax/widgets.html")),
];

struct Opened {
    browser: Browser,
    page: Page,
    _base: tempfile::TempDir,
}

fn soon() -> Deadline {
    Deadline::after_ms(60_000)
}

async fn open() -> Opened {
    let base = tempfile::tempdir().expect("a directory for the browser");
    let launch = LaunchOptions {
        allow_no_sandbox: rustix::process::geteuid().is_root(),
        base: base.path().to_owned(),
        ..LaunchOptions::default()
    };
    let browser = Browser::launch(launch, soon()).await.expect("Chromium starts (apt-get install -y chromium)");
    let context = Context::new(&browser, (1280, 720), soon()).await.expect("a context");
    let page = context.new_page(soon()).await.expect("a page");
    Opened { browser, page, _base: base }
}

/// Compares one page after the other; `prepare` runs in each before it is read.
async fn corpus(name: &str, site: &Site, paths: &[String], prepare: Option<&str>) {
    let _permit = BROWSERS.acquire().await.expect("the semaphore is never closed");
    let opened = open().await;
    let mut tally = Tally::default();
    for path in paths {
        if let Err(error) = opened.page.goto(&site.url(path), WaitUntil::Load, soon()).await {
            println!("LEFT OUT: {path}: {error}");
            continue;
        }
        if let Some(script) = prepare
            && let Err(error) = opened.page.evaluate(script, None, soon()).await
        {
            println!("{path}: read as it was loaded: {error}");
        }
        tally.page(&opened.page, path, soon()).await;
    }
    opened.browser.close().await;
    for line in &tally.differences {
        println!("{line}");
    }
    let (equal, compared) = (tally.compared - tally.different, tally.compared);
    #[expect(clippy::cast_precision_loss, reason = "counts of nodes are small")]
    let share = equal as f64 / compared.max(1) as f64;
    println!(
        "{name}: {equal} of {compared} interactive nodes equal ({:.2} %), {} missing, {} of {} states equal, {} pages",
        share * 100.0,
        tally.missing,
        tally.states - tally.wrong_states,
        tally.states,
        paths.len(),
    );
    assert!(compared > 0, "{name}: nothing was compared");
    assert!(share >= BAR, "{name}: {:.2} % equal, of {compared}", share * 100.0);
    assert_eq!(tally.missing, 0, "{name}: visible interactive nodes are missing");
    assert!(tally.wrong_states * 100 <= tally.states, "{name}: {} states differ", tally.wrong_states);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_pages_are_read_as_chromium_reads_them() {
    let site = Site::pages(&OWN).await;
    let paths: Vec<String> = OWN.iter().map(|(path, _)| (*path).to_owned()).collect();
    corpus("own pages", &site, &paths, None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn miniwob_pages_are_read_as_chromium_reads_them() {
    let given = env::var_os("GANNET_MINIWOB").map(PathBuf::from);
    let html = given.and_then(|given| {
        ["html", "miniwob/html", "."]
            .iter()
            .map(|part| given.join(part))
            .find(|path| path.join("core/core.js").is_file())
    });
    let Some(html) = html else {
        println!("LEFT OUT: MiniWoB++ against the browser's tree (set GANNET_MINIWOB to its directory)");
        return;
    };
    let mut pages = html_below(&html.join("miniwob"));
    pages.sort();
    let paths: Vec<String> = pages.iter().filter_map(|page| served(&html, page)).collect();
    let site = Site::directory(&html).await;
    let start = "Math.seedrandom('3'); core.EPISODE_MAX_TIME = 600000; core.startEpisodeReal(); 0";
    corpus("MiniWoB++", &site, &paths, Some(start)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn documentation_is_read_as_chromium_reads_it() {
    let Some(given) = env::var_os("GANNET_DOCS") else {
        println!("LEFT OUT: documentation against the browser's tree (set GANNET_DOCS to directories of HTML)");
        return;
    };
    for root in env::split_paths(&given) {
        let mut pages = html_below(&root);
        pages.sort();
        let step = pages.len().div_ceil(MOST_DOCUMENTS).max(1);
        let paths: Vec<String> = pages.iter().step_by(step).filter_map(|page| served(&root, page)).collect();
        if paths.is_empty() {
            println!("LEFT OUT: {} holds no HTML", root.display());
            continue;
        }
        let site = Site::directory(&root).await;
        corpus(&root.display().to_string(), &site, &paths, None).await;
    }
}

/// HTML files below a directory, of a size that the browser's own tree can be asked for.
fn html_below(root: &Path) -> Vec<PathBuf> {
    let mut found = vec![];
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html")
                && fs::metadata(&path).is_ok_and(|about| about.len() <= MOST_BYTES)
            {
                found.push(path);
            }
        }
    }
    found
}

fn served(root: &Path, page: &Path) -> Option<String> {
    let path = page.strip_prefix(root).ok()?.to_str()?;
    path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'%').then(|| format!("/{path}"))
}
