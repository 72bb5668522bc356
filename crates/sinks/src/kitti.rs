//! Trajectories of the KITTI odometry benchmark.

use robolog_core::{Pose, Sample};

use super::{
    Holds, Lacks, TargetSpec, takes,
    trajectory::{Form, Poses},
};

/// Trajectories of the KITTI odometry benchmark.
pub static KITTI: TargetSpec = TargetSpec {
    name: "kitti",
    extensions: &["kitti"],
    about: "a trajectory, twelve numbers of a transform a line",
    holds: Holds::Trajectory,
    lacks: Lacks::NOTHING,
    needs: &[],
    takes: takes::poses,
    instead: takes::no_advice,
    open: |out, _| Ok(Box::new(Kitti::new(out))),
};

/// Writes the poses of one channel: the upper three rows of the transform from the body to the frame of the samples,
/// row by row, twelve numbers per line. Completing the file returns an error if several channels have poses.
///
/// Axes are kept, x forward and z up; KITTI's own poses are those of a camera, z forward and y down. The format has no
/// times: [`KittiTimes`](super::kitti_times::KittiTimes) writes them to a second file. Numbers have the fewest digits
/// that read back exactly; NaN and infinities are `NaN`, `inf`, `-inf`. Values other than poses and odometry are left
/// out.
pub type Kitti<W> = Poses<W, KittiForm>;

/// The lines of [`Kitti`].
#[derive(Debug, Default)]
pub struct KittiForm;

impl Form for KittiForm {
    fn start(_: &Sample) -> Option<String> {
        Some(String::new())
    }

    fn numbers(&mut self, _: &Sample, pose: &Pose) -> impl IntoIterator<Item = f64> {
        let [x, y, z] = pose.orientation.to_rotation_matrix().into_inner().transpose().into();
        let p = pose.position;
        let row = |[a, b, c]: [f64; 3], t| [a, b, c, t];
        [row(x, p.x), row(y, p.y), row(z, p.z)].into_iter().flatten()
    }
}
