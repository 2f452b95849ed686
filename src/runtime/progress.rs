//! Live progress: one line an event that a person would want to see, written wherever the caller likes.

use crate::spec::event::RunEvent;

/// The line of an event; `None` for those that say nothing new.
pub fn line(event: &RunEvent) -> Option<String> {
    let indent = match event.phase.as_str() {
        "run" | "finish" => "",
        "orient" => return None,
        _ => "  ",
    };
    // Texts of a page must not move the cursor.
    let summary: String = event.summary.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let number = match (event.phase.as_str(), event.step) {
        ("observe", step) if step > 0 => format!("{step:>2} "),
        _ => "   ".to_owned(),
    };
    Some(format!("{indent}{number}{:<9}{summary}", event.phase))
}
