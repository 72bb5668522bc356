//! Where samples go.

#[cfg(feature = "alog")]
pub mod alog;
#[cfg(feature = "arrow")]
pub mod arrow;
#[cfg(feature = "carla-rec")]
pub mod carla_rec;
#[cfg(feature = "csv")]
pub mod csv;
#[cfg(feature = "e57")]
pub mod e57;
#[cfg(feature = "euroc")]
pub mod euroc;
#[cfg(feature = "geojson")]
pub mod geojson;
#[cfg(feature = "gpx")]
pub mod gpx;
#[cfg(feature = "images")]
pub mod images;
#[cfg(feature = "jsonl")]
pub mod jsonl;
#[cfg(feature = "kitti")]
pub mod kitti;
#[cfg(feature = "kitti")]
pub mod kitti_times;
#[cfg(feature = "kml")]
pub mod kml;
#[cfg(feature = "koblenz-log")]
pub mod koblenz_log;
#[cfg(feature = "las")]
pub mod las;
#[cfg(feature = "lvx")]
pub mod lvx;
#[cfg(feature = "mcap")]
pub mod mcap;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "pcd")]
pub mod pcd;
#[cfg(feature = "ply")]
pub mod ply;
#[cfg(feature = "tum")]
pub mod tum;

#[cfg(any(feature = "arrow", feature = "parquet"))]
mod columns;
#[cfg(any(feature = "las", feature = "pcd", feature = "ply"))]
mod devices;
#[cfg(any(feature = "gpx", feature = "kml"))]
mod fixes;
#[cfg(any(feature = "arrow", feature = "csv", feature = "parquet"))]
mod gather;
#[cfg(any(feature = "e57", feature = "las"))]
mod gps;
#[cfg(feature = "images")]
pub mod jpeg;
#[cfg(any(feature = "geojson", feature = "gpx", feature = "kml"))]
mod map_points;
#[cfg_attr(
    not(any(feature = "arrow", feature = "csv", feature = "parquet")),
    allow(dead_code, reason = "only tables have columns")
)]
mod naming;
mod options;
#[cfg(any(feature = "e57", feature = "images"))]
mod pixels;
mod place;
#[cfg(any(feature = "gpx", feature = "kml", feature = "koblenz-log"))]
mod quality;
#[cfg(any(feature = "pcd", feature = "ply"))]
mod rows;
#[cfg(any(
    feature = "alog",
    feature = "arrow",
    feature = "csv",
    feature = "euroc",
    feature = "kitti",
    feature = "parquet",
    feature = "tum"
))]
mod text;
#[cfg(any(feature = "euroc", feature = "kitti", feature = "tum"))]
mod trajectory;

use std::{
    io::{Seek, Write},
    path::Path,
};

use robolog_core::{Encoding, Sample, Timestamp, Value, columns::Column};

pub(crate) use self::naming::{CHANNEL, GROUP};
pub use self::options::{
    CarlaOptions, Day, Epsg, LasIntensity, LasOptions, LasVersion, LvxOptions, McapCompression, McapOptions,
    McapSchema, PcdData, SinkOptions, TableOptions,
};
use self::place::{is_message, takes_fix, takes_image};
use crate::{Error, Origin, Result, scan::ScanPoints};

/// Takes samples and makes a file of them.
pub trait Sink {
    /// Is told of each recording that samples come from, before its first: targets with a place for that keep it.
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        let _ = origin;
        Ok(())
    }

    /// Is told, before the end, what went wrong with the recordings: targets with a place for that keep it.
    fn warn(&mut self, warning: &str) {
        let _ = warning;
    }

    /// Says when the recording begins, before a sample: what counts seconds counts them from there.
    fn begin_at(&mut self, start: Timestamp) {
        let _ = start;
    }

    /// Takes one sample, or says that the target has no place for it. The value may be taken out of the sample.
    fn write(&mut self, sample: &mut Sample) -> Result<Took>;

    /// What the caller could do to have a place for what was left out, if anything.
    fn advice(&self) -> Option<&'static str> {
        None
    }

    /// The columns of the table, where the target is one whose file does not tell their units. Called when no sample is
    /// left, before [`finish`](Self::finish).
    fn columns(&mut self) -> Result<Vec<Column>> {
        Ok(Vec::new())
    }

    /// Completes the file.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A closure takes samples, and has no file to complete.
impl<F: FnMut(&mut Sample) -> Result<Took>> Sink for F {
    fn write(&mut self, sample: &mut Sample) -> Result<Took> {
        self(sample)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

/// What became of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Took {
    /// It is in the target.
    Written,
    /// It is in the target but for so many of its values, of which at least one is left. They are in the sample no more.
    Partly {
        /// Values without a place in the target: points of a cloud.
        left_out: u64,
    },
    /// The target has no place for it.
    LeftOut,
}

/// The formats that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TargetFormat {
    /// Point Cloud Library's PCD 0.7.
    Pcd,
    /// Stanford's polygon format, binary, little-endian.
    Ply,
    /// A table of one kind of values, a row a point or a measurement.
    Csv,
    /// A JSON object a line for every sample.
    Jsonl,
    /// A trajectory, `timestamp tx ty tz qx qy qz qw` a line.
    Tum,
    /// A trajectory, the twelve numbers of a transform a line, without times.
    Kitti,
    /// ASPRS LAS 1.4.
    Las,
    /// LAS 1.4, compressed.
    Laz,
    /// ASTM E57.
    E57,
    /// Apache Parquet: a table of one kind of values.
    Parquet,
    /// Apache Arrow's file of record batches: the same table.
    Arrow,
    /// A container of messages of ROS 2, or of Foxglove.
    Mcap,
    /// GPX 1.1: a track for each channel of fixes.
    Gpx,
    /// KML 2.2 with Google's tracks: the same.
    Kml,
    /// KML in a zip archive.
    Kmz,
    /// `GeoJSON`, RFC 7946: a point for each fix.
    GeoJson,
    /// A picture: a PNG file as it is, or pixels as PNG, also those of a JPEG file.
    Png,
    /// A picture: a JPEG file as it is.
    Jpg,
    /// A picture: a JPEG or PNG file as it is, or pixels as PNG.
    Images,
    /// A trajectory as the ground truth of `EuRoC`'s data sets, `timestamp,x,y,z,qw,qx,qy,qz` a line.
    Euroc,
    /// The times of what [`Kitti`](Self::Kitti) writes, a number a line.
    KittiTimes,
    /// A log of MOOS: variables.
    Alog,
    /// A recording of Livox LiDARs, LVX 1.1.
    Lvx,
    /// A recording of the CARLA simulator: an actor for each trajectory.
    CarlaRec,
    /// A sensor log of the University of Koblenz.
    KoblenzLog,
}

impl TargetFormat {
    /// Whether a file has a place for dates, and none for times that count from a start.
    pub fn holds_dates_alone(self) -> bool {
        matches!(self, Self::Gpx | Self::Kml | Self::Kmz | Self::GeoJson)
    }

    /// Whether a file mixes the points of several devices, so that they must lie in one frame.
    pub fn merges_devices(self) -> bool {
        matches!(self, Self::Pcd | Self::Ply | Self::Las | Self::Laz)
    }

    /// All formats.
    pub const ALL: [Self; 25] = [
        Self::Pcd,
        Self::Ply,
        Self::Csv,
        Self::Jsonl,
        Self::Tum,
        Self::Kitti,
        Self::Las,
        Self::Laz,
        Self::E57,
        Self::Parquet,
        Self::Arrow,
        Self::Mcap,
        Self::Gpx,
        Self::Kml,
        Self::Kmz,
        Self::GeoJson,
        Self::Png,
        Self::Jpg,
        Self::Images,
        Self::Euroc,
        Self::KittiTimes,
        Self::Alog,
        Self::Lvx,
        Self::CarlaRec,
        Self::KoblenzLog,
    ];

    /// Its name, which is its usual extension unless several formats share that.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pcd => "pcd",
            Self::Ply => "ply",
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            Self::Tum => "tum",
            Self::Kitti => "kitti",
            Self::Las => "las",
            Self::Laz => "laz",
            Self::E57 => "e57",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
            Self::Mcap => "mcap",
            Self::Gpx => "gpx",
            Self::Kml => "kml",
            Self::Kmz => "kmz",
            Self::GeoJson => "geojson",
            Self::Png => "png",
            Self::Jpg => "jpg",
            Self::Images => "images",
            Self::Euroc => "euroc",
            Self::KittiTimes => "kitti-times",
            Self::Alog => "alog",
            Self::Lvx => "lvx",
            Self::CarlaRec => "carla-rec",
            Self::KoblenzLog => "koblenz-log",
        }
    }

    /// The feature of this crate that it needs.
    pub const fn feature(self) -> &'static str {
        match self {
            Self::Laz => "las",
            Self::Kmz => "kml",
            Self::Png | Self::Jpg => "images",
            Self::KittiTimes => "kitti",
            _ => self.name(),
        }
    }

    /// The extension that its files usually have. That of [`Images`](Self::Images) follows from the picture; here it is
    /// the name.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Euroc => "csv",
            Self::KittiTimes => "times.txt",
            Self::CarlaRec | Self::KoblenzLog => "log",
            _ => self.name(),
        }
    }

    /// The extension of a file that begins with `sample`.
    pub(crate) fn extension_of(self, sample: &Sample) -> &'static str {
        match (self, &sample.value) {
            (Self::Images, Value::Image(image)) if image.encoding == Encoding::Jpeg => "jpg",
            (Self::Images, _) => "png",
            _ => self.extension(),
        }
    }

    /// Whether a file holds point clouds, and so scans as points.
    pub(crate) const fn holds_points(self) -> bool {
        matches!(self, Self::Pcd | Self::Ply | Self::Las | Self::Laz | Self::E57 | Self::Lvx)
    }

    /// Whether a file holds one trajectory, and so one channel.
    pub const fn is_trajectory(self) -> bool {
        matches!(self, Self::Tum | Self::Kitti | Self::KittiTimes | Self::Euroc)
    }

    /// Whether a file counts times from the start of the recording, which should then be known before the first sample.
    pub const fn counts_from_start(self) -> bool {
        matches!(self, Self::Jsonl | Self::Alog | Self::KoblenzLog)
    }

    /// Whether a file is a table.
    #[cfg(any(feature = "arrow", feature = "csv", feature = "parquet"))]
    pub(crate) const fn is_table(self) -> bool {
        matches!(self, Self::Csv | Self::Parquet | Self::Arrow)
    }

    /// Whether a file is a table in binary, which names types and units itself and is complete only when its end is
    /// written.
    pub(crate) const fn is_binary_table(self) -> bool {
        matches!(self, Self::Parquet | Self::Arrow)
    }

    /// The names of all, for messages.
    pub(crate) fn names() -> String {
        Self::ALL.map(Self::name).join(", ")
    }

    /// By its name.
    pub fn from_name(name: &str) -> Result<Self> {
        let name = name.to_ascii_lowercase();
        let name = match &*name {
            "ndjson" => "jsonl",
            "jpeg" => "jpg",
            name => name,
        };
        Self::ALL.into_iter().find(|f| f.name() == name).ok_or_else(|| Error::UnknownTarget(name.into()))
    }

    /// By the extension of a path.
    pub fn from_path(path: &Path) -> Result<Self> {
        Self::from_name(&path.extension().unwrap_or(path.as_os_str()).to_string_lossy())
    }
}

/// Whether a target has a place for a sample. `chosen` says that the caller chose the channels, or asked for a file for
/// each or for each kind: a table then takes whatever kind comes first, and else point clouds; and targets that hold
/// points take laser scans too, unless [`SinkOptions::scan_points`] is off.
pub fn takes(target: TargetFormat, sample: &Sample, chosen: bool) -> bool {
    let is_pose = matches!(sample.value, Value::Pose(_) | Value::Odometry(_));
    match target {
        TargetFormat::Jsonl | TargetFormat::Mcap => true,
        TargetFormat::Pcd | TargetFormat::Ply | TargetFormat::Las | TargetFormat::Laz => {
            matches!(sample.value, Value::PointCloud(_))
                || chosen && matches!(sample.value, Value::LaserScan(_))
        }
        TargetFormat::E57 => match sample.value {
            Value::PointCloud(_) | Value::Image(_) => true,
            _ => chosen && matches!(sample.value, Value::LaserScan(_)),
        },
        TargetFormat::Png | TargetFormat::Jpg | TargetFormat::Images => {
            matches!(&sample.value, Value::Image(image) if takes_image(target, image))
        }
        TargetFormat::Tum | TargetFormat::Euroc | TargetFormat::CarlaRec => is_pose && sample.time.is_some(),
        TargetFormat::Kitti | TargetFormat::KittiTimes => is_pose,
        TargetFormat::Lvx => match sample.value {
            Value::PointCloud(_) | Value::Imu(_) => sample.time.is_some(),
            _ => chosen && matches!(sample.value, Value::LaserScan(_)),
        },
        TargetFormat::Alog | TargetFormat::KoblenzLog => {
            sample.time.is_some() && is_message(target, &sample.value)
        }
        TargetFormat::Gpx | TargetFormat::Kml | TargetFormat::Kmz | TargetFormat::GeoJson => {
            matches!(&sample.value, Value::GnssFix(fix) if takes_fix(fix))
        }
        TargetFormat::Parquet | TargetFormat::Arrow => chosen || matches!(sample.value, Value::PointCloud(_)),
        TargetFormat::Csv => match sample.value {
            Value::PointCloud(_) => true,
            // The bytes of a picture are no text.
            Value::Image(_) => false,
            _ => chosen,
        },
    }
}

/// How `sample`, for which `target` has no place, would have one, if at all.
pub(crate) fn advice(target: TargetFormat, sample: &Sample) -> Option<&'static str> {
    let is_picture = matches!(target, TargetFormat::Png | TargetFormat::Jpg | TargetFormat::Images);
    match &sample.value {
        Value::PointCloud(_) | Value::LaserScan(_) if is_picture => Some(PLOT),
        Value::LaserScan(_) if target.holds_points() => Some(CHOOSE_SCANS),
        Value::Image(image) => {
            if target != TargetFormat::Jpg {
                return takes(target, sample, true).then_some(CHOOSE);
            }
            takes_image(TargetFormat::Png, image).then_some("--to png")
        }
        _ => takes(target, sample, true).then_some(CHOOSE),
    }
}

/// What to do to have a picture of points.
const PLOT: &str = "robolog plot draws clouds and scans";

/// What to do to have scans as points.
const CHOOSE_SCANS: &str = "--channel GLOB or --per frame makes points of laser scans";

/// What to do when a table takes only point clouds, because nothing else was asked for.
pub(crate) const CHOOSE: &str =
    "--channel GLOB writes a table of what it chooses, --per kind a folder of tables";

/// A sink for `target` on `out`.
pub fn open<W: Write + Seek + 'static>(
    target: TargetFormat,
    out: W,
    options: &SinkOptions,
    chosen: bool,
) -> Result<Box<dyn Sink>> {
    let sink = make(target, out, options, chosen)?;
    #[cfg(any(feature = "arrow", feature = "csv", feature = "parquet"))]
    let sink =
        if target.is_table() { gather::Gather::around(sink, target, &options.tables, chosen) } else { sink };
    let makes_points = target.holds_points() && options.scan_points;
    Ok(if makes_points { Box::new(ScanPoints::new(sink, target, chosen)) } else { sink })
}

/// The target's own sink.
fn make<W: Write + Seek + 'static>(
    target: TargetFormat,
    out: W,
    options: &SinkOptions,
    chosen: bool,
) -> Result<Box<dyn Sink>> {
    let _ = (&out, options, chosen);
    match target {
        #[cfg(feature = "pcd")]
        TargetFormat::Pcd => {
            let pcd = pcd::Pcd::new(out, options.pcd_data);
            Ok(Box::new(if options.without_device { pcd.without_device() } else { pcd }))
        }
        #[cfg(feature = "ply")]
        TargetFormat::Ply => {
            let ply = ply::Ply::new(out);
            Ok(Box::new(if options.without_device { ply.without_device() } else { ply }))
        }
        #[cfg(feature = "csv")]
        TargetFormat::Csv => Ok(Box::new(csv::Csv::new(out, chosen))),
        #[cfg(feature = "jsonl")]
        TargetFormat::Jsonl => Ok(Box::new(jsonl::Jsonl::new(out))),
        #[cfg(feature = "tum")]
        TargetFormat::Tum => Ok(Box::new(tum::Tum::new(out))),
        #[cfg(feature = "kitti")]
        TargetFormat::Kitti => Ok(Box::new(kitti::Kitti::new(out))),
        #[cfg(feature = "e57")]
        TargetFormat::E57 => Ok(Box::new(e57::E57::new(out))),
        #[cfg(feature = "las")]
        TargetFormat::Las => Ok(Box::new(las::Las::new(out, las::LasData::Plain, options.las)?)),
        #[cfg(feature = "las")]
        TargetFormat::Laz => Ok(Box::new(las::Las::new(out, las::LasData::Compressed, options.las)?)),
        #[cfg(feature = "parquet")]
        TargetFormat::Parquet => Ok(Box::new(parquet::Parquet::new(out, &options.tables, chosen))),
        #[cfg(feature = "arrow")]
        TargetFormat::Arrow => Ok(Box::new(arrow::Arrow::new(out, &options.tables, chosen))),
        #[cfg(feature = "mcap")]
        TargetFormat::Mcap => Ok(Box::new(mcap::Mcap::new(out, options.mcap)?)),
        #[cfg(feature = "gpx")]
        TargetFormat::Gpx => Ok(Box::new(gpx::Gpx::new(out))),
        #[cfg(feature = "kml")]
        TargetFormat::Kml => Ok(Box::new(kml::Kml::new(out))),
        #[cfg(feature = "kml")]
        TargetFormat::Kmz => Ok(Box::new(kml::Kmz::new(out))),
        #[cfg(feature = "geojson")]
        TargetFormat::GeoJson => Ok(Box::new(geojson::GeoJson::new(out))),
        #[cfg(feature = "images")]
        TargetFormat::Png | TargetFormat::Jpg | TargetFormat::Images => {
            Ok(Box::new(images::Images::new(out, target)))
        }
        #[cfg(feature = "euroc")]
        TargetFormat::Euroc => Ok(Box::new(euroc::Euroc::new(out))),
        #[cfg(feature = "kitti")]
        TargetFormat::KittiTimes => Ok(Box::new(kitti_times::KittiTimes::new(out))),
        #[cfg(feature = "alog")]
        TargetFormat::Alog => Ok(Box::new(alog::Alog::new(out, chosen))),
        #[cfg(feature = "lvx")]
        TargetFormat::Lvx => Ok(Box::new(lvx::Lvx::new(out, options.lvx))),
        #[cfg(feature = "carla-rec")]
        TargetFormat::CarlaRec => Ok(Box::new(carla_rec::CarlaRec::new(out, options.carla.clone()))),
        #[cfg(feature = "koblenz-log")]
        TargetFormat::KoblenzLog => Ok(Box::new(koblenz_log::KoblenzLog::new(out)?)),
        #[allow(unreachable_patterns, reason = "reached only when features are off")]
        other => Err(not_built(other)),
    }
}

/// A target whose feature was off when this was built.
pub(crate) fn not_built(target: TargetFormat) -> Error {
    Error::NotBuilt { what: target.name().to_owned(), feature: target.feature() }
}
