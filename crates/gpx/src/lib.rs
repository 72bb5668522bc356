//! GPX 1.0 and 1.1: waypoints, routes and tracks, read past their faults and written as the schema of 1.1 wants them.
//!
//! # Open
//! ```
//! # let path = "../../testdata/effibox/gpx/drive.gpx";
//! for sample in robolog_gpx::open(path)?.samples() {
//!     let sample = sample?; // or the damage in its place
//!     println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind());
//! }
//! let summary = robolog_gpx::survey(path)?;
//! assert!(summary.is_ok() && summary.records > 0);
//! # Ok::<(), robolog_gpx::Error>(())
//! ```
//! A sample is a point cloud, a pose, a fix, a row or another [`Value`](robolog_core::Value), with its time, channel and
//! frame. [`open_with`] and [`samples_with`](robolog_core::StreamReader::samples_with) take [`Options`].
//!
//! A [`Record`] is a point with all that it holds, or another piece of markup with the text before it; the records one
//! behind the other are the file, byte for byte. So a file is read in constant memory, every whole point of a torn one is
//! had, and what is copied stays as it was.
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
//! use robolog_gpx::{Fix, Kind, Reader};
//!
//! // As the Institut Pascal data set has it: no segment, the quality of GGA for a fix, and a wrong end.
//! let file = br#"<gpx version="1.1" creator="x"><trk>
//!   <trkpt lat="45.76015767" lon="3.109927167"><ele>460.6</ele><fix>2</fix><sat>8</sat></trkpt>
//! </trk></xml>"#;
//! let reader = Reader::new(file)?;
//! let point = reader.records().map(Result::unwrap).find(|r| r.kind() == Kind::TrackPoint).unwrap();
//! let position = point.position()?;
//! assert_eq!((position.latitude, position.fix), (45.76015767, Some(Fix::Quality(2))));
//!
//! let (document, error) = robolog_gpx::read(file);
//! assert_eq!(document.tracks[0].segments[0].points.len(), 1);
//! assert_eq!(error.unwrap().offset(), 137);
//! # Ok::<(), robolog_gpx::Error>(())
//! ```
//! [`StreamReader`] does the same on any [`std::io::Read`]; [`Sampler`] makes fixes of the points.
//!
//! # Write
//! ```
//! use robolog_gpx::{Head, Position, TrackHead, Waypoint, Writer};
//!
//! let mut writer = Writer::new(Vec::new(), &Head::new("robolog"))?;
//! writer.begin_track(&TrackHead { name: Some("drive".into()), ..TrackHead::default() })?;
//! writer.point(&Waypoint::from(Position::new(45.76015767, 3.109927167)))?;
//! let text = String::from_utf8(writer.finish()?).unwrap();
//! assert!(text.ends_with("<trkpt lat=\"45.76015767\" lon=\"3.109927167\"/>\n    </trkseg>\n  </trk>\n</gpx>\n"));
//! # Ok::<(), robolog_gpx::Error>(())
//! ```
//!
//! # What is accepted
//! Elements are known by their local names, in whatever namespace the root element is or in none. Points may stand outside
//! of segments and tracks. `fix` may be the number of NMEA's GGA. Documents in UTF-16 and in 8-bit encodings are read
//! through [`Utf8Reader`]. Numbers and times that are none are left out, and [`Record::position_with`] and the survey tell.
//!
//! # Damage
//! - A point without a latitude and a longitude that can be read makes no sample, and so does an element of another name
//!   that has both and stands outside of `extensions`. A copy leaves them out.
//! - An end tag that ends nothing is left out. One that ends an element around the innermost also ends those inside of it,
//!   which get their end tags.
//! - A document without an end gets one, and one without a root element a root element.
//! - Text that ends in a tag whose beginning is lost, where no text may stand, is left out.
//! - Bytes that are no markup are passed over, up to the next point, segment, track, route or root element.
//!
//! Each of these is an error for [`Survey`], and [`Sampler`] and [`Rewriter`] fail for it and go on. Other values of a point
//! that cannot be read are left out of its sample with a warning, and copied. A second document behind the first is read on,
//! with a warning.
//!
//! # Bounds
//! Elements nest [`robolog_core::Limits`]' 64 levels deep, tags have at most 64 KiB. Entities other than XML's own are not
//! expanded, document type definitions neither read nor fetched.
//!
//! # Not supported
//! What `extensions` hold is kept as it stands and not interpreted, but for the speed and course of points that [`Writer`]
//! puts there.

mod context;
mod document;
mod elements;
mod format;
mod model;
mod parse;
mod position;
mod record;
mod rewriter;
mod sample;
#[cfg(feature = "serde")]
mod serialize;
mod survey;
mod writer;

pub use document::{read, write};
pub use format::{Gpx, Header};
pub use model::{
    Bounds, Copyright, Document, Email, Extensions, Head, Link, Metadata, Person, Route, RouteHead, Segment,
    Track, TrackHead, Waypoint,
};
pub use position::{Fix, Position};
pub use record::{Kind, Record};
pub use rewriter::Rewriter;
pub use sample::{Elevation, Options, Sampler};
pub use survey::{Details, Survey};
pub use writer::Writer;

/// The shared core: the traits behind samplers, surveys and rewriters, samples, and `survey` itself.
pub use robolog_core;
pub use robolog_core::{Clock, Error, ErrorKind, Index, Limits, Result, Timestamp};
pub use robolog_xml::{Piece, Time, Utf8Reader};

robolog_core::face!(Gpx);
