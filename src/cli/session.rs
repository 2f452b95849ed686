//! From the command line's options to a session's. The one place that reads the environment's temporary directory.

use std::time::Duration;

use crate::{
    actions::{
        host::HostOptions,
        permission::{ActionPolicy, Verdict},
        session::SessionOptions,
        site_cache::SiteMode,
    },
    cli::args::{BrowserArgs, DialogArg, SessionArgs, SitePolicyArg},
    page::dialogs::DialogPolicy,
};

/// Why an action that asks by default is allowed: whoever starts the command has asked for it.
const ASKED_FOR: &str = "the command line asks for it";

/// A session with nothing but a browser.
pub fn plain(browser: &BrowserArgs) -> SessionOptions {
    SessionOptions {
        host: HostOptions {
            executable: browser.browser.clone(),
            cdp: browser.cdp.clone(),
            profile: browser.profile.clone(),
            allow_no_sandbox: browser.allow_no_sandbox,
            base: std::env::temp_dir(),
            ..HostOptions::default()
        },
        viewport: browser.viewport,
        timeout: browser.timeout.map_or(SessionOptions::default().timeout, Duration::from_millis),
        ..SessionOptions::default()
    }
}

/// A session as its options want it.
pub fn options(args: &SessionArgs) -> SessionOptions {
    let mut policy = ActionPolicy::default();
    for name in std::iter::once("read_url").chain(args.caps.iter().map(String::as_str)) {
        policy.set(name, Verdict::Allow, ASKED_FOR);
    }
    SessionOptions {
        dialog: match args.dialog {
            DialogArg::Accept => DialogPolicy::Accept,
            DialogArg::Dismiss => DialogPolicy::Dismiss,
            DialogArg::Ask => DialogPolicy::Ask,
        },
        upload_roots: args.upload_root.clone(),
        caps: args.caps.clone(),
        policy,
        site: match args.site_policy {
            SitePolicyArg::Enforce => SiteMode::Enforce,
            SitePolicyArg::Ignore => SiteMode::Ignore,
        },
        allow_domains: args.allow_domain.clone(),
        deny_domains: args.deny_domain.clone(),
        allow_private: args.allow_private.clone(),
        ..plain(&args.browser)
    }
}
