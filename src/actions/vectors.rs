//! The handed-out vectors of the action runtime, for the unit tests: all of them where they lie (`GANNET_VECTORS`, or
//! `../shared/vectors` beside the checkout), else those that are kept with the tests.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The entries of `action-runtime/<name>.json`.
pub(crate) fn action_runtime(name: &str) -> Vec<Value> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = std::env::var_os("GANNET_VECTORS").map_or_else(|| checkout.join("../shared/vectors"), PathBuf::from);
    let file = |root: &Path| root.join("action-runtime").join(format!("{name}.json"));
    let text = std::fs::read_to_string(file(&all)).or_else(|_| {
        eprintln!("the whole vectors are not in {}: using those of the checkout", all.display());
        std::fs::read_to_string(file(&checkout.join("tests/vectors")))
    });
    let entries: Vec<Value> = serde_json::from_str(&text.unwrap()).unwrap();
    assert!(!entries.is_empty(), "{name} has no entry");
    entries
}
