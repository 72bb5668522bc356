//! Speed from positions and their times.

use std::collections::VecDeque;

use super::Ground;

/// Derives speed from the last positions of a track.
#[derive(Debug)]
pub(super) struct Speedometer {
    pub(super) ground: Ground,
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
    /// `step` is the place before and the metres from there.
    pub(super) fn speed(&mut self, t: f64, (x, y): (f64, f64), step: Option<((f64, f64), f64)>) -> f64 {
        while self.recent.get(1).is_some_and(|second| t - second.t >= SPAN) {
            self.recent.pop_front();
        }
        let over = |from: &Recent| {
            let place = (from.x, from.y);
            let known = step.filter(|(before, _)| *before == place).map(|(_, metres)| metres);
            known.unwrap_or_else(|| self.ground.metres(place, (x, y))) / (t - from.t)
        };
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
