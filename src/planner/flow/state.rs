//! What the planner decides from: the task and its data, the page as its view shows it, what the site publishes, and
//! what happened so far. Plain data; the runtime fills it in.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::spec::action::{ActionError, Effect};

/// Everything that a decision depends on.
#[derive(Debug, Clone, Copy)]
pub struct FlowState<'a> {
    /// In a person's words.
    pub task: &'a str,
    /// Values that the person gave, by name.
    pub data: &'a BTreeMap<String, String>,
    pub page: &'a Seen,
    pub site: &'a SiteFacts,
    pub memory: &'a Memory,
}

/// A page as its WCI JSON view shows it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Seen {
    /// Not part of a view; set by whoever knows it.
    pub url: String,
    #[serde(rename = "page_title")]
    pub title: String,
    pub nodes: Vec<Node>,
}

/// A node of a view.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Node {
    pub id: String,
    pub role: String,
    pub desc: String,
    pub action: Option<String>,
    pub state: Map<String, Value>,
    pub precondition: Option<String>,
    pub required: bool,
    pub options: Option<Vec<String>>,
    pub scope: Option<String>,
}

impl Seen {
    /// Reads a WCI view in JSON.
    pub fn parse(view: &str, url: &str) -> Result<Self, serde_json::Error> {
        Ok(Self { url: url.to_owned(), ..serde_json::from_str(view)? })
    }

    pub fn node(&self, id: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }
}

impl Node {
    /// The node holds a value already, or is ticked.
    pub fn is_filled(&self) -> bool {
        let value = self.state.get("value").is_some_and(|value| match value {
            Value::String(text) => !text.is_empty(),
            Value::Null => false,
            _ => true,
        });
        value || self.state.get("checked") == Some(&Value::Bool(true))
    }

    /// The site says that what the node holds is wrong.
    pub fn is_invalid(&self) -> bool {
        self.state.get("valid") == Some(&Value::Bool(false))
    }
}

/// What a site publishes about itself, as far as it decides anything here.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct SiteFacts {
    pub task_flows: Vec<TaskFlow>,
    /// Scopes in which nothing is done without a person.
    pub confirm: Vec<String>,
    pub denied: Vec<String>,
}

/// A journey that the site describes (`wci.json`, `task_flows`).
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct TaskFlow {
    pub id: String,
    pub description: String,
    pub steps: Vec<FlowStep>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct FlowStep {
    pub scope: String,
    pub url_pattern: String,
    pub requires_human_confirmation: bool,
}

/// Why an action was chosen: what later decisions need to know of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Fills a field of a form.
    Fill,
    /// Does what the goal asks for.
    Apply,
    /// Goes where the goal can be pursued, or where its outcome shows.
    Follow,
    /// Writes what is looked for into a search field.
    Query,
    /// Sends the search off.
    Search,
    /// Removes what a hint says is in the way.
    Clear,
    /// Gives the site time.
    Wait,
}

/// One action that was taken, and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub goal: usize,
    pub intent: Intent,
    /// Node id, or the address of a navigation.
    pub target: String,
    pub verb: String,
    pub value: Option<Value>,
    /// Where the page was before.
    pub url: String,
    pub outcome: Outcome,
}

/// What was observed of an action.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    pub success: bool,
    pub effect: Option<Effect>,
    /// The validation message that the browser or the site shows.
    pub validity: Option<String>,
    pub error: Option<ActionError>,
}

impl Outcome {
    /// It succeeded, and something came of it.
    pub fn took_effect(&self) -> bool {
        self.success && self.effect.is_some_and(|effect| effect != Effect::None)
    }

    pub fn left_page(&self) -> bool {
        matches!(self.effect, Some(Effect::Navigated | Effect::Opened))
    }
}

/// What happened so far in a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    pub turns: Vec<Turn>,
    /// Goals that were seen to be reached, with what showed it, in order.
    pub closed: Vec<String>,
}

impl Memory {
    /// Turns on the present document.
    pub fn here(&self) -> &[Turn] {
        let left = self.turns.iter().rposition(|turn| turn.outcome.left_page());
        &self.turns[left.map_or(0, |at| at + 1)..]
    }

    /// Turns of one goal.
    pub fn of(&self, goal: usize) -> impl Iterator<Item = &Turn> {
        self.turns.iter().filter(move |turn| turn.goal == goal)
    }
}
