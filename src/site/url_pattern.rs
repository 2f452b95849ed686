//! The grammar of `url_pattern` in `wci.json`. Neither the seed nor the reference defines one, so this is ours:
//!
//! 1. A pattern is a URL, absolute or relative to the manifest's own URL. An absolute one is bound to its origin, a
//!    relative one to the origin of the manifest.
//! 2. `*` stands for any text, slashes included (also none at all); `:name` and `{name}` as a whole path segment stand
//!    for one segment that is not empty.
//! 3. The paths must match as wholes. A trailing `/` and a final `index.html` (`index.htm`) count for nothing.
//! 4. A query in the pattern lists pairs that the page must have; others are ignored. No query: any.
//! 5. A fragment in the pattern must match; no fragment: any.
//! 6. Of two patterns the one with more literal characters is closer to the page.
//!
//! Letters count as written; percent-escapes are compared as the URL parser leaves them.

use url::Url;

/// How close a matching pattern is: its literal characters.
pub type Closeness = usize;

/// Longest pattern that is looked at, in bytes.
const LONGEST: usize = 512;
/// Longest page address that is looked at, in bytes: both bounds keep a hostile manifest from costing time.
const LONGEST_PAGE: usize = 2_048;
/// What stands for `*`, `{` and `}` while the URL parser, which would escape them, works.
const HELD: [(char, &str); 3] = [('*', "~w2a~"), ('{', "~w7b~"), ('}', "~w7d~")];

/// How close `pattern`, written in the manifest at `manifest`, is to `page`; `None` when it does not match.
pub fn closeness(pattern: &str, manifest: &Url, page: &Url) -> Option<Closeness> {
    let pattern = pattern.trim();
    if pattern.is_empty() || pattern.len() > LONGEST || page.as_str().len() > LONGEST_PAGE {
        return None;
    }
    let held = HELD.iter().fold(pattern.to_owned(), |text, (sign, name)| text.replace(*sign, name));
    let wanted = manifest.join(&held).ok()?;
    if wanted.origin() != page.origin() {
        return None;
    }
    let path = segments(wanted.path(), page.path())?;
    let query = match wanted.query() {
        None => 0,
        Some(query) => pairs(query, page.query().unwrap_or_default())?,
    };
    let fragment = match wanted.fragment() {
        None => 0,
        // A fragment beats a page without one, even when it is empty.
        Some(fragment) => 1 + matches(&released(fragment), page.fragment().unwrap_or_default())?,
    };
    Some(path + query + fragment)
}

/// The held signs as themselves again.
fn released(text: &str) -> String {
    HELD.iter().fold(text.to_owned(), |text, (sign, name)| text.replace(name, &sign.to_string()))
}

fn segments(pattern: &str, path: &str) -> Option<Closeness> {
    let pattern = released(pattern);
    // As written for `/shop/*` on `/shop/`, trimmed for all the rest.
    matches(&generic(trimmed(&pattern)), trimmed(path)).or_else(|| matches(&generic(&pattern), path))
}

/// A path pattern with its named segments replaced.
fn generic(pattern: &str) -> String {
    let generic: Vec<String> = pattern
        .split('/')
        .map(|segment| {
            let named = segment.len() > 1 && segment.starts_with(':')
                || segment.len() > 2 && segment.starts_with('{') && segment.ends_with('}');
            if named { SEGMENT.to_string() } else { segment.to_owned() }
        })
        .collect();
    generic.join("/")
}

/// A path without what counts for nothing at its end.
fn trimmed(path: &str) -> &str {
    let path = path.strip_suffix("/index.html").or_else(|| path.strip_suffix("/index.htm")).unwrap_or(path);
    match path.strip_suffix('/').unwrap_or(path) {
        "" => "/",
        path => path,
    }
}

/// All pairs of the pattern are in the query.
fn pairs(pattern: &str, query: &str) -> Option<Closeness> {
    let pattern = released(pattern);
    let have: Vec<&str> = query.split('&').collect();
    pattern.split('&').filter(|pair| !pair.is_empty()).map(|pair| have.iter().find_map(|one| matches(pair, one))).sum()
}

/// One whole segment.
const SEGMENT: char = '\u{1}';

/// Matches a whole text against a pattern with `*` and [`SEGMENT`]; linear in memory, quadratic in time at worst.
fn matches(pattern: &str, text: &str) -> Option<Closeness> {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    // reach[i]: the pattern so far matches the first i characters.
    let mut reach = vec![false; text.len() + 1];
    reach[0] = true;
    for sign in &pattern {
        if !reach.contains(&true) {
            return None;
        }
        let mut next = vec![false; text.len() + 1];
        match sign {
            '*' => {
                let mut open = false;
                for (slot, reached) in next.iter_mut().zip(&reach) {
                    open |= *reached;
                    *slot = open;
                }
            }
            &SEGMENT => {
                let mut open = false;
                for (index, letter) in text.iter().enumerate() {
                    open = (open || reach[index]) && *letter != '/';
                    next[index + 1] = open;
                }
            }
            letter => {
                for (index, found) in text.iter().enumerate() {
                    next[index + 1] = reach[index] && found == letter;
                }
            }
        }
        reach = next;
    }
    reach[text.len()].then(|| pattern.iter().filter(|sign| !matches!(**sign, '*' | SEGMENT)).count())
}

#[cfg(test)]
mod tests;
