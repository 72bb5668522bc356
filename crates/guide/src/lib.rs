#![doc = include_str!("guide.md")]
#![expect(clippy::doc_markdown, reason = "names of programs are no code")]

pub mod formats;
pub mod tutorial;

#[doc = include_str!("add_a_format.md")]
pub mod add_a_format {}

#[doc = include_str!("add_a_target.md")]
pub mod add_a_target {}

#[doc = include_str!("units_and_frames.md")]
pub mod units_and_frames {}

#[doc = include_str!("reliability.md")]
pub mod reliability {}

#[doc = include_str!("comparison.md")]
pub mod comparison {}

#[doc = include_str!("coming_from.md")]
pub mod coming_from {}

#[doc = include_str!("speed.md")]
#[doc = ""]
#[doc = include_str!("benchmarks.md")]
pub mod speed {}
