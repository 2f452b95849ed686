//! Our own form: YAML with a list of tasks, judged by WebArena's evaluators.
//!
//! ```yaml
//! name: shop
//! sites: {shop: http://127.0.0.1:8080}
//! tasks:
//!   - id: kettle
//!     intent: put the blue kettle in the cart
//!     start_url: __SHOP__/
//!     data: {name: Ada}
//!     depends_on: [account]
//!     eval:
//!       eval_types: [program_html]
//!       program_html:
//!         - {url: last, locator: "", required_contents: {must_include: [Blue kettle]}}
//! ```

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::suite::{
    sites::Sites,
    suite_file::SuiteError,
    task::{Check, Form, Suite, Task, WebArenaEval},
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    #[serde(default)]
    sites: BTreeMap<String, String>,
    tasks: Vec<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    id: String,
    intent: String,
    #[serde(default)]
    sites: Vec<String>,
    start_url: Option<String>,
    #[serde(default)]
    start_urls: Vec<String>,
    storage_state: Option<String>,
    #[serde(default)]
    require_reset: bool,
    viewport: Option<(u32, u32)>,
    #[serde(default)]
    data: BTreeMap<String, String>,
    #[serde(default)]
    depends_on: Vec<String>,
    max_steps: Option<u32>,
    eval: WebArenaEval,
}

/// All tasks; sites that the command names win over the file's.
pub fn suite(text: &str, name: &str, sites: &Sites) -> Result<Suite, SuiteError> {
    let file: File = serde_saphyr::from_str(text)
        .map_err(|error| SuiteError::Syntax { name: name.to_owned(), why: error.to_string() })?;
    let mut known = sites.clone();
    for (site, url) in &file.sites {
        if known.get(site).is_none() {
            known.set(site, url);
        }
    }
    let mut tasks = vec![];
    for (at, mut task) in file.tasks.into_iter().enumerate() {
        let failed = |why: String| SuiteError::Task { name: name.to_owned(), at, why };
        known.fill_value(&mut task);
        let raw: Raw = serde_json::from_value(task).map_err(|error| failed(error.to_string()))?;
        let start_urls: Vec<String> = raw.start_url.into_iter().chain(raw.start_urls).collect();
        if start_urls.is_empty() {
            return Err(failed("give it a `start_url`".into()));
        }
        if raw.eval.eval_types.is_empty() {
            return Err(failed("give its `eval` at least one of `eval_types`".into()));
        }
        tasks.push(Task {
            id: raw.id,
            sites: raw.sites,
            intent: raw.intent,
            template: None,
            start_urls,
            require_login: raw.storage_state.is_some(),
            storage_state: raw.storage_state,
            require_reset: raw.require_reset,
            viewport: raw.viewport,
            images: vec![],
            depends_on: raw.depends_on,
            data: raw.data,
            max_steps: raw.max_steps,
            check: Check::WebArena(raw.eval),
        });
    }
    Ok(Suite { name: file.name.unwrap_or_else(|| name.to_owned()), form: Form::Own, tasks })
}
