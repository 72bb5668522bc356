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

mod bag;
mod columns;
mod counts;
mod e57;
mod faults;
mod feeds;
mod geo;
mod images;
mod kmz;
mod las;
mod maps;
mod matrix;
mod mcap;
mod mcap_foxglove;
mod mcap_support;
mod ops;
mod own;
mod packets;
mod parquet;
mod places;
mod points;
mod properties;
mod seek;
mod shape;
mod shrinking;
mod sinks;
mod splits;
mod spools;
mod tables;
mod target_of_ones_own;
mod unwanted;
mod wide;
mod written;
