//! `cargo xtask doc`: documentation without warnings, broken links among them.

use crate::shell::{Outcome, cargo_with};

pub(crate) fn run() -> Outcome {
    cargo_with(&[("RUSTDOCFLAGS", "-Dwarnings")], &["doc", "--no-deps", "--workspace", "--all-features"])
}
