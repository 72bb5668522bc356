//! Reads, checks, repairs and writes GPX 1.0 and 1.1: waypoints, routes and tracks of satellite receivers and maps.
//!
//! Damaged documents are read past their faults; written documents are valid by the schema of GPX 1.1.
//!
//! # Open
//! ```
//! # let path = "examples/drive.gpx";
//! for sample in robolog_gpx::open(path)?.samples() {
//!     let sample = sample?; // or the damage in its place
//!     println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind());
//! }
//! let summary = robolog_gpx::survey(path)?;
//! assert!(summary.is_ok() && summary.records > 0);
//! # Ok::<(), robolog_gpx::Error>(())
//! ```
//! A sample is a GNSS fix of a track with everything else that was measured there, or a feature: a waypoint, the line of a
//! route, a named point of one. [`open_with`] and [`samples_with`](robolog_core::StreamReader::samples_with) take [`Options`].
//!
//! A [`Record`] is a point with all its children, or another piece of markup with the text before it. The records in
//! order are the file, byte for byte: a file is read in constant memory, a truncated one yields all its complete points,
//! and a copy changes nothing.
//!
//! ```text
//! <?xml version="1.0"?><gpx version="1.1" creator="x">    header
//! <trk>                                                   markup
//! <trkseg>                                                markup
//! <trkpt lat="45.76" lon="3.11"><ele>460.6</ele></trkpt>  a point
//! ```
//!
//! # Read
//! ```
//! use robolog_gpx::{Fix, PointKind, Reader};
//!
//! // From the Institut Pascal data set: no segment, the quality of GGA as the fix, and a wrong end tag.
//! let file = br#"<gpx version="1.1" creator="x"><trk>
//!   <trkpt lat="45.76015767" lon="3.109927167"><ele>460.6</ele><fix>2</fix><sat>8</sat></trkpt>
//! </trk></xml>"#;
//! let reader = Reader::new(file)?;
//! let point = reader.records().map(Result::unwrap).find(|r| r.point() == Some(PointKind::TrackPoint)).unwrap();
//! let position = point.position()?;
//! assert_eq!((position.latitude, position.fix), (45.76015767, Some(Fix::Quality(2))));
//!
//! let (document, error) = robolog_gpx::read(file);
//! assert_eq!(document.tracks[0].segments[0].points.len(), 1);
//! assert_eq!(error.unwrap().offset(), 137);
//! # Ok::<(), robolog_gpx::Error>(())
//! ```
//! [`StreamReader`] does the same on any [`std::io::Read`]; [`Decoder`] makes fixes of the points.
//!
//! # Write
//! ```
//! use robolog_gpx::{Header, Position, TrackHead, Waypoint, Writer};
//!
//! let mut writer = Writer::new(Vec::new(), &Header::new("robolog"))?;
//! writer.begin_track(&TrackHead { name: Some("drive".into()), ..TrackHead::default() })?;
//! writer.point(&Waypoint::from(Position::new(45.76015767, 3.109927167)))?;
//! let text = String::from_utf8(writer.finish()?).unwrap();
//! assert!(text.ends_with("<trkpt lat=\"45.76015767\" lon=\"3.109927167\"/>\n    </trkseg>\n  </trk>\n</gpx>\n"));
//! # Ok::<(), robolog_gpx::Error>(())
//! ```
//!
//! # What is accepted
//! Elements are recognised by their local names, whatever the namespace of the root element is. Points may be outside
//! of segments and tracks. `fix` may be the number of NMEA's GGA. [`Utf8Reader`] decodes documents in UTF-16 and in
//! 8-bit encodings. Invalid numbers and times are left out; [`Record::position_with`] and the survey report them.
//!
//! # Split
//! [`splits`] divides a document into parts that are read independently and together give the same samples. A part
//! begins with any point and carries the tags before it.
//!
//! # Read past damage
//! ```
//! # let mut file = std::fs::read("examples/drive.gpx").unwrap();
//! # file.truncate(file.len() - 30);
//! use robolog_gpx::{Event, StreamReader};
//!
//! // Of samples: an error in the place of each damage, and the samples after it.
//! let damage: Vec<_> = StreamReader::new(&file[..])?.samples().filter_map(Result::err).collect();
//! // Of records: also the bytes that are lost.
//! let mut reader = StreamReader::new(&file[..])?;
//! loop {
//!     match reader.next_event()? {
//!         Event::Record(record) => println!("byte {}: a record", record.offset()),
//!         Event::Damage { error, lost } => println!("bytes {lost:?}: {error}"),
//!         Event::End => break,
//!     }
//! }
//! // All that is wrong, with a severity, a code and an offset each.
//! let findings = StreamReader::new(&file[..])?.survey()?.findings;
//! assert!(!damage.is_empty() && !findings.is_empty());
//! # Ok::<(), robolog_gpx::Error>(())
//! ```
//! [`read`] returns what is before the first fault, and the fault.
//!
//! # Damage
//! - A point without a valid latitude and longitude on the globe makes no sample. Longitudes of 180 to 360 degrees are
//!   those west of Greenwich. Nor does an element of another name that has both,
//!   outside of `extensions`. A copy leaves them out.
//! - An end tag without a start tag is left out. One of an outer element also ends the elements inside it, which get
//!   their end tags.
//! - A copy of a document without an end or without a root element gets one.
//! - Text between elements that ends in `>` is the rest of a tag; it is left out.
//! - Bytes that are not markup are skipped, up to the next point, segment, track, route or root element.
//!
//! [`survey`] reports each of these as an error; [`Decoder`] and [`Copier`] return it and can continue. Other invalid
//! values of a point are left out of its sample with a warning, and copied. A second document after the first is read,
//! with a warning.
//!
//! # Bounds
//! Elements nest 128 levels deep, tags have at most 64 KiB. Entities other than XML's own are not
//! expanded, document type definitions neither read nor fetched.
//!
//! # Extensions
//! Their texts and attributes are columns of the point: `heart_rate`, `cadence`, `power`, `temperature`,
//! `water_temperature` and `depth` of Garmin, Cluetrust and Strava, and others by their own names in snake case. Those of a
//! track, its name, type and description are attributes of its samples. A copy keeps all unchanged.
//!
//! # Not supported
//! The points that Garmin's extensions have between the points of a route.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in text and counts of what was read: numbers of a document are floats"
)]

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod context;
mod copier;
mod decode;
mod document;
mod edit;
mod format;
mod header;
mod layout;
mod model;
mod payload;
mod record;
#[cfg(feature = "serde")]
mod serialize;
mod writer;

pub use copier::Copier;
pub use decode::{Decoder, Details, Elevation, Options};
pub use document::{read, write};
pub use format::Gpx;
pub use header::Header;
pub use model::{
    Bounds, Copyright, Document, Email, Extensions, Link, Metadata, Person, Route, RouteHead, Segment, Track,
    TrackHead, Waypoint,
};
pub use payload::{Fix, Position};
pub use record::{PointKind, Record};
pub use writer::Writer;

/// The shared core: samples, and the traits behind decoders and copiers.
pub use robolog_core;
pub use robolog_core::{Feature, GnssFix};
pub use robolog_xml::{Kind, Piece, Time, Utf8Reader};

robolog_core::crate_root!(Gpx, robolog_gpx, "drive.gpx");
