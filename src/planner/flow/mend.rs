//! After a failure: one correction by what the error says, else the person is told. Nothing is tried a third time.

use serde_json::json;

use super::{
    state::{FlowState, Intent, Node, Turn},
    words::words,
};
use crate::spec::action::{ActionError, ErrorCode, Reason};

/// What a failure calls for.
#[derive(Debug, PartialEq)]
pub enum Mend<'a> {
    /// Go on by the fresh view; the action may come up once more.
    Again,
    /// Act on this node first; with the value, if any.
    First(&'a Node, Intent, Option<String>),
    Wait,
    /// The policy forbids it.
    Forbidden(String),
    /// A person has to confirm it.
    Person(String),
    /// It cannot be mended from here.
    Ask(String),
}

/// What to do about the last turn; `None` when it did not fail.
pub fn mend<'a>(state: &FlowState<'a>) -> Option<Mend<'a>> {
    let last = state.memory.turns.last()?;
    if last.outcome.success {
        return last.outcome.validity.as_ref().filter(|_| last.intent == Intent::Fill).map(|said| {
            Mend::Ask(format!("The site does not take the value for \"{}\": {said}", called(state, last)))
        });
    }
    let Some(error) = &last.outcome.error else {
        return Some(Mend::Ask(format!("`{}` failed and nothing says why.", last.verb)));
    };
    let explained = format!("\"{}\": {}. {}", called(state, last), error.message.trim_end_matches('.'), error.hint);
    let failures = failures(state, last);
    Some(match error.code {
        ErrorCode::ScopeDenied => Mend::Forbidden(explained),
        ErrorCode::HumanConfirmationRequired => Mend::Person(explained),
        ErrorCode::AuthRequired | ErrorCode::ActionNotSupported => Mend::Ask(explained),
        ErrorCode::RateLimited if failures < 2 => Mend::Wait,
        _ if failures >= 2 => Mend::Ask(explained),
        ErrorCode::ValidationFailed if error.reason == Some(Reason::NoSuchOption) || last.verb == "select" => {
            option(state, last).unwrap_or(Mend::Ask(explained))
        }
        ErrorCode::ValidationFailed => Mend::Ask(explained),
        _ => obstacle(state, last, error).map_or(Mend::Again, |node| Mend::First(node, Intent::Clear, None)),
    })
}

/// How often this very action has failed on this document.
fn failures(state: &FlowState<'_>, last: &Turn) -> usize {
    let same = |turn: &&Turn| turn.target == last.target && turn.verb == last.verb && !turn.outcome.success;
    state.memory.here().iter().filter(same).count()
}

/// The one option that holds all words of what was wanted, or whose words are all in it.
fn option<'a>(state: &FlowState<'a>, last: &Turn) -> Option<Mend<'a>> {
    let node = state.page.node(&last.target)?;
    let wanted = words(last.value.as_ref()?.as_str()?);
    let options = node.options.as_ref()?.iter().filter(|option| {
        let option_words = words(option);
        let within = |inner: &[String], outer: &[String]| !inner.is_empty() && inner.iter().all(|w| outer.contains(w));
        within(&wanted, &option_words) || within(&option_words, &wanted)
    });
    let mut options = options.filter(|option| Some(&json!(option)) != last.value.as_ref());
    match (options.next(), options.next()) {
        (Some(only), None) => Some(Mend::First(node, Intent::Fill, Some(only.clone()))),
        _ => None,
    }
}

/// A node of the view that the error names between backticks and that can be clicked.
fn obstacle<'a>(state: &FlowState<'a>, last: &Turn, error: &ActionError) -> Option<&'a Node> {
    let texts = [&error.hint, &error.message];
    let named = texts.into_iter().flat_map(|text| text.split('`').skip(1).step_by(2));
    let mut nodes = named.filter_map(|id| state.page.node(id));
    nodes.find(|node| node.action.as_deref() == Some("click") && node.id != last.target)
}

fn called(state: &FlowState<'_>, turn: &Turn) -> String {
    let desc = state.page.node(&turn.target).map(|node| node.desc.clone()).filter(|desc| !desc.is_empty());
    desc.unwrap_or_else(|| turn.target.clone())
}
