//! Where a suite's sites are: placeholders such as `__SHOPPING__` and the addresses that stand for them. Pure.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// Addresses by the site's name in lower case, such as `shopping_admin`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sites(BTreeMap<String, Site>);

/// One site.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Site {
    /// Every address that it may have in a log; tasks use the active one.
    pub urls: Vec<String>,
    #[serde(default)]
    active_url_idx: usize,
    /// Tokens and logins that checks through a site's own interface need.
    #[serde(default)]
    pub credentials: Option<BTreeMap<String, String>>,
}

impl Site {
    pub fn active(&self) -> Option<&str> {
        self.urls.get(self.active_url_idx).map(String::as_str)
    }
}

/// WebArena-Verified's configuration file, as far as it names sites.
#[derive(Deserialize)]
struct Config {
    environments: BTreeMap<String, Site>,
}

impl Sites {
    /// Reads WebArena-Verified's configuration: `{"environments": {"__SHOPPING__": {"urls": […]}}}`.
    pub fn parse(text: &str) -> Result<Self, serde_json::Error> {
        let config: Config = serde_json::from_str(text)?;
        Ok(Self(config.environments.into_iter().map(|(name, site)| (key(&name), site)).collect()))
    }

    /// Gives a site its address; a second one for the same site becomes the active one.
    pub fn set(&mut self, name: &str, url: &str) {
        let site = self.0.entry(key(name)).or_default();
        site.urls.retain(|known| known != url);
        site.urls.insert(0, url.to_owned());
        site.active_url_idx = 0;
    }

    pub fn get(&self, name: &str) -> Option<&Site> {
        self.0.get(&key(name))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Plain replacement, as the published harness does it.
    pub fn fill(&self, text: &str) -> String {
        let mut filled = text.to_owned();
        for (name, site) in &self.0 {
            if let Some(url) = site.active() {
                filled = filled.replace(&placeholder(name), url);
            }
        }
        filled
    }

    /// As [`Sites::fill`], in every string of a value.
    pub fn fill_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.fill(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.fill_value(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.fill_value(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

/// `shopping` as `__SHOPPING__`.
pub fn placeholder(name: &str) -> String {
    format!("__{}__", name.to_uppercase())
}

/// The first placeholder that is left in a text.
pub fn unfilled(text: &str) -> Option<&str> {
    let start = text.find("__")?;
    let rest = &text[start + 2..];
    let end = rest.find("__")?;
    let name = &rest[..end];
    let is_name = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_');
    is_name.then(|| &text[start..start + end + 4])
}

fn key(name: &str) -> String {
    name.trim_matches('_').to_lowercase()
}

#[cfg(test)]
mod tests;
