//! `cargo xtask alone`: checks each library alone, since features unified by the workspace can hide errors.

use crate::{
    shell::{Outcome, cargo},
    workspace,
};

pub(crate) fn run() -> Outcome {
    for one in workspace::crates()?.iter().filter(|one| one.is_library()) {
        cargo(&["check", "-p", &one.name])?;
        cargo(&["check", "-p", &one.name, "--no-default-features"])?;
    }
    Ok(())
}
