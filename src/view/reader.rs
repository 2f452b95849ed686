//! One annotated element as a WCI node (`readWciNodeSpec` of the seed, by the behaviour of reference 1.3.0).
//! Anonymous nodes get an id made of their ref, so that they can be dispatched.

use crate::spec::{snapshot::WciElement, wci::WciNodeSpec};

const ROLES: [&str; 6] = ["action", "form", "display", "nav", "status", "landmark"];
const ACTIONS: [&str; 9] = ["click", "fill", "select", "check", "upload", "submit", "navigate", "focus", "clear"];

/// Reads one element; an unknown role is `display`, an unknown action none.
pub fn read(element: &WciElement) -> WciNodeSpec {
    let attr = |key: &str| element.attrs.get(key).and_then(|value| value.as_str());
    let role = attr("role").filter(|role| ROLES.contains(role)).unwrap_or("display");
    let id = [attr("id"), Some(element.html_id.as_str())].into_iter().flatten().find(|id| !id.is_empty());
    WciNodeSpec {
        id: id.map_or_else(|| format!("wci-anon-{}", element.node_ref), str::to_owned),
        role: role.to_owned(),
        desc: attr("desc").unwrap_or(&element.text).to_owned(),
        action: attr("action").filter(|action| ACTIONS.contains(action)).map(str::to_owned),
        state: element.state.clone().unwrap_or_default(),
        precondition: attr("precondition").map(str::to_owned),
        required: attr("required").map(is_true),
        options: element.options.clone(),
        emits: attr("emit").map(str::to_owned),
        scope: attr("scope").map(str::to_owned),
        hidden: attr("hidden").map(is_true),
        priority: attr("priority").map_or(3, priority),
        source: None,
    }
}

/// A boolean attribute: bare or `true` in any case.
fn is_true(raw: &str) -> bool {
    raw.is_empty() || raw.eq_ignore_ascii_case("true")
}

/// `parseInt` clamped to 1..5; 3 for what is no number.
fn priority(raw: &str) -> i64 {
    let text = raw.trim_start();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits: String = digits.chars().take_while(char::is_ascii_digit).collect();
    match digits.parse::<i64>() {
        Ok(number) => (sign * number).clamp(1, 5),
        // Only digits can be here: none at all, or more than fit.
        Err(_) if digits.is_empty() => 3,
        Err(_) => {
            if sign > 0 {
                5
            } else {
                1
            }
        }
    }
}

#[cfg(test)]
mod tests;
