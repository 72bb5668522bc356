//! Opens any recording that robolog reads and writes its samples in formats that other tools read.
//!
//! Formats and targets share only [`Sample`](robolog_core::Sample): [`source`] detects the format from the bytes, a
//! [`Sink`] takes samples, [`convert`] connects the two. A new format is a row in [`source`]; a new target is a file
//! under `sink` and a row in [`targets`].
//!
//! ```
//! use robolog_convert::{Feed, Input, PcdData, convert, sink::pcd::Pcd};
//! # let file = lvx::doc::recording();
//! let input = Input::new("memory", Box::new(std::io::Cursor::new(file)))?;
//! let mut pcd = Pcd::new(std::io::Cursor::new(Vec::new()), PcdData::Binary);
//! let report = convert(vec![Feed::new(input)], &mut pcd, &mut |_| {})?;
//! assert_eq!(report.written["point_cloud"].values, 96);
//! let file = pcd.into_inner()?.into_inner();
//! assert!(file.starts_with(b"# .PCD v0.7"));
//! # Ok::<(), robolog_convert::Error>(())
//! ```
//!
//! Memory does not grow with the recording: it holds a few frames. Fields that a target needs earlier than they are
//! known are filled in at the end.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "samples are counted and laid out in tables here; what comes of a file's bytes is checked where it is met"
)]

pub mod csvw;
pub mod json;
pub mod op;
pub mod places;
pub mod scan;
pub mod sink;
pub mod source;
pub mod spool;
pub mod target;
pub mod targets;
pub mod transforms;

mod anonymise;
mod batch;
mod copy;
mod driver;
mod error;
mod extras;
mod feed;
mod folder;
mod foreign;
mod limit;
mod origin;
#[cfg(feature = "from-pcap")]
mod packets;
#[cfg_attr(
    not(any(feature = "to-las", feature = "to-parquet")),
    allow(dead_code, reason = "only these targets share their work")
)]
mod parallel;
mod report;
mod settings;
mod splits;
mod survey;
mod trajectories;
mod trajectory;
mod weight;

/// Types shared by formats and targets: samples and their values, times, errors.
pub use robolog_core;

pub use anonymise::{Secret, learn};
pub use copy::{Copied, Rewrite, rewrite};
pub use driver::{Destination, Per, convert, convert_into_bag, convert_into_folder, deliver, partition};
pub use error::{Advice, Error, Reason, Result, nearest};
pub use extras::{Extra, extras};
pub use feed::{Feed, Pull, span, start};
pub use folder::{Found, Known, recordings, recordings_but};
pub use foreign::Foreign;
pub use limit::{Bound, ChannelFilter, Limit, NoChannel};
pub use op::Plan;
pub use origin::Origin;
#[cfg(feature = "from-pcap")]
pub use packets::capture_of_log;
pub use report::{Count, Damage, Note, Report, counted};
pub use settings::{Aligned, FrameId, Settings};
pub use sink::{Opening, Outcome, PcdData, Selection, Sink, SinkOptions, TableOptions, TargetSpec};
pub use source::{BoxSamples, Input, ReadSeek, Source, Visit, origin, seek_place};
pub use splits::{samples_of, splits};
pub use survey::{Surveyed, survey};
pub use trajectories::trajectories;
pub use trajectory::Trajectory;
pub use weight::of_value as weight_of;

/// Opens any recording. Detects the format from the bytes; for tables of bare numbers, from the name.
///
/// ```
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/room.lvx");
/// let input = robolog_convert::open(path)?;
/// assert_eq!(input.format()?, "lvx");
/// let mut points = 0;
/// for sample in input.samples()? {
///     if let robolog_convert::robolog_core::Value::PointCloud(cloud) = sample?.value {
///         points += cloud.len();
///     }
/// }
/// assert!(points > 0);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn open(path: impl AsRef<std::path::Path>) -> Result<Input> {
    Input::open(path)
}
