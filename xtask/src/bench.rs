//! `cargo xtask bench`: all figures of the guide. `cargo xtask bench NAME`: the benches of a crate, with related ones
//! side by side at the end. `--smoke`: the benches of all crates, each once. `--memory [MB]`: peak memory by target.

pub(crate) mod memory;
pub(crate) mod page;
mod pairs;
mod tree;

use std::{
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
};

use crate::{
    shell::{EVERYTHING, Outcome, cargo_path, cargo_with, root},
    workspace,
};

/// The benches of a crate.
pub(crate) fn of_crate(name: &str) -> Outcome {
    let crates = with_benches()?;
    if !crates.iter().any(|one| one == name) {
        return Err(format!("{name} has no benches; these have: {}", crates.join(", ")));
    }
    let printed = shown_as_it_comes(&["bench", "-p", name, "--all-features", "--bench", "*"])?;
    print!("{}", pairs::table(&printed));
    Ok(())
}

/// Runs each bench once, in the profile of the tests: without cargo's `--bench` switch, divan runs a bench once. The
/// variable lets a bench shrink its input.
pub(crate) fn smoke() -> Outcome {
    cargo_with(&[("ROBOLOG_SMOKE", "1")], &[&EVERYTHING[..], &["--benches", "--quiet"]].concat())
}

/// Returns the standard output of `cargo` and passes it through line by line.
fn shown_as_it_comes(arguments: &[&str]) -> Outcome<String> {
    let shown = format!("cargo {}", arguments.join(" "));
    println!("$ {shown}");
    let mut command = Command::new(cargo_path());
    command.args(arguments).current_dir(root()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("`{shown}` could not be started: {e}"))?;
    let mut printed = String::new();
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let line = line.map_err(|e| e.to_string())?;
        println!("{line}");
        printed.extend([line.as_str(), "\n"]);
    }
    let status = child.wait().map_err(|e| e.to_string())?;
    if status.success() { Ok(printed) } else { Err(format!("`{shown}` failed ({status})")) }
}

/// The crates that have benches.
pub(crate) fn with_benches() -> Outcome<Vec<String>> {
    let crates = workspace::crates()?;
    Ok(crates.into_iter().filter(|one| one.path.join("benches").is_dir()).map(|one| one.name).collect())
}
