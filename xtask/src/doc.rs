//! `cargo xtask doc`: builds the documentation and fails on warnings, such as broken links.

use crate::shell::{Outcome, cargo_with};

/// The guide is a book.
const EVERYTHING: [&str; 6] =
    ["doc", "--no-deps", "--workspace", "--exclude", "robolog-guide", "--all-features"];

/// What has pages. The example has the dependencies of the tests, so that cargo takes what clippy has checked; without it, it
/// would check dependencies once more, with other features.
const TARGETS: [&str; 7] =
    ["--lib", "--bin", "xtask", "--bin", "rerun-importer-robolog", "--example", "tiny"];

pub(crate) fn run() -> Outcome {
    cargo_with(&[("RUSTDOCFLAGS", "-Dwarnings")], &[&EVERYTHING[..], &TARGETS].concat())
}
