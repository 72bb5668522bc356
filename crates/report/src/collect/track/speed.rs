//! Speed from positions and their times.

use std::collections::VecDeque;

use super::Ground;

/// Derives speed from the last positions of a track.
#[derive(Debug)]
pub(super) struct Speedometer {
    ground: Ground,
    recent: VecDeque<Recent>,
    /// The last steps, and how much each bends from its neighbours: filled anew for each position.
    steps: Vec<f64>,
    bends: Vec<f64>,
}

/// A recent position, and the speed of the step to it.
#[derive(Debug, Clone, Copy)]
struct Recent {
    t: f64,
    x: f64,
    y: f64,
    step: f64,
}

/// Seconds over which speed is measured: between neighbours, jitter of timestamps would dominate.
const SPAN: f64 = 0.5;

impl Speedometer {
    pub(super) const fn new(ground: Ground) -> Self {
        Self { ground, recent: VecDeque::new(), steps: Vec::new(), bends: Vec::new() }
    }

    /// Metres per second at a position and a time in seconds, later than the previous one; NaN for the first ones.
    pub(super) fn speed(&mut self, t: f64, (x, y): (f64, f64)) -> f64 {
        while self.recent.get(1).is_some_and(|second| t - second.t >= SPAN) {
            self.recent.pop_front();
        }
        let over = |from: &Recent| self.ground.metres((from.x, from.y), (x, y)) / (t - from.t);
        let long = self.recent.front().filter(|first| t - first.t >= SPAN / 2.0).map(over);
        let step = self.recent.back().filter(|last| t > last.t).map_or(f64::NAN, over);
        let speed = long.map(|long| self.sharp(step).unwrap_or(long));
        if self.recent.back().is_none_or(|last| t - last.t >= SPAN / 25.0) {
            self.recent.push_back(Recent { t, x, y, step });
        }
        speed.unwrap_or(f64::NAN)
    }

    /// The speed of the last steps, if the steps within [`SPAN`] are not noisy: a crash takes less time than that.
    /// The median of three ignores one late timestamp.
    fn sharp(&mut self, step: f64) -> Option<f64> {
        const LEAST: usize = 6;
        let Self { recent, steps, bends, .. } = self;
        if recent.len() < LEAST {
            return None;
        }
        steps.clear();
        for recent in recent.iter().skip(1) {
            steps.push(recent.step);
        }
        steps.push(step);
        bends.clear();
        for window in steps.windows(3) {
            if let [a, b, c] = window {
                // Vehicles change speed steadily; noise alternates.
                bends.push((a - 2.0 * b + c).abs());
            }
        }
        let middle = bends.len() / 2;
        let (_, usual, _) = bends.select_nth_unstable_by(middle, f64::total_cmp);
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        let [a, b, c] = *steps.last_chunk()?;
        (*usual <= 0.05f64.mul_add(mean, 0.1)).then_some(a.max(b).min(a.min(b).max(c)))
    }
}

#[cfg(test)]
mod tests {
    use robolog_core::{Clock, Timestamp};

    use super::*;
    use crate::{
        axis::Axis,
        collect::track::{Spot, Track},
    };

    fn axis(seconds: i64) -> Axis {
        let at = |s: i64| Timestamp::new(s * 1_000_000_000, Clock::Relative);
        Axis::new(Some((at(0), at(seconds))))
    }

    #[test]
    fn speeds_are_those_of_the_interval_in_which_the_way_was_driven() {
        // 12.8 m/s in uneven steps; each position belongs to the previous time.
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
        // Thirty positions per second; 12 m/s until the crash at 3 s, then 2 m/s. One timestamp is late.
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
        // 10 m/s² from 1 s on, thirty positions per second.
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
        // Fixes with an alternating error of 0.3 m, ten per second, at 1.5 m/s.
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
