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

mod dataset;
mod dataset_archives;
mod dataset_faults;
mod dataset_hostile;
mod dataset_inertial;
mod dataset_verify;
mod digest;
mod extent;
mod lambert;
mod pnm;
mod splits;
mod table_hostile;
mod table_odd_snapshots;
mod table_snapshots;
mod table_truth;
mod tree;
