//! Packets of Velodyne LiDARs to points.

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
pub use clock::{message_times, resolve_hour};
pub use decoder::Decoder;
pub use detect::{Detection, Detector};
pub use model::{Generation, Model, ReturnMode};
pub use motion::{Deskew, Reference, Trajectory};
pub use options::{Axes, DualReturns, Options, Profile};
pub use packet::{BLOCKS, Bank, Block, PACKET_LEN, Packet, RETURNS, ROTATION_STEPS, Return, packets};
pub use points::{Point, Points};
pub use position::{POSITION_PACKET_LEN, PositionPacket, Pps};
pub use robolog_core;
pub use robolog_core::{Error, ErrorKind, Limits, PointCloud, Result};
pub use scan::ScanSplitter;
pub use status::{Status, StatusStream};
pub use trailer::Trailer;
