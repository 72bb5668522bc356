//! Shared by the tests of every format: dripping streams, damaged inputs, and assertions that hold for all formats.

#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::missing_panics_doc,
    reason = "a failing helper must fail the test that called it, and tests say what they ran"
)]

mod busy;
mod coverage;
mod damage;
mod data;
mod deliveries;
mod digest;
mod drip;
mod faults;
mod faulty;
mod fnv;
pub mod laws;
mod measured;
mod nowhere;
mod outline;
mod serializes;
mod snapshots;
mod splits;
mod stalling;
mod transcript;

pub use busy::busy;
pub use coverage::assert_covers;
pub use damage::{
    Rng, bound, campaign, cuts, failing, flips, is_thorough, left_of, one_in, splices, thinned,
};
pub use data::{Fixture, data_dir, fixture, fixtures};
pub use deliveries::{
    Delivered, Deliveries, Recovered, assert_agrees, assert_flips_agree, assert_losses_are_told, deliveries,
    recover,
};
pub use digest::{digest, digest_with};
pub use drip::Drip;
pub use faults::{
    assert_streams_may_fail, assert_streams_may_stall, assert_targets_may_fail, copy, samples_in,
};
pub use faulty::{Failing, Fault, Faulty};
pub use fnv::Fnv;
pub use laws::assert_copies;
pub use measured::{count_samples, measured};
pub use nowhere::Nowhere;
pub use peak_alloc::PeakAlloc;
pub use snapshots::each_fixture;
pub use splits::{assert_all_splits_agree, assert_splits_agree};
pub use stalling::Stalling;
pub use transcript::{
    Line, assert_slice_is_some_stream, assert_slice_is_stream, fed_transcript, slice_transcript,
    stalled_transcript, stream_transcript,
};

/// The examples of the workspace's README.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
#[derive(Debug)]
pub struct Readme;
