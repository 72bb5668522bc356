//! The messages of the New College data set (2008).

use std::f64::consts::FRAC_PI_2;

use nalgebra::Vector3;
use robolog_core::{LaserScan, Odometry, Pose, Twist};

use crate::Value;

/// Beams of the scanners, whatever `scanCount` says: that is a number that runs from 0 to 255.
pub(super) const BEAMS: usize = 181;

/// `ODOMETRY_POSE` and `RAW_ODOMETRY_POSE`: metres, radians, in a frame that begins where the log does.
///
/// The vehicle's own y axis points ahead: it moves in the direction of yaw plus a quarter turn, by the poses of the
/// published log. The orientation given here has x ahead. `Vel` has the opposite sign of that movement there, and its
/// third number is not a rate; the velocity is therefore taken from `Speed`, and the rate about z is not known.
pub(super) fn odometry(value: Value<'_>) -> Option<Odometry> {
    let pose = value.get_matrix("Pose")?.to_vec()?;
    let [x, y, yaw] = pose[..] else { return None };
    let number = |key| value.get_number(key);
    let (roll, pitch) = (number("Roll").unwrap_or_default(), number("Pitch").unwrap_or_default());
    let rate = |key| number(key).unwrap_or(f64::NAN);
    let twist = number("Speed").map(|speed| Twist {
        linear: Vector3::new(speed, 0.0, 0.0),
        angular: Vector3::new(rate("RollDot"), rate("PitchDot"), f64::NAN),
    });
    let pose = Pose::from_euler([x, y, 0.0], roll, pitch, yaw + FRAC_PI_2);
    Some(Odometry { child_frame_id: "base_link".into(), pose, twist })
}

/// `LMS_LASER_2D_LEFT` and `_RIGHT`: a SICK LMS, 90 degrees ahead. Ranges below zero are error codes and become NaN.
///
/// The file's angles count from the sensor's right; here 0 is ahead.
#[expect(clippy::cast_possible_truncation, reason = "scans hold single precision")]
pub(super) fn laser(value: Value<'_>) -> Option<LaserScan> {
    let ranges = value.get_matrix("Range")?;
    let ranges: Vec<f32> = ranges.values().map(|r| if r < 0.0 { f32::NAN } else { r as f32 }).collect();
    let reflectance = value.get_matrix("Reflectance");
    let degrees = |key| value.get_number(key);
    let (first, step) = (degrees("minAngle")?, degrees("angRes")?);
    Some(LaserScan {
        angle_min: (first - 90.0).to_radians() as f32,
        angle_increment: step.to_radians() as f32,
        range_min: 0.0,
        range_max: 80.0,
        intensities: reflectance.map(|r| r.values().map(|v| v as f32).collect()).unwrap_or_default(),
        ranges,
        ..LaserScan::default()
    })
}
