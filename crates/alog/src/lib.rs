//! MOOS logs (`.alog`, `.xlog`): MOOS, MOOS-IvP, and the New College data set.
//!
//! # Open
//! ```
//! # let path = "examples/moosivp.alog";
//! for sample in alog::open(path)?.samples() {
//!     let sample = sample?; // or the damage in its place
//!     println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind());
//! }
//! let summary = alog::survey(path)?;
//! assert!(summary.is_ok() && summary.records > 0);
//! # Ok::<(), alog::Error>(())
//! ```
//! A sample is a point cloud, a pose, a fix, a row or another [`Value`], with its time, channel and
//! frame. [`open_with`] and [`samples_with`](robolog_core::StreamReader::samples_with) take [`Options`].
//!
//! ```text
//! %% LOGSTART   1225719811.65                          what times count from
//! -3.466   MISSION_FILE    Antler{Monarch} ...         an entry: time, variable, source, value
//! more of the value                                    lines that begin no entry continue the value
//! 61.855   ODOMETRY_POSE   iPlatform  Pose=[3x1]{...}  the next entry
//! ```
//!
//! A [`Record`] is an entry. Entries are not in order of time, times may be negative, values may be empty or hundreds
//! of lines long: MOOS-IvP's own tools lose such entries, this crate does not. A [`RawText`] is parsed only on request.
//!
//! # Read
//! ```
//! let log = b"%% LOGSTART 1225719811.65\n61.855 ODOMETRY_POSE iPlatform Pose=[3x1]{4.2,18.5,-0.8},Speed=1.1 \n";
//! let reader = alog::Reader::new(log)?;
//! let entry = reader.records().next().unwrap()?;
//! assert!(entry.name() == "ODOMETRY_POSE" && entry.time_text() == b"61.855");
//! assert_eq!(entry.value().get_number("Speed"), Some(1.1));
//! assert_eq!(entry.value().get_matrix("Pose").unwrap().to_vec(), Some(vec![4.2, 18.5, -0.8]));
//! assert_eq!(entry.time().unwrap().to_string(), "2008-11-03T13:44:33.505000000Z");
//! # Ok::<(), alog::Error>(())
//! ```
//! [`StreamReader`] does the same on any [`std::io::Read`] in bounded memory; [`Decoder`] makes odometry, laser scans,
//! fixes, numbers and texts of entries.
//!
//! # Write
//! ```
//! use alog::{Header, Seconds, Writer};
//!
//! let header = Header::new("m.alog", Seconds::parse(b"1750223317.648667").unwrap());
//! let mut writer = Writer::new(Vec::new(), &header)?;
//! writer.number(Seconds::parse(b"1.5").unwrap(), "NAV_X", "uSim", 12.25)?;
//! let log = writer.finish()?;
//! assert!(log.ends_with(b"1.50000         NAV_X                uSim            12.25000     \n"));
//! # Ok::<(), alog::Error>(())
//! ```
//!
//! # Time
//! Entries are stamped in seconds since LOGSTART, which MOOS multiplies by its time warp. [`Header::time`] returns Unix
//! time, or `None` if it does not fit into 64 bits of nanoseconds; [`Seconds`] hold every time in a file.
//!
//! Times are wall clock times; a warp makes a mission run faster: at a warp of 15, 100 s of a mission take 6.7 s.
//! [`Header::set_times`] with [`TimeFrom::Mission`] selects the mission's clock, which starts at LOGSTART.
//!
//! The warp is the ratio of LOGSTART to the date in the log's name or in that of a folder, if it is 1.1 or more. A
//! LOGSTART after the year 2096 was multiplied by a warp: if neither a name nor the caller gives it, all times count from
//! the start of the log. One after today is a warning. A time inside a value counts when it is within an hour of its column's.
//!
//! # Split
//! [`splits`] divides a log into parts that are read independently and together give the same samples. A part begins
//! with any entry and carries the last entry of each `NAV_` variable before it, and the first scan of each scanner.
//!
//! A byte order mark (U+FEFF) before the first line is part of the header, and copied with it.
//!
//! # Read past damage
//! ```
//! # let mut file = std::fs::read("examples/moosivp.alog").unwrap();
//! # file.truncate(file.len() - 30);
//! use alog::{Event, StreamReader};
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
//! # Ok::<(), alog::Error>(())
//! ```
//!
//! # Damage
//! - An entry whose time has one wrong byte is recognised by the logger's columns. It and the lines after it are
//!   damage, not a part of the previous value; so are lines before the first entry, and the beginning of an entry at
//!   the end of a log. Copies leave them out.
//! - A control character other than tabs, line ends and the escapes of coloured text is damage in a comment and in the
//!   time, name and source of an entry. In a value it is kept, with a warning: applications publish any bytes. Several
//!   zeros in a row, which a full disk leaves, are damage everywhere. Reading resumes at the next line that begins an
//!   entry.
//! - A last entry without a line end is delivered, and is damage: its value may be truncated. So is a comment. Copies
//!   end the line.
//! - An entry begins at the start of a line. If a line end is lost, the next entry is read as a part of the previous
//!   value; if the logger's columns reveal it, there is a warning, `joined-entries`.
//! - Comments between the header and the first entry count as header lines, up to 64 KiB after it: damage may separate
//!   them.
//! - Entries more than 292 years from 1970 have no time.
//!
//! # Tables
//! A synchronous log (`.slog`) lists its columns in the header. Its records are rows: a number or nothing for each of
//! [`Header::columns`]. A row without the right number of cells is damage. [`slog`] reads one as a table.
//!
//! # Not here
//! The index that MOOS writes beside logs, and the encoding of `BHV_IPF` by behaviours.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in text and counts of what was read; numbers of a log are computed in `time`"
)]

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub mod layout;
pub mod slog;

#[warn(clippy::arithmetic_side_effects, reason = "it computes with places in text of the file")]
mod anonymise;
mod dated;
mod decode;
mod edit;
mod epoch;
mod format;
mod header;
mod mission;
mod payload;
mod record;
#[cfg(feature = "serde")]
mod serialize;
#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the log")]
mod time;
mod vehicle;
mod writer;

pub use decode::{Decoder, Details, NodeReport, Options, TimeFrom, Variable};
pub use format::Alog;
pub use header::Header;
pub use mission::mission_origin;
pub use payload::{Item, Items, Matrix, RawText, Strictness, Values};
pub use record::{Kind, Record};
/// The shared core: the traits behind [`Decoder`] and [`Copier`], samples, and `survey` itself.
pub use robolog_core;
pub use robolog_core::{GnssFix, Image, LaserScan, Odometry, Row, Transform, nalgebra};
pub use time::{Seconds, Warp};
pub use vehicle::vehicle_of;
pub use writer::{Copier, Writer, can_hold};

robolog_core::crate_root!(Alog, alog, "moosivp.alog");
