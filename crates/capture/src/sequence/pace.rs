//! How fast packets follow each other, and how many are missing between two.

use koblenz_log::velodyne_packet::ROTATION_STEPS;

use super::{
    BEHIND, LATE, PAUSE,
    tick::{Tick, Turn, between},
};

/// How fast packets follow each other.
#[derive(Debug, Default, Clone)]
pub(crate) struct Pace {
    /// Nanoseconds from one to the next.
    interval: Mean,
    /// Hundredths of a degree by which the head turns meanwhile.
    travel: Mean,
}

/// A mean that follows slow changes.
#[derive(Debug, Default, Clone, Copy)]
struct Mean {
    sum: i64,
    count: i64,
}

/// Maximum difference between the sensor's clock and the capture's; a larger one means that one was set.
const AGREED: u64 = 250_000_000;
/// Number of the latest values that count.
const LATEST: i64 = 1 << 12;

impl Mean {
    fn add(&mut self, value: i64) {
        if self.count >= LATEST {
            self.sum /= 2;
            self.count /= 2;
        }
        self.sum = self.sum.saturating_add(value);
        self.count += 1;
    }

    /// The number of means in a value, to the nearest.
    fn times(self, value: i64) -> Option<i64> {
        let twice = value.checked_mul(self.count).and_then(|scaled| scaled.checked_mul(2));
        if let (Some(twice), Some(divisor)) = (twice, self.sum.checked_mul(2)) {
            // Nearly all.
            if (self.sum..divisor).contains(&twice) {
                return Some(1);
            }
            return twice.checked_add(self.sum)?.checked_div_euclid(divisor);
        }
        let scaled = i128::from(value) * i128::from(self.count);
        let doubled = scaled * 2 + i128::from(self.sum);
        let times = doubled.checked_div_euclid(i128::from(self.sum) * 2)?;
        i64::try_from(times).ok()
    }

    fn get(self) -> Option<i64> {
        self.sum.checked_div(self.count)
    }

    /// Of the values near their lowest tenth: most packets arrive, and missing ones make steps longer.
    fn of(mut values: Vec<i64>) -> Self {
        values.sort_unstable();
        let mut mean = Self::default();
        let Some(low) = values.get(values.len() / 10).copied() else { return mean };
        for value in values.into_iter().filter(|value| is_near(*value, low)) {
            mean.add(value);
        }
        mean
    }
}

fn is_near(value: i64, other: i64) -> bool {
    u64::try_from(other / 4).is_ok_and(|most| value.abs_diff(other) <= most)
}

impl Pace {
    /// Of the first packets of a stream.
    pub(crate) fn of(ticks: &[Tick]) -> Self {
        let pairs =
            || ticks.windows(2).filter_map(|pair| if let [a, b] = pair { Some((a, b)) } else { None });
        let follows = |(a, b): &(&Tick, &Tick)| {
            let is_next = a.counter.zip(b.counter).is_none_or(|(a, b)| b.wrapping_sub(a) <= 1);
            let is_turning = a.turn.is_none_or(|turn| turn.skipped.is_none());
            is_next && is_turning && !a.is_other(b)
        };
        let steps = pairs().filter(follows).map(|(a, b)| a.step_to(b)).filter(|step| *step > 0);
        let interval = Mean::of(steps.collect());
        let usual = interval.get().unwrap_or(0);
        let travel = pairs().filter(follows).filter_map(|(a, b)| {
            let is_usual = a.stamp.is_none() || is_near(a.step_to(b), usual);
            let (before, now) = a.turn.zip(b.turn).filter(|_| is_usual)?;
            Some(i64::from(between(before.first, now.first)))
        });
        Self { interval, travel: Mean::of(travel.filter(|travel| *travel > 0).collect()) }
    }

    /// Hundredths of a degree by which the head turns from one packet to the next; 0 if unknown.
    pub(crate) fn travel(&self) -> i64 {
        self.travel.get().unwrap_or(0)
    }

    /// Nanoseconds from one packet to the next.
    pub(crate) fn interval(&self) -> Option<i64> {
        self.interval.get()
    }

    /// Rotation of the head between the first blocks of two packets, in this time, with whole turns.
    pub(crate) fn turned_between(&self, before: Turn, now: Turn, nanos: i64) -> i64 {
        let (turned, turn) = (i64::from(between(before.first, now.first)), i64::from(ROTATION_STEPS));
        let by_time = self.turned(nanos).unwrap_or(turned);
        let whole = by_time.saturating_sub(turned).saturating_add(turn / 2).div_euclid(turn).max(0);
        turned.saturating_add(whole.saturating_mul(turn))
    }

    /// Rotation of the head in this time.
    fn turned(&self, nanos: i64) -> Option<i64> {
        let (interval, travel) = (self.interval.get()?, self.travel.get()?);
        let turned = i128::from(nanos).checked_mul(travel.into())?.checked_div(interval.into())?;
        i64::try_from(turned).ok()
    }
}

/// What remains of the steps so far.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// How much earlier than expected the last packet came: the next step is longer by that much.
    early: i64,
}

impl Steps {
    /// Number of packets missing before one whose counter is `ahead` of the last one; -1 for one that came late. `step`
    /// is the time between them by their stamps, `passed` that of their captures. `None` if the sensor began again.
    pub(crate) fn counted(
        ahead: i64,
        step: i64,
        passed: i64,
        pace: &mut Pace,
        restarts: &mut bool,
    ) -> Option<i64> {
        const COUNTS: i64 = 1 << 16;
        // A clock that is set meanwhile says nothing of the packets.
        let is_set = step.abs_diff(passed) > AGREED;
        let by_stamps = if step > 0 && !is_set { pace.interval.times(step) } else { None };
        if ahead == 1 && step > 0 && !is_set {
            pace.interval.add(step);
        }
        // A long gap has turned the counter around.
        let turned = by_stamps.and_then(|n| {
            let turns = n.saturating_sub(ahead).saturating_add(COUNTS / 2).div_euclid(COUNTS);
            let count = turns.checked_mul(COUNTS)?.checked_add(ahead)?;
            (turns > 0 && count.abs_diff(n) <= 2 + n.unsigned_abs() / 100).then_some(count)
        });
        if let Some(count) = turned {
            return Some(count - 1);
        }
        if ahead > 0 {
            return match by_stamps {
                _ if step < -LATE => None,
                // The numbers between were given to something else.
                Some(1) if ahead == 2 => Some(0),
                Some(n) if *restarts && n > ahead => Some(n - 1),
                Some(n) if passed > PAUSE && n.abs_diff(ahead) > 2 + n.unsigned_abs() / 50 => None,
                _ => Some(ahead - 1),
            };
        }
        if ahead >= -BEHIND && step < 0 && step > -LATE {
            return Some(-1);
        }
        if step <= 0 || passed > PAUSE || is_set {
            return None;
        }
        *restarts = true;
        by_stamps.map(|n| n.max(1) - 1)
    }

    /// The same for packets without a counter.
    pub(crate) fn paced(
        &mut self,
        last: &Tick,
        tick: &Tick,
        step: i64,
        passed: i64,
        pace: &mut Pace,
    ) -> Option<i64> {
        let is_clocked = last.stamp.is_some() && tick.stamp.is_some();
        let interval = pace.interval()?;
        if step < 0 {
            self.early = 0;
            let is_late = is_clocked && step >= interval.saturating_mul(-BEHIND).max(-LATE);
            return is_late.then_some(-1);
        }
        if passed > PAUSE || is_clocked && step.abs_diff(passed) > AGREED {
            self.early = 0;
            return None;
        }
        if let Some(turned) = turned(last, tick, step, is_clocked, pace) {
            return pace.travel.times(turned).map(|n| n.max(1) - 1);
        }
        if !is_clocked && last.turn.is_some() {
            return None;
        }
        let count = pace.interval.times(step.saturating_add(self.early))?;
        let rest = step.saturating_add(self.early).saturating_sub(count.saturating_mul(interval));
        self.early = rest / 2;
        if count == 1 && is_near(step, interval) {
            pace.interval.add(step);
            if let Some((before, now)) = last.turn.zip(tick.turn) {
                pace.travel.add(between(before.first, now.first).into());
            }
        }
        match count {
            0 if step > interval / 10 => Some(-1),
            n => Some(n.max(1) - 1),
        }
    }
}

/// By how much the head turned while it measured, where its rotation tells more than its clock: if it skips a sector,
/// or has no clock.
fn turned(last: &Tick, tick: &Tick, step: i64, is_clocked: bool, pace: &Pace) -> Option<i64> {
    let (before, now) = last.turn.zip(tick.turn)?;
    let skipped = before.skipped.map(|(from, to)| i64::from(between(from, to)));
    if is_clocked && skipped.is_none() || pace.travel() == 0 {
        return None;
    }
    let total = pace.turned_between(before, now, step);
    let turn = i64::from(ROTATION_STEPS);
    let (whole, turned) = (total / turn, total % turn);
    // A boundary is passed with a step of the head.
    let measured = |turned: i64| turned.saturating_sub(skipped.unwrap_or(0)).max(0);
    Some(measured(turned).saturating_add(whole.saturating_mul(measured(turn))))
}
