//! Distance, climb, time in motion and speeds of what a recording tracks.

#![allow(clippy::cast_precision_loss, reason = "counters and nanoseconds become numbers for people")]

mod ground;
mod path;
mod seen;
mod speed;

use robolog_core::{FixQuality, Geometry, GnssFix, Odometry, Pose, Position as OnEarth, Sample, Value};
use serde::Serialize;

pub use self::{
    ground::{Ground, degree},
    path::{Leg, Path},
    seen::{late_channels, survey_with_journey},
};

/// Distance, climb, time in motion and speeds of a recording's track.
///
/// ```
/// use robolog_convert::{Input, journey::survey_with_journey};
/// let open = || Input::open("examples/moosivp.alog");
/// let surveyed = survey_with_journey(&open, None, true, &mut |_| {})?;
/// println!("{:?}", surveyed.journey.map(|journey| journey.distance_m));
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Journey {
    /// Metres travelled, in plan.
    pub distance_m: f64,
    /// Metres up and down, in steps of [`climb_step_m`](Self::climb_step_m); `None` without a change of altitude.
    pub ascent_m: Option<f64>,
    /// See [`ascent_m`](Self::ascent_m).
    pub descent_m: Option<f64>,
    /// The change of altitude from which on climb counts: less is noise of barometers and receivers.
    pub climb_step_m: f64,
    /// Seconds in motion, faster than [`moving_above_mps`](Self::moving_above_mps); `None` below a second.
    pub moving_s: Option<f64>,
    /// The speed up to which a track stands, metres per second: 1 km/h.
    pub moving_above_mps: f64,
    /// Mean speed in motion, metres per second.
    pub mean_speed_mps: Option<f64>,
    /// Greatest speed, metres per second.
    pub greatest_speed_mps: Option<f64>,
}

/// A recording of fewer seconds is of one moment: its times tell the order of positions, and no speed.
pub const MOMENT: f64 = 1e-3;

/// Maximum number of paths of a recording.
pub const PATHS: usize = 300;

impl Journey {
    /// The figures of the paths of a recording: of its own odometry, else of its fixes. None of several vehicles, and
    /// none of separate places.
    pub fn new<'a>(paths: impl Iterator<Item = (&'a str, &'a Path)>) -> Option<Self> {
        let is_path = |(name, path): &(&str, &Path)| path.length() > 1.0 && !path.is_places(name);
        let all: Vec<&Path> = paths.filter(is_path).map(|(_, path)| path).collect();
        let of =
            |ground| -> Vec<&Path> { all.iter().copied().filter(|path| path.ground() == ground).collect() };
        let (local, earth) = (of(Ground::Local), of(Ground::Earth));
        let mut paths = if local.is_empty() { earth } else { local };
        // Beside a track, routes without times are plans.
        if paths.iter().any(|path| path.is_timed()) {
            paths.retain(|path| path.is_timed());
            paths = one_after_another(paths)?;
        } else if paths.first().is_some_and(|path| path.ground() == Ground::Local && paths.len() > 1) {
            return None;
        }
        (!paths.is_empty()).then(|| Self::of(&paths))
    }

    fn of(paths: &[&Path]) -> Self {
        let sum = |value: fn(&Path) -> f64| paths.iter().map(|path| value(path)).sum::<f64>();
        let (ascent, descent) = (sum(|path| path.ascent), sum(|path| path.descent));
        let climbs = ascent > 0.0 || descent > 0.0;
        // Over less than a second, noise of the stamps would be the speed.
        let moving = Some(sum(|path| path.moving)).filter(|moving| *moving >= 1.0);
        Self {
            distance_m: sum(Path::length),
            ascent_m: climbs.then_some(ascent),
            descent_m: climbs.then_some(descent),
            climb_step_m: path::CLIMB,
            moving_s: moving,
            moving_above_mps: path::STANDS,
            mean_speed_mps: moving.map(|moving| sum(|path| path.moved) / moving),
            greatest_speed_mps: moving.map(|_| paths.iter().map(|path| path.greatest).fold(0.0, f64::max)),
        }
    }
}

/// The paths without those that repeat another one at the same time. `None` if paths that overlap in time differ: they
/// belong to several vehicles.
fn one_after_another(paths: Vec<&Path>) -> Option<Vec<&Path>> {
    let mut kept: Vec<&Path> = Vec::new();
    for path in paths {
        match kept.iter().find(|known| known.is_beside(path)) {
            None => kept.push(path),
            Some(known) if known.is_like(path) => {}
            Some(_) => return None,
        }
    }
    Some(kept)
}

/// A position of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Position {
    /// What its coordinates are.
    pub ground: Ground,
    /// Metres, or degrees of longitude.
    pub x: f64,
    /// Metres, or degrees of latitude.
    pub y: f64,
    /// Metres above the recording's datum; NaN if not recorded.
    pub altitude: f64,
    /// Recorded speed, metres per second.
    pub speed: Option<f64>,
    /// Heading, radians from x to y.
    pub yaw: Option<f64>,
    /// Horizontal dilution of precision.
    pub hdop: Option<f64>,
}

impl Position {
    fn new(ground: Ground, x: f64, y: f64) -> Self {
        Self { ground, x, y, altitude: f64::NAN, speed: None, yaw: None, hdop: None }
    }

    /// The position of a fix, if it has one on Earth.
    pub fn of_fix(fix: &GnssFix) -> Option<Self> {
        let is_place = is_on_earth(fix.latitude, fix.longitude) && fix.quality != FixQuality::None;
        is_place.then(|| Self {
            altitude: fix.altitude_msl.or(fix.altitude).unwrap_or(f64::NAN),
            speed: fix.speed,
            // From clockwise from north to counterclockwise from east.
            yaw: fix.course.map(|course| std::f64::consts::FRAC_PI_2 - course),
            hdop: fix.hdop,
            ..Self::new(Ground::Earth, fix.longitude, fix.latitude)
        })
    }

    /// The position of a vehicle in the recording's own frame.
    pub fn of_odometry(odometry: &Odometry) -> Self {
        let at = odometry.pose.position;
        Self {
            altitude: at.z,
            speed: odometry.twist.map(|twist| twist.linear.norm()),
            yaw: Some(odometry.pose.orientation.euler_angles().2),
            ..Self::new(Ground::Local, at.x, at.y)
        }
    }

    /// The position of a pose.
    pub fn of_pose(pose: &Pose) -> Self {
        Self::new(Ground::Local, pose.position.x, pose.position.y)
    }

    /// The position of a corner of a line, if it is on Earth.
    pub fn of_place(place: &OnEarth) -> Option<Self> {
        let at = Self::new(Ground::Earth, place.longitude, place.latitude);
        is_on_earth(place.latitude, place.longitude)
            .then(|| Self { altitude: place.altitude_msl.unwrap_or(f64::NAN), ..at })
    }

    /// The position of a sample that is one.
    pub fn of(sample: &Sample) -> Option<Self> {
        match &sample.value {
            Value::GnssFix(fix) => Self::of_fix(fix),
            Value::Odometry(odometry) => Some(Self::of_odometry(odometry)),
            Value::Pose(pose) => Some(Self::of_pose(pose)),
            Value::Feature(feature) => match &feature.geometry {
                Geometry::Point(place) => Self::of_place(place),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether a line is the border of an area.
pub fn is_ring(line: &[OnEarth]) -> bool {
    line.len() > 3 && line.first() == line.last()
}

fn is_on_earth(latitude: f64, longitude: f64) -> bool {
    (-90.0..=90.0).contains(&latitude) && (-360.0..=360.0).contains(&longitude)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path north over these metres, a second each, from this time on.
    fn north(ground: Ground, from: f64, metres: &[f64]) -> Path {
        let (degree, _) = degree(47.0);
        let mut path = Path::new(ground);
        for (n, metres) in metres.iter().enumerate() {
            let y = if ground == Ground::Earth { 47.0 + metres / degree } else { *metres };
            path.push(Some(from + n as f64), &Position::new(ground, 8.0, y), 1.0);
        }
        path
    }

    fn distance(paths: &[(&str, &Path)]) -> Option<i64> {
        let journey = Journey::new(paths.iter().copied())?;
        Some(format!("{:.0}", journey.distance_m).parse().unwrap())
    }

    #[test]
    fn a_path_has_one_length() {
        let walk: Vec<f64> = (0..50).map(|n| f64::from(n) * 2.0).collect();
        let fixes = north(Ground::Earth, 0.0, &walk);
        let noisy: Vec<f64> = walk.iter().map(|metres| metres + 0.3).collect();
        let second = north(Ground::Earth, 0.4, &noisy);
        let odometry = north(Ground::Local, 0.0, &walk[..40]);
        assert_eq!(distance(&[("a/fix", &fixes)]), Some(98));
        assert_eq!(distance(&[("a/fix", &fixes), ("b/fix", &second)]), Some(98), "two receivers");
        assert_eq!(distance(&[("a/fix", &fixes), ("odometry", &odometry)]), Some(78), "odometry comes first");
        let later = north(Ground::Earth, 100.0, &walk);
        assert_eq!(distance(&[("track1", &fixes), ("track2", &later)]), Some(196), "one after the other");
    }

    #[test]
    fn several_vehicles_and_separate_places_have_none() {
        let walk: Vec<f64> = (0..50).map(|n| f64::from(n) * 2.0).collect();
        let back: Vec<f64> = walk.iter().map(|metres| -metres).collect();
        let [a, b] = [&walk, &back].map(|metres| north(Ground::Earth, 0.0, metres));
        assert_eq!(distance(&[("a/fix", &a), ("b/fix", &b)]), None);
        assert_eq!(distance(&[("waypoints", &a)]), None);
        let [a, b] = [&walk, &back].map(|metres| north(Ground::Local, 0.0, metres));
        assert_eq!(distance(&[("actor_1/poses", &a), ("actor_2/poses", &b)]), None);
    }
}
