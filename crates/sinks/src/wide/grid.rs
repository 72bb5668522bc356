//! Times of the rows.

use super::super::options::Rate;

/// Multiples of the period. Counted from time 0 of the clock, they are the same in tables of several recordings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grid {
    micro_hz: i128,
    /// Time of tick 0, nanoseconds.
    origin: i64,
}

/// Nanoseconds per million seconds.
const UNIT: i128 = 1_000_000_000_000_000;

impl Grid {
    pub(super) fn new(rate: Rate) -> Self {
        Self { micro_hz: rate.micro_hz().max(1).into(), origin: 0 }
    }

    /// Counts from this time instead, nanoseconds.
    pub(super) fn counted_from(self, origin: i64) -> Self {
        Self { origin, ..self }
    }

    /// Number of the first tick at or after this time, nanoseconds.
    pub(super) fn tick_at_or_after(self, nanos: i64) -> i128 {
        let nanos = i128::from(nanos) - i128::from(self.origin);
        let ticks = nanos.saturating_mul(self.micro_hz);
        // Rounds up for either sign.
        ticks.saturating_neg().div_euclid(UNIT).saturating_neg()
    }

    /// Time of a tick, rounded down to nanoseconds; `None` beyond 64 bits.
    pub(super) fn time_of(self, tick: i128) -> Option<i64> {
        let nanos = tick.saturating_mul(UNIT).checked_div_euclid(self.micro_hz)?;
        i64::try_from(nanos.checked_add(self.origin.into())?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_whole_multiples_of_the_period_and_agree_with_their_times() {
        let grid = Grid::new("3".parse().unwrap());
        assert_eq!(
            [0, 1, 2, 3, -1].map(|n| grid.time_of(n).unwrap()),
            [0, 333_333_333, 666_666_666, 1_000_000_000, -333_333_334]
        );
        for tick in [-5, 0, 1, 2, 5_250_000_000_i128] {
            let time = grid.time_of(tick).unwrap();
            assert_eq!((grid.tick_at_or_after(time), grid.tick_at_or_after(time + 1)), (tick, tick + 1));
        }
        let moved = grid.counted_from(100);
        assert_eq!([0, 1, -1].map(|n| moved.time_of(n).unwrap()), [100, 333_333_433, -333_333_234]);
        assert_eq!([100, 101].map(|time| moved.tick_at_or_after(time)), [0, 1]);
        let fastest = Grid::new("1000000".parse().unwrap());
        assert!(fastest.time_of(fastest.tick_at_or_after(i64::MAX)).is_none());
        assert!(fastest.time_of(fastest.tick_at_or_after(i64::MIN)).is_some());
    }
}
