//! `EuRoC` ground truth trajectories, as read by the Python package `evo`.

use robolog_core::{Pose, Sample, Value};

use super::{
    Holds, Lacks, TargetSpec, takes,
    trajectory::{Form, Poses},
};

/// Ground truth of the `EuRoC` data sets.
pub static EUROC: TargetSpec = TargetSpec {
    name: "euroc",
    extensions: &["csv"],
    about: "a trajectory as the ground truth of EuRoC's data sets",
    holds: Holds::Trajectory,
    lacks: Lacks::NOTHING,
    needs: &[],
    takes: takes::timed_poses,
    instead: takes::no_advice,
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
pub type Euroc<W> = Poses<W, EurocForm>;

/// The lines of [`Euroc`].
#[derive(Debug, Default)]
pub struct EurocForm {
    /// Whether there are velocity columns; set by the first pose.
    has_velocity: Option<bool>,
}

const HEADER: &str = "#timestamp [ns],p_RS_R_x [m],p_RS_R_y [m],p_RS_R_z [m],\
                      q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z []";
const VELOCITY: &str = ",v_RS_R_x [m s^-1],v_RS_R_y [m s^-1],v_RS_R_z [m s^-1]";

impl Form for EurocForm {
    const SEPARATOR: u8 = b',';

    fn start(sample: &Sample) -> Option<String> {
        Some(sample.time?.nanos().to_string())
    }

    fn numbers(&mut self, sample: &Sample, pose: &Pose) -> impl IntoIterator<Item = f64> {
        let twist = if let Value::Odometry(odometry) = &sample.value { odometry.twist } else { None };
        let velocity = twist.map(|twist| pose.orientation.transform_vector(&twist.linear).into());
        let has_velocity = *self.has_velocity.get_or_insert(velocity.is_some());
        let velocity: Option<[f64; 3]> = has_velocity.then_some(velocity.unwrap_or([f64::NAN; 3]));
        let (p, q) = (pose.position, pose.orientation);
        [p.x, p.y, p.z, q.w, q.i, q.j, q.k].into_iter().chain(velocity.into_iter().flatten())
    }

    fn header(&self) -> String {
        [HEADER, if self.has_velocity == Some(true) { VELOCITY } else { "" }, "\n"].concat()
    }
}
