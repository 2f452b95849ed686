//! What an action is seen to have done: observations only.

use serde_json::{Map, Value};

use super::{
    control::{Control, Counts},
    settle::Settled,
};
use crate::{
    page::tab::Page,
    spec::action::{Effect, Observed, SideEffect, StateChange, Verb},
};

/// Texts of one kind in a receipt.
const MOST: usize = 20;

/// Everything that was seen.
pub(crate) struct Seen<'a> {
    pub page: &'a Page,
    pub verb: Verb,
    pub settled: Settled,
    /// The target before and after; none for actions on the page.
    pub before: Option<&'a Control>,
    pub after: Option<&'a Control>,
    pub counts: (Counts, Counts),
    /// Something moved in another frame.
    pub elsewhere: bool,
    pub hit: Option<String>,
    pub late: Vec<SideEffect>,
    pub title: Option<String>,
}

impl Seen<'_> {
    /// The receipt.
    pub fn observed(self) -> Observed {
        let effect = self.effect();
        let log = self.settled.log;
        let after = self.after.filter(|_| effect != Effect::Navigated || !log.navigated);
        let valued = self.verb != Verb::Click || after.is_some_and(|control| control.checked.is_some());
        Observed {
            effect,
            url: matches!(effect, Effect::Navigated).then(|| self.page.url()),
            title: self.title.filter(|_| matches!(effect, Effect::Navigated)),
            hit: self.hit,
            value: after.filter(|_| valued).and_then(Control::value_json),
            validity: after.and_then(|control| control.validity.clone()),
            dialog: log.dialogs.last().cloned(),
            popup: log.popups.last().cloned(),
            download: log.downloads.last().cloned(),
            file_chooser: log.file_chooser.then_some(true),
            console: first(log.console_errors),
            failed_requests: first(log.failed_requests),
            late: self.late,
            settled_ms: u64::try_from(self.settled.took.as_millis()).unwrap_or(u64::MAX),
        }
    }

    fn effect(&self) -> Effect {
        let log = &self.settled.log;
        let (before, after) = self.counts;
        if log.navigated || log.url_changed {
            Effect::Navigated
        } else if !log.popups.is_empty() {
            Effect::Opened
        } else if before.dom != after.dom
            || before.input != after.input
            || before.scroll != after.scroll
            || (before.focus != after.focus && matches!(self.verb, Verb::Focus | Verb::Press))
            || before.submit != after.submit
            || self.elsewhere
            || !log.dialogs.is_empty()
            || !log.downloads.is_empty()
            || log.downloads_pending > 0
            || log.file_chooser
            || self.page.closed()
            || moved(self.before, self.after)
        {
            Effect::Changed
        } else {
            Effect::None
        }
    }
}

fn moved(before: Option<&Control>, after: Option<&Control>) -> bool {
    match (before, after) {
        (Some(before), Some(after)) => {
            before.value != after.value || before.checked != after.checked || before.files != after.files
        }
        _ => false,
    }
}

/// State of a target that publishes none, where it has a value.
pub(crate) fn own_state(before: &Control, after: &Control) -> Option<StateChange> {
    let key = if before.checked.is_some() {
        "checked"
    } else if before.files.is_some() {
        "files"
    } else {
        "value"
    };
    let state = |control: &Control| control.value_json().map(|value| Map::from_iter([(key.to_owned(), value)]));
    Some(StateChange { before: state(before)?, after: state(after)? })
}

/// The state of a target whose document went with the action: what is known of it.
pub(crate) fn gone_state(
    verb: Verb,
    before: Map<String, Value>,
    patch: Option<&Map<String, Value>>,
) -> Option<StateChange> {
    let mut after = before.clone();
    match (verb, patch) {
        (_, Some(patch)) => after.extend(patch.clone()),
        (Verb::Click, None) => after.extend([("clicked".to_owned(), Value::Bool(true))]),
        (Verb::Submit, None) => after.extend([("submitted".to_owned(), Value::Bool(true))]),
        _ => return None,
    }
    Some(StateChange { before, after })
}

fn first(mut texts: Vec<String>) -> Vec<String> {
    texts.truncate(MOST);
    texts
}
