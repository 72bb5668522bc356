//! Trajectories of the KITTI odometry benchmark.

use std::io::Write;

use robolog_core::Sample;

use super::{Holds, TargetSpec, takes, trajectory::Trajectory};
use crate::{Outcome, Result, Sink};

/// Trajectories of the KITTI odometry benchmark.
pub static KITTI: TargetSpec = TargetSpec {
    name: "kitti",
    extensions: &["kitti"],
    about: "a trajectory, twelve numbers of a transform a line",
    holds: Holds::Trajectory,
    needs: &[],
    takes: takes::poses,
    instead: takes::no_way,
    open: |out, _| Ok(Box::new(Kitti::new(out))),
};

/// Writes the poses of one channel: the upper three rows of the transform from the body to the frame of the samples,
/// row by row, twelve numbers per line. Completing the file returns an error if several channels have poses.
///
/// Axes are kept, x forward and z up; KITTI's own poses are those of a camera, z forward and y down. The format has no
/// times: [`KittiTimes`](super::kitti_times::KittiTimes) writes them to a second file. Numbers have the fewest digits
/// that read back exactly; NaN and infinities are `NaN`, `inf`, `-inf`. Values other than poses and odometry are left
/// out.
#[derive(Debug)]
pub struct Kitti<W>(Trajectory<W>);

impl<W: Write> Kitti<W> {
    /// A trajectory into `out`.
    pub fn new(out: W) -> Self {
        Self(Trajectory::new(out))
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(self) -> Result<W> {
        self.0.into_inner()
    }
}

impl<W: Write> Sink for Kitti<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Some(pose) = self.0.pose(sample) else { return Ok(Outcome::LeftOut) };
        let [x, y, z] = pose.orientation.to_rotation_matrix().into_inner().transpose().into();
        let p = pose.position;
        let row = |[a, b, c]: [f64; 3], t| [a, b, c, t];
        self.0.line("", [row(x, p.x), row(y, p.y), row(z, p.z)].as_flattened())?;
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
