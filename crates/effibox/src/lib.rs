//! To come.

#[cfg(feature = "dataset")]
pub mod dataset;
#[cfg(feature = "gpx")]
pub mod gpx;
#[cfg(feature = "kml")]
pub mod kml;
#[cfg(feature = "dataset")]
pub mod lambert;
#[cfg(feature = "dataset")]
pub mod motion;
#[cfg(feature = "nmea")]
pub mod nmea;
pub mod number;
#[cfg(feature = "dataset")]
pub mod pnm;
#[cfg(feature = "dataset")]
pub mod table;

#[cfg(any(feature = "gpx", feature = "kml"))]
mod xml;

/// The shared core: the traits behind the samplers, surveys and rewriters, samples, and `survey` itself.
pub use robolog_core;
pub use robolog_core::{Clock, Error, ErrorKind, Index, Limits, Result, Timestamp};
