//! Tests of the report: outcome, escaping, no file from outside, and journals that were cut off.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::{ReportError, render};
use crate::evidence::run_dir::JOURNAL;

fn journal(directory: &Path, events: &[(&str, u32, &str, Value)], end: &str) {
    let mut text = String::new();
    for (at, (phase, step, summary, detail)) in events.iter().enumerate() {
        let event = json!({"seq": at + 1, "at": "2026-12-01T12:00:00.000Z", "phase": phase, "step": step,
            "summary": summary, "detail": detail});
        text.push_str(&format!("{event}\n"));
    }
    fs::write(directory.join(JOURNAL), text + end).expect("a journal");
}

fn report(events: &[(&str, u32, &str, Value)], end: &str) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    journal(directory.path(), events, end);
    render(directory.path()).expect("a report")
}

fn run(stop: &str, seen: bool) -> Vec<(&'static str, u32, &'static str, Value)> {
    vec![
        ("run", 0, "go", json!({"task": "buy <b>bread</b>", "url": "http://a.example/"})),
        ("observe", 1, "a page", json!({"title": "\"><script>alert(1)</script>", "nodes": 3, "tookMs": 5})),
        ("decide", 1, "click", json!({"does": "click \"Go\"", "envelope": {"reasoning": "it does it"}, "tookMs": 0})),
        (
            "act",
            1,
            "changed",
            json!({"success": true, "effect": "changed", "receipt": {"effect": "changed"}, "tookMs": 15}),
        ),
        ("finish", 1, "over", json!({"stop": {"kind": stop}, "answer": "Over.", "steps": 1, "tookMs": 1234})),
        ("evaluate", 1, "a check", json!({"check": "bread is there", "seen": seen})),
    ]
}

#[test]
fn the_outcome_comes_first_and_is_true() {
    assert!(report(&run("done", true), "").contains("✓ Done"));
    for (stop, seen) in [("done", false), ("asked", true), ("timeSpent", true)] {
        let html = report(&run(stop, seen), "");
        assert!(html.contains("✗ Not done") && !html.contains("<div class=\"verdict\">✓"), "{stop} {seen}");
    }
    assert!(report(&run("done", false), "").contains("Not seen: bread is there"));
}

#[test]
fn page_text_stays_text() {
    let html = report(&run("done", true), "");
    assert!(!html.contains("<script") && !html.contains("<b>bread"));
    assert!(html.contains("&lt;script&gt;"));
    assert!(html.contains("Content-Security-Policy"));
    for outside in ["http-equiv=\"refresh\"", "src=\"http", "href=\"http", "@import", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn no_file_from_outside_gets_in() {
    let base = tempfile::tempdir().expect("a directory");
    let directory = base.path().join("run");
    fs::create_dir(&directory).expect("a directory");
    fs::write(base.path().join("key.txt"), "private words").expect("a file");
    std::os::unix::fs::symlink(base.path().join("key.txt"), directory.join("link.txt")).expect("a link");
    for name in ["../key.txt", "link.txt", &base.path().join("key.txt").to_string_lossy()] {
        let events = [("run", 0, "go", json!({"task": "t"})), ("observe", 1, "o", json!({"view": name}))];
        journal(&directory, &events, "");
        assert!(!render(&directory).expect("a report").contains("private words"), "{name}");
    }
}

#[test]
fn a_journal_that_was_cut_off_still_reports() {
    let events = run("done", true);
    let html = report(&events[..2], "{\"seq\": 3, \"at");
    assert!(html.contains("✗ Not done") && html.contains("Cut off") && html.contains("The run was cut off here"));
}

#[test]
fn no_journal_is_an_error() {
    let directory = tempfile::tempdir().expect("a directory");
    assert!(matches!(render(directory.path()), Err(ReportError::Read { .. })));
    journal(directory.path(), &[], "nonsense\n");
    assert!(matches!(render(directory.path()), Err(ReportError::NoEvents { .. })));
}
