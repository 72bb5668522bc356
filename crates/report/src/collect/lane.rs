//! When a channel has records: density over time, rhythm and gaps.

use std::collections::BTreeMap;

use crate::axis::{Axis, COLUMNS};

/// Columns of the occupancy by which gaps are confirmed.
const FINE: usize = COLUMNS * 16;
/// Intervals that are kept to be judged as gaps.
const KEPT: usize = 64;
/// Classes of intervals of one lane.
const CLASSES: usize = 400;
/// Fewer records are drawn one by one.
pub(crate) const FEW: usize = 30;

/// The records of a channel, or of channels that differ in their numbers alone, in time.
#[derive(Debug)]
pub(crate) struct Lane {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    /// How many channels are drawn together.
    pub(crate) channels: usize,
    pub(crate) samples: u64,
    pub(crate) untimed: u64,
    pub(crate) strays: u64,
    /// The first and the last moment, seconds.
    pub(crate) span: Option<(f64, f64)>,
    /// The moments of the first few records.
    pub(crate) first: Vec<f64>,
    timed: u64,
    density: Box<[f32]>,
    fine: Box<[bool]>,
    intervals: Intervals,
    /// The moment before the latest, the latest, and the records there.
    latest: Option<(f64, f64, u64)>,
}

/// What the intervals between records show.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rhythm {
    /// The median interval in seconds.
    pub(crate) median: f64,
    /// The longest interval in seconds.
    pub(crate) longest: f64,
    /// Whether the intervals are alike, so that a rate can be given.
    pub(crate) is_regular: bool,
    /// Where more than five intervals are missing, in order of time, seconds.
    pub(crate) gaps: Vec<(f64, f64)>,
}

impl Lane {
    pub(crate) fn new(name: String, kind: &'static str, channels: usize) -> Self {
        Self {
            name,
            kind,
            channels,
            samples: 0,
            untimed: 0,
            strays: 0,
            span: None,
            first: Vec::new(),
            timed: 0,
            density: vec![0.0; COLUMNS].into(),
            fine: vec![false; FINE].into(),
            intervals: Intervals::default(),
            latest: None,
        }
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
            // Out of order: counted where it is.
            Some((_, latest, _)) if t < latest => self.fill(t, t, 1.0, axis),
            Some((before, latest, n)) => {
                self.fill(before, latest, n as f64, axis);
                self.intervals.add(latest, t);
                self.latest = Some((latest, t, 1));
            }
            None => self.latest = Some((t, t, 1)),
        }
    }

    /// Spreads `n` records evenly from `from` to `to`: a count a column would beat against a steady rate.
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

    /// Ends the lane.
    pub(crate) fn finish(&mut self, axis: &Axis) {
        if let Some((before, latest, n)) = self.latest.take() {
            self.fill(before, latest, n as f64, axis);
        }
    }

    /// The rhythm of the records; `None` for fewer than two moments.
    pub(crate) fn rhythm(&self, axis: &Axis) -> Option<Rhythm> {
        let n = self.intervals.count;
        let median = self.intervals.quantile(0.5)?;
        // A tenth more, for the classes are not exact.
        let is_even = n >= 4 && self.intervals.quantile(0.9)? <= 2.1 * median;
        let mut gaps = Vec::new();
        if is_even && n >= 20 {
            let long = self.intervals.longest.iter().filter(|(length, _)| *length > 5.0 * median);
            gaps.extend(
                long.map(|(length, from)| (*from, from + length)).filter(|gap| !self.is_filled(*gap, axis)),
            );
            gaps.sort_by(|a: &(f64, f64), b| a.0.total_cmp(&b.0));
        }
        let missing: f64 = gaps.iter().map(|(from, to)| to - from).sum();
        let length = self.span.map_or(0.0, |(from, to)| to - from);
        // Bursts have no rate with holes in it.
        let is_bursts = missing > 0.5 * length;
        if is_bursts {
            gaps.clear();
        }
        let longest = self.intervals.longest.iter().map(|interval| interval.0).fold(0.0, f64::max);
        Some(Rhythm { median, longest, is_regular: is_even && !is_bursts, gaps })
    }

    /// Whether records that came late lie within a gap.
    fn is_filled(&self, (from, to): (f64, f64), axis: &Axis) -> bool {
        let (first, last) = (axis.column_of(from, FINE), axis.column_of(to, FINE));
        self.fine.iter().take(last).skip(first + 1).any(|is_used| *is_used)
    }

    /// The height of each column, from 0 to 1, 1 being the channel's busiest stretch; 0 within `gaps`.
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
        let mut sorted: Vec<f64> = heights.iter().copied().filter(|n| *n > 0.0).collect();
        sorted.sort_by(f64::total_cmp);
        let top = sorted.get(crate::axis::cell(0.9, sorted.len())).copied().unwrap_or(1.0).max(1e-9);
        heights.into_iter().map(|n| (n / top).min(1.0)).collect()
    }

    /// Which columns have records.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = usize> + '_ {
        let per = FINE / COLUMNS;
        self.fine.chunks(per).enumerate().filter(|(_, cells)| cells.contains(&true)).map(|(column, _)| column)
    }

    /// How many records have a time in the recording.
    pub(crate) fn timed(&self) -> u64 {
        self.timed
    }
}

/// The lengths of intervals, in classes that are one per cent wide.
#[derive(Debug, Default)]
struct Intervals {
    count: u64,
    classes: BTreeMap<i32, (u64, f64)>,
    /// The longest ones: length and beginning.
    longest: Vec<(f64, f64)>,
    /// None that is longer than this is left out of them.
    least: f64,
}

impl Intervals {
    fn add(&mut self, from: f64, to: f64) {
        let length = to - from;
        self.count += 1;
        #[expect(clippy::cast_possible_truncation, reason = "the logarithm of a time is small")]
        let mut class = (length.ln() * 100.0).floor() as i32;
        if self.classes.len() >= CLASSES && !self.classes.contains_key(&class) {
            // Only noise has that many: the next longer class, or else the longest.
            let next = self.classes.range(class..).next().or_else(|| self.classes.last_key_value());
            class = next.map_or(class, |(class, _)| *class);
        }
        let (count, sum) = self.classes.entry(class).or_default();
        *count += 1;
        *sum += length;
        if self.longest.len() < KEPT {
            self.longest.push((length, from));
        } else if length > self.least {
            let shortest = self.longest.iter_mut().min_by(|a, b| a.0.total_cmp(&b.0));
            if let Some(shortest) = shortest.filter(|shortest| shortest.0 < length) {
                *shortest = (length, from);
            }
            self.least = self.longest.iter().map(|interval| interval.0).fold(f64::INFINITY, f64::min);
        }
    }

    /// The mean of the class in which the quantile lies.
    fn quantile(&self, q: f64) -> Option<f64> {
        let mut seen = 0;
        for (count, sum) in self.classes.values() {
            seen += count;
            if seen as f64 >= q * self.count as f64 {
                return Some(sum / *count as f64);
            }
        }
        None
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

    fn lane(times: impl IntoIterator<Item = f64>, axis: &Axis) -> Lane {
        let mut lane = Lane::new("a".into(), "imu", 1);
        times.into_iter().for_each(|t| lane.add(t, axis));
        lane.finish(axis);
        lane
    }

    #[test]
    fn a_steady_rate_has_an_even_density_and_no_gaps() {
        let axis = axis(100);
        let lane = lane((0..=400).map(|n| f64::from(n) / 4.0), &axis);
        let rhythm = lane.rhythm(&axis).unwrap();
        assert!((rhythm.median - 0.25).abs() < 1e-9 && rhythm.is_regular && rhythm.gaps.is_empty());
        let heights = lane.heights(&[], &axis);
        assert!(heights[1..299].iter().all(|h| (h - 1.0).abs() < 1e-3), "{heights:?}");
    }

    #[test]
    fn a_hole_in_a_rhythm_is_a_gap_unless_late_records_fill_it() {
        let axis = axis(100);
        let holed = || (0..=400).map(|n| f64::from(n) / 4.0).filter(|t| !(40.0..50.0).contains(t));
        let gaps = lane(holed(), &axis).rhythm(&axis).unwrap().gaps;
        assert_eq!(gaps, [(39.75, 50.0)]);
        let filled = lane(holed().chain([45.0]), &axis);
        assert!(filled.rhythm(&axis).unwrap().gaps.is_empty());
    }

    #[test]
    fn bursts_and_few_records_have_no_gaps() {
        let axis = axis(100);
        let bursts =
            (0..5).flat_map(|burst| (0..10).map(move |n| f64::from(burst) * 25.0 + f64::from(n) / 10.0));
        let rhythm = lane(bursts, &axis).rhythm(&axis).unwrap();
        assert!(!rhythm.is_regular && rhythm.gaps.is_empty());
        assert_eq!(lane([1.0, 1.0], &axis).rhythm(&axis), None);
    }
}
