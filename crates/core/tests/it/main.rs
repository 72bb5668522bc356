//! The tests of this crate, one binary.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "helpers of tests fail the test that calls them"
)]

mod basics;
mod columns;
mod layout;
mod readers;
mod row;
mod seeks;
mod shapes;
mod surveys;
mod tiny;
mod vocabulary;
