//! Planner envelopes: the one JSON object that a planner answers with, read leniently and judged strictly.
//!
//! Source: action contract, "Planner Decision Contract" and "Plan Envelope"; parsing as the public runtime 0.2.0 was
//! observed to do it. What cannot be accepted has a reason; nothing that was dropped is dropped silently.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// One decision of a planner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Envelope {
    Action(Act),
    Plan {
        actions: Vec<PlannedAct>,
        /// Replaces the default instruction for the synthesis; `direct` skips it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        synthesize_instruction: Option<String>,
        #[serde(default)]
        synthesize_per_action: bool,
        #[serde(default)]
        partial_ok: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stitch: Option<Value>,
        #[serde(default)]
        reasoning: String,
    },
    Clarify {
        question: String,
        #[serde(default)]
        reasoning: String,
    },
    #[serde(rename_all = "camelCase")]
    Final {
        answer: String,
        #[serde(default)]
        citations: Vec<Value>,
        #[serde(default)]
        reasoning: String,
        #[serde(default)]
        final_readiness: Option<Value>,
    },
    #[serde(rename_all = "camelCase")]
    Finalize {
        instruction: String,
        #[serde(default)]
        reasoning: String,
        #[serde(default)]
        final_readiness: Option<Value>,
    },
}

/// One registered action and its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Act {
    pub name: String,
    #[serde(default)]
    pub args: Map<String, Value>,
    #[serde(default)]
    pub reasoning: String,
}

/// An action inside a plan: it carries its own type, and may have a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedAct {
    /// Always `action`.
    #[serde(rename = "type")]
    pub kind: ActionTag,
    #[serde(flatten)]
    pub act: Act,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<Section>,
}

/// The literal `action`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionTag {
    Action,
}

/// How one action's result is written up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Section {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub prompt: String,
}

/// Why an answer is no envelope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Rejection {
    #[error("the answer is no JSON object")]
    NotObject,
    #[error("neither a type nor an action is named")]
    MissingTypeOrAction,
    #[error("`final` has no answer")]
    MissingFinalAnswer,
    #[error("`clarify` has no question")]
    MissingClarifyQuestion,
    #[error("`finalize` is not available now")]
    TerminalFinalizeNotAllowed,
    #[error("the plan has no valid action")]
    PlanHasNoValidActions,
    #[error("the plan's actions are no list")]
    PlanActionsNotArray,
    #[error("no such action is registered")]
    UnknownActionName,
    #[error("the action has no name")]
    MissingActionName,
}

/// A plan's item that cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvalidAction {
    /// `shape` or `unknown_action_name`.
    pub reason: &'static str,
    pub rejected_action_name: Option<String>,
    pub available_action_count: usize,
}

/// Which names an envelope may use.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Registered name and its aliases.
    pub actions: Vec<(String, Vec<String>)>,
    /// Whether `finalize` may be answered.
    pub finalize: bool,
}

impl Known {
    /// The registered name of a name or alias, whatever its case.
    fn resolve(&self, name: &str) -> Option<&str> {
        let name = name.trim().to_lowercase();
        let exact = self.actions.iter().find(|(known, _)| *known == name);
        let alias = || self.actions.iter().find(|(_, aliases)| aliases.contains(&name));
        exact.or_else(alias).map(|(known, _)| known.as_str())
    }
}

/// What became of an answer, each stage visible.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The JSON object that was found.
    pub parsed: Option<Value>,
    pub envelope: Result<Envelope, Rejection>,
    /// The recognized or inferred type.
    pub kind: Option<&'static str>,
    /// The action's name as the planner gave it, lower-cased, or as it is registered.
    pub action_name: Option<String>,
    /// Items of a plan that were left out.
    pub invalid_actions: Vec<InvalidAction>,
    known: usize,
}

impl Reading {
    /// `{parsed, repaired, diagnosis}`, as `gannet debug envelope` prints it.
    pub fn to_json(&self) -> Value {
        let reason = match &self.envelope {
            Ok(_) => json!("accepted"),
            Err(rejection) => json!(rejection),
        };
        let mut diagnosis = Map::new();
        diagnosis.insert("reason".into(), reason);
        diagnosis.insert("type".into(), json!(self.kind));
        let names_action = self.kind == Some("action") || self.envelope == Err(Rejection::MissingTypeOrAction);
        if names_action {
            diagnosis.insert("rejectedActionName".into(), json!(self.action_name));
        }
        if self.envelope == Err(Rejection::UnknownActionName) {
            diagnosis.insert("availableActionCount".into(), self.known.into());
        }
        let plan_failed =
            matches!(self.envelope, Err(Rejection::PlanHasNoValidActions | Rejection::PlanActionsNotArray));
        if plan_failed || !self.invalid_actions.is_empty() {
            diagnosis.insert("invalidActions".into(), json!(self.invalid_actions));
        }
        json!({"parsed": self.parsed, "repaired": self.envelope.as_ref().ok(), "diagnosis": diagnosis})
    }
}

/// Reads a planner's answer.
pub fn read(text: &str, known: &Known) -> Reading {
    let parsed = loose_json(text).filter(Value::is_object);
    let mut reading = Reading {
        envelope: Err(Rejection::NotObject),
        kind: None,
        action_name: None,
        invalid_actions: vec![],
        known: known.actions.len(),
        parsed,
    };
    if let Some(Value::Object(object)) = reading.parsed.clone() {
        reading.envelope = judge(&object, known, &mut reading);
    }
    reading
}

fn judge(object: &Map<String, Value>, known: &Known, reading: &mut Reading) -> Result<Envelope, Rejection> {
    let Some(kind) = kind_of(object) else { return Err(Rejection::MissingTypeOrAction) };
    reading.kind = Some(kind);
    let reasoning = text_of(object, &["reasoning"]).unwrap_or_default();
    let final_readiness = object.get("finalReadiness").filter(|value| value.is_object()).cloned();
    match kind {
        "final" => {
            let answer = text_of(object, &["answer", "text"]).ok_or(Rejection::MissingFinalAnswer)?;
            let citations = object.get("citations").and_then(Value::as_array).cloned().unwrap_or_default();
            Ok(Envelope::Final { answer, citations, reasoning, final_readiness })
        }
        "clarify" => {
            let question = text_of(object, &["question", "text"]).ok_or(Rejection::MissingClarifyQuestion)?;
            Ok(Envelope::Clarify { question, reasoning })
        }
        "finalize" if !known.finalize => Err(Rejection::TerminalFinalizeNotAllowed),
        "finalize" => {
            let instruction = text_of(object, &["instruction", "answer", "text"]).unwrap_or_default();
            Ok(Envelope::Finalize { instruction, reasoning, final_readiness })
        }
        "plan" => plan(object, known, reasoning, reading),
        _ => {
            let name = name_of(object).ok_or(Rejection::MissingActionName)?;
            let Some(registered) = known.resolve(&name) else {
                reading.action_name = Some(name.trim().to_lowercase());
                return Err(Rejection::UnknownActionName);
            };
            reading.action_name = Some(registered.to_owned());
            Ok(Envelope::Action(Act { name: registered.to_owned(), args: args_of(object), reasoning }))
        }
    }
}

fn plan(
    object: &Map<String, Value>,
    known: &Known,
    reasoning: String,
    reading: &mut Reading,
) -> Result<Envelope, Rejection> {
    let items = object.get("actions").and_then(Value::as_array).ok_or(Rejection::PlanActionsNotArray)?;
    let mut actions = vec![];
    for item in items {
        let Some(item) = item.as_object().filter(|item| kind_of(item) == Some("action")) else {
            reading.invalid_actions.push(InvalidAction {
                reason: "shape",
                rejected_action_name: None,
                available_action_count: known.actions.len(),
            });
            continue;
        };
        let name = name_of(item);
        let Some(registered) = name.as_deref().and_then(|name| known.resolve(name)) else {
            reading.invalid_actions.push(InvalidAction {
                reason: if name.is_some() { "unknown_action_name" } else { "shape" },
                rejected_action_name: name.map(|name| name.trim().to_lowercase()),
                available_action_count: known.actions.len(),
            });
            continue;
        };
        let reasoning = text_of(item, &["reasoning"]).unwrap_or_default();
        actions.push(PlannedAct {
            kind: ActionTag::Action,
            act: Act { name: registered.to_owned(), args: args_of(item), reasoning },
            section: item.get("section").and_then(|section| serde_json::from_value(section.clone()).ok()),
        });
    }
    if actions.is_empty() {
        return Err(Rejection::PlanHasNoValidActions);
    }
    let is_true = |key: &str| object.get(key) == Some(&Value::Bool(true));
    Ok(Envelope::Plan {
        actions,
        synthesize_instruction: text_of(object, &["synthesize_instruction"]),
        synthesize_per_action: is_true("synthesize_per_action"),
        partial_ok: is_true("partial_ok"),
        stitch: object.get("stitch").filter(|stitch| stitch.is_object()).cloned(),
        reasoning,
    })
}

/// The type that an object names, or else the one that its keys give away.
fn kind_of(object: &Map<String, Value>) -> Option<&'static str> {
    const KINDS: [&str; 5] = ["action", "clarify", "final", "finalize", "plan"];
    let named = ["type", "kind", "decisionType"].iter().find_map(|key| {
        let named = object.get(*key)?.as_str()?;
        KINDS.into_iter().find(|kind| *kind == named)
    });
    named.or_else(|| {
        if object.get("actions").is_some_and(Value::is_array) {
            Some("plan")
        } else if text_of(object, &["answer"]).is_some() {
            Some("final")
        } else if text_of(object, &["question"]).is_some() {
            Some("clarify")
        } else if text_of(object, &["instruction"]).is_some() {
            Some("finalize")
        } else {
            name_of(object).map(|_| "action")
        }
    })
}

fn name_of(object: &Map<String, Value>) -> Option<String> {
    text_of(object, &["name", "action", "tool", "toolName"])
}

fn args_of(object: &Map<String, Value>) -> Map<String, Value> {
    ["args", "arguments"].iter().find_map(|key| object.get(*key)?.as_object().cloned()).unwrap_or_default()
}

/// The first of some keys that holds a text with something in it.
fn text_of(object: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    let mut texts = keys.iter().filter_map(|key| object.get(*key)?.as_str());
    texts.find(|text| !text.trim().is_empty()).map(|text| text.trim().to_owned())
}

/// The whole text as JSON, else its first fence, else its first balanced object, else its first balanced list.
fn loose_json(text: &str) -> Option<Value> {
    let text = text.trim();
    serde_json::from_str(text)
        .ok()
        .or_else(|| serde_json::from_str(fence(text)?).ok())
        .or_else(|| serde_json::from_str(balanced(text, '{', '}')?).ok())
        .or_else(|| serde_json::from_str(balanced(text, '[', ']')?).ok())
}

/// What stands in the first fence for JSON.
fn fence(text: &str) -> Option<&str> {
    let (_, after) = text.split_once("```")?;
    let (inside, _) = after.split_once("```")?;
    let body = inside.strip_prefix("json").or_else(|| inside.strip_prefix("JSON")).unwrap_or(inside);
    Some(body.trim())
}

/// From the first opening bracket to the one that closes it, strings skipped.
fn balanced(text: &str, open: char, close: char) -> Option<&str> {
    let start = text.find(open)?;
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, letter) in text[start..].char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            letter if letter == open => depth += 1,
            letter if letter == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(&text[start..start + at + letter.len_utf8()]);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
