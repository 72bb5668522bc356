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
    clippy::too_many_lines,
    clippy::unwrap_used,
    reason = "helpers of tests fail the test that calls them"
)]

mod digest;
mod findings;
mod flips;
mod hostile;
mod layout;
mod query;
mod recorder;
mod roundtrip;
mod samples;
mod scene;
mod snapshots;
mod splits;
mod tally;
mod there_and_back;
mod truth;
