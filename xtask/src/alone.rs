//! `cargo xtask alone`: each library by itself, so that features unified by the workspace hide nothing.

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
