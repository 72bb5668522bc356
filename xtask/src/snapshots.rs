//! `cargo xtask snapshots [--check]`: one named test a fixture, so that a failure names its file.

use std::{fs, path::PathBuf};

use crate::{
    generated::{Generated, settle},
    shell::{Outcome, only_switch, root},
};

/// A format crate, the folder of its fixtures, and how their names end.
const CRATES: &[(&str, &[&str])] = &[
    ("alog", &["alog", "klog", "xlog"]),
    ("carla-rec", &["log"]),
    ("koblenz-log", &["log"]),
    ("lvx", &["lvx"]),
];

/// Where rustfmt breaks a line.
const WIDTH: usize = 110;

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let check = only_switch(arguments, "--check")?;
    let mut files = Vec::new();
    for (folder, extensions) in CRATES {
        let names = fixtures(folder, extensions)?;
        let path = PathBuf::from("crates").join(folder).join("tests").join("snapshots.rs");
        files.push(Generated { path, bytes: tests(folder, &names).into_bytes() });
    }
    settle(&files, &[], check, "cargo xtask snapshots")
}

fn fixtures(folder: &str, extensions: &[&str]) -> Outcome<Vec<String>> {
    let path = root().join("testdata").join(folder);
    let mut names = Vec::new();
    for entry in fs::read_dir(&path).map_err(|e| format!("testdata/{folder}: {e}"))? {
        let name = entry.map_err(|e| e.to_string())?.file_name().to_string_lossy().into_owned();
        if name.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension)) {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn tests(folder: &str, names: &[String]) -> String {
    let mut text = String::from(
        "//! Each fixture's digest, unchanged. Written by `cargo xtask snapshots`.\n\nmod digest;\n",
    );
    for name in names {
        let body = format!("\"../../../testdata/{folder}/{name}\"");
        let line = format!("    insta::assert_snapshot!(digest::digest(include_bytes!({body})));");
        let line = if line.len() > WIDTH {
            format!("    insta::assert_snapshot!(digest::digest(include_bytes!(\n        {body}\n    )));")
        } else {
            line
        };
        text.push_str(&["\n#[test]\nfn ", &identifier(name), "() {\n", &line, "\n}\n"].concat());
    }
    text
}

/// A function's name for a file: its stem, and the extension where that is not the common one.
fn identifier(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut identifier: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let keywords =
        ["as", "break", "const", "else", "enum", "for", "gen", "if", "loop", "match", "move", "static"];
    if identifier.starts_with(|c: char| c.is_ascii_digit()) || keywords.contains(&identifier.as_str()) {
        identifier.insert(0, '_');
    }
    identifier
}

#[test]
fn names_are_identifiers() {
    assert_eq!(identifier("short_tail.lvx"), "short_tail");
    assert_eq!(identifier("2-Dates.dates"), "_2_dates");
    assert_eq!(identifier("loop.lvx"), "_loop");
}

#[test]
fn long_lines_are_broken_as_rustfmt_breaks_them() {
    let text = tests("lvx", &["a.lvx".to_owned(), format!("{}.lvx", "n".repeat(40))]);
    assert!(text.lines().all(|line| line.len() <= WIDTH));
    assert!(text.contains("fn a() {\n    insta::assert_snapshot!(digest::digest(include_bytes!(\"../../../testdata/lvx/a.lvx\")));\n}\n"));
}

#[test]
fn each_crate_has_fixtures() {
    for (folder, extensions) in CRATES {
        assert!(!fixtures(folder, extensions).unwrap().is_empty(), "{folder}");
    }
}
