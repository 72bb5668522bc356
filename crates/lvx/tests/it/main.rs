//! The tests of this crate, one binary.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::expect_used,
    clippy::float_cmp,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "helpers of tests fail the test that calls them"
)]

mod agreement;
mod digest;
mod findings;
mod holes;
mod hostile;
mod layout;
mod merge;
mod model;
mod mount;
mod packets;
mod roundtrip;
mod snapshots;
mod splits;
mod truth;
mod wire;
mod writer;
