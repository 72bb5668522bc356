//! Fuzz targets for libFuzzer and for the smoke run.
//!
//! A new target is a function in a file of `targets`, and a row in [`targets::TARGETS`].

#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a target reports its findings by panicking"
)]

pub mod laws;
pub mod memory;
pub mod smoke;
pub mod targets;
pub mod values;
