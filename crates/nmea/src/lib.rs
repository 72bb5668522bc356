//! NMEA 0183: the sentences of satellite receivers and ships' instruments, read out of whatever they were logged with.
//!
//! # Open
//! ```
//! # let path = "../../testdata/effibox/nmea/types.nmea";
//! for sample in robolog_nmea::open(path)?.samples() {
//!     let sample = sample?; // or the damage in its place
//!     println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind());
//! }
//! let summary = robolog_nmea::survey(path)?;
//! assert!(summary.is_ok() && summary.records > 0);
//! # Ok::<(), robolog_nmea::Error>(())
//! ```
//! A sample is a point cloud, a pose, a fix, a row or another [`Value`](robolog_core::Value), with its time, channel and
//! frame. [`open_with`] and [`samples_with`](robolog_core::StreamReader::samples_with) take [`Options`].
//!
//! ```text
//! $GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E
//! $GPGSV,3,1,11,02,26,052,40,12,31,088,39,14,18,225,38*47
//! ```
//!
//! A record is a sentence, from `$` or `!` to the end of its line, or a line of other bytes between sentences: comments,
//! binary messages, what is left of a torn sentence. All records one behind another are the file. A sentence begins a
//! line; where it has a right checksum, it may also begin in the midst of other bytes, as behind a binary message, or
//! behind a sentence that was cut off.
//!
//! ```
//! use robolog_nmea::{Message, Reader};
//! let log = b"\xb5\x62\x01$GPZDA,175503.00,11,12,2006,00,00*64\r\n$GPHDT,92.5,T\r\n";
//! let reader = Reader::new(log)?;
//! let records: Vec<_> = reader.records().collect::<Result<_, _>>()?;
//! assert_eq!(records.len(), 3);
//! assert_eq!(records[1].time().unwrap().to_string(), "2006-12-11T17:55:03.000000000Z");
//! let Some(Message::Hdt(hdt)) = records[2].message() else { panic!() };
//! assert_eq!(hdt.heading.unwrap().as_f64(), 92.5);
//! # Ok::<(), robolog_nmea::Error>(())
//! ```
//!
//! GGA, GSV, RMC, GSA, VTG, GLL, ZDA, GST, GNS, HDT and DTM have typed fields and can be written; all others keep their
//! talker, type and fields as text. Numbers keep their digits, so that what is written is what was read.
//!
//! # Damage
//! A missing checksum is no fault. A sentence is damaged when
//!
//! - its checksum is wrong,
//! - it has neither a checksum nor an end of line, so that nobody knows how much is missing,
//! - it has no checksum and another sentence begins inside of it, or one of its fields cannot be read,
//! - it is a sentence but for one of its first bytes: an address and a right checksum or a known address follow the first
//!   byte, or one byte of the address is none, in text that has a checksum or the comma behind the address.
//!
//! A damaged sentence makes no sample. [`Survey`] finds each one an error, [`Sampler`] and [`Rewriter`] fail for it and go
//! on, and the copy leaves it out, and ends the line on which something stands before it. Bytes between sentences are no damage and are copied. A field that cannot be read in a
//! sentence with a right checksum counts as empty, with a warning: receivers fill some with dashes.
//!
//! # Not supported
//! The payload of AIS, the meaning of proprietary sentences, and NMEA 2000. Logs in UTF-16 are to be decoded first.

mod coordinate;
mod decimal;
mod epoch;
mod field;
mod format;
mod groups;
mod header;
mod message;
mod record;
mod sample;
mod sentence;
#[cfg(feature = "serde")]
mod serialize;
mod survey;
mod writer;

pub use self::{
    coordinate::Coordinate,
    decimal::Decimal,
    field::{Date, Time},
    format::Nmea,
    groups::{Sky, SkyView},
    header::Header,
    message::{Dtm, Gga, Gll, Gns, Gsa, Gst, Gsv, GsvSatellite, Hdt, Message, Rmc, Vtg, Zda, constellation},
    record::Record,
    sample::{Options, Sampler},
    sentence::{Checksum, Fields, Sentence},
    survey::{Details, Survey},
    writer::{Rewriter, Writer},
};

/// The shared core: the traits behind samplers, surveys and rewriters, samples, and `survey` itself.
pub use robolog_core;
pub use robolog_core::{Clock, Error, ErrorKind, Index, Limits, Result, Timestamp};

robolog_core::face!(Nmea);
