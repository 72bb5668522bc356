//! Options for targets; each uses those that concern it.

use clap::{
    Args as ClapArgs, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use robolog_convert::{
    PcdData, SinkOptions,
    sink::{
        BagCompression, Day, Epsg, GeoJsonFixes, ImuUnit, LasIntensity, LasVersion, McapCompression,
        McapSchema, PointLayout,
    },
};

#[derive(Debug, ClapArgs)]
pub(crate) struct WritingArgs {
    /// Store points in this encoding
    #[arg(help_heading = "PCD", long, value_enum, default_value_t = PcdArg::Binary)]
    pcd_data: PcdArg,
    /// Write ROS 2 messages into MCAP, or Foxglove's, which programs without ROS read too
    #[arg(help_heading = "MCAP and bags", long, value_enum, default_value_t = SchemaArg::Ros2)]
    schema: SchemaArg,
    /// Compress MCAP chunks with this
    #[arg(help_heading = "MCAP and bags", long, value_enum, default_value_t = CompressionArg::Zstd)]
    mcap_compression: CompressionArg,
    /// Compress the chunks of a ROS 1 bag with this
    #[arg(help_heading = "MCAP and bags", long, value_enum, default_value_t = BagArg::None)]
    bag_compression: BagArg,
    /// Write the points of ROS messages with the fields that a program expects: velodyne (LIO-SAM, FAST-LIO), ouster,
    /// livox, hesai, autoware, xyzi; or as `CustomMsg` of Livox's drivers: livox-custom (`livox_ros_driver2`),
    /// livox-custom1 (`livox_ros_driver`)
    #[arg(help_heading = "MCAP and bags", long, value_name = "LAYOUT", default_value = "robolog", value_parser = layout())]
    points: PointLayout,
    /// Write accelerations in this unit [default: g with livox-custom and livox-custom1, as Livox's drivers do; else
    /// m/s2]
    #[arg(help_heading = "MCAP and bags", long, value_name = "UNIT", value_parser = imu_unit())]
    imu_unit: Option<ImuUnit>,
    /// Write planar scans as scans only, without the points that Rerun draws
    #[arg(help_heading = "MCAP and bags", long)]
    no_scan_points: bool,
    /// Write the sensor's intensity as it is, or times 256, so that files of several sensors compare
    #[arg(help_heading = "LAS and LAZ", long, value_enum, default_value_t = IntensityArg::AsIs)]
    las_intensity: IntensityArg,
    /// Convert the points to this coordinate reference system, such as EPSG:25832, a transverse Mercator in metres;
    /// needs --origin [default with --origin: its UTM zone]
    #[arg(help_heading = "LAS and LAZ", long, value_name = "EPSG:N")]
    crs: Option<Epsg>,
    /// Write this version of LAS: 1.4, or 1.2 for older programs
    #[arg(help_heading = "LAS and LAZ", long, value_enum, default_value_t = LasVersionArg::V1_4)]
    las_version: LasVersionArg,
    /// Write the fixes of a channel as one line with arrays of times and measurements, or as points with properties
    #[arg(help_heading = "GeoJSON", long, value_enum, default_value_t = GeoJsonArg::Tracks)]
    geojson: GeoJsonArg,
    /// Replay the poses on this map, such as `Town10HD` [default: the frame of the first pose]
    #[arg(help_heading = "CARLA recordings", long, value_name = "NAME")]
    carla_map: Option<String>,
    /// Give actors this blueprint [default: vehicle.tesla.model3]
    #[arg(help_heading = "CARLA recordings", long, value_name = "ID")]
    carla_blueprint: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum GeoJsonArg {
    Tracks,
    Points,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum PcdArg {
    Ascii,
    Binary,
    #[value(name = "binary_compressed", alias = "binary-compressed")]
    BinaryCompressed,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SchemaArg {
    Ros2,
    Foxglove,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CompressionArg {
    Zstd,
    Lz4,
    None,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum BagArg {
    None,
    Lz4,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum LasVersionArg {
    #[value(name = "1.2")]
    V1_2,
    #[value(name = "1.4")]
    V1_4,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum IntensityArg {
    AsIs,
    Normalized,
}

impl WritingArgs {
    /// For any target.
    pub(crate) fn options(&self) -> SinkOptions {
        let mut options = SinkOptions::default();
        options.pcd.data = match self.pcd_data {
            PcdArg::Ascii => PcdData::Ascii,
            PcdArg::Binary => PcdData::Binary,
            PcdArg::BinaryCompressed => PcdData::BinaryCompressed,
        };
        options.mcap.schema = match self.schema {
            SchemaArg::Ros2 => McapSchema::Ros2,
            SchemaArg::Foxglove => McapSchema::Foxglove,
        };
        options.mcap.compression = match self.mcap_compression {
            CompressionArg::Zstd => McapCompression::Zstd,
            CompressionArg::Lz4 => McapCompression::Lz4,
            CompressionArg::None => McapCompression::None,
        };
        options.bag.compression = match self.bag_compression {
            BagArg::None => BagCompression::None,
            BagArg::Lz4 => BagCompression::Lz4,
        };
        options.mcap.messages.no_scan_points = self.no_scan_points;
        options.mcap.messages.points = self.points;
        options.mcap.messages.imu_unit = self.imu_unit;
        options.bag.messages = options.mcap.messages;
        options.las.intensity = match self.las_intensity {
            IntensityArg::AsIs => LasIntensity::AsIs,
            IntensityArg::Normalized => LasIntensity::Normalized,
        };
        options.las.crs = self.crs;
        options.las.version = match self.las_version {
            LasVersionArg::V1_2 => LasVersion::V1_2,
            LasVersionArg::V1_4 => LasVersion::V1_4,
        };
        options.las.created = Some(today());
        options.geojson = match self.geojson {
            GeoJsonArg::Tracks => GeoJsonFixes::Tracks,
            GeoJsonArg::Points => GeoJsonFixes::Points,
        };
        options.carla.map.clone_from(&self.carla_map);
        if let Some(blueprint) = &self.carla_blueprint {
            options.carla.blueprint.clone_from(blueprint);
        }
        options
    }
}

fn imu_unit() -> impl TypedValueParser<Value = ImuUnit> {
    PossibleValuesParser::new(ImuUnit::ALL.map(ImuUnit::name)).try_map(|name| name.parse::<ImuUnit>())
}

fn layout() -> impl TypedValueParser<Value = PointLayout> {
    PossibleValuesParser::new(PointLayout::ALL.map(PointLayout::name))
        .map(|name| PointLayout::ALL.into_iter().find(|layout| layout.name() == name).unwrap_or_default())
}

/// Today in UTC, or the day of `SOURCE_DATE_EPOCH`, which reproducible builds set.
fn today() -> Day {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let told = told.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    let date = told.unwrap_or_else(jiff::Timestamp::now).to_zoned(jiff::tz::TimeZone::UTC).date();
    let number = |n: i16| u16::try_from(n).unwrap_or_default();
    Day { year: number(date.year()), day_of_year: number(date.day_of_year()) }
}
