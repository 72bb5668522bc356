//! Whether a channel has a rate: evenly spaced time stamps.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    reason = "counts of intervals, and lengths that are averaged"
)]

use std::time::Duration;

use crate::{Timestamp, slices::fitting};

/// Histogram of the intervals between a channel's stamps. Memory does not grow with their number.
///
/// A class is 1/4096 of an octave wide, less than 0.02 %. Beyond 64 classes, neighbours are joined in pairs: intervals
/// that vary by a fifth either way end in classes of one per cent, those that vary by half in classes of two. A class
/// stores the mean of its intervals, so a quantile is off by about half a class width, and exact if the intervals are
/// equal.
#[derive(Debug, Clone, Default)]
pub struct Rhythm {
    last: Option<Timestamp>,
    intervals: u64,
    /// Sorted by length.
    classes: Vec<Class>,
    /// How often classes were joined.
    joined: u8,
    /// The place of the last interval's class, which most others have, too.
    latest: u8,
}

/// Intervals of similar length.
#[derive(Debug, Clone, Copy)]
struct Class {
    /// The octave of the length in the high bits, and its leading bits after the first.
    at: u32,
    intervals: u64,
    /// Total length, nanoseconds.
    nanos: f64,
}

/// Maximum number of classes. One class per octave would need fewer.
const CLASSES: usize = 64;
/// Number of bits after the leading one that distinguish the first classes.
const BITS: u8 = 12;
/// Minimum number of intervals for a rate.
const FEWEST: u64 = 4;

impl Rhythm {
    /// `intervals` intervals of `length`: for a channel whose records accompany something evenly spaced.
    pub fn of(length: Duration, intervals: u64) -> Self {
        let nanos = u64::try_from(length.as_nanos()).unwrap_or(u64::MAX);
        let class = Class { at: class(nanos), intervals, nanos: nanos as f64 * intervals as f64 };
        Self { last: None, intervals, classes: vec![class], joined: 0, latest: 0 }
    }

    /// Adds a stamp. Of equal stamps the first counts; one that goes back restarts the sequence.
    pub fn add(&mut self, time: Timestamp) {
        let interval = self.last.and_then(|last| time.since(last));
        if interval == Some(0) {
            return;
        }
        self.last = Some(time);
        let Some(nanos) = interval.and_then(|nanos| u64::try_from(nanos).ok()) else { return };
        self.intervals += 1;
        let at = class(nanos).unbounded_shr(self.joined.into());
        let latest = usize::from(self.latest);
        let place = match self.classes.get(latest) {
            Some(class) if class.at == at => latest,
            _ => self.classes.partition_point(|other| other.at < at),
        };
        self.latest = fitting::<u8>(place);
        match self.classes.get_mut(place) {
            Some(other) if other.at == at => {
                other.intervals += 1;
                other.nanos += nanos as f64;
            }
            _ => {
                // A file may have very many channels, and most then have one class.
                if self.classes.is_empty() {
                    self.classes.reserve_exact(1);
                }
                self.classes.insert(place, Class { at, intervals: 1, nanos: nanos as f64 });
                self.make_room();
            }
        }
    }

    /// The median interval, if it gives a rate.
    ///
    /// This needs at least four intervals, nine in ten at most about twice the median, that fill at least half of
    /// `nanos`, the time from the first to the last stamp: bursts have no rate.
    pub fn interval(&self, nanos: i64) -> Option<Duration> {
        let (median, most) = (self.median()?, self.quantile(90)?);
        let is_filled = median * self.intervals as f64 * 2.0 >= nanos as f64;
        // A tenth more, as classes are not exact.
        let is_even = self.intervals >= FEWEST && most <= 2.1 * median && is_filled;
        is_even.then(|| Duration::from_secs_f64(median.max(1.0) / 1e9))
    }

    /// The median interval in nanoseconds: for an even number the mean of the middle two.
    fn median(&self) -> Option<f64> {
        let lower = self.ranked(self.intervals.checked_sub(1)? / 2)?;
        Some(f64::midpoint(lower, self.ranked(self.intervals / 2)?))
    }

    /// The length in nanoseconds that this percentage of the intervals does not exceed.
    fn quantile(&self, percent: u64) -> Option<f64> {
        self.ranked((self.intervals * percent).div_ceil(100).checked_sub(1)?)
    }

    /// The length of the interval at this rank: the mean of its class.
    fn ranked(&self, rank: u64) -> Option<f64> {
        let mut seen = 0_u64;
        let found = self.classes.iter().find(|class| {
            seen += class.intervals;
            seen > rank
        });
        found.map(|class| class.nanos / class.intervals as f64)
    }

    /// Joins neighbours until there are few enough classes.
    fn make_room(&mut self) {
        while self.classes.len() > CLASSES && self.joined < BITS {
            self.joined += 1;
            for class in &mut self.classes {
                class.at >>= 1;
            }
            self.classes.dedup_by(|next, kept| {
                let is_same = next.at == kept.at;
                if is_same {
                    kept.intervals += next.intervals;
                    kept.nanos += next.nanos;
                }
                is_same
            });
        }
    }
}

/// The octave of a number, and the leading bits after the first.
fn class(nanos: u64) -> u32 {
    let nanos = nanos.max(1);
    let octave = nanos.ilog2();
    let aligned = nanos.unbounded_shl(63 - octave);
    // Shifts out the leading one, and puts the octave in its place.
    let bits = (aligned << 1) >> (64 - u32::from(BITS));
    (octave << BITS) | fitting::<u32>(bits)
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "numbers of the tests are small")]
mod tests {
    use super::*;
    use crate::Clock;

    fn rhythm(stamps: impl IntoIterator<Item = i64>) -> (Rhythm, i64) {
        let (mut rhythm, mut span) = (Rhythm::default(), (i64::MAX, 0));
        for nanos in stamps {
            span = (span.0.min(nanos), span.1.max(nanos));
            rhythm.add(Timestamp::new(nanos, Clock::Relative));
        }
        (rhythm, span.1.saturating_sub(span.0))
    }

    fn interval(stamps: impl IntoIterator<Item = i64>) -> Option<Duration> {
        let (rhythm, nanos) = rhythm(stamps);
        rhythm.interval(nanos)
    }

    fn is_even(stamps: impl IntoIterator<Item = i64>) -> bool {
        interval(stamps).is_some()
    }

    /// Pseudo-random numbers from 0 to 1.
    fn noise() -> impl Iterator<Item = f64> {
        let mut state = 1_u64;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        })
    }

    #[test]
    fn classes_are_a_4096th_of_an_octave() {
        assert_eq!([1, 2, 3, 4, 6].map(class), [0, 1 << 12, 3 << 11, 2 << 12, 5 << 11]);
        assert_eq!((class(0), class(u64::MAX)), (0, (64 << 12) - 1));
        assert_eq!(class(4096 + 1), class(4096) + 1);
    }

    #[test]
    fn an_even_channel_has_a_rate_whatever_its_period() {
        for period in [1_000_i64, 1_250_000, 99_999_999, 3_600_000_000_000] {
            let exact = Some(Duration::from_nanos(period.unsigned_abs()));
            assert_eq!(interval((0..10).map(|n| n * period)), exact);
            // Several records at one time, a jitter of a fifth, and one gap.
            assert!(is_even((0..100).map(|n| n / 4 * period + n / 4 % 2 * period / 5)), "{period}");
            assert_eq!(interval((0..20).map(|n| n * period + n / 10 * 3 * period)), exact);
        }
    }

    #[test]
    fn the_interval_is_the_median_whatever_is_lost_and_however_it_jitters() {
        const PERIOD: i64 = 50_000_000;
        // The first turn is incomplete, every tenth record is lost, and the recording pauses.
        let lossy = (0..200).filter(|n| n % 10 != 7).map(|n| n * PERIOD + n / 100 * 7 * PERIOD);
        assert_eq!(interval([-1_000_000].into_iter().chain(lossy)), Some(Duration::from_millis(50)));
        for (jitter, most) in [(0.001, 0.001), (0.02, 0.001), (0.2, 0.006), (0.5, 0.012)] {
            let late = noise().map(|noise| (noise * jitter * PERIOD as f64) as i64);
            let stamps: Vec<i64> = (0..5_000).zip(late).map(|(n, late)| n * PERIOD + late).collect();
            let mut truth: Vec<i64> = stamps.windows(2).map(|pair| pair[1] - pair[0]).collect();
            truth.sort_unstable();
            let truth = truth[truth.len() / 2] as f64 / 1e9;
            let (rhythm, nanos) = rhythm(stamps);
            let found = rhythm.interval(nanos).unwrap().as_secs_f64();
            assert!((found / truth - 1.0).abs() < most, "{jitter}: {found} for {truth}");
            assert!(rhythm.classes.len() <= CLASSES);
        }
    }

    #[test]
    fn memory_is_bounded() {
        let lengths = noise().map(|noise| (noise * 62.0).exp2() as i64);
        let mut at = 0_i64;
        let stamps = lengths.take(10_000).map(|length| {
            at = at.checked_add(length).unwrap_or_default();
            at
        });
        let (rhythm, _) = rhythm(stamps.collect::<Vec<_>>());
        assert!(rhythm.classes.len() <= CLASSES && rhythm.joined == BITS);
        assert_eq!(rhythm.classes.iter().map(|class| class.intervals).sum::<u64>(), rhythm.intervals);
    }

    #[test]
    fn few_stamps_bursts_and_chance_have_none() {
        assert!(!is_even([]) && !is_even([1]) && !is_even((0..4).map(|n| n * 1_000_000)));
        assert!(!is_even((0..50).map(|n| n * 1_000 + n / 10 * 1_000_000_000)), "bursts");
        assert!(!is_even((0..50_i64).map(|n| n * n * n * 1_000)), "ever slower");
        assert!(!is_even((0..1_000).map(|n| 1_i64 << (n % 40))), "many classes");
    }
}
