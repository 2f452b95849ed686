//! WebArena's `test.raw.json` and VisualWebArena's additions to it.

use serde::Deserialize;
use serde_json::Value;

use crate::suite::{
    sites::Sites,
    suite_file::SuiteError,
    task::{Check, Form, Suite, Task, WebArenaEval},
};

/// Between the addresses of several tabs.
const TABS: &str = " |AND| ";

/// A task as published; what is not named here says nothing about how it is run or judged.
#[derive(Deserialize)]
struct Raw {
    task_id: u64,
    #[serde(default)]
    sites: Vec<String>,
    intent: String,
    start_url: String,
    intent_template_id: Option<u64>,
    storage_state: Option<String>,
    #[serde(default)]
    require_login: bool,
    #[serde(default)]
    require_reset: bool,
    #[serde(default)]
    image: Images,
    viewport_size: Option<Size>,
    eval: WebArenaEval,
}

#[derive(Deserialize, Default)]
#[serde(untagged)]
enum Images {
    #[default]
    None,
    One(String),
    Several(Vec<String>),
}

/// Published sizes may name only one side; the other is then the harness's.
#[derive(Deserialize)]
#[serde(default)]
struct Size {
    width: u32,
    height: u32,
}

impl Default for Size {
    fn default() -> Self {
        Self { width: 1280, height: 720 }
    }
}

/// All tasks, placeholders filled.
pub fn suite(tasks: Vec<Value>, name: String, form: Form, sites: &Sites) -> Result<Suite, SuiteError> {
    let mut read = vec![];
    for (at, mut task) in tasks.into_iter().enumerate() {
        sites.fill_value(&mut task);
        let raw: Raw = serde_json::from_value(task).map_err(|error| SuiteError::Task {
            name: name.clone(),
            at,
            why: error.to_string(),
        })?;
        read.push(of(raw));
    }
    Ok(Suite { name, form, tasks: read })
}

fn of(raw: Raw) -> Task {
    Task {
        id: raw.task_id.to_string(),
        sites: raw.sites,
        intent: raw.intent,
        template: raw.intent_template_id.map(|id| id.to_string()),
        start_urls: raw.start_url.split(TABS).filter(|url| !url.is_empty()).map(str::to_owned).collect(),
        storage_state: raw.storage_state,
        require_login: raw.require_login,
        require_reset: raw.require_reset,
        viewport: raw.viewport_size.map(|size| (size.width, size.height)),
        images: match raw.image {
            Images::None => vec![],
            Images::One(image) => vec![image],
            Images::Several(images) => images,
        },
        depends_on: vec![],
        data: std::collections::BTreeMap::new(),
        max_steps: None,
        check: Check::WebArena(raw.eval),
    }
}
