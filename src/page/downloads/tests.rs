//! Names of downloads, and files on disk.

use std::fs;

use super::{NAME, name_and_hash, safe_name};

#[test]
fn a_hint_becomes_a_plain_file_name() {
    for (hint, name) in [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\evil.exe", "evil.exe"),
        (".bashrc", "bashrc"),
        ("..", "download"),
        ("", "download"),
        ("a\u{202e}fdp.exe", "afdp.exe"),
        ("a\n\u{0}b.txt", "ab.txt"),
        ("x:y?.txt", "x_y_.txt"),
        ("name. ", "name"),
    ] {
        assert_eq!(safe_name(hint), name, "{hint:?}");
    }
    let long = safe_name(&format!("{}.pdf", "ä".repeat(404)));
    assert!(long.len() <= NAME && long.ends_with(".pdf"), "{long}");
}

#[test]
fn a_file_is_never_written_over_another() {
    let directory = tempfile::tempdir().unwrap();
    for (guid, text) in [("g-1", "one"), ("g-2", "two")] {
        fs::write(directory.path().join(guid), text).unwrap();
    }
    let first = name_and_hash(directory.path(), "g-1", "a.txt").unwrap();
    let second = name_and_hash(directory.path(), "g-2", "a.txt").unwrap();
    assert_eq!((first.name.as_str(), second.name.as_str()), ("a.txt", "a (1).txt"));
    assert_eq!(fs::read_to_string(&second.path).unwrap(), "two");
    assert_eq!(first.sha256, "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed");
    assert!(!directory.path().join("g-1").exists());
    assert!(name_and_hash(directory.path(), "../x", "a.txt").is_err());
}
