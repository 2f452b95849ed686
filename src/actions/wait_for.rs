//! `wait_for`: until something is there, is gone, or is in a state; the reply is one line.

use std::time::{Duration, Instant};

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
    page::{error::PageError, resolve::ResolveError, tab::Page},
    spec::{deadline::Deadline, tool::Tier},
};

/// How long no event of the page may keep a look away: most changes of a page have none.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// Bound on asking one frame for its text.
const FRAME: Duration = Duration::from_secs(2);
/// States of a node that can be waited for.
const STATES: [&str; 8] = ["visible", "hidden", "enabled", "disabled", "checked", "unchecked", "attached", "detached"];

/// What to wait for; all that is given must hold at once.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// A text that is to be seen.
    pub text: Option<String>,
    /// A text that is to be gone.
    pub gone: Option<String>,
    /// The address: a part of it, or a pattern with `*`.
    pub url: Option<String>,
    pub node_id: Option<String>,
    /// State of the node, `visible` when none is given.
    pub state: Option<String>,
    /// A time, in milliseconds.
    pub ms: Option<u64>,
}

pub fn definition() -> Definition {
    Definition {
        name: "wait_for",
        description: "Wait until text is there or gone, the URL matches, a node has a state, or ms pass.",
        tier: Tier(0),
        permission: permission::reads("page_read"),
        aliases: &[],
        capability: None,
        schema: Schema::of([
            Field::new("text", "string", ""),
            Field::new("gone", "string", ""),
            Field::new("url", "string", "part, or pattern with *"),
            Field::new("nodeId", "string", ""),
            Field::new("state", "string", "").one_of(&STATES),
            Field::new("ms", "integer", ""),
            Field::new("timeoutMs", "integer", ""),
        ]),
        run,
    }
}

fn run(call: Call<'_>) -> Ran<'_> {
    Box::pin(async move {
        let condition: Condition = read(call.action, call.args)?;
        let page = call.session.page(call.deadline).await?;
        let took = wait(&page, &condition, call.deadline).await?;
        let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        Ok(ToolReply::ok(format!("ok after {ms} ms: {}", condition.said()), json!({"ok": true, "waitedMs": ms})))
    })
}

impl Condition {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn check(&self) -> Result<(), ToolError> {
        if self.is_empty() {
            return Err(ToolError::invalid("nothing to wait for", "give text, gone, url, nodeId or ms"));
        }
        if let Some(state) = self.state.as_deref() {
            if !STATES.contains(&state) {
                let hint = format!("use one of {}", STATES.join(", "));
                return Err(ToolError::invalid(format!("`{state}` is no state"), hint));
            }
            if self.node_id.is_none() {
                return Err(ToolError::invalid("a state without a node", "give nodeId, too"));
            }
        }
        Ok(())
    }

    /// What is waited for, for a person.
    pub fn said(&self) -> String {
        let mut parts = vec![];
        parts.extend(self.text.as_ref().map(|text| format!("text {text:?}")));
        parts.extend(self.gone.as_ref().map(|text| format!("text {text:?} gone")));
        parts.extend(self.url.as_ref().map(|url| format!("url {url:?}")));
        if let Some(id) = &self.node_id {
            parts.push(format!("{id} {}", self.state.as_deref().unwrap_or("visible")));
        }
        parts.extend(self.ms.map(|ms| format!("{ms} ms")));
        parts.join(", ")
    }
}

/// Waits until a condition holds and says how long that took.
pub async fn wait(page: &Page, condition: &Condition, deadline: Deadline) -> Result<Duration, ToolError> {
    condition.check()?;
    let started = Instant::now();
    if let Some(ms) = condition.ms {
        let pause = Duration::from_millis(ms).min(deadline.remaining());
        tokio::time::sleep(pause).await;
    }
    until(page, &Wanted::Condition(condition), deadline).await?;
    Ok(started.elapsed())
}

/// The first part of a condition that does not hold, with what is there instead.
async fn missing(page: &Page, condition: &Condition, deadline: Deadline) -> Result<Option<String>, PageError> {
    if let Some(wanted) = &condition.url {
        let url = page.url();
        if !url_matches(wanted, &url) {
            return Ok(Some(format!("the URL is {url}")));
        }
    }
    if condition.text.is_some() || condition.gone.is_some() {
        let shown = text(page, deadline).await?;
        if let Some(wanted) = condition.text.as_ref().filter(|wanted| !shown.contains(&squeezed(wanted))) {
            return Ok(Some(format!("{wanted:?} is not on the page")));
        }
        if let Some(gone) = condition.gone.as_ref().filter(|gone| shown.contains(&squeezed(gone))) {
            return Ok(Some(format!("{gone:?} is still on the page")));
        }
    }
    match &condition.node_id {
        Some(id) => in_state(page, id, condition.state.as_deref().unwrap_or("visible"), deadline).await,
        None => Ok(None),
    }
}

/// Waits until a node has a value, as text; boxes have `true` and `false`.
pub async fn value(session: &AgentSession, id: &str, wanted: &Value, deadline: Deadline) -> Result<(), ToolError> {
    let page = session.page(deadline).await?;
    until(&page, &Wanted::Value { id, value: text_of(wanted) }, deadline).await
}

/// Waits until the page has a title, exactly.
pub async fn title(session: &AgentSession, wanted: &str, deadline: Deadline) -> Result<(), ToolError> {
    let page = session.page(deadline).await?;
    until(&page, &Wanted::Title(wanted), deadline).await
}

/// What is looked for.
enum Wanted<'a> {
    Condition(&'a Condition),
    Value { id: &'a str, value: String },
    Title(&'a str),
}

impl Wanted<'_> {
    fn said(&self) -> String {
        match self {
            Self::Condition(condition) => condition.said(),
            Self::Value { id, value } => format!("{id} with value {value:?}"),
            Self::Title(title) => format!("title {title:?}"),
        }
    }

    /// What is there instead; `None` when it is there.
    async fn missing(&self, page: &Page, deadline: Deadline) -> Result<Option<String>, PageError> {
        match self {
            Self::Condition(condition) => missing(page, condition, deadline).await,
            Self::Value { id, value } => other_value(page, id, value, deadline).await,
            Self::Title(wanted) => {
                let title = page.title(deadline).await?;
                Ok((title != *wanted).then(|| format!("the title is {title:?}")))
            }
        }
    }
}

async fn other_value(page: &Page, id: &str, wanted: &str, deadline: Deadline) -> Result<Option<String>, PageError> {
    let handle = match page.resolve(id, deadline).await {
        Ok(handle) => handle,
        Err(ResolveError::Page(error)) => return Err(error),
        Err(error) => return Ok(Some(error.to_string())),
    };
    let facts = page.call(&handle, "control", &[], deadline).await?;
    if facts["secret"] == Value::Bool(true) {
        return Ok(Some(format!("{id} is a secret: its value is not read")));
    }
    let now = if facts["checked"].is_boolean() { &facts["checked"] } else { &facts["value"] };
    Ok((text_of(now) != wanted).then(|| format!("{id} has {now}")))
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Looks again and again until what is wanted is seen.
async fn until(page: &Page, wanted: &Wanted<'_>, deadline: Deadline) -> Result<(), ToolError> {
    let started = Instant::now();
    loop {
        let saw = match wanted.missing(page, deadline).await {
            Ok(None) => return Ok(()),
            Ok(Some(saw)) => saw,
            // A page that is on its way to another one is asked again.
            Err(PageError::FrameGone) => "the page was changing".to_owned(),
            Err(PageError::Timeout { .. }) if deadline.passed() => "the page did not answer".to_owned(),
            Err(error) => return Err(error.into()),
        };
        if deadline.passed() {
            return Err(ToolError::NotSeen { what: wanted.said(), after_ms: started.elapsed().as_millis(), saw });
        }
        let again = deadline.at_most(LOOK_AGAIN);
        // Whichever comes first: the next event, or the time to look again.
        let _ = tokio::time::timeout_at(again.instant().into(), page.changed()).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// The visible text of all frames, white space collapsed.
pub async fn text(page: &Page, deadline: Deadline) -> Result<String, PageError> {
    let main = page.main_frame();
    let mut all = String::new();
    for frame in page.frames_in_order() {
        let of_main = frame == main.0;
        let bound = if of_main { deadline } else { deadline.at_most(FRAME) };
        match page.call_frame(&frame, "text", &[], bound).await {
            Ok(text) => {
                all.push(' ');
                all.push_str(&squeezed(text.as_str().unwrap_or_default()));
            }
            Err(error) if of_main => return Err(error),
            Err(error) => tracing::debug!(%error, "a frame's text is not read"),
        }
    }
    Ok(all)
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

async fn in_state(page: &Page, id: &str, state: &str, deadline: Deadline) -> Result<Option<String>, PageError> {
    let handle = match page.resolve(id, deadline).await {
        Ok(handle) => handle,
        Err(ResolveError::Page(error)) => return Err(error),
        Err(_) if matches!(state, "hidden" | "detached") => return Ok(None),
        Err(error) => return Ok(Some(error.to_string())),
    };
    let facts = page.call(&handle, "control", &[], deadline).await?;
    let is = |key: &str| facts[key] == Value::Bool(true);
    let holds = match state {
        "attached" => true,
        "detached" => false,
        "visible" => is("shown"),
        "hidden" => !is("shown"),
        "disabled" => is("disabled"),
        "enabled" => !is("disabled"),
        "checked" => is("checked"),
        _ => !is("checked"),
    };
    Ok((!holds).then(|| format!("{id} is not {state}")))
}

/// Whether an address has a part, or matches a pattern with `*` as a whole.
fn url_matches(wanted: &str, url: &str) -> bool {
    if !wanted.contains('*') {
        return url.contains(wanted);
    }
    let mut parts = wanted.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = url.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (at, part) in parts.iter().enumerate() {
        if at + 1 == parts.len() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(found) => rest = &rest[found + part.len()..],
            None => return false,
        }
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests;
