//! Sweeping takes the dead and leaves the living.

use std::{fs, os::unix::fs::PermissionsExt};

use super::{BrowserDirectory, OWNER, sweep};

#[test]
fn a_directory_is_private_and_goes_with_its_value() {
    let base = tempfile::tempdir().unwrap();
    let directory = BrowserDirectory::create(base.path()).unwrap();
    let path = directory.path().to_owned();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(directory.tmp().is_dir() && directory.profile().is_dir() && directory.downloads().is_dir());
    drop(directory);
    assert!(!path.exists());
}

#[test]
fn the_sweep_takes_dead_owners_and_reused_pids_and_spares_the_living() {
    let base = tempfile::tempdir().unwrap();
    let living = BrowserDirectory::create(base.path()).unwrap();
    let dead = BrowserDirectory::create(base.path()).unwrap();
    let reused = BrowserDirectory::create(base.path()).unwrap();
    fs::write(dead.path().join(OWNER), "999999999 1").unwrap();
    fs::write(reused.path().join(OWNER), format!("{} 1", std::process::id())).unwrap();
    assert_eq!(sweep(base.path()), 2);
    assert!(living.path().exists());
    assert!(!dead.path().exists() && !reused.path().exists());
}
