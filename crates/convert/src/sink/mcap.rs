//! MCAP with the messages of ROS 2, as Foxglove, Lichtblick, Rerun, `PlotJuggler`, `evo`, `rosbags` and ROS 2 itself
//! read it, or with Foxglove's own, as the first three and programs without ROS read it.

mod file;
mod foxglove;
mod stream;
mod watched;

pub mod rosbag2;

pub use self::stream::{Message, MessagePlace, MessageSchema, MessageStream, MessageTopic};
use super::message::{cloud, content, encoder, role, scene};
pub use super::options::{McapCompression, McapOptions, McapSchema, MessageOptions, PointLayout};
use super::{
    Holds, TargetSpec,
    message::{
        Messages, TOOL,
        encoder::Encoder,
        ros::{Ros, RosEncoder},
    },
    takes,
};

use std::{
    fmt,
    io::{Seek, Write},
};

use mcap::WriteOptions;
use robolog_core::Sample;

use self::file::McapFile;
use crate::{Advice, Error, Note, Origin, Outcome, Result, Sink};

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
/// **Clouds** have `x, y, z` (m), `intensity`, `t` (nanoseconds from the stamp to the point, unsigned 32 bits), `time` (the
/// same in seconds, a float), `ring`, `return_number` and `tag`, as far as the cloud has them, and are not organised. Clouds of
/// Livox have the ring again as the byte `line`. [`PointLayout`] has the fields of drivers, and `CustomMsg` of Livox.
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
/// that of the source, or approximated by its dilution of precision, and typed so. A fix without an altitude above
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
pub struct Mcap<W: Write + Seek>(Messages<McapFile<W>>);

/// Bytes of a chunk before it is compressed; a message that is longer is in one of its own.
const CHUNK: u64 = 4 << 20;

/// Threads that compress a chunk by Zstandard. Whatever their number, the bytes are the same, but for 0; so it is one
/// number on all machines.
#[cfg(feature = "zstd")]
const THREADS: u32 = 2;

/// Beside more files one has no threads of its own: those hold some chunks in memory.
const MOST_THREADED: usize = 3;

impl<W: Write + Seek> Mcap<W> {
    /// A file on `out`, which must be at its beginning. Fails when writing does, and for a compression
    /// that this build lacks.
    pub fn new(out: W, options: McapOptions) -> Result<Self> {
        Self::beside(out, options, 0)
    }

    /// The same beside `others` that are being made: with more than three, chunks are small and no threads compress.
    fn beside(out: W, options: McapOptions, others: usize) -> Result<Self> {
        let encoder = encoder(options)?;
        let is_crowded = others > MOST_THREADED;
        let write = WriteOptions::new()
            .profile(encoder.profile())
            .library(TOOL)
            .compression(compression(options.compression)?)
            .chunk_size(Some(if is_crowded { CHUNK / 4 } else { CHUNK }));
        #[cfg(any(feature = "lz4", feature = "zstd"))]
        let write = write.compression_level(1);
        #[cfg(feature = "zstd")]
        let write = write.compression_threads(if is_crowded { 0 } else { THREADS });
        Ok(Self(Messages::new(McapFile::new(out, write)?, encoder, options.messages)))
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(self) -> Result<W> {
        self.0.into_inner()
    }
}

/// How the library is asked for a compression that this build has.
#[cfg_attr(
    all(feature = "lz4", feature = "zstd"),
    expect(clippy::unnecessary_wraps, reason = "a build may lack a compression")
)]
fn compression(compression: McapCompression) -> Result<Option<mcap::Compression>> {
    match compression {
        #[cfg(feature = "zstd")]
        McapCompression::Zstd => Ok(Some(mcap::Compression::Zstd)),
        #[cfg(feature = "lz4")]
        McapCompression::Lz4 => Ok(Some(mcap::Compression::Lz4)),
        McapCompression::None => Ok(None),
        #[cfg(not(feature = "zstd"))]
        McapCompression::Zstd => {
            Err(Error::NotBuilt { what: "MCAP compression zstd".into(), feature: "zstd" })
        }
        #[cfg(not(feature = "lz4"))]
        McapCompression::Lz4 => Err(Error::NotBuilt { what: "MCAP compression lz4".into(), feature: "lz4" }),
    }
}

/// What makes messages of a schema.
fn encoder(options: McapOptions) -> Result<Box<dyn Encoder>> {
    let points = options.messages.points;
    if options.schema == McapSchema::Foxglove && points != PointLayout::default() {
        let message = format!("--points {points} is for messages of ROS, not for those of Foxglove");
        return Err(Error::Target(message.into()));
    }
    Ok(match options.schema {
        McapSchema::Ros2 => Box::new(RosEncoder::new(Ros::Two, points)),
        McapSchema::Foxglove => Box::<foxglove::Foxglove>::default(),
    })
}

impl<W: Write + Seek> Sink for Mcap<W> {
    fn origin(&mut self, origin: &Origin) -> Result<()> {
        self.0.origin(origin)
    }

    fn warn(&mut self, warning: &str) {
        self.0.warn(warning);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.0.write(sample)
    }

    fn advice(&self) -> Option<Advice> {
        self.0.advice()
    }

    fn notes(&mut self) -> Result<Vec<Note>> {
        self.0.notes()
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}

impl<W: Write + Seek> fmt::Debug for Mcap<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcap").finish_non_exhaustive()
    }
}
