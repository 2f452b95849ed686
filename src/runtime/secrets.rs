//! Values that must not be written down: found by the name they were given under or the field they go into, and
//! replaced wherever they turn up.

use serde_json::Value;

const MASK: &str = "(secret)";
/// Parts of names of what is kept secret.
const NAMES: [&str; 14] = [
    "password",
    "passphrase",
    "passwd",
    "secret",
    "token",
    "credential",
    "otp",
    "one-time",
    "onetime",
    "pin",
    "cvc",
    "cvv",
    "card",
    "iban",
];
/// A shorter value is only masked where it stands alone: as a part it would be in half of all texts.
const SHORTEST_PART: usize = 4;

/// The secrets of one run.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    values: Vec<String>,
}

impl Secrets {
    /// Keeps `value` secret if it belongs to something that is called like a secret.
    pub fn learn(&mut self, name: &str, value: &str) {
        let name = name.to_lowercase();
        let parts: Vec<&str> = name.split(|letter: char| !letter.is_alphanumeric()).collect();
        // Short names only as whole words: `pin` is in `shopping`.
        let named =
            NAMES.iter().any(|secret| if secret.len() > 4 { name.contains(secret) } else { parts.contains(secret) });
        if named && !value.is_empty() && !self.values.iter().any(|known| known == value) {
            self.values.push(value.to_owned());
            // The longest first, so that one secret within another leaves no rest.
            self.values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        }
    }

    pub fn scrub(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for value in &self.values {
            if value.chars().count() >= SHORTEST_PART {
                text = text.replace(value.as_str(), MASK);
            } else if text == *value {
                text = MASK.to_owned();
            }
        }
        text
    }

    /// Scrubs every text in a JSON value, keys included.
    pub fn scrub_value(&self, value: &mut Value) {
        if self.values.is_empty() {
            return;
        }
        match value {
            Value::String(text) => *text = self.scrub(text),
            Value::Number(number) => {
                let text = number.to_string();
                if self.values.contains(&text) {
                    *value = MASK.into();
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.scrub_value(item)),
            Value::Object(members) => {
                let taken = std::mem::take(members);
                members.extend(taken.into_iter().map(|(key, mut value)| {
                    self.scrub_value(&mut value);
                    (self.scrub(&key), value)
                }));
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

#[cfg(test)]
mod tests;
