//! The messages of the New College data set (2008).

use std::f64::consts::FRAC_PI_2;

use nalgebra::{Rotation2, Vector2, Vector3};
use robolog_core::{Cell, Field, FieldKind, LaserScan, Odometry, Pose, Twist};

use super::frame::BODY;
use crate::{Matrix, Value};

/// `ODOMETRY_POSE` and `RAW_ODOMETRY_POSE`: metres, radians, in a frame that begins where the log does.
///
/// The vehicle's own y axis points ahead: it moves in the direction of yaw plus a quarter turn, by the poses of the
/// published log. The orientation given here has x ahead. `Vel` is `Speed` in the local frame with the opposite sign; it
/// counts where there is no `Speed`. Its third number is not a rate of yaw: in the published log it has nothing to do with
/// the change of yaw. The rate about z is therefore not known. [`odometry_fields`] has all of it as it stands.
pub(super) fn odometry(value: Value<'_>) -> Option<Odometry> {
    let [x, y, yaw] = triple(value, "Pose")?;
    let number = |key| value.get_number(key);
    let (roll, pitch) = (number("Roll").unwrap_or_default(), number("Pitch").unwrap_or_default());
    let heading = yaw + FRAC_PI_2;
    let body = |[vx, vy, _]: [f64; 3]| Rotation2::new(-heading).transform_vector(&Vector2::new(-vx, -vy));
    let of_speed = number("Speed").map(|speed| Vector2::new(speed, 0.0));
    let linear = of_speed.or_else(|| triple(value, "Vel").map(body));
    let rate = |key| number(key).unwrap_or(f64::NAN);
    let twist = linear.map(|linear| Twist {
        linear: Vector3::new(linear.x, linear.y, 0.0),
        angular: Vector3::new(rate("RollDot"), rate("PitchDot"), f64::NAN),
    });
    let pose = Pose::from_euler([x, y, 0.0], roll, pitch, heading);
    Some(Odometry { child_frame_id: BODY.into(), pose, twist })
}

fn triple(value: Value<'_>, key: &str) -> Option<[f64; 3]> {
    value.get_matrix(key)?.to_vec()?.try_into().ok()
}

const fn float(name: &'static str, unit: &'static str) -> Field {
    Field::new(name, FieldKind::Float).with_unit(unit)
}

/// The columns of [`odometry_fields`].
pub(super) static ODOMETRY_FIELDS: [Field; 10] = [
    float("vel_x", "m/s"),
    float("vel_y", "m/s"),
    float("vel_yaw", "rad/s"),
    float("raw_distance", "m"),
    float("raw_yaw", "rad"),
    float("speed", "m/s"),
    float("pitch", "rad"),
    float("roll", "rad"),
    float("pitch_rate", "rad/s"),
    float("roll_rate", "rad/s"),
];

/// What odometry says beside its pose, as it stands in the log.
pub(super) fn odometry_fields(value: Value<'_>) -> [Cell; 10] {
    let [vx, vy, vyaw] = triple(value, "Vel").map_or([None; 3], |v| v.map(Some));
    let raw = value.get_matrix("Raw").and_then(|raw| <[f64; 2]>::try_from(raw.to_vec()?).ok());
    let [distance, yaw] = raw.map_or([None; 2], |r| r.map(Some));
    let number = |key| value.get_number(key);
    [
        vx,
        vy,
        vyaw,
        distance,
        yaw,
        number("Speed"),
        number("Pitch"),
        number("Roll"),
        number("PitchDot"),
        number("RollDot"),
    ]
    .map(Cell::from)
}

/// The ranges and reflectances of a scan, and its first angle and the step between angles in degrees.
struct Parts<'a> {
    ranges: Matrix<'a>,
    reflectances: Option<Matrix<'a>>,
    first: f64,
    step: f64,
}

impl<'a> Parts<'a> {
    /// `None` where there are not as many numbers as said, or not as many reflectances as ranges.
    fn of(value: Value<'a>) -> Option<Self> {
        let whole = |matrix: &Matrix<'_>| matrix.len() == Some(matrix.count());
        let ranges = value.get_matrix("Range").filter(|ranges| whole(ranges) && !ranges.is_empty())?;
        let reflectances = value.get_matrix("Reflectance");
        if reflectances.is_some_and(|matrix| !whole(&matrix) || matrix.len() != ranges.len()) {
            return None;
        }
        // Scans of finer steps are made of several, each with an offset.
        let first = value.get_number("minAngle")? + value.get_number("offset").unwrap_or_default();
        Some(Self { ranges, reflectances, first, step: value.get_number("angRes")? })
    }
}

/// How many ranges a scan has; `None` where [`laser`] gives none. Whatever `scanCount` says: that is a number that runs
/// from 0 to 255.
pub(super) fn beams(value: Value<'_>) -> Option<usize> {
    Parts::of(value)?.ranges.len()
}

/// `LMS_LASER_2D_LEFT` and `_RIGHT`: a SICK LMS. Ranges below zero are error codes and become NaN.
///
/// The file's angles count from the sensor's right; here 0 is the middle of its field of view.
#[expect(clippy::cast_possible_truncation, reason = "scans hold single precision")]
pub(super) fn laser(value: Value<'_>) -> Option<LaserScan> {
    let Parts { ranges, reflectances, first, step } = Parts::of(value)?;
    let ranges: Vec<f32> = ranges.values().map(|r| if r < 0.0 { f32::NAN } else { r as f32 }).collect();
    Some(LaserScan {
        angle_min: (first - 90.0).to_radians() as f32,
        angle_increment: step.to_radians() as f32,
        range_min: 0.0,
        range_max: 80.0,
        intensities: reflectances.map(|r| r.values().map(|v| v as f32).collect()).unwrap_or_default(),
        ranges,
        ..LaserScan::default()
    })
}

/// The columns of [`laser_fields`].
pub(super) static LASER_FIELDS: [Field; 6] = [
    Field::new("id", FieldKind::Int),
    Field::new("scan_count", FieldKind::Int),
    float("angle_step", "deg"),
    float("offset", "deg"),
    float("min_angle", "deg"),
    float("max_angle", "deg"),
];

/// What a scan says beside its ranges, as it stands in the log: angles count from the sensor's right.
pub(super) fn laser_fields(value: Value<'_>) -> [Cell; 6] {
    let int = |key| value.get(key).and_then(|v| v.text()?.trim().parse::<i64>().ok()).into();
    let number = |key| value.get_number(key).into();
    [int("ID"), int("scanCount"), number("angRes"), number("offset"), number("minAngle"), number("maxAngle")]
}
