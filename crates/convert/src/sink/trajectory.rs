//! What files of one trajectory have in common.

use std::{io::Write, sync::Arc};

use robolog_core::{Pose, Sample, Value};

use super::text::Put;
use crate::Result;

/// The poses of one channel, a line each, into `out`.
#[derive(Debug)]
pub(super) struct Trajectory<W> {
    out: W,
    line: Vec<u8>,
    /// The first that had a pose.
    channel: Option<Arc<str>>,
}

impl<W: Write> Trajectory<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, line: Vec::new(), channel: None }
    }

    /// The sample's pose, if it is of the channel that this file is about.
    pub(super) fn pose<'a>(&mut self, sample: &'a Sample) -> Option<&'a Pose> {
        let pose = match &sample.value {
            Value::Pose(pose) => pose,
            Value::Odometry(odometry) => &odometry.pose,
            _ => return None,
        };
        let channel = self.channel.get_or_insert_with(|| Arc::clone(&sample.channel));
        (*channel == sample.channel).then_some(pose)
    }

    /// A line of `start` and numbers, with one blank between them.
    pub(super) fn line(&mut self, start: &str, numbers: &[f64]) -> Result<()> {
        self.line.clear();
        self.line.extend_from_slice(start.as_bytes());
        for number in numbers {
            if !self.line.is_empty() {
                self.line.push(b' ');
            }
            number.put(&mut self.line);
        }
        self.line.push(b'\n');
        Ok(self.out.write_all(&self.line)?)
    }

    pub(super) fn into_inner(mut self) -> Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}
