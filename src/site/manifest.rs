//! `wci.json`: the machine manifest of a site (seed section 7, fields of reference 1.3.0), typed and tolerant.
//!
//! A field of the wrong type is left out and reported, except where leaving it out would widen what an agent may do:
//! a single string stands for a list, `"true"` for true, and an unknown sensitivity for `high`. Arrays and other
//! non-objects are no manifest. What the rules mean is `policy`'s.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    site::reading::{Findings, Reading, js_trim, not_a_file, quoted},
    spec::policy::Diagnostic,
};

/// Largest `wci.json` that is read, in bytes.
pub const MOST_BYTES: usize = 1024 * 1024;

/// Keys of which an object must have one to be a manifest; an API's `{"error": …}` has none.
const KEYS: [&str; 9] = [
    "wci_version",
    "site",
    "capabilities",
    "authentication",
    "task_flows",
    "scopes",
    "denied_scopes",
    "rate_limits",
    "last_updated",
];

/// The manifest. Every part may be missing.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Manifest {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wci_version: Option<String>,
    pub site: SiteFacts,
    pub capabilities: Capabilities,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authentication: Option<Authentication>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub task_flows: Vec<TaskFlow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<ScopeDescriptor>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub denied_scopes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate_limits: Option<RateLimits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_updated: Option<String>,
}

/// Who the site is.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SiteFacts {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
}

/// What the site offers to agents.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Capabilities {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wci_supported: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distiller_endpoint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_side_distil: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_protocol_version: Option<String>,
}

/// Which scopes need a session and where to get one.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Authentication {
    pub required_for: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_flow_scope: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth_flow_url: Option<String>,
}

/// A journey over several pages.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TaskFlow {
    pub id: String,
    pub description: String,
    pub steps: Vec<TaskStep>,
}

/// One step of a journey.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TaskStep {
    pub scope: String,
    /// See `url_pattern` for the grammar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_pattern: Option<String>,
    pub requires_auth: bool,
    pub requires_human_confirmation: bool,
}

/// One scope of the site's catalog.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ScopeDescriptor {
    pub id: String,
    pub desc: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url_pattern: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
    pub requires_human_confirmation: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub key_actions: Vec<String>,
}

/// How much harm a scope's actions can do: `high` needs a person, `critical` is never done on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sensitivity {
    Low,
    Medium,
    High,
    Critical,
}

/// Limits per minute.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct RateLimits {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actions_per_minute: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distil_requests_per_minute: Option<i64>,
}

/// The manifest of a text, `None` when there is none, and what was odd about it.
pub fn parse(text: &str) -> (Option<Manifest>, Vec<Diagnostic>) {
    match read(text, None) {
        (Reading::Value(manifest), findings) => (Some(manifest), findings),
        (Reading::Absent(why), mut findings) => {
            findings.push(Diagnostic { line: 0, message: format!("{why}: taken as no wci.json") });
            (None, findings)
        }
        (Reading::Malformed(_), findings) => (None, findings),
    }
}

/// As [`parse`], but tells a broken manifest from none: text that begins as an object and is no JSON is broken.
pub fn read(text: &str, content_type: Option<&str>) -> (Reading<Manifest>, Vec<Diagnostic>) {
    if let Some(why) = not_a_file(text, content_type) {
        return (Reading::Absent(why), vec![]);
    }
    let text = js_trim(text);
    if !text.starts_with('{') {
        return (Reading::Absent("the body is not a JSON object".into()), vec![]);
    }
    let root = match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(root)) => root,
        Ok(_) => return (Reading::Absent("the body is not a JSON object".into()), vec![]),
        Err(error) => {
            let why = format!("the JSON is broken: {error}");
            return (Reading::Malformed(why.clone()), vec![Diagnostic { line: error.line(), message: why }]);
        }
    };
    if !KEYS.iter().any(|key| root.contains_key(*key)) {
        return (Reading::Absent("the JSON has no field of a manifest".into()), vec![]);
    }
    let mut findings = Findings::default();
    let manifest = manifest(&Object { at: String::new(), map: &root }, &mut findings);
    (Reading::Value(manifest), findings.into_list())
}

fn manifest(root: &Object<'_>, found: &mut Findings) -> Manifest {
    Manifest {
        wci_version: root.text("wci_version", found),
        site: root.object("site", found).map(|site| site_facts(&site, found)).unwrap_or_default(),
        capabilities: root.object("capabilities", found).map(|part| capabilities(&part, found)).unwrap_or_default(),
        authentication: root.object("authentication", found).map(|part| authentication(&part, found)),
        task_flows: root.objects("task_flows", found).iter().filter_map(|flow| task_flow(flow, found)).collect(),
        scopes: root.objects("scopes", found).iter().filter_map(|scope| scope_descriptor(scope, found)).collect(),
        denied_scopes: root.scopes("denied_scopes", found),
        rate_limits: root.object("rate_limits", found).map(|part| RateLimits {
            actions_per_minute: part.limit("actions_per_minute", found),
            distil_requests_per_minute: part.limit("distil_requests_per_minute", found),
        }),
        last_updated: root.text("last_updated", found),
    }
}

fn site_facts(part: &Object<'_>, found: &mut Findings) -> SiteFacts {
    SiteFacts {
        name: part.text("name", found),
        base_url: part.text("base_url", found),
        purpose: part.text("purpose", found),
        language: part.text("language", found),
        contact: part.text("contact", found),
    }
}

fn capabilities(part: &Object<'_>, found: &mut Findings) -> Capabilities {
    Capabilities {
        wci_supported: part.flag("wci_supported", found),
        distiller_endpoint: part.text("distiller_endpoint", found),
        server_side_distil: part.flag("server_side_distil", found),
        action_protocol_version: part.text("action_protocol_version", found),
    }
}

fn authentication(part: &Object<'_>, found: &mut Findings) -> Authentication {
    Authentication {
        required_for: part.scopes("required_for", found),
        method: part.text("method", found),
        auth_flow_scope: part.text("auth_flow_scope", found),
        auth_flow_url: part.text("auth_flow_url", found),
    }
}

fn task_flow(part: &Object<'_>, found: &mut Findings) -> Option<TaskFlow> {
    let steps = part.objects("steps", found);
    Some(TaskFlow {
        id: part.needed("id", found)?,
        description: part.text("description", found).unwrap_or_default(),
        steps: steps
            .iter()
            .map(|step| TaskStep {
                scope: step.needed("scope", found).unwrap_or_default(),
                url_pattern: step.text("url_pattern", found),
                requires_auth: step.strict_flag("requires_auth", found),
                requires_human_confirmation: step.strict_flag("requires_human_confirmation", found),
            })
            .collect(),
    })
}

fn scope_descriptor(part: &Object<'_>, found: &mut Findings) -> Option<ScopeDescriptor> {
    Some(ScopeDescriptor {
        id: part.needed("id", found)?,
        desc: part.text("desc", found).unwrap_or_default(),
        url_pattern: part.text("url_pattern", found),
        sensitivity: part.sensitivity("sensitivity", found),
        requires_human_confirmation: part.strict_flag("requires_human_confirmation", found),
        key_actions: part.scopes("key_actions", found),
    })
}

/// An object with its place in the document, for diagnostics: `scopes[2].`.
struct Object<'a> {
    at: String,
    map: &'a Map<String, Value>,
}

impl<'a> Object<'a> {
    /// A field that is there and not null.
    fn field(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    fn odd(&self, key: &str, wanted: &str, value: &Value, then: &str, found: &mut Findings) {
        found.add(0, format!("`{}{key}` should be {wanted}, not {}; {then}", self.at, quoted(&value.to_string())));
    }

    fn text(&self, key: &str, found: &mut Findings) -> Option<String> {
        match self.field(key)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            other => {
                self.odd(key, "a string", other, "it is left out", found);
                None
            }
        }
    }

    /// An id without which the entry means nothing.
    fn needed(&self, key: &str, found: &mut Findings) -> Option<String> {
        let text = self.text(key, found).map(|text| js_trim(&text).to_owned()).filter(|text| !text.is_empty());
        if text.is_none() {
            found.add(0, format!("`{}{key}` is missing, so nothing refers to this entry", self.at));
        }
        text
    }

    fn flag(&self, key: &str, found: &mut Findings) -> Option<bool> {
        match self.field(key)? {
            Value::Bool(flag) => Some(*flag),
            other => {
                self.odd(key, "true or false", other, "it is left out", found);
                None
            }
        }
    }

    /// A flag that restricts: whatever is not clearly false is true.
    fn strict_flag(&self, key: &str, found: &mut Findings) -> bool {
        let Some(value) = self.field(key) else { return false };
        let flag = match value {
            Value::Bool(flag) => return *flag,
            Value::String(text) => !js_trim(text).is_empty() && !js_trim(text).eq_ignore_ascii_case("false"),
            Value::Number(number) => number.as_f64() != Some(0.0),
            _ => true,
        };
        self.odd(key, "true or false", value, if flag { "taken as true" } else { "taken as false" }, found);
        flag
    }

    fn sensitivity(&self, key: &str, found: &mut Findings) -> Option<Sensitivity> {
        let value = self.field(key)?;
        let level = match value.as_str().map(|text| js_trim(text).to_ascii_lowercase()).as_deref() {
            Some("low") => Sensitivity::Low,
            Some("medium") => Sensitivity::Medium,
            Some("high") => Sensitivity::High,
            Some("critical") => Sensitivity::Critical,
            _ => {
                self.odd(key, "low, medium, high or critical", value, "taken as high", found);
                Sensitivity::High
            }
        };
        Some(level)
    }

    /// Scope or node ids. Members that are no strings are left out; `none` is nobody.
    fn scopes(&self, key: &str, found: &mut Findings) -> Vec<String> {
        let Some(value) = self.field(key) else { return vec![] };
        let members: Vec<&str> = match value {
            Value::Array(list) => list
                .iter()
                .filter_map(|member| {
                    if !member.is_string() {
                        self.odd(key, "a list of strings", member, "this member is left out", found);
                    }
                    member.as_str()
                })
                .collect(),
            Value::String(text) => {
                self.odd(key, "a list of strings", value, "read as a list with commas", found);
                text.split(',').collect()
            }
            other => {
                self.odd(key, "a list of strings", other, "it is left out", found);
                vec![]
            }
        };
        let mut out: Vec<String> = vec![];
        for member in members.into_iter().map(js_trim) {
            if !member.is_empty() && !member.eq_ignore_ascii_case("none") && !out.iter().any(|one| one == member) {
                out.push(member.to_owned());
            }
        }
        out
    }

    fn limit(&self, key: &str, found: &mut Findings) -> Option<i64> {
        let value = self.field(key)?;
        let number = match value {
            Value::Number(number) => number.as_f64(),
            // `"60"` and `"60/minute"`, as in wci.txt.
            Value::String(text) => {
                let digits: String = js_trim(text).chars().take_while(char::is_ascii_digit).collect();
                self.odd(key, "a number", value, "its leading digits count", found);
                digits.parse().ok()
            }
            _ => None,
        };
        let Some(number) = number.filter(|number| number.is_finite()) else {
            self.odd(key, "a number", value, "it is left out", found);
            return None;
        };
        if number < 1.0 {
            found.add(0, format!("`{}{key}: {number}` allows nothing at all", self.at));
        }
        // Saturates: floats to integers do in Rust.
        Some(number.floor() as i64)
    }

    fn object(&self, key: &str, found: &mut Findings) -> Option<Object<'a>> {
        match self.field(key)? {
            Value::Object(map) => Some(Object { at: format!("{}{key}.", self.at), map }),
            other => {
                self.odd(key, "an object", other, "it is left out", found);
                None
            }
        }
    }

    fn objects(&self, key: &str, found: &mut Findings) -> Vec<Object<'a>> {
        let Some(value) = self.field(key) else { return vec![] };
        let Value::Array(list) = value else {
            self.odd(key, "a list of objects", value, "it is left out", found);
            return vec![];
        };
        let mut out = vec![];
        for (index, member) in list.iter().enumerate() {
            match member {
                Value::Object(map) => out.push(Object { at: format!("{}{key}[{index}].", self.at), map }),
                other => self.odd(key, "a list of objects", other, "this member is left out", found),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests;
