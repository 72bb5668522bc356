//! Reads, checks, cuts and writes NMEA 0183: the sentences of satellite receivers and ships' instruments, in any log.
//!
//! # Open
//! ```
//! # let path = "examples/types.nmea";
//! for sample in robolog_nmea::open(path)?.samples() {
//!     let sample = sample?; // or the damage in its place
//!     println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind());
//! }
//! let summary = robolog_nmea::survey(path)?;
//! assert!(summary.is_ok() && summary.records > 0);
//! # Ok::<(), robolog_nmea::Error>(())
//! ```
//! A sample is a fix, the satellites in view, a heading, a row of errors or a text, with its time, channel and frame.
//! [`open_with`] and [`samples_with`](robolog_core::StreamReader::samples_with) take [`Options`].
//!
//! ```text
//! $GPGGA,085842.00,4545.60946,N,00306.59563,E,2,08,0.98,411.2,M,49.4,M,,*5E
//! $GPGSV,3,1,11,02,26,052,40,12,31,088,39,14,18,225,38*47
//! ```
//!
//! A record is a sentence, from `$` or `!` to the end of its line, or a line of other bytes between sentences:
//! comments, binary messages, the rest of a damaged sentence. The records in order are the file. A sentence begins a
//! line; with a correct checksum it may also begin inside one, after a binary message or a truncated sentence. What
//! loggers write around it belongs to its record: TAG blocks, `2020-12-29 12:28:00.123 $…`, `1567814730009;source;$…`,
//! `NMEA,$…,1567814730009`. Messages of UBX and RTCM 3 with right checksums are records of their own.
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
//! talker, type and fields as text. Numbers keep their digits, so sentences are written as they were read.
//!
//! # Split
//! [`splits`] divides a log into parts that are read independently and together give the same samples. A part carries
//! the earlier sentences that give the date, the pending fix and the satellites.
//!
//! # Read past damage
//! ```
//! # let mut file = std::fs::read("examples/types.nmea").unwrap();
//! # file.truncate(file.len() - 30);
//! use robolog_nmea::{Event, StreamReader};
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
//! # Ok::<(), robolog_nmea::Error>(())
//! ```
//!
//! [`Record::damage`] says the same of one sentence.
//!
//! # Damage
//! A missing checksum is not a fault. A sentence is damaged when
//!
//! - its checksum is wrong,
//! - it has neither a checksum nor an end of line, so that any part of it may be missing,
//! - it has no checksum and another sentence begins inside it, or one of its fields cannot be read,
//! - one of its first bytes is damaged: an address with a correct checksum or a known address follows a wrong first
//!   byte, or one byte of the address is wrong in a line with a checksum, or with the comma after the address,
//! - it contains a hole of zeros. A line of other text with such a hole is damaged too, and so are 256 zeros in a row.
//!
//! A damaged sentence makes no sample. [`survey`] reports an error, [`Decoder`] and [`Copier`] return it and can
//! continue, and a copy leaves it out and ends the line before it. Other bytes between sentences are not damage and are
//! copied. An invalid field of a sentence with a correct checksum counts as empty, with a warning: receivers fill some
//! with dashes.
//!
//! # Not supported
//! The payload of AIS, the meaning of proprietary sentences, and NMEA 2000. Logs in UTF-16 must be decoded first.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in text and counts of what was read; times and decimals are computed in modules of their own"
)]

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the file")]
mod anonymise;
#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the file")]
mod binary;
mod coordinate;
#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the file")]
mod decimal;
mod decode;
#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the file")]
mod edit;
#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the file")]
mod epoch;
mod field;
mod fix;
mod format;
mod groups;
mod header;
mod layout;
#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the file")]
mod part;
mod payload;
#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the file")]
mod prefix;
mod receivers;
mod record;
mod sentence;
#[cfg(feature = "serde")]
mod serialize;
#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the file")]
mod time;
mod waypoints;
mod writer;

pub use self::{
    anonymise::{Outcome, anonymise},
    coordinate::Coordinate,
    decimal::Decimal,
    decode::{Decoder, Details, Options},
    format::{Nmea, has_sentences},
    groups::{Sky, SkyView},
    header::Header,
    payload::{Dtm, Gga, Gll, Gns, Gsa, Gst, Gsv, GsvSatellite, Hdt, Message, Rmc, Vtg, Zda, constellation},
    record::Record,
    sentence::{Checksum, Fields, Sentence},
    time::{Date, Time},
    writer::{Copier, Writer},
};

/// The shared core: samples, and the traits behind decoders and copiers.
pub use robolog_core;
pub use robolog_core::{Feature, GnssFix, Row, Satellites};

robolog_core::crate_root!(Nmea, robolog_nmea, "types.nmea");
