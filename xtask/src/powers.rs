//! `cargo xtask powers [--check]`: a table of what each dependency of the published crates can do.
//!
//! A build script and a procedural macro run on the machine that builds; unsafe code and a C library can do anything on
//! the machine that runs. The table is committed, so that a review shows every change.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{
    generated::{Generated, settle},
    shell::{Outcome, cargo_output},
};

const TABLE: &str = ".github/dependencies.md";
/// One platform; others add packages for their system calls.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

pub(crate) fn run(check: bool) -> Outcome {
    let metadata = cargo_output(&[
        "metadata",
        "--format-version",
        "1",
        "--all-features",
        "--filter-platform",
        PLATFORM,
    ])?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|e| format!("cargo metadata: {e}"))?;
    let bytes = table(&metadata)?.into_bytes();
    settle(&[Generated { path: PathBuf::from(TABLE), bytes }], &[], check, "cargo xtask powers")
}

/// The abilities of a package.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "a column of the table each")]
struct Powers {
    licence: String,
    has_unsafe: bool,
    has_script: bool,
    is_macro: bool,
    links: Option<String>,
    runs: bool,
}

fn table(metadata: &Value) -> Outcome<String> {
    let packages = list(metadata, "packages");
    let needed = shipped(metadata);
    let mut all: BTreeMap<&str, Powers> = BTreeMap::new();
    for package in packages.iter().filter(|package| !package["source"].is_null()) {
        let Some(runs) = needed.get(text(package, "id")) else { continue };
        let has_target = |kind: &str| {
            list(package, "targets").iter().any(|target| list(target, "kind").iter().any(|k| k == kind))
        };
        let manifest = Path::new(text(package, "manifest_path"));
        let folder = manifest.parent().ok_or("a manifest lies in a folder")?;
        let powers = all.entry(text(package, "name")).or_default();
        text(package, "license").clone_into(&mut powers.licence);
        powers.has_unsafe |= has_unsafe(&folder.join("src"));
        powers.has_script |= has_target("custom-build");
        powers.is_macro |= has_target("proc-macro");
        powers.links = package["links"].as_str().map(str::to_owned).or(powers.links.take());
        powers.runs |= runs;
    }
    let count = |has: fn(&Powers) -> bool| all.values().filter(|powers| has(powers)).count();
    let mut out = format!(
        "# What the dependencies may do\n\n\
         Written by `cargo xtask powers` from `cargo metadata` and the sources: every package compiled with all features on\n\
         {PLATFORM}, except for tests and benches; an optional package that only their features turn on counts, too.\n\n\
         Of {} packages, {} are part of a program, {} have unsafe code, {} run a build script, {} are procedural macros, {} link\n\
         a C library. robolog's own crates forbid unsafe code and have no build script.\n\n\
         | package | licence | in programs | unsafe | build script | macro | links |\n|---|---|---|---|---|---|---|\n",
        all.len(),
        count(|powers| powers.runs),
        count(|powers| powers.has_unsafe),
        count(|powers| powers.has_script),
        count(|powers| powers.is_macro),
        count(|powers| powers.links.is_some()),
    );
    let mark = |is: bool| if is { "yes" } else { "" };
    for (name, powers) in &all {
        let Powers { licence, has_unsafe, has_script, is_macro, links, runs } = powers;
        let cells = [mark(*runs), mark(*has_unsafe), mark(*has_script), mark(*is_macro)].join(" | ");
        let links = links.as_deref().unwrap_or_default();
        writeln!(out, "| {name} | {licence} | {cells} | {links} |").map_err(|e| e.to_string())?;
    }
    Ok(out)
}

/// The packages that the published crates need, and whether each is part of a program or only of its build.
fn shipped(metadata: &Value) -> BTreeMap<&str, bool> {
    let nodes: BTreeMap<&str, &Value> =
        list(&metadata["resolve"], "nodes").iter().map(|node| (text(node, "id"), node)).collect();
    let is_macro = |id: &str| {
        let package = list(metadata, "packages").iter().find(|package| text(package, "id") == id);
        package.is_some_and(|package| {
            list(package, "targets")
                .iter()
                .any(|target| list(target, "kind").iter().any(|kind| kind == "proc-macro"))
        })
    };
    let members: BTreeSet<&str> =
        list(metadata, "workspace_members").iter().filter_map(Value::as_str).collect();
    let published = list(metadata, "packages").iter().filter(|package| {
        members.contains(text(package, "id")) && package["publish"].as_array().is_none_or(|to| !to.is_empty())
    });
    let mut found: BTreeMap<&str, bool> = BTreeMap::new();
    let mut waiting: Vec<(&str, bool)> = published.map(|package| (text(package, "id"), true)).collect();
    while let Some((id, runs)) = waiting.pop() {
        let known = found.get(id).copied();
        if known == Some(true) || known == Some(runs) {
            continue;
        }
        found.insert(id, runs);
        for dependency in nodes.get(id).map_or(&[][..], |node| list(node, "deps")) {
            let kinds = list(dependency, "dep_kinds");
            let has = |kind: Option<&str>| kinds.iter().any(|one| one["kind"].as_str() == kind);
            let pkg = text(dependency, "pkg");
            if has(None) {
                waiting.push((pkg, runs && !is_macro(pkg)));
            } else if has(Some("build")) {
                waiting.push((pkg, false));
            }
        }
    }
    found
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Whether any file has unsafe code: a block, a function, a trait or an implementation.
fn has_unsafe(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| {
        let path = entry.path();
        let is_code = path.extension().is_some_and(|extension| extension == "rs");
        path.is_dir() && has_unsafe(&path)
            || is_code && fs::read_to_string(&path).is_ok_and(|source| is_unsafe(&source))
    })
}

fn is_unsafe(source: &str) -> bool {
    source.lines().map(|line| line.split("//").next().unwrap_or_default()).any(|line| {
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("unsafe") {
            let begins = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"');
            let after_blanks = after.trim_start();
            let words = ["{", "fn ", "impl", "trait ", "extern ", "(no_mangle"];
            if begins && words.iter().any(|word| after_blanks.starts_with(word)) {
                return true;
            }
            rest = after;
        }
        false
    })
}

#[test]
fn words_are_no_unsafe_code() {
    assert!(is_unsafe("    let x = unsafe { *p };"));
    assert!(is_unsafe("pub unsafe fn f() {}") && is_unsafe("unsafe impl Send for X {}"));
    assert!(
        !is_unsafe("#![forbid(unsafe_code)]") && !is_unsafe("// unsafe { }") && !is_unsafe("not_unsafe {")
    );
}

#[test]
fn macros_are_not_in_programs_and_tests_not_in_the_table() {
    let package = |id: &str, kind: &str, source: Value| {
        serde_json::json!({"id": id, "name": id, "license": "MIT", "source": source, "manifest_path": "/none/Cargo.toml",
            "targets": [{"kind": [kind]}], "links": null, "publish": null})
    };
    let edge = |pkg: &str, kind: Value| serde_json::json!({"pkg": pkg, "dep_kinds": [{"kind": kind}]});
    let registry = || Value::from("registry");
    let metadata = serde_json::json!({
        "packages": [package("own", "lib", Value::Null), package("lib", "lib", registry()),
            package("derive", "proc-macro", registry()), package("syn", "lib", registry()), package("test", "lib", registry())],
        "workspace_members": ["own"],
        "resolve": {"nodes": [
            {"id": "own", "deps": [edge("lib", Value::Null), edge("derive", Value::Null), edge("test", "dev".into())]},
            {"id": "derive", "deps": [edge("syn", Value::Null)]},
        ]},
    });
    let table = table(&metadata).unwrap();
    assert!(table.contains("Of 3 packages, 1 are part of a program"), "{table}");
    assert!(table.contains("| derive | MIT |  |  |  | yes |  |\n") && table.contains("| lib | MIT | yes |"));
}
