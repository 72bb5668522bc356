//! Poses and what moves.

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

/// An inertial measurement.
#[pyclass(frozen, get_all, module = "pyrobolog")]
pub(crate) struct Imu {
    /// Unit quaternion x, y, z, w; None where it is not measured.
    orientation: Option<Xyzw>,
    /// About x, y, z, rad/s; None where it is not measured.
    angular_velocity: Option<Xyz>,
    /// Along x, y, z with gravity, m/s²; None where it is not measured.
    linear_acceleration: Option<Xyz>,
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

/// A pose in the frame of its sample.
#[pyclass(frozen, get_all, from_py_object, module = "pyrobolog")]
#[derive(Clone)]
pub(crate) struct Pose {
    /// x, y, z, metres.
    position: Xyz,
    /// Unit quaternion x, y, z, w.
    orientation: Xyzw,
}

impl From<&robolog_core::Pose> for Pose {
    fn from(pose: &robolog_core::Pose) -> Self {
        Self { position: xyz(&pose.position), orientation: xyzw(&pose.orientation) }
    }
}

plain! {
    Pose { position: Xyz, orientation: Xyzw }

    fn __repr__(&self) -> String {
        let (x, y, z) = self.position;
        format!("<Pose {x}, {y}, {z} m>")
    }
}

plain!(Imu { orientation: Option<Xyzw>, angular_velocity: Option<Xyz>, linear_acceleration: Option<Xyz> });
plain!(Twist { linear: Xyz, angular: Xyz });
plain!(Odometry { child_frame_id: String, pose: Pose, twist: Option<Twist> });
plain!(Transform { child_frame_id: String, pose: Pose });

/// A velocity.
#[pyclass(frozen, get_all, from_py_object, module = "pyrobolog")]
#[derive(Clone)]
pub(crate) struct Twist {
    /// Along x, y, z, m/s.
    linear: Xyz,
    /// About x, y, z, rad/s.
    angular: Xyz,
}

/// A pose with a velocity.
#[pyclass(frozen, get_all, module = "pyrobolog")]
pub(crate) struct Odometry {
    /// The frame that moves, in which the velocity is given.
    child_frame_id: String,
    /// Where it is.
    pose: Pose,
    /// How fast it is; None where that is not known.
    twist: Option<Twist>,
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

/// Where one coordinate frame lies in another, which is the frame of its sample.
#[pyclass(frozen, get_all, module = "pyrobolog")]
pub(crate) struct Transform {
    /// The frame that is placed.
    child_frame_id: String,
    /// Its origin and axes in the parent frame.
    pose: Pose,
}

impl From<robolog_core::Transform> for Transform {
    fn from(transform: robolog_core::Transform) -> Self {
        Self { pose: Pose::from(&transform.pose), child_frame_id: transform.child_frame_id }
    }
}
