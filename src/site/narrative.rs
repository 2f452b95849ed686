//! `wci.md`: the site's words to an agent, kept short. Publisher-written and untrusted: whoever puts it into a prompt
//! marks it as the site's text. Nothing in it is parsed.

use serde::Serialize;

use crate::{
    site::reading::{Reading, js_trim, not_a_file},
    spec::policy::Diagnostic,
};

/// Most characters that are kept: about 4,000 tokens.
pub const MOST_CHARS: usize = 16_000;
/// Most bytes that are fetched; more than [`MOST_CHARS`] needs in any script.
pub const MOST_BYTES: usize = 96 * 1024;

/// The text of a `wci.md`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Narrative {
    pub text: String,
    /// Text after [`MOST_CHARS`] was left out.
    pub truncated: bool,
}

/// The narrative of a body; `None` for an empty one or an HTML page.
pub fn parse(text: &str) -> (Option<Narrative>, Vec<Diagnostic>) {
    match read(text, None, false) {
        (Reading::Value(narrative), findings) => (Some(narrative), findings),
        (Reading::Absent(why) | Reading::Malformed(why), mut findings) => {
            findings.push(Diagnostic { line: 0, message: format!("{why}: taken as no wci.md") });
            (None, findings)
        }
    }
}

/// As [`parse`], with the response's content type and whether the response itself was cut.
pub fn read(text: &str, content_type: Option<&str>, cut: bool) -> (Reading<Narrative>, Vec<Diagnostic>) {
    if let Some(why) = not_a_file(text, content_type) {
        return (Reading::Absent(why), vec![]);
    }
    let clean: String = js_trim(text).chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    let kept = match clean.char_indices().nth(MOST_CHARS) {
        // At the end of a line when one is near, so that no instruction is cut in two.
        Some((end, _)) => clean[..end].rfind('\n').filter(|at| *at * 2 > end).unwrap_or(end),
        None => clean.len(),
    };
    let truncated = cut || kept < clean.len();
    let mut findings = vec![];
    if truncated {
        let message = format!("longer than {MOST_CHARS} characters; the rest is left out");
        findings.push(Diagnostic { line: clean[..kept].lines().count(), message });
    }
    (Reading::Value(Narrative { text: clean[..kept].to_owned(), truncated }), findings)
}

#[cfg(test)]
mod tests;
