//! `cargo xtask clippy`: no warning in any target. Sources never say `deny(warnings)`; this does.

use crate::shell::{Outcome, cargo, no_arguments};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    no_arguments(arguments)?;
    cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])
}
