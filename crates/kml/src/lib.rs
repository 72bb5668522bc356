//! Reads, checks, repairs and writes KML 2.2 and 2.3 and KMZ: the points, lines and tracks of Google Earth.
//!
//! # Open
//! ```
//! # let path = "examples/gx_track.kml";
//! for sample in robolog_kml::open(path)?.samples() {
//!     let sample = sample?; // or the damage in its place
//!     println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind());
//! }
//! let summary = robolog_kml::survey(path)?;
//! assert!(summary.is_ok() && summary.records > 0);
//! # Ok::<(), robolog_kml::Error>(())
//! ```
//! A sample is a GNSS fix of a track with everything else that was measured there, or a feature: a placemark. [`open_with`] and [`samples_with`](robolog_core::StreamReader::samples_with) take [`Options`].
//!
//! A [`Record`] is a `Placemark` with all its children, or another piece of markup with the text before it; a geometry
//! outside of a placemark is a record too. The records in order are the file, byte for byte. One record is in memory at a
//! time: a track of an hour at 1 Hz takes some 400 KB.
//!
//! # Read
//! ```
//! use robolog_kml::{Geometry, Kind, Part, Reader};
//!
//! let file = br#"<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark>
//!   <gx:Track><when>2010-05-28T02:02:09Z</when><when>2010-05-28T02:02:35Z</when>
//!   <gx:coord>-122.207881 37.371915 156</gx:coord><gx:coord>-122.205712 37.373288 152</gx:coord></gx:Track>
//! </Placemark></kml>"#;
//! let reader = Reader::new(file)?;
//! let record = reader.records().map(Result::unwrap).find(|r| r.kind() == Kind::Element(Part::Placemark)).unwrap();
//! let Some(Geometry::Track(track)) = record.placemark()?.geometry else { unreachable!() };
//! let (time, place) = track.points().nth(1).unwrap();
//! assert_eq!(time.unwrap().to_string(), "2010-05-28T02:02:35.000000000Z");
//! assert_eq!((place.latitude, place.altitude), (37.373288, Some(152.0)));
//! # Ok::<(), robolog_kml::Error>(())
//! ```
//!
//! # Write
//! ```
//! use robolog_kml::{AltitudeMode, Coordinate, Header, Writer};
//!
//! let mut writer = Writer::new(Vec::new(), &Header::default())?;
//! writer.begin_track("antenna", Some(AltitudeMode::Absolute))?;
//! for second in [9, 10] {
//!     let time = robolog_core::Timestamp::from_utc(2010, 5, 28, 2, 2, second, 0);
//!     writer.point(time, Coordinate { longitude: 3.1, latitude: 45.7, altitude: Some(460.6) })?;
//! }
//! let text = String::from_utf8(writer.finish()?).unwrap();
//! assert!(text.contains("<when>2010-05-28T02:02:09Z</when>") && text.contains("<gx:coord>3.1 45.7 460.6</gx:coord>"));
//! # Ok::<(), robolog_kml::Error>(())
//! ```
//!
//! # Split
//! [`splits`] divides a document into parts that are read independently and together give the same samples. A part
//! begins with any placemark and carries the tags before it, and the placemarks with tracks, which are counted.
//!
//! # Read past damage
//! ```
//! # let mut file = std::fs::read("examples/gx_track.kml").unwrap();
//! # file.truncate(file.len() - 30);
//! use robolog_kml::{Event, StreamReader};
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
//! # Ok::<(), robolog_kml::Error>(())
//! ```
//! [`read`] returns what is before the first fault, and the fault.
//!
//! # Damage
//! - A point, or a position of a line, a ring or a track, with invalid coordinates or outside the globe is not read; a
//!   copy leaves it out. Longitudes of 180 to 360 degrees are those west of Greenwich.
//! - A track whose lists differ in length yields a sample for each of its coordinates, with a time as long as there are
//!   times. A copy drops times and angles beyond the coordinates, and adds empty ones where they are missing.
//! - A placemark with invalid markup is left out as a whole.
//! - A placemark with several geometries is one feature with all of them; its tracks are channels of their own.
//! - End tags that do not match, documents without an end and bytes that are not markup are treated as in GPX, see
//!   `robolog-gpx`. A document need not have a root element.
//!
//! [`survey`] reports each of these as an error; [`Decoder`] and [`Copier`] return it and can continue. Other invalid
//! values are left out with a warning, and copied.
//!
//! # Bounds
//! Elements nest 128 levels deep, tags have at most 64 KiB. [`read_kmz`] expands no more than the
//! caller allows.
//!
//! # Not supported
//! Styles (except for the address of an icon), regions, overlays and views are copied and not interpreted; [`read`] leaves them out.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in text and counts of what was read: numbers of a document are floats"
)]

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod about;
mod channels;
mod copier;
pub mod data;
mod decode;
mod document;
mod edit;
mod format;
mod header;
#[cfg(feature = "kmz")]
mod kmz;
mod layout;
mod model;
mod payload;
mod record;
#[cfg(feature = "serde")]
mod serialize;
mod writer;

pub use copier::Copier;
pub use decode::{Decoder, Details, Options};
pub use document::{Document, read, write};
pub use format::Kml;
pub use header::Header;
#[cfg(feature = "kmz")]
pub use kmz::{Kmz, KmzDocument, read_damaged_kmz, read_kmz};
pub use model::{AltitudeMode, Coordinate, Geometry, Line, Placemark, Polygon, Track, When};
pub use record::{Part, Record};
pub use writer::Writer;

/// The shared core: samples, and the traits behind decoders and copiers.
pub use robolog_core;
pub use robolog_core::{Feature, GnssFix};
pub use robolog_xml::{Kind, Piece, Time, Utf8Reader};

robolog_core::crate_root!(Kml, robolog_kml, "gx_track.kml");
