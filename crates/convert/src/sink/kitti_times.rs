//! Times of KITTI trajectories, whose format has none.

use std::io::Write;

use robolog_core::Sample;

use super::{
    Holds, TargetSpec, takes,
    trajectory::{Trajectory, seconds},
};
use crate::{Outcome, Result, Sink};

/// Times of KITTI trajectories.
pub static KITTI_TIMES: TargetSpec = TargetSpec {
    name: "kitti-times",
    extensions: &["times.txt"],
    about: "the times of what kitti writes, a number a line",
    holds: Holds::Trajectory,
    needs: &[],
    takes: takes::poses,
    instead: takes::no_way,
    open: |out, _| Ok(Box::new(KittiTimes::new(out))),
};

/// Writes the time of each pose that [`Kitti`](super::kitti::Kitti) writes for the same samples, one number per line:
/// seconds of the recording's clock with nine decimals.
///
/// The lines of both files correspond, so a pose without a time has the line `nan`. Leaves out what
/// [`Kitti`](super::kitti::Kitti) leaves out.
#[derive(Debug)]
pub struct KittiTimes<W>(Trajectory<W>);

impl<W: Write> KittiTimes<W> {
    /// The times of a trajectory into `out`.
    pub fn new(out: W) -> Self {
        Self(Trajectory::new(out))
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(self) -> Result<W> {
        self.0.into_inner()
    }
}

impl<W: Write> Sink for KittiTimes<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        if self.0.pose(sample).is_none() {
            return Ok(Outcome::LeftOut);
        }
        self.0.line(&sample.time.map_or_else(|| "nan".to_owned(), |time| seconds(time.nanos())), &[])?;
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
