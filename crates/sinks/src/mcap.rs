//! MCAP with ROS 2 messages, as read by Foxglove, Lichtblick, Rerun, `PlotJuggler`, `evo`, `rosbags` and ROS 2 itself,
//! or with Foxglove's own messages, as read by the first three and by programs without ROS.

mod chunk;
mod file;
mod foxglove;
mod packer;
mod record;
mod stream;

pub mod rosbag2;

pub use self::stream::{Message, MessagePlace, MessageSchema, MessageStream, MessageTopic};
use super::message::{cloud, content, encoder, role, scene};
pub use super::options::{ImuUnit, McapCompression, McapOptions, McapSchema, MessageOptions, PointLayout};
use super::{
    Holds, Lacks, TargetSpec,
    fidelity::Fidelity,
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

use robolog_core::Sample;

use self::{file::McapFile, packer::Packer};
use crate::{Advice, Error, Note, Origin, Outcome, Result, Sink};

/// Foxglove's MCAP.
pub static MCAP: TargetSpec = TargetSpec {
    name: "mcap",
    extensions: &["mcap"],
    about: "a container of messages of ROS 2, or of Foxglove's",
    holds: Holds::Anything,
    lacks: Lacks::NOTHING,
    needs: &[],
    takes: takes::anything,
    instead: takes::no_advice,
    open: |out, opening| {
        let options = opening.options.mcap;
        let lacks = match options.schema {
            McapSchema::Ros2 => Lacks::of_layout(options.messages.points),
            McapSchema::Foxglove => Lacks::NOTHING,
        };
        Ok(Fidelity::around(Box::new(Mcap::beside(out, options, opening.others)?), lacks))
    },
};

/// Writes every kind of value as ROS 2 messages (profile `ros2`, CDR, definitions `ros2msg`), or as Foxglove messages
/// (no profile, Protocol Buffers with descriptors, and JSON with schemas): see [`McapSchema`].
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
/// | row | `/c`: a type `robolog_msgs/Name` made for its columns | JSON, `robolog.Name` |
/// | row that is a box | `/scene`: `visualization_msgs/MarkerArray` | `SceneUpdate` |
/// | number | `/c`: `std_msgs/Float64` | JSON |
/// | text | `/c`: `std_msgs/String` | `Log` |
/// | satellites | `/c`: `std_msgs/String` with JSON | JSON |
/// | feature | `/c`: `std_msgs/String` with `GeoJSON` | `GeoJSON` |
/// | measured with a fix | `/c/measured`: as a row | the same |
/// | other fields | `/c/details`: as a row | the same |
///
/// `/c` is the channel's name with an underscore for everything but letters, digits and slashes, and `id_` before parts
/// that start with a digit; the topic's metadata has the original name, and the channel's attributes, such as
/// the name of a track. If a channel has several kinds of values, the
/// first uses its name and the others names below it, such as `/c/text`. Names that collide are numbered.
///
/// **Clouds** have `x, y, z` (m), `intensity`, `t` (nanoseconds from the stamp to the point, unsigned 32 bits), `time`
/// (the same in seconds, a float), `ring`, `return_number` and `tag`, if the cloud has them, and are unorganised. Livox
/// clouds repeat the ring as the byte `line`. [`PointLayout`] has the fields of drivers, and Livox `CustomMsg`.
///
/// **Rows** in ROS 2 have a header and a field per column, so that viewers can plot `/c.speed`. The type is named after
/// the last part of the channel; its definition is in the file, with units as comments. Unknown values are NaN, 0,
/// false or empty, and listed in the last field, `absent`. In JSON the columns keep their names, units are descriptions
/// in the schema, and values that are unknown or not finite are omitted.
///
/// **Transforms**: odometry is also written to `/tf`. Each frame has one parent, the first that places it, static or
/// moving; transforms from others are left out. Of static transforms at the beginning the last one counts, so that the
/// user's replace the recording's.
///
/// **Boxes**: rows of a channel `FRAME/bounding_boxes` with a centre and half sizes in metres. The box is named after
/// its frame and moves with it until a row says that its actor is destroyed.
///
/// **Unknown values**: in ROS 2 messages, an IMU's missing vector and odometry's missing twist are zero, with -1 as the
/// first element of the covariance; all other covariances are zero, meaning unknown, and the status of a fix is -2 if
/// the source gives no quality. Foxglove messages omit them. The covariance of a position is that of the source, or
/// approximated from its dilution of precision and typed so. A fix without an altitude above the ellipsoid has NaN
/// there in both.
///
/// **Times** are nanoseconds of the recording's clock, whichever it is; those of relative and device clocks are near
/// zero, which viewers show as 1970. They are both stamp and log time. A sample without a time gets the time of the
/// sample before it, or else the first time; static transforms always get the first time. The file spans no more than
/// the samples do. Up to 16 MiB of samples are held until the first time; a recording without times begins at 0. A
/// negative log time becomes 0. ROS 2 stamps end in 2038, Foxglove stamps range from 1970 to 2106; samples of later
/// times are left out.
///
/// **Source**: the metadata record `robolog` holds the recordings' names, formats, variants, clocks and problems, one
/// per line; their headers are attached unchanged as `source-header`.
///
/// Chunks of 4 MiB have an index and checksums; Zstandard compresses each on two threads, on every machine. Memory
/// holds one sample, its message, some chunks (also that of a message longer than a chunk), and a few hundred bytes per
/// chunk and topic. With more than three other files open, chunks have 1 MiB and are compressed without threads. The
/// same samples give the same bytes. Left out are raw images whose data does not match their size, for Foxglove images
/// of 16 bits per colour, messages above 4 GiB (Foxglove: 2 GiB), and values beyond 65 000 topics or 4096 row types.
pub struct Mcap<W: Write + Seek>(Messages<McapFile<W>>);

/// Bytes of a chunk before compression; a longer message gets its own chunk.
const CHUNK: u64 = 4 << 20;

/// Zstandard threads per chunk. The bytes depend only on whether it is 0, so all machines use the same number.
const THREADS: u32 = 2;

/// With more other files open, no threads are used: threads hold some chunks in memory.
const MOST_THREADED: usize = 3;

impl<W: Write + Seek> Mcap<W> {
    /// Creates a file on `out`, which must be at its beginning. Returns an error if writing fails, and for a
    /// compression missing in this build.
    pub fn new(out: W, options: McapOptions) -> Result<Self> {
        Self::beside(out, options, 0)
    }

    /// Creates a file with `others` open: with more than three, chunks are small and no threads compress.
    fn beside(out: W, options: McapOptions, others: usize) -> Result<Self> {
        let encoder = encoder(options)?;
        let (size, threads) = if others > MOST_THREADED { (CHUNK / 4, 0) } else { (CHUNK, THREADS) };
        let packer = Packer::new(options.compression, threads)?;
        let file = McapFile::new(out, packer, size, [encoder.profile(), TOOL])?;
        Ok(Self(Messages::new(file, encoder, options.messages)))
    }

    /// Completes the file and returns the target.
    pub fn into_inner(self) -> Result<W> {
        self.0.into_inner()
    }
}

/// Creates the encoder of a schema.
fn encoder(options: McapOptions) -> Result<Box<dyn Encoder>> {
    let points = options.messages.points;
    if options.schema == McapSchema::Foxglove && points != PointLayout::default() {
        let message = format!("--points {points} is for messages of ROS, not for those of Foxglove");
        return Err(Error::Target(message.into()));
    }
    Ok(match options.schema {
        McapSchema::Ros2 => Box::new(RosEncoder::new(Ros::Two, options.messages)),
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
