//! ROS 1 bags, as read by `rosbag`, `rosbags`, Foxglove, MATLAB and ROS 1 SLAM programs.

mod file;
mod record;

pub use super::options::{BagCompression, BagOptions, MessageOptions};
use super::{
    Holds, Lacks, TargetSpec,
    fidelity::Fidelity,
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

/// ROS 1 bags.
pub static BAG: TargetSpec = TargetSpec {
    name: "bag",
    extensions: &["bag"],
    about: "a bag of ROS 1",
    holds: Holds::Anything,
    lacks: Lacks::ATTRIBUTES,
    needs: &[],
    takes: takes::anything,
    instead: takes::no_advice,
    open: |out, opening| {
        let options = opening.options.bag;
        Ok(Fidelity::around(Box::new(Bag::new(out, options)?), Lacks::of_layout(options.messages.points)))
    },
};

/// Writes every kind of value as ROS 1 messages into a bag of format 2.0, with chunks, an index, and the full
/// definition and MD5 sum of each topic's type.
///
/// Topics, types and fields are those of ROS 2 messages in [MCAP](super::mcap::Mcap), except that in ROS 1:
///
/// - headers have a sequence number that counts the messages of a topic from 0;
/// - times are unsigned, from 1970 to 2106; earlier times get the stamp 0, and a bag time of at least 1 ns because
///   `rosbag` skips messages at 0; samples of later times are left out;
/// - markers have no textures or embedded meshes;
/// - `/tf_static` is latched, so that late subscribers get the last message.
///
/// Metadata and headers of the recordings are not stored. Messages above 1 GB are left out because ROS 1 does not
/// transport them.
///
/// Chunks have 768 KiB, like those of `rosbag`; a longer message gets its own chunk. Memory holds one sample, one
/// chunk, and per chunk some tens of bytes plus twelve per topic. The same samples give the same bytes.
pub struct Bag<W: Write + Seek>(Messages<BagFile<W>>);

impl<W: Write + Seek> Bag<W> {
    /// Creates a bag on `out`, which must be at its beginning. Returns an error if writing fails.
    pub fn new(out: W, options: BagOptions) -> Result<Self> {
        let file = BagFile::new(out, options.compression)?;
        Ok(Self(Messages::new(file, Box::new(RosEncoder::new(Ros::One, options.messages)), options.messages)))
    }

    /// Completes the file and returns the target.
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
