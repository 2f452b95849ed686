//! The decision: pure, from the state alone.
//!
//! For the first goal that is not reached yet, in this order:
//! 1. The last action failed: mend it once by what the error says, else ask.
//! 2. The goal shows on the page: note what shows it, and go on to the next goal.
//! 3. It has been done: go where its outcome shows.
//! 4. Something on the page does it: fill the form around it from the data, then do it.
//! 5. A link is called like what is wanted, or like what is to be done: follow it.
//! 6. There is a search field: search for what is wanted.
//! 7. The site's flow names a place: go there.
//! 8. Say that it cannot be done from here.
//!
//! Nothing is done in a scope that wants a person or that is denied, and no value is made up.

use serde_json::{Map, Value, json};
use url::Url;

use super::{
    form,
    mend::{Mend, mend},
    state::{FlowState, Intent, Node},
    task::{Goal, goals},
    words::{covers, words},
};
use crate::planner::envelope::{Act, Envelope};

/// What a decision means for the run.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The envelope's action is to be taken.
    Act { goal: usize, intent: Intent },
    /// Every goal was seen to be reached.
    Done,
    /// Something is missing that only the person knows.
    Ask,
    /// The site wants a person to confirm what comes next.
    Person { scope: String },
    /// The site's policy forbids what comes next.
    Forbidden,
    /// The planner does not know how to go on.
    Cannot,
}

/// An envelope, and what the runtime should remember of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub envelope: Envelope,
    pub verdict: Verdict,
    /// For each goal that was found reached just now: what shows it.
    pub closed: Vec<String>,
}

/// Decides what comes next.
pub fn decide(state: &FlowState<'_>) -> Decision {
    let goals = goals(state.task, state.site);
    let mut closed = vec![];
    if goals.is_empty() {
        return ask("What should be done?".into(), "the task names nothing to do", closed);
    }
    let first = state.memory.closed.len();
    if let Some(mended) = mend(state)
        && let Some(decision) = follow_mend(state, mended, first)
    {
        return decision;
    }
    for (at, goal) in goals.iter().enumerate().skip(first) {
        match reached(state, goal, at) {
            Some(shown) => closed.push(format!("{} ({shown})", goal.text)),
            None => return Decision { closed, ..pursue(state, goal, at) },
        }
    }
    let shown: Vec<&str> = state.memory.closed.iter().chain(&closed).map(String::as_str).collect();
    let answer = format!("Done: {}.", shown.join("; "));
    Decision { envelope: last_word(answer, "every goal was seen to be reached"), verdict: Verdict::Done, closed }
}

fn follow_mend(state: &FlowState<'_>, mended: Mend<'_>, goal: usize) -> Option<Decision> {
    Some(match mended {
        Mend::Again => return None,
        Mend::First(node, intent, value) => {
            let why = match intent {
                Intent::Clear => format!("\"{}\" is in the way", node.desc),
                _ => format!("the site calls it {}", value.as_deref().unwrap_or_default()),
            };
            act_on(state, node, value.map(Value::from), goal, intent, &why)
        }
        Mend::Wait => {
            let args = Map::from_iter([("ms".to_owned(), json!(2_000))]);
            take("wait_for", args, goal, Intent::Wait, "the site asks for a slower pace".into())
        }
        Mend::Forbidden(why) => refuse(why, Verdict::Forbidden),
        Mend::Person(why) => confirm(why, scope_of_last(state)),
        Mend::Ask(question) => ask(question, "the last action failed and cannot be mended from here", vec![]),
    })
}

/// What shows that a goal is reached, as part of a sentence.
fn reached(state: &FlowState<'_>, goal: &Goal<'_>, at: usize) -> Option<String> {
    let page = state.page;
    let title = words(&page.title);
    let applied = state.memory.of(at).any(|turn| turn.intent == Intent::Apply && turn.outcome.took_effect());
    if !goal.object.is_empty() && !goal.place.is_empty() {
        let place = goal.flow.and_then(|flow| flow.steps.last()).map(|step| step.scope.as_str());
        let at_place = |node: &Node| match place {
            Some(scope) => node.scope.as_deref() == Some(scope),
            None => covers(&title, &goal.place),
        };
        let mut shown = page.nodes.iter().filter(|node| matches!(node.role.as_str(), "display" | "nav"));
        let node = shown.find(|node| at_place(node) && covers(&words(&node.desc), &goal.object))?;
        return Some(format!("the page \"{}\" shows \"{}\"", page.title, node.desc));
    }
    match goal.verb.as_deref() {
        Some("go") => {
            let wanted = if goal.place.is_empty() { &goal.object } else { &goal.place };
            covers(&title, wanted).then(|| format!("the page \"{}\" is open", page.title))
        }
        Some("search") => {
            let searched = state.memory.of(at).any(|turn| turn.intent == Intent::Search && turn.outcome.took_effect());
            let node = page.nodes.iter().find(|node| covers(&words(&node.desc), &goal.object))?;
            searched.then(|| format!("the page \"{}\" shows \"{}\"", page.title, node.desc))
        }
        _ if applied => {
            let turn = state.memory.of(at).filter(|turn| turn.intent == Intent::Apply).last()?;
            let stays = !turn.outcome.left_page() && page.node(&turn.target).is_some();
            let wrong = page.nodes.iter().any(|node| node.role == "form" && node.is_invalid());
            let said = status(state);
            if wrong || (stays && said.is_none()) {
                return None;
            }
            let followed = || format!("the page \"{}\" followed", page.title);
            Some(said.map_or_else(followed, |text| format!("the site says \"{text}\"")))
        }
        _ => None,
    }
}

/// What the page says happened; errors are none.
fn status(state: &FlowState<'_>) -> Option<String> {
    let statuses = state.page.nodes.iter().filter(|node| node.role == "status");
    let mut texts = statuses.filter_map(|node| {
        if node.state.get("level").and_then(Value::as_str) == Some("error") {
            return None;
        }
        let said = node.state.get("message").or_else(|| node.state.get("value")).and_then(Value::as_str);
        said.map(str::to_owned).filter(|text| !text.trim().is_empty())
    });
    texts.next()
}

fn pursue(state: &FlowState<'_>, goal: &Goal<'_>, at: usize) -> Decision {
    let took =
        |intent: Intent| state.memory.of(at).any(move |turn| turn.intent == intent && turn.outcome.took_effect());
    if took(Intent::Apply) {
        return see_outcome(state, goal, at);
    }
    if let Some(decision) = apply(state, goal, at) {
        return decision;
    }
    if let Some(node) = link(state, goal, at) {
        return act_on(state, node, None, at, Intent::Follow, &format!("\"{}\" leads to: {}", node.desc, goal.text));
    }
    if !goal.object.is_empty()
        && !took(Intent::Search)
        && let Some(decision) = search(state, goal, at)
    {
        return decision;
    }
    if let Some(decision) = go_by_flow(state, goal, at) {
        return decision;
    }
    let searched = if took(Intent::Search) {
        format!(", and a search for \"{}\" showed none", goal.object_text)
    } else {
        String::new()
    };
    refuse(format!("I cannot {}: nothing on \"{}\" does it{searched}.", goal.text, state.page.title), Verdict::Cannot)
}

/// Rule 4: what on the page does the goal, and the form around it.
fn apply(state: &FlowState<'_>, goal: &Goal<'_>, at: usize) -> Option<Decision> {
    let submit = match doers(state, goal).as_slice() {
        [] => return None,
        [only] => *only,
        [one, other, ..] => {
            let question = format!("Which one is meant, \"{}\" or \"{}\"?", one.desc, other.desc);
            return Some(ask(question, "two things on the page fit equally well", vec![]));
        }
    };
    if let Some(gate) = gate(state, submit) {
        return Some(gate);
    }
    let idle = state.memory.here().iter().filter(|turn| turn.target == submit.id && turn.intent == Intent::Apply);
    if idle.filter(|turn| turn.outcome.success && !turn.outcome.took_effect()).count() >= 2 {
        let why = format!("\"{}\" was used twice, and nothing happened.", submit.desc);
        return Some(refuse(why, Verdict::Cannot));
    }
    Some(match form::next(state, submit) {
        form::Next::Fill(field, value) => {
            let why = format!("\"{}\" belongs to what \"{}\" needs", field.desc, submit.desc);
            act_on(state, field, Some(value), at, Intent::Fill, &why)
        }
        form::Next::Missing(fields) => {
            let called: Vec<String> = fields.iter().map(|field| format!("\"{}\"", field.desc)).collect();
            let question = format!("To {}, the site needs {}. What should I enter?", goal.text, called.join(", "));
            ask(question, "required fields have no value, and values are never made up", vec![])
        }
        form::Next::Ready => {
            act_on(state, submit, None, at, Intent::Apply, &format!("\"{}\" does it: {}", submit.desc, goal.text))
        }
    })
}

/// Actions that do what the goal asks for; of several, those that say nothing else.
fn doers<'a>(state: &FlowState<'a>, goal: &Goal<'_>) -> Vec<&'a Node> {
    let about_page = covers(&words(&state.page.title), &goal.object);
    let mut found: Vec<((usize, usize), &Node)> = vec![];
    for node in state.page.nodes.iter().filter(|node| node.role == "action" && node.action.is_some()) {
        let called = words(&node.desc);
        let verb = goal.verb.as_ref().is_some_and(|verb| called.contains(verb));
        let place = covers(&called, &goal.place);
        let fits = if goal.object.is_empty() {
            verb
        } else {
            covers(&called, &goal.object) && (verb || place) || about_page && verb && (goal.place.is_empty() || place)
        };
        if fits {
            let asked = called.iter().filter(|word| {
                goal.object.contains(word) || goal.place.contains(word) || goal.verb.as_ref() == Some(word)
            });
            let extra = called.len() - asked.count();
            let unnamed = goal.place.iter().filter(|word| !called.contains(word)).count();
            found.push(((unnamed, extra), node));
        }
    }
    let best = found.iter().map(|(rank, _)| *rank).min();
    found.into_iter().filter(|(rank, _)| Some(*rank) == best).map(|(_, node)| node).collect()
}

/// Rule 5: a link called like the thing, or like the deed when there is no thing; none is followed twice from a page.
fn link<'a>(state: &FlowState<'a>, goal: &Goal<'_>, at: usize) -> Option<&'a Node> {
    let wanted = match goal.verb.as_deref() {
        Some("go") if !goal.place.is_empty() => goal.place.clone(),
        _ if !goal.object.is_empty() => goal.object.clone(),
        Some(verb) => vec![verb.to_owned()],
        None => goal.place.clone(),
    };
    nav(state, &wanted, at)
}

/// The link whose words hold all that is wanted and least besides.
fn nav<'a>(state: &FlowState<'a>, wanted: &[String], at: usize) -> Option<&'a Node> {
    let followed = |node: &Node| {
        let mut before = state.memory.of(at);
        before.any(|turn| turn.intent == Intent::Follow && turn.target == node.id && turn.url == state.page.url)
    };
    let links = state.page.nodes.iter().filter(|node| node.role == "nav" && node.action.is_some());
    let fitting = links.filter(|node| covers(&words(&node.desc), wanted) && !followed(node));
    fitting.min_by_key(|node| words(&node.desc).len())
}

/// Rule 6.
fn search(state: &FlowState<'_>, goal: &Goal<'_>, at: usize) -> Option<Decision> {
    let searches = |node: &&Node| words(&node.desc).contains(&"search".to_owned());
    let fields = state.page.nodes.iter().filter(|node| node.role == "form" && node.action.as_deref() == Some("fill"));
    let field = fields.filter(searches).min_by_key(|node| words(&node.desc).len())?;
    let written =
        state.memory.here().iter().any(|turn| {
            turn.goal == at && turn.intent == Intent::Query && turn.target == field.id && turn.outcome.success
        });
    if !written {
        let why = format!("look for \"{}\"", goal.object_text);
        return Some(act_on(state, field, Some(json!(goal.object_text)), at, Intent::Query, &why));
    }
    let mut buttons = state.page.nodes.iter().filter(|node| node.role == "action" && node.scope == field.scope);
    let why = "send the search off";
    Some(match buttons.find(searches) {
        Some(button) => act_on(state, button, None, at, Intent::Search, why),
        None => act(state, field, "press", Some(json!("Enter")), at, Intent::Search, why),
    })
}

/// Rule 3: it has been done; look where it shows.
fn see_outcome(state: &FlowState<'_>, goal: &Goal<'_>, at: usize) -> Decision {
    if let Some(node) = nav(state, &goal.place, at) {
        let why = format!("\"{}\" shows whether it worked: {}", node.desc, goal.text);
        return act_on(state, node, None, at, Intent::Follow, &why);
    }
    if let Some(decision) = go_by_flow(state, goal, at) {
        return decision;
    }
    let said = state.page.nodes.iter().filter(|node| node.role == "status");
    let mut said = said.filter_map(|node| node.state.get("message")?.as_str()).filter(|text| !text.is_empty());
    let said = said.next().map(|text| format!(" The site says: \"{text}\"")).unwrap_or_default();
    let answer = format!("I did it ({}), but the page does not show that it worked.{said}", goal.text);
    refuse(answer, Verdict::Cannot)
}

/// Rule 7: the places that the site's flow names, from the last one on once the goal has been done.
fn go_by_flow(state: &FlowState<'_>, goal: &Goal<'_>, at: usize) -> Option<Decision> {
    let flow = goal.flow?;
    let here = Url::parse(&state.page.url).ok()?;
    let done = state.memory.of(at).any(|turn| turn.intent == Intent::Apply && turn.outcome.took_effect());
    let steps: Vec<_> = if done { flow.steps.iter().rev().collect() } else { flow.steps.iter().collect() };
    let step = steps.into_iter().find(|step| {
        let tried = place_of(&here, &step.url_pattern).is_some_and(|url| {
            state.memory.of(at).any(|turn| turn.target == url.as_str()) || url.path() == here.path()
        });
        !step.url_pattern.is_empty() && !tried
    })?;
    let url = place_of(&here, &step.url_pattern)?;
    let args = Map::from_iter([("url".to_owned(), json!(url.as_str()))]);
    let why = format!("the site's flow `{}` goes on in `{}`", flow.id, step.scope);
    Some(take("navigate", args, at, Intent::Follow, why))
}

/// The address of a pattern: up to its first wildcard, on this origin only.
fn place_of(here: &Url, pattern: &str) -> Option<Url> {
    let plain = pattern.split('*').next().unwrap_or_default();
    here.join(plain).ok().filter(|url| url.origin() == here.origin())
}

/// What the site wants before anything is done with a node.
fn gate(state: &FlowState<'_>, node: &Node) -> Option<Decision> {
    let scope = node.scope.as_deref().unwrap_or(&node.id);
    if state.site.denied.iter().any(|denied| denied == scope) {
        return Some(refuse(
            format!("The site's policy denies `{scope}`, where \"{}\" is.", node.desc),
            Verdict::Forbidden,
        ));
    }
    let by_flow = state.site.task_flows.iter().flat_map(|flow| &flow.steps);
    let by_flow = by_flow.filter(|step| step.requires_human_confirmation).any(|step| step.scope == scope);
    if by_flow || state.site.confirm.iter().any(|confirm| confirm == scope) {
        let question =
            format!("\"{}\" is in `{scope}`, where the site wants a person to confirm. Should I go on?", node.desc);
        return Some(confirm(question, scope.to_owned()));
    }
    None
}

/// An action of the node's own verb, unless the site wants a person first.
fn act_on(
    state: &FlowState<'_>,
    node: &Node,
    value: Option<Value>,
    goal: usize,
    intent: Intent,
    why: &str,
) -> Decision {
    let verb = node.action.as_deref().unwrap_or("click");
    act(state, node, verb, value, goal, intent, why)
}

fn act(
    state: &FlowState<'_>,
    node: &Node,
    verb: &str,
    value: Option<Value>,
    goal: usize,
    intent: Intent,
    why: &str,
) -> Decision {
    if let Some(gate) = gate(state, node) {
        return gate;
    }
    let mut args = Map::from_iter([("nodeId".to_owned(), json!(node.id)), ("action".to_owned(), json!(verb))]);
    if let Some(value) = value {
        args.insert("value".into(), value);
    }
    take("act", args, goal, intent, why.to_owned())
}

fn take(name: &str, args: Map<String, Value>, goal: usize, intent: Intent, reasoning: String) -> Decision {
    Decision {
        envelope: Envelope::Action(Act { name: name.to_owned(), args, reasoning }),
        verdict: Verdict::Act { goal, intent },
        closed: vec![],
    }
}

fn ask(question: String, why: &str, closed: Vec<String>) -> Decision {
    Decision { envelope: Envelope::Clarify { question, reasoning: why.to_owned() }, verdict: Verdict::Ask, closed }
}

fn confirm(question: String, scope: String) -> Decision {
    let reasoning = "the site's policy asks for human confirmation".to_owned();
    Decision { envelope: Envelope::Clarify { question, reasoning }, verdict: Verdict::Person { scope }, closed: vec![] }
}

fn refuse(answer: String, verdict: Verdict) -> Decision {
    Decision { envelope: last_word(answer, "there is no way on from here"), verdict, closed: vec![] }
}

fn last_word(answer: String, why: &str) -> Envelope {
    Envelope::Final { answer, citations: vec![], reasoning: why.to_owned(), final_readiness: None }
}

fn scope_of_last(state: &FlowState<'_>) -> String {
    let last = state.memory.turns.last();
    let node = last.and_then(|turn| state.page.node(&turn.target));
    node.and_then(|node| node.scope.clone()).unwrap_or_default()
}
