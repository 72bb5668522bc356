//! Whatever has poses: its number, and how it lies.

use nalgebra::Vector3;
use robolog_core::{Odometry, Pose};

use crate::names::{Names, at};

/// The frame of the vehicle that writes a log: its own reports name it otherwise.
pub(crate) const OWN: &str = "base_link";

/// The bodies so far.
#[derive(Debug, Default)]
pub(crate) struct Bodies {
    pub(crate) names: Names,
    /// The body of each channel's last pose.
    of_channel: Vec<Option<usize>>,
    latest: Vec<Option<(Pose, f64)>>,
}

/// A pose of a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) body: usize,
    pub(crate) position: Vector3<f64>,
    /// Direction of its x axis in the plan, radians.
    pub(crate) yaw: f64,
    /// Whether the pose is the same as the one before.
    pub(crate) is_still: bool,
}

impl Bodies {
    /// The next pose of a channel; `None` if there are too many bodies. `owner` is the vehicle that wrote it, if several
    /// did.
    pub(crate) fn place(
        &mut self,
        channel: usize,
        odometry: &Odometry,
        owner: Option<&str>,
    ) -> Option<Placed> {
        let owner = owner.filter(|_| odometry.child_frame_id == OWN);
        let prefixed = owner.map(|owner| format!("{owner}/{OWN}"));
        let name = prefixed.as_deref().unwrap_or(&odometry.child_frame_id);
        let last = at(&mut self.of_channel, channel);
        let body = match *last {
            Some(body) if self.names.get(body) == name => body,
            _ => self.names.of(name)?,
        };
        *last = Some(body);
        let pose = odometry.pose;
        let latest = at(&mut self.latest, body);
        let same = latest.filter(|(before, _)| is_same(before, &pose));
        let yaw = same.map_or_else(|| pose.orientation.euler_angles().2, |(_, yaw)| yaw);
        *latest = Some((pose, yaw));
        let is_finite = yaw.is_finite() && pose.position.iter().all(|number| number.is_finite());
        Some(Placed { body, position: pose.position, yaw, is_still: same.is_some() && is_finite })
    }
}

/// Whether two poses are the same to the last bit. Most that move differ in the first number.
fn is_same(a: &Pose, b: &Pose) -> bool {
    let is_equal = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits();
    a.position.iter().zip(b.position.iter()).all(is_equal)
        && a.orientation.coords.iter().zip(b.orientation.coords.iter()).all(is_equal)
}
