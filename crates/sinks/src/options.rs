//! Options of the targets.

mod points;
mod tables;

use std::{fmt, str::FromStr};

pub use self::points::PointLayout;
pub use self::tables::{Derived, Fill, Rate, TableOptions, TimeColumn, Wide};
use robolog_core::Imu;

use crate::{places::GeoPoint, spool::Spools};

/// Storage of points in a PCD file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum PcdData {
    /// Text, one line per point.
    Ascii,
    /// Rows of numbers, little-endian.
    #[default]
    Binary,
    /// Columns, LZF-compressed.
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

/// PCD options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PcdOptions {
    /// Storage of the points.
    pub data: PcdData,
}

/// Options for CARLA recordings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CarlaOptions {
    /// Map that the simulator loads for a replay. Defaults to the frame of the first pose, which is not a CARLA map.
    pub map: Option<String>,
    /// Blueprint of the actors. Defaults to `vehicle.tesla.model3`.
    pub blueprint: String,
}

impl Default for CarlaOptions {
    fn default() -> Self {
        Self { map: None, blueprint: "vehicle.tesla.model3".into() }
    }
}

/// What the fixes of a channel become in `GeoJSON`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum GeoJsonFixes {
    /// A line, with arrays of times and measurements.
    #[default]
    Tracks,
    /// A point each.
    Points,
}

/// LVX options.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LvxOptions {
    /// Model of all devices, by its number in the file. By default Horizon (3) or Mid-40 (1), whichever better matches
    /// the time between points in a device's first cloud: readers derive point times from the model.
    pub device_type: Option<u8>,
}

/// Options for LAS and LAZ.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct LasOptions {
    /// Content of the 16-bit intensity.
    pub intensity: LasIntensity,
    /// Version of the format.
    pub version: LasVersion,
    /// Coordinate reference system of the points, which requires an [`origin`](Self::origin): a transverse Mercator in
    /// metres, such as a UTM zone of WGS 84 or ETRS89. Defaults to the UTM zone of WGS 84 around the origin; none
    /// without an origin.
    pub crs: Option<Epsg>,
    /// Position on Earth of the points' origin; their axes point east, north and up there. The points are projected to
    /// [`crs`](Self::crs), with heights above the WGS 84 ellipsoid. Other datums are reached through the register's
    /// seven parameters, to within some metres.
    pub origin: Option<GeoPoint>,
    /// Origin of the points in the plane of [`crs`](Self::crs), metres, if they are already in that plane, placed by a
    /// trajectory in that system. No [`origin`](Self::origin) is needed then.
    pub shift: Option<[f64; 3]>,
    /// Whether to mark points at the origin of a cloud, of shots without a return, as withheld.
    pub withhold: bool,
    /// Creation day in the header. None by default, so that the same points give the same bytes.
    pub created: Option<Day>,
}

/// LAS version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LasVersion {
    /// 1.2 with point format 1, for older programs: up to five returns and 2³² points.
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
    /// Day of the year, from 1.
    pub day_of_year: u16,
}

/// Number of a coordinate reference system in the EPSG register.
///
/// ```
/// use robolog_sinks::Epsg;
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

/// Scaling of intensity to the 16 bits of LAS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum LasIntensity {
    /// The sensor's number, rounded and clamped to 0 to 65535: a reflectivity of 0 to 255 stays the same, as in the
    /// vendors' software. Viewers stretch the range.
    #[default]
    AsIs,
    /// The sensor's number times 256, as the LAS specification requires of 8-bit sensors, so that files of different
    /// sensors compare.
    Normalized,
}

/// Options for messages in any file.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct MessageOptions {
    /// Whether laser scans are written without the points that Rerun draws.
    pub no_scan_points: bool,
    /// Layout of clouds in ROS messages.
    pub points: PointLayout,
    /// Unit of accelerations in ROS messages. Defaults to g with the `CustomMsg` of Livox's drivers, which publish g,
    /// and to m/s² otherwise.
    pub imu_unit: Option<ImuUnit>,
}

impl MessageOptions {
    /// The unit of accelerations.
    pub(crate) fn imu_unit(self) -> ImuUnit {
        let by_layout = || match self.points {
            PointLayout::LivoxCustom | PointLayout::LivoxCustom1 => ImuUnit::G,
            _ => ImuUnit::MetresPerSecondSquared,
        };
        self.imu_unit.unwrap_or_else(by_layout)
    }
}

/// Unit of accelerations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImuUnit {
    /// Standard gravity, 9.80665 m/s².
    G,
    /// As `sensor_msgs/Imu` specifies.
    MetresPerSecondSquared,
}

robolog_core::names!(ImuUnit, "unit of accelerations", G = "g", MetresPerSecondSquared = "m/s2");

impl ImuUnit {
    /// Metres per second squared.
    pub(crate) const fn in_si(self) -> f64 {
        match self {
            Self::G => Imu::STANDARD_GRAVITY,
            Self::MetresPerSecondSquared => 1.0,
        }
    }
}

/// Options for ROS 1 bags.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct BagOptions {
    /// Message options.
    pub messages: MessageOptions,
    /// Compression of chunks.
    pub compression: BagCompression,
}

/// Chunk compression of a ROS 1 bag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BagCompression {
    /// LZ4, in frames that ROS reads.
    Lz4,
    /// None, the default of `rosbag record`.
    #[default]
    None,
}

/// MCAP options.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct McapOptions {
    /// Schema of the messages.
    pub schema: McapSchema,
    /// Compression of chunks.
    pub compression: McapCompression,
    /// Message options.
    pub messages: MessageOptions,
}

/// Message schema of an MCAP file.
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

/// Chunk compression of an MCAP file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum McapCompression {
    /// Zstandard at level 1, its fastest regular level. Needs the feature `zstd`.
    #[cfg_attr(feature = "zstd", default)]
    Zstd,
    /// LZ4. Needs the feature `lz4`.
    Lz4,
    /// None; the default of a build without Zstandard.
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

/// Options of all targets; each uses its part.
///
/// ```
/// use robolog_sinks::{McapCompression, Opening, Selection, SinkOptions, mcap::MCAP};
/// let mut options = SinkOptions::default();
/// options.mcap.compression = McapCompression::None;
/// let opening = Opening::new(options, Selection::default());
/// let sink = MCAP.open(std::io::Cursor::new(Vec::new()), &opening)?;
/// sink.finish()?;
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SinkOptions {
    /// PCD options.
    pub pcd: PcdOptions,
    /// Options for CARLA recordings.
    pub carla: CarlaOptions,
    /// LVX options.
    pub lvx: LvxOptions,
    /// Options for LAS and LAZ.
    pub las: LasOptions,
    /// What a fix becomes in `GeoJSON`.
    pub geojson: GeoJsonFixes,
    /// MCAP options.
    pub mcap: McapOptions,
    /// Options for ROS 1 bags.
    pub bag: BagOptions,
    /// Contents and layout of tables.
    pub tables: TableOptions,
    /// Whether laser scans become point clouds if the target holds only points and channels were selected: see
    /// [`scan::cloud_of`](crate::scan::cloud_of). True by default.
    pub scan_points: bool,
    /// Location of temporary files.
    pub spools: Spools,
}

impl Default for SinkOptions {
    fn default() -> Self {
        Self {
            pcd: PcdOptions::default(),
            carla: CarlaOptions::default(),
            lvx: LvxOptions::default(),
            las: LasOptions::default(),
            geojson: GeoJsonFixes::default(),
            mcap: McapOptions::default(),
            bag: BagOptions::default(),
            tables: TableOptions::default(),
            scan_points: true,
            spools: Spools::default(),
        }
    }
}
