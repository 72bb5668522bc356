//! `cargo xtask clippy`: no warning in any target. Sources never say `deny(warnings)`; this does.

use crate::shell::{Outcome, cargo};

pub(crate) fn run() -> Outcome {
    cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"])
}
