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

use robolog_core::slices::known;

#[derive(Debug, ClapArgs)]
pub(crate) struct WritingArgs {
    #[arg(long, value_enum)]
    pcd_data: PcdArg,
    #[arg(long, value_enum)]
    schema: SchemaArg,
    #[arg(long, value_enum)]
    mcap_compression: CompressionArg,
    #[arg(long, value_enum)]
    bag_compression: BagArg,
    #[arg(long, value_parser = layout())]
    points: PointLayout,
    #[arg(long, value_parser = imu_unit())]
    imu_unit: Option<ImuUnit>,
    #[arg(long)]
    no_scan_points: bool,
    #[arg(long, value_enum)]
    las_intensity: IntensityArg,
    #[arg(long)]
    crs: Option<Epsg>,
    #[arg(long, value_enum)]
    las_version: LasVersionArg,
    #[arg(long, value_enum)]
    geojson: GeoJsonArg,
    #[arg(long)]
    carla_map: Option<String>,
    #[arg(long)]
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
        .map(|name| known(PointLayout::ALL.into_iter().find(|layout| layout.name() == name)))
}

/// Today in UTC, or the day of `SOURCE_DATE_EPOCH`, which reproducible builds set.
fn today() -> Day {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    let told = told.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    let date = told.unwrap_or_else(jiff::Timestamp::now).to_zoned(jiff::tz::TimeZone::UTC).date();
    let number = |n: i16| u16::try_from(n).unwrap_or_default();
    Day { year: number(date.year()), day_of_year: number(date.day_of_year()) }
}
