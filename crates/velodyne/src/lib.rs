//! Converts packets of Velodyne LiDARs to points: HDL-64E S1, S2 and S3, HDL-32E, VLP-16, Puck Hi-Res, VLP-32, VLS-128.
//!
//! ```text
//! packet    1206 bytes, as received by UDP or stored in a recording
//!   block     which lasers, rotation of the head                      x 12
//!     return    distance in ticks, intensity                          x 32
//!   trailer   six bytes: spin and temperature, or clock and status, or clock, return mode and model
//! ```
//!
//! A [`Detector`] identifies the sensor from a few packets. A [`Calibration`] has the direction of each laser: it is
//! read from a file, from the [`StatusStream`] of a later HDL-64E, or built in. From both, a [`Decoder`] appends the
//! points of packets to the columns of [`Points`], and a [`ScanSplitter`] delivers them turn by turn.
//!
//! # Read
//! ```
//! use velodyne_packet::{Calibration, Decoder, Detector, Error, Options, Points, packets};
//! # let mut message = [0; velodyne_packet::PACKET_LEN];
//! # message[..7].copy_from_slice(&[0xff, 0xee, 0, 0, 0xe8, 0x03, 77]);
//! # message[1204..].copy_from_slice(&[0x37, 0x22]);
//!
//! let sensor = Detector::detect(packets(&message)).ok_or_else(|| Error::invalid("packets", "of an unknown sensor", "those of a Velodyne", 0))?;
//! assert_eq!(sensor.to_string(), "VLP-16, strongest returns, clock, return mode and model");
//! let calibration = Calibration::built_in(sensor.model);
//! assert_eq!(calibration.label, "nominal angles of the VLP-16");
//!
//! let mut decoder = Decoder::new(&sensor, &calibration, Options::default());
//! let mut points = Points::new();
//! decoder.decode_message(&message, 0, &mut points);
//! assert_eq!((points.len(), points.intensity()[0]), (1, 77.0));
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```
//!
//! # Conventions
//! Points are metres, x forward, y left, z up, unless [`Options::axes`] says otherwise; *forward* is the head's
//! rotation zero. Times are nanoseconds of the clock that the caller uses for packets; [`resolve_hour`] converts the
//! microseconds in the packet.
//!
//! # HDL-64E
//! Each sensor has its own calibration. Without it, [`Calibration::built_in`] returns that of another sensor, which is
//! off by up to some metres, and marks it in [`Calibration::label`] and [`Calibration::is_stand_in`]. Several formulas are in
//! use: see [`Profile`].
//!
//! # Built-in calibrations
//! Their numbers are from the files published by [ros-drivers/velodyne](https://github.com/ros-drivers/velodyne) and
//! [`velodyne_decoder`](https://github.com/valgur/velodyne_decoder) under the 3-clause BSD licence.
//!
//! # Not supported
//! Captures (`pcap`), sockets, Velarray, and the telemetry in position packets other than clock, pulse, sentence and the
//! measurements of an HDL-32E.

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

pub mod layout;

mod builtin;
mod calibration;
mod clock;
mod decoder;
mod detect;
mod geometry;
mod model;
mod motion;
mod options;
mod packet;
mod pick;
mod points;
mod position;
mod scan;
mod status;
mod timing;
mod trailer;
#[cfg(feature = "xml")]
mod xml;
#[cfg(feature = "yaml")]
mod yaml;

pub use calibration::{Calibration, CalibrationSource, Laser, MAX_LASERS};
pub use clock::{PacketClock, message_times, resolve_hour};
pub use decoder::Decoder;
pub use detect::{Detection, Detector};
pub use model::{Generation, Model, ReturnMode};
pub use motion::{Deskew, Reference, Trajectory};
pub use options::{Axes, DualReturns, Options, Profile};
pub use packet::{BLOCKS, Bank, Block, PACKET_LEN, Packet, RETURNS, ROTATION_STEPS, Return, packets};
pub use points::{Point, Points};
pub use position::{Inertial, POSITION_PACKET_LEN, PositionPacket, Pps};
pub use robolog_core;
pub use robolog_core::{Error, ErrorKind, Limits, PointCloud, Result, nalgebra};
pub use scan::{Scan, ScanCounter, ScanSplitter};
pub use status::{Status, StatusStream};
pub use trailer::Trailer;
