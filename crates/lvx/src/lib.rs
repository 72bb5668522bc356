//! Livox LVX recordings: LVX 1.0 and 1.1 (Livox Viewer, SDK 1), LVX2 (Livox Viewer 2, SDK 2), and the lists of LVX3.
//!
//! # Open
//! ```
//! # let path = "examples/room.lvx";
//! for sample in lvx::open(path)?.samples() {
//!     let sample = sample?; // or the damage in its place
//!     println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind());
//! }
//! let summary = lvx::survey(path)?;
//! assert!(summary.is_ok() && summary.records > 0);
//! # Ok::<(), lvx::Error>(())
//! ```
//! A sample is a point cloud, an inertial measurement, a transform or another [`Value`], with its time, channel and
//! frame. [`open_with`] and [`samples_with`](robolog_core::StreamReader::samples_with) accept [`Options`].
//!
//! ```text
//! public header   signature, version, magic code
//! private header  frame length, number of devices
//! device info     serial number, model, mounting              x devices
//! frame           own offset, next frame's offset, number     x until the end of the file
//!   package       device, time stamp, data type                x arrived within 50 ms
//!     points      cartesian or spherical, 1 to 3 returns       x 30 to 100; or one inertial measurement
//! ```
//!
//! A [`Record`] is a frame. Its [`packages`](Record::packages) borrow from the input, and the [`Points`] of a package
//! are columns over the bytes of the file: nothing is copied until a column is requested.
//!
//! # Read
//! ```
//! # let file = lvx::doc::recording();
//! let reader = lvx::Reader::new(&file)?;
//! let mut cloud = lvx::PointCloud::default();
//! for frame in reader.records() {
//!     for package in frame?.packages() {
//!         package?.points().append_to(&mut cloud); // `Package::append_to` adds the time of each point
//!     }
//! }
//! assert_eq!((cloud.len(), cloud.x[0], cloud.intensity[0]), (96, 1.5, 42.0));
//! # Ok::<(), lvx::Error>(())
//! ```
//! [`StreamReader`] does the same on any [`std::io::Read`] in bounded memory; [`Decoder`] makes one cloud per device
//! and frame, with a time for every point.
//!
//! # Write
//! ```
//! use lvx::{Clock, Device, DeviceId, DeviceType, Header, PointCloud, Timestamp, Version, Writer};
//!
//! let id = DeviceId::Index(0);
//! let header = Header::new(Version::V1_1, vec![Device::new(id, "3WEDH7600101501", DeviceType(3))]);
//! let mut writer = Writer::new(Vec::new(), &header)?;
//! let cloud = PointCloud { x: vec![1.5], y: vec![0.0], z: vec![-0.2], ..PointCloud::default() };
//! writer.begin_frame()?;
//! writer.filled_cloud(id, Timestamp::new(0, Clock::Device), &cloud)?; // packages of 1.1 have 96 points
//! writer.end_frame()?;
//! let file = writer.finish()?;
//! assert_eq!(lvx::Reader::new(&file)?.records().count(), 1);
//! # Ok::<(), lvx::Error>(())
//! ```
//!
//! # Split
//! [`splits`] gives parts of a file that can be read independently, and together give the same samples. They can begin
//! at any frame; a recording whose stamps restart with a pulse every second is one split.
//!
//! # Read past damage
//! ```
//! # let mut file = std::fs::read("examples/room.lvx").unwrap();
//! # file.truncate(file.len() - 30);
//! use lvx::{Event, StreamReader};
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
//! # Ok::<(), lvx::Error>(())
//! ```
//!
//! # Damage
//! If a recording ends early, or its chain of offsets is broken, every complete package before the damage is delivered,
//! then one error with its byte offset. [`resync`](robolog_core::RawRecords::resync) finds the frames after the damage,
//! and packages in the rest of a damaged frame: a [fragment](Record::is_fragment) has packages without a frame header.
//!
//! # Not supported
//! The points of LVX3 (a closed codec), and the live protocol of the devices; [`wire`] covers only what is needed to
//! turn captured packets into packages.

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub mod layout;
mod wiped;
pub mod wire;

#[doc(hidden)]
pub mod doc;

mod alarms;
mod chain;
mod copier;
mod decode;
mod details;
mod device;
mod edit;
mod extrinsic;
mod fixed;
mod format;
mod header;
mod late;
mod merge;
mod model;
mod mount;
mod payload;
mod points;
mod record;
#[cfg(feature = "serde")]
mod serialize;
mod status;
mod time;
mod writer;

pub use alarms::{Alarm, Alarms};
pub use copier::Copier;
pub use decode::{Decoder, Options};
pub use details::{Details, DeviceDetails};
pub use device::{Device, DeviceId, DeviceType};
pub use extrinsic::{ApplyExtrinsics, ExtrinsicUnit};
pub use format::Lvx;
pub use header::{Header, Version};
pub use late::{ClockTrack, LateClock, late_clocks, late_clocks_ahead};
pub use merge::{Damage, InputReport, MergeReport, merge};
pub use model::Model;
pub use mount::replace_header;
pub use payload::{DataType, Package, Packages};
pub use points::{Point, Points};
pub use record::Record;
/// The shared core: the traits behind [`Decoder`] and [`Copier`], samples, and `survey` itself.
pub use robolog_core;
pub use robolog_core::{Imu, PointCloud, Transform, nalgebra};
pub use status::{Confidence, Level, Noise, Status, Sync, Tag};
pub use time::TimestampType;
pub use writer::Writer;

robolog_core::crate_root!(Lvx, lvx, "room.lvx");
