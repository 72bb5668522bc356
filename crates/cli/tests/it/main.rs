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

mod alog;
mod carla;
mod cli;
mod conformance;
mod convert;
mod diff;
mod edges;
mod feeds;
mod golden;
mod hostile;
mod importer;
mod info;
mod inputs;
mod koblenz;
mod lidar;
mod limits;
mod outputs;
mod parts;
mod pipes;
mod report;
mod run;
mod tables;
mod tasks;
mod times;
#[cfg(unix)]
mod transcripts;
mod verbs;
mod view;
