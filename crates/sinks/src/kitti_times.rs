//! Times of KITTI trajectories, whose format has none.

use robolog_core::{Pose, Sample};

use super::{
    Holds, Lacks, TargetSpec, takes,
    trajectory::{Form, Poses, seconds},
};

/// Times of KITTI trajectories.
pub static KITTI_TIMES: TargetSpec = TargetSpec {
    name: "kitti-times",
    extensions: &["times.txt"],
    about: "the times of what kitti writes, a number a line",
    holds: Holds::Trajectory,
    lacks: Lacks::NOTHING,
    needs: &[],
    takes: takes::poses,
    instead: takes::no_advice,
    open: |out, _| Ok(Box::new(KittiTimes::new(out))),
};

/// Writes the time of each pose that [`Kitti`](super::kitti::Kitti) writes for the same samples, one number per line:
/// seconds of the recording's clock with nine decimals.
///
/// The lines of both files correspond, so a pose without a time has the line `nan`. Leaves out what
/// [`Kitti`](super::kitti::Kitti) leaves out.
pub type KittiTimes<W> = Poses<W, KittiTimesForm>;

/// The lines of [`KittiTimes`].
#[derive(Debug, Default)]
pub struct KittiTimesForm;

impl Form for KittiTimesForm {
    fn start(sample: &Sample) -> Option<String> {
        Some(sample.time.map_or_else(|| "nan".to_owned(), |time| seconds(time.nanos())))
    }

    fn numbers(&mut self, _: &Sample, _: &Pose) -> impl IntoIterator<Item = f64> {
        []
    }
}
