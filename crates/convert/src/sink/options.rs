//! What can be chosen for the targets.

mod points;
mod tables;

use std::{fmt, str::FromStr};

pub use self::points::PointLayout;
pub use self::tables::{Derived, Fill, Rate, TableOptions, TimeColumn, Wide};
use crate::{places::Place, spool::Spools};

/// How a PCD file holds its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PcdData {
    /// Text, a line a point.
    Ascii,
    /// Rows of numbers, little-endian.
    #[default]
    Binary,
    /// Columns, compressed by LZF.
    BinaryCompressed,
}

impl fmt::Display for PcdData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ascii => "ascii",
            Self::Binary => "binary",
            Self::BinaryCompressed => "binary_compressed",
        })
    }
}

/// What can be chosen for PCD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PcdOptions {
    /// How a file holds its points.
    pub data: PcdData,
}

/// What can be chosen for CARLA recordings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CarlaOptions {
    /// The map that the simulator opens for a replay. By default the frame of the first pose, which is none of its maps.
    pub map: Option<String>,
    /// What actors look like. By default `vehicle.tesla.model3`.
    pub blueprint: String,
}

impl Default for CarlaOptions {
    fn default() -> Self {
        Self { map: None, blueprint: "vehicle.tesla.model3".into() }
    }
}

/// What can be chosen for LVX.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LvxOptions {
    /// The model of all devices, by its number in the file. By default Horizon, 3, or Mid-40, 1, whichever has the time
    /// between points of a device's first cloud more nearly: readers derive the times of points from the model.
    pub device_type: Option<u8>,
}

/// What can be chosen for LAS and LAZ.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct LasOptions {
    /// What the 16 bits of intensity hold.
    pub intensity: LasIntensity,
    /// The version of the format.
    pub version: LasVersion,
    /// The coordinate reference system of the points, which asks for an [`origin`](Self::origin): a transverse Mercator in
    /// metres, such as a UTM zone of WGS 84 or ETRS89. By default the UTM zone of WGS 84 in which the origin lies; without
    /// an origin none.
    pub crs: Option<Epsg>,
    /// Where the origin of the points lies on Earth; their axes point east, north and up there. The points are moved into
    /// the plane of [`crs`](Self::crs), with heights above the ellipsoid of WGS 84. A datum that is not that of WGS 84 is
    /// reached by the seven parameters that the register has: to some metres.
    pub origin: Option<Place>,
    /// What the points count from in the plane of [`crs`](Self::crs), metres, where they lie there already: moved by a trajectory
    /// in that system. With this, no origin is asked for.
    pub shift: Option<[f64; 3]>,
    /// The day on which the file is made, for its header. By default none, so that the same points make the same bytes.
    pub created: Option<Day>,
}

/// The version of LAS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LasVersion {
    /// 1.2 with point format 1, for programs that know no other: up to five returns and 2³² points.
    V1_2,
    /// 1.4 with point format 6.
    #[default]
    V1_4,
}

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// The year, such as 2026.
    pub year: u16,
    /// The day of the year, from 1 on.
    pub day_of_year: u16,
}

/// The number of a coordinate reference system in the EPSG register.
///
/// ```
/// use robolog_convert::sink::Epsg;
/// assert_eq!("EPSG:32632".parse(), Ok(Epsg(32632)));
/// assert!("32632".parse::<Epsg>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Epsg(pub u16);

impl FromStr for Epsg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (register, number) = text.split_once(':').unwrap_or_default();
        let number = number.parse().ok().filter(|_| register.eq_ignore_ascii_case("epsg"));
        number.map(Self).ok_or("not like EPSG:32632")
    }
}

impl fmt::Display for Epsg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EPSG:{}", self.0)
    }
}

/// What becomes of the sensor's intensity in the 16 bits of LAS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LasIntensity {
    /// The sensor's own number, rounded and kept within 0 to 65535: a reflectivity of 0 to 255 stays what it is, as
    /// the programs of the makers write it. Viewers stretch what they find.
    #[default]
    AsIs,
    /// 256 times that, as the LAS specification asks of an 8-bit sensor so that files of several sensors compare.
    Normalized,
}

/// What can be chosen for messages, in whatever file they are.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct MessageOptions {
    /// Whether planar scans are written as scans alone, without the points that Rerun draws.
    pub no_scan_points: bool,
    /// What clouds are in messages of ROS.
    pub points: PointLayout,
}

/// What can be chosen for a bag of ROS 1.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct BagOptions {
    /// What its messages hold.
    pub messages: MessageOptions,
    /// How chunks are compressed.
    pub compression: BagCompression,
}

/// How the chunks of a bag of ROS 1 are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BagCompression {
    /// LZ4 in the frames that ROS reads.
    Lz4,
    /// Not at all, as `rosbag record` does it unasked.
    #[default]
    None,
}

/// What can be chosen for an MCAP file.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct McapOptions {
    /// Whose messages are written.
    pub schema: McapSchema,
    /// How chunks are compressed.
    pub compression: McapCompression,
    /// What its messages hold.
    pub messages: MessageOptions,
}

/// Whose messages an MCAP file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum McapSchema {
    /// ROS 2's, for ROS, `evo`, `rosbags`, Rerun and all viewers.
    #[default]
    Ros2,
    /// Foxglove's, for viewers, and for readers of Protocol Buffers and JSON.
    Foxglove,
}

impl fmt::Display for McapSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ros2 => "ros2",
            Self::Foxglove => "foxglove",
        })
    }
}

/// How the chunks of an MCAP file are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum McapCompression {
    /// Zstandard at its fastest usual level, 1. Needs the feature `zstd`.
    #[cfg_attr(feature = "zstd", default)]
    Zstd,
    /// LZ4. Needs the feature `lz4`.
    Lz4,
    /// Not at all; the default of a build without Zstandard.
    #[cfg_attr(not(feature = "zstd"), default)]
    None,
}

impl fmt::Display for McapCompression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zstd => "zstd",
            Self::Lz4 => "lz4",
            Self::None => "none",
        })
    }
}

/// What can be chosen for the targets; each takes what concerns it.
///
/// ```
/// use robolog_convert::{Feed, Input, Opening, Selection, SinkOptions, convert, sink::McapCompression, targets};
/// let mut options = SinkOptions::default();
/// options.mcap.compression = McapCompression::None;
/// let opening = Opening::new(options, Selection::default());
/// let mut sink = targets::by_name("mcap")?.open(std::io::Cursor::new(Vec::new()), &opening)?;
/// convert(vec![Feed::new(Input::open("examples/room.lvx")?)], &mut *sink, &mut |_| {})?;
/// sink.finish()?;
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SinkOptions {
    /// How PCD files hold their points.
    pub pcd: PcdOptions,
    /// What a CARLA recording says beside the poses.
    pub carla: CarlaOptions,
    /// What an LVX recording says of its devices.
    pub lvx: LvxOptions,
    /// What LAS and LAZ files hold.
    pub las: LasOptions,
    /// How an MCAP file is written.
    pub mcap: McapOptions,
    /// How a bag of ROS 1 is written.
    pub bag: BagOptions,
    /// What tables hold and how they are laid out.
    pub tables: TableOptions,
    /// Whether laser scans become point clouds where a target holds point clouds alone and channels were chosen, see
    /// [`scan::cloud_of`](crate::scan::cloud_of). True by default.
    pub scan_points: bool,
    /// Where what cannot be written yet waits.
    pub spools: Spools,
}

impl Default for SinkOptions {
    fn default() -> Self {
        Self {
            pcd: PcdOptions::default(),
            carla: CarlaOptions::default(),
            lvx: LvxOptions::default(),
            las: LasOptions::default(),
            mcap: McapOptions::default(),
            bag: BagOptions::default(),
            tables: TableOptions::default(),
            scan_points: true,
            spools: Spools::default(),
        }
    }
}
