//! Step by step, for people who have such files: five minutes each.

#[doc = include_str!("tutorial/mapping.md")]
pub mod mapping {}

#[doc = include_str!("tutorial/marine.md")]
pub mod marine {}

#[doc = include_str!("tutorial/simulation.md")]
pub mod simulation {}

#[doc = include_str!("tutorial/data_set.md")]
pub mod data_set {}

#[doc = include_str!("tutorial/gis.md")]
pub mod gis {}

#[doc = include_str!("tutorial/rust.md")]
pub mod rust {}

#[doc = include_str!("tutorial/python.md")]
pub mod python {}
