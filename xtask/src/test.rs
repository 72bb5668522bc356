//! `cargo xtask test`: unit, integration and doc tests. Snapshots are compared, never rewritten.

use crate::shell::{EVERYTHING, Outcome, cargo_with, no_arguments};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments(arguments)?;
    cargo_with(&[("INSTA_UPDATE", "no")], &EVERYTHING)
}
