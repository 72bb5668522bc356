//! What files of one trajectory have in common.

use std::{io::Write, sync::Arc};

use robolog_core::{Pose, Sample};

use super::text::Put;
use crate::{
    Error, Result,
    trajectory::{self, Counter},
};

/// The poses of one channel, a line each, into `out`.
#[derive(Debug)]
pub(super) struct Trajectory<W> {
    out: W,
    line: Vec<u8>,
    /// The first that had a pose.
    channel: Option<Arc<str>>,
    trajectories: Counter,
    separator: u8,
}

impl<W: Write> Trajectory<W> {
    /// With a blank between numbers.
    pub(super) fn new(out: W) -> Self {
        Self { out, line: Vec::new(), channel: None, trajectories: Counter::default(), separator: b' ' }
    }

    /// The sample's pose, if it is of the channel that this file is about.
    pub(super) fn pose<'a>(&mut self, sample: &'a Sample) -> Option<&'a Pose> {
        let pose = trajectory::pose(sample)?;
        self.trajectories.push(&sample.channel, pose);
        let channel = self.channel.get_or_insert_with(|| Arc::clone(&sample.channel));
        (*channel == sample.channel).then_some(pose)
    }

    /// The same with commas.
    #[cfg(feature = "to-euroc")]
    pub(super) fn with_commas(out: W) -> Self {
        Self { separator: b',', ..Self::new(out) }
    }

    /// A line of `start` and numbers.
    pub(super) fn line(&mut self, start: &str, numbers: &[f64]) -> Result<()> {
        self.line.clear();
        self.line.extend_from_slice(start.as_bytes());
        for number in numbers {
            if !self.line.is_empty() {
                self.line.push(self.separator);
            }
            number.put(&mut self.line);
        }
        self.line.push(b'\n');
        Ok(self.out.write_all(&self.line)?)
    }

    /// Completes the file. Fails when there were several trajectories: which one is meant is not for a file to choose.
    pub(super) fn into_inner(mut self) -> Result<W> {
        self.trajectories.single().map_err(Error::SeveralTrajectories)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Nanoseconds as decimal seconds, exact.
#[cfg(any(feature = "to-kitti", feature = "to-tum"))]
pub(super) fn seconds(nanos: i64) -> String {
    let (sign, nanos) = (if nanos < 0 { "-" } else { "" }, nanos.unsigned_abs());
    format!("{sign}{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000)
}

#[cfg(all(test, any(feature = "to-kitti", feature = "to-tum")))]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_exact() {
        let want = [
            (0, "0.000000000"),
            (-1, "-0.000000001"),
            (-1_500_000_000, "-1.500000000"),
            (1_700_000_000_123_456_789, "1700000000.123456789"),
            (i64::MIN, "-9223372036.854775808"),
        ];
        for (nanos, text) in want {
            assert_eq!(seconds(nanos), text);
        }
    }
}
