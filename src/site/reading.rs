//! What the parsers of the three site files share: when a body counts as no file at all, and how a site's own words
//! are quoted in a diagnostic. Knows no grammar of a file.

use crate::spec::policy::Diagnostic;

/// What a body turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading<T> {
    Value(T),
    /// Not this file: empty, an HTML page, or text of another kind (a server that answers 200 to everything).
    Absent(String),
    /// This file, but broken. A broken policy is not "no policy".
    Malformed(String),
}

/// Longest quotation of a site's text in a diagnostic, in characters.
const QUOTE: usize = 60;
/// Most diagnostics of one file; the rest is counted.
const MOST_DIAGNOSTICS: usize = 100;

/// The reason for which a body is no site file of any kind: nothing in it, or an HTML page. The content type alone does
/// not decide: a `wci.txt` served as `text/html` still binds, so the body must look like markup too.
pub fn not_a_file(body: &str, content_type: Option<&str>) -> Option<String> {
    let start = js_trim(body);
    if start.is_empty() {
        return Some("the body is empty".into());
    }
    let html_type = content_type.is_some_and(|kind| {
        let kind = kind.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("text/html") || kind.eq_ignore_ascii_case("application/xhtml+xml")
    });
    if is_html(start) || (html_type && start.starts_with('<')) {
        return Some("the body is an HTML page".into());
    }
    None
}

/// Whether a text begins as an HTML document, after comments and an XML declaration.
fn is_html(text: &str) -> bool {
    let mut rest = js_trim(text);
    loop {
        let after = match rest {
            _ if rest.starts_with("<!--") => rest.split_once("-->"),
            _ if rest.starts_with("<?xml") => rest.split_once("?>"),
            _ => break,
        };
        match after {
            Some((_, after)) => rest = js_trim(after),
            None => return false,
        }
    }
    ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| {
        rest.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag))
            && !rest[tag.len()..].starts_with(|next: char| next.is_ascii_alphanumeric() || next == '-')
    })
}

/// `String.prototype.trim`: ECMAScript white space and line ends, the byte order mark among them.
pub fn js_trim(text: &str) -> &str {
    text.trim_matches(|letter: char| letter == '\u{feff}' || (letter.is_whitespace() && letter != '\u{85}'))
}

/// A site's text inside a diagnostic: short, on one line, without control characters.
pub fn quoted(text: &str) -> String {
    let mut out: String = text.chars().take(QUOTE).flat_map(char::escape_debug).collect();
    if text.chars().nth(QUOTE).is_some() {
        out.push('…');
    }
    format!("`{out}`")
}

/// Diagnostics of one file, bounded.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Diagnostic>,
    more: usize,
}

impl Findings {
    /// Notes a finding; `line` is 1-based, 0 for none.
    pub fn add(&mut self, line: usize, message: impl Into<String>) {
        if self.list.len() < MOST_DIAGNOSTICS {
            self.list.push(Diagnostic { line, message: message.into() });
        } else {
            self.more += 1;
        }
    }

    /// The findings in order; the last one counts those that were left out.
    pub fn into_list(mut self) -> Vec<Diagnostic> {
        if self.more > 0 {
            self.list.push(Diagnostic { line: 0, message: format!("{} more findings are left out", self.more) });
        }
        self.list
    }
}
