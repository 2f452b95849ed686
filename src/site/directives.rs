//! `wci.txt`: key-value lines in the manner of robots.txt (seed section 7, grammar of reference 1.3.0), read strictly.
//!
//! Where this reader is stricter than the reference (DESIGN 4.4): `none` and an empty value are an empty list, a limit
//! that is no number leaves what stood before, an HTML body is no file, and whatever is ignored is reported with its
//! line. Joining with `wci.json` and deciding are `policy`'s.

use crate::{
    site::reading::{Findings, Reading, js_trim, not_a_file, quoted},
    spec::policy::{Diagnostic, WciPolicy},
};

/// Largest `wci.txt` that is read, in bytes. A longer one would be cut, and a cut policy is a broken one.
pub const MOST_BYTES: usize = 512 * 1024;

/// Every key with the exact spelling that counts. `WCI-Supported` informs and changes nothing.
const KEYS: [&str; 16] = [
    "WCI-Version",
    "WCI-Supported",
    "Site-Name",
    "Site-Purpose",
    "Contact",
    "Manifest",
    "Context",
    "Allow-Scope",
    "Deny-Scope",
    "Rate-Limit-Actions",
    "Rate-Limit-Distil",
    "Auth-Required",
    "Auth-Method",
    "Auth-Flow-Scope",
    "Require-Human-Confirmation",
    "Last-Updated",
];

/// The directives of a text and what was odd about it. A text that is no `wci.txt` gives the defaults.
pub fn parse(text: &str) -> (WciPolicy, Vec<Diagnostic>) {
    let (reading, mut findings) = read(text, None);
    match reading {
        Reading::Value(policy) => (policy, findings),
        Reading::Absent(why) | Reading::Malformed(why) => {
            findings.insert(0, Diagnostic { line: 0, message: format!("{why}: taken as no wci.txt") });
            (WciPolicy::default(), findings)
        }
    }
}

/// As [`parse`], but says whether there is a policy at all. A text without one known key is a broken policy when its
/// keys are near misses (`deny-scope`), and no policy otherwise (`Not found`).
pub fn read(text: &str, content_type: Option<&str>) -> (Reading<WciPolicy>, Vec<Diagnostic>) {
    if let Some(why) = not_a_file(text, content_type) {
        return (Reading::Absent(why), vec![]);
    }
    let mut reader = Reader::default();
    for (index, line) in text.split('\n').enumerate() {
        reader.line(index + 1, js_trim(line));
    }
    let findings = reader.findings.into_list();
    let reading = match (reader.known, reader.near_misses, reader.other) {
        (0, 1.., _) => Reading::Malformed("no key is spelled as the specification says".into()),
        (0, 0, 1..) => Reading::Absent("the body holds no directive".into()),
        _ => Reading::Value(reader.policy),
    };
    (reading, findings)
}

#[derive(Default)]
struct Reader {
    policy: WciPolicy,
    findings: Findings,
    /// Keys seen with their line.
    seen: Vec<(&'static str, usize)>,
    known: usize,
    near_misses: usize,
    other: usize,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) {
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        let Some((key, value)) = line.split_once(':') else {
            self.other += 1;
            return self.findings.add(number, format!("{} has no `:`, so it is ignored", quoted(line)));
        };
        let (key, value) = (js_trim(key), js_trim(value));
        match KEYS.into_iter().find(|known| *known == key) {
            Some(known) => {
                self.known += 1;
                self.directive(number, known, value);
            }
            None => self.unknown(number, key),
        }
    }

    fn unknown(&mut self, number: usize, key: &str) {
        match KEYS.into_iter().find(|known| folded(known) == folded(key)) {
            Some(meant) => {
                self.near_misses += 1;
                self.findings.add(
                    number,
                    format!("unknown key {}, so the line is ignored; keys are exact, write `{meant}`", quoted(key)),
                );
            }
            None => {
                self.other += 1;
                self.findings.add(number, format!("unknown key {}, so the line is ignored", quoted(key)));
            }
        }
    }

    fn directive(&mut self, number: usize, key: &'static str, value: &str) {
        match key {
            "Allow-Scope" => self.list(number, key, value, |policy| &mut policy.allowed_scopes),
            "Deny-Scope" => self.list(number, key, value, |policy| &mut policy.denied_scopes),
            "Auth-Required" => self.list(number, key, value, |policy| &mut policy.auth_required),
            "Require-Human-Confirmation" => {
                self.list(number, key, value, |policy| &mut policy.require_human_confirmation);
            }
            "Rate-Limit-Actions" => self.limit(number, key, value, |policy| &mut policy.rate_limit_actions),
            "Rate-Limit-Distil" => self.limit(number, key, value, |policy| &mut policy.rate_limit_distil),
            "WCI-Version" => self.text(number, key, value, |policy| &mut policy.wci_version),
            "Site-Name" => self.text(number, key, value, |policy| &mut policy.site_name),
            "Site-Purpose" => self.text(number, key, value, |policy| &mut policy.site_purpose),
            "Contact" => self.text(number, key, value, |policy| &mut policy.contact),
            "Manifest" => self.text(number, key, value, |policy| &mut policy.manifest_url),
            "Context" => self.text(number, key, value, |policy| &mut policy.context_url),
            "Auth-Method" => self.text(number, key, value, |policy| &mut policy.auth_method),
            "Auth-Flow-Scope" => self.text(number, key, value, |policy| &mut policy.auth_flow_scope),
            "Last-Updated" => self.text(number, key, value, |policy| &mut policy.last_updated),
            _ => {}
        }
    }

    /// Lists grow over repeated lines.
    fn list(&mut self, number: usize, key: &str, value: &str, field: fn(&mut WciPolicy) -> &mut Vec<String>) {
        let all: Vec<&str> = value.split(',').map(js_trim).collect();
        let members: Vec<&str> =
            all.iter().copied().filter(|one| !one.is_empty() && !one.eq_ignore_ascii_case("none")).collect();
        if members.is_empty() {
            if key == "Allow-Scope" {
                self.findings.add(number, "`Allow-Scope` names no scope, so it restricts nothing; to close the site list its scopes under `Deny-Scope`");
            }
            return;
        }
        if members.len() < all.len() {
            self.findings.add(number, format!("empty members and `none` in the list of `{key}` are ignored"));
        }
        let list = field(&mut self.policy);
        for member in members {
            if !list.iter().any(|one| one == member) {
                list.push(member.to_owned());
            }
        }
    }

    fn limit(&mut self, number: usize, key: &'static str, value: &str, field: fn(&mut WciPolicy) -> &mut i64) {
        self.repeated(number, key);
        let Some(limit) = parse_int(value) else {
            let kept = *field(&mut self.policy);
            self.findings.add(number, format!("`{key}` needs a number, not {}; {kept} is kept", quoted(value)));
            return;
        };
        if limit <= 0 {
            self.findings.add(number, format!("`{key}: {limit}` allows nothing at all"));
        }
        *field(&mut self.policy) = limit;
    }

    /// The last line wins.
    fn text(
        &mut self,
        number: usize,
        key: &'static str,
        value: &str,
        field: fn(&mut WciPolicy) -> &mut Option<String>,
    ) {
        self.repeated(number, key);
        *field(&mut self.policy) = Some(value.to_owned());
    }

    fn repeated(&mut self, number: usize, key: &'static str) {
        match self.seen.iter_mut().find(|(seen, _)| *seen == key) {
            Some((_, line)) => {
                self.findings.add(number, format!("`{key}` stands already in line {line}; the last one counts"));
                *line = number;
            }
            None => self.seen.push((key, number)),
        }
    }
}

/// A key without case, punctuation and a plural `s`: equal for what a person may mistake.
fn folded(key: &str) -> String {
    let letters: String = key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    letters.strip_suffix('s').map_or(letters.clone(), str::to_owned)
}

/// JavaScript's `parseInt(text, 10)`: leading digits after an optional sign; `None` for its NaN. Saturates.
fn parse_int(text: &str) -> Option<i64> {
    let text = js_trim(text);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    if count == 0 {
        return None;
    }
    let number = digits[..count].parse::<i64>().unwrap_or(i64::MAX);
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests;
