//! `navigate`: go to an address, back, forward, or load again. Loopback is allowed: it is the user's own choice.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    actions::{
        args::{Field, Schema},
        error::ToolError,
        permission,
        registry::{Definition, Ran, read},
        reply::ToolReply,
        session::{AgentSession, Call},
    },
    page::{
        error::PageError,
        navigation::{Navigation, WaitUntil, check},
        tab::Page,
    },
    spec::{
        action::{DialogSeen, DownloadSeen},
        deadline::Deadline,
        tool::Tier,
    },
};

/// How long a page that is left may take to answer: one that hangs would have to begin the next document, too.
const ANSWER: Duration = Duration::from_millis(500);
/// How long a download may take to be complete in the reply.
const DOWNLOAD: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Args {
    url: Option<String>,
    history: Option<i32>,
    wait_until: Option<WaitUntil>,
}

/// Where to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target<'a> {
    Url(&'a str),
    /// -1 back, 1 forward, 0 load again.
    History(i32),
}

/// Where a navigation led, and the file when it was one.
#[derive(Debug, Clone)]
pub struct Arrival {
    pub navigation: Navigation,
    pub download: Option<DownloadSeen>,
    /// What it cost, where that is more than the page before.
    pub note: Option<String>,
}

pub fn definition() -> Definition {
    Definition {
        name: "navigate",
        description: "Open a URL in the current tab, or go through its history.",
        tier: Tier(0),
        permission: permission::acts("browser_input"),
        aliases: &["goto", "open"],
        capability: None,
        schema: Schema::of([
            Field::new("url", "string", ""),
            Field::new("history", "integer", "-1 back, 1 forward, 0 reload"),
            Field::new("waitUntil", "string", "").one_of(&["commit", "domcontentloaded", "load", "idle"]),
            Field::new("timeoutMs", "integer", ""),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let args: Args = read(call.action, call.args)?;
        let target = match (&args.url, args.history) {
            (Some(url), None) => Target::Url(url),
            (None, Some(delta)) => Target::History(delta),
            (Some(_), Some(_)) | (None, None) => {
                return Err(ToolError::invalid("navigate takes `url` or `history`", "give one of the two"));
            }
        };
        let arrival = go(call.session, target, args.wait_until.unwrap_or_default(), call.deadline).await?;
        Ok(reply(&arrival, call.session.current_tab()))
    })
}

/// Goes there by the rules: schemes, then the user's domains, before and after redirects.
pub async fn go(
    session: &AgentSession,
    target: Target<'_>,
    wait: WaitUntil,
    deadline: Deadline,
) -> Result<Arrival, ToolError> {
    if let Target::Url(url) = target {
        session.gate.admit_url(check(url)?.as_str())?;
    }
    let page = session.page(deadline).await?;
    let mut note = match page.hangs(deadline.at_most(ANSWER.min(deadline.remaining() / 4))).await {
        true => session.revive(&page, deadline).await?,
        false => None,
    };
    let mut marker = page.marker();
    let navigation = match target {
        Target::Url(url) => match page.goto(url, wait, deadline).await {
            Err(PageError::Hung) => {
                note = session.revive(&page, deadline).await?;
                marker = page.marker();
                page.goto(url, wait, deadline).await?
            }
            other => other?,
        },
        Target::History(delta) => page.history(delta, wait, deadline).await?,
    };
    // A redirect, or an entry of the history, may lead where the user does not want to be.
    if let Err(refusal) = session.gate.admit_url(&navigation.url) {
        if let Err(error) = page.goto("about:blank", WaitUntil::Commit, deadline).await {
            tracing::debug!(%error, "the refused page is not left");
        }
        return Err(refusal.into());
    }
    let download = match navigation.download {
        true => finished(&page, &marker, deadline.at_most(DOWNLOAD)).await,
        false => None,
    };
    Ok(Arrival { navigation, download, note })
}

/// The download that began since a marker, once it is complete.
async fn finished(page: &Page, marker: &crate::page::log::Marker, deadline: Deadline) -> Option<DownloadSeen> {
    loop {
        if let Some(download) = page.since(marker).downloads.into_iter().next() {
            return Some(download);
        }
        tokio::time::timeout_at(deadline.instant().into(), page.changed()).await.ok()?;
    }
}

fn reply(arrival: &Arrival, tab: String) -> ToolReply {
    let Arrival { navigation, download, note } = arrival;
    let mut structured = json!({"ok": true, "tab": tab});
    if let (Value::Object(all), Ok(Value::Object(seen))) = (&mut structured, serde_json::to_value(navigation)) {
        all.extend(seen);
        if let Some(download) = download {
            all.insert("file".into(), json!(download));
        }
    }
    let mut said = text(navigation, download.as_ref());
    if let Some(note) = note {
        said = format!("{note}\n{said}");
    }
    ToolReply::ok(said, structured)
}

fn text(navigation: &Navigation, download: Option<&DownloadSeen>) -> String {
    let status = navigation.status.map(|status| format!("{status} ")).unwrap_or_default();
    let mut lines = vec![format!("{status}{:?} {}", navigation.title, navigation.url)];
    if navigation.download {
        lines.push(match download {
            Some(file) => {
                format!("downloaded {:?}, {} bytes, to {}; the page did not change", file.name, file.size, file.path)
            }
            None => "it is a download; the page did not change".to_owned(),
        });
    }
    if navigation.reached == WaitUntil::DomContentLoaded || navigation.reached == WaitUntil::Commit {
        lines.push("not all of it is loaded".to_owned());
    }
    lines.extend(navigation.dialogs.iter().map(dialog));
    lines.join("\n")
}

/// A dialog in one line.
pub fn dialog(dialog: &DialogSeen) -> String {
    format!(
        "{} {:?} was {}",
        dialog.kind,
        dialog.message,
        if dialog.outcome == "open" { "left open" } else { &dialog.outcome }
    )
}
