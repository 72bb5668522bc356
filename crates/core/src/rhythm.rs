//! Whether a channel has a rate: stamps that follow each other evenly.

#![allow(clippy::arithmetic_side_effects, reason = "counts of intervals")]

use crate::Timestamp;

/// The intervals between the stamps of a channel, in classes a fifth wide. Memory does not grow with their number.
#[derive(Debug, Clone, Default)]
pub struct Rhythm {
    last: Option<Timestamp>,
    intervals: u64,
    /// How many intervals are of each class, by class.
    classes: Vec<(u16, u64)>,
}

/// Most classes that are kept apart: an even channel has a few.
const CLASSES: usize = 24;
/// Classes of an octave.
const PER_OCTAVE: u16 = 4;
/// Fewer intervals make no rhythm.
const FEWEST: u64 = 4;

impl Rhythm {
    /// `intervals` intervals of `nanos` nanoseconds: of a channel whose records come with something that is even.
    pub fn of(nanos: u64, intervals: u64) -> Self {
        Self { last: None, intervals, classes: vec![(class(nanos), intervals)] }
    }

    /// Adds a stamp. Of equal stamps the first counts, and one that goes back begins anew.
    pub fn add(&mut self, time: Timestamp) {
        let interval = self.last.and_then(|last| time.since(last));
        if interval == Some(0) {
            return;
        }
        self.last = Some(time);
        let Some(nanos) = interval.and_then(|nanos| u64::try_from(nanos).ok()) else { return };
        self.intervals += 1;
        let class = class(nanos);
        let at = self.classes.partition_point(|(other, _)| *other < class);
        let is_full = self.classes.len() >= CLASSES;
        match self.classes.get_mut(at) {
            Some((other, n)) if *other == class => *n += 1,
            _ if !is_full => {
                // A file may name very many channels, and most then have one class.
                if self.classes.is_empty() {
                    self.classes.reserve_exact(1);
                }
                self.classes.insert(at, (class, 1));
            }
            // Counted as longer than all that are kept: of too many, there is no quantile.
            _ => {}
        }
    }

    /// Whether nine of ten intervals are at most about twice the median, there are enough of them, and they fill most of
    /// `nanos`, the time from the first to the last stamp: bursts have no rate.
    pub fn is_even(&self, nanos: i64) -> bool {
        let (Some(median), Some(most)) = (self.quantile(50), self.quantile(90)) else { return false };
        let octave = |class: u16| u32::from(class.wrapping_div(PER_OCTAVE));
        // A class is as long as its shortest interval: a sixth is added for the mean.
        let shortest = 1_u64.checked_shl(octave(median)).unwrap_or(u64::MAX);
        let quarter = u64::from(median.wrapping_rem(PER_OCTAVE) + 4);
        let length = u128::from(shortest) * u128::from(quarter) * u128::from(self.intervals) * 7 / 24;
        let fills = length * 2 >= u128::try_from(nanos).unwrap_or_default();
        self.intervals >= FEWEST && most <= median + PER_OCTAVE && fills
    }

    /// The class that this percentage of the intervals does not exceed.
    fn quantile(&self, percent: u64) -> Option<u16> {
        let mut seen = 0_u64;
        let found = self.classes.iter().find(|(_, n)| {
            seen += *n;
            seen * 100 >= self.intervals * percent
        });
        found.map(|(class, _)| *class)
    }
}

/// The octave of a number, and the quarter of it: a number is at least as large as its class begins, and less than a
/// quarter larger.
fn class(nanos: u64) -> u16 {
    let octave = nanos.max(1).ilog2();
    // The two bits behind the leading one.
    let quarter = nanos.checked_shl(2).map_or(0, |n| n.checked_shr(octave).unwrap_or_default() & 3);
    u16::try_from(octave * 4 + u32::try_from(quarter).unwrap_or_default()).unwrap_or(u16::MAX)
}

#[cfg(test)]
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

    fn is_even(stamps: impl IntoIterator<Item = i64>) -> bool {
        let (rhythm, nanos) = rhythm(stamps);
        rhythm.is_even(nanos)
    }

    #[test]
    fn classes_are_a_quarter_of_an_octave() {
        assert_eq!([4, 5, 6, 7, 8, 9, 10].map(class), [8, 9, 10, 11, 12, 12, 13]);
        assert_eq!((class(0), class(u64::MAX)), (0, 63 * 4 + class(u64::MAX) % 4));
    }

    #[test]
    fn an_even_channel_has_a_rate_whatever_its_period() {
        for period in [1_000, 1_250_000, 99_999_999, 3_600_000_000_000] {
            assert!(is_even((0..10).map(|n| n * period)), "{period}");
            // Several records of one moment, a jitter of a fifth, and one gap.
            assert!(is_even((0..100).map(|n| n / 4 * period + n / 4 % 2 * period / 5)), "{period}");
            assert!(is_even((0..20).map(|n| n * period + n / 10 * 3 * period)), "{period}");
        }
    }

    #[test]
    fn few_stamps_bursts_and_chance_have_none() {
        assert!(!is_even([]) && !is_even([1]) && !is_even((0..4).map(|n| n * 1_000_000)));
        assert!(!is_even((0..50).map(|n| n * 1_000 + n / 10 * 1_000_000_000)), "bursts");
        assert!(!is_even((0..50_i64).map(|n| n * n * n * 1_000)), "ever slower");
        assert!(!is_even((0..1_000).map(|n| 1_i64 << (n % 40))), "many classes");
    }
}
