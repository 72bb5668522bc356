//! TUM trajectories, as read by the Python package `evo`.

use robolog_core::{Pose, Sample};

use super::{
    Holds, Lacks, TargetSpec, takes,
    trajectory::{Form, Poses, seconds},
};

/// Trajectories of the TU Munich benchmarks.
pub static TUM: TargetSpec = TargetSpec {
    name: "tum",
    extensions: &["tum"],
    about: "a trajectory, `timestamp tx ty tz qx qy qz qw` a line",
    holds: Holds::Trajectory,
    lacks: Lacks::NOTHING,
    needs: &[],
    takes: takes::timed_poses,
    instead: takes::no_advice,
    open: |out, _| Ok(Box::new(Tum::new(out))),
};

/// Writes the poses of one channel, one line of `timestamp tx ty tz qx qy qz qw` each. Completing the file returns an
/// error if several channels have poses.
///
/// Times are seconds of the recording's clock with nine decimals; positions are metres in the frame of the samples.
/// Numbers have the fewest digits that read back exactly; NaN and infinities are `NaN`, `inf`, `-inf`. Poses without a
/// time and values of other kinds are left out.
pub type Tum<W> = Poses<W, TumForm>;

/// The lines of [`Tum`].
#[derive(Debug, Default)]
pub struct TumForm;

impl Form for TumForm {
    fn start(sample: &Sample) -> Option<String> {
        Some(seconds(sample.time?.nanos()))
    }

    fn numbers(&mut self, _: &Sample, pose: &Pose) -> impl IntoIterator<Item = f64> {
        let (p, q) = (pose.position, pose.orientation);
        [p.x, p.y, p.z, q.i, q.j, q.k, q.w]
    }
}
