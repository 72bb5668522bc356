//! `cargo xtask clippy`: fails on warnings in any target. Sources never have `deny(warnings)`.

use crate::shell::{Outcome, cargo};

pub(crate) fn run() -> Outcome {
    cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])
}
