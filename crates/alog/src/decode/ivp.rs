//! The messages of MOOS-IvP: vehicle reports and navigation variables.

use std::f64::consts::FRAC_PI_2;

use nalgebra::Vector3;
use robolog_core::{GnssFix, Odometry, Pose, Timestamp, Twist};

use super::frame::BODY;
use crate::{RawText, time::Seconds};

/// `NODE_REPORT`: name, position and motion of a vehicle. `None` for missing fields.
///
/// ```
/// use alog::{NodeReport, RawText};
/// let report = NodeReport::parse(RawText(b"NAME=alpha,X=12.5,Y=-20,SPD=1.75,HDG=90"));
/// let odometry = report.odometry().expect("it says where");
/// assert_eq!((odometry.child_frame_id.as_str(), odometry.pose.position.x), ("alpha", 12.5));
/// assert!(odometry.pose.orientation.angle() < 1e-9); // heading east, along x
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct NodeReport {
    /// Name of the vehicle.
    pub name: Option<String>,
    /// Metres east of the local origin.
    pub x: Option<f64>,
    /// Metres north of the local origin.
    pub y: Option<f64>,
    /// Metres per second.
    pub speed: Option<f64>,
    /// Degrees, clockwise from north.
    pub heading: Option<f64>,
    /// Metres below the surface.
    pub depth: Option<f64>,
    /// Degrees.
    pub latitude: Option<f64>,
    /// Degrees.
    pub longitude: Option<f64>,
    /// Unix seconds, times the warp.
    pub time: Option<Seconds>,
}

impl NodeReport {
    /// Reads short or long keys, as a list or as JSON.
    pub fn parse(value: RawText<'_>) -> Self {
        let mut report = Self::default();
        for item in value.items() {
            // The longest known key has eight letters.
            let mut upper = [0_u8; 8];
            let Some((key, upper)) = item.key.and_then(|key| Some((key, upper.get_mut(..key.len())?))) else {
                continue;
            };
            upper.copy_from_slice(key);
            upper.make_ascii_uppercase();
            let number = || item.value.number();
            match &*upper {
                b"NAME" => report.name = item.value.text().map(str::to_owned),
                b"X" => report.x = number(),
                b"Y" => report.y = number(),
                b"SPD" | b"SPEED" => report.speed = number(),
                b"HDG" | b"HEADING" => report.heading = number(),
                b"DEP" | b"DEPTH" => report.depth = number(),
                b"LAT" => report.latitude = number(),
                b"LON" | b"LONG" => report.longitude = number(),
                b"TIME" | b"UTC_TIME" => report.time = Seconds::parse(item.value.trimmed()),
                _ => {}
            }
        }
        report
    }

    /// Position, x east and y north, and forward speed.
    pub fn odometry(&self) -> Option<Odometry> {
        Some(pose(self.frame_id().to_owned(), [self.x?, self.y?], self.depth, self.heading, self.speed))
    }

    /// The frame of its body: the vehicle's name, and `base_link` without one.
    pub fn frame_id(&self) -> &str {
        self.name.as_deref().unwrap_or(BODY)
    }

    /// Position on Earth; `None` if out of range or exactly 0, 0.
    pub fn fix(&self) -> Option<GnssFix> {
        fix(self.latitude?, self.longitude?, self.speed, self.heading)
    }
}

fn fix(latitude: f64, longitude: f64, speed: Option<f64>, heading: Option<f64>) -> Option<GnssFix> {
    let is_on_earth = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    let is_unset = latitude == 0.0 && longitude == 0.0;
    (is_on_earth && !is_unset).then(|| GnssFix {
        latitude,
        longitude,
        speed,
        course: heading.map(f64::to_radians),
        ..GnssFix::default()
    })
}

fn pose(
    child_frame_id: String,
    [x, y]: [f64; 2],
    depth: Option<f64>,
    heading: Option<f64>,
    speed: Option<f64>,
) -> Odometry {
    let yaw = heading.map_or(0.0, |degrees| FRAC_PI_2 - degrees.to_radians());
    let pose = Pose::from_euler([x, y, depth.map_or(0.0, |depth| -depth)], 0.0, 0.0, yaw);
    let angular = Vector3::repeat(f64::NAN);
    let twist = speed.map(|speed| Twist { linear: Vector3::new(speed, 0.0, 0.0), angular });
    Odometry::new(child_frame_id, pose).with_twist(twist)
}

/// Joins the `NAV_` variables, which are published separately, by their time.
#[derive(Debug, Default)]
pub(super) struct Nav {
    values: Values,
    open: Option<Pending>,
}

/// The last value of each variable, in the order of [`NAMES`].
type Values = [Option<(Seconds, f64)>; 7];

/// A time with a position, still open because heading and speed are published after the position.
#[derive(Debug, Clone, Copy)]
struct Pending {
    seconds: Seconds,
    time: Option<Timestamp>,
    offset: u64,
}

/// The variables of one time.
pub(super) struct Joined {
    seconds: Seconds,
    pub(super) time: Option<Timestamp>,
    /// Offset of the entry that completed the position.
    pub(super) offset: u64,
    values: Values,
}

const NAMES: [&[u8]; 7] =
    [b"NAV_X", b"NAV_Y", b"NAV_LAT", b"NAV_LONG", b"NAV_HEADING", b"NAV_SPEED", b"NAV_DEPTH"];

impl Nav {
    /// Index of a variable in [`NAMES`].
    pub(super) fn place(name: &[u8]) -> Option<usize> {
        let may = name.starts_with(b"NAV_");
        if may { NAMES.iter().position(|other| *other == name) } else { None }
    }

    /// Sets the variable at `i`; returns the joined variables if it starts a new time.
    pub(super) fn push(
        &mut self,
        i: usize,
        seconds: Seconds,
        value: f64,
        (time, offset): (Option<Timestamp>, u64),
    ) -> Option<Joined> {
        let ended = self.open.is_some_and(|open| open.seconds != seconds);
        let joined = if ended { self.finish() } else { None };
        if let Some(slot) = self.values.get_mut(i) {
            *slot = Some((seconds, value));
        }
        let [x, y, latitude, longitude, ..] = &self.values;
        let now = |slot: &Option<(Seconds, f64)>| slot.is_some_and(|(then, _)| then == seconds);
        if (i < 2 && now(x) && now(y)) || ((2..4).contains(&i) && now(latitude) && now(longitude)) {
            self.open = Some(Pending { seconds, time, offset });
        }
        joined
    }

    /// Whether both give the same results from here on.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let value = |slot: &Option<(Seconds, f64)>| slot.map(|(seconds, value)| (seconds, value.to_bits()));
        let moment = |open: Pending| (open.seconds, open.offset);
        self.values.iter().map(value).eq(other.values.iter().map(value))
            && self.open.map(moment) == other.open.map(moment)
    }

    /// The last open time.
    pub(super) fn finish(&mut self) -> Option<Joined> {
        let Pending { seconds, time, offset } = self.open.take()?;
        Some(Joined { seconds, time, offset, values: self.values })
    }
}

impl Joined {
    fn now(&self, slot: Option<(Seconds, f64)>) -> Option<f64> {
        slot.filter(|s| s.0 == self.seconds).map(|s| s.1)
    }

    /// The value if it is at most a second old: variables are usually, but not always, published together.
    fn recent(&self, slot: Option<(Seconds, f64)>) -> Option<f64> {
        let age = |then: Seconds| self.seconds.minus(then).map_or(i128::MAX, Seconds::nanos);
        slot.filter(|s| (0..=1_000_000_000).contains(&age(s.0))).map(|s| s.1)
    }

    pub(super) fn odometry(&self) -> Option<Odometry> {
        let [x, y, ..] = self.values;
        let xy = [self.now(x)?, self.now(y)?];
        let [.., heading, speed, depth] = self.values.map(|slot| self.recent(slot));
        Some(pose(BODY.into(), xy, depth, heading, speed))
    }

    pub(super) fn fix(&self) -> Option<GnssFix> {
        let [_, _, latitude, longitude, heading, speed, _] = self.values;
        let (latitude, longitude) = (self.now(latitude)?, self.now(longitude)?);
        fix(latitude, longitude, self.recent(speed), self.recent(heading))
    }
}
