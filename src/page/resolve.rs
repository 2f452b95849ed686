//! From a node id to an element: WCI ids, refs and locators, by the grammar of DESIGN 4.1.
//!
//! ```text
//! node id = { "frame=" (ref | css) " >> " } ( wci id | ref | locator )
//! locator = "css=" selector | "role=" role [ "[name=" text "]" ] | "label=" text | "text=" text | "testid=" id
//! text    = quoted: exactly so | bare: exactly so, else as a part, whatever the case
//! ```
//! A WCI id wins over a ref of the same spelling. Without a frame, the top document is searched before all frames.

use std::{sync::PoisonError, time::Duration};

use futures::future::join_all;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    cdp::session::Session,
    page::{error::PageError, frames::FrameId, tab::Page, worlds::World},
    spec::{
        action::{ActionError, ErrorCode, Reason},
        deadline::Deadline,
    },
};

/// How long a frame below the top one may take to answer before it is left out.
const FRAME: Duration = Duration::from_secs(2);

/// An element of a frame, held by the browser.
#[derive(Debug, Clone)]
pub struct Handle {
    pub frame: FrameId,
    pub session: Session,
    /// In our isolated world.
    pub object_id: String,
    /// Its ref, also when it was found by another id.
    pub node_ref: String,
}

/// Why there is no one element.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ResolveError {
    #[error("no element is `{id}`")]
    NotFound { id: String, candidates: Vec<String> },
    #[error("`{id}` means {count} elements")]
    Ambiguous { id: String, count: u64, candidates: Vec<String> },
    #[error("the element of `{id}` is gone")]
    Stale { id: String, candidates: Vec<String> },
    #[error("`{id}` is no locator: {why}")]
    BadLocator { id: String, why: String },
    #[error(transparent)]
    Page(#[from] PageError),
}

impl ResolveError {
    /// The contract's reason; a node that never was has none but its code.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::NotFound { .. } => None,
            Self::Ambiguous { .. } => Some(Reason::Ambiguous),
            Self::Stale { .. } => Some(Reason::Stale),
            Self::BadLocator { .. } => Some(Reason::InvalidValue),
            Self::Page(error) => Some(error.reason()),
        }
    }

    pub fn code(&self) -> ErrorCode {
        self.reason().map_or(ErrorCode::NodeNotFound, Reason::code)
    }

    /// The error in the words of the contract; for a node that is not there, in those of the WCI reference.
    pub fn coded(&self) -> ActionError {
        let near = match self.candidates() {
            [] => String::new(),
            near => format!(" Near it: {}.", near.join(", ")),
        };
        let (message, hint) = match self {
            // A locator is no id: the reference has no words for it.
            Self::NotFound { id, .. }
                if !matches!(NodeId::parse(id), Ok(NodeId { locator: Locator::Plain(_), .. })) =>
            {
                (self.to_string(), format!("Take a view, or look for it with find.{near}"))
            }
            Self::NotFound { id, .. } => (
                format!("No element with data-wci-id=\"{id}\" found in the DOM."),
                format!("Verify the node ID from the distilled view. The page may have navigated.{near}"),
            ),
            Self::Stale { .. } => {
                (self.to_string(), format!("Take a new view: the element was removed or replaced.{near}"))
            }
            Self::Ambiguous { .. } => (self.to_string(), format!("Use one of the refs.{near}")),
            Self::BadLocator { .. } => {
                (self.to_string(), "Use a ref, a WCI id, or css= role= label= text= testid=.".to_owned())
            }
            Self::Page(error) => return error.coded(),
        };
        ActionError { code: self.code(), message, hint, reason: self.reason() }
    }

    /// Ids or descriptions of what may have been meant.
    pub fn candidates(&self) -> &[String] {
        match self {
            Self::NotFound { candidates, .. } | Self::Ambiguous { candidates, .. } | Self::Stale { candidates, .. } => {
                candidates
            }
            Self::BadLocator { .. } | Self::Page(_) => &[],
        }
    }
}

/// A node id, taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeId {
    /// Frame elements to go through, outermost first.
    pub frames: Vec<FrameStep>,
    pub locator: Locator,
}

/// A frame element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameStep {
    Ref(String),
    Css(String),
}

/// What names the element within its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Locator {
    /// A WCI id or a ref.
    Plain(String),
    Css(String),
    Role {
        role: String,
        name: Option<Text>,
    },
    Label(Text),
    Text(Text),
    TestId(String),
}

/// A text to compare with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    /// Quoted: no part, no other case.
    pub exact: bool,
}

impl NodeId {
    /// Takes an id apart; `Err` says what is wrong with it.
    pub fn parse(id: &str) -> Result<Self, String> {
        let mut frames = vec![];
        let mut rest = id.trim();
        while let Some(step) = rest.strip_prefix("frame=") {
            let Some((step, after)) = step.split_once(" >> ") else {
                return Err("` >> ` and a node id follow a `frame=`".into());
            };
            let step = step.trim();
            frames.push(match step.strip_prefix("css=").unwrap_or(step) {
                "" => return Err("`frame=` names a ref or a CSS selector".into()),
                css if is_ref(css) && !step.starts_with("css=") => FrameStep::Ref(css.to_owned()),
                css => FrameStep::Css(css.to_owned()),
            });
            rest = after.trim_start();
        }
        Ok(Self { frames, locator: Locator::parse(rest)? })
    }
}

impl Locator {
    fn parse(text: &str) -> Result<Self, String> {
        let Some((kind, value)) = text.split_once('=') else {
            return if text.is_empty() { Err("it is empty".into()) } else { Ok(Self::Plain(text.to_owned())) };
        };
        let filled = |value: &str| {
            if value.trim().is_empty() {
                Err(format!("nothing follows `{kind}=`"))
            } else {
                Ok(value.trim().to_owned())
            }
        };
        Ok(match kind {
            "css" => Self::Css(filled(value)?),
            "role" => parse_role(&filled(value)?)?,
            "label" => Self::Label(Text::parse(&filled(value)?)?),
            "text" => Self::Text(Text::parse(&filled(value)?)?),
            "testid" => Self::TestId(Text::parse(&filled(value)?)?.text),
            // A WCI id may hold what it likes.
            _ => Self::Plain(text.to_owned()),
        })
    }

    /// Kind and arguments for the shim.
    fn query(&self) -> [Value; 3] {
        let text = |text: &Text| json!({"text": text.text, "exact": text.exact});
        match self {
            Self::Plain(id) => [json!("wci"), json!(id), Value::Null],
            Self::Css(css) => [json!("css"), json!(css), Value::Null],
            Self::Role { role, name } => [json!("role"), json!(role), name.as_ref().map_or(Value::Null, text)],
            Self::Label(label) => [json!("label"), text(label), Value::Null],
            Self::Text(wanted) => [json!("text"), text(wanted), Value::Null],
            Self::TestId(id) => [json!("testid"), json!(id), Value::Null],
        }
    }
}

impl Text {
    fn parse(text: &str) -> Result<Self, String> {
        let mut letters = text.chars();
        let quote = match letters.next() {
            Some(quote @ ('"' | '\'')) => quote,
            _ => return Ok(Self { text: text.to_owned(), exact: false }),
        };
        let mut read = String::new();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => read.extend(letters.next()),
                end if end == quote => {
                    return if letters.as_str().trim().is_empty() {
                        Ok(Self { text: read, exact: true })
                    } else {
                        Err(format!("`{}` follows the closing quote", letters.as_str()))
                    };
                }
                other => read.push(other),
            }
        }
        Err("the quote is not closed".into())
    }
}

fn parse_role(text: &str) -> Result<Locator, String> {
    let (role, rest) = text.split_once('[').map_or((text, None), |(role, rest)| (role, Some(rest)));
    let role = role.trim();
    if role.is_empty() || !role.chars().all(|letter| letter.is_ascii_lowercase()) {
        return Err(format!("`{role}` is no role"));
    }
    let name = match rest {
        None => None,
        Some(rest) => {
            let inside = rest.trim_end().strip_suffix(']').ok_or("`]` is missing")?;
            let name = inside.trim().strip_prefix("name=").ok_or("only `[name=\"…\"]` may follow a role")?;
            Some(Text::parse(name.trim())?)
        }
    };
    Ok(Locator::Role { role: role.to_owned(), name })
}

/// Whether a text is spelled as a ref: `e12`.
fn is_ref(text: &str) -> bool {
    text.strip_prefix('e').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What the shim says to a query.
#[derive(Debug, Default, Deserialize)]
struct Found {
    total: u64,
    ids: Vec<u64>,
    said: Vec<String>,
    error: Option<String>,
}

struct FoundIn {
    frame: String,
    world: World,
    found: Found,
}

/// How long the first looks for an element that is not there yet are apart; later ones are farther.
const LOOKS: [u64; 5] = [0, 20, 100, 100, 250];

impl Page {
    /// As `resolve`, but a WCI id or a locator that means nothing yet is asked for again until `patience` is over. A ref
    /// that is gone stays gone.
    pub async fn resolve_within(
        &self,
        id: &str,
        patience: Deadline,
        deadline: Deadline,
    ) -> Result<Handle, ResolveError> {
        let last = id.rsplit(" >> ").next().unwrap_or(id).trim();
        let comes = !is_ref(last);
        let mut looks = 0;
        loop {
            let error = match self.resolve(id, deadline).await {
                Ok(handle) => return Ok(handle),
                Err(error) => error,
            };
            let may_come = match &error {
                ResolveError::NotFound { .. } | ResolveError::Stale { .. } => comes,
                ResolveError::Page(error) => comes && matches!(error, PageError::FrameGone),
                ResolveError::Ambiguous { .. } | ResolveError::BadLocator { .. } => false,
            };
            let wait = Duration::from_millis(LOOKS[looks.min(LOOKS.len() - 1)]);
            if !may_come || patience.remaining() <= wait {
                return Err(error);
            }
            looks += 1;
            tokio::time::sleep(wait).await;
        }
    }

    /// The one element that an id means, wherever it is.
    pub async fn resolve(&self, id: &str, deadline: Deadline) -> Result<Handle, ResolveError> {
        let parsed = NodeId::parse(id).map_err(|why| ResolveError::BadLocator { id: id.to_owned(), why })?;
        let scope = self.scope(id, &parsed.frames, deadline).await?;
        let hits = self.search(id, &parsed.locator, scope.as_deref(), deadline).await?;
        if let Locator::Plain(plain) = &parsed.locator {
            // Of several elements with one WCI id, the first is meant, as `querySelector` has it.
            if let Some(hit) = hits.first() {
                return self.hold(id, hit, deadline).await;
            }
            let known = self.inner.refs.lock().unwrap_or_else(PoisonError::into_inner).lookup(plain);
            return match known {
                Some((frame, document, number)) => self.by_ref(plain, &frame, document, number, deadline).await,
                None => {
                    Err(ResolveError::NotFound { id: id.to_owned(), candidates: self.nearest(plain, deadline).await })
                }
            };
        }
        let count: u64 = hits.iter().map(|hit| hit.found.total).sum();
        match (count, hits.first()) {
            (1, Some(hit)) => self.hold(id, hit, deadline).await,
            (0, _) | (_, None) => {
                Err(ResolveError::NotFound { id: id.to_owned(), candidates: self.nearest(id, deadline).await })
            }
            (count, Some(_)) => {
                let candidates = hits.iter().flat_map(|hit| self.named(hit)).take(5).collect();
                Err(ResolveError::Ambiguous { id: id.to_owned(), count, candidates })
            }
        }
    }

    /// The frame that a scope leads to; `None` without one.
    async fn scope(&self, id: &str, steps: &[FrameStep], deadline: Deadline) -> Result<Option<String>, ResolveError> {
        let mut within: Option<String> = None;
        for step in steps {
            let element = match step {
                FrameStep::Ref(node_ref) => Box::pin(self.resolve(node_ref, deadline)).await?,
                FrameStep::Css(css) => {
                    let top = within.clone().unwrap_or_else(|| self.main_frame().0);
                    let hits = self.search(id, &Locator::Css(css.clone()), Some(&top), deadline).await?;
                    match hits.first() {
                        Some(hit) if hit.found.total == 1 => self.hold(css, hit, deadline).await?,
                        Some(hit) => {
                            let (count, candidates) = (hit.found.total, self.named(hit));
                            return Err(ResolveError::Ambiguous { id: css.clone(), count, candidates });
                        }
                        None => return Err(ResolveError::NotFound { id: css.clone(), candidates: vec![] }),
                    }
                }
            };
            let Some(inside) = self.frame_inside(&element, deadline).await? else {
                let why = format!("`{}` is no frame", element.node_ref);
                return Err(ResolveError::BadLocator { id: id.to_owned(), why });
            };
            // A frame that has just moved to its own process is about to be reported.
            let known = |state: &super::state::State| state.frames.contains(&inside).then_some(());
            self.inner.wait("the frame", deadline.at_most(FRAME), known).await?;
            within = Some(inside.0);
        }
        Ok(within)
    }

    /// Where a locator finds something: in `scope`, or in the top document, or else in the frames.
    async fn search(
        &self,
        id: &str,
        locator: &Locator,
        scope: Option<&str>,
        deadline: Deadline,
    ) -> Result<Vec<FoundIn>, ResolveError> {
        let query = locator.query();
        let ask = |frame: String, deadline: Deadline| {
            let query = &query;
            async move {
                let (world, reply) = self.call_world(&frame, "query", query, deadline).await?;
                let found = serde_json::from_value(reply).unwrap_or_default();
                Ok::<_, PageError>(FoundIn { frame, world, found })
            }
        };
        let main = self.main_frame().0;
        let first = ask(scope.unwrap_or(&main).to_owned(), deadline);
        let mut others = vec![];
        if scope.is_none() {
            // A frame without a world has nothing yet; one that hangs must not hold up the rest.
            let frames = self.frames_in_order().into_iter().filter(|frame| *frame != main);
            others.extend(frames.filter(|frame| self.world(frame).is_some()));
        }
        let others = join_all(others.into_iter().map(|frame| ask(frame, deadline.at_most(FRAME))));
        let (first, others) = futures::join!(first, others);
        let first = first?;
        if let Some(why) = first.found.error {
            return Err(ResolveError::BadLocator { id: id.to_owned(), why });
        }
        if first.found.total > 0 {
            return Ok(vec![first]);
        }
        Ok(others.into_iter().flatten().filter(|hit| hit.found.total > 0).collect())
    }

    async fn by_ref(
        &self,
        node_ref: &str,
        frame: &str,
        document: i64,
        number: u64,
        deadline: Deadline,
    ) -> Result<Handle, ResolveError> {
        // A ref is of one document: in another one of the same frame its number means another element.
        let world = self.world(frame).filter(|world| world.document == document);
        let handle = match &world {
            Some(world) => self.handle(frame, world, number, deadline).await?,
            None => None,
        };
        match handle {
            Some(handle) => Ok(handle),
            None => {
                let candidates = self.nearest(node_ref, deadline).await;
                Err(ResolveError::Stale { id: node_ref.to_owned(), candidates })
            }
        }
    }

    async fn hold(&self, id: &str, hit: &FoundIn, deadline: Deadline) -> Result<Handle, ResolveError> {
        let handle = match hit.found.ids.first() {
            Some(number) => self.handle(&hit.frame, &hit.world, *number, deadline).await?,
            None => None,
        };
        handle.ok_or_else(|| ResolveError::Stale { id: id.to_owned(), candidates: vec![] })
    }

    /// The handle of an element's number; `None` when the element or its document is gone.
    pub(crate) async fn handle(
        &self,
        frame: &str,
        world: &World,
        number: u64,
        deadline: Deadline,
    ) -> Result<Option<Handle>, PageError> {
        let held = self.element(frame, world, number, deadline).await?;
        Ok(held.map(|(session, object_id)| Handle {
            frame: FrameId(frame.to_owned()),
            session,
            object_id,
            node_ref: self.ref_of(frame, world.document, number),
        }))
    }

    pub(crate) fn ref_of(&self, frame: &str, document: i64, number: u64) -> String {
        self.inner.refs.lock().unwrap_or_else(PoisonError::into_inner).get(frame, document, number)
    }

    /// What was found, for an error: `e5 (button "Go")`.
    fn named(&self, hit: &FoundIn) -> Vec<String> {
        let pairs = hit.found.ids.iter().zip(&hit.found.said);
        pairs
            .map(|(number, said)| format!("{} ({said})", self.ref_of(&hit.frame, hit.world.document, *number)))
            .collect()
    }

    /// WCI ids near one that is not there.
    async fn nearest(&self, wanted: &str, deadline: Deadline) -> Vec<String> {
        let main = self.main_frame();
        let args = [json!(wanted)];
        let asked = self.call_frame(&main, "nearest", &args, deadline.at_most(FRAME));
        asked.await.ok().and_then(|near| serde_json::from_value(near).ok()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
