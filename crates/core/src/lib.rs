//! The shared core of [robolog](https://docs.rs/robolog)'s readers of robot recordings.
//!
//! - A format implements [`Format`](format::Format), which frames its header and records. [`Reader`] then reads it from
//!   a slice and [`StreamReader`] from any [`std::io::Read`], with the same results, bounded memory, and recovery after
//!   damage.
//! - Its [`Decoder`](format::Decoder) processes the records and provides samples, counts, splits and seeks.
//! - Every [`Error`] has the byte offset of the fault; [`Limits`] bound the memory a file can make a reader use.
//! - Every format maps its records to [`Sample`]s: [`PointCloud`], [`Image`], [`LaserScan`], [`Imu`], [`GnssFix`],
//!   [`Satellites`], [`Odometry`], [`Pose`], table [`Row`]s, numbers and text, in one convention of units and axes.
//! - What an author of a format needs is in [`format`](mod@format); what its users need is here.
//! - [`layout!`](crate::layout!) declares a binary structure, [`row!`](crate::row!) the columns of a table.
//!
//! # Convention
//! After [REP-103](https://www.ros.org/reps/rep-0103.html): right-handed axes, x forward, y left, z up; metres,
//! radians, seconds; angles counter-clockwise. Formats keep their own units in their `layout` and convert
//! only in `decode` or `sample`.
//!
//! # What stays stable
//! Fields and kinds may come with any minor release. [`Sample`] and [`Odometry`] are made by functions; a literal of
//! [`PointCloud`], [`GnssFix`] or [`Imu`] ends with `..Default::default()`, and a pattern with `..`.
//!
//! # Features
//! `geometry` (default): poses, odometry, transforms and inertial measurements, in nalgebra's types. `layout`
//! (default): declared binary structures, by binrw. A reader of text such as NMEA needs neither. `serde`: `Serialize`
//! and `Deserialize`.
//!
//! # A format in twenty lines
//! For a format with everything that converters use, including splits and seeks, see `examples/tiny.rs` of this crate.
//!
//! Records of one length byte and that many bytes of payload, after a two-byte magic:
//!
//! ```
//! use robolog_core::{Error, Reader, Result, StreamReader, format::{Extent, Format, RawRecord, Search, Step}};
//!
//! #[derive(Debug)]
//! enum Tiny {}
//! impl Format for Tiny {
//!     type Header = ();
//!     type Record<'a> = &'a [u8];
//!     const NAME: &'static str = "tiny";
//!     fn detect(start: &[u8]) -> bool {
//!         start.starts_with(b"Ti")
//!     }
//!     fn header(input: &[u8], _eof: bool) -> Result<Step<()>> {
//!         match input {
//!             [b'T', b'i', ..] => Ok(Step::Ready((), 2)),
//!             [] | [b'T'] => Ok(Step::Need(2)),
//!             _ => Err(Error::magic(input, "tiny")),
//!         }
//!     }
//!     fn measure(_: &(), input: &[u8], _at: u64, _eof: bool) -> Result<Extent> {
//!         let Some(len) = input.first().map(|n| usize::from(*n) + 1) else { return Ok(Extent::Need(1)) };
//!         Ok(if input.len() < len { Extent::Need(len - input.len()) } else { Extent::Whole(len) })
//!     }
//!     fn record<'a>(_: &(), raw: RawRecord<'a>) -> Result<&'a [u8]> {
//!         Ok(&raw.bytes[1..])
//!     }
//!     fn resync(_: &(), _: &[u8], _: u64, _: bool) -> Search {
//!         Search::Found(0)
//!     }
//! }
//!
//! let file = b"Ti\x02ab\x00\x01c";
//! let records: Result<Vec<&[u8]>> = Reader::<Tiny>::new(file)?.records().collect();
//! assert_eq!(records?, [&b"ab"[..], b"", b"c"]);
//!
//! let mut stream = StreamReader::<_, Tiny>::new(&file[..])?;
//! assert_eq!(stream.next_record()?, Some(&b"ab"[..]));
//! # Ok::<(), Error>(())
//! ```

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// `Debug` of a structure whose hidden field `more` makes `..Default::default()` necessary in a literal.
macro_rules! debug_without_more {
    ($type:ident { $($field:ident),+ $(,)? }) => {
        impl ::core::fmt::Debug for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let Self { $($field,)+ more: () } = self;
                f.debug_struct(stringify!($type))$(.field(stringify!($field), $field))+.finish()
            }
        }
    };
}

mod anonymise;
mod area;
mod attributes;
pub mod columns;
pub mod format;
pub mod geodetic;
#[cfg(feature = "layout")]
pub mod layout;
pub mod slices;
pub mod text;

mod channels;
mod clock_runs;
mod cloud;
mod decode;
mod edit;
mod error;
mod face;
mod feature;
mod feeder;
mod gnss;
mod image;
#[cfg(feature = "geometry")]
mod imu;
mod index;
mod known_length;
mod lent;
mod limits;
mod names;
mod output;
mod point;
#[cfg(feature = "geometry")]
mod pose;
mod reader;
mod recording;
mod rhythm;
mod row;
mod sample;
mod samples;
mod scan;
mod seek;
mod split;
mod stream;
mod survey;
mod time;

pub use anonymise::Anonymise;
pub use area::Area;
pub use attributes::Attributes;
pub use cloud::{Column, PointCloud};
pub use edit::Edit;
pub use error::{BoxError, Error, ErrorKind, Result};
pub use feature::{Feature, Geometry, Position};
pub use feeder::Feeder;
pub use gnss::{Constellation, FixQuality, GnssFix, Satellite, Satellites};
pub use image::{Encoding, Image};
#[cfg(feature = "geometry")]
pub use imu::Imu;
pub use index::{Entry, Index};
pub use limits::Limits;
/// The types of poses and velocities, in the version used by the samples.
#[cfg(feature = "geometry")]
pub use nalgebra;
pub use point::Point;
#[cfg(feature = "geometry")]
pub use pose::{Odometry, Pose, Twist};
pub use reader::{RawRecords, Reader, Records};
pub use row::{Cell, CellValue, Columns, Field, FieldKind, Row};
#[cfg(feature = "geometry")]
pub use sample::Transform;
pub use sample::{Sample, Value};
pub use samples::Samples;
pub use scan::LaserScan;
pub use seek::{Between, TimeIndex};
pub use split::{Split, Splits, splits};
pub use stream::{Event, FileReader, FileSamples, OnDamage, StreamReader};
pub use survey::{Channel, Finding, Severity, Summary, survey};
pub use time::{Clock, Timestamp};
