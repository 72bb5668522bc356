//! `cargo xtask package [--bless|--doctests]`: compares the files of each package with a committed list.

mod unpacked;

use std::{fs, path::PathBuf};

use crate::{
    generated::{Generated, settle},
    shell::{Outcome, cargo, cargo_output, root, target_folder},
    workspace,
};

pub(crate) fn run(bless: bool, doctests: bool) -> Outcome {
    let folder = PathBuf::from("xtask").join("package");
    let mut lists = Vec::new();
    let mut packages = Vec::new();
    for one in workspace::crates()?.into_iter().filter(|one| one.manifest.publishable()) {
        let listed = cargo_output(&["package", "--list", "--allow-dirty", "-p", &one.name])?;
        let listed = wanted(&listed).map_err(|file| {
            format!("{} would ship {file}; its `include` in {}/Cargo.toml lets it in", one.name, one.folder)
        })?;
        let path = folder.join(format!("{}.txt", one.name));
        if !bless {
            let before = fs::read_to_string(root().join(&path)).unwrap_or_default();
            println!("{}", difference(&one.name, &before, &listed));
        }
        lists.push(Generated { path, bytes: listed.into_bytes() });
        packages.push(one.name);
    }
    settle(&lists, &[folder], !bless, "cargo xtask package --bless")?;
    // Archives of earlier versions are removed: the doctests would use them.
    let _ = fs::remove_dir_all(target_folder().join("package"));
    // Building the archives finds errors of publishing: a missing README, a dependency without version.
    let mut words = vec!["package", "--quiet", "--no-verify", "--allow-dirty"];
    for package in &packages {
        words.extend(["-p", package]);
    }
    cargo(&words)?;
    if doctests { unpacked::test(&packages) } else { Ok(()) }
}

/// The files of a package, sorted, one per line; the error is the first file that does not belong there.
fn wanted(listed: &str) -> Result<String, String> {
    // Cargo adds this file only in a checkout with a commit.
    let mut files: Vec<&str> = listed.lines().filter(|&file| file != ".cargo_vcs_info.json").collect();
    files.sort_unstable();
    let mut text = String::new();
    for file in files {
        let file = file.replace('\\', "/");
        let whole = ["Cargo.toml", "Cargo.toml.orig", "Cargo.lock", "README.md", "CHANGELOG.md"];
        let within = ["src/", "examples/", "LICENSE-"];
        if !whole.contains(&file.as_str()) && !within.iter().any(|start| file.starts_with(start)) {
            return Err(file);
        }
        text.push_str(&file);
        text.push('\n');
    }
    Ok(text)
}

/// One line with the changes from the committed list.
fn difference(name: &str, before: &str, now: &str) -> String {
    let missing = |from: &str, other: &str, sign: char| -> Vec<String> {
        from.lines()
            .filter(|line| !other.lines().any(|l| l == *line))
            .map(|line| format!(" {sign}{line}"))
            .collect()
    };
    let changes = [missing(before, now, '-'), missing(now, before, '+')].concat().concat();
    format!("{name}: {} files{changes}", now.lines().count())
}

#[test]
fn a_package_holds_only_what_it_needs() {
    let good = ".cargo_vcs_info.json\nsrc/lib.rs\nCargo.toml\nLICENSE-MIT\nREADME.md\n";
    assert_eq!(wanted(good).as_deref(), Ok("Cargo.toml\nLICENSE-MIT\nREADME.md\nsrc/lib.rs\n"));
    assert_eq!(wanted("src/lib.rs\ntests/truth.rs\n"), Err("tests/truth.rs".to_owned()));
}

#[test]
fn a_difference_names_the_files() {
    assert_eq!(difference("a", "x\ny\n", "y\nz\n"), "a: 2 files -x +z");
}
