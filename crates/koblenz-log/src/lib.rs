//! Sensor logs of the University of Koblenz-Landau: a vehicle's Velodyne, planar laser scanners, cameras, GPS receiver,
//! inertial sensor and on-board diagnostics, as recorded by the robots and cars of its Active Vision Group.
//!
//! # Open
//! ```
//! # let path = "examples/drive.log";
//! for sample in koblenz_log::open(path)?.samples() {
//!     let sample = sample?; // or the damage in its place
//!     println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind());
//! }
//! let summary = koblenz_log::survey(path)?;
//! assert!(summary.is_ok() && summary.records > 0);
//! # Ok::<(), koblenz_log::Error>(())
//! ```
//! A sample is a point cloud, a scan, an image, a fix, a row or another [`Value`], with its time, channel and frame.
//! [`open_with`] and [`samples_with`](robolog_core::StreamReader::samples_with) accept [`Options`].
//!
//! ```text
//! file header   magic, version 1.1, number of index entries
//! index         offset of the first message of each second       x seconds
//! message       size, mark, type, version, time stamp            x until the end mark, or the end of the file
//!   payload     by the type: packets, a scan, an image, a fix ...
//! ```
//!
//! A [`Record`] is a message; its payload is decoded only on request, and borrows from the input. No recorder's source
//! and no other reader is public, so what the specification leaves open is inferred from the bytes, and reported: [what
//! sizes count](SizeCounts), [how quaternions and accelerations are written](Attitude), [whether the index can be
//! used](IndexState).
//!
//! # Read
//! ```
//! # let file = koblenz_log::doc::recording();
//! use koblenz_log::{Payload, Reader};
//!
//! let reader = Reader::new(&file)?;
//! for message in reader.records() {
//!     let message = message?;
//!     if let Payload::Laser(scan) = message.decode()? {
//!         assert_eq!(message.timestamp(), Some(1600.0));
//!         assert_eq!(scan.distances().collect::<Vec<_>>(), [1000, 19, 2500]);
//!     }
//! }
//! # Ok::<(), koblenz_log::Error>(())
//! ```
//! [`StreamReader`] does the same on any [`std::io::Read`] in bounded memory; [`Decoder`] makes point clouds, scans,
//! images and fixes, in metres and radians.
//!
//! # Write
//! ```
//! use std::io::Cursor;
//! use koblenz_log::{Header, Payload, Reader, Writer, layout::Obd};
//!
//! let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(3600))?;
//! writer.write_payload(1500.0, &Payload::Obd(Obd { speed: 36, ..Obd::default() }))?;
//! let file = writer.finish()?.into_inner();
//! assert_eq!(Reader::new(&file)?.records().count(), 1);
//! # Ok::<(), koblenz_log::Error>(())
//! ```
//!
//! # Split
//! [`splits`] gives parts of a log that can be read independently, and together give the same samples. They can begin
//! at any message, and carry the Velodyne turn in progress. The log of an HDL-64E that sends its own calibration is one
//! split from the first packet on.
//!
//! # Read past damage
//! ```
//! # let mut file = std::fs::read("examples/drive.log").unwrap();
//! # file.truncate(file.len() - 30);
//! use koblenz_log::{Event, StreamReader};
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
//! # Ok::<(), koblenz_log::Error>(())
//! ```
//!
//! # Damage
//! A message is accepted if another can follow it. After damage, reading continues at the next message of known type
//! that has the stated content and is followed by another. The complete packets of a truncated Velodyne message are
//! read. Messages of known types without a sample, and Velodyne messages in which no block starts correctly, are
//! damage; copies leave them out.
//!
//! Packets of an unknown Velodyne are not damage: they give no samples, like messages of unknown types, and copies keep
//! them. The survey reports a warning.

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub mod layout;

#[doc(hidden)]
pub mod doc;

mod attitude;
mod decode;
mod edit;
mod format;
mod framing;
mod header;
mod index;
mod laser;
mod message_type;
mod payload;
mod record;
#[cfg(feature = "serde")]
mod serialize;
mod sizes;
mod velodyne;
mod writer;

pub use attitude::{AccelerationUnit, Attitude, QuaternionOrder};
pub use decode::{Decoder, Details, IndexDetails, LaserDetails, Options};
pub use format::KoblenzLog;
pub use header::Header;
pub use index::{IndexOrigin, IndexState};
pub use laser::{LaserGeometry, LaserModel};
pub use message_type::{Registry, TypeId, message_type};
pub use payload::{ImageData, LaserData, Payload, VelodyneData};
pub use record::Record;
/// The shared core: the traits behind [`Decoder`] and [`Copier`], samples, and `survey` itself.
pub use robolog_core;
pub use robolog_core::{GnssFix, Image, Imu, LaserScan, PointCloud, Row, nalgebra};
pub use sizes::SizeCounts;
pub use velodyne::{Cloud, CloudCounter, CloudMaker, Clouds, Options as VelodyneOptions, SensorDetails};
pub use velodyne_packet;
pub use writer::{Copier, Reindexed, Writer, reindex};

robolog_core::crate_root!(KoblenzLog, koblenz_log, "drive.log");
