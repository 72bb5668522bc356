//! The tests of this crate, one binary.

#![allow(
    clippy::arithmetic_side_effects,
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

mod channels;
mod college;
mod damage;
mod digest;
mod endless;
mod hostile;
mod pictures;
mod roundtrip;
mod snapshots;
mod splits;
mod tables;
mod times;
mod truth;
mod unwanted;
mod values;
