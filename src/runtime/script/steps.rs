//! A script's text, read: each step is an action with its arguments. An error names line and column.

use std::fmt;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use serde_saphyr::Spanned;

use crate::spec::action::Verb;

/// A script.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    pub name: String,
    /// Steps with their lines.
    pub steps: Vec<(Step, usize)>,
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Arguments of `navigate`.
    Goto(Value),
    /// Arguments of `view`.
    View(Value),
    /// Arguments of `act`.
    Act(Value),
    /// Arguments of `wait_for`.
    Wait(Value),
    Expect(Expect),
    Shot {
        file: String,
        full_page: bool,
    },
}

/// What must come to hold.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Expect {
    /// A text that is seen.
    pub text: Option<String>,
    /// A text that is not seen.
    pub gone: Option<String>,
    /// A part of the address, or a pattern with `*`.
    pub url: Option<String>,
    /// The title, exactly.
    pub title: Option<String>,
    /// A node id.
    #[serde(alias = "nodeId")]
    pub node: Option<String>,
    /// State of the node.
    pub state: Option<String>,
    /// Value of the node, as text; `true` and `false` for boxes.
    pub value: Option<Value>,
    pub timeout_ms: Option<u64>,
}

impl Expect {
    /// The part that `wait_for` can wait for.
    pub fn condition(&self) -> Option<Value> {
        let mut condition = Map::new();
        let parts = [
            ("text", &self.text),
            ("gone", &self.gone),
            ("url", &self.url),
            ("nodeId", &self.node),
            ("state", &self.state),
        ];
        for (key, part) in parts {
            // A value is asked of the node itself.
            if let Some(part) =
                part.as_ref().filter(|_| key != "nodeId" || self.value.is_none() || self.state.is_some())
            {
                condition.insert(key.to_owned(), part.clone().into());
            }
        }
        (!condition.is_empty()).then_some(Value::Object(condition))
    }
}

/// A text that is no script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {why}")]
pub struct BadScript {
    pub file: String,
    /// From 1; 0 when not known.
    pub line: usize,
    pub why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    name: Option<String>,
    steps: Vec<Spanned<Value>>,
}

/// Reads a script; `file` is its name, for errors and where it gives none.
pub fn parse(text: &str, file: &str) -> Result<Script, BadScript> {
    let bad = |line: usize, why: String| BadScript { file: file.to_owned(), line, why };
    let raw: Raw = serde_saphyr::from_str(text).map_err(|error| {
        let line = error.location().map_or(0, |location| usize::try_from(location.line()).unwrap_or_default());
        bad(line, error.to_string())
    })?;
    if raw.steps.is_empty() {
        return Err(bad(0, "there are no steps".into()));
    }
    let steps = raw.steps.into_iter().map(|step| {
        let line = usize::try_from(step.referenced.line()).unwrap_or_default();
        let step = Step::read(step.value).map_err(|why| bad(line, why))?;
        Ok((step, line))
    });
    Ok(Script { name: raw.name.unwrap_or_else(|| file.to_owned()), steps: steps.collect::<Result<_, _>>()? })
}

impl Step {
    fn read(value: Value) -> Result<Self, String> {
        let fields = match value {
            Value::Object(fields) if fields.len() == 1 => fields,
            Value::Object(_) => return Err("a step has exactly one key".into()),
            Value::String(word) => Map::from_iter([(word, Value::Null)]),
            other => return Err(format!("a step is a key with its arguments, not {other}")),
        };
        let Some((key, args)) = fields.into_iter().next() else { return Err("a step has exactly one key".into()) };
        Ok(match key.as_str() {
            "goto" | "navigate" => Self::Goto(match args {
                Value::String(url) => json!({"url": url}),
                args @ Value::Object(_) => args,
                _ => return Err(format!("`{key}` takes an address")),
            }),
            "view" => Self::View(match args {
                Value::Null => json!({}),
                Value::String(format) => json!({"format": format}),
                args @ Value::Object(_) => args,
                _ => return Err("`view` takes a format, or its arguments".into()),
            }),
            "act" => Self::Act(node_named(args).ok_or("`act` takes nodeId, action and value")?),
            "wait" | "wait_for" => Self::Wait(match args {
                Value::Number(ms) => json!({"ms": ms}),
                Value::String(text) => json!({"text": text}),
                args @ Value::Object(_) => node_named(args).unwrap_or_default(),
                _ => return Err("`wait` takes milliseconds, a text, or its arguments".into()),
            }),
            "expect" => {
                let expect = match args {
                    Value::String(text) => Expect { text: Some(text), ..Expect::default() },
                    args => serde_json::from_value(args).map_err(|error| format!("`expect`: {error}"))?,
                };
                if expect == (Expect { timeout_ms: expect.timeout_ms, ..Expect::default() }) {
                    return Err("`expect` says nothing".into());
                }
                if expect.value.is_some() && expect.node.is_none() {
                    return Err("`expect` has a value but no node".into());
                }
                Self::Expect(expect)
            }
            "shot" | "screenshot" => match args {
                Value::String(file) => Self::Shot { file, full_page: false },
                Value::Object(fields) => Self::Shot {
                    file: fields.get("file").and_then(Value::as_str).ok_or("`shot` names no file")?.to_owned(),
                    full_page: fields.get("fullPage").and_then(Value::as_bool).unwrap_or_default(),
                },
                _ => return Err("`shot` takes a file name".into()),
            },
            verb if Verb::parse(verb).is_some() => Self::Act(verb_args(verb, args)?),
            other => {
                let verbs: Vec<&str> = Verb::ALL.into_iter().map(Verb::name).collect();
                return Err(format!(
                    "`{other}` is no step; use goto, view, act, wait, expect, shot or {}",
                    verbs.join(", ")
                ));
            }
        })
    }
}

/// `click: e5`, `fill: {node: e5, value: Ada}`, `press: Enter`.
fn verb_args(verb: &str, args: Value) -> Result<Value, String> {
    let mut act = match args {
        Value::String(word) if verb == "press" || verb == "type" => json!({"nodeId": "", "value": word}),
        Value::String(id) => json!({"nodeId": id}),
        Value::Null => json!({"nodeId": ""}),
        args => node_named(args).ok_or_else(|| format!("`{verb}` takes a node, or node and value"))?,
    };
    if act.get("nodeId").is_none() {
        act["nodeId"] = "".into();
    }
    act["action"] = verb.into();
    Ok(act)
}

/// Arguments in which `node` stands for `nodeId`.
fn node_named(args: Value) -> Option<Value> {
    let Value::Object(mut fields) = args else { return None };
    if let Some(node) = fields.remove("node") {
        fields.insert("nodeId".into(), node);
    }
    Some(Value::Object(fields))
}

impl fmt::Display for Step {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match self {
            Self::Goto(args) => write!(to, "goto {}", text(args.get("url").unwrap_or(args))),
            Self::View(_) => write!(to, "view"),
            Self::Act(args) => {
                write!(to, "{} {}", text(&args["action"]), text(&args["nodeId"]))?;
                match args.get("value") {
                    Some(value) => write!(to, " {}", text(value)),
                    None => Ok(()),
                }
            }
            Self::Wait(args) => write!(to, "wait {args}"),
            Self::Shot { file, .. } => write!(to, "shot {file}"),
            Self::Expect(expect) => {
                write!(to, "expect")?;
                let parts = [
                    ("text", &expect.text),
                    ("gone", &expect.gone),
                    ("url", &expect.url),
                    ("title", &expect.title),
                    ("node", &expect.node),
                    ("state", &expect.state),
                ];
                for (name, part) in parts {
                    if let Some(part) = part {
                        write!(to, " {name} {part:?}")?;
                    }
                }
                match &expect.value {
                    Some(value) => write!(to, " value {value}"),
                    None => Ok(()),
                }
            }
        }
    }
}
