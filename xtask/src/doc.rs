//! `cargo xtask doc`: builds the documentation and fails on warnings, such as broken links.

use crate::shell::{Outcome, cargo_with};

pub(crate) fn run() -> Outcome {
    cargo_with(&[("RUSTDOCFLAGS", "-Dwarnings")], &["doc", "--no-deps", "--workspace", "--all-features"])
}
