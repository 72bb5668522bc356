//! `cargo xtask features`: each crate without features, and each feature of each crate by itself.

use crate::{
    shell::{Outcome, cargo, no_arguments},
    workspace,
};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments(arguments)?;
    for one in workspace::crates()? {
        if one.manifest.features().next().is_some() {
            cargo(&["check", "-p", &one.name, "--no-default-features"])?;
        }
        for feature in one.manifest.features().filter(|&feature| feature != "default") {
            cargo(&["check", "-p", &one.name, "--no-default-features", "--features", feature])?;
        }
    }
    Ok(())
}
