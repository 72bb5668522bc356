//! The time stamps of packages.

use robolog_core::{Clock, Timestamp, layout::Layout as _, slices::InRange as _};

use crate::layout::Utc;

/// Nanoseconds.
const HOUR: i64 = 3_600_000_000_000;

/// Type of a package's time stamp, by its number in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TimestampType {
    /// 0: nanoseconds since power-on; no external clock.
    NoSync,
    /// 1: nanoseconds of an IEEE 1588 (PTP, gPTP) clock; assumed to be unix time, as most grandmasters are set.
    Ptp,
    /// LVX2's 2: nanoseconds of unix time, set by a GNSS receiver.
    Gps,
    /// LVX 1's 3: date, hour and microseconds in the hour, UTC, set by GPS and a pulse per second.
    Utc,
    /// LVX 1's 4: nanoseconds since the last pulse; restarts every second.
    Pps,
    /// Any other number.
    Unknown(u8),
}

impl TimestampType {
    pub(crate) const fn of_v1(number: u8) -> Self {
        match number {
            0 => Self::NoSync,
            1 => Self::Ptp,
            3 => Self::Utc,
            4 => Self::Pps,
            other => Self::Unknown(other),
        }
    }

    pub(crate) const fn of_v2(number: u8) -> Self {
        match number {
            0 => Self::NoSync,
            1 => Self::Ptp,
            2 => Self::Gps,
            other => Self::Unknown(other),
        }
    }

    /// The clock of stamps of this type.
    pub const fn clock(self) -> Clock {
        match self {
            Self::Ptp | Self::Gps | Self::Utc => Clock::Unix,
            Self::NoSync => Clock::Device,
            Self::Pps | Self::Unknown(_) => Clock::Relative,
        }
    }

    /// Decodes a stamp. `None` if it is no valid date, or beyond i64 nanoseconds.
    pub(crate) fn decode(self, bytes: [u8; 8]) -> Option<Timestamp> {
        if self != Self::Utc {
            return Timestamp::from_nanos(u64::from_le_bytes(bytes), self.clock());
        }
        let Utc { year, month, day, hour, micros } = Utc::from_bytes(&bytes);
        // One hour, plus a leap second at its end.
        if micros > 3_601_000_000 {
            return None;
        }
        let hour = Timestamp::from_utc(2000_i32.checked_add(i32::from(year))?, month, day, hour, 0, 0, 0)?;
        hour.checked_add(i64::from(micros).checked_mul(1000)?)
    }

    /// Encodes a stamp; `None` if this type cannot hold it: another clock, a time before zero, years before 2000 or
    /// after 2255, fractions of a microsecond in UTC.
    pub(crate) fn encode(self, time: Timestamp) -> Option<[u8; 8]> {
        if time.clock() != self.clock() {
            return None;
        }
        if self != Self::Utc {
            return u64::try_from(time.nanos()).ok().map(u64::to_le_bytes);
        }
        let (year, month, day) = time.date()?;
        let in_hour = time.nanos().rem_euclid(HOUR);
        let stamp = Utc {
            year: year.checked_sub(2000)?.try_into().ok()?,
            month,
            day,
            hour: time.nanos().div_euclid(HOUR).rem_euclid(24).try_into().ok()?,
            micros: (in_hour % 1000 == 0).then_some(in_hour / 1000)?.try_into().ok()?,
        };
        let mut bytes = Vec::with_capacity(8);
        stamp.encode(&mut bytes).ok()?;
        bytes.try_into().ok()
    }
}

/// Unwraps stamps that restart with every pulse into continuous time.
///
/// The file does not contain the pulse times, so each decrease of the stamp counts as one second.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Unwrap {
    last: i64,
    seconds: i64,
}

impl Unwrap {
    pub(crate) fn apply(&mut self, kind: TimestampType, time: Timestamp) -> Timestamp {
        if kind != TimestampType::Pps {
            return time;
        }
        // Packages of one LiDAR arrive in order; a step back of half a second is a pulse, a smaller one is disorder.
        if time.nanos() < self.last.saturating_sub(500_000_000) {
            self.seconds = self.seconds.plus(1);
        }
        self.last = time.nanos();
        let passed = self.seconds.saturating_mul(1_000_000_000);
        time.checked_add(passed).unwrap_or(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utc_stamps_are_dates_with_microseconds_of_the_hour() {
        // 2021-06-08 8 h and 1661.272021 s, as printed by a driver for a real sensor.
        let mut bytes = [21, 6, 8, 8, 0, 0, 0, 0];
        bytes[4..].copy_from_slice(&1_661_272_021_u32.to_le_bytes());
        let time = TimestampType::Utc.decode(bytes).unwrap();
        assert_eq!(time.to_string(), "2021-06-08T08:27:41.272021000Z");
        assert_eq!(TimestampType::Utc.encode(time), Some(bytes));
        let early = Timestamp::from_utc(1999, 12, 31, 23, 0, 0, 0).unwrap();
        assert_eq!(TimestampType::Utc.encode(early), None, "years count from 2000");
        assert_eq!(TimestampType::Ptp.encode(time), Some(1_623_140_861_272_021_000_u64.to_le_bytes()));
        assert_eq!(TimestampType::NoSync.encode(time), None, "another clock");
        bytes[1] = 13;
        assert_eq!(TimestampType::Utc.decode(bytes), None);
    }

    #[test]
    fn pulses_become_seconds() {
        let mut unwrap = Unwrap::default();
        let at = |ms: i64| Timestamp::new(ms * 1_000_000, Clock::Relative);
        let got = [900, 990, 40, 39, 950, 10].map(|ms| unwrap.apply(TimestampType::Pps, at(ms)));
        assert_eq!(got, [900, 990, 1040, 1039, 1950, 2010].map(at));
        assert_eq!(unwrap.apply(TimestampType::NoSync, at(5)), at(5));
    }
}
