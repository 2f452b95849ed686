//! The layout rules of the design, held against the source text: who imports whom, where a crate may appear, how a
//! file begins and how long it may be. A boundary that nobody checks does not exist.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::support::cli::{Gannet, commands};

/// Module and what it may import of ours. Itself is always allowed.
const MAY_IMPORT: [(&str, &[&str]); 12] = [
    ("spec", &[]),
    ("cdp", &["spec"]),
    ("page", &["spec", "cdp"]),
    ("view", &["spec"]),
    ("site", &["spec"]),
    ("planner", &["spec"]),
    ("bridge", &["spec", "cdp", "page"]),
    ("evidence", &["spec", "cdp", "page"]),
    ("actions", &["spec", "page", "view", "bridge", "site", "evidence"]),
    ("runtime", &["spec", "view", "site", "actions", "planner", "evidence"]),
    ("suite", &["spec", "actions", "runtime", "evidence"]),
    (
        "mcp",
        &["spec", "page", "view", "site", "evidence", "actions", "planner", "runtime", "suite", "config", "telemetry"],
    ),
];
/// As `mcp`; a list of its own because the table's length is then the design's.
const CLI_MAY_IMPORT: &[&str] =
    &["spec", "page", "view", "site", "evidence", "actions", "planner", "runtime", "suite", "config", "telemetry"];

/// Single files that may import one module more, with the reason.
const EXCEPTIONS: [(&str, &str); 4] = [
    // The doctor tries a browser on its own.
    ("cli/doctor.rs", "cdp"),
    // A session owns its browser.
    ("actions/host.rs", "cdp"),
    // Both say the schemas of one registry in MCP's form.
    ("cli/schema.rs", "mcp"),
    // The command that serves.
    ("cli/run.rs", "mcp"),
];

/// A crate and the modules (or files) it may appear in.
const CRATE_HOMES: [(&str, &[&str]); 4] = [
    ("chromiumoxide", &["cdp/", "page/", "bridge/", "evidence/"]),
    ("rmcp", &["mcp/"]),
    ("clap", &["cli/", "main.rs"]),
    ("genai", &["planner/"]),
];

/// No file is longer.
const MOST_LINES: usize = 800;
/// Page-driven data passes here: nothing may panic on it.
const NO_UNWRAP: [&str; 4] = ["page/", "view/", "bridge/", "site/"];

/// One source file, with its path below `src`.
struct Source {
    path: String,
    text: String,
}

impl Source {
    fn is_test(&self) -> bool {
        self.path.ends_with("tests.rs") || self.path.ends_with("_tests.rs") || self.path.contains("/tests/")
    }

    /// The code without comments and without an inline test module.
    fn code(&self) -> String {
        let product = self.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        product.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
    }

    fn module(&self) -> &str {
        self.path.split(['/', '.']).next().unwrap_or_default()
    }

    /// Modules named after `crate::`, groups included.
    fn imports(&self) -> BTreeSet<String> {
        let code = self.code();
        let mut found = BTreeSet::new();
        for (at, _) in code.match_indices("crate::") {
            if code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
                continue;
            }
            let rest = &code[at + "crate::".len()..];
            match rest.strip_prefix('{') {
                Some(group) => found.extend(group_heads(group)),
                None => found.extend([first_word(rest)]),
            }
        }
        found.retain(|name| !name.is_empty());
        found
    }
}

/// First path segment of every entry of a `{…}` group whose opening brace is gone.
fn group_heads(group: &str) -> Vec<String> {
    let (mut depth, mut heads, mut fresh) = (0_usize, vec![], true);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            _ if fresh && (letter.is_alphanumeric() || letter == '_') => {
                heads.push(first_word(&group[at..]));
                fresh = false;
            }
            _ => {}
        }
    }
    heads
}

fn first_word(text: &str) -> String {
    text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files_below(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

fn texts_below(part: &str, extensions: &[&str]) -> Vec<Source> {
    let base = root().join(part);
    let mut paths = vec![];
    files_below(&base, &mut paths);
    paths.sort();
    paths
        .into_iter()
        .filter(|path| {
            let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
            extensions.is_empty() || extension.is_some_and(|extension| extensions.contains(&extension.as_str()))
        })
        .filter_map(|path| {
            let text = fs::read_to_string(&path).ok()?;
            Some(Source { path: path.strip_prefix(&base).ok()?.to_string_lossy().into_owned(), text })
        })
        .collect()
}

fn rust() -> Vec<Source> {
    texts_below("src", &["rs"])
}

#[track_caller]
fn none(broken: Vec<String>, rule: &str) {
    assert!(broken.is_empty(), "{rule}:\n  {}", broken.join("\n  "));
}

#[test]
fn imports_follow_the_table() {
    let mut broken = vec![];
    for source in rust() {
        if matches!(source.path.as_str(), "lib.rs" | "main.rs" | "config.rs" | "telemetry.rs") {
            continue;
        }
        let module = source.module();
        let allowed = match MAY_IMPORT.iter().find(|(name, _)| *name == module) {
            Some((_, allowed)) => *allowed,
            None if module == "cli" => CLI_MAY_IMPORT,
            None => {
                broken.push(format!("{}: `{module}` is not in the table", source.path));
                continue;
            }
        };
        for import in source.imports() {
            let excepted = EXCEPTIONS.contains(&(source.path.as_str(), import.as_str())) || source.is_test();
            if import != module && !allowed.contains(&import.as_str()) && !excepted {
                broken.push(format!("{} imports `{import}`", source.path));
            }
        }
    }
    none(broken, "a module imports what the table of the design does not allow");
}

#[test]
fn only_the_gate_imports_the_bridge() {
    let broken = rust()
        .into_iter()
        .filter(|source| source.module() != "bridge" && source.imports().contains("bridge"))
        .filter(|source| source.path != "actions/gate.rs" && !source.path.starts_with("actions/gate/"))
        .map(|source| source.path)
        .collect();
    none(broken, "only `actions/gate.rs` may use the bridge");
}

#[test]
fn outside_crates_stay_in_their_modules() {
    let mut broken = vec![];
    for source in rust() {
        let code = source.code();
        for (name, homes) in CRATE_HOMES {
            let used = code.match_indices(name).any(|(at, _)| {
                let before = code[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
                before && code[at + name.len()..].starts_with("::")
            });
            if used && !homes.iter().any(|home| source.path.starts_with(home)) {
                broken.push(format!("{} uses `{name}`", source.path));
            }
        }
    }
    none(broken, "a crate is used outside its modules");
}

#[test]
fn every_file_says_what_it_owns() {
    let broken =
        rust().into_iter().filter(|source| !source.text.starts_with("//!")).map(|source| source.path).collect();
    none(broken, "a file does not begin with `//!`");
    let scripts = texts_below("src", &["js"]);
    let broken = scripts
        .into_iter()
        .filter(|source| !source.text.trim_start().starts_with("//") && !source.text.trim_start().starts_with("/*"))
        .map(|source| source.path)
        .collect();
    none(broken, "a script does not begin with a comment");
}

#[test]
fn mod_files_hold_declarations_only() {
    let mut broken = vec![];
    for source in rust().into_iter().filter(|source| source.path.ends_with("mod.rs")) {
        for line in source.text.lines().map(str::trim) {
            let declares = line.is_empty()
                || line.starts_with("//")
                || line.starts_with("#[")
                || (line.ends_with(';') && ["mod ", "pub mod ", "pub(crate) mod "].iter().any(|d| line.starts_with(d)));
            if !declares {
                broken.push(format!("{}: {line}", source.path));
            }
        }
    }
    none(broken, "a `mod.rs` holds more than declarations");
}

#[test]
fn no_file_is_a_catalogue() {
    let broken = [("src", &["rs", "js"][..]), ("tests", &["rs"][..])]
        .into_iter()
        .flat_map(|(part, extensions)| texts_below(part, extensions))
        .filter(|source| source.text.lines().count() > MOST_LINES)
        .map(|source| format!("{}: {} lines", source.path, source.text.lines().count()))
        .collect();
    none(broken, "a file is too long");
}

#[test]
fn page_data_never_meets_an_unwrap() {
    let mut broken = vec![];
    for source in rust() {
        if source.is_test() || !NO_UNWRAP.iter().any(|part| source.path.starts_with(part)) {
            continue;
        }
        for (number, line) in source.code().lines().enumerate().filter(|(_, line)| line.contains(".unwrap()")) {
            broken.push(format!("{} (line {} of its code): {}", source.path, number + 1, line.trim()));
        }
    }
    none(broken, "`.unwrap()` on data that a page may have written");
}

#[test]
fn nothing_is_left_for_later() {
    let marks = [["TO", "DO"].concat(), ["FIX", "ME"].concat()];
    let mut broken = vec![];
    for part in ["src", "tests", "scripts", "fixtures-sites", "docker"] {
        for source in texts_below(part, &[]) {
            for line in source.text.lines().filter(|line| marks.iter().any(|mark| line.contains(mark.as_str()))) {
                broken.push(format!("{part}/{}: {}", source.path, line.trim()));
            }
        }
    }
    none(broken, "a mark says that something is unfinished");
}

#[test]
fn grouped_imports_are_seen() {
    let source = Source {
        path: "page/page.rs".into(),
        text: "use crate::{\n    cdp::{browser::Browser, session::Session},\n    spec::deadline::Deadline,\n};\nfn f() { crate::view::x() }".into(),
    };
    assert_eq!(source.imports().into_iter().collect::<Vec<_>>(), ["cdp", "spec", "view"]);
}

#[tokio::test]
async fn commands_of_the_readme_exist() {
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README.md");
    let mut named = BTreeSet::new();
    for (at, _) in readme.match_indices("gannet ") {
        let quoted = readme[..at].ends_with(['`', '\n', ' ']) || at == 0;
        let word = readme[at + "gannet ".len()..].split([' ', '`', '\n']).next().unwrap_or_default();
        let in_code = readme[..at].rsplit('\n').next().is_some_and(|line| {
            line.trim_start_matches("./target/release/").is_empty() || line.matches('`').count() % 2 == 1
        });
        if quoted && in_code && word.chars().all(|letter| letter.is_ascii_lowercase()) && !word.is_empty() {
            named.insert(word.to_owned());
        }
    }
    assert!(!named.is_empty(), "the README names no command");
    let known = commands().await;
    for command in named {
        assert!(known.contains(&command), "the README names `gannet {command}`; there are {known:?}");
        Gannet::new([command.as_str(), "--help"]).run().await.exits(0);
    }
}
