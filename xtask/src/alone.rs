//! `cargo xtask alone [TARGET]`: checks each library alone, since features unified by the workspace can hide errors. For a
//! target such as wasm32-unknown-unknown: core and the formats.

use crate::{
    shell::{Outcome, cargo, has_target},
    workspace,
};

pub(crate) fn run(target: Option<&str>) -> Outcome {
    let Some(target) = target else {
        for one in workspace::crates()?.iter().filter(|one| one.is_library()) {
            cargo(&["check", "-p", &one.name])?;
            cargo(&["check", "-p", &one.name, "--no-default-features"])?;
        }
        return Ok(());
    };
    if !has_target(target) {
        return Err(format!("`rustup target add {target}` installs its standard library"));
    }
    let crates = workspace::codecs()?;
    for one in &crates {
        cargo(&["check", "-p", &one.name, "--target", target])?;
    }
    println!("alone: {} crates checked for {target}", crates.len());
    Ok(())
}
