//! `cargo xtask fmt`: checks that rustfmt would change nothing.

use crate::shell::{Outcome, cargo};

pub(crate) fn run() -> Outcome {
    cargo(&["fmt", "--all", "--check"]).map_err(|e| format!("{e}; `cargo fmt --all` repairs it"))
}
