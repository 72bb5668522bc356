//! What no input may break, as fuzz targets for libFuzzer and for the smoke run.
//!
//! A new format takes a file in `targets` that names it, a file in `fuzz_targets`, a `[[bin]]` in the manifest, and a
//! row in [`targets::TARGETS`].

#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a target tells its findings by panicking"
)]

pub mod invariants;
pub mod smoke;
pub mod targets;
