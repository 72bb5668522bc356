//! The importer for Rerun, without Rerun.

#![cfg(unix)]

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Output},
};

use crate::run;

/// Runs the importer with a fake `rerun` that prints its arguments and the first bytes of its file.
fn import(words: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    let rerun = dir.path().join("rerun");
    fs::write(&rerun, "#!/bin/sh\necho \"$@\"\nhead -c 6 \"$3\" | tail -c 5\n").unwrap();
    fs::set_permissions(&rerun, fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::join_paths([dir.path(), Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    Command::new(env!("CARGO_BIN_EXE_rerun-importer-robolog")).args(words).env("PATH", path).output().unwrap()
}

#[test]
fn a_recording_goes_through_rerun() {
    let file = run::fixture("room.lvx");
    let out =
        import(&[file.to_str().unwrap(), "--recording-id", "r 1", "--opened-recording-id", "x", "--static"]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(text.starts_with("mcap convert "), "{text}");
    assert!(text.contains(".mcap --recording-id r 1 --application-id room.lvx\n"), "{text}");
    assert!(text.ends_with("MCAP0"), "{text}");
    let device = run::fixture("v11_type1.lvx");
    let out = import(&[device.to_str().unwrap(), "--application-id", "a"]);
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(text.contains(".mcap --application-id a --timeline-type duration\n"), "{text}");
}

#[test]
fn what_is_not_ours_is_left_to_others() {
    let text = tempfile::Builder::new().suffix(".txt").tempfile().unwrap();
    fs::write(text.path(), "not a recording").unwrap();
    assert_eq!(import(&[text.path().to_str().unwrap()]).status.code(), Some(66));
    assert_eq!(import(&["/there/is/no/such/file"]).status.code(), Some(66));
    assert_eq!(import(&[]).status.code(), Some(2));
}

#[test]
fn the_verb_that_the_importer_runs_is_not_shown() {
    let help = run::robolog(["--help"]).text();
    let manual = run::robolog(["man"]).text();
    assert!(!help.contains("import-for-rerun") && !manual.contains("import-for-rerun"), "{help}");
}

#[test]
fn an_importer_without_the_program_says_what_is_missing() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let alone = dir.path().join("rerun-importer-robolog");
    // A copy cannot be run while a child of another test has inherited the file that is written.
    fs::hard_link(env!("CARGO_BIN_EXE_rerun-importer-robolog"), &alone).unwrap();
    let out = Command::new(&alone).arg("x.lvx").env("PATH", dir.path()).output().unwrap();
    let text = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(1), "{text}");
    assert!(text.contains("cannot run `robolog`"), "{text}");
}
