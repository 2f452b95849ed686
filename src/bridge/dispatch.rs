//! The one way to act: an action request in, an action result out.
//!
//! # The order of things
//! 1. The node is found (`NODE_NOT_FOUND`), its precondition looked at (`PRECONDITION_UNMET`), then the verb
//!    (`ACTION_NOT_SUPPORTED`): the order of the WCI reference.
//! 2. What the page and its annotated nodes say is noted.
//! 3. The verb is done as input; see `target` for what must hold before.
//! 4. The observed state is written back and the page's events are emitted.
//! 5. The page comes to rest; see `settle`.
//! 6. The receipt is made of what was seen in between.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use futures::future::join_all;
use serde_json::{Map, Value, json};

use super::{
    control::{Concluded, Control, Counts, Late, read},
    controls::text_of,
    failure::Failure,
    keyboard::chord,
    pointer::{Gesture, modifiers},
    receipt::{Seen, gone_state, own_state},
    settle::{Since, settle},
    target::{Needs, Target},
};
use crate::{
    page::{error::PageError, frames::FrameId, navigation, navigation::WaitUntil, tab::Page},
    spec::{
        action::{
            ActionError, ActionOptions, ActionRequest, ActionResult, ErrorCode, Reason, SideEffect, StateChange, Verb,
        },
        deadline::Deadline,
    },
};

/// How long an element is waited for where the request names no deadline.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a frame that is not the target's may take to answer.
const FRAME: Duration = Duration::from_millis(500);
/// How long a title may take.
const TITLE: Duration = Duration::from_millis(500);

/// What an action may go by.
#[derive(Debug, Clone)]
pub struct BridgeOptions {
    /// Directories that files may be uploaded from.
    pub upload_roots: Vec<PathBuf>,
    /// Deadline of an action that names none.
    pub default_timeout: Duration,
    /// The ref of the element that was judged, where a policy judged it: that one is acted on, whatever the id means now.
    pub judged: Option<String>,
    /// The result's timestamp: RFC 3339, UTC, milliseconds.
    pub now: String,
}

/// One action under way.
pub(crate) struct Act<'a> {
    pub page: &'a Page,
    pub request: &'a ActionRequest,
    /// What the element is found by.
    pub target: &'a str,
    pub options: ActionOptions,
    pub upload_roots: &'a [PathBuf],
    pub deadline: Deadline,
    /// Until when an element is waited for.
    pub patience: Deadline,
    pub started: Instant,
}

/// What a verb did.
#[derive(Debug, Default)]
struct Did {
    /// What received the pointer.
    hit: Option<String>,
    /// State that only the verb knows.
    patch: Option<Map<String, Value>>,
}

/// A success, before it is a result.
struct Done {
    value: Option<Value>,
    state_change: Option<StateChange>,
    side_effects: Vec<SideEffect>,
    observed: crate::spec::action::Observed,
}

/// Does an action. It never fails: what went wrong is in the result.
pub async fn dispatch(page: &Page, request: &ActionRequest, options: &BridgeOptions) -> ActionResult {
    let own = request.options.clone().unwrap_or_default();
    let asked = own.timeout_ms.map(Duration::from_millis);
    let deadline = Deadline::after(asked.unwrap_or(options.default_timeout));
    let act = Act {
        page,
        request,
        target: options.judged.as_deref().unwrap_or(&request.node_id),
        upload_roots: &options.upload_roots,
        deadline,
        patience: if asked.is_some() { deadline } else { deadline.at_most(PATIENCE) },
        options: own,
        started: Instant::now(),
    };
    let blank = ActionResult {
        success: false,
        node_id: request.node_id.clone(),
        action: request.action.clone(),
        value: None,
        timestamp: options.now.clone(),
        state_change: None,
        side_effects: vec![],
        error: None,
        observed: None,
    };
    match act.run().await {
        Ok(done) => ActionResult {
            success: true,
            value: done.value,
            state_change: done.state_change,
            side_effects: done.side_effects,
            observed: Some(done.observed),
            ..blank
        },
        Err(failure) => ActionResult { error: Some(failure.coded_error()), ..blank },
    }
}

impl Act<'_> {
    async fn run(&self) -> Result<Done, Failure> {
        if let Some(open) = self.page.dialog() {
            return Err(PageError::DialogOpen(open).into());
        }
        let id = &self.request.node_id;
        if id.is_empty() {
            return self.on_page(self.verb()?).await;
        }
        let mut target = self.find(self.target).await?;
        let control = &target.begun.control;
        if let Some(precondition) = control.precondition.as_deref().filter(|text| !text.is_empty() && control.barred) {
            return Err(Failure::coded(
                ErrorCode::PreconditionUnmet,
                format!("Precondition not met for \"{id}\": {precondition}"),
                "Satisfy the listed precondition before dispatching this action.",
            ));
        }
        let verb = self.verb()?;
        target = self.retarget(verb, target).await?;
        let since = self.since(target.handle.frame.clone(), target.begun.counts);
        let elsewhere = self.elsewhere(&since.frame).await;
        let before = target.begun.control.clone();
        let did = self.perform(verb, &mut target).await?;
        self.conclude(verb, &target, before, did, &since, elsewhere).await
    }

    fn verb(&self) -> Result<Verb, Failure> {
        let (id, action) = (&self.request.node_id, &self.request.action);
        Verb::parse(action).ok_or_else(|| {
            let known: Vec<&str> = Verb::ALL.into_iter().map(Verb::name).collect();
            let message =
                format!("Unknown action \"{action}\" on node \"{id}\". Supported actions: {}.", known.join(", "));
            Failure::coded(ErrorCode::ActionNotSupported, message, "Use one of the listed action verbs.")
        })
    }

    /// The control of a label, for verbs that only a control takes, unless the label itself is annotated.
    async fn retarget(&self, verb: Verb, target: Target) -> Result<Target, Failure> {
        let for_controls = matches!(
            verb,
            Verb::Fill | Verb::Select | Verb::Check | Verb::Upload | Verb::Focus | Verb::Clear | Verb::Type
        );
        match target.begun.control.label.filter(|_| for_controls && !target.begun.control.annotated) {
            Some(number) => match self.page.beside(&target.handle, number, self.deadline).await? {
                Some(handle) => self.begin(handle).await,
                None => Ok(target),
            },
            None => Ok(target),
        }
    }

    fn since(&self, frame: FrameId, counts: Counts) -> Since {
        let marker = self.page.marker();
        let loading = self.page.since(&marker).load_pending;
        Since { marker, frame, counts, loading }
    }

    async fn perform(&self, verb: Verb, target: &mut Target) -> Result<Did, Failure> {
        let value = self.request.value.as_ref();
        let pointer = Needs { position: self.options.position, ..Needs::POINTER };
        let press = |button, clicks| Gesture::of(&self.options, button, clicks);
        let hit = |hit| Ok(Did { hit, patch: None });
        match verb {
            Verb::Click => hit(self.press(target, pointer, &press(None, 1)?).await?),
            Verb::DoubleClick => hit(self.press(target, pointer, &press(None, 2)?).await?),
            Verb::RightClick => hit(self.press(target, pointer, &press(Some("right"), 1)?).await?),
            Verb::Hover => {
                self.hover(target, Needs { enabled: false, ..pointer }, modifiers(&self.options.modifiers)?).await?;
                Ok(Did::default())
            }
            Verb::Fill => {
                self.fill(target, &value.map(text_of).unwrap_or_default()).await?;
                Ok(Did::default())
            }
            Verb::Type => {
                self.type_into(target, &self.text()?).await?;
                Ok(Did::default())
            }
            Verb::Clear => {
                self.clear(target).await?;
                Ok(Did::default())
            }
            Verb::Press => {
                let chords = self.chords()?;
                self.ready(target, Needs { enabled: true, ..Needs::default() }).await?;
                if !target.begun.control.focused {
                    self.focus_on(target).await?;
                }
                for chord in chords {
                    self.chord(chord).await?;
                }
                Ok(Did::default())
            }
            Verb::Select => {
                self.select(target, value).await?;
                Ok(Did::default())
            }
            Verb::Check => hit(self.check(target, value).await?),
            Verb::Upload => {
                self.upload(target, value).await?;
                Ok(Did::default())
            }
            Verb::Submit => hit(self.submit(target).await?),
            Verb::Focus => {
                self.ready(target, Needs::SHOWN).await?;
                self.focus_on(target).await?;
                Ok(Did::default())
            }
            Verb::Navigate => self.follow(target).await,
            Verb::Scroll => {
                self.scroll(target).await?;
                Ok(Did::default())
            }
            Verb::Drag => {
                self.drag(target, value).await?;
                Ok(Did::default())
            }
        }
    }

    /// Actions on no node: keys to where the focus is, the wheel over the middle, an address.
    async fn on_page(&self, verb: Verb) -> Result<Done, Failure> {
        let main = self.page.main_frame();
        let counts: Counts = read(self.page.call_frame(&main.0, "version", &[], self.deadline).await?)?;
        let since = self.since(main.clone(), counts);
        let elsewhere = self.elsewhere(&main).await;
        match verb {
            Verb::Press => {
                for chord in self.chords()? {
                    self.chord(chord).await?;
                }
            }
            Verb::Type => self.type_text(&self.text()?).await?,
            Verb::Scroll => {
                let size = self.page.call_frame(&main.0, "viewport", &[], self.deadline).await?;
                let size = |key: &str| size[key].as_f64().unwrap_or_default();
                let (width, height) = (size("width"), size("height"));
                let by = scroll_by(self.request.value.as_ref(), height)?.unwrap_or((0.0, height * PAGE));
                self.wheel((width / 2.0, height / 2.0), by).await?;
            }
            Verb::Navigate => {
                let href = self.request.value.as_ref().map(text_of).unwrap_or_default();
                self.go(&href, &self.page.url()).await?;
            }
            _ => {
                let message = "the nodeId is empty".to_owned();
                let hint = "Name a node of the view; only press, type, scroll and navigate work without one.";
                return Err(Failure::coded(ErrorCode::NodeNotFound, message, hint));
            }
        }
        let settled = settle(self.page, &since, self.deadline).await;
        let after = self.counts_of(&main).await.unwrap_or(counts);
        let moved = self.elsewhere(&main).await != elsewhere;
        let title = self.title(&settled).await;
        let seen = Seen {
            page: self.page,
            verb,
            settled,
            before: None,
            after: None,
            counts: (counts, after),
            elsewhere: moved,
            hit: None,
            late: vec![],
            title,
        };
        Ok(Done {
            value: self.request.value.clone(),
            state_change: None,
            side_effects: vec![],
            observed: seen.observed(),
        })
    }

    /// Steps 4 to 6.
    async fn conclude(
        &self,
        verb: Verb,
        target: &Target,
        before: Control,
        did: Did,
        since: &Since,
        elsewhere: Vec<Option<Counts>>,
    ) -> Result<Done, Failure> {
        let mut told =
            json!({"nodeId": before.wci_id.as_deref().unwrap_or(&self.request.node_id), "verb": verb.name()});
        if let Some(value) = self.request.value.clone() {
            told["value"] = value;
        }
        if let Some(patch) = did.patch.clone() {
            told["patch"] = patch.into();
        }
        let first = self.page.call(&target.handle, "conclude", &[told], self.deadline).await;
        let first: Option<Concluded> = first.ok().and_then(|reply| read(reply).ok());
        let settled = settle(self.page, since, self.deadline).await;
        let same_document = !settled.log.navigated && self.page.dialog().is_none();
        let late = match &first {
            Some(_) if same_document => self.page.call(&target.handle, "late", &[], self.deadline).await.ok(),
            _ => None,
        };
        let late: Option<Late> = late.and_then(|reply| read(reply).ok());
        let moved = {
            let now = self.elsewhere(&since.frame).await;
            elsewhere.iter().zip(&now).any(|(before, now)| before.is_some() && now.is_some() && before != now)
        };
        let counts = late.as_ref().map(|late| late.counts).or(first.as_ref().map(|first| first.counts));
        let after = late.as_ref().map(|late| &late.control).or(first.as_ref().map(|first| &first.control));
        let title = self.title(&settled).await;
        let gone = settled.log.navigated;
        let state_change = match (&first, after) {
            (Some(Concluded { change: Some(change), .. }), _) => {
                Some(StateChange { before: change.before.clone(), after: change.after.clone() })
            }
            (Some(_), Some(after)) if !before.annotated => own_state(&before, after),
            (None, _) if gone && before.annotated => gone_state(verb, Map::new(), did.patch.as_ref()),
            _ => None,
        };
        let secret = before.secret || after.is_some_and(|control| control.secret);
        let seen = Seen {
            page: self.page,
            verb,
            settled,
            before: Some(&before),
            after,
            counts: (since.counts, counts.unwrap_or(since.counts)),
            elsewhere: moved,
            hit: did.hit,
            late: late.as_ref().map(|late| late.side.clone()).unwrap_or_default(),
            title,
        };
        Ok(Done {
            observed: seen.observed(),
            value: self.request.value.clone().filter(|_| !secret),
            state_change,
            side_effects: first.map(|first| first.side).unwrap_or_default(),
        })
    }

    /// `navigate` on a node: where its link leads, else where the value says.
    async fn follow(&self, target: &mut Target) -> Result<Did, Failure> {
        let control = target.begun.control.clone();
        let href = control.href.clone().unwrap_or_else(|| self.request.value.as_ref().map(text_of).unwrap_or_default());
        if href.is_empty() {
            return Err(Failure::because(
                Reason::InvalidValue,
                format!("Cannot navigate: no href on \"{}\".", self.request.node_id),
                "Supply a destination via the request value, or add an href attribute.",
            ));
        }
        let patch = Some(Map::from_iter([("navigating".to_owned(), Value::from(href.clone()))]));
        if target.handle.frame == self.page.main_frame() {
            self.go(&href, &control.base).await?;
        } else {
            let url = address(&href, &control.base)?;
            self.page.call(&target.handle, "assign", &[json!(url.as_str())], self.deadline).await?;
        }
        Ok(Did { hit: None, patch })
    }

    async fn go(&self, href: &str, base: &str) -> Result<(), Failure> {
        let url = address(href, base)?;
        self.page.goto(url.as_str(), WaitUntil::Load, self.deadline).await?;
        Ok(())
    }

    /// `scroll` on a node: into view, or what is under it by an amount.
    async fn scroll(&self, target: &mut Target) -> Result<(), Failure> {
        let needs = Needs { position: self.options.position, ..Needs::SHOWN };
        let point = self.ready(target, needs).await?;
        let size = self.page.call_frame(&target.handle.frame.0, "viewport", &[], self.deadline).await?;
        match scroll_by(self.request.value.as_ref(), size["height"].as_f64().unwrap_or_default())? {
            Some(by) => self.wheel(point, by).await,
            None => Ok(()),
        }
    }

    fn text(&self) -> Result<String, Failure> {
        match &self.request.value {
            Some(value @ (Value::String(_) | Value::Number(_) | Value::Bool(_))) => Ok(text_of(value)),
            _ => Err(Failure::because(Reason::InvalidValue, "there is no text to type", "Give the text as value.")),
        }
    }

    fn chords(&self) -> Result<Vec<super::keyboard::Chord>, Failure> {
        let held = modifiers(&self.options.modifiers)?;
        let read = |name: &str| {
            let mut chord = chord(name)?;
            chord.modifiers |= held;
            Ok(chord)
        };
        match &self.request.value {
            Some(Value::String(name)) => Ok(vec![read(name)?]),
            Some(Value::Array(names)) if !names.is_empty() => names.iter().map(|name| read(&text_of(name))).collect(),
            _ => {
                let hint = "Give a key such as Enter, or a chord such as Control+A, as value.";
                Err(ActionError::because(Reason::InvalidValue, "there is no key to press", hint).into())
            }
        }
    }

    /// Counters of the frames that are not the target's, to see what moves there.
    async fn elsewhere(&self, own: &FrameId) -> Vec<Option<Counts>> {
        let frames = self.page.frames().into_iter().filter(|frame| frame != own);
        join_all(frames.map(|frame| async move { self.counts_of(&frame).await })).await
    }

    async fn counts_of(&self, frame: &FrameId) -> Option<Counts> {
        let asked = self.page.call_frame(&frame.0, "version", &[], self.frame_deadline()).await;
        // Focus moves between frames with every action: it is no effect.
        asked.ok().and_then(|reply| read(reply).ok()).map(|counts: Counts| Counts { focus: 0, ..counts })
    }

    /// For questions to frames that are not the target's.
    pub fn frame_deadline(&self) -> Deadline {
        self.deadline.at_most(FRAME)
    }

    async fn title(&self, settled: &super::settle::Settled) -> Option<String> {
        if !settled.log.navigated && !settled.log.url_changed {
            return None;
        }
        self.page.title(Deadline::after(TITLE)).await.ok()
    }
}

/// Part of a viewport that one step scrolls.
const PAGE: f64 = 0.8;
/// Farther than any page is long, in CSS px.
const END: f64 = 1_000_000.0;

/// How far to scroll, in CSS px to the right and down; `None` means into view.
fn scroll_by(value: Option<&Value>, height: f64) -> Result<Option<(f64, f64)>, Failure> {
    let step = height * PAGE;
    Ok(Some(match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(down)) => (0.0, down.as_f64().unwrap_or_default()),
        Some(Value::Object(by)) if by.contains_key("x") || by.contains_key("y") => {
            let of = |key: &str| by.get(key).and_then(Value::as_f64).unwrap_or_default();
            (of("x"), of("y"))
        }
        Some(Value::String(word)) => match word.as_str() {
            "down" => (0.0, step),
            "up" => (0.0, -step),
            "right" => (step, 0.0),
            "left" => (-step, 0.0),
            "top" => (0.0, -END),
            "bottom" => (0.0, END),
            other => match other.parse() {
                Ok(down) => (0.0, down),
                Err(_) => return Err(no_distance(other)),
            },
        },
        Some(other) => return Err(no_distance(&other.to_string())),
    }))
}

fn no_distance(said: &str) -> Failure {
    let hint = "Give up, down, left, right, top, bottom, a number of px, or {\"x\": 0, \"y\": 400}.";
    Failure::because(Reason::InvalidValue, format!("`{said}` is no distance to scroll"), hint)
}

/// The address that a link means, if it may be opened.
fn address(href: &str, base: &str) -> Result<url::Url, Failure> {
    let joined = match url::Url::parse(base) {
        Ok(base) => base.join(href),
        Err(_) => url::Url::parse(href),
    };
    let joined = joined.map_err(|error| {
        let message = format!("`{href}` is no address: {error}");
        Failure::because(Reason::InvalidValue, message, "Give an absolute http:// or https:// URL.")
    })?;
    Ok(navigation::check(joined.as_str())?)
}
