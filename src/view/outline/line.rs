//! One node as one line, and the only ways in which page text enters an outline: quoted, fenced (`| …`) or as a cell.
//! None of the three can begin a line, close its own fence or hold a line break, so that no page can forge a node.

use crate::spec::snapshot::SnapNode;

/// Most options of a select that its own line lists; `expand` lists them all.
const MOST_OPTIONS: usize = 20;
/// Characters of a URL that a line shows.
const MOST_URL: usize = 80;

/// What a line says of a node, field by field, so that a delta can name the fields that changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parts {
    pub node_ref: String,
    pub role: String,
    pub name: String,
    pub wci: String,
    pub value: String,
    pub href: String,
    pub marks: Vec<String>,
    pub options: String,
}

impl Parts {
    /// Fields of a node; `page` is the URL that links are shortened against.
    pub fn of(node: &SnapNode, page: &str) -> Self {
        Self {
            node_ref: if shows_ref(node) { node.node_ref.clone() } else { String::new() },
            role: role(node),
            name: if node.name.is_empty() { String::new() } else { quoted(&node.name) },
            wci: node.wci_id.as_deref().map(wci).unwrap_or_default(),
            value: value(node),
            href: node.href.as_deref().map(|href| url(href, page)).unwrap_or_default(),
            marks: marks(node),
            options: options(node),
        }
    }

    /// `e12 button "Add" [disabled]`.
    pub fn line(&self) -> String {
        let mut out = String::new();
        for word in [&self.node_ref, &self.role, &self.name, &self.wci] {
            push(&mut out, word);
        }
        self.end(&mut out);
        out
    }

    /// Everything behind the name: `= "value" → /url [marks] ("option" …)`.
    pub fn end(&self, out: &mut String) {
        for (sign, text) in [("= ", &self.value), ("→ ", &self.href)] {
            if !text.is_empty() {
                push(out, sign);
                out.push_str(text);
            }
        }
        push(out, &self.marks());
        push(out, &self.options);
    }

    pub fn marks(&self) -> String {
        if self.marks.is_empty() { String::new() } else { format!("[{}]", self.marks.join(" ")) }
    }
}

/// Appends a word behind a space.
pub fn push(out: &mut String, word: &str) {
    if word.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}

/// Headings and texts are read, not acted on: their refs would only cost tokens.
fn shows_ref(node: &SnapNode) -> bool {
    node.role != "heading" || node.interactive || node.clickable || node.wci_id.is_some()
}

/// The word for what a node is; roles are letters only, whatever a snapshot says.
pub fn role(node: &SnapNode) -> String {
    match (node.role.as_str(), node.level) {
        ("heading", Some(level)) => format!("h{level}"),
        ("", _) if node.clickable => "clickable".into(),
        ("", _) => "group".into(),
        (role, _) => role.chars().filter(char::is_ascii_alphabetic).collect(),
    }
}

fn value(node: &SnapNode) -> String {
    match &node.value {
        _ if node.secret => "(secret)".into(),
        Some(value) if !value.is_empty() => quoted(value),
        _ => String::new(),
    }
}

fn marks(node: &SnapNode) -> Vec<String> {
    let state = [
        (node.checked.as_deref() == Some("true"), "checked"),
        (node.checked.as_deref() == Some("mixed"), "mixed"),
        (node.pressed.as_deref() == Some("true"), "pressed"),
        (node.selected == Some(true), "selected"),
        (node.current.is_some(), "current"),
        (node.expanded == Some(true), "expanded"),
        (node.expanded == Some(false), "collapsed"),
        (node.disabled, "disabled"),
        (node.required, "required"),
        (node.invalid, "invalid"),
        (node.readonly, "readonly"),
        (node.multiple, "multiple"),
        (node.focused, "focused"),
        (node.modal && matches!(node.role.as_str(), "dialog" | "alertdialog"), "modal"),
    ];
    state.into_iter().filter(|(on, _)| *on).map(|(_, word)| word.to_owned()).collect()
}

fn options(node: &SnapNode) -> String {
    if node.options.is_empty() || node.secret {
        return String::new();
    }
    let mut words: Vec<String> = node.options.iter().take(MOST_OPTIONS).map(|option| quoted(&option.label)).collect();
    if node.options.len() > MOST_OPTIONS {
        words.push(format!(
            "… {} more, expand {} from {MOST_OPTIONS}",
            node.options.len() - MOST_OPTIONS,
            node.node_ref
        ));
    }
    format!("({})", words.join(" "))
}

/// `#go`, or quoted when the id is not a plain word.
fn wci(id: &str) -> String {
    let plain = !id.is_empty() && id.chars().all(|one| one.is_ascii_alphanumeric() || "_-.:".contains(one));
    if plain { format!("#{id}") } else { format!("#{}", quoted(id)) }
}

/// Page text without line breaks, control characters and characters that change what a reader sees.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}' | '\u{200b}' | '\u{feff}' => {
            }
            space if space.is_whitespace() || space.is_control() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            other => out.push(other),
        }
    }
    out.trim().to_owned()
}

/// Page text in quotes, with quotes and backslashes escaped.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", plain(text).replace('\\', "\\\\").replace('"', "\\\""))
}

/// Page text as a line of its own.
pub fn fenced(text: &str) -> String {
    format!("| {}", plain(text))
}

/// Page text between the bars of a row.
pub fn cell(text: &str) -> String {
    plain(text).replace('\\', "\\\\").replace('|', "\\|")
}

/// A URL without what the page's own says already, at most 80 characters; inline data and code are never printed.
pub fn url(href: &str, page: &str) -> String {
    let href: String = plain(href).replace(' ', "%20");
    for scheme in ["data:", "javascript:", "blob:"] {
        if href.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)) {
            return format!("{scheme}…");
        }
    }
    let document = page.split('#').next().unwrap_or_default();
    let short = match href.strip_prefix(document) {
        Some(fragment) if fragment.starts_with('#') && !document.is_empty() => fragment,
        _ => match origin(page).and_then(|origin| href.strip_prefix(origin)) {
            Some(path) if path.starts_with('/') => path,
            _ => &href,
        },
    };
    if short.chars().count() <= MOST_URL {
        return short.to_owned();
    }
    let head: String = short.chars().take(MOST_URL - 1).collect();
    format!("{head}…")
}

/// `https://example.com` of a URL.
fn origin(url: &str) -> Option<&str> {
    let host = url.find("://")? + 3;
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    (end > host).then_some(&url[..end])
}
