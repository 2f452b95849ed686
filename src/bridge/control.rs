//! What the shim says of an element, as types.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    page::error::PageError,
    spec::action::{Reason, SideEffect},
};

/// An element as it is now; see `state` in the shim.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Control {
    pub tag: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub role: String,
    pub secret: bool,
    /// Absent for secrets, and where an element has none.
    pub value: Option<String>,
    pub empty: bool,
    pub checked: Option<bool>,
    pub files: Option<Vec<String>>,
    pub disabled: bool,
    pub editable: bool,
    pub multiple: bool,
    /// The browser's message, when it refuses the value.
    pub validity: Option<String>,
    pub href: Option<String>,
    pub base: String,
    pub focused: bool,
    pub wci_id: Option<String>,
    pub annotated: bool,
    pub precondition: Option<String>,
    /// `disabled` or `aria-disabled="true"` on the element itself.
    pub barred: bool,
    /// Number of the control that it labels.
    pub label: Option<u64>,
    pub said: String,
}

impl Control {
    pub fn is_input(&self, kinds: &[&str]) -> bool {
        self.tag == "input" && kinds.contains(&self.kind.as_str())
    }

    /// Takes text: typed, or set where no keys can.
    pub fn takes_text(&self) -> bool {
        const OTHERS: [&str; 8] = ["button", "checkbox", "file", "hidden", "image", "radio", "reset", "submit"];
        self.tag == "textarea" || self.editable || (self.tag == "input" && !OTHERS.contains(&self.kind.as_str()))
    }

    /// The value as JSON; nothing for secrets.
    pub fn value_json(&self) -> Option<Value> {
        match (self.checked, &self.value, &self.files) {
            _ if self.secret => None,
            (Some(checked), ..) => Some(Value::Bool(checked)),
            (None, _, Some(files)) => Some(files.clone().into()),
            (None, Some(value), None) => Some(value.clone().into()),
            (None, None, None) => None,
        }
    }
}

/// Counters of a document; see `07_changes.js`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Counts {
    pub dom: i64,
    pub input: i64,
    pub scroll: i64,
    pub focus: i64,
    pub submit: i64,
}

/// An element as it is now, alone.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub(crate) struct Now(pub Control);

/// An action's first look.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Begun {
    pub control: Control,
    pub counts: Counts,
}

/// A look before input.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Prepared {
    pub ok: bool,
    pub reason: Option<Reason>,
    pub message: Option<String>,
    /// Number of the element in the way.
    pub culprit: Option<u64>,
    /// The action point in the frame's viewport.
    #[serde(default)]
    pub x: f64,
    #[serde(default)]
    pub y: f64,
    /// The frame's viewport.
    #[serde(default)]
    pub width: f64,
    #[serde(default)]
    pub height: f64,
}

/// What the pointer's events reached under a guard.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Released {
    pub hit: Option<String>,
    pub culprit: Option<u64>,
    /// The culprit in words.
    pub message: Option<String>,
}

/// What came of an action at once.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Concluded {
    pub change: Option<Change>,
    pub side: Vec<SideEffect>,
    pub control: Control,
    pub counts: Counts,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Change {
    pub before: Map<String, Value>,
    pub after: Map<String, Value>,
}

/// What came of it later.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Late {
    pub side: Vec<SideEffect>,
    pub control: Control,
    pub counts: Counts,
}

/// What a form would do.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Form {
    /// Number of the button that submits it.
    pub button: Option<u64>,
    pub invalid: Option<InvalidField>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct InvalidField {
    pub number: u64,
    pub said: String,
    pub message: String,
}

/// What became of a choice of options.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Chosen {
    pub ok: bool,
    pub missing: Option<String>,
    /// The option is there, but disabled.
    #[serde(default)]
    pub off: bool,
    #[serde(default)]
    pub options: Vec<String>,
}

/// Reads a reply of the shim.
pub(crate) fn read<T: serde::de::DeserializeOwned>(reply: Value) -> Result<T, PageError> {
    serde_json::from_value(reply).map_err(|error| PageError::Script { message: format!("the shim said: {error}") })
}
