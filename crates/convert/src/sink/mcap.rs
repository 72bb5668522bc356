//! MCAP with the messages of ROS 2, as Foxglove, Lichtblick, Rerun, `PlotJuggler`, `evo`, `rosbags` and ROS 2 itself
//! read it, or with Foxglove's own, as the first three and programs without ROS read it.

mod cloud;
mod content;
mod encoder;
#[cfg(feature = "foxglove")]
mod foxglove;
mod frames;
mod output;
mod role;
mod ros2;
mod scene;
mod stamp;
mod topic;
mod waiting;
mod watched;

pub mod rosbag2;

pub use super::options::{McapCompression, McapOptions, McapSchema};
use super::{Holds, TargetSpec, takes};

use std::{
    fmt,
    io::{Seek, Write},
};

use mcap::WriteOptions;
use robolog_core::{LaserScan, PointCloud, Sample};

use self::{
    content::Content,
    encoder::{Encoder, Head},
    frames::Frames,
    output::TopicWriter,
    role::Role,
    scene::{Change, Scene},
    stamp::{Stamp, Times},
    waiting::Waiting,
};
use crate::{Advice, Error, Note, Origin, Outcome, Reason, Result, Sink};

/// MCAP of Foxglove.
pub static MCAP: TargetSpec = TargetSpec {
    name: "mcap",
    extensions: &["mcap"],
    about: "a container of messages of ROS 2, or of Foxglove's",
    holds: Holds::Anything,
    needs: &[],
    takes: takes::anything,
    instead: takes::no_way,
    open: |out, opening| Ok(Box::new(Mcap::beside(out, opening.options.mcap, opening.others)?)),
};

/// Writes every kind of value as messages of ROS 2 (profile `ros2`, CDR, definitions `ros2msg`), or as Foxglove's
/// (no profile, Protocol Buffers with descriptors, and JSON with schemas), see [`McapSchema`].
///
/// | value | topic: ROS 2's message | Foxglove's |
/// |---|---|---|
/// | point cloud | `/c`: `sensor_msgs/PointCloud2` | `PointCloud` |
/// | laser scan | `/c`: `sensor_msgs/LaserScan` | `LaserScan` |
/// | | `/c/points`: `sensor_msgs/PointCloud2` of the valid ranges | `PointCloud` |
/// | image | `/c`: `sensor_msgs/CompressedImage` for a file | `CompressedImage` |
/// | | else `sensor_msgs/Image` | `RawImage` |
/// | imu | `/c`: `sensor_msgs/Imu` | JSON |
/// | GNSS fix | `/c`: `sensor_msgs/NavSatFix` | `LocationFix` |
/// | odometry | `/c`: `nav_msgs/Odometry` | `Odometry` |
/// | | `/c/pose`: `geometry_msgs/PoseStamped` | `PoseInFrame` |
/// | | `/tf`: `tf2_msgs/TFMessage` | `FrameTransform` |
/// | pose | `/c`: `geometry_msgs/PoseStamped` | `PoseInFrame` |
/// | transform | `/tf`, without a time `/tf_static`: `tf2_msgs/TFMessage` | `FrameTransform` |
/// | row | `/c`: a type `robolog_msgs/Name` that is made for its columns | JSON, `robolog.Name` |
/// | row that is a box | `/scene`: `visualization_msgs/MarkerArray` | `SceneUpdate` |
/// | number | `/c`: `std_msgs/Float64` | JSON |
/// | text | `/c`: `std_msgs/String` | `Log` |
/// | satellites | `/c`: `std_msgs/String` with JSON | JSON |
/// | what those have no field for | `/c/details`: as a row | the same |
///
/// `/c` is the channel's name with everything but letters, digits and slashes made an underscore, and `id_` before a
/// part that begins with a digit; the metadata of the topic has the name as it was. A channel with several kinds of
/// values has its first under its name and the others below it, as `/c/text`. Names that become the same are numbered.
///
/// **Clouds** have `x, y, z` (m), `intensity`, `t` (nanoseconds from the stamp to the point, unsigned 32 bits), `ring`,
/// `return_number` and `tag`, as far as the cloud has them, and are not organised.
///
/// **Rows** of ROS 2 have a header and a field for each column, so that viewers plot `/c.speed`; the type is named after
/// the channel's last part, its definition is in the file, and units stand there as remarks. What is not known is NaN,
/// 0, false or empty, and named in the last field, `absent`. In JSON the columns have their own names, their units are
/// the descriptions in the schema, and what is not known or not finite is not there.
///
/// **Transforms**: an odometry's is written to `/tf` too. Each frame has one parent: what first places it, standing still or
/// moving, goes on to do so, and the transforms of others are left out. Of those without a time at the beginning the
/// last counts, so that the user's replace the recording's.
///
/// **Boxes**: rows of a channel `FRAME/bounding_boxes` with a middle and half a size in metres. The box moves with its
/// frame, after which it is called, until a row says that its actor is destroyed.
///
/// **Not known**: in messages of ROS 2, an IMU's missing vector and an odometry's missing twist are zero with -1 as the
/// first element of their covariance; all other covariances are zero, which says that they are not known, and the status
/// of a fix is -2 when the source gives no quality. In Foxglove's they are not there. The covariance of a position is
/// there where the source gives it. A fix without an altitude above
/// the ellipsoid has NaN there in both.
///
/// **Times** are nanoseconds of the recording's clock, whichever it is: those of a relative or a device clock are
/// near zero, which viewers show as 1970. They are both stamp and log time. A sample without a time has that of the one
/// before it, or, before the first time, that of the first; so do static transforms wherever they come. The file spans no
/// more than the samples do. Up to 16 MiB of samples wait for the first time; a recording without times begins at 0. A log time cannot be negative and is then 0. The seconds of ROS 2's stamps end in
/// 2038, those of Foxglove's begin in 1970 and end in 2106, the log time's do not; JSON has no stamp but the log time.
///
/// **Source**: the metadata record `robolog` holds the recordings' names, formats, variants and clocks, and what was wrong
/// with them, a line each; their headers are attached as they stand, as `source-header`.
///
/// Chunks of 4 MiB have an index and check sums; Zstandard compresses each by two threads, whatever the machine has.
/// Memory holds one sample, some chunks, and for every chunk and topic some hundred bytes. Beside more than three files
/// that are being made chunks are of 1 MiB and no threads compress them. The same samples make the same bytes. Left out
/// are raw images whose data is not as long as their size says, and for Foxglove those of 16 bits a colour, messages
/// above 4 GiB (Foxglove's: 2 GiB), and what finds no topic: there are 65 000, and 4096 types of rows.
pub struct Mcap<W: Write + Seek> {
    output: TopicWriter<W>,
    origins: Vec<Origin>,
    warnings: Vec<String>,
    options: McapOptions,
    times: Times,
    encoder: Box<dyn Encoder>,
    scene: Scene,
    /// Points of scans.
    points: PointCloud,
    frames: Frames,
    waiting: Waiting,
    /// Samples that waited, and then found no place.
    lost: u64,
    advice: Option<Advice>,
}

/// Bytes of a chunk before it is compressed; a message that is longer is in one of its own.
const CHUNK: u64 = 4 << 20;

/// Threads that compress a chunk by Zstandard. Whatever their number, the bytes are the same, but for 0; so it is one
/// number on all machines.
const THREADS: u32 = 2;

/// Beside more files one has no threads of its own: those hold some chunks in memory.
const MOST_THREADED: usize = 3;

/// A header that is longer is not attached.
const LONGEST_HEADER: usize = 16 << 20;

/// Why a transform is left out.
const ONE_PARENT: &str = "a frame has one parent: another channel, or another transform, places it already";

impl<W: Write + Seek> Mcap<W> {
    /// A file on `out`, which must be at its beginning. Fails when writing does, and for a schema or a
    /// compression that this build lacks.
    pub fn new(out: W, options: McapOptions) -> Result<Self> {
        Self::beside(out, options, 0)
    }

    /// The same beside `others` that are being made: with more than three, chunks are small and no threads compress.
    fn beside(out: W, options: McapOptions, others: usize) -> Result<Self> {
        let encoder = encoder(options.schema)?;
        let compression = match options.compression {
            McapCompression::Zstd => Some(mcap::Compression::Zstd),
            #[cfg(feature = "lz4")]
            McapCompression::Lz4 => Some(mcap::Compression::Lz4),
            #[cfg(not(feature = "lz4"))]
            McapCompression::Lz4 => {
                return Err(Error::NotBuilt { what: "MCAP compression lz4".into(), feature: "lz4" });
            }
            McapCompression::None => None,
        };
        let (chunk, threads) = if others > MOST_THREADED { (CHUNK / 4, 0) } else { (CHUNK, THREADS) };
        let write = WriteOptions::new()
            .profile(encoder.profile())
            .library(TOOL)
            .compression(compression)
            .compression_level(1)
            .chunk_size(Some(chunk))
            .compression_threads(threads);
        Ok(Self {
            output: TopicWriter::new(out, write)?,
            origins: Vec::new(),
            warnings: Vec::new(),
            options,
            times: Times::default(),
            encoder,
            scene: Scene::default(),
            points: PointCloud::default(),
            frames: Frames::default(),
            waiting: Waiting::default(),
            lost: 0,
            advice: None,
        })
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(mut self) -> Result<W> {
        self.release()?;
        let mut warnings = self.warnings;
        if self.lost > 0 {
            warnings.push(format!("{} samples without a time are left out", self.lost));
        }
        if self.output.is_full() {
            warnings.push("not all channels have a topic".to_owned());
        }
        let of_each = |told: fn(&Origin) -> &str| {
            let list: Vec<_> = self.origins.iter().map(told).filter(|text| !text.is_empty()).collect();
            list.join("\n")
        };
        let entries = [
            ("tool", TOOL.to_owned()),
            ("source", of_each(|origin| &origin.name)),
            ("format", of_each(|origin| origin.format)),
            ("variant", of_each(|origin| &origin.variant)),
            ("clocks", self.times.clocks()),
            ("warnings", warnings.join("\n")),
        ];
        let said = entries.into_iter().filter(|(_, value)| !value.is_empty());
        self.output.finish(said.map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// Takes a sample, now or when there is a time for it; `false` when there is no place for it.
    fn take(&mut self, sample: &Sample) -> Result<bool> {
        match sample.time {
            Some(time) if self.times.have_begun() => self.times.note(time),
            Some(time) => {
                self.times.note(time);
                self.release()?;
            }
            None if self.times.have_begun() => {}
            // What has no message does not wait for one.
            None if !self.has_message(sample)? => return Ok(false),
            None if self.waiting.take(sample) => return Ok(true),
            None => self.release()?,
        }
        self.sample(sample)
    }

    /// Whether there is a message for this value.
    fn has_message(&mut self, sample: &Sample) -> Result<bool> {
        let Some(content) = Content::of(&sample.value) else { return Ok(false) };
        let head = Head { stamp: Stamp::ZERO, frame_id: &sample.frame_id, channel: &sample.channel };
        let fits = self.encoder.encode(head, content)?;
        if !fits {
            self.advise(content);
        }
        Ok(fits)
    }

    /// Notes what would keep content that has no message.
    fn advise(&mut self, content: Content<'_>) {
        if let Content::Image(image) = content
            && content::row_step(image).is_some()
            && self.options.schema == McapSchema::Foxglove
        {
            self.advice = Some(Advice::Ros2Messages);
        }
    }

    /// Writes what waited for a time.
    fn release(&mut self) -> Result<()> {
        for sample in self.waiting.drain() {
            if !self.sample(&sample)? {
                self.lost += 1;
            }
        }
        Ok(())
    }

    /// Encodes one message and puts it into its topic; `false` when there is no place for it.
    fn put(&mut self, to: (&Sample, Role, Stamp), frame_id: &str, content: Content<'_>) -> Result<bool> {
        let (sample, role, stamp) = to;
        let head = Head { stamp, frame_id, channel: &sample.channel };
        if !self.encoder.encode(head, content)? {
            return Ok(false);
        }
        self.output.put((&sample.channel, role, content.message()), stamp, &*self.encoder)
    }

    fn sample(&mut self, sample: &Sample) -> Result<bool> {
        let Some(content) = Content::of(&sample.value) else { return Ok(false) };
        let stamp = match (sample.time, content) {
            (Some(time), _) => time.into(),
            (None, Content::Transform(..)) => self.times.first(),
            (None, _) => self.times.last(),
        };
        if let Content::Transform(child, _) = content {
            let is_static = sample.time.is_none();
            if !self.frames.places(&sample.channel, &sample.frame_id, child, is_static) {
                self.advice = Some(Advice::Other(ONE_PARENT));
                return Ok(false);
            }
        }
        let role = match content {
            Content::Cloud(cloud) if !cloud.is_consistent() => {
                return Err(Error::Target(Reason::UnevenCloud));
            }
            Content::Transform(..) if sample.time.is_some() => Role::Transform,
            Content::Transform(..) => Role::StaticTransform,
            _ => Role::Value(sample.value.kind()),
        };
        let frame = &*sample.frame_id;
        if !self.put((sample, role, stamp), frame, content)? {
            self.advise(content);
            return Ok(false);
        }
        if let Some(row) = self.encoder.details(content) {
            self.put((sample, Role::Beside("details"), stamp), frame, Content::Row(&row))?;
        }
        match content {
            Content::Scan(scan) if !self.options.no_scan_points => self.points(sample, stamp, scan)?,
            Content::Odometry(odometry) => {
                let pose = &odometry.pose;
                self.put((sample, Role::Beside("pose"), stamp), frame, Content::Pose(pose))?;
                let child = odometry.child_frame_id.as_str();
                if self.frames.places(&sample.channel, &sample.frame_id, child, false) {
                    self.put((sample, Role::Transform, stamp), frame, Content::Transform(child, pose))?;
                }
            }
            Content::Row(row) => match self.scene.change(&sample.channel, row) {
                Some(Change::Appears(body, solid)) => {
                    self.put((sample, Role::Scene, stamp), &body, Content::Solid(&body, Some(&solid)))?;
                }
                Some(Change::Disappears(body)) => {
                    self.put((sample, Role::Scene, stamp), &body, Content::Solid(&body, None))?;
                }
                None => {}
            },
            _ => {}
        }
        Ok(true)
    }

    /// The points of a scan beside it.
    fn points(&mut self, sample: &Sample, stamp: Stamp, scan: &LaserScan) -> Result<()> {
        let mut points = std::mem::take(&mut self.points);
        cloud::scan_points(scan, &mut points);
        let to = (sample, Role::Beside("points"), stamp);
        self.put(to, &sample.frame_id, Content::Cloud(&points))?;
        self.points = points;
        Ok(())
    }
}

/// What makes messages of a schema.
fn encoder(schema: McapSchema) -> Result<Box<dyn Encoder>> {
    Ok(match schema {
        McapSchema::Ros2 => Box::<ros2::Ros2>::default(),
        #[cfg(feature = "foxglove")]
        McapSchema::Foxglove => Box::<foxglove::Foxglove>::default(),
        #[allow(unreachable_patterns, reason = "reached only when the feature is off")]
        other => return Err(Error::NotBuilt { what: format!("MCAP schema {other}"), feature: "foxglove" }),
    })
}

const TOOL: &str = concat!("robolog-convert ", env!("CARGO_PKG_VERSION"));

impl<W: Write + Seek> Sink for Mcap<W> {
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        if !origin.header.is_empty() && origin.header.len() <= LONGEST_HEADER {
            let first = self.origins.is_empty();
            let name = if first { "source-header".into() } else { format!("source-header {}", origin.name) };
            self.output.attach(&name, &origin.header)?;
        }
        self.origins.push(origin.clone());
        Ok(())
    }

    fn warn(&mut self, warning: &str) {
        self.warnings.push(warning.to_owned());
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        Ok(if self.take(sample)? { Outcome::Written } else { Outcome::LeftOut })
    }

    fn advice(&self) -> Option<Advice> {
        self.advice
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        self.release()?;
        let why = "without a time, and without a place in the file";
        Ok(Vec::from_iter(Note::unfit(self.lost, "samples", why)))
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
