//! The integration tests of this crate, in one binary.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::case_sensitive_file_extension_comparisons,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "helpers of tests fail the test that calls them"
)]

mod align;
mod alog;
mod anonymise;
mod carla;
mod catalog;
mod cli;
mod conformance;
mod convert;
mod destinations;
mod diff;
mod edges;
mod edit;
mod events;
mod faults;
mod feeds;
// Lists of targets are those of a build with all features.
#[cfg(all(feature = "arrow", feature = "lz4"))]
mod golden;
mod helm;
mod hostile;
mod importer;
mod info;
mod inputs;
mod koblenz;
mod lidar;
mod limits;
mod meant;
mod options;
mod outputs;
mod parts;
mod pipes;
mod points;
mod report;
mod run;
mod tables;
mod tasks;
mod times;
mod tracks;
#[cfg(unix)]
mod transcripts;
mod trust;
mod verbs;
mod view;
