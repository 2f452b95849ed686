//! Choices, boxes and forms.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    control::{Chosen, Form, read},
    dispatch::Act,
    failure::Failure,
    pointer::Gesture,
    target::{Attempts, Needs, Target},
};
use crate::spec::{
    action::{ActionError, ErrorCode, Reason, Verb},
    js_number,
};

/// How long an option may take to come: lists that depend on another one are filled by a request.
const OPTION: Duration = Duration::from_secs(2);
const CHECKED_ROLES: [&str; 5] = ["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"];

impl Act<'_> {
    /// Chooses the options of a list, by value, then label, then text.
    pub async fn select(&self, target: &mut Target, value: Option<&Value>) -> Result<(), Failure> {
        let id = &self.request.node_id;
        if target.begun.control.tag != "select" {
            let hint = "Only <select> accepts \"select\"; use \"fill\" or \"check\" instead.";
            return Err(Failure::unsupported(id, Verb::Select, hint));
        }
        let wanted: Vec<String> = match value {
            Some(Value::Array(many)) => many.iter().map(text_of).collect(),
            Some(one) => vec![text_of(one)],
            None => vec![String::new()],
        };
        if wanted.len() > 1 && !target.begun.control.multiple {
            let message = format!("{} takes one option, not {}", target.begun.control.said, wanted.len());
            return Err(Failure::because(Reason::InvalidValue, message, "Give one value."));
        }
        let coming = self.patience.at_most(OPTION);
        let mut attempts = Attempts::default();
        let chosen = loop {
            self.ready(target, Needs { enabled: true, ..Needs::default() }).await?;
            let reply = self.page.call(&target.handle, "select", &[json!(wanted)], self.deadline).await?;
            let chosen: Chosen = read(reply)?;
            if chosen.ok {
                return Ok(());
            }
            if coming.passed() || !attempts.next(self).await {
                break chosen;
            }
        };
        let missing = chosen.missing.unwrap_or_default();
        let valid = if chosen.options.is_empty() { "(none)".to_owned() } else { chosen.options.join(", ") };
        let message = if chosen.off {
            format!("Option \"{missing}\" of \"{id}\" is disabled. Valid options: {valid}.")
        } else {
            format!("Option \"{missing}\" is not available on \"{id}\". Valid options: {valid}.")
        };
        Err(Failure::because(Reason::NoSuchOption, message, "Choose one of the listed option values."))
    }

    /// Brings a box, radio button or switch to a state, by a press where it is in another one.
    pub async fn check(&self, target: &mut Target, value: Option<&Value>) -> Result<Option<String>, Failure> {
        // As JavaScript reads a missing, null or other value.
        let wanted = value.filter(|value| !value.is_null()).is_none_or(truthy);
        let control = &target.begun.control;
        let native = control.is_input(&["checkbox", "radio"]);
        if !native && !CHECKED_ROLES.contains(&control.role.as_str()) {
            let hint = "Only <input type=\"checkbox\"> and <input type=\"radio\"> accept \"check\".";
            return Err(Failure::unsupported(&self.request.node_id, Verb::Check, hint));
        }
        if control.checked == Some(wanted) {
            self.ready(target, Needs { enabled: true, ..Needs::default() }).await?;
            return Ok(None);
        }
        let said = control.said.clone();
        if !wanted && (control.is_input(&["radio"]) || control.role == "radio" || control.role == "menuitemradio") {
            let message = format!("{said} cannot be unchecked: a radio button goes out when another one goes on");
            return Err(Failure::because(Reason::InvalidValue, message, "Check another one of its group."));
        }
        let gesture = Gesture::of(&self.options, None, 1)?;
        let hit = self.press(target, Needs::POINTER, &gesture).await?;
        let now: super::control::Now = match self.page.call(&target.handle, "control", &[], self.deadline).await {
            Ok(reply) => read(reply)?,
            // The press led away, or raised a dialog: that is its effect.
            Err(_) => return Ok(hit),
        };
        if now.0.checked == Some(wanted) || now.0.checked.is_none() {
            return Ok(hit);
        }
        let message = format!("{said} is still {}checked after the press", if wanted { "un" } else { "" });
        Err(Failure::because(Reason::InvalidValue, message, "The page refuses it: read its messages."))
    }

    /// Submits the form of an element, by its button where it has one that can be seen.
    pub async fn submit(&self, target: &mut Target) -> Result<Option<String>, Failure> {
        let id = &self.request.node_id;
        let none = || {
            Failure::Action(ActionError {
                code: ErrorCode::ActionNotSupported,
                message: format!("No form ancestor found for \"{id}\"."),
                hint: "Target a node inside a <form>, or dispatch \"click\" on the submit button.".into(),
                reason: Some(Reason::Unsupported),
            })
        };
        let form = self.page.call(&target.handle, "formOf", &[], self.deadline).await?;
        let form: Form = read::<Option<Form>>(form)?.ok_or_else(none)?;
        if let Some(invalid) = form.invalid {
            let field = self.page.ref_beside(&target.handle, invalid.number).unwrap_or_default();
            let message = format!("{} is not valid: {}", invalid.said, invalid.message);
            return Err(Failure::because(Reason::InvalidValue, message, format!("Correct {field} first.")));
        }
        let button = match form.button {
            Some(number) => self.page.beside(&target.handle, number, self.deadline).await?,
            None => None,
        };
        let Some(button) = button else {
            self.page.call(&target.handle, "submitForm", &[], self.deadline).await?;
            return Ok(None);
        };
        let begun = target.begun.clone();
        let mut button = Target { handle: button, begun };
        self.press(&mut button, Needs::POINTER, &Gesture::of(&self.options, None, 1)?).await
    }
}

/// A value as JavaScript's `String(value ?? "")`.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), js_number::format),
        other => other.to_string(),
    }
}

/// Whether JavaScript takes a value for true.
fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}
