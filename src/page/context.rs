//! One isolated browser context: its own cookies, storage and cache.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    cdp::browser::Browser,
    page::{error::PageError, tab::Page},
    spec::deadline::Deadline,
};

/// An isolated profile within a browser.
#[derive(Clone)]
pub struct Context {
    browser: Browser,
    id: Option<String>,
    viewport: (u32, u32),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    browser_context_id: String,
}

impl Context {
    /// A fresh context whose pages have `viewport` CSS px.
    pub async fn new(browser: &Browser, viewport: (u32, u32), deadline: Deadline) -> Result<Self, PageError> {
        let root = browser.root();
        let reply = root.call_raw("Target.createBrowserContext", json!({"disposeOnDetach": true}), deadline).await?;
        let created: Created = parse(&reply, "Target.createBrowserContext")?;
        Ok(Self { browser: browser.clone(), id: Some(created.browser_context_id), viewport })
    }

    /// The browser's own context, which a persistent profile lives in.
    pub fn default_of(browser: &Browser, viewport: (u32, u32)) -> Self {
        Self { browser: browser.clone(), id: None, viewport }
    }

    /// Opens a blank page.
    pub async fn new_page(&self, deadline: Deadline) -> Result<Page, PageError> {
        Page::open(&self.browser, self.id.as_deref(), self.viewport, deadline).await
    }

    /// Closes all its pages and forgets its data.
    pub async fn close(&self, deadline: Deadline) -> Result<(), PageError> {
        let Some(id) = &self.id else { return Ok(()) };
        let params = json!({"browserContextId": id});
        self.browser.root().call_raw("Target.disposeBrowserContext", params, deadline).await?;
        Ok(())
    }
}

/// Decodes a raw reply, naming the method when it has another shape.
pub(crate) fn parse<'a, T: Deserialize<'a>>(
    reply: &'a serde_json::value::RawValue,
    method: &str,
) -> Result<T, PageError> {
    serde_json::from_str(reply.get()).map_err(|error| {
        PageError::Cdp(crate::cdp::error::CdpError::Decode { method: method.to_owned(), message: error.to_string() })
    })
}

/// A raw reply as a value.
pub(crate) fn value(reply: &serde_json::value::RawValue) -> Value {
    serde_json::from_str(reply.get()).unwrap_or(Value::Null)
}
