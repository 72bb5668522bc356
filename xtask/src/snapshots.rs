//! `cargo xtask snapshots [--check]`: writes one named test per fixture, so that a failure names its file.

use std::{fs, path::PathBuf};

use crate::{
    generated::{Generated, settle},
    shell::{Outcome, root},
};

/// The snapshots of a folder of fixtures.
struct Suite {
    /// The crate's folder.
    crate_: &'static str,
    /// Name of the test, and the module below `digest` if the crate has several.
    test: &'static str,
    digest: Option<&'static str>,
    /// Folder of the fixtures, and their file extension.
    folder: &'static str,
    extensions: &'static [&'static str],
    /// Whether to include subfolders, and pass the path to the digest in place of the bytes.
    is_tree: bool,
}

const SUITES: &[Suite] = &[
    Suite::of_crate("alog", &["alog", "klog", "xlog"]),
    Suite::of_crate("carla-rec", &["log"]),
    Suite::of_crate("gpx", &["gpx"]),
    Suite::of_crate("kml", &["kml"]),
    Suite::of_crate("koblenz-log", &["log"]),
    Suite::of_crate("lvx", &["lvx"]),
    Suite::of_crate("nmea", &["nmea"]),
    Suite::of_effibox("table_snapshots", "table", "effibox/dataset", &["dates", "txt", "log"]).tree(),
    Suite::of_effibox("table_odd_snapshots", "table", "effibox/dataset_odd", &["dates", "txt"]).tree(),
];

impl Suite {
    const fn of_crate(name: &'static str, extensions: &'static [&'static str]) -> Self {
        Self { crate_: name, test: "snapshots", digest: None, folder: name, extensions, is_tree: false }
    }

    const fn of_effibox(
        test: &'static str,
        digest: &'static str,
        folder: &'static str,
        extensions: &'static [&'static str],
    ) -> Self {
        Self { crate_: "effibox", test, digest: Some(digest), folder, extensions, is_tree: false }
    }

    const fn tree(mut self) -> Self {
        self.is_tree = true;
        self
    }
}

/// Maximum line width of rustfmt.
const WIDTH: usize = 110;

pub(crate) fn run(check: bool) -> Outcome {
    let mut files = Vec::new();
    for suite in SUITES {
        let names = fixtures(suite)?;
        let path =
            PathBuf::from("crates").join(suite.crate_).join("tests/it").join(format!("{}.rs", suite.test));
        files.push(Generated { path, bytes: tests(suite, &names).into_bytes() });
    }
    settle(&files, &[], check, "cargo xtask snapshots")
}

fn fixtures(suite: &Suite) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(below) = folders.pop() {
        let path = root().join("testdata").join(suite.folder).join(&below);
        for entry in fs::read_dir(&path).map_err(|e| format!("{}: {e}", path.display()))? {
            let entry = entry.map_err(|e| e.to_string())?;
            let name = format!("{below}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                folders.extend(suite.is_tree.then(|| name + "/"));
            } else if name
                .rsplit_once('.')
                .is_some_and(|(_, extension)| suite.extensions.contains(&extension))
            {
                names.push(name);
            }
        }
    }
    names.sort();
    Ok(names)
}

fn tests(suite: &Suite, names: &[String]) -> String {
    let digest =
        suite.digest.map_or("crate::digest".to_owned(), |name| format!("crate::digest::{name} as digest"));
    let mut text = format!(
        "//! Each fixture's digest, unchanged. Written by `cargo xtask snapshots`.\n\nuse {digest};\n"
    );
    for name in names {
        let (argument, wide) = if suite.is_tree {
            let path = format!("\"{}/{name}\"", suite.folder);
            (path.clone(), format!("\n        {path}\n    "))
        } else {
            let path = format!("\"../../../../testdata/{}/{name}\"", suite.folder);
            (format!("include_bytes!({path})"), format!("include_bytes!(\n        {path}\n    )"))
        };
        let call = |argument: &str| format!("    insta::assert_snapshot!(digest::digest({argument}));");
        let line = Some(call(&argument)).filter(|line| line.len() <= WIDTH).unwrap_or_else(|| call(&wide));
        let function = if suite.is_tree { name.replace('.', "_") } else { name.clone() };
        let function = identifier(function.rsplit('/').next().unwrap_or_default());
        text.push_str(&["\n#[test]\nfn ", &function, "() {\n", &line, "\n}\n"].concat());
    }
    text
}

/// Function name for a file: its stem, plus an extension other than the common one.
fn identifier(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut identifier: String =
        stem.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    while let Some(at) = identifier.find("__") {
        identifier.remove(at);
    }
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
    assert_eq!(identifier("Gps__dev.txt"), "gps_dev");
}

#[test]
fn long_lines_are_broken_as_rustfmt_breaks_them() {
    let suite = Suite::of_crate("lvx", &["lvx"]);
    let text = tests(&suite, &["a.lvx".to_owned(), format!("{}.lvx", "n".repeat(40))]);
    assert!(text.lines().all(|line| line.len() <= WIDTH));
    assert!(text.contains("fn a() {\n    insta::assert_snapshot!(digest::digest(include_bytes!(\"../../../../testdata/lvx/a.lvx\")));\n}\n"));
}

#[test]
fn each_crate_has_fixtures() {
    for suite in SUITES {
        assert!(!fixtures(suite).unwrap().is_empty(), "{}", suite.folder);
    }
}
