//! Conversion between Unreal's axes and units and those of robots; the only place for it.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use robolog_core::{Pose, Twist};

use crate::layout::{Kinematics, Position, Rotation, Vector};

/// Axes and units of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Axes {
    /// Right-handed, x forward, y left, z up; metres, radians: [REP-103](https://www.ros.org/reps/rep-0103.html).
    #[default]
    Ros,
    /// As in the file: left-handed, x forward, y right, z up; centimetres, degrees.
    Unreal,
}

impl Axes {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Ros, Self::Unreal];

    /// Name of the option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ros => "ros",
            Self::Unreal => "unreal",
        }
    }
}

robolog_core::names!(Axes, "set of axes");

impl Axes {
    /// A length in centimetres.
    pub fn length(self, centimetres: f64) -> f64 {
        if self == Self::Ros { centimetres / 100.0 } else { centimetres }
    }

    /// An angle in degrees whose sense of rotation is the same.
    pub fn angle(self, degrees: f64) -> f64 {
        if self == Self::Ros { degrees.to_radians() } else { degrees }
    }

    /// A location in centimetres.
    pub fn location(self, v: Vector) -> Vector3<f64> {
        match self {
            // Divided, not multiplied by 0.01, so that round centimetres give round metres.
            Self::Ros => Vector3::new(v.x, turned(v.y), v.z).map(|v| v / 100.0),
            Self::Unreal => v.to_array().into(),
        }
    }

    /// A velocity in metres per second.
    pub fn velocity(self, v: Vector) -> Vector3<f64> {
        match self {
            Self::Ros => Vector3::new(v.x, turned(v.y), v.z),
            Self::Unreal => v.to_array().into(),
        }
    }

    /// An angular velocity in degrees per second. A mirrored axis reverses rotation: x and z change sign, y does not.
    pub fn angular_velocity(self, v: Vector) -> Vector3<f64> {
        match self {
            Self::Ros => Vector3::new(turned(v.x), v.y, turned(v.z)).map(f64::to_radians),
            Self::Unreal => v.to_array().into(),
        }
    }

    /// Roll, pitch and yaw in degrees.
    pub fn euler(self, r: Rotation) -> [f64; 3] {
        match self {
            Self::Ros => [r.roll, turned(r.pitch), turned(r.yaw)].map(f64::to_radians),
            Self::Unreal => r.to_array(),
        }
    }

    /// The mean velocity between two poses in these axes, in metres per second; `None` if they have the same time.
    pub(crate) fn velocity_between(self, from: &Pose, to: &Pose, seconds: f64) -> Option<Vector3<f64>> {
        let metres = if self == Self::Ros { 1.0 } else { 0.01 };
        (seconds > 0.0)
            .then(|| to.position.zip_map(&from.position, |to, from| (to - from) * metres / seconds))
    }

    /// The mean acceleration between two velocities; `None` if they have the same time.
    pub(crate) fn acceleration(from: Vector3<f64>, to: Vector3<f64>, seconds: f64) -> Option<Vector3<f64>> {
        (seconds > 0.0).then(|| to.zip_map(&from, |to, from| (to - from) / seconds))
    }

    /// Half the size of a box.
    pub fn extent(self, v: Vector) -> Vector3<f64> {
        Vector3::from(v.to_array()).map(|v| self.length(v))
    }

    /// The pose of a body. In Unreal's axes the quaternion is Unreal's own.
    pub fn pose(self, location: Vector, rotation: Rotation) -> Pose {
        Pose { position: self.location(location), orientation: self.orientation(rotation) }
    }

    /// The orientation of a body.
    pub(crate) fn orientation(self, rotation: Rotation) -> UnitQuaternion<f64> {
        Orientation::default().turn(self.angles(rotation))
    }

    /// Roll, pitch and yaw in radians, about the axes of the orientation.
    pub(super) fn angles(self, rotation: Rotation) -> [f64; 3] {
        match self {
            Self::Ros => self.euler(rotation),
            Self::Unreal => [-rotation.roll, -rotation.pitch, rotation.yaw].map(f64::to_radians),
        }
    }

    /// The twist of a body at `position`, in its own axes.
    pub fn twist(self, position: &Position, kinematics: &Kinematics) -> Twist {
        self.twist_of(self.orientation(position.rotation), kinematics)
    }

    /// The twist of a body with this orientation, in its own axes.
    pub(crate) fn twist_of(self, orientation: UnitQuaternion<f64>, kinematics: &Kinematics) -> Twist {
        let to_body = orientation.inverse();
        Twist {
            linear: to_body.transform_vector(&self.velocity(kinematics.linear_velocity)),
            angular: to_body.transform_vector(&self.angular_velocity(kinematics.angular_velocity)),
        }
    }

    /// Location and rotation, in the file's axes and units, of a pose in right-handed metres.
    pub fn to_unreal(pose: &Pose) -> (Vector, Rotation) {
        let p = pose.position.map(|v| v * 100.0);
        let (roll, pitch, yaw) = pose.orientation.euler_angles();
        let rotation = [roll, -pitch, -yaw].map(f64::to_degrees);
        (Vector { x: p.x, y: -p.y, z: p.z }, rotation.into())
    }
}

/// The orientation of a body that turns. Only angles that changed are computed: most actors of a town stand still, and
/// others turn about one axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Orientation {
    /// Of each angle: the sine of its half, the angle, and the cosine of its half. The angle stands between them because
    /// neighbours are loaded at once, which waits until both are stored.
    halves: [(f64, f64, f64); 3],
    quaternion: UnitQuaternion<f64>,
}

impl Default for Orientation {
    /// Unrotated.
    fn default() -> Self {
        Self { halves: [(0.0, 0.0, 1.0); 3], quaternion: UnitQuaternion::identity() }
    }
}

impl Orientation {
    /// Turns to roll, pitch and yaw.
    pub(super) fn turn(&mut self, angles: [f64; 3]) -> UnitQuaternion<f64> {
        let mut is_same = true;
        for (half, angle) in self.halves.iter_mut().zip(angles) {
            if half.1.to_bits() != angle.to_bits() {
                let (sin, cos) = (angle * 0.5).sin_cos();
                (*half, is_same) = ((sin, angle, cos), false);
            }
        }
        if !is_same {
            let [(sr, _, cr), (sp, _, cp), (sy, _, cy)] = self.halves;
            // As in `UnitQuaternion::from_euler_angles`.
            let w = cr * cp * cy + sr * sp * sy;
            let x = sr * cp * cy - cr * sp * sy;
            let y = cr * sp * cy + sr * cp * sy;
            let z = cr * cp * sy - sr * sp * cy;
            self.quaternion = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
        }
        self.quaternion
    }
}

/// The negated number, without a negative zero.
fn turned(v: f64) -> f64 {
    0.0 - v
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Point3;

    /// From Unreal's documentation of `FRotator`: positive yaw turns right, pitch lifts the nose, roll lowers the
    /// right side.
    #[test]
    fn rotations_turn_as_unreal_says() {
        let front_right_up = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]].map(Point3::from);
        let [front, right, up] = front_right_up;
        let turned =
            |roll, pitch, yaw| Axes::Ros.pose(Vector::default(), Rotation { roll, pitch, yaw }).isometry();
        let near = |a: Point3<f64>, b: Point3<f64>| (a - b).norm() < 1e-12;
        assert!(near(turned(0.0, 0.0, 90.0) * front, right));
        assert!(near(turned(0.0, 90.0, 0.0) * front, up));
        assert!(near(turned(90.0, 0.0, 0.0) * up, right), "the top goes to the right");
        let p = Axes::Ros.pose(Vector { x: 150.0, y: 200.0, z: -50.0 }, Rotation::default());
        assert_eq!(p.position, Vector3::new(1.5, -2.0, -0.5));
    }

    #[test]
    fn an_orientation_after_another_is_that_of_its_angles() {
        let mut last = Orientation::default();
        let turns =
            [[0.0; 3], [-0.0, 0.0, 0.5], [-0.0, 0.0, 0.7], [1.1, -0.3, 0.7], [0.1, -0.3, 9.0], [0.0; 3]];
        for angles in turns {
            let [roll, pitch, yaw] = angles;
            let bits = |q: UnitQuaternion<f64>| q.coords.map(f64::to_bits);
            let want = bits(UnitQuaternion::from_euler_angles(roll, pitch, yaw));
            assert_eq!((bits(last.turn(angles)), bits(Orientation::default().turn(angles))), (want, want));
        }
    }

    #[test]
    fn there_and_back_is_the_same() {
        let location = Vector { x: 1234.5, y: -987.25, z: 33.0 };
        let rotation = Rotation { roll: 3.0, pitch: -12.0, yaw: 155.0 };
        let (l, r) = Axes::to_unreal(&Axes::Ros.pose(location, rotation));
        for (a, b) in l
            .to_array()
            .into_iter()
            .chain(r.to_array())
            .zip(location.to_array().into_iter().chain(rotation.to_array()))
        {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
    }
}
