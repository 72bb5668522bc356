//! `cargo xtask test`: runs unit, integration and doc tests. Snapshots are compared, never rewritten.

use crate::shell::{EVERYTHING, Outcome, cargo_with};

pub(crate) fn run() -> Outcome {
    cargo_with(&[("INSTA_UPDATE", "no")], &EVERYTHING)
}
