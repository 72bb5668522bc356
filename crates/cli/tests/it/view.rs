//! `view`, with fake programs for Rerun and the browser.

#![cfg(unix)]

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, process::Command};

use crate::run::fixture;

fn program(folder: &Path, name: &str, body: &str) {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn view(folder: &Path, args: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robolog"));
    command.arg("view").args(args).arg(fixture("room.lvx"));
    let output = command.env("PATH", folder).env("TMPDIR", folder).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn rerun_is_opened_where_it_is_installed() {
    let dir = tempfile::tempdir().unwrap();
    let note = dir.path().join("note");
    program(dir.path(), "rerun", &format!("echo \"$@\" > {}", note.display()));
    let (status, err) = view(dir.path(), &[]);
    assert_eq!(status, 0, "{err}");
    assert!(fs::read_to_string(note).unwrap().trim_end().ends_with("room.lvx"));
}

#[test]
#[cfg(feature = "report")]
fn else_a_page_is_opened_and_where_nothing_opens_it_its_path_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let (status, err) = view(dir.path(), &[]);
    assert!(status == 0 && err.contains(".html: no program to open it was found"), "{err}");
    let note = dir.path().join("note");
    program(dir.path(), "xdg-open", &format!("echo \"$@\" > {}", note.display()));
    program(dir.path(), "rerun", "exit 1");
    let (status, err) = view(dir.path(), &["--page"]);
    assert_eq!(status, 0, "{err}");
    let page = fs::read_to_string(note).unwrap();
    assert!(fs::read_to_string(page.trim_end()).unwrap().starts_with("<!doctype html>"));
}
