//! Tests of the run directory: modes, exclusive names, whole lines, and a manifest that notices every change.

use std::{fs, os::unix::fs::PermissionsExt};

use serde_json::json;

use super::{Finding, JOURNAL, RunDir, RunDirError, verify};

fn fresh() -> (tempfile::TempDir, RunDir) {
    let base = tempfile::tempdir().expect("a temporary directory");
    let run = RunDir::create(&base.path().join("runs/one")).expect("a run directory");
    (base, run)
}

#[test]
fn only_the_owner_can_read_it() {
    let (_base, run) = fresh();
    let file = run.write("views/0001.txt", b"a view").expect("a file");
    let mode = |path: &std::path::Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(run.path()), 0o700);
    assert_eq!(mode(&run.path().join("views")), 0o700);
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(&run.path().join(JOURNAL)), 0o600);
}

#[test]
fn nothing_is_overwritten_and_nothing_leaves() {
    let (_base, run) = fresh();
    run.write("results/0001.json", b"{}").expect("a file");
    assert!(matches!(run.write("results/0001.json", b"{}"), Err(RunDirError::Io { .. })));
    assert!(matches!(RunDir::create(run.path()), Err(RunDirError::Io { .. })));
    for name in ["../up", "/etc/x", "a/../../b", "", "./a/.."] {
        assert!(matches!(run.write(name, b""), Err(RunDirError::BadName { .. })), "{name}");
    }
}

#[test]
fn the_journal_has_one_event_a_line() {
    let (_base, mut run) = fresh();
    run.append(&json!({"seq": 1, "summary": "two\nlines"})).expect("an event");
    run.append(&json!({"seq": 2})).expect("an event");
    let text = fs::read_to_string(run.path().join(JOURNAL)).expect("a journal");
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["summary"], "two\nlines");
}

#[test]
fn the_manifest_notices_every_change() {
    let (_base, mut run) = fresh();
    let path = run.path().to_owned();
    run.append(&json!({"seq": 1})).expect("an event");
    run.write("views/0001.txt", b"a view").expect("a file");
    run.write("views/0002.txt", b"another").expect("a file");
    let manifest = run.seal().expect("a manifest");
    assert_eq!(manifest.files.len(), 3);
    assert_eq!(verify(&path).expect("a check"), vec![]);
    fs::write(path.join("views/0001.txt"), b"changed").expect("a write");
    fs::remove_file(path.join("views/0002.txt")).expect("a removal");
    fs::write(path.join("views/0003.txt"), b"new").expect("a write");
    let file = |name: &str| name.to_owned();
    assert_eq!(
        verify(&path).expect("a check"),
        vec![
            Finding::Changed { file: file("views/0001.txt") },
            Finding::Missing { file: file("views/0002.txt") },
            Finding::Added { file: file("views/0003.txt") },
        ]
    );
}
