//! A form and the values that the person gave: which field comes next, and with what.

use serde_json::{Value, json};

use super::{
    state::{FlowState, Node},
    words::words,
};

/// What a form needs.
#[derive(Debug, PartialEq)]
pub enum Next<'a> {
    Fill(&'a Node, Value),
    /// Required, and nobody said with what.
    Missing(Vec<&'a Node>),
    Ready,
}

/// The next field of the form around `submit` that is to be filled.
pub fn next<'a>(state: &FlowState<'a>, submit: &Node) -> Next<'a> {
    let fields = state.page.nodes.iter().filter(|node| {
        node.role == "form"
            && matches!(node.action.as_deref(), Some("fill" | "select" | "check" | "upload"))
            && node.scope == submit.scope
    });
    let mut missing = vec![];
    for field in fields {
        if is_done(state, field) {
            continue;
        }
        match value_for(state, field) {
            Some(value) => return Next::Fill(field, value),
            None if field.required => missing.push(field),
            None => {}
        }
    }
    if missing.is_empty() { Next::Ready } else { Next::Missing(missing) }
}

/// Filled by us on this page, or by somebody before with what the person wants or says nothing about. A select that
/// shows `Choose…` holds something, too: what the person gave wins over what a field happens to hold.
fn is_done(state: &FlowState<'_>, field: &Node) -> bool {
    let ours = state.memory.here().iter().any(|turn| turn.target == field.id && turn.outcome.success);
    if ours || field.action.as_deref() == Some("check") {
        return ours || field.is_filled() && !field.is_invalid();
    }
    let wanted =
        given(state, field).is_none_or(|wanted| field.state.get("value").and_then(Value::as_str) == Some(wanted));
    field.is_filled() && !field.is_invalid() && wanted
}

/// What the person gave for a field; required checks are ticked, everything else is left alone.
fn value_for(state: &FlowState<'_>, field: &Node) -> Option<Value> {
    let given = given(state, field);
    if field.action.as_deref() != Some("check") {
        return given.map(|text| json!(text));
    }
    match given {
        Some(text) => truth(text).filter(|wanted| *wanted || field.is_filled()).map(Value::Bool),
        // One of several: the one that is called what the person wants.
        None if !field.required => {
            let called = words(&field.desc);
            let named = state.data.values().any(|value| !called.is_empty() && words(value) == called);
            named.then_some(Value::Bool(true))
        }
        None => Some(Value::Bool(true)),
    }
}

/// The value whose name fits a field best: its id, or else all of the name's words; two equal ones are none.
fn given<'a>(state: &FlowState<'a>, field: &Node) -> Option<&'a str> {
    if let Some(value) = state.data.get(&field.id) {
        return Some(value);
    }
    let mut called = words(&field.id);
    called.extend(words(&field.desc));
    let mut best: Option<(usize, &str)> = None;
    let mut rivals = 0;
    for (key, value) in state.data {
        let key = words(key);
        if key.is_empty() || !key.iter().all(|word| called.contains(word)) {
            continue;
        }
        match best {
            Some((most, _)) if key.len() < most => {}
            Some((most, _)) if key.len() == most => rivals += 1,
            _ => (best, rivals) = (Some((key.len(), value.as_str())), 0),
        }
    }
    best.filter(|_| rivals == 0).map(|(_, value)| value)
}

fn truth(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Some(true),
        "false" | "no" | "off" | "0" => Some(false),
        _ => None,
    }
}
