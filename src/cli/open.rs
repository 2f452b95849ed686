//! A session with a page for one command, and its end however the command ends.

use crate::{
    actions::session::AgentSession,
    cli::{args::BrowserArgs, failure::Failure, session},
    page::{
        navigation::{self, Navigation, WaitUntil},
        tab::Page,
    },
    spec::deadline::Deadline,
};

/// A page that has been opened.
pub struct Opened {
    pub session: AgentSession,
    pub page: Page,
    pub navigation: Navigation,
    pub deadline: Deadline,
}

/// Opens `url` in a fresh page.
pub async fn page(args: &BrowserArgs, url: &str) -> Result<Opened, Failure> {
    navigation::check(url)?;
    let deadline = Deadline::after_ms(args.command_timeout());
    let session = AgentSession::open_by(session::plain(args), deadline).await?;
    match visit(&session, url, deadline).await {
        Ok((page, navigation)) => Ok(Opened { session, page, navigation, deadline }),
        Err(failure) => {
            session.close().await;
            Err(failure)
        }
    }
}

async fn visit(session: &AgentSession, url: &str, deadline: Deadline) -> Result<(Page, Navigation), Failure> {
    let page = session.page(deadline).await?;
    let navigation = page.goto(url, WaitUntil::Load, deadline).await?;
    Ok((page, navigation))
}
