//! Opens any recording that robolog reads and writes its samples in formats that other tools read.
//!
//! Formats and targets share only [`Sample`](robolog_core::Sample): [`source`] detects the format from the bytes, a
//! [`Sink`] takes samples, [`convert`] connects the two. [`robolog_sinks`] has most sinks, and knows no format;
//! those that write LVX, alog and other formats that are read here are in [`sink`]. A new format is a row in [`source`]; a new target is a file of
//! `robolog-sinks` and a row in [`targets`].
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
    reason = "numbers here count samples and records; readers check the numbers in a file"
)]

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub mod csvw;
pub mod journey;
pub mod sink;
pub mod source;
pub mod target;
pub mod targets;
pub mod transforms;

mod anonymise;
mod batch;
mod copy;
mod driver;
mod feed;
mod folder;
mod foreign;
mod limit;
mod model;
#[cfg(feature = "from-pcap")]
mod packets;
#[cfg(any(feature = "from-kmz", feature = "to-kml"))]
mod patient;
mod plan;
mod report;
mod settings;
mod splits;
mod survey;
mod trajectories;

/// Types shared by formats and targets: samples and their values, times, errors.
pub use robolog_core;

pub use anonymise::{Secret, learn};
pub use copy::{Copied, Rewrite, rewrite};
pub use driver::{Destination, convert, convert_into_bag, convert_into_folder, deliver, partition};
pub use feed::{Feed, Pull, look, span, start};
pub use folder::{Found, Known, recordings, recordings_but};
pub use limit::{Bound, ChannelFilter, Limit};
pub use model::LidarModel;
#[cfg(feature = "from-pcap")]
pub use packets::capture_of_log;
pub use plan::{Plan, Removed};
pub use report::{Count, Damage, Report};
pub use robolog_sinks::{
    Advice, Error, Foreign, NoChannel, Note, Opening, Origin, Outcome, PcdData, Per, Reason, Result,
    Selection, Sink, SinkOptions, TableOptions, TargetSpec, counted, json, nearest, op, output::seek_place,
    places, scan, spool, trajectories::Trajectory, weight::of_value as weight_of,
};
pub use settings::{Aligned, FrameId, Settings, Topic};
#[cfg(feature = "from-effibox")]
pub use source::of_data_set;
pub use source::{BoxSamples, Input, ReadSeek, Reopen, Source, Visit, is_end_mark, origin, standard_input};
pub use splits::{samples_of, splits};
pub use survey::{Surveyed, survey, survey_with_observer};
pub use trajectories::{poses, trajectories};

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
