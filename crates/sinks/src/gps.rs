//! GPS time of timestamps, for targets that store it.

use robolog_core::{Clock, Timestamp};

/// Unix time of 1980-01-06, the zero of GPS time.
const EPOCH: i64 = 315_964_800;

/// Unix times of the leap seconds since 1980: from each on, UTC is one more second behind GPS time.
const LEAPS: [i64; 18] = [
    362_793_600,
    394_329_600,
    425_865_600,
    489_024_000,
    567_993_600,
    631_152_000,
    662_688_000,
    709_948_800,
    741_484_800,
    773_020_800,
    820_454_400,
    867_715_200,
    915_148_800,
    1_136_073_600,
    1_230_768_000,
    1_341_100_800,
    1_435_708_800,
    1_483_228_800,
];

/// Seconds and nanoseconds of GPS time; `None` for clocks without a date.
pub(super) fn time(time: Timestamp) -> Option<(i64, u32)> {
    let (secs, nanos) = time.secs_and_nanos();
    match time.clock() {
        Clock::Gps => Some((secs, nanos)),
        Clock::Unix => {
            let leaps = LEAPS.iter().filter(|leap| **leap <= secs).count();
            let secs = secs.checked_sub(EPOCH)?.checked_add(i64::try_from(leaps).ok()?)?;
            Some((secs, nanos))
        }
        Clock::Device | Clock::Relative => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leap_seconds_are_those_of_the_published_list() {
        // IERS Bulletin C: days that begin just after a leap second.
        let days = [
            (1981, 7),
            (1982, 7),
            (1983, 7),
            (1985, 7),
            (1988, 1),
            (1990, 1),
            (1991, 1),
            (1992, 7),
            (1993, 7),
            (1994, 7),
            (1996, 1),
            (1997, 7),
            (1999, 1),
            (2006, 1),
            (2009, 1),
            (2012, 7),
            (2015, 7),
            (2017, 1),
        ];
        let days = days.map(|(year, month)| Timestamp::from_utc(year, month, 1, 0, 0, 0, 0).unwrap().nanos());
        assert_eq!(days.map(|nanos| nanos / 1_000_000_000), LEAPS);
    }

    #[test]
    fn known_moments() {
        let utc = |y, m, d, s| Timestamp::from_utc(y, m, d, 0, 0, s, 5).unwrap();
        assert_eq!(time(utc(1980, 1, 6, 0)), Some((0, 5)));
        // GPS week 2048 began on 2019-04-07, 18 seconds before midnight of UTC.
        assert_eq!(time(utc(2019, 4, 7, 0)), Some((2048 * 604_800 + 18, 5)));
        // 2011-09-14 01:46:25 UTC is the zero of adjusted standard GPS time.
        let zero = Timestamp::from_utc(2011, 9, 14, 1, 46, 25, 0).unwrap();
        assert_eq!(time(zero), Some((1_000_000_000, 0)));
        assert_eq!(time(Timestamp::new(1_500_000_000, Clock::Gps)), Some((1, 500_000_000)));
        assert_eq!(time(Timestamp::new(1, Clock::Device)), None);
        assert_eq!(time(Timestamp::new(1, Clock::Relative)), None);
    }
}
