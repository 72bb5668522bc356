//! Packets of captures as recordings of the sensors' own formats.

mod koblenz_log;
mod lvx;

use std::ops::Range;

use ::lvx::Version;
use robolog_core::Error;

pub use self::{
    koblenz_log::{LogReport, to_log},
    lvx::{LvxReport, to_lvx},
};

/// Is called for each damage of a capture, with the bytes that are lost by it.
pub type OnDamage<'a> = &'a mut dyn FnMut(Error, Range<u64>);

/// Why no recording comes of a capture that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NothingToExtract {
    /// It has no packets of the sensors that are looked for.
    #[error("the capture holds no packet of a {0}")]
    Packets(&'static str),
    /// It has nothing but what this format leaves out.
    #[error("the capture holds nothing that {0} has a place for")]
    Place(Version),
    /// It has packets of more devices than a recording has numbers for.
    #[error("more than 255 devices")]
    Devices,
}
