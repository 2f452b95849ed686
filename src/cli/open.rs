//! A browser and a page for one command, and their end however the command ends.

use crate::{
    cdp::browser::{Browser, LaunchOptions},
    cli::{args::BrowserArgs, failure::Failure},
    page::{
        context::Context,
        navigation::{self, Navigation, WaitUntil},
        tab::Page,
    },
    spec::deadline::Deadline,
};

/// A page that has been opened.
pub struct Opened {
    pub page: Page,
    pub navigation: Navigation,
    pub deadline: Deadline,
    browser: Browser,
}

/// Starts or reaches the browser.
pub async fn browser(args: &BrowserArgs, deadline: Deadline) -> Result<Browser, Failure> {
    Ok(match &args.cdp {
        Some(url) => Browser::connect(url, deadline).await?,
        None => {
            let options = LaunchOptions {
                executable: args.browser.clone(),
                allow_no_sandbox: args.allow_no_sandbox,
                profile: args.profile.clone(),
                viewport: args.viewport,
                base: std::env::temp_dir(),
                ..LaunchOptions::default()
            };
            Browser::launch(options, deadline).await?
        }
    })
}

/// Opens `url` in a fresh page.
pub async fn page(args: &BrowserArgs, url: &str) -> Result<Opened, Failure> {
    navigation::check(url)?;
    let deadline = Deadline::after_ms(args.timeout);
    let browser = browser(args, deadline).await?;
    match visit(&browser, args, url, deadline).await {
        Ok((page, navigation)) => Ok(Opened { page, navigation, deadline, browser }),
        Err(failure) => {
            browser.close().await;
            Err(failure)
        }
    }
}

async fn visit(
    browser: &Browser,
    args: &BrowserArgs,
    url: &str,
    deadline: Deadline,
) -> Result<(Page, Navigation), Failure> {
    let context = if args.profile.is_some() {
        Context::default_of(browser, args.viewport)
    } else {
        Context::new(browser, args.viewport, deadline).await?
    };
    let page = context.new_page(deadline).await?;
    let navigation = page.goto(url, WaitUntil::Load, deadline).await?;
    Ok((page, navigation))
}

impl Opened {
    /// Ends the browser if it is ours, else the page.
    pub async fn close(self) {
        if self.browser.is_remote() {
            // The browser may be on its way out, too; its page goes with it.
            let _ = self.page.close(Deadline::after_ms(2_000)).await;
        }
        self.browser.close().await;
    }
}
