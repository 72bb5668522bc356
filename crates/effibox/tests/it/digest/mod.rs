//! The snapshots' texts, format by format.

pub(crate) mod gpx;
pub(crate) mod kml;
pub(crate) mod nmea;
pub(crate) mod table;
