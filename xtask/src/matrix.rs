//! `cargo xtask matrix [--check]`: the table of formats and targets in the README of `robolog-convert`, written by one
//! of its tests.

use std::{fs, path::PathBuf};

use crate::{
    generated::{Generated, settle},
    shell::{EVERYTHING, Outcome, cargo_with, root},
};

/// The test's snapshot.
const SNAPSHOT: &str = "crates/convert/tests/it/snapshots/it__matrix__readme.snap";
/// The file that contains the table.
const README: &str = "crates/convert/README.md";
/// Markers around the table.
const BEGIN: &str = "<!-- written by `cargo xtask matrix` -->\n";
const END: &str = "<!-- end of the matrix -->\n";

pub(crate) fn run(check: bool) -> Outcome {
    if !check {
        let test = [&EVERYTHING[..], &["--test", "it", "matrix::"]].concat();
        cargo_with(&[("INSTA_UPDATE", "always"), ("INSTA_FORCE_PASS", "1")], &test)?;
    }
    let read = |path: &str| fs::read_to_string(root().join(path)).map_err(|e| format!("{path}: {e}"));
    let readme = with_table(&read(README)?, table(&read(SNAPSHOT)?)?)?;
    let file = Generated { path: PathBuf::from(README), bytes: readme.into_bytes() };
    settle(&[file], &[], check, "cargo xtask matrix")
}

/// A snapshot without its header.
fn table(snapshot: &str) -> Outcome<&str> {
    let mut parts = snapshot.splitn(3, "---\n");
    parts.nth(2).ok_or_else(|| format!("{SNAPSHOT} is no snapshot"))
}

fn with_table(readme: &str, table: &str) -> Outcome<String> {
    let missing = || format!("{README} has no place for the table: {BEGIN}and {END}");
    let (before, rest) = readme.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok([before, BEGIN, "\n", table.trim_end(), "\n\n", END, after].concat())
}

#[test]
fn the_table_is_what_stands_between() {
    let readme = format!("a\n{BEGIN}old\n{END}b\n");
    let snapshot = "---\nsource: a\nexpression: b\n---\n| new |\n|---|\n";
    let found = with_table(&readme, table(snapshot).unwrap()).unwrap();
    assert_eq!(found, format!("a\n{BEGIN}\n| new |\n|---|\n\n{END}b\n"));
    assert_eq!(with_table(&found, "| new |\n|---|\n").unwrap(), found);
    assert!(with_table("no place", "t").is_err() && table("none").is_err());
}
