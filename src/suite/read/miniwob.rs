//! MiniWoB++: every page of its `html` directory is a task, every seed of it an episode.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::suite::{
    suite_file::{SuiteError, entries},
    task::{Check, Form, Suite, Task},
};

/// Pages that need real-time behavior and are in no public list of tasks.
const UNLISTED: [&str; 5] = ["button-delay", "chase-circle", "hover-shape", "moving-items", "simon-says"];
/// Episodes of a page in the public benchmark.
const EPISODES: u32 = 5;
/// The public benchmark's bound of actions.
const MOST_STEPS: u32 = 10;

/// The directory of pages in or below `path`, with the pages; `None` when it is no copy of MiniWoB++.
pub fn pages_below(path: &Path) -> Result<Option<(PathBuf, Vec<String>)>, SuiteError> {
    for below in ["", "miniwob", "html/miniwob", "miniwob/html/miniwob"] {
        let directory = path.join(below);
        // The library that gives every page its episodes lies beside the pages.
        if !directory.join("../core/core.js").is_file() {
            continue;
        }
        let pages: Vec<String> = entries(&directory)?
            .iter()
            .filter(|file| file.extension().is_some_and(|extension| extension == "html"))
            .filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()))
            .filter(|page| !UNLISTED.contains(&page.as_str()))
            .collect();
        if !pages.is_empty() {
            return Ok(Some((directory, pages)));
        }
    }
    Ok(None)
}

/// Every page with every seed, or with [`EPISODES`] seeds when none are named.
pub fn suite((directory, pages): &(PathBuf, Vec<String>), seeds: &[u32]) -> Suite {
    let default: Vec<u32> = (0..EPISODES).collect();
    let seeds = if seeds.is_empty() { &default } else { seeds };
    let mut tasks = vec![];
    for page in pages {
        let path = directory.join(format!("{page}.html"));
        for seed in seeds {
            tasks.push(Task {
                id: format!("{page}.{seed}"),
                sites: vec!["miniwob".into()],
                // The page says it when its episode begins.
                intent: String::new(),
                template: Some(page.clone()),
                start_urls: vec![path.display().to_string()],
                storage_state: None,
                require_login: false,
                require_reset: false,
                viewport: Some((500, 320)),
                images: vec![],
                depends_on: vec![],
                data: BTreeMap::new(),
                max_steps: Some(MOST_STEPS),
                check: Check::MiniWob { page: page.clone(), seed: *seed },
            });
        }
    }
    Suite { name: "miniwob".into(), form: Form::MiniWob, tasks }
}
