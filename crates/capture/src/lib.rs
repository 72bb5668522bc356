//! Captures of LiDAR packets, pcap and pcapng: read, check, repair, cut and write, with the points of Livox and
//! Velodyne sensors.
//!
//! # Open
//! ```
//! # let path = "examples/velodyne.pcap";
//! for sample in robolog_capture::open(path)?.samples() {
//!     let sample = sample?; // or the damage in its place
//!     println!("{:?} {} {}", sample.time, sample.channel, sample.value.kind());
//! }
//! let summary = robolog_capture::survey(path)?;
//! assert!(summary.is_ok() && summary.details.velodyne_packets > 0);
//! # Ok::<(), robolog_capture::Error>(())
//! ```
//! A sample is a point cloud, an inertial measurement, a fix or a row of clocks, with its time, channel and frame: see
//! [`Decoder`]. [`open_with`] and [`samples_with`](robolog_core::StreamReader::samples_with) accept [`Options`].
//!
//! A record is a packet of pcap or a block of pcapng; [`datagrams`] extracts their UDP datagrams. Sensors are told apart by
//! address and ports, and named by their IP address, with `-2` for the second one at an address. [`Details`] has what their
//! packets tell of each: model, returns, ports, and the packets that never arrived.
//!
//! # Extract
//! [`to_lvx`] writes the packets of Livox LiDARs as LVX 1.1 or LVX2, package for package, and [`to_log`] those of a
//! Velodyne as a Koblenz log, one message per turn. [`TurnWriter`] converts in the other direction.
//!
//! # Read past damage
//! ```
//! # let mut file = std::fs::read("examples/velodyne.pcap").unwrap();
//! # file.truncate(file.len() - 30);
//! use robolog_capture::{Event, StreamReader};
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
//! # Ok::<(), robolog_capture::Error>(())
//! ```
//!
//! # Damage
//! A packet is accepted by its own bytes, if its header looks like a capture tool's, or the IP and UDP headers agree
//! with it; a block if its two lengths agree. After damage, reading continues at the next three consecutive packets, or
//! at the next block. A position packet with a damaged sentence gives no sample, and copies leave it out.
//!
//! # Not supported
//! IPv6, fragmented datagrams, and sensors of other manufacturers: copies keep their packets, but they give no samples.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counts of what was read; what is computed with a file's numbers is in modules of their own"
)]

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod control;
mod copier;
#[warn(clippy::arithmetic_side_effects, reason = "it reads bytes")]
mod datagram;
mod decode;
mod extract;
#[warn(clippy::arithmetic_side_effects, reason = "it reads bytes")]
mod format;
#[warn(clippy::arithmetic_side_effects, reason = "it reads bytes")]
mod header;
#[warn(clippy::arithmetic_side_effects, reason = "it reads bytes")]
mod late;
mod layout;
mod model;
mod payload;
mod record;
mod sensors;
mod sequence;
mod writer;

pub use self::{
    copier::Copier,
    datagram::{Datagram, DatagramEvent, Dissector, datagrams},
    decode::{Decoder, Details, LostDetails, Options, SensorDetails},
    extract::{LogReport, LvxReport, NothingToExtract, to_log, to_lvx},
    format::Capture,
    header::Header,
    late::{LateClock, late_clocks, late_clocks_ahead},
    record::Record,
    writer::{TurnWriter, Writer},
};

/// The shared core: samples, and the traits behind decoders and copiers.
pub use robolog_core;
pub use robolog_core::{GnssFix, Imu, PointCloud, Row};

robolog_core::crate_root!(Capture, robolog_capture, "velodyne.pcap");
