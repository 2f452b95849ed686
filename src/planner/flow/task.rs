//! From a task in a person's words to goals: what to do, with what, and where it shows.

use super::{
    state::{SiteFacts, TaskFlow},
    words::{is_verb, tokens, words},
};

/// One thing that the task asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal<'a> {
    /// As the person said it.
    pub text: String,
    /// The concept of its verb, such as `add`.
    pub verb: Option<String>,
    /// What it is about, as comparable words.
    pub object: Vec<String>,
    /// The same in the person's words: what to search for.
    pub object_text: String,
    /// Where it goes, such as `cart`.
    pub place: Vec<String>,
    /// The site's own description of this journey.
    pub flow: Option<&'a TaskFlow>,
}

const PREPOSITIONS: [&str; 7] = ["in", "into", "to", "onto", "on", "from", "for"];
const OPENERS: [&str; 6] = ["please", "then", "and", "also", "now", "finally"];

/// The goals of a task, in order.
pub fn goals<'a>(task: &str, site: &'a SiteFacts) -> Vec<Goal<'a>> {
    clauses(task).iter().map(|clause| goal(clause, site)).collect()
}

/// Cut at punctuation and at `and` or `then` before a verb: `salt and pepper` stays whole.
fn clauses(task: &str) -> Vec<String> {
    let mut clauses = vec![];
    for sentence in task.split([';', ',', '\n']).flat_map(|part| part.split(". ")) {
        let said: Vec<&str> = sentence.split_whitespace().collect();
        let plain = |at: usize| said.get(at).map(|word| tokens(word).join("")).unwrap_or_default();
        let mut clause: Vec<&str> = vec![];
        for (at, word) in said.iter().enumerate() {
            let joins = OPENERS.contains(&plain(at).as_str());
            let begins = is_verb(&plain(at + 1)) || OPENERS.contains(&plain(at + 1).as_str());
            if joins && (begins || clause.is_empty()) {
                clauses.push(clause.join(" "));
                clause.clear();
            } else {
                clause.push(word);
            }
        }
        clauses.push(clause.join(" "));
    }
    let trimmed = clauses.iter().map(|clause| clause.trim_end_matches(['.', '!']).to_owned());
    trimmed.filter(|clause| !tokens(clause).is_empty()).collect()
}

fn goal<'a>(clause: &str, site: &'a SiteFacts) -> Goal<'a> {
    let all = words(clause);
    let verb = all.first().filter(|word| is_verb(word)).cloned();
    let said = tokens(clause);
    // The verb may be two words, `sign up`; the rest is split at the last preposition that something precedes.
    let taken = match &verb {
        None => 0,
        Some(verb) => (1..=said.len()).find(|count| words(&said[..*count].join(" ")).contains(verb)).unwrap_or(1),
    };
    let rest = &said[taken..];
    let split = rest.iter().rposition(|word| PREPOSITIONS.contains(&word.as_str()) && word != "for");
    let (object, place) = match split {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, &rest[rest.len()..]),
    };
    let named: Vec<&str> = object.iter().map(String::as_str).filter(|word| !words(word).is_empty()).collect();
    Goal {
        text: clause.to_owned(),
        verb,
        object: words(&object.join(" ")),
        object_text: named.join(" "),
        place: words(&place.join(" ")),
        flow: flow(&all, site),
    }
}

/// The one flow that shares most words with a goal.
fn flow<'a>(wanted: &[String], site: &'a SiteFacts) -> Option<&'a TaskFlow> {
    let score = |flow: &TaskFlow| {
        let mut described = words(&flow.id);
        described.extend(words(&flow.description));
        wanted.iter().filter(|word| described.contains(word)).count()
    };
    let best = site.task_flows.iter().max_by_key(|flow| score(flow))?;
    let unrivaled = site.task_flows.iter().filter(|flow| score(flow) == score(best)).count() == 1;
    (unrivaled && score(best) > 0).then_some(best)
}
