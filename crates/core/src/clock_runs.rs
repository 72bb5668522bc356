//! When a recording was made, even if a few time stamps are outliers.

#![allow(clippy::arithmetic_side_effects, reason = "counts of stamps")]

use crate::{Clock, Timestamp};

/// Stamps of one clock without a long gap between them.
#[derive(Debug, Clone, Copy)]
struct ClockRun {
    clock: Clock,
    stamps: u64,
    from: i64,
    to: i64,
    /// Offset of its first stamp.
    offset: u64,
}

/// Stamps grouped into runs; memory does not grow with their number.
#[derive(Debug, Default)]
pub(crate) struct ClockRuns(Vec<ClockRun>);

/// Stamps farther apart than an hour belong to different runs.
const GAP: i64 = 3_600_000_000_000;

/// Maximum number of runs; beyond it, the two nearest are joined.
const MOST: usize = 16;

/// A run can be an outlier if it is at least a day away from the main one ...
const FAR: i64 = 24 * GAP;

/// ... and this many times as far away as the main one is long ...
const TIMES_FAR: i64 = 100;

/// ... and holds at most one in this many stamps.
const RARE: u64 = 20;

/// Outliers: stamps far from all others, ignored for the start and end of the recording.
#[derive(Debug)]
pub(crate) struct Outliers {
    pub(crate) stamps: u64,
    pub(crate) from: Timestamp,
    pub(crate) to: Timestamp,
    /// Offset of the first of them.
    pub(crate) offset: u64,
}

impl ClockRuns {
    /// Adds `stamps` stamps from `start` to `end`, the first at `offset`.
    pub(crate) fn add(&mut self, (start, end): (Timestamp, Timestamp), stamps: u64, offset: u64) {
        let (clock, from, to) = (start.clock(), start.nanos(), end.nanos());
        let new = ClockRun { clock, stamps, from, to, offset };
        let near = self.0.iter_mut().find(|run| run.distance(&new).is_some_and(|gap| gap <= GAP));
        if let Some(run) = near {
            run.join(&new);
        } else {
            // Nearly every channel has one run, and a file may have very many channels.
            if self.0.is_empty() {
                self.0.reserve_exact(1);
            }
            self.0.push(new);
            self.make_room();
        }
    }

    /// Adds the runs of another channel.
    pub(crate) fn join(&mut self, other: &Self) {
        self.0.extend(&other.0);
        self.0.sort_by_key(|run| (run.clock.name(), run.from));
        let mut joined: Vec<ClockRun> = Vec::new();
        for run in self.0.drain(..) {
            match joined.last_mut().filter(|last| last.distance(&run).is_some_and(|gap| gap <= GAP)) {
                Some(last) => last.join(&run),
                None => joined.push(run),
            }
        }
        self.0 = joined;
        self.make_room();
    }

    /// Number of stamps per clock.
    pub(crate) fn votes(&self) -> Vec<(Clock, u64)> {
        let mut votes: Vec<(Clock, u64)> = Vec::new();
        for run in &self.0 {
            match votes.iter_mut().find(|vote| vote.0 == run.clock) {
                Some(vote) => vote.1 += run.stamps,
                None => votes.push((run.clock, run.stamps)),
            }
        }
        votes
    }

    /// The runs of a clock that are far from the main one and hold few stamps.
    pub(crate) fn outliers(&self, clock: Clock) -> Vec<Outliers> {
        let of_clock = || self.0.iter().filter(|run| run.clock == clock);
        let total = of_clock().map(|run| run.stamps).sum::<u64>();
        // If several are equally large, the first in the file.
        let main = of_clock().min_by_key(|run| (std::cmp::Reverse(run.stamps), run.offset));
        let Some(main) = main else { return Vec::new() };
        let far = FAR.max(main.to.saturating_sub(main.from).saturating_mul(TIMES_FAR));
        let is_rare = |run: &ClockRun| run.stamps * RARE <= total || run.stamps == 1 && total > 3;
        let is_outlier = |run: &&ClockRun| is_rare(run) && run.distance(main).is_some_and(|gap| gap > far);
        let outliers = of_clock().filter(is_outlier).map(|run| Outliers {
            stamps: run.stamps,
            from: Timestamp::new(run.from, clock),
            to: Timestamp::new(run.to, clock),
            offset: run.offset,
        });
        outliers.collect()
    }

    /// Whether a clock has stamps.
    pub(crate) fn has(&self, clock: Clock) -> bool {
        self.0.iter().any(|run| run.clock == clock)
    }

    /// The earliest and latest stamp of a clock without outliers. A run that starts or ends with an outlier, as a
    /// tally's may, starts or ends with `usual` instead.
    pub(crate) fn span(
        &self,
        clock: Clock,
        outliers: &[Outliers],
        usual: Option<(Timestamp, Timestamp)>,
    ) -> Option<(Timestamp, Timestamp)> {
        let place =
            |nanos: i64| outliers.iter().position(|run| (run.from.nanos()..=run.to.nanos()).contains(&nanos));
        let clipped = self.0.iter().filter(|run| run.clock == clock).filter_map(|run| {
            match (place(run.from), place(run.to)) {
                (None, None) => Some((run.from, run.to)),
                (from, to) if from == to => None,
                (from, to) => {
                    let usual = usual?;
                    let from = if from.is_some() { usual.0.nanos() } else { run.from };
                    Some((from, if to.is_some() { usual.1.nanos() } else { run.to }))
                }
            }
        });
        let (from, to) = clipped.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        Some((Timestamp::new(from, clock), Timestamp::new(to, clock)))
    }

    fn make_room(&mut self) {
        while self.0.len() > MOST {
            let mut nearest: Option<(i64, usize, usize)> = None;
            for (i, a) in self.0.iter().enumerate() {
                for (j, b) in self.0.iter().enumerate().skip(i + 1) {
                    let gap = a.distance(b).filter(|gap| nearest.is_none_or(|(least, ..)| *gap < least));
                    nearest = gap.map(|gap| (gap, i, j)).or(nearest);
                }
            }
            let Some((_, i, j)) = nearest else { return };
            let other = self.0.remove(j);
            if let Some(run) = self.0.get_mut(i) {
                run.join(&other);
            }
        }
    }
}

impl ClockRun {
    /// Nanoseconds between two runs, 0 if they overlap; `None` if their clocks differ.
    fn distance(&self, other: &Self) -> Option<i64> {
        let between = self.from.saturating_sub(other.to).max(other.from.saturating_sub(self.to));
        (self.clock == other.clock).then_some(between.max(0))
    }

    fn join(&mut self, other: &Self) {
        self.stamps += other.stamps;
        self.from = self.from.min(other.from);
        self.to = self.to.max(other.to);
        self.offset = self.offset.min(other.offset);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000_000;

    fn at(nanos: i64) -> Timestamp {
        Timestamp::new(nanos, Clock::Unix)
    }

    fn of(stamps: impl IntoIterator<Item = i64>) -> ClockRuns {
        let mut runs = ClockRuns::default();
        for (offset, nanos) in (0..).zip(stamps) {
            runs.add((at(nanos), at(nanos)), 1, offset);
        }
        runs
    }

    #[test]
    fn a_wild_stamp_moves_neither_start_nor_end() {
        let day = |n: i64| 1_700_000_000 * SECOND + n * SECOND;
        let runs = of([0].into_iter().chain((0..60).map(day)).chain([i64::MAX, day(60)]));
        let outliers = runs.outliers(Clock::Unix);
        assert_eq!(
            outliers.iter().map(|run| (run.stamps, run.from.nanos(), run.offset)).collect::<Vec<_>>(),
            [(1, 0, 0), (1, i64::MAX, 61)]
        );
        let usual = runs.span(Clock::Unix, &outliers, None);
        assert_eq!(usual, Some((at(day(0)), at(day(60)))));
        assert_eq!(runs.span(Clock::Gps, &[], None), None);
        let mut tallied = ClockRuns::default();
        tallied.add((at(0), at(day(5))), 6, 0);
        assert_eq!(tallied.span(Clock::Unix, &outliers, usual), Some((at(day(0)), at(day(5)))));
    }

    #[test]
    fn a_pause_a_second_session_and_few_stamps_are_not_wild() {
        // Ten minutes, then twenty minutes three days later.
        let days = of((0..600).chain((3 * 86_400..).take(1200)).map(|n| n * SECOND));
        assert!(days.outliers(Clock::Unix).is_empty());
        let few = of([0, 1_700_000_000 * SECOND, 1_700_000_001 * SECOND]);
        assert!(few.outliers(Clock::Unix).is_empty(), "nobody knows which of them is wrong");
    }

    #[test]
    fn many_spells_are_kept_as_few() {
        let runs = of((0..1000).map(|n| n * 3 * GAP));
        assert!(runs.0.len() <= MOST);
        assert_eq!(runs.votes(), [(Clock::Unix, 1000)]);
        assert_eq!(runs.span(Clock::Unix, &[], None), Some((at(0), at(999 * 3 * GAP))));
    }
}
