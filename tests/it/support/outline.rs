//! Reads refs and names back out of an outline, as an agent does: line by line, leniently.

/// One line of an outline that names a node.
#[derive(Debug, Clone)]
pub struct Node {
    /// `e12`.
    pub id: String,
    /// The first quoted text.
    pub name: String,
}

/// The nodes of an outline, in its order.
pub fn refs(outline: &str) -> Vec<Node> {
    outline.lines().filter_map(node).collect()
}

fn node(line: &str) -> Option<Node> {
    let (name, rest) = match line.split_once('"') {
        Some((before, after)) => {
            let end = closing_quote(after)?;
            (after[..end].replace("\\\"", "\""), format!("{before} {}", &after[end + 1..]))
        }
        None => (String::new(), line.to_owned()),
    };
    let mut words = rest.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let is_ref = |word: &str| {
        word.strip_prefix('e').is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    };
    let id = words.find(|word| is_ref(word))?.to_owned();
    Some(Node { id, name })
}

/// Byte position of the first quote that no backslash escapes.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '"' if !escaped => return Some(at),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}
