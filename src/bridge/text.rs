//! Text into fields: replaced as a whole, typed, or cleared, and read back.

use serde_json::{Value, json};

use super::{
    control::{Control, read},
    dispatch::Act,
    failure::Failure,
    keyboard::chord,
    target::{Attempts, Needs, Target, hint},
};
use crate::spec::action::{Reason, Verb};

/// Input types whose text no key can enter as a whole: they are set, and read back.
const SET: [&str; 7] = ["date", "time", "datetime-local", "month", "week", "color", "range"];

impl Act<'_> {
    /// Replaces the whole text of a field. What the field does not take is an error, and changes nothing if the browser
    /// can tell beforehand. A field that the page exchanges when it gets the focus is filled in its new place.
    pub async fn fill(&self, target: &mut Target, text: &str) -> Result<(), Failure> {
        let mut attempts = Attempts::default();
        loop {
            match self.fill_once(target, text).await {
                Err(failure) if failure.is_about_the_element() => self.again(target, failure, &mut attempts).await?,
                filled => return filled,
            }
        }
    }

    async fn fill_once(&self, target: &mut Target, text: &str) -> Result<(), Failure> {
        self.must_take_text(target, Verb::Fill)?;
        self.ready(target, Needs::TEXT).await?;
        let control = target.begun.control.clone();
        let typed = control.tag == "input" && (SET.contains(&control.kind.as_str()) || control.kind == "number");
        if typed && !text.is_empty() {
            let kept: String = read(self.page.call(&target.handle, "kept", &[json!(text)], self.deadline).await?)?;
            if kept.is_empty() || (SET.contains(&control.kind.as_str()) && !same_value(&control.kind, &kept, text)) {
                return Err(refused_value(&control, text, None));
            }
        }
        if SET.contains(&control.kind.as_str()) && control.tag == "input" {
            self.focus_on(target).await?;
            self.page.call(&target.handle, "setNative", &[json!(text)], self.deadline).await?;
        } else {
            self.replace(target, text).await?;
        }
        let now = self.begin_again(target).await?;
        let same = |read: &str| read == text || read == text.replace("\r\n", "\n");
        match (&now.value, &control.value) {
            // The field has kept its old value, though another one was given.
            (Some(read), Some(old))
                if read == old && !same(read) && !(control.editable && read.trim() == text.trim()) =>
            {
                Err(refused_value(&now, text, now.validity.as_deref()))
            }
            _ if now.secret && now.empty && !text.is_empty() => {
                Err(refused_value(&now, "the value", now.validity.as_deref()))
            }
            _ => Ok(()),
        }
    }

    /// Types into an element, at the end of what is there.
    pub async fn type_into(&self, target: &mut Target, text: &str) -> Result<(), Failure> {
        self.ready(target, Needs { editable: true, enabled: true, ..Needs::default() }).await?;
        if !target.begun.control.focused {
            if target.begun.control.takes_text() {
                self.page.call(&target.handle, "selectContent", &[json!(false)], self.deadline).await?;
            } else {
                self.focus_on(target).await?;
            }
        }
        self.type_text(text).await
    }

    /// Empties a field.
    pub async fn clear(&self, target: &mut Target) -> Result<(), Failure> {
        self.must_take_text(target, Verb::Clear)?;
        self.ready(target, Needs::TEXT).await?;
        let control = target.begun.control.clone();
        if SET.contains(&control.kind.as_str()) && control.tag == "input" {
            self.focus_on(target).await?;
            self.page.call(&target.handle, "setNative", &[json!("")], self.deadline).await?;
        } else {
            self.replace(target, "").await?;
        }
        let now = self.begin_again(target).await?;
        if now.empty {
            return Ok(());
        }
        let message = format!("{} is not empty after clearing", now.said);
        Err(Failure::because(Reason::InvalidValue, message, "Fill it with the value that it should have."))
    }

    /// Selects what is there and types over it.
    async fn replace(&self, target: &Target, text: &str) -> Result<(), Failure> {
        let focused = self.page.call(&target.handle, "selectContent", &[json!(true)], self.deadline).await?;
        if focused.is_null() {
            let message = format!("{} was removed when it got the focus", target.begun.control.said);
            return Err(Failure::because(Reason::Detached, message, hint(Reason::Detached, None)));
        }
        if focused != Value::Bool(true) {
            let message = format!("{} does not take the focus", target.begun.control.said);
            return Err(Failure::because(Reason::NotEditable, message, "Click it first, or choose another field."));
        }
        let before = &target.begun.control;
        if text.is_empty() {
            if before.empty {
                return Ok(());
            }
            self.chord(chord("Delete")?).await?;
        } else {
            self.insert(text).await?;
        }
        if !before.editable {
            self.page.call(&target.handle, "committed", &[], self.deadline).await?;
        }
        Ok(())
    }

    fn must_take_text(&self, target: &Target, verb: Verb) -> Result<(), Failure> {
        let control = &target.begun.control;
        if control.takes_text() {
            return Ok(());
        }
        let hint = match verb {
            Verb::Fill => "Only <input> and <textarea> accept \"fill\".",
            _ => "Only <input> and <textarea> accept \"clear\".",
        };
        Err(Failure::unsupported(&self.request.node_id, verb, hint))
    }

    /// Gives an element the focus; an element that takes none is an error.
    pub async fn focus_on(&self, target: &Target) -> Result<(), Failure> {
        if self.page.call(&target.handle, "focus", &[], self.deadline).await? == Value::Bool(true) {
            return Ok(());
        }
        let message = format!("{} does not take the focus", target.begun.control.said);
        Err(Failure::because(Reason::Unsupported, message, "Click it instead, or focus a field or a button."))
    }

    /// The element as it is now, without beginning anew.
    async fn begin_again(&self, target: &Target) -> Result<Control, Failure> {
        let late: super::control::Now = read(self.page.call(&target.handle, "control", &[], self.deadline).await?)?;
        Ok(late.0)
    }
}

/// Whether a field's reading of a value is the value: colours are written in either case, times with or without seconds.
fn same_value(kind: &str, kept: &str, wanted: &str) -> bool {
    match kind {
        "color" => kept.eq_ignore_ascii_case(wanted),
        "time" | "datetime-local" => {
            let wanted = wanted.replacen(' ', "T", 1);
            kept == wanted || kept == wanted.trim_end_matches(":00") || kept.trim_end_matches(":00") == wanted
        }
        "range" => match (kept.parse::<f64>(), wanted.parse::<f64>()) {
            (Ok(kept), Ok(wanted)) => (kept - wanted).abs() < f64::EPSILON,
            _ => false,
        },
        _ => kept == wanted,
    }
}

fn refused_value(control: &Control, text: &str, said: Option<&str>) -> Failure {
    let why = said.map(|said| format!(": {said}")).unwrap_or_default();
    let shape = match control.kind.as_str() {
        "date" => "Give a date as 2026-12-31.",
        "time" => "Give a time as 23:59.",
        "datetime-local" => "Give a date and time as 2026-12-31T23:59.",
        "month" => "Give a month as 2026-12.",
        "week" => "Give a week as 2026-W52.",
        "color" => "Give a color as #ff8800.",
        "number" => "Give a number such as 12 or 12.5.",
        "range" => "Give a number within the field's min, max and step.",
        _ => "Read the field's description and give a value that it takes.",
    };
    Failure::because(Reason::InvalidValue, format!("{} does not take \"{text}\"{why}", control.said), shape)
}

#[cfg(test)]
mod tests;
