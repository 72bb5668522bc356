//! `cargo xtask doc`: documentation without warnings, broken links among them.

use crate::shell::{Outcome, cargo_with, no_arguments};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments(arguments)?;
    cargo_with(&[("RUSTDOCFLAGS", "-Dwarnings")], &["doc", "--no-deps", "--workspace", "--all-features"])
}
