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
//! A [`Record`] is an entry. Entries are not in order of time, times may be negative, values may be empty or hundreds of
//! lines long: MOOS-IvP's own tools lose such entries, this crate does not. Nothing of a [`RawText`] is parsed until it is
//! asked for.
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
//! Entries are stamped in seconds since LOGSTART, which MOOS multiplies by its time warp. [`Header::time`] gives unix
//! time where 64 bits of nanoseconds can hold it, and nothing where they cannot; [`Seconds`] always hold what the file
//! says.
//!
//! Times are those of a clock on the wall, of which a warp makes more: at a warp of 15, 100 s of a mission take 6.7 s.
//! [`Header::set_times`] with [`TimeFrom::Mission`] gives the mission's own clock, from LOGSTART on.
//!
//! LOGSTART beyond the year 2096 was multiplied by a warp. Where neither the log's name nor the caller says by which, all
//! times count from the start of the log. A time inside a value counts when it is within an hour of its column's.
//!
//! # Split
//! [`splits`] gives parts of a log that are read each by itself, and together give the same samples. They begin with any
//! entry, and carry the last entry of each `NAV_` variable before it, and the first scan of each scanner.
//!
//! A mark of byte order (U+FEFF) before the first line is a part of the header, and copied with it.
//!
//! # Damage
//! - An entry whose time has one wrong byte is recognised by the logger's columns. It and the lines behind it are damage,
//!   not a part of the value before it; so are lines before the first entry, and the beginning of an entry at the end
//!   of a log. Copies leave them out.
//! - An entry or comment with a control character in it, other than tabs, ends of lines and the escapes of coloured text, is
//!   damage, as holes of zeros leave it where a disk was full. The next line that begins an entry is read again.
//! - A last entry without an end of line is delivered, and is damage: its value may be cut short. So is a comment. Copies
//!   end the line.
//! - An entry begins where a line does. Where an end of line is lost, the next entry is read as a part of the value before
//!   it; where that shows in the logger's columns, it is a warning, `joined-entries`.
//! - Comments between the header and the first entry count as the header does, up to 64 KiB behind it: damage may part
//!   them.
//! - Entries farther than 292 years from 1970 have no time.
//!
//! # Not here
//! The index that MOOS writes beside logs, and what behaviours encode in `BHV_IPF`.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in text and counts of what was read; numbers of a log are computed in `time`"
)]

pub mod layout;
pub mod slog;

#[warn(clippy::arithmetic_side_effects, reason = "it computes with places in text of the file")]
mod anonymise;
mod decode;
mod edit;
mod format;
mod header;
mod mission;
mod payload;
mod record;
#[cfg(feature = "serde")]
mod serialize;
#[warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the log")]
mod time;
mod writer;

pub use decode::{Decoder, Details, NodeReport, Options, TimeFrom, Variable};
pub use format::Alog;
pub use header::Header;
pub use mission::mission_origin;
pub use payload::{Item, Items, Matrix, RawText, Strictness, Values};
pub use record::{Kind, Record};
/// The shared core: the traits behind [`Decoder`] and [`Rewriter`], samples, and `survey` itself.
pub use robolog_core;
pub use robolog_core::{
    Clock, Error, ErrorKind, Event, Index, Limits, Result, Rewriting, Sample, Timestamp, Value, nalgebra,
};
pub use time::{Seconds, Warp};
pub use writer::{Rewriter, Writer, can_hold};

/// Makes samples of entries: what the [`Decoder`] is to who wants samples.
pub type Sampler = Decoder;
/// Counts entries: the [`Decoder`] for [`robolog_core::survey`].
pub type Survey = robolog_core::Counting<Decoder>;

robolog_core::face!(Alog, alog, "moosivp.alog");
