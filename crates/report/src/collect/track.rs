//! Where something went: positions thinned by distance, with time, speed and quality.

use std::collections::VecDeque;

use robolog_core::geodetic::Bounds;

use crate::axis::{Axis, COLUMNS};

/// Positions of one channel.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) name: String,
    pub(crate) ground: Ground,
    /// Kept positions, in order of time.
    pub(crate) spots: Vec<Spot>,
    /// Positions that were added.
    pub(crate) count: u64,
    /// The sum of all steps in metres.
    pub(crate) length: f64,
    /// Positions have times, and so speeds; of others only the order is known.
    pub(crate) is_timed: bool,
    /// Of all positions on Earth, as `info` has them.
    pub(crate) bounds: Option<Bounds>,
    /// Places are those of the moment before.
    has_late_places: bool,
    step: f64,
    recent: VecDeque<Recent>,
    latest: Option<Spot>,
    yaw: f64,
    altitude: f64,
}

/// What the coordinates of a track are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    /// Metres in a frame of the recording.
    Local,
    /// Degrees of longitude and latitude, WGS 84.
    Earth,
}

/// A position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    /// Seconds from the start of the recording.
    pub(crate) t: f64,
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// Metres a second; NaN where it is not known.
    pub(crate) speed: f64,
    /// Horizontal dilution of precision; NaN where it is not known.
    pub(crate) hdop: f64,
    /// Seconds since the position before it, kept or not.
    pub(crate) pause: f64,
    /// Where it faces, radians from x to y; NaN where that is not recorded.
    pub(crate) yaw: f64,
    /// Metres above what the recording counts from; NaN where that is not recorded.
    pub(crate) altitude: f64,
    /// Metres that were gone from the first position on.
    pub(crate) gone: f64,
}

/// A position of the last moments, and the speed of the step to it.
#[derive(Debug, Clone, Copy)]
struct Recent {
    t: f64,
    x: f64,
    y: f64,
    step: f64,
}

/// Kept positions of a track.
const KEPT: usize = 2048;
/// Speed is that over this many seconds: between neighbours, the jitter of stamps would win.
const SPAN: f64 = 0.5;

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
            has_late_places: false,
            step: 0.0,
            recent: VecDeque::new(),
            latest: None,
            yaw: f64::NAN,
            altitude: f64::NAN,
        }
    }

    /// Says where it faces from the next position on.
    pub(crate) fn face(&mut self, yaw: f64) {
        self.yaw = yaw;
    }

    /// Says how high the next position is; NaN where that is not known.
    pub(crate) fn rise(&mut self, altitude: f64) {
        self.altitude = altitude;
    }

    /// The same where each place is that of the moment before.
    pub(crate) fn with_late_places(self, has_late_places: bool) -> Self {
        Self { has_late_places, ..self }
    }

    /// Adds a position at `time` seconds. One that is not later than the one before it, or not finite, is left out.
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
        // Positions without times still have an order.
        let t = time.unwrap_or(self.count as f64 * 1e-6);
        if before.is_some_and(|before| t <= before.t) {
            return;
        }
        self.count += 1;
        self.is_timed |= time.is_some();
        let speed = speed.filter(|speed| speed.is_finite());
        let speed = speed.unwrap_or_else(|| match time {
            Some(_) if self.has_late_places => {
                before.map_or(f64::NAN, |before| self.derived(before.t, x, y, axis))
            }
            Some(t) => self.derived(t, x, y, axis),
            None => f64::NAN,
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
        self.length += before.map_or(0.0, |before| self.metres(&before, &spot));
        let spot = Spot { gone: self.length, ..spot };
        self.latest = Some(spot);
        if self.spots.last().is_none_or(|last| self.is_apart(last, &spot, axis)) {
            self.spots.push(spot);
            if self.spots.len() >= KEPT {
                self.thin(axis);
            }
        }
    }

    /// Ends the track: the last position stays.
    pub(crate) fn finish(&mut self) {
        if let Some(latest) =
            self.latest.filter(|latest| self.spots.last().is_none_or(|last| last.t != latest.t))
        {
            self.spots.push(latest);
        }
        // The first positions have the first speed that could be derived. Where there is none, there is none.
        let first = self.spots.iter().map(|spot| spot.speed).find(|speed| speed.is_finite());
        for spot in self.spots.iter_mut().take_while(|spot| spot.speed.is_nan()) {
            spot.speed = first.unwrap_or(f64::NAN);
        }
    }

    /// The usual time between positions in seconds.
    pub(crate) fn interval(&self) -> f64 {
        let mut pauses: Vec<f64> = self.spots.iter().skip(1).map(|spot| spot.pause).collect();
        pauses.sort_by(f64::total_cmp);
        pauses.get(pauses.len() / 2).copied().unwrap_or_default()
    }

    /// Metres between two positions.
    pub(crate) fn metres(&self, a: &Spot, b: &Spot) -> f64 {
        distance(self.ground, (a.x, a.y), (b.x, b.y))
    }

    /// The speed in metres per second of a simulation's own clock, which recorded speeds are by.
    fn derived(&mut self, t: f64, x: f64, y: f64, axis: &Axis) -> f64 {
        let t = t * axis.warp();
        while self.recent.get(1).is_some_and(|second| t - second.t >= SPAN) {
            self.recent.pop_front();
        }
        let over = |from: &Recent| distance(self.ground, (from.x, from.y), (x, y)) / (t - from.t);
        let long = self.recent.front().filter(|first| t - first.t >= SPAN / 2.0).map(over);
        let step = self.recent.back().filter(|last| t > last.t).map_or(f64::NAN, over);
        let speed = long.map(|long| self.sharp(step).unwrap_or(long));
        if self.recent.back().is_none_or(|last| t - last.t >= SPAN / 25.0) {
            self.recent.push_back(Recent { t, x, y, step });
        }
        speed.unwrap_or(f64::NAN)
    }

    /// The speed of the last steps, where those of [`SPAN`] are no noise: a crash takes less time than that. It is the median of
    /// three, which leaves out what one late stamp makes.
    fn sharp(&self, step: f64) -> Option<f64> {
        const LEAST: usize = 6;
        let steps: Vec<f64> = self.recent.iter().skip(1).map(|recent| recent.step).chain([step]).collect();
        let last: &[f64; 3] = steps.last_chunk().filter(|_| steps.len() >= LEAST)?;
        // What is driven changes its speed evenly, noise to and fro.
        let bends = steps.windows(3).map(|w| if let [a, b, c] = w { (a - 2.0 * b + c).abs() } else { 0.0 });
        let mut bends: Vec<f64> = bends.collect();
        bends.sort_by(f64::total_cmp);
        let usual = *bends.get(bends.len() / 2)?;
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        let [a, b, c] = *last;
        (usual <= 0.05f64.mul_add(mean, 0.1)).then_some(a.max(b).min(a.min(b).max(c)))
    }

    fn is_apart(&self, a: &Spot, b: &Spot, axis: &Axis) -> bool {
        // Without times, distance alone decides.
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
        // Places that no distance brings together: every second one stays.
        let mut n = 0_usize;
        self.spots.retain(|_| {
            n += 1;
            n % 2 == 1
        });
    }
}

/// Metres a degree of latitude and of longitude is long, at a latitude in degrees (WGS 84).
pub(crate) fn degree(latitude: f64) -> (f64, f64) {
    const A: f64 = 6_378_137.0;
    const E2: f64 = 6.694_379_990_14e-3;
    let (sin, cos) = latitude.to_radians().sin_cos();
    let w2 = 1.0 - E2 * sin * sin;
    let normal = A / w2.sqrt();
    ((normal * (1.0 - E2) / w2).to_radians(), (normal * cos).to_radians())
}

fn distance(ground: Ground, a: (f64, f64), b: (f64, f64)) -> f64 {
    let (mut dx, mut dy) = (b.0 - a.0, b.1 - a.1);
    if ground == Ground::Earth {
        let (north, east) = degree(f64::midpoint(a.1, b.1));
        dx = (dx - (dx / 360.0).round() * 360.0) * east;
        dy *= north;
    }
    dx.hypot(dy)
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
    fn a_degree_has_the_length_that_tables_of_wgs84_give() {
        let (north, east) = degree(45.0);
        assert!((north - 111_131.745).abs() < 0.1 && (east - 78_846.806).abs() < 0.1, "{north} {east}");
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

    #[test]
    fn speeds_are_those_of_the_interval_in_which_the_way_was_driven() {
        // 12.8 m/s in uneven steps; each place is that of the moment before.
        let times: Vec<f64> = (0..200)
            .scan(0.0, |t, n| Some(std::mem::replace(t, *t + 0.03 + 0.04 * f64::from(n * 7 % 5))))
            .collect();
        let axis = axis(30);
        let mut track = Track::new("a".into(), Ground::Local).with_late_places(true);
        for (n, t) in times.iter().enumerate() {
            track.add(Some(*t), 12.8 * times[n.saturating_sub(1)], 0.0, None, None, &axis);
        }
        track.finish();
        assert!(
            track.spots.iter().skip(20).all(|spot| (spot.speed - 12.8).abs() < 1e-6),
            "{:?}",
            track.spots
        );
    }

    #[test]
    fn a_crash_is_not_smoothed_and_one_late_stamp_is() {
        // Thirty positions a second; 12 m/s until the crash at 3 s, then 2 m/s. One stamp is late.
        let axis = axis(6);
        let mut track = Track::new("a".into(), Ground::Local);
        let mut x = 0.0;
        for n in 0..180 {
            let t = f64::from(n) / 30.0;
            track.add(Some(if n == 45 { t + 0.02 } else { t }), x, 0.0, None, None, &axis);
            x += if n < 90 { 12.0 } else { 2.0 } / 30.0;
        }
        track.finish();
        let within = |from: f64, to: f64| track.spots.iter().filter(move |s| s.t >= from && s.t < to);
        assert!(within(0.5, 3.01).all(|spot| (spot.speed - 12.0).abs() < 0.5), "{:?}", track.spots);
        assert!(within(3.09, 6.0).all(|spot| (spot.speed - 2.0).abs() < 0.5), "{:?}", track.spots);
    }

    #[test]
    fn a_start_from_standing_is_even() {
        // 10 m/s² from 1 s on, thirty positions a second.
        let axis = axis(3);
        let mut track = Track::new("a".into(), Ground::Local);
        for n in 0..90 {
            let t = f64::from(n) / 30.0;
            track.add(Some(t), 5.0 * (t - 1.0).max(0.0).powi(2), 0.0, None, None, &axis);
        }
        track.finish();
        let wrong = |spot: &&Spot| (spot.speed - 10.0 * (spot.t - 1.0).max(0.0)).abs() > 0.6;
        assert_eq!(track.spots.iter().find(wrong), None);
    }

    #[test]
    fn speeds_of_noisy_positions_are_over_half_a_second() {
        // Fixes with an error of 0.3 m by turns, ten a second, at 1.5 m/s.
        let axis = axis(10);
        let mut track = Track::new("a".into(), Ground::Local);
        for n in 0..100 {
            let error = if n % 2 == 0 { 0.15 } else { -0.15 };
            track.add(Some(f64::from(n) / 10.0), f64::from(n) * 0.15 + error, 0.0, None, None, &axis);
        }
        track.finish();
        assert!(track.spots.iter().skip(6).all(|spot| (spot.speed - 1.5).abs() <= 0.7), "{:?}", track.spots);
    }

    #[test]
    fn speeds_of_a_warped_simulation_are_by_its_own_clock() {
        let axis = axis(10).with_warp(15.0);
        let mut track = Track::new("a".into(), Ground::Local);
        for n in 0..100 {
            track.add(Some(f64::from(n) / 10.0), f64::from(n) * 3.0, 0.0, None, None, &axis);
        }
        track.finish();
        assert!(track.spots.iter().all(|spot| (spot.speed - 2.0).abs() < 1e-9));
    }
}
