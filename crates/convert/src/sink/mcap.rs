//! MCAP with the messages of ROS 2, as Foxglove, Lichtblick, Rerun, `PlotJuggler`, `evo`, `rosbags` and ROS 2 itself
//! read it.

mod cdr;
mod cloud;
mod definitions;
mod message;
mod output;
mod row;
mod stamp;
mod topic;
mod watched;

pub mod rosbag2;

use std::{
    collections::HashMap,
    fmt,
    io::{Seek, Write},
    sync::Arc,
};

use mcap::WriteOptions;
use robolog_core::{Odometry, PointCloud, Sample, Timestamp, Value};

use self::{
    cdr::Cdr,
    definitions::Message,
    output::{Output, Role, Type},
    stamp::{Stamp, Times},
};
use crate::{Error, Result, Sink, Took};

/// Writes every kind of value as messages of ROS 2 (profile `ros2`, CDR, definitions `ros2msg`).
///
/// | value | topic: message |
/// |---|---|
/// | point cloud | `/c`: `sensor_msgs/PointCloud2` |
/// | laser scan | `/c`: `sensor_msgs/LaserScan`, `/c/points`: `PointCloud2` of the valid ranges |
/// | image | `/c`: `sensor_msgs/CompressedImage` for a file, else `sensor_msgs/Image` |
/// | imu | `/c`: `sensor_msgs/Imu` |
/// | GNSS fix | `/c`: `sensor_msgs/NavSatFix`, `/c/details`: what that has no field for |
/// | odometry | `/c`: `nav_msgs/Odometry`, `/c/pose`: `geometry_msgs/PoseStamped`, `/tf` |
/// | pose | `/c`: `geometry_msgs/PoseStamped` |
/// | transform | `/tf`, without a time `/tf_static`: `tf2_msgs/TFMessage` |
/// | row | `/c`: a type `robolog_msgs/Name` that is made for its columns |
/// | number, text | `/c`: `std_msgs/Float64`, `std_msgs/String` |
/// | satellites | `/c`: `std_msgs/String` with JSON |
///
/// `/c` is the channel's name with everything but letters, digits and slashes made an underscore, and `id_` before a
/// part that begins with a digit; the metadata of the topic has the name as it was. A channel with several kinds of
/// values has its first under its name and the others below it, as `/c/text`. Names that become the same are numbered.
///
/// **Clouds** have `x, y, z` (m), `intensity`, `t` (nanoseconds from the stamp to the point, unsigned 32 bits), `ring`,
/// `return_number` and `tag`, as far as the cloud has them, and are not organised.
///
/// **Rows** have a header and a field for each column, so that viewers plot `/c.speed`; the type is named after the
/// channel's last part, its definition is in the file, and units stand there as remarks. What is not known is NaN, 0,
/// false or empty, and named in the last field, `absent`.
///
/// **Transforms**: an odometry's is written to `/tf` too, for a child frame by the first channel that places it.
///
/// **Not known**: an IMU's missing vector and an odometry's missing twist are zero with -1 as the first element of
/// their covariance; all other covariances are zero, which says that they are not known. A fix without an altitude
/// above the ellipsoid has NaN there; its status is -2 when the source tells no quality.
///
/// **Times** are nanoseconds of the recording's clock, whichever it is: those of a relative or a device clock are
/// near zero, which viewers show as 1970. They are both stamp and log time. A sample without a time has that of the one
/// before it. A log time cannot be negative and is then 0; a stamp's seconds end in 2038, the log time's do not.
///
/// Chunks have an index and check sums. Memory holds one sample, one chunk, and for every chunk and topic some hundred
/// bytes. The same samples make the same bytes. Left out are raw images whose data is not as long as their size says,
/// messages above 4 GiB, and what finds no topic: there are 65 000, and 4096 types of rows.
pub struct Mcap<W: Write + Seek> {
    output: Output<W>,
    options: McapOptions,
    times: Times,
    cdr: Cdr,
    /// Points of scans.
    points: PointCloud,
    /// Which channel places a frame.
    placed: HashMap<String, Arc<str>>,
}

/// What can be chosen for an MCAP file.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct McapOptions {
    /// How chunks are compressed.
    pub compression: McapCompression,
    /// Whether planar scans are written as scans alone, without the points that Rerun draws.
    pub no_scan_points: bool,
    /// What the metadata record `robolog` says of the source.
    pub origin: McapOrigin,
}

/// Where the samples come from, for the metadata record `robolog`.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct McapOrigin {
    /// The name of the recording.
    pub source: String,
    /// Its format.
    pub format: String,
    /// The variant or version of the format.
    pub variant: String,
    /// What is to be known about it.
    pub warnings: Vec<String>,
    /// The recording's header as it stands there: becomes the attachment `source-header`.
    pub header: Option<Arc<[u8]>>,
}

/// How the chunks of an MCAP file are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum McapCompression {
    /// Zstandard at its fastest usual level, 1.
    #[default]
    Zstd,
    /// LZ4.
    Lz4,
    /// Not at all.
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

/// More child frames than this are not told apart, and have no transforms of their odometry.
const MOST_FRAMES: usize = 100_000;

impl<W: Write + Seek> Mcap<W> {
    /// A file on `out`, which must be at its beginning.
    pub fn new(out: W, options: McapOptions) -> Result<Self> {
        let compression = match options.compression {
            McapCompression::Zstd => Some(mcap::Compression::Zstd),
            McapCompression::Lz4 => Some(mcap::Compression::Lz4),
            McapCompression::None => None,
        };
        let write = WriteOptions::new()
            .profile("ros2")
            .library(TOOL)
            .compression(compression)
            .compression_level(1)
            // With other numbers the bytes would depend on the machine.
            .compression_threads(0);
        let mut output = Output::new(out, write)?;
        if let Some(header) = &options.origin.header {
            output.attach("source-header", header)?;
        }
        Ok(Self {
            output,
            options,
            times: Times::default(),
            cdr: Cdr::default(),
            points: PointCloud::default(),
            placed: HashMap::new(),
        })
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(self) -> Result<W> {
        let McapOrigin { source, format, variant, warnings, .. } = self.options.origin;
        let mut warnings = warnings.join("\n");
        if self.output.is_full() {
            warnings.push_str("\nnot all channels have a topic");
        }
        let entries = [
            ("tool", TOOL.to_owned()),
            ("source", source),
            ("format", format),
            ("variant", variant),
            ("clocks", self.times.clocks()),
            ("warnings", warnings.trim_start().to_owned()),
        ];
        let said = entries.into_iter().filter(|(_, value)| !value.is_empty());
        self.output.finish(said.map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Whether `channel` is the one that places `child` in other frames.
    fn places(&mut self, channel: &Arc<str>, frame_id: &str, child: &str) -> bool {
        if child.is_empty() || child == frame_id {
            return false;
        }
        if let Some(first) = self.placed.get(child) {
            return first == channel;
        }
        if self.placed.len() >= MOST_FRAMES {
            return false;
        }
        self.placed.insert(child.to_owned(), Arc::clone(channel));
        true
    }

    /// Encodes one message and puts it into its topic; `false` when there is no place for it.
    fn put(
        &mut self,
        to: (&Arc<str>, Role, Type<'_>),
        stamp: Stamp,
        encode: impl FnOnce(&mut Cdr, Stamp),
    ) -> Result<bool> {
        self.cdr.begin();
        encode(&mut self.cdr, stamp);
        let Some(message) = self.cdr.finish() else { return Ok(false) };
        let (channel, role, of) = to;
        self.output.put(channel, role, of, stamp, message)
    }

    fn odometry(&mut self, sample: &Sample, stamp: Stamp, odometry: &Odometry) -> Result<bool> {
        let (channel, frame) = (&sample.channel, &*sample.frame_id);
        let to = (channel, Role::Value(sample.value.kind()), Type::Standard(Message::Odometry));
        if !self.put(to, stamp, |cdr, stamp| message::odometry(cdr, stamp, frame, odometry))? {
            return Ok(false);
        }
        let to = (channel, Role::Beside("pose"), Type::Standard(Message::PoseStamped));
        self.put(to, stamp, |cdr, stamp| message::pose_stamped(cdr, stamp, frame, &odometry.pose))?;
        let child = odometry.child_frame_id.as_str();
        if self.places(channel, frame, child) {
            let to = (channel, Role::Transform, Type::Standard(Message::Transforms));
            self.put(to, stamp, |cdr, stamp| message::transform(cdr, stamp, frame, child, &odometry.pose))?;
        }
        Ok(true)
    }

    fn sample(&mut self, sample: &Sample) -> Result<bool> {
        let stamp = self.times.stamp(sample.time);
        let (channel, frame) = (&sample.channel, &*sample.frame_id);
        let role = Role::Value(sample.value.kind());
        let value = |message| (channel, role, Type::Standard(message));
        match &sample.value {
            Value::PointCloud(cloud) => {
                if !cloud.is_consistent() {
                    return Err(Error::Target("a point cloud has columns of different lengths".into()));
                }
                self.put(value(Message::PointCloud2), stamp, |c, s| cloud::cloud(c, s, frame, cloud))
            }
            Value::LaserScan(scan) => {
                let to = value(Message::LaserScan);
                let written = self.put(to, stamp, |c, s| message::laser_scan(c, s, frame, scan))?;
                if written && !self.options.no_scan_points {
                    let mut points = std::mem::take(&mut self.points);
                    cloud::scan_points(scan, &mut points);
                    let to = (channel, Role::Beside("points"), Type::Standard(Message::PointCloud2));
                    self.put(to, stamp, |c, s| cloud::cloud(c, s, frame, &points))?;
                    self.points = points;
                }
                Ok(written)
            }
            Value::Image(image) => {
                let is_file = image.encoding.bytes_per_pixel().is_none();
                if !is_file && !message::is_whole(image) {
                    return Ok(false);
                }
                let to = value(if is_file { Message::CompressedImage } else { Message::Image });
                self.put(to, stamp, |c, s| message::image(c, s, frame, image))
            }
            Value::Imu(imu) => self.put(value(Message::Imu), stamp, |c, s| message::imu(c, s, frame, imu)),
            Value::GnssFix(fix) => {
                let to = value(Message::NavSatFix);
                let written = self.put(to, stamp, |c, s| message::nav_sat_fix(c, s, frame, fix))?;
                if let Some(row) = row::details(fix).filter(|_| written) {
                    let to = (channel, Role::Beside("details"), Type::Row(&row.fields));
                    self.put(to, stamp, |c, s| row::row(c, s, frame, &row))?;
                }
                Ok(written)
            }
            Value::Odometry(odometry) => self.odometry(sample, stamp, odometry),
            Value::Pose(pose) => {
                self.put(value(Message::PoseStamped), stamp, |c, s| message::pose_stamped(c, s, frame, pose))
            }
            Value::Transform(t) => {
                let role = if sample.time.is_some() { Role::Transform } else { Role::StaticTransform };
                let to = (channel, role, Type::Standard(Message::Transforms));
                self.put(to, stamp, |c, s| message::transform(c, s, frame, &t.child_frame_id, &t.pose))
            }
            Value::Row(row) => {
                self.put((channel, role, Type::Row(&row.fields)), stamp, |c, s| row::row(c, s, frame, row))
            }
            Value::Scalar(number) => self.put(value(Message::Float64), stamp, |c, _| c.f64(*number)),
            Value::Text(text) => self.put(value(Message::String), stamp, |c, _| c.string(text)),
            Value::Satellites(_) => {
                let json = serde_json::to_string(&sample.value).map_err(|e| Error::Write(e.into()))?;
                self.put(value(Message::String), stamp, |c, _| c.string(&json))
            }
            _ => Ok(false),
        }
    }
}

const TOOL: &str = concat!("robolog-convert ", env!("CARGO_PKG_VERSION"));

impl<W: Write + Seek> Sink for Mcap<W> {
    fn begin_at(&mut self, start: Timestamp) {
        self.times.begin_at(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Took> {
        Ok(if self.sample(sample)? { Took::Written } else { Took::LeftOut })
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

impl<W: Write + Seek> fmt::Debug for Mcap<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcap").field("output", &self.output).finish_non_exhaustive()
    }
}
