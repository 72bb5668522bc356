//! `cargo xtask semver`: the version of each library that is about to be released fits how its interface has changed since
//! its last release.

use std::process::Command;

use crate::{
    shell::{Outcome, cargo, exists, on_runner, output},
    workspace::{self, Crate},
};

const INSTALL: &str =
    "`cargo install --locked cargo-semver-checks@0.51.0` installs the program that compares interfaces";

pub(crate) fn run() -> Outcome {
    let mut changed = Vec::new();
    for one in workspace::crates()?.into_iter().filter(Crate::is_library) {
        let pattern = format!("{}-v*", one.name);
        let mut git = Command::new("git");
        git.args(["tag", "--list", "--sort=-version:refname", &pattern]);
        let tags = output(&mut git, "git tag --list")?;
        let version = one.version().unwrap_or_default();
        match last_release(&one.name, &tags) {
            None => println!("{} {version}: no release to compare with", one.name),
            Some(last) if last == version => println!("{} {version}: released", one.name),
            Some(last) => changed.push((format!("{}-v{last}", one.name), one.name)),
        }
    }
    if !changed.is_empty() && !exists("cargo", &["semver-checks", "--version"]) {
        if on_runner() {
            return Err(INSTALL.to_owned());
        }
        println!("{INSTALL}\nsemver: skipped");
        return Ok(());
    }
    for (tag, name) in &changed {
        cargo(&["semver-checks", "--package", name, "--all-features", "--baseline-rev", tag])?;
    }
    println!("semver: {} compared", changed.len());
    Ok(())
}

/// The version of the first of `tags` that is one of this package: `lvx-v0.2.0`, and not `lvx-viewer-v0.2.0`.
fn last_release<'a>(name: &str, tags: &'a str) -> Option<&'a str> {
    let mut versions = tags.lines().filter_map(|tag| tag.strip_prefix(name)?.strip_prefix("-v"));
    versions.find(|version| version.starts_with(|first: char| first.is_ascii_digit()))
}

#[test]
fn the_last_release_is_the_first_tag_of_the_package() {
    assert_eq!(last_release("lvx", "lvx-viewer-v3.0.0\nlvx-v0.10.0\nlvx-v0.9.0\n"), Some("0.10.0"));
    assert_eq!(last_release("lvx", ""), None);
}
