//! What a call of an action gives back: a text for a model, the exact result, pictures.

use serde::Serialize;
use serde_json::{Value, json};

use crate::spec::action::ActionError;

/// A picture, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Image {
    pub mime: String,
    pub base64: String,
}

/// The reply to one call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolReply {
    /// What a model needs to know: the result line, then what changed.
    pub text: String,
    /// The exact result object.
    pub structured: Value,
    pub is_error: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
}

impl ToolReply {
    /// A success.
    pub fn ok(text: impl Into<String>, structured: Value) -> Self {
        Self { text: text.into(), structured, is_error: false, images: vec![] }
    }

    /// A failure: `{ok: false, error}`.
    pub fn failed(error: &ActionError) -> Self {
        Self { text: said(error), structured: json!({"ok": false, "error": error}), is_error: true, images: vec![] }
    }
}

/// An error in two lines: what is wrong, and what to do next.
pub fn said(error: &ActionError) -> String {
    let code = word(&error.code);
    let reason = error.reason.map(|reason| format!(" ({})", word(&reason))).unwrap_or_default();
    let hint = if error.hint.is_empty() { String::new() } else { format!("\nhint: {}", error.hint) };
    format!("{code}{reason}: {}{hint}", error.message)
}

/// A text of the page as part of one line: what would break the line, or turn it around, is escaped; at most so many
/// characters.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let breaks = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut line = String::with_capacity(text.len().min(most));
    for (at, letter) in text.chars().enumerate() {
        if at == most {
            line.push('…');
            break;
        }
        match breaks(letter) {
            true => line.extend(letter.escape_default()),
            false => line.push(letter),
        }
    }
    line
}

/// The wire name of an enum without data.
pub(crate) fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
