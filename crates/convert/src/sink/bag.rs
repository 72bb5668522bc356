//! Bags of ROS 1, as `rosbag`, `rosbags`, Foxglove, MATLAB and the SLAM programs of ROS 1 read them.

mod file;
mod record;

pub use super::options::{BagCompression, BagOptions, MessageOptions};
use super::{
    Holds, TargetSpec,
    message::{
        Messages,
        ros::{Ros, RosEncoder},
    },
    takes,
};

use std::{
    fmt,
    io::{Seek, Write},
};

use robolog_core::Sample;

use self::file::BagFile;
use crate::{Advice, Note, Origin, Outcome, Result, Sink};

/// Bags of ROS 1.
pub static BAG: TargetSpec = TargetSpec {
    name: "bag",
    extensions: &["bag"],
    about: "a bag of ROS 1",
    holds: Holds::Anything,
    needs: &[],
    takes: takes::anything,
    instead: takes::no_way,
    open: |out, opening| Ok(Box::new(Bag::new(out, opening.options.bag)?)),
};

/// Writes every kind of value as messages of ROS 1 into a bag of format 2.0: chunks, an index, and for each topic the full
/// definition of its type with its MD5 sum.
///
/// Topics, types and fields are those of ROS 2's messages in [MCAP](super::mcap::Mcap), but for what ROS 1 has differently:
///
/// - headers have a sequence number, which counts the messages of a topic from 0;
/// - times are unsigned, from 1970 to 2106; what lies before has the stamp 0, and the bag's own time of a message is at least
///   1 ns, because `rosbag` passes over messages at 0;
/// - markers have no textures and embedded meshes;
/// - `/tf_static` is latched, so that who comes late gets the last message.
///
/// A bag has no place for what is known of the recordings and for their headers. Left out are also messages above 1 GB, which
/// ROS 1 does not pass on.
///
/// Chunks are of 768 KiB, as `rosbag` makes them, of one message where that is longer. Memory holds one sample, one chunk, and
/// for every chunk some tens of bytes and twelve for each of its topics. The same samples make the same bytes.
pub struct Bag<W: Write + Seek>(Messages<BagFile<W>>);

impl<W: Write + Seek> Bag<W> {
    /// A bag on `out`, which must be at its beginning. Fails when writing does.
    pub fn new(out: W, options: BagOptions) -> Result<Self> {
        let file = BagFile::new(out, options.compression)?;
        Ok(Self(Messages::new(
            file,
            Box::new(RosEncoder::new(Ros::One, options.messages.points)),
            options.messages,
        )))
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(self) -> Result<W> {
        self.0.into_inner()
    }
}

impl<W: Write + Seek> Sink for Bag<W> {
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

impl<W: Write + Seek> fmt::Debug for Bag<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bag").finish_non_exhaustive()
    }
}
