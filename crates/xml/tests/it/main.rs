//! Tests with a made-up XML format: trips, whose stops are records.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail the test that calls them"
)]

mod trips;
