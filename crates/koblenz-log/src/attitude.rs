//! Encoding of orientations and accelerations: the specification leaves it open, so it is inferred from gravity.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use robolog_core::{
    Imu,
    format::{Extent, Format as _, RawRecord, Search},
    slices::{Part as _, before, value_at},
};

use crate::{Header, KoblenzLog, Payload, Record, layout::RobotPose};

/// Order of a quaternion's components in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum QuaternionOrder {
    /// The real component first.
    #[default]
    Wxyz,
    /// The real component last.
    Xyzw,
}

impl QuaternionOrder {
    /// All orders.
    pub const ALL: [Self; 2] = [Self::Wxyz, Self::Xyzw];

    /// Its name, as in the survey's details.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wxyz => "wxyz",
            Self::Xyzw => "xyzw",
        }
    }
}

robolog_core::names!(QuaternionOrder, "order of a quaternion");

/// Unit of accelerations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum AccelerationUnit {
    /// Metres per second squared.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "m/s2"))]
    MetresPerSecondSquared,
    /// Standard gravities.
    #[cfg_attr(feature = "serde", serde(rename = "g"))]
    StandardGravity,
}

impl AccelerationUnit {
    /// All units.
    pub const ALL: [Self; 2] = [Self::MetresPerSecondSquared, Self::StandardGravity];

    /// Its name, as in the survey's details.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MetresPerSecondSquared => "m/s2",
            Self::StandardGravity => "g",
        }
    }
}

robolog_core::names!(AccelerationUnit, "unit of acceleration");

/// How to read `RobotPoseM` messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Attitude {
    /// The order of the quaternion.
    pub order: QuaternionOrder,
    /// The unit of the acceleration.
    pub unit: AccelerationUnit,
    /// Number of messages used to decide; 0 if both are assumed.
    pub poses: u32,
}

impl RobotPose {
    /// The orientation with its components in this order; `None` if they are no rotation.
    pub fn orientation(&self, order: QuaternionOrder) -> Option<UnitQuaternion<f64>> {
        let [first, second, third, fourth] = self.quaternion.map(f64::from);
        let quaternion = match order {
            QuaternionOrder::Wxyz => Quaternion::new(first, second, third, fourth),
            QuaternionOrder::Xyzw => Quaternion::new(fourth, first, second, third),
        };
        (0.5..2.0).contains(&quaternion.norm()).then(|| UnitQuaternion::from_quaternion(quaternion))
    }

    /// The acceleration in m/s², gravity included.
    pub fn linear_acceleration(&self, unit: AccelerationUnit) -> Vector3<f64> {
        let scale = match unit {
            AccelerationUnit::MetresPerSecondSquared => 1.0,
            AccelerationUnit::StandardGravity => Imu::STANDARD_GRAVITY,
        };
        Vector3::from(self.acceleration.map(|a| f64::from(a) * scale))
    }
}

/// Number of poses used to decide.
const POSES: usize = 512;

/// Chooses the order and unit for which gravity points down most steadily, from the messages at the start of `input`,
/// past any damage.
pub(crate) fn decide(input: &[u8], header: &Header, eof: bool) -> Attitude {
    let poses = poses(input, header, eof);
    if poses.is_empty() {
        return Attitude::default();
    }
    let mut norms: Vec<f64> =
        poses.iter().map(|p| Vector3::from(p.acceleration.map(f64::from)).norm()).collect();
    norms.sort_by(f64::total_cmp);
    let median = value_at(&norms, norms.len() / 2);
    let unit = if (0.3..3.0).contains(&median) {
        AccelerationUnit::StandardGravity
    } else {
        AccelerationUnit::MetresPerSecondSquared
    };
    let order = if upright(&poses, QuaternionOrder::Xyzw) > upright(&poses, QuaternionOrder::Wxyz) {
        QuaternionOrder::Xyzw
    } else {
        QuaternionOrder::Wxyz
    };
    Attitude { order, unit, poses: u32::try_from(poses.len()).unwrap_or(u32::MAX) }
}

/// How steadily the accelerations point up once rotated: 1 for gravity alone, less otherwise.
fn upright(poses: &[RobotPose], order: QuaternionOrder) -> f64 {
    let rotated = poses.iter().filter_map(|pose| {
        let acceleration = Vector3::from(pose.acceleration.map(f64::from));
        let up = pose.orientation(order)?.transform_vector(&acceleration);
        up.norm().is_normal().then_some(up)
    });
    let (mut n, mut sum, mut squares) = (0.0, [0.0; 3], 0.0);
    for up in rotated {
        n += 1.0;
        squares += up.norm_squared();
        sum.iter_mut().zip(&up).for_each(|(sum, v)| *sum += v);
    }
    if n < 1.0 {
        return f64::NEG_INFINITY;
    }
    let mean = Vector3::from(sum.map(|v| v / n));
    let deviation = (squares / n - mean.norm_squared()).max(0.0).sqrt();
    (mean.z - deviation) / (squares / n).sqrt()
}

fn poses(input: &[u8], header: &Header, eof: bool) -> Vec<RobotPose> {
    let mut poses = Vec::new();
    let mut rest = input;
    while poses.len() < POSES {
        let at = before(input, rest).len() as u64;
        let (len, is_torn) = match KoblenzLog::measure(header, rest, at, eof) {
            Ok(Extent::Whole(len @ 1..)) => (len, false),
            Ok(Extent::Torn { len, .. }) => (len, true),
            Err(_) => (0, true),
            Ok(_) => break,
        };
        let (bytes, behind) = rest.halves(len);
        rest = behind;
        let record = Record::new(header, RawRecord { offset: 0, bytes });
        if record.is_valid()
            && let Ok(Payload::RobotPose(pose)) = record.decode()
        {
            poses.push(pose);
        }
        if is_torn {
            // Readers continue after damage too.
            if len == 0 {
                rest = rest.part_or_empty(1..);
            }
            let at = before(input, rest).len() as u64;
            match KoblenzLog::resync(header, rest, at, eof) {
                Search::Found(skip) => rest = rest.part(skip..),
                Search::Beyond { .. } => break,
            }
        }
    }
    poses
}
