//! The keyboard: keys with their codes, chords, and text too long or too foreign for keys.

use chromiumoxide::keys::{KeyDefinition, get_key_definition};
use futures::future::try_join_all;
use serde_json::{Value, json};

use super::{dispatch::Act, failure::Failure};
use crate::{
    page::error::PageError,
    spec::action::{ActionError, Reason},
};

/// A key with the modifiers held while it is pressed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chord {
    pub modifiers: u8,
    pub key: &'static KeyDefinition,
}

const MODIFIERS: [(&str, u8); 4] = [("Alt", 1), ("Control", 2), ("Meta", 4), ("Shift", 8)];

/// Reads `Enter`, `Control+A`, `Shift+Tab`, `+`.
pub(crate) fn chord(text: &str) -> Result<Chord, ActionError> {
    let wrong = |what: &str| {
        let hint = "Use a key's name such as Enter, Escape, Tab, ArrowDown, a, or a chord such as Control+A.";
        ActionError::because(Reason::InvalidValue, format!("there is no key `{what}`"), hint)
    };
    let (held, name) = match text.char_indices().rev().skip(1).find(|(_, letter)| *letter == '+') {
        Some((at, _)) => (&text[..at], &text[at + 1..]),
        None => ("", text),
    };
    let mut modifiers = 0;
    for part in held.split('+').filter(|part| !part.is_empty()) {
        let part = alias(part);
        modifiers |= MODIFIERS.iter().find(|(known, _)| *known == part).ok_or_else(|| wrong(part))?.1;
    }
    let name = alias(name);
    let lower = name.to_lowercase();
    // With a modifier the letter is the key, whatever the case it was written in.
    let key = if modifiers & !8 != 0 && name.chars().count() == 1 { get_key_definition(&lower) } else { None };
    let key = key.or_else(|| get_key_definition(name)).ok_or_else(|| wrong(text))?;
    Ok(Chord { modifiers, key })
}

fn alias(name: &str) -> &str {
    match name {
        "Ctrl" | "ControlOrMeta" => "Control",
        "Cmd" | "Command" | "Super" => "Meta",
        "Option" => "Alt",
        "Esc" => "Escape",
        "Return" => "Enter",
        "Space" => " ",
        "Del" => "Delete",
        "Up" => "ArrowUp",
        "Down" => "ArrowDown",
        "Left" => "ArrowLeft",
        "Right" => "ArrowRight",
        other => other,
    }
}

/// Down and up of one key.
fn stroke(chord: Chord) -> [Value; 2] {
    let Chord { modifiers, key } = chord;
    let text = match (key.text, key.key) {
        // A held Control, Alt or Meta makes a command of a letter.
        _ if modifiers & 7 != 0 => None,
        (Some(text), _) => Some(text),
        (None, "Enter") => Some("\r"),
        (None, name) if name.chars().count() == 1 => Some(name),
        (None, _) => None,
    };
    let mut down = json!({
        "type": if text.is_some() { "keyDown" } else { "rawKeyDown" }, "modifiers": modifiers,
        "key": key.key, "code": key.code, "windowsVirtualKeyCode": key.key_code,
    });
    if let Some(text) = text {
        down["text"] = text.into();
        down["unmodifiedText"] = text.into();
    }
    let up = json!({
        "type": "keyUp", "modifiers": modifiers,
        "key": key.key, "code": key.code, "windowsVirtualKeyCode": key.key_code,
    });
    [down, up]
}

/// The strokes of a chord: modifiers down, the key, modifiers up.
fn strokes(chord: Chord) -> Vec<Value> {
    let held: Vec<_> = MODIFIERS.iter().filter(|(_, bit)| chord.modifiers & bit != 0).collect();
    let modifier = |name: &str, modifiers: u8| get_key_definition(name).map(|key| stroke(Chord { modifiers, key }));
    let mut events = vec![];
    let mut bits = 0;
    for (name, bit) in &held {
        bits |= bit;
        events.extend(modifier(name, bits).map(|[down, _]| down));
    }
    events.extend(stroke(chord));
    for (name, bit) in held.iter().rev() {
        bits &= !bit;
        events.extend(modifier(name, bits).map(|[_, up]| up));
    }
    events
}

impl Act<'_> {
    /// Presses a chord, wherever the focus is.
    pub async fn chord(&self, chord: Chord) -> Result<(), Failure> {
        self.keys(strokes(chord)).await
    }

    /// Types text key by key, wherever the focus is; what no key has is inserted.
    pub async fn type_text(&self, text: &str) -> Result<(), Failure> {
        let mut pending = vec![];
        for letter in text.replace("\r\n", "\n").chars() {
            let name = if letter == '\n' { "Enter".to_owned() } else { letter.to_string() };
            match get_key_definition(&name) {
                Some(key) => pending.extend(stroke(Chord { modifiers: 0, key })),
                None => {
                    self.keys(std::mem::take(&mut pending)).await?;
                    self.insert(&name).await?;
                }
            }
        }
        self.keys(pending).await
    }

    /// Inserts text at once, as an input method or a paste does.
    pub async fn insert(&self, text: &str) -> Result<(), Failure> {
        let session = self.page.session();
        let call = session.call_raw("Input.insertText", json!({"text": text}), self.deadline);
        unless_left(self.page.guarded(call).await.map(|_| ()))
    }

    async fn keys(&self, events: Vec<Value>) -> Result<(), Failure> {
        let session = self.page.session();
        let calls = events.into_iter().map(|event| session.call_raw("Input.dispatchKeyEvent", event, self.deadline));
        unless_left(self.page.guarded(try_join_all(calls)).await.map(|_| ()))
    }
}

/// A key that raised a dialog or closed the tab has been pressed.
fn unless_left(sent: Result<(), PageError>) -> Result<(), Failure> {
    match sent {
        Ok(()) | Err(PageError::DialogOpen(_) | PageError::Closed) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests;
