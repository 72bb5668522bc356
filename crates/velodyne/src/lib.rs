//! Packets of Velodyne LiDARs to points.

mod builtin;
mod calibration;
mod decoder;
mod detect;
mod model;
mod options;
mod packet;
mod points;
mod scan;
mod trailer;

pub use calibration::{Calibration, CalibrationSource, Laser, MAX_LASERS};
pub use decoder::Decoder;
pub use detect::{Detection, Detector};
pub use model::{Generation, Model, ReturnMode};
pub use options::{Axes, DualReturns, Options, Profile};
pub use packet::{BLOCKS, Bank, Block, PACKET_LEN, Packet, RETURNS, ROTATION_STEPS, Return, packets};
pub use points::{Point, Points};
pub use robolog_core;
pub use robolog_core::{Error, ErrorKind, Limits, PointCloud, Result};
pub use scan::ScanSplitter;
pub use trailer::Trailer;

/// The status stream of later HDL-64Es: to come.
#[derive(Debug, Clone, Default)]
pub struct StatusStream {}
