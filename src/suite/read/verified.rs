//! WebArena-Verified's dataset.

use serde::Deserialize;
use serde_json::Value;

use crate::suite::{
    sites::Sites,
    suite_file::SuiteError,
    task::{Check, Form, Suite, Task},
};

#[derive(Deserialize)]
struct Raw {
    task_id: u64,
    sites: Vec<String>,
    intent: String,
    start_urls: Vec<String>,
    intent_template_id: u64,
    eval: Vec<Value>,
}

/// All tasks; start addresses filled, checks as published.
pub fn suite(tasks: Vec<Value>, name: String, sites: &Sites) -> Result<Suite, SuiteError> {
    let mut read = vec![];
    for (at, task) in tasks.into_iter().enumerate() {
        let raw: Raw = serde_json::from_value(task).map_err(|error| SuiteError::Task {
            name: name.clone(),
            at,
            why: error.to_string(),
        })?;
        read.push(Task {
            id: raw.task_id.to_string(),
            sites: raw.sites,
            intent: sites.fill(&raw.intent),
            template: Some(raw.intent_template_id.to_string()),
            start_urls: raw.start_urls.iter().map(|url| sites.fill(url)).collect(),
            storage_state: None,
            require_login: true,
            require_reset: false,
            viewport: None,
            images: vec![],
            depends_on: vec![],
            data: std::collections::BTreeMap::new(),
            max_steps: None,
            check: Check::Verified { evaluators: raw.eval },
        });
    }
    Ok(Suite { name, form: Form::Verified, tasks: read })
}
