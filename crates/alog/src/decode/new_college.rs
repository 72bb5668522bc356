//! The messages of the New College data set (2008).

use std::{
    f64::consts::FRAC_PI_2,
    sync::{Arc, LazyLock},
};

use nalgebra::{Rotation2, Vector2, Vector3};
use robolog_core::{Columns as _, Field, LaserScan, Odometry, Pose, Twist};

use super::frame::BODY;
use crate::{Matrix, RawText};

/// `ODOMETRY_POSE` and `RAW_ODOMETRY_POSE`: metres, radians, in a frame with its origin at the start of the log.
///
/// The vehicle's own y axis points ahead: it moves in the direction of yaw plus a quarter turn, by the poses of the
/// published log. The orientation given here has x ahead. `Vel` is `Speed` in the local frame with the opposite sign;
/// it is used without `Speed`. The rate about z is left unknown: see [`yaw_rate_unit`]. [`OdometryFields`] has all numbers
/// unchanged.
pub(super) fn odometry(value: RawText<'_>) -> Option<(Odometry, OdometryFields)> {
    let keys = ["Pose", "Roll", "Pitch", "Speed", "Vel", "RollDot", "PitchDot", "Raw"];
    let [pose, roll, pitch, speed, vel, roll_rate, pitch_rate, raw] = value.get_all(keys);
    let [x, y, yaw] = matrix(pose)?;
    let (vel, raw) = (matrix(vel), matrix(raw));
    let [vel_x, vel_y, vel_yaw] = vel.map_or([None; 3], |vel| vel.map(Some));
    let [raw_distance, raw_yaw] = raw.map_or([None; 2], |raw| raw.map(Some));
    let fields = OdometryFields {
        vel_x,
        vel_y,
        vel_yaw,
        raw_distance,
        raw_yaw,
        speed: number(speed),
        pitch: number(pitch),
        roll: number(roll),
        pitch_rate: number(pitch_rate),
        roll_rate: number(roll_rate),
    };
    let heading = yaw + FRAC_PI_2;
    let body = |[vx, vy, _]: [f64; 3]| Rotation2::new(-heading).transform_vector(&Vector2::new(-vx, -vy));
    let of_speed = fields.speed.map(|speed| Vector2::new(speed, 0.0));
    let linear = of_speed.or_else(|| vel.map(body));
    let [roll_rate, pitch_rate] = [fields.roll_rate, fields.pitch_rate].map(|rate| rate.unwrap_or(f64::NAN));
    let twist = linear.map(|linear| Twist {
        linear: Vector3::new(linear.x, linear.y, 0.0),
        angular: Vector3::new(roll_rate, pitch_rate, f64::NAN),
    });
    let [roll, pitch] = [fields.roll, fields.pitch].map(Option::unwrap_or_default);
    let pose = Pose::from_euler([x, y, 0.0], roll, pitch, heading);
    Some((Odometry::new(BODY, pose).with_twist(twist), fields))
}

fn number(value: Option<RawText<'_>>) -> Option<f64> {
    value?.number()
}

fn matrix<const N: usize>(value: Option<RawText<'_>>) -> Option<[f64; N]> {
    value?.matrix()?.to_vec()?.try_into().ok()
}

robolog_core::row! {
    /// The fields of odometry besides its pose, as in the log.
    pub(super) struct OdometryFields {
        vel_x: Option<f64> ["m/s"],
        vel_y: Option<f64> ["m/s"],
        vel_yaw: Option<f64>,
        raw_distance: Option<f64> ["m"],
        raw_yaw: Option<f64> ["rad"],
        speed: Option<f64> ["m/s"],
        pitch: Option<f64> ["rad"],
        roll: Option<f64> ["rad"],
        pitch_rate: Option<f64> ["rad/s"],
        roll_rate: Option<f64> ["rad/s"],
    }

    /// The fields of a scan besides its ranges, as in the log: angles count from the sensor's right.
    pub(super) struct LaserFields {
        id: Option<i64>,
        scan_count: Option<i64>,
        angle_step: Option<f64> ["deg"],
        offset: Option<f64> ["deg"],
        min_angle: Option<f64> ["deg"],
        max_angle: Option<f64> ["deg"],
    }
}

/// Unit of the third number of `Vel`. In `RAW_ODOMETRY_POSE` it is the Segway's yaw rate, whole 7.8ths of a degree per
/// second, with the opposite sign of the change of yaw: in the published log it follows that change with a correlation of
/// -0.92, one message late. `ODOMETRY_POSE` has the same number wrapped into plus and minus pi as if it were an angle,
/// which has no unit.
pub(super) fn yaw_rate_unit(name: &[u8]) -> Option<&'static str> {
    name.starts_with(b"RAW_").then_some("deg/s")
}

impl OdometryFields {
    /// The columns of a variable.
    pub(super) fn fields_of(name: &[u8]) -> Arc<[Field]> {
        static SHARED: LazyLock<[Arc<[Field]>; 2]> = LazyLock::new(|| {
            [None, yaw_rate_unit(b"RAW_")].map(|unit| {
                let with_unit = |field: &Field| match unit {
                    Some(unit) if field.name == "vel_yaw" => field.clone().with_unit(unit),
                    _ => field.clone(),
                };
                OdometryFields::fields().iter().map(with_unit).collect()
            })
        });
        let [plain, with_unit] = &*SHARED;
        Arc::clone(if yaw_rate_unit(name).is_some() { with_unit } else { plain })
    }
}

/// Units of the messages that are rows, by the page of the data set. `N` and `E` are said to be degrees there, but are
/// metres, as the sample shows.
pub(super) fn unit(variable: &[u8], key: &str) -> Option<&'static str> {
    Some(match (variable, key) {
        (b"GPS" | super::known::CAMERA, "time") | (b"IJOYSTICK_STATUS" | b"IPLATFORM_STATUS", "Uptime") => {
            "s"
        }
        (b"GPS", "N" | "E" | "X" | "Y") => "m",
        (super::known::CAMERA, "Pan" | "Tilt") => "deg",
        (b"IPLATFORM_STATUS", "MainBattery" | "UIBattery") => "V",
        _ => return None,
    })
}

/// The ranges and reflectances of a scan, and its other items.
struct Parts<'a> {
    ranges: Matrix<'a>,
    reflectances: Option<Matrix<'a>>,
    /// Degrees, as all angles here.
    step: f64,
    id: Option<RawText<'a>>,
    scan_count: Option<RawText<'a>>,
    offset: Option<f64>,
    min_angle: f64,
    max_angle: Option<RawText<'a>>,
}

impl<'a> Parts<'a> {
    /// `None` if the count of numbers differs from the stated size, or reflectances from ranges.
    fn of(value: RawText<'a>) -> Option<Self> {
        let keys = ["ID", "angRes", "offset", "minAngle", "maxAngle", "scanCount", "Range", "Reflectance"];
        let [id, step, offset, min_angle, max_angle, scan_count, ranges, reflectances] = value.get_all(keys);
        let whole = |matrix: &Matrix<'_>| matrix.len() == Some(matrix.count());
        let ranges = ranges?.matrix().filter(|ranges| whole(ranges) && !ranges.is_empty())?;
        let reflectances = reflectances.and_then(RawText::matrix);
        if reflectances.is_some_and(|matrix| !whole(&matrix) || matrix.len() != ranges.len()) {
            return None;
        }
        let (step, offset, min_angle) = (number(step)?, number(offset), number(min_angle)?);
        Some(Self { ranges, reflectances, step, id, scan_count, offset, min_angle, max_angle })
    }

    fn fields(&self) -> LaserFields {
        let int = |value: Option<RawText<'_>>| value?.text()?.trim().parse::<i64>().ok();
        LaserFields {
            id: int(self.id),
            scan_count: int(self.scan_count),
            angle_step: Some(self.step),
            offset: self.offset,
            min_angle: Some(self.min_angle),
            max_angle: number(self.max_angle),
        }
    }
}

/// Number of ranges of a scan; `None` if [`laser`] returns none. `scanCount` is not it: that is a counter from 0 to
/// 255.
pub(super) fn beams(value: RawText<'_>) -> Option<usize> {
    Parts::of(value)?.ranges.len()
}

/// Mirror turns per second of a SICK LMS 291-S14, each a scan: 90 degrees in steps of half a degree, by the paper of
/// the data set (Smith et al., "The New College Vision and Laser Data Set", 2009) and SICK's technical description of
/// the LMS 2xx.
const TURNS: f64 = 75.0;
/// Its smallest and largest range, metres.
const LIMITS: (f32, f32) = (0.01, 80.0);
/// Steps finer than this, degrees, come from several interleaved turns.
const STEP: f64 = 0.5;

/// `LMS_LASER_2D_LEFT` and `_RIGHT`: a SICK LMS 291-S14. Ranges below zero are error codes and become NaN; a range of
/// zero is no return either.
///
/// The file's angles count from the sensor's right; here 0 is the middle of its field of view.
#[expect(clippy::cast_possible_truncation, reason = "scans hold single precision")]
pub(super) fn laser(value: RawText<'_>) -> Option<(LaserScan, LaserFields)> {
    let parts = Parts::of(value)?;
    let Parts { ranges, reflectances, step, offset, min_angle, .. } = parts;
    // Scans with finer steps consist of several, each with an offset.
    let first = min_angle + offset.unwrap_or_default();
    let time_increment = if step >= STEP { step / 360.0 / TURNS } else { 0.0 };
    let scan = LaserScan {
        angle_min: (first - 90.0).to_radians() as f32,
        angle_increment: step.to_radians() as f32,
        time_increment: time_increment as f32,
        scan_time: (1.0 / TURNS) as f32,
        range_min: LIMITS.0,
        range_max: LIMITS.1,
        ranges: numbers(&ranges, |range| if range < 0.0 { f32::NAN } else { range as f32 }),
        intensities: reflectances.map(|matrix| numbers(&matrix, |number| number as f32)).unwrap_or_default(),
    };
    Some((scan, parts.fields()))
}

/// The numbers of a matrix that has as many as it states.
fn numbers(matrix: &Matrix<'_>, number: impl Fn(f64) -> f32) -> Vec<f32> {
    let mut numbers = Vec::with_capacity(matrix.len().unwrap_or(0));
    numbers.extend(matrix.values().map(number));
    numbers
}
