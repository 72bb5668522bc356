//! `cargo xtask msrv`: checks that every crate declares the workspace's `rust-version` and builds with it.

use std::process::Command;

use crate::{
    manifest::Manifest,
    shell::{Outcome, output, root, run as run_command},
    workspace,
};

pub(crate) fn run() -> Outcome {
    let workspace = Manifest::read(&root())?;
    let version = workspace
        .get(&["workspace", "package", "rust-version"])
        .and_then(|version| version.as_str())
        .ok_or("the workspace declares no rust-version")?
        .to_owned();
    for one in workspace::crates()? {
        if one.manifest.get(&["package", "rust-version"]).is_none() {
            return Err(format!("{} declares no rust-version", one.folder));
        }
    }
    let installed = output(Command::new("rustup").args(["toolchain", "list"]), "rustup toolchain list")
        .ok()
        .and_then(|list| toolchain(&list, &version));
    let Some(installed) = installed else {
        println!("msrv: Rust {version} is not installed here; checking with it is left to the runners");
        return Ok(());
    };
    let arguments = ["run", &installed, "cargo", "check", "--workspace"];
    run_command(Command::new("rustup").args(arguments), &format!("rustup {}", arguments.join(" ")))
}

/// The installed toolchain of `version`, from the list that rustup prints.
fn toolchain(list: &str, version: &str) -> Option<String> {
    list.lines()
        .filter_map(|line| line.split_whitespace().next())
        .find(|name| {
            name.strip_prefix(version).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
        })
        .map(str::to_owned)
}

#[test]
fn finds_the_toolchain_of_a_version() {
    let list = "stable-x86_64-unknown-linux-gnu (default)\n1.8-x\n1.89.0-x86_64-unknown-linux-gnu\n";
    assert_eq!(toolchain(list, "1.89").as_deref(), Some("1.89.0-x86_64-unknown-linux-gnu"));
    assert_eq!(toolchain(list, "1.90"), None);
}
