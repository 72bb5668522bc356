//! TUM trajectories, as read by the Python package `evo`.

use std::io::Write;

use robolog_core::Sample;

use super::{
    Holds, TargetSpec, takes,
    trajectory::{Trajectory, seconds},
};
use crate::{Outcome, Result, Sink};

/// Trajectories of the TU Munich benchmarks.
pub static TUM: TargetSpec = TargetSpec {
    name: "tum",
    extensions: &["tum"],
    about: "a trajectory, `timestamp tx ty tz qx qy qz qw` a line",
    holds: Holds::Trajectory,
    needs: &[],
    takes: takes::timed_poses,
    instead: takes::no_way,
    open: |out, _| Ok(Box::new(Tum::new(out))),
};

/// Writes the poses of one channel, one line of `timestamp tx ty tz qx qy qz qw` each. Completing the file returns an
/// error if several channels have poses.
///
/// Times are seconds of the recording's clock with nine decimals; positions are metres in the frame of the samples.
/// Numbers have the fewest digits that read back exactly; NaN and infinities are `NaN`, `inf`, `-inf`. Poses without a
/// time and values of other kinds are left out.
#[derive(Debug)]
pub struct Tum<W>(Trajectory<W>);

impl<W: Write> Tum<W> {
    /// A trajectory into `out`.
    pub fn new(out: W) -> Self {
        Self(Trajectory::new(out))
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(self) -> Result<W> {
        self.0.into_inner()
    }
}

impl<W: Write> Sink for Tum<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Some(time) = sample.time else { return Ok(Outcome::LeftOut) };
        let Some(pose) = self.0.pose(sample) else { return Ok(Outcome::LeftOut) };
        let (p, q) = (pose.position, pose.orientation);
        self.0.line(&seconds(time.nanos()), &[p.x, p.y, p.z, q.i, q.j, q.k, q.w])?;
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
