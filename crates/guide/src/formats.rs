//! Format references: the byte layout, where documents and practice disagree, and what robolog does about it.
//!
//! The sources are the published documents, the source code of programs that write the format, and real files. Each chapter
//! lists where they contradict each other.

#[doc = include_str!("formats/lvx.md")]
pub mod livox_lvx {}

#[doc = include_str!("formats/carla.md")]
pub mod carla_recorder {}

#[doc = include_str!("formats/alog.md")]
pub mod moos_alog {}

#[doc = include_str!("formats/koblenz.md")]
pub mod koblenz {}

#[doc = include_str!("formats/effibox.md")]
pub mod institut_pascal {}

#[doc = include_str!("formats/velodyne.md")]
pub mod velodyne {}

#[doc = include_str!("formats/gpx.md")]
pub mod gpx {}

#[doc = include_str!("formats/kml.md")]
pub mod kml {}

#[doc = include_str!("formats/nmea.md")]
pub mod nmea {}
