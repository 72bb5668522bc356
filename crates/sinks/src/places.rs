//! Positions in a local frame as places on Earth.

mod grid;
pub(crate) mod mercator;
mod told;
pub(crate) mod utm;

pub use self::told::Pairs;
pub use self::{
    grid::{Grid, LocalFrame},
    told::{Fit, ToldOrigin},
};
use robolog_core::{GnssFix, Odometry, Pose, Value, geodetic::Geodetic};

/// A point on Earth. As the origin of a local frame: its axes point east, north and up there (REP-103).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeoPoint {
    /// Degrees north of the equator, WGS 84.
    pub latitude: f64,
    /// Degrees east of Greenwich, WGS 84.
    pub longitude: f64,
    /// Metres above the ellipsoid.
    pub altitude: f64,
}

impl GeoPoint {
    /// The place of `position`, metres in the local frame. The frame is a tangent plane: the Earth curves away below
    /// it.
    #[must_use]
    pub fn of(&self, [east, north, up]: [f64; 3]) -> Self {
        let (latitude, longitude) = (self.latitude.to_radians(), self.longitude.to_radians());
        let origin = Geodetic { latitude, longitude, height: self.altitude }.to_cartesian();
        let (sin_lat, cos_lat) = latitude.sin_cos();
        let (sin_lon, cos_lon) = longitude.sin_cos();
        let outward = cos_lat * up - sin_lat * north;
        let moved = [
            outward * cos_lon - east * sin_lon,
            outward * sin_lon + east * cos_lon,
            cos_lat * north + sin_lat * up,
        ];
        let [[x, y, z], [dx, dy, dz]] = [origin, moved];
        let Geodetic { latitude, longitude, height } = Geodetic::from_cartesian([x + dx, y + dy, z + dz]);
        Self { latitude: latitude.to_degrees(), longitude: longitude.to_degrees(), altitude: height }
    }
}

impl LocalFrame {
    /// The fix of a pose or odometry in the local frame, with speed and course if the velocity is known; `None` for
    /// other values. The course is relative to the axes of the frame.
    pub fn fix_of(&self, value: &Value) -> Option<GnssFix> {
        let (pose, twist) = match value {
            Value::Pose(pose) => (pose, None),
            Value::Odometry(Odometry { pose, twist, .. }) => (pose, twist.as_ref()),
            _ => return None,
        };
        let Pose { position, orientation } = pose;
        let GeoPoint { latitude, longitude, altitude } = self.place([position.x, position.y, position.z]);
        // A twist is in the axes of the body.
        let velocity = twist.map(|twist| orientation.transform_vector(&twist.linear));
        let over_ground = velocity.map(|v| v.x.hypot(v.y));
        let course = velocity.filter(|v| v.x != 0.0 || v.y != 0.0).map(|v| v.x.atan2(v.y));
        Some(GnssFix {
            latitude,
            longitude,
            altitude: Some(altitude),
            speed: over_ground,
            course: course.map(|course| course.rem_euclid(std::f64::consts::TAU)),
            ..GnssFix::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use robolog_core::Twist;

    use super::*;

    #[test]
    fn places_are_those_of_proj() {
        // From PROJ's topocentric frame (EPSG method 9837).
        let origin = GeoPoint { latitude: 50.0, longitude: 8.0, altitude: 100.0 };
        for (at, want) in [
            ([100.0, 0.0, 0.0], [49.999_999_991_617_45, 8.001_394_760_919_414, 100.000_782_375_223_93]),
            ([0.0, 100.0, 0.0], [50.000_899_031_417_78, 7.999_999_999_999_998, 100.000_784_554_518_76]),
            ([0.0, 0.0, 10.0], [50.0, 8.0, 110.0]),
            (
                [1500.0, -2500.0, 30.0],
                [49.977_522_391_425_794, 8.020_911_565_756_311, 130.666_377_551_853_66],
            ),
            (
                [-12_000.0, 8000.0, -5.0],
                [50.071_801_075_210_02, 7.832_378_972_905_891, 111.287_254_992_872_48],
            ),
        ] {
            let GeoPoint { latitude, longitude, altitude } = origin.of(at);
            let far = [(latitude, want[0], 1e-11), (longitude, want[1], 1e-11), (altitude, want[2], 1e-6)];
            assert!(
                far.iter().all(|(a, b, most)| (a - b).abs() < *most),
                "{latitude} {longitude} {altitude}"
            );
        }
    }

    #[test]
    fn speed_and_course_are_those_over_ground() {
        let pose = Pose::from_euler([0.0, 0.0, 0.0], 0.0, 0.0, std::f64::consts::PI);
        // Forward, which is west, at 3 m/s.
        let twist = Some(Twist { linear: [3.0, 0.0, 0.0].into(), angular: [0.0; 3].into() });
        let origin = GeoPoint { latitude: -33.0, longitude: 151.0, altitude: 0.0 };
        let origin = LocalFrame::new(origin, Grid::Enu);
        let odometry = Odometry::new("base", pose).with_twist(twist);
        let fix = origin.fix_of(&Value::Odometry(odometry)).unwrap();
        assert!((fix.speed.unwrap() - 3.0).abs() < 1e-12);
        assert!((fix.course.unwrap().to_degrees() - 270.0).abs() < 1e-9);
        let fix = origin.fix_of(&Value::Pose(pose)).unwrap();
        assert!((fix.latitude + 33.0).abs() < 1e-12 && fix.speed.is_none());
        assert_eq!(origin.fix_of(&Value::Scalar(1.0)), None);
    }
}
