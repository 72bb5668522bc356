//! Tracks: positions thinned by distance, with time, speed and quality.

mod ground;
mod journey;
mod speed;

use robolog_core::geodetic::Bounds;

pub(crate) use self::ground::{Ground, degree};
use self::{journey::Journey, speed::Speedometer};
use crate::{
    axis::{Axis, COLUMNS},
    quantiles::Quantiles,
};

/// Positions of one channel.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) name: String,
    pub(crate) ground: Ground,
    /// Kept positions, in time order.
    pub(crate) spots: Vec<Spot>,
    /// Number of positions added.
    pub(crate) count: u64,
    /// Length in metres, the sum of all steps.
    pub(crate) length: f64,
    /// Whether positions have times, and so speeds; otherwise only their order is known.
    pub(crate) is_timed: bool,
    /// Bounds of all positions on Earth, as in `info`.
    pub(crate) bounds: Option<Bounds>,
    /// Climb, time in motion and speeds.
    pub(crate) journey: Journey,
    /// Whether each position belongs to the previous time.
    has_late_places: bool,
    step: f64,
    speedometer: Speedometer,
    latest: Option<Spot>,
    yaw: f64,
    altitude: f64,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    /// Seconds from the start of the recording.
    pub(crate) t: f64,
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// Metres per second; NaN if unknown.
    pub(crate) speed: f64,
    /// Horizontal dilution of precision; NaN if unknown.
    pub(crate) hdop: f64,
    /// Seconds since the previous position, kept or not.
    pub(crate) pause: f64,
    /// Heading, radians from x to y; NaN if not recorded.
    pub(crate) yaw: f64,
    /// Metres above the recording's datum; NaN if not recorded.
    pub(crate) altitude: f64,
    /// Metres travelled since the first position.
    pub(crate) gone: f64,
}

/// Maximum number of kept positions of a track.
const KEPT: usize = 2048;
impl Track {
    pub(crate) fn new(name: String, ground: Ground) -> Self {
        Self {
            name,
            ground,
            spots: Vec::new(),
            count: 0,
            length: 0.0,
            is_timed: false,
            bounds: None,
            journey: Journey::default(),
            has_late_places: false,
            step: 0.0,
            speedometer: Speedometer::new(ground),
            latest: None,
            yaw: f64::NAN,
            altitude: f64::NAN,
        }
    }

    /// Sets the heading for the following positions.
    pub(crate) fn face(&mut self, yaw: f64) {
        self.yaw = yaw;
    }

    /// Sets the altitude of the next position; NaN if unknown.
    pub(crate) fn rise(&mut self, altitude: f64) {
        self.altitude = altitude;
    }

    /// The same, with each position taken at the previous time.
    pub(crate) fn with_late_places(self, has_late_places: bool) -> Self {
        Self { has_late_places, ..self }
    }

    /// Adds a position at `time` seconds. Positions that are not finite, or not later than the previous one, are
    /// ignored.
    pub(crate) fn add(
        &mut self,
        time: Option<f64>,
        x: f64,
        y: f64,
        speed: Option<f64>,
        hdop: Option<f64>,
        axis: &Axis,
    ) {
        let before = self.latest;
        if !(x.is_finite() && y.is_finite()) {
            return;
        }
        if self.ground == Ground::Earth {
            self.bounds = Bounds::with(self.bounds, y, x);
        }
        // Positions without times, or of a recording of one moment, still have an order.
        let time = time.filter(|_| axis.seconds() > 0.0);
        let t = time.unwrap_or(self.count as f64 * 1e-6);
        if before.is_some_and(|before| t <= before.t) {
            return;
        }
        self.count += 1;
        self.is_timed |= time.is_some();
        let speed = speed.filter(|speed| speed.is_finite());
        let speed = speed.unwrap_or_else(|| {
            let time = if self.has_late_places { time.and(before.map(|before| before.t)) } else { time };
            time.map_or(f64::NAN, |t| self.speedometer.speed(t * axis.warp(), (x, y)))
        });
        let spot = Spot {
            t,
            x,
            y,
            speed,
            hdop: hdop.unwrap_or(f64::NAN),
            pause: before.map_or(0.0, |before| t - before.t),
            yaw: self.yaw,
            altitude: self.altitude,
            gone: self.length,
        };
        let step = before.map_or(0.0, |before| self.metres(&before, &spot));
        self.length += step;
        let seconds = time.map(|_| spot.pause * axis.warp());
        self.journey.add(step, seconds, self.altitude, speed);
        let spot = Spot { gone: self.length, ..spot };
        self.latest = Some(spot);
        if self.spots.last().is_none_or(|last| self.is_apart(last, &spot, axis)) {
            self.spots.push(spot);
            if self.spots.len() >= KEPT {
                self.thin(axis);
            }
        }
    }

    /// Finishes the track, with its last position.
    pub(crate) fn finish(&mut self) {
        if let Some(latest) =
            self.latest.filter(|latest| self.spots.last().is_none_or(|last| last.t != latest.t))
        {
            self.spots.push(latest);
        }
        // The first positions get the first derived speed, if any.
        let first = self.spots.iter().map(|spot| spot.speed).find(|speed| speed.is_finite());
        for spot in self.spots.iter_mut().take_while(|spot| spot.speed.is_nan()) {
            spot.speed = first.unwrap_or(f64::NAN);
        }
    }

    /// Median time between positions in seconds.
    pub(crate) fn interval(&self) -> f64 {
        self.spots.iter().skip(1).map(|spot| spot.pause).collect::<Quantiles>().at(0.5)
    }

    /// Metres between two positions.
    pub(crate) fn metres(&self, a: &Spot, b: &Spot) -> f64 {
        self.ground.metres((a.x, a.y), (b.x, b.y))
    }

    fn is_apart(&self, a: &Spot, b: &Spot, axis: &Axis) -> bool {
        // Without times, only distance counts.
        let is_later = axis.seconds() > 0.0 && (b.t - a.t) * COLUMNS as f64 >= axis.seconds();
        is_later || self.metres(a, b) > self.step
    }

    fn thin(&mut self, axis: &Axis) {
        if self.step == 0.0 {
            self.step = self.length / 1e5;
        }
        for _ in 0..64 {
            self.step = (self.step * 2.0).max(1e-3);
            let mut kept: Vec<Spot> = Vec::with_capacity(KEPT);
            for spot in &self.spots {
                if kept.last().is_none_or(|last| self.is_apart(last, spot, axis)) {
                    kept.push(*spot);
                }
            }
            self.spots = kept;
            if self.spots.len() < KEPT / 4 * 3 {
                return;
            }
        }
        // If no distance thins them, keep every second position.
        let mut n = 0_usize;
        self.spots.retain(|_| {
            n += 1;
            n % 2 == 1
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robolog_core::{Clock, Timestamp};

    fn axis(seconds: i64) -> Axis {
        let at = |s: i64| Timestamp::new(s * 1_000_000_000, Clock::Relative);
        Axis::new(Some((at(0), at(seconds))))
    }

    #[test]
    fn a_circle_of_a_hundred_thousand_positions_keeps_its_shape() {
        let axis = axis(1000);
        let mut track = Track::new("a".into(), Ground::Local);
        for n in 0..100_000 {
            let t = f64::from(n) / 100.0;
            let (y, x) = (t / 100.0).sin_cos();
            track.add(Some(t), 50.0 * x, 50.0 * y, None, None, &axis);
        }
        track.finish();
        assert!(track.spots.len() < KEPT && track.spots.len() > 300, "{}", track.spots.len());
        assert!((track.length - 500.0).abs() < 0.1, "{}", track.length);
        assert!(track.spots.iter().all(|spot| (spot.speed - 0.5).abs() < 0.01));
    }

    #[test]
    fn a_way_without_times_is_thinned_by_distance() {
        let axis = Axis::new(None);
        let mut track = Track::new("a".into(), Ground::Local);
        for n in 0..200_000 {
            track.add(None, f64::from(n % 1000), f64::from(n / 1000), None, None, &axis);
        }
        track.finish();
        assert!(track.spots.len() <= KEPT && track.count == 200_000, "{}", track.spots.len());
        assert!(!track.is_timed && track.spots.iter().all(|spot| spot.speed.is_nan()), "no time, no speed");
    }

    #[test]
    fn positions_across_the_date_line_are_near() {
        let axis = axis(10);
        let mut track = Track::new("a".into(), Ground::Earth);
        track.add(Some(0.0), 179.9999, 0.0, None, None, &axis);
        track.add(Some(1.0), -179.9999, 0.0, None, None, &axis);
        track.add(Some(1.0), 0.0, 0.0, None, None, &axis);
        track.add(Some(2.0), f64::NAN, 0.0, None, None, &axis);
        assert!((track.length - 22.26).abs() < 0.1 && track.count == 2, "{}", track.length);
        let bounds = Bounds { south: 0.0, west: -179.9999, north: 0.0, east: 179.9999 };
        assert_eq!(track.bounds, Some(bounds), "also of what is left out");
    }
}
