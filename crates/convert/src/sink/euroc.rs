//! `EuRoC` ground truth trajectories, as read by the Python package `evo`.

use std::io::Write;

use robolog_core::{Sample, Value};

use super::{Holds, TargetSpec, takes, trajectory::Trajectory};
use crate::{Outcome, Result, Sink};

/// Ground truth of the `EuRoC` data sets.
pub static EUROC: TargetSpec = TargetSpec {
    name: "euroc",
    extensions: &["csv"],
    about: "a trajectory as the ground truth of EuRoC's data sets",
    holds: Holds::Trajectory,
    needs: &[],
    takes: takes::timed_poses,
    instead: takes::no_way,
    open: |out, _| Ok(Box::new(Euroc::new(out))),
};

/// Writes the poses of one channel, a line of `timestamp,x,y,z,qw,qx,qy,qz` each, after a header with `EuRoC`'s column
/// names. Completing the file returns an error if several channels have poses.
///
/// Times are nanoseconds of the recording's clock, positions metres in the frame of the samples. If the first pose has
/// a velocity, three columns follow: m/s along the axes of that frame, NaN where a later pose has none. `EuRoC`'s last
/// six columns, the biases, are unknown and not written; `evo` needs eight columns, and as many on each line. Numbers
/// have the fewest digits that read back exactly; NaN and infinities are `NaN`, `inf`, `-inf`. Poses without a time and
/// values of other kinds are left out.
#[derive(Debug)]
pub struct Euroc<W> {
    trajectory: Trajectory<W>,
    /// Whether there are velocity columns; set by the first pose.
    has_velocity: Option<bool>,
}

const HEADER: &str = "#timestamp [ns],p_RS_R_x [m],p_RS_R_y [m],p_RS_R_z [m],\
                      q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []";
const VELOCITY: &str = ",v_RS_R_x [m s^-1],v_RS_R_y [m s^-1],v_RS_R_z [m s^-1]";

impl<W: Write> Euroc<W> {
    /// A trajectory into `out`.
    pub fn new(out: W) -> Self {
        Self { trajectory: Trajectory::with_commas(out), has_velocity: None }
    }

    /// Completes the file and hands the target back.
    pub fn into_inner(self) -> Result<W> {
        self.trajectory.into_inner()
    }
}

impl<W: Write> Sink for Euroc<W> {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        let Some(time) = sample.time else { return Ok(Outcome::LeftOut) };
        let Some(pose) = self.trajectory.pose(sample) else { return Ok(Outcome::LeftOut) };
        let velocity = match &sample.value {
            Value::Odometry(odometry) => {
                odometry.twist.map(|twist| pose.orientation.transform_vector(&twist.linear))
            }
            _ => None,
        };
        let (p, q) = (pose.position, pose.orientation);
        let numbers = [p.x, p.y, p.z, q.w, q.i, q.j, q.k];
        let is_first = self.has_velocity.is_none();
        let has_velocity = *self.has_velocity.get_or_insert(velocity.is_some());
        if is_first {
            self.trajectory.line(&[HEADER, if has_velocity { VELOCITY } else { "" }].concat(), &[])?;
        }
        let time = time.nanos().to_string();
        if has_velocity {
            let v: [f64; 3] = velocity.map_or([f64::NAN; 3], Into::into);
            let all: Vec<f64> = numbers.into_iter().chain(v).collect();
            self.trajectory.line(&time, &all)?;
        } else {
            self.trajectory.line(&time, &numbers)?;
        }
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.into_inner().map(drop)
    }
}
