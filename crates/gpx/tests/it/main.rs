//! The tests of this crate, one binary.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unreadable_literal,
    clippy::unwrap_used,
    reason = "helpers of tests fail the test that calls them"
)]

mod agreement;
mod digest;
mod features;
mod hostile;
mod memory;
mod places;
mod roundtrip;
mod snapshots;
mod splits;
mod support;
mod truth;
