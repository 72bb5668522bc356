//! All sinks of [`robolog_sinks`], and sinks that write the formats that robolog reads.

#[cfg(feature = "to-alog")]
pub mod alog;
#[cfg(feature = "to-carla-rec")]
pub mod carla_rec;
#[cfg(feature = "to-gpx")]
pub mod gpx;
#[cfg(feature = "to-kml")]
pub mod kml;
#[cfg(feature = "to-koblenz-log")]
pub mod koblenz_log;
#[cfg(feature = "to-lvx")]
pub mod lvx;

#[cfg(feature = "to-koblenz-log")]
mod quality;

pub use robolog_sinks::*;
