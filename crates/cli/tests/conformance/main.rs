//! `robolog info --json` against counts that independent scripts made: of the fixtures, and of the real recordings
//! where they are. A file for each format.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::print_stdout,
    reason = "helpers of tests fail the test that calls them"
)]

#[path = "../run/mod.rs"]
mod run;

mod alog;
mod carla_rec;
mod koblenz_log;
mod lvx;
