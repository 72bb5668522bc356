//! Records of a channel over time: density, rate and gaps.

use std::time::Duration;

use robolog_core::{Clock, Timestamp, format::Rhythm};

use crate::{
    axis::{Axis, COLUMNS},
    quantiles::Quantiles,
};

/// Number of columns of the occupancy that confirms gaps.
const FINE: usize = COLUMNS * 16;
/// Number of long intervals kept as candidates for gaps.
const KEPT: usize = 64;
/// Number of records up to which each is drawn.
pub(crate) const FEW: usize = 30;

/// The records over time of a channel, or of channels whose names differ only in numbers.
#[derive(Debug)]
pub(crate) struct Timeline {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    /// Number of channels drawn together.
    pub(crate) channels: usize,
    /// Their rate, if the survey gives one and all are about equal.
    pub(crate) rate_hz: Option<f64>,
    pub(crate) samples: u64,
    pub(crate) untimed: u64,
    pub(crate) strays: u64,
    /// Time of the first and the last record, seconds.
    pub(crate) span: Option<(f64, f64)>,
    /// Times of the first few records.
    pub(crate) first: Vec<f64>,
    timed: u64,
    density: Box<[f32]>,
    fine: Box<[bool]>,
    rhythm: Rhythm,
    longest: Longest,
    /// The latest time but one, the latest time, and the number of records at it.
    latest: Option<(f64, f64, u64)>,
}

/// Statistics of the intervals between records.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Intervals {
    /// Longest interval in seconds.
    pub(crate) longest: f64,
    /// Gaps of more than five usual intervals, in time order, seconds.
    pub(crate) gaps: Vec<(f64, f64)>,
}

impl Timeline {
    pub(crate) fn new(name: String, kind: &'static str, channels: usize, rate_hz: Option<f64>) -> Self {
        Self {
            name,
            kind,
            channels,
            rate_hz,
            samples: 0,
            untimed: 0,
            strays: 0,
            span: None,
            first: Vec::new(),
            timed: 0,
            density: vec![0.0; COLUMNS].into(),
            fine: vec![false; FINE].into(),
            rhythm: Rhythm::default(),
            longest: Longest::default(),
            latest: None,
        }
    }

    /// Adds another channel to the lane. If rates differ by more than a tenth, the lane has none, as in `info`.
    pub(crate) fn join(&mut self, rate_hz: Option<f64>) {
        self.channels += 1;
        let alike = self.rate_hz.zip(rate_hz).filter(|(a, b)| (a - b).abs() <= 0.1 * a.max(*b));
        self.rate_hz = alike.map(|(a, b)| a.max(b));
    }

    /// Adds a record at `t` seconds.
    pub(crate) fn add(&mut self, t: f64, axis: &Axis) {
        self.timed += 1;
        self.span = Some(self.span.map_or((t, t), |(from, to)| (from.min(t), to.max(t))));
        if self.first.len() < FEW {
            self.first.push(t);
        }
        if let Some(cell) = self.fine.get_mut(axis.column_of(t, FINE)) {
            *cell = true;
        }
        match self.latest {
            Some((before, latest, n)) if t == latest => self.latest = Some((before, latest, n + 1)),
            // Out of order: only counted in its column.
            Some((_, latest, _)) if t < latest => self.fill(t, t, 1.0, axis),
            Some((before, latest, n)) => {
                self.fill(before, latest, n as f64, axis);
                self.moment(t);
                self.longest.add(latest, t);
                self.latest = Some((latest, t, 1));
            }
            None => {
                self.moment(t);
                self.latest = Some((t, t, 1));
            }
        }
    }

    /// Spreads `n` records evenly from `from` to `to`: plain counts per column would alias with a steady rate.
    fn fill(&mut self, from: f64, to: f64, n: f64, axis: &Axis) {
        let (a, b) = (axis.fraction(from) * COLUMNS as f64, axis.fraction(to) * COLUMNS as f64);
        let (first, last) = (axis.column_of(from, COLUMNS), axis.column_of(to, COLUMNS));
        for column in first..=last {
            let inside = b.min(column as f64 + 1.0) - a.max(column as f64);
            let share = if first == last || b <= a { 1.0 } else { (inside / (b - a)).max(0.0) };
            if let Some(cell) = self.density.get_mut(column) {
                #[expect(clippy::cast_possible_truncation, reason = "a height")]
                let share = (share * n) as f32;
                *cell += share;
            }
        }
    }

    /// Finishes the lane.
    pub(crate) fn finish(&mut self, axis: &Axis) {
        if let Some((before, latest, n)) = self.latest.take() {
            self.fill(before, latest, n as f64, axis);
        }
    }

    fn moment(&mut self, t: f64) {
        if let Some(time) = Timestamp::from_secs(t, Clock::Relative) {
            self.rhythm.add(time);
        }
    }

    /// The intervals between the records; `None` for fewer than two times. A lane without a rate has no gaps.
    pub(crate) fn intervals(&self, axis: &Axis) -> Option<Intervals> {
        let longest = self.longest.0.iter().map(|interval| interval.0).reduce(f64::max)?;
        let mut gaps = Vec::new();
        if let Some(usual) = self.usual().filter(|_| self.rate_hz.is_some() && self.timed > 20) {
            let long = self.longest.0.iter().filter(|(length, _)| *length > 5.0 * usual.as_secs_f64());
            gaps.extend(
                long.map(|(length, from)| (*from, from + length)).filter(|gap| !self.is_filled(*gap, axis)),
            );
            gaps.sort_by(|a: &(f64, f64), b| a.0.total_cmp(&b.0));
        }
        Some(Intervals { longest, gaps })
    }

    /// The median interval, if records are evenly spaced.
    pub(crate) fn usual(&self) -> Option<Duration> {
        let (from, to) = self.span?;
        let nanos = Timestamp::from_secs(to - from, Clock::Relative)?.nanos();
        self.rhythm.interval(nanos)
    }

    /// Whether late records fall into a gap.
    fn is_filled(&self, (from, to): (f64, f64), axis: &Axis) -> bool {
        let (first, last) = (axis.column_of(from, FINE), axis.column_of(to, FINE));
        self.fine.iter().take(last).skip(first + 1).any(|is_used| *is_used)
    }

    /// The height of each column, relative to the channel's maximum; 0 within `gaps`.
    pub(crate) fn heights(&self, gaps: &[(f64, f64)], axis: &Axis) -> Vec<f64> {
        let width = axis.seconds() / COLUMNS as f64;
        let is_gap = |column: usize| {
            let (from, to) = (column as f64 * width, (column as f64 + 1.0) * width);
            gaps.iter().any(|gap| from < gap.1 && to > gap.0)
        };
        let heights: Vec<f64> = self
            .density
            .iter()
            .enumerate()
            .map(|(column, n)| if is_gap(column) { 0.0 } else { f64::from(*n) })
            .collect();
        let usual = heights.iter().copied().filter(|n| *n > 0.0).collect::<Quantiles>().at(0.9);
        let top = if usual > 0.0 { usual.max(1e-9) } else { 1.0 };
        heights.into_iter().map(|n| (n / top).min(1.0)).collect()
    }

    /// Which columns have records.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = usize> + '_ {
        let per = FINE / COLUMNS;
        self.fine.chunks(per).enumerate().filter(|(_, cells)| cells.contains(&true)).map(|(column, _)| column)
    }

    /// Number of records with a time in the recording.
    pub(crate) fn timed(&self) -> u64 {
        self.timed
    }
}

/// The longest intervals: length and start, and the length above which all are included.
#[derive(Debug, Default)]
struct Longest(Vec<(f64, f64)>, f64);

impl Longest {
    fn add(&mut self, from: f64, to: f64) {
        let length = to - from;
        let Self(longest, least) = self;
        if longest.len() < KEPT {
            longest.push((length, from));
        } else if length > *least {
            let shortest = longest.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some(shortest) = shortest.filter(|shortest| shortest.0 < length) {
                *shortest = (length, from);
            }
            *least = longest.iter().map(|interval| interval.0).fold(f64::INFINITY, f64::min);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(seconds: i64) -> Axis {
        let at = |s: i64| Timestamp::new(s * 1_000_000_000, Clock::Relative);
        Axis::new(Some((at(0), at(seconds))))
    }

    fn lane(times: impl IntoIterator<Item = f64>, axis: &Axis) -> Timeline {
        let mut lane = Timeline::new("a".into(), "imu", 1, Some(4.0));
        times.into_iter().for_each(|t| lane.add(t, axis));
        lane.finish(axis);
        lane
    }

    #[test]
    fn a_steady_rate_has_an_even_density_and_no_gaps() {
        let axis = axis(100);
        let lane = lane((0..=400).map(|n| f64::from(n) / 4.0), &axis);
        let intervals = lane.intervals(&axis).unwrap();
        assert!(lane.usual() == Some(Duration::from_millis(250)) && intervals.gaps.is_empty());
        let heights = lane.heights(&[], &axis);
        assert!(heights[1..299].iter().all(|h| (h - 1.0).abs() < 1e-3), "{heights:?}");
    }

    #[test]
    fn a_hole_in_a_rhythm_is_a_gap_unless_late_records_fill_it() {
        let axis = axis(100);
        let holed = || (0..=400).map(|n| f64::from(n) / 4.0).filter(|t| !(40.0..50.0).contains(t));
        let gaps = lane(holed(), &axis).intervals(&axis).unwrap().gaps;
        assert_eq!(gaps, [(39.75, 50.0)]);
        let filled = lane(holed().chain([45.0]), &axis);
        assert!(filled.intervals(&axis).unwrap().gaps.is_empty());
    }

    #[test]
    fn channels_that_are_alike_have_a_rate_together() {
        let mut lane = Timeline::new("a*".into(), "imu", 1, Some(20.0));
        lane.join(Some(20.5));
        assert_eq!((lane.channels, lane.rate_hz), (2, Some(20.5)));
        lane.join(Some(1.0));
        assert_eq!((lane.channels, lane.rate_hz), (3, None));
    }

    #[test]
    fn bursts_and_few_records_have_no_gaps() {
        let axis = axis(100);
        let bursts =
            (0..5).flat_map(|burst| (0..10).map(move |n| f64::from(burst) * 25.0 + f64::from(n) / 10.0));
        let bursts = lane(bursts, &axis);
        assert!(bursts.usual().is_none() && bursts.intervals(&axis).unwrap().gaps.is_empty());
        assert_eq!(lane([1.0, 1.0], &axis).intervals(&axis), None);
    }
}
