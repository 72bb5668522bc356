//! `cargo xtask fmt`: formatting is rustfmt's.

use crate::shell::{Outcome, cargo, no_arguments};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments(arguments)?;
    cargo(&["fmt", "--all", "--check"]).map_err(|e| format!("{e}; `cargo fmt --all` repairs it"))
}
