//! `tabs`: list, open, select, close and resize. A session always has a tab.

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
    page::{error::PageError, tab::Page},
    spec::{deadline::Deadline, tool::Tier},
};

/// Largest side of a viewport, in CSS px.
const LARGEST: u32 = 10_000;
/// Operations, in the order in which they are listed.
const OPS: [&str; 6] = ["list", "new", "select", "close", "close_all", "resize"];

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Op {
    List,
    New,
    Select,
    Close,
    CloseAll,
    Resize,
}

#[derive(Deserialize)]
struct Args {
    op: Op,
    tab: Option<String>,
    width: Option<u32>,
    height: Option<u32>,
}

pub fn definition() -> Definition {
    Definition {
        name: "tabs",
        description: "List, open, select, close or resize tabs.",
        tier: Tier(0),
        permission: permission::acts("browser_input"),
        aliases: &[],
        capability: None,
        schema: Schema::of([
            Field::new("op", "string", "").required().one_of(&OPS),
            Field::new("tab", "string", "t1; default current"),
            Field::new("width", "integer", ""),
            Field::new("height", "integer", ""),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let args: Args = read(call.action, call.args)?;
        let (session, deadline) = (call.session, call.deadline);
        match args.op {
            Op::List => {}
            Op::New => {
                let page = session.context().new_page(deadline).await?;
                session.select(&page);
            }
            Op::Select => {
                let page = named(session, args.tab.as_deref(), deadline).await?;
                page.bring_to_front(deadline).await?;
                session.select(&page);
            }
            Op::Close => {
                named(session, args.tab.as_deref(), deadline).await?.close(deadline).await?;
                session.page(deadline).await?;
            }
            Op::CloseAll => {
                // The new one first: the browser may end with its last tab.
                let old = session.context().pages();
                let fresh = session.context().new_page(deadline).await?;
                session.select(&fresh);
                for page in old {
                    page.close(deadline).await?;
                }
            }
            Op::Resize => {
                let (Some(width @ 1..=LARGEST), Some(height @ 1..=LARGEST)) = (args.width, args.height) else {
                    let what = format!("resize takes width and height, 1 to {LARGEST}");
                    return Err(ToolError::invalid(what, "give both"));
                };
                named(session, args.tab.as_deref(), deadline).await?.resize(width, height, deadline).await?;
            }
        }
        Ok(list(session, deadline).await)
    })
}

async fn named(session: &AgentSession, tab: Option<&str>, deadline: Deadline) -> Result<Page, ToolError> {
    let Some(tab) = tab else { return Ok(session.page(deadline).await?) };
    if session.gone() {
        return Err(PageError::BrowserGone.into());
    }
    session.context().page(tab).ok_or_else(|| {
        let open: Vec<String> = session.context().pages().iter().map(|page| page.tab().to_owned()).collect();
        ToolError::invalid(format!("there is no tab `{tab}`"), format!("use one of {}", open.join(", ")))
    })
}

async fn list(session: &AgentSession, deadline: Deadline) -> ToolReply {
    let current = session.current_tab();
    let pages = session.context().pages();
    // A tab that hangs has no title, and does not keep the others from being listed.
    let bound = deadline.at_most(std::time::Duration::from_secs(1));
    let titles = futures::future::join_all(pages.iter().map(|page| page.title(bound))).await;
    let (mut lines, mut tabs) = (vec![], vec![]);
    for (page, title) in pages.iter().zip(titles) {
        let title = title.unwrap_or_default();
        let (tab, url) = (page.tab(), page.url());
        let mark = if tab == current { "*" } else { " " };
        lines.push(format!("{mark} {tab} {title:?} {url}"));
        tabs.push(json!({"tab": tab, "url": url, "title": title, "current": tab == current}));
    }
    ToolReply::ok(lines.join("\n"), json!({"ok": true, "current": current, "tabs": Value::Array(tabs)}))
}
