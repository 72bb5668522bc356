//! Inertial measurements.

use nalgebra::{UnitQuaternion, Vector3};

/// A measurement of an inertial measurement unit; `None` for quantities it does not report.
///
/// ```
/// use robolog_core::Imu;
/// let at_rest = Imu::from_g([0.0, 0.0, 0.01], [0.0, 0.0, 1.0]);
/// assert_eq!(at_rest.linear_acceleration.map(|a| a.z), Some(9.80665));
/// assert!(at_rest.orientation.is_none());
/// ```
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Imu {
    /// From the sensor's axes to a frame whose z points up.
    pub orientation: Option<UnitQuaternion<f64>>,
    /// Radians per second, about the sensor's axes; NaN for an axis that is not measured.
    pub angular_velocity: Option<Vector3<f64>>,
    /// Metres per second squared, gravity included: a sensor at rest reads +9.81 upwards.
    pub linear_acceleration: Option<Vector3<f64>>,
    /// Makes `..Default::default()` necessary in a literal: a new field breaks nobody's code.
    #[doc(hidden)]
    pub more: (),
}

debug_without_more!(Imu { orientation, angular_velocity, linear_acceleration });

impl Imu {
    /// One standard gravity in m/s², for sensors that report in g.
    pub const STANDARD_GRAVITY: f64 = 9.806_65;

    /// From angular velocity in rad/s and acceleration in g.
    pub fn from_g(angular_velocity: [f32; 3], acceleration: [f32; 3]) -> Self {
        Self {
            angular_velocity: Some(Vector3::from(angular_velocity.map(f64::from))),
            linear_acceleration: Some(Vector3::from(
                acceleration.map(|a| f64::from(a) * Self::STANDARD_GRAVITY),
            )),
            ..Self::default()
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Imu {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use crate::pose::{Xyz, Xyzw};
        use serde::ser::SerializeStruct as _;
        let mut s = serializer.serialize_struct("Imu", 3)?;
        s.serialize_field("orientation", &self.orientation.as_ref().map(Xyzw::from))?;
        s.serialize_field("angular_velocity", &self.angular_velocity.as_ref().map(Xyz::from))?;
        s.serialize_field("linear_acceleration", &self.linear_acceleration.as_ref().map(Xyz::from))?;
        s.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sensor_at_rest_reads_gravity_in_metres() {
        let imu = Imu::from_g([0.5, 0.0, 0.0], [0.0, 0.0, 1.0]);
        assert_eq!(imu.linear_acceleration.unwrap(), Vector3::new(0.0, 0.0, 9.806_65));
        assert_eq!(imu.angular_velocity.unwrap().x.to_bits(), 0.5f64.to_bits());
    }
}
