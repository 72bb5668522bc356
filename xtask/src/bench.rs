//! `cargo xtask bench NAME [--smoke]`: the benches of a crate, in full or each once.

use crate::{
    shell::{Outcome, cargo, cargo_with},
    workspace,
};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let smoke = arguments.iter().any(|word| word == "--smoke");
    let names: Vec<_> = arguments.iter().filter(|&word| word != "--smoke").collect();
    let [name] = names[..] else {
        return Err(format!("takes the name of a crate: {}", with_benches()?.join(", ")));
    };
    if !with_benches()?.contains(name) {
        return Err(format!("{name} has no benches; these have: {}", with_benches()?.join(", ")));
    }
    if smoke {
        // Without cargo's `--bench` switch divan runs each bench once. The variable lets a bench shrink its input.
        cargo_with(&[("ROBOLOG_SMOKE", "1")], &["test", "--release", "-p", name, "--bench", "*"])
    } else {
        cargo(&["bench", "-p", name, "--bench", "*"])
    }
}

/// The crates that have benches.
pub(crate) fn with_benches() -> Outcome<Vec<String>> {
    let crates = workspace::crates()?;
    Ok(crates.into_iter().filter(|one| one.path.join("benches").is_dir()).map(|one| one.name).collect())
}
