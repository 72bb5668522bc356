//! Position, orientation and motion of a body.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

/// Position and orientation of a body in a reference frame.
///
/// ```
/// use robolog_core::Pose;
/// let in_map = Pose::from_euler([10.0, 0.0, 0.0], 0.0, 0.0, std::f64::consts::PI);
/// let mount = Pose::from_euler([1.5, 0.0, 0.8], 0.0, 0.0, 0.0);
/// let sensor: Pose = (in_map.isometry() * mount.isometry()).into();
/// assert!((sensor.position - nalgebra::Vector3::new(8.5, 0.0, 0.8)).norm() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Metres.
    pub position: Vector3<f64>,
    /// Rotation from the body's axes to those of the reference frame.
    pub orientation: UnitQuaternion<f64>,
}

impl Pose {
    /// At the origin, unrotated.
    pub fn identity() -> Self {
        Self { position: Vector3::zeros(), orientation: UnitQuaternion::identity() }
    }

    /// From a position and roll, pitch and yaw in radians: rotations about x, then y, then z of the fixed frame.
    ///
    /// ```
    /// use robolog_core::Pose;
    /// let left = Pose::from_euler([1.0, 2.0, 3.0], 0.0, 0.0, std::f64::consts::FRAC_PI_2);
    /// let p = left.isometry() * nalgebra::Point3::new(1.0, 0.0, 0.0);
    /// assert!((p - nalgebra::Point3::new(1.0, 3.0, 3.0)).norm() < 1e-12);
    /// ```
    pub fn from_euler(position: [f64; 3], roll: f64, pitch: f64, yaw: f64) -> Self {
        Self { position: position.into(), orientation: UnitQuaternion::from_euler_angles(roll, pitch, yaw) }
    }

    /// As a rigid transform from body to reference frame coordinates.
    pub fn isometry(&self) -> Isometry3<f64> {
        Isometry3::from_parts(Translation3::from(self.position), self.orientation)
    }
}

impl From<Isometry3<f64>> for Pose {
    fn from(iso: Isometry3<f64>) -> Self {
        Self { position: iso.translation.vector, orientation: iso.rotation }
    }
}

/// Linear and angular velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Twist {
    /// Metres per second.
    pub linear: Vector3<f64>,
    /// Radians per second.
    pub angular: Vector3<f64>,
}

/// A pose and the velocity there, in the body's own axes.
///
/// ```
/// use nalgebra::Vector3;
/// use robolog_core::{Odometry, Pose, Twist};
/// let twist = Twist { linear: Vector3::new(2.0, 0.0, 0.0), angular: Vector3::zeros() };
/// let odometry = Odometry::new("base_link", Pose::identity()).with_twist(twist);
/// // Straight ahead, whatever its heading: the velocity is in the body's axes.
/// assert_eq!(odometry.twist.map(|twist| twist.linear.x), Some(2.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Odometry {
    /// Name of the moving frame, such as `base_link`.
    pub child_frame_id: String,
    /// Pose of the body.
    pub pose: Pose,
    /// Velocity of the body, if known.
    pub twist: Option<Twist>,
}

impl Odometry {
    /// The pose of the frame of this name, without a velocity.
    pub fn new(child_frame_id: impl Into<String>, pose: Pose) -> Self {
        Self { child_frame_id: child_frame_id.into(), pose, twist: None }
    }

    /// With this velocity.
    #[must_use]
    pub fn with_twist(self, twist: impl Into<Option<Twist>>) -> Self {
        Self { twist: twist.into(), ..self }
    }
}

#[cfg(feature = "serde")]
mod ser {
    //! In the form of ROS's geometry messages: `{x, y, z}` and `{x, y, z, w}`.
    use nalgebra::{UnitQuaternion, Vector3};
    use serde::{Serialize, Serializer, ser::SerializeStruct as _};

    #[derive(Serialize)]
    pub(crate) struct Xyz {
        x: f64,
        y: f64,
        z: f64,
    }

    impl From<&Vector3<f64>> for Xyz {
        fn from(v: &Vector3<f64>) -> Self {
            Self { x: v.x, y: v.y, z: v.z }
        }
    }

    #[derive(Serialize)]
    pub(crate) struct Xyzw {
        x: f64,
        y: f64,
        z: f64,
        w: f64,
    }

    impl From<&UnitQuaternion<f64>> for Xyzw {
        fn from(q: &UnitQuaternion<f64>) -> Self {
            Self { x: q.i, y: q.j, z: q.k, w: q.w }
        }
    }

    impl Serialize for super::Pose {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut s = serializer.serialize_struct("Pose", 2)?;
            s.serialize_field("position", &Xyz::from(&self.position))?;
            s.serialize_field("orientation", &Xyzw::from(&self.orientation))?;
            s.end()
        }
    }

    impl Serialize for super::Twist {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut s = serializer.serialize_struct("Twist", 2)?;
            s.serialize_field("linear", &Xyz::from(&self.linear))?;
            s.serialize_field("angular", &Xyz::from(&self.angular))?;
            s.end()
        }
    }
}

#[cfg(feature = "serde")]
pub(crate) use ser::{Xyz, Xyzw};
