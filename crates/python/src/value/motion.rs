//! Poses and motions.

use nalgebra::{UnitQuaternion, Vector3};
use pyo3::prelude::*;

use super::pickle::plain;

/// x, y, z.
type Xyz = (f64, f64, f64);
/// x, y, z, w.
type Xyzw = (f64, f64, f64, f64);

fn xyz(v: &Vector3<f64>) -> Xyz {
    (v.x, v.y, v.z)
}

fn xyzw(q: &UnitQuaternion<f64>) -> Xyzw {
    (q.i, q.j, q.k, q.w)
}

plain! {
    /// An inertial measurement.
    struct Imu {
        /// Unit quaternion x, y, z, w; None if not measured.
        orientation: Option<Xyzw>,
        /// About x, y, z, rad/s; None if not measured.
        angular_velocity: Option<Xyz>,
        /// Along x, y, z with gravity, m/s²; None if not measured.
        linear_acceleration: Option<Xyz>,
    }
}

impl From<robolog_core::Imu> for Imu {
    fn from(imu: robolog_core::Imu) -> Self {
        Self {
            orientation: imu.orientation.as_ref().map(xyzw),
            angular_velocity: imu.angular_velocity.as_ref().map(xyz),
            linear_acceleration: imu.linear_acceleration.as_ref().map(xyz),
        }
    }
}

plain! {
    /// A pose in the frame of its sample.
    struct Pose {
        /// x, y, z, metres.
        position: Xyz,
        /// Unit quaternion x, y, z, w.
        orientation: Xyzw,
    }

    fn __repr__(&self) -> String {
        let (x, y, z) = self.position;
        format!("<Pose {x}, {y}, {z} m>")
    }
}

impl From<&robolog_core::Pose> for Pose {
    fn from(pose: &robolog_core::Pose) -> Self {
        Self { position: xyz(&pose.position), orientation: xyzw(&pose.orientation) }
    }
}

plain! {
    /// A velocity.
    struct Twist {
        /// Along x, y, z, m/s.
        linear: Xyz,
        /// About x, y, z, rad/s.
        angular: Xyz,
    }
}

plain! {
    /// A pose with a velocity.
    struct Odometry {
        /// The moving frame, in which the velocity is given.
        child_frame_id: String,
        /// Its pose.
        pose: Pose,
        /// Its velocity; None if unknown.
        twist: Option<Twist>,
    }
}

impl From<robolog_core::Odometry> for Odometry {
    fn from(odometry: robolog_core::Odometry) -> Self {
        let twist =
            |twist: &robolog_core::Twist| Twist { linear: xyz(&twist.linear), angular: xyz(&twist.angular) };
        Self {
            pose: Pose::from(&odometry.pose),
            twist: odometry.twist.as_ref().map(twist),
            child_frame_id: odometry.child_frame_id,
        }
    }
}

plain! {
    /// Pose of one coordinate frame in another, the frame of its sample.
    struct Transform {
        /// The child frame.
        child_frame_id: String,
        /// Its origin and axes in the parent frame.
        pose: Pose,
    }
}

impl From<robolog_core::Transform> for Transform {
    fn from(transform: robolog_core::Transform) -> Self {
        Self { pose: Pose::from(&transform.pose), child_frame_id: transform.child_frame_id }
    }
}
