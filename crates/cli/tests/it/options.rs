//! What is written from the table of options: functions and types of Python, types of npm, a page of the guide.
//! `OPTIONS=overwrite cargo test -p robolog --test it options::` writes them.

mod guide;
mod npm;
mod python;

use std::{fs, path::PathBuf};

use robolog::options::{ALL, Opt};

/// The command that writes the files.
const COMMAND: &str = "OPTIONS=overwrite cargo test -p robolog --test it options::";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a file with what the table gives, or writes it.
fn settle(path: &str, wanted: &str) {
    let file = root().join(path);
    let found = fs::read_to_string(&file).unwrap_or_default().replace("\r\n", "\n");
    if found == wanted {
        return;
    }
    let is_overwritten = std::env::var("OPTIONS").is_ok_and(|word| word == "overwrite");
    assert!(is_overwritten, "{path} is not what the table of options gives: `{COMMAND}` writes it");
    fs::write(&file, wanted).unwrap();
}

/// A file with another text between two marks.
fn between(path: &str, begin: &str, end: &str, text: &str) -> String {
    let file = fs::read_to_string(root().join(path)).unwrap().replace("\r\n", "\n");
    let (before, rest) = file.split_once(begin).unwrap_or_else(|| panic!("{path} lacks {begin}"));
    let (_, after) = rest.split_once(end).unwrap_or_else(|| panic!("{path} lacks {end}"));
    [before, begin, text, end, after].concat()
}

/// A sentence with Python's names of options.
fn pythonic(text: &str) -> String {
    let mut rows: Vec<&Opt> = ALL.iter().flat_map(|group| group.options).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.name.len()));
    rows.iter().fold(text.to_owned(), |text, row| text.replace(&format!("--{}", row.name), &row.python()))
}

#[test]
fn python_has_the_options_of_the_table() {
    settle("crates/python/python/pyrobolog/_verbs.py", &python::module());
    let stub = "crates/python/python/pyrobolog/_pyrobolog.pyi";
    settle(stub, &between(stub, python::BEGIN, python::END, &python::methods()));
}

#[test]
fn npm_has_the_options_of_the_table() {
    let types = "crates/web/npm/index.d.ts";
    settle(types, &between(types, npm::BEGIN, npm::END, &npm::types()));
    let core = fs::read_to_string(root().join("crates/web/npm/core.js")).unwrap();
    for name in npm::names() {
        let is_taken = core.contains(&format!("{name},"))
            || core.contains(&format!("{name} "))
            || core.contains(&format!("({name})"));
        assert!(is_taken || core.contains(&format!("{{ {name}")), "core.js does not take {name}");
    }
}

#[test]
fn the_guide_lists_the_options_of_the_table() {
    settle("crates/guide/src/options.md", &guide::page());
}
