//! The sums of one path.

use super::{Ground, Position, ground::hypotenuse, speed::Speedometer};

/// Sums over the positions of one channel, which are added in order.
#[derive(Debug)]
pub struct Path {
    /// Metres up and down. A change counts once it is [`CLIMB`] metres.
    pub(super) ascent: f64,
    pub(super) descent: f64,
    /// Seconds in steps faster than [`STANDS`], and the metres of these steps.
    pub(super) moving: f64,
    pub(super) moved: f64,
    /// Greatest speed in metres per second.
    pub(super) greatest: f64,
    count: u64,
    length: f64,
    is_timed: bool,
    /// Whether each position belongs to the previous time.
    has_late_places: bool,
    speedometer: Speedometer,
    /// Time and coordinates of the first position.
    first: (f64, (f64, f64)),
    /// Time and coordinates of the latest position.
    latest: Option<(f64, (f64, f64))>,
    /// The altitude up to which climb is counted.
    level: Option<f64>,
    altitude: Option<f64>,
}

/// What a position adds to a path.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Leg {
    /// Seconds; without times, a number that grows with each position.
    pub t: f64,
    /// Metres per second; NaN if unknown.
    pub speed: f64,
    /// Seconds since the previous position.
    pub pause: f64,
    /// Metres travelled since the first position.
    pub gone: f64,
}

/// Least change of altitude that counts, metres.
pub(super) const CLIMB: f64 = 3.0;
/// Speed up to which a track stands, metres per second: 1 km/h, as gpxpy has it.
pub(super) const STANDS: f64 = 1.0 / 3.6;

impl Path {
    /// A path without positions.
    pub const fn new(ground: Ground) -> Self {
        Self {
            ascent: 0.0,
            descent: 0.0,
            moving: 0.0,
            moved: 0.0,
            greatest: 0.0,
            count: 0,
            length: 0.0,
            is_timed: false,
            has_late_places: false,
            speedometer: Speedometer::new(ground),
            first: (0.0, (0.0, 0.0)),
            latest: None,
            level: None,
            altitude: None,
        }
    }

    /// The same, with each position taken at the previous time.
    #[must_use]
    pub fn with_late_places(self, has_late_places: bool) -> Self {
        Self { has_late_places, ..self }
    }

    /// What its coordinates are.
    pub const fn ground(&self) -> Ground {
        self.speedometer.ground
    }

    /// Number of positions added.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Length in metres, the sum of all steps.
    pub const fn length(&self) -> f64 {
        self.length
    }

    /// Whether positions have times, and so speeds; otherwise only their order is known.
    pub const fn is_timed(&self) -> bool {
        self.is_timed
    }

    /// Whether it is of the same time as another one, by more than half of the shorter.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        let ends = |path: &Self| (path.first.0, path.latest.map_or(path.first.0, |latest| latest.0));
        let ((a, b), (c, d)) = (ends(self), ends(other));
        b.min(d) - a.max(c) > 0.5 * (b - a).min(d - c)
    }

    /// Whether it is as long as another one and has its ends: what two receivers of a vehicle tell.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let least = if self.ground() == Ground::Earth { 5.0 } else { 0.5 };
        let near = 0.02f64.mul_add(self.length.max(other.length), least);
        let apart = |a: Option<(f64, f64)>, b: Option<(f64, f64)>| {
            a.zip(b).map_or(f64::INFINITY, |(a, b)| self.ground().metres(a, b))
        };
        let (a, b) = (self.latest.map(|latest| latest.1), other.latest.map(|latest| latest.1));
        (self.length - other.length).abs() <= near
            && apart(a, b) <= near
            && apart(Some(self.first.1), Some(other.first.1)) <= near
    }

    /// Whether the positions of a channel of this name are separate places, not a path.
    pub fn is_places(&self, name: &str) -> bool {
        match name.rsplit('/').next() {
            Some("waypoints" | "route points" | "placemarks") => true,
            // KML points with times may form a track.
            Some("points") => !self.is_timed,
            _ => false,
        }
    }

    /// Adds a position at `time` seconds, on a clock that runs `warp` times as fast. Ignores positions that are not
    /// finite, or not later than the previous one.
    pub fn push(&mut self, time: Option<f64>, position: &Position, warp: f64) -> Option<Leg> {
        let place @ (x, y) = (position.x, position.y);
        let t = time.unwrap_or(self.count as f64 * 1e-6);
        if !(x.is_finite() && y.is_finite()) || self.latest.is_some_and(|before| t <= before.0) {
            return None;
        }
        let before = self.latest.replace((t, place));
        if before.is_none() {
            self.first = (t, place);
        }
        self.count += 1;
        self.is_timed |= time.is_some();
        let metres = before.map_or(0.0, |before| self.ground().metres(before.1, place));
        let speed = position.speed.filter(|speed| speed.is_finite());
        let speed = speed.unwrap_or_else(|| {
            let time = if self.has_late_places { time.and(before.map(|before| before.0)) } else { time };
            let step = before.map(|before| (before.1, metres));
            time.map_or(f64::NAN, |t| self.speedometer.speed(t * warp, place, step))
        });
        let pause = before.map_or(0.0, |before| t - before.0);
        self.length += metres;
        self.sum(metres, time.map(|_| pause * warp), position.altitude, speed);
        Some(Leg { t, speed, pause, gone: self.length })
    }

    /// Adds a step: metres in plan and seconds from the position before; altitude and speed are NaN if unknown.
    fn sum(&mut self, plan: f64, seconds: Option<f64>, altitude: f64, speed: f64) {
        let altitude = Some(altitude).filter(|altitude| altitude.is_finite());
        let rise = altitude.zip(self.altitude).map_or(0.0, |(now, before)| now - before);
        self.altitude = altitude;
        if let Some(altitude) = altitude {
            self.climb(altitude);
        }
        let Some(seconds) = seconds else { return };
        let gone = hypotenuse(plan, rise);
        if gone > STANDS * seconds {
            self.moving += seconds;
            self.moved += plan;
        }
        // Not of NaN.
        self.greatest = self.greatest.max(speed.abs());
    }

    fn climb(&mut self, altitude: f64) {
        let Some(level) = self.level else {
            self.level = Some(altitude);
            return;
        };
        let change = altitude - level;
        if change.abs() >= CLIMB {
            self.ascent += change.max(0.0);
            self.descent += (-change).max(0.0);
            self.level = Some(altitude);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_does_not_climb_and_stops_do_not_move() {
        let mut path = Path::new(Ground::Local);
        for n in 0..100 {
            // Seconds apart, noise of a metre would be a speed.
            path.sum(0.0, Some(60.0), 100.0 + f64::from(n % 2), 0.0);
        }
        assert_eq!((path.ascent, path.descent, path.moving), (0.0, 0.0, 0.0));
        for n in 0..10 {
            path.sum(2.0, Some(1.0), 101.0 + 4.0 * f64::from(n), 2.0);
        }
        let sums = (path.ascent, path.moving, path.moved, path.greatest);
        assert_eq!(sums, (37.0, 10.0, 20.0, 2.0));
    }
}
