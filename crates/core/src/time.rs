//! Time stamps: nanoseconds of a given clock.

use std::{
    fmt,
    time::{Duration, SystemTime},
};

/// The zero of a time stamp.
///
/// ```
/// use robolog_core::{Clock, Timestamp};
/// let power_on = Timestamp::new(1_500_000_000, Clock::Device);
/// assert_eq!((power_on.clock().name(), power_on.to_string().as_str()), ("device", "1.500000000"));
/// assert_eq!("unix".parse::<Clock>().ok(), Some(Clock::Unix));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Clock {
    /// 1970-01-01 00:00:00 UTC, without leap seconds.
    Unix,
    /// 1980-01-06 00:00:00 UTC, with the leap seconds since.
    Gps,
    /// The power-on of the device.
    Device,
    /// The start of the recording, or a zero chosen by the recorder.
    Relative,
}

crate::names!(Clock, "clock", Unix = "unix", Gps = "gps", Device = "device", Relative = "relative");

impl Clock {
    /// Its place in [`Clock::ALL`].
    pub const fn number(self) -> u8 {
        self as u8
    }

    /// The clock of this [number](Self::number).
    #[inline]
    pub fn of_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// A time: whole nanoseconds of a [`Clock`].
///
/// Stamps of different clocks are not comparable. Every conversion is checked and returns `None` if the result does not
/// fit i64 nanoseconds (292 years either way); nothing wraps or saturates.
///
/// ```
/// use robolog_core::{Clock, Timestamp};
/// let t = Timestamp::from_utc(2024, 9, 17, 15, 47, 55, 299_964_555).unwrap();
/// assert_eq!(t.nanos(), 1_726_588_075_299_964_555);
/// assert_eq!(t.to_string(), "2024-09-17T15:47:55.299964555Z");
/// assert_eq!(Timestamp::from_secs(1e19, Clock::Relative), None);
/// assert!(t.partial_cmp(&Timestamp::new(0, Clock::Device)).is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Timestamp {
    nanos: i64,
    clock: Clock,
}

const NANOS: i64 = 1_000_000_000;

impl Timestamp {
    /// `nanos` nanoseconds of `clock`.
    pub const fn new(nanos: i64, clock: Clock) -> Self {
        Self { nanos, clock }
    }

    /// `nanos` unsigned nanoseconds of `clock`, as most devices count them.
    pub fn from_nanos(nanos: u64, clock: Clock) -> Option<Self> {
        Some(Self::new(i64::try_from(nanos).ok()?, clock))
    }

    /// `secs` seconds of `clock`, rounded to the nanosecond; `None` if it is not finite or does not fit.
    pub fn from_secs(secs: f64, clock: Clock) -> Option<Self> {
        // Whole and fractional parts separately, as a double cannot hold today's date in nanoseconds.
        let whole = secs.trunc();
        let nanos = ((secs - whole) * 1e9).round();
        if !(-9.3e9..=9.3e9).contains(&whole) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "both are whole and in range by the check above")]
        let (whole, nanos) = (whole as i64, nanos as i64);
        Some(Self::new(whole.checked_mul(NANOS)?.checked_add(nanos)?, clock))
    }

    /// A date and time of day in UTC. `None` if invalid; second 60 is a leap second.
    pub fn from_utc(
        year: i32,
        month: u8,
        day: u8,
        hour: u8,
        minute: u8,
        second: u8,
        nanos: u32,
    ) -> Option<Self> {
        if hour > 23 || minute > 59 || second > 60 || nanos >= 1_000_000_000 {
            return None;
        }
        let days = days_from_civil(year, month, day)?;
        let secs = days
            .checked_mul(86_400)?
            .checked_add(i64::from(hour).checked_mul(3600)?)?
            .checked_add(i64::from(minute).checked_mul(60)?)?
            .checked_add(i64::from(second))?;
        let whole = secs.checked_mul(NANOS).and_then(|whole| whole.checked_add(nanos.into()));
        // The second that contains the first representable time begins before it.
        let late =
            || i64::try_from(i128::from(secs).checked_mul(NANOS.into())?.checked_add(nanos.into())?).ok();
        Some(Self::new(whole.or_else(late)?, Clock::Unix))
    }

    /// Year, month and day in UTC, for the unix clock.
    ///
    /// ```
    /// use robolog_core::{Clock, Timestamp};
    /// let time = Timestamp::from_utc(2024, 2, 29, 23, 59, 59, 0).unwrap();
    /// assert_eq!(time.date(), Some((2024, 2, 29)));
    /// assert_eq!(Timestamp::new(0, Clock::Device).date(), None);
    /// ```
    pub fn date(self) -> Option<(i32, u8, u8)> {
        let days = self.secs_and_nanos().0.div_euclid(86_400);
        let (year, month, day) = civil_from_days(days);
        let date = (i32::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?);
        (self.clock == Clock::Unix).then_some(date)
    }

    /// Nanoseconds since the clock's zero.
    pub const fn nanos(self) -> i64 {
        self.nanos
    }

    /// The clock.
    pub const fn clock(self) -> Clock {
        self.clock
    }

    /// Seconds since the clock's zero, to the precision of a double: a quarter of a microsecond for today's unix time.
    #[expect(clippy::cast_precision_loss, reason = "said in the documentation")]
    pub fn as_secs(self) -> f64 {
        self.nanos as f64 / 1e9
    }

    /// Whole seconds and nanoseconds since the clock's zero; nanoseconds are never negative.
    pub const fn secs_and_nanos(self) -> (i64, u32) {
        #[expect(clippy::cast_possible_truncation, reason = "a remainder below 1e9")]
        let nanos = self.nanos.rem_euclid(NANOS) as u32;
        (self.nanos.div_euclid(NANOS), nanos)
    }

    /// The time `nanos` nanoseconds later.
    pub fn checked_add(self, nanos: i64) -> Option<Self> {
        Some(Self::new(self.nanos.checked_add(nanos)?, self.clock))
    }

    /// The earlier of two times; `self` if they are not comparable.
    #[must_use]
    pub fn earlier(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The later of two times; `self` if they are not comparable.
    #[must_use]
    pub fn later(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// The time `duration` later.
    ///
    /// ```
    /// use std::time::{Duration, SystemTime};
    /// use robolog_core::{Clock, Timestamp};
    /// let start = Timestamp::from_system_time(SystemTime::UNIX_EPOCH).unwrap();
    /// let later = start.checked_add_duration(Duration::from_millis(1500)).unwrap();
    /// assert_eq!(later, Timestamp::new(1_500_000_000, Clock::Unix));
    /// assert_eq!(later.duration_since(start), Some(Duration::from_millis(1500)));
    /// assert_eq!(start.duration_since(later), None);
    /// assert_eq!(later.to_system_time(), Some(SystemTime::UNIX_EPOCH + Duration::from_millis(1500)));
    /// ```
    pub fn checked_add_duration(self, duration: Duration) -> Option<Self> {
        self.checked_add(i64::try_from(duration.as_nanos()).ok()?)
    }

    /// The time `duration` earlier.
    pub fn checked_sub_duration(self, duration: Duration) -> Option<Self> {
        self.checked_add(i64::try_from(duration.as_nanos()).ok()?.checked_neg()?)
    }

    /// Time from `earlier` to this one; `None` if `earlier` is later, or on another clock.
    pub fn duration_since(self, earlier: Self) -> Option<Duration> {
        Some(Duration::from_nanos(u64::try_from(self.since(earlier)?).ok()?))
    }

    /// Converts a system time to the unix clock.
    pub fn from_system_time(time: SystemTime) -> Option<Self> {
        let nanos = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_nanos()).ok()?,
            // The first representable time is farther from 1970 than the last.
            Err(before) => 0_i64.checked_sub_unsigned(u64::try_from(before.duration().as_nanos()).ok()?)?,
        };
        Some(Self::new(nanos, Clock::Unix))
    }

    /// Converts to a system time; `None` unless on the unix clock.
    pub fn to_system_time(self) -> Option<SystemTime> {
        if self.clock != Clock::Unix {
            return None;
        }
        let distance = Duration::from_nanos(self.nanos.unsigned_abs());
        let epoch = SystemTime::UNIX_EPOCH;
        if self.nanos < 0 { epoch.checked_sub(distance) } else { epoch.checked_add(distance) }
    }

    /// Nanoseconds from `earlier` to this one; `None` if the clocks differ.
    pub fn since(self, earlier: Self) -> Option<i64> {
        if self.clock != earlier.clock {
            return None;
        }
        self.nanos.checked_sub(earlier.nanos)
    }
}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (self.clock == other.clock).then(|| self.nanos.cmp(&other.nanos))
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339 for unix time, otherwise seconds; nine decimals either way.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (secs, nanos) = self.secs_and_nanos();
        if self.clock == Clock::Unix {
            let (year, month, day) = civil_from_days(secs.div_euclid(86_400));
            let s = secs.rem_euclid(86_400);
            let (hour, minute, second) = (s / 3600, s / 60 % 60, s % 60);
            return write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{nanos:09}Z");
        }
        let (sign, abs) = (if self.nanos < 0 { "-" } else { "" }, self.nanos.unsigned_abs());
        write!(f, "{sign}{}.{:09}", abs / 1_000_000_000, abs % 1_000_000_000)
    }
}

/// Days from 1970-01-01 to a Gregorian date (Howard Hinnant's algorithm).
fn days_from_civil(year: i32, month: u8, day: u8) -> Option<i64> {
    let leap = year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0);
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    if day == 0 || day > length {
        return None;
    }
    let (m, d) = (i64::from(month), i64::from(day));
    let y = i64::from(year).checked_sub(i64::from(m <= 2))?;
    let (era, year_of_era) = (y.div_euclid(400), y.rem_euclid(400));
    let shifted = if m > 2 { m.checked_sub(3)? } else { m.checked_add(9)? };
    let day_of_year =
        shifted.checked_mul(153)?.checked_add(2)?.checked_div(5)?.checked_add(d)?.checked_sub(1)?;
    let day_of_era = year_of_era
        .checked_mul(365)?
        .checked_add(year_of_era.checked_div(4)?)?
        .checked_sub(year_of_era.checked_div(100)?)?
        .checked_add(day_of_year)?;
    era.checked_mul(146_097)?.checked_add(day_of_era)?.checked_sub(719_468)
}

/// The inverse of [`days_from_civil`] for every day in the range of i64 nanoseconds.
#[expect(clippy::arithmetic_side_effects, reason = "days of i64 nanoseconds are fewer than 107 000")]
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let (era, doe) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    (yoe + era * 400 + i64::from(month <= 2), month, doy - (153 * mp + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_agree_with_known_unix_times() {
        // From `date -u -d @N`.
        for (secs, text) in [
            (0, "1970-01-01T00:00:00.000000000Z"),
            (951_782_400, "2000-02-29T00:00:00.000000000Z"),
            (1_623_140_461, "2021-06-08T08:21:01.000000000Z"),
            (-1, "1969-12-31T23:59:59.000000000Z"),
        ] {
            assert_eq!(Timestamp::new(secs * NANOS, Clock::Unix).to_string(), text);
        }
        let t = Timestamp::from_utc(2000, 2, 29, 0, 0, 0, 0).unwrap();
        assert_eq!(t.nanos(), 951_782_400 * NANOS);
        assert_eq!(Timestamp::from_utc(1900, 2, 29, 0, 0, 0, 0), None);
        assert_eq!(Timestamp::from_utc(2021, 4, 31, 0, 0, 0, 0), None);
        assert_eq!(Timestamp::from_utc(2021, 13, 1, 0, 0, 0, 0), None);
        assert_eq!(Timestamp::from_utc(9999, 1, 1, 0, 0, 0, 0), None, "beyond i64 nanoseconds");
        // The earliest and latest time that 64 bits can hold.
        let first = Timestamp::from_utc(1677, 9, 21, 0, 12, 43, 145_224_192).map(Timestamp::nanos);
        let last = Timestamp::from_utc(2262, 4, 11, 23, 47, 16, 854_775_807).map(Timestamp::nanos);
        assert_eq!((first, last), (Some(i64::MIN), Some(i64::MAX)));
        assert_eq!(Timestamp::from_utc(1677, 9, 21, 0, 12, 43, 145_224_191), None);
    }

    #[test]
    fn seconds_keep_what_a_double_holds_of_them() {
        // 2^-22 s are 238.4 ns; in nanoseconds, a double of today's date is a multiple of 256.
        let secs = 1_700_000_000.0 + (-22_f64).exp2();
        let time = Timestamp::from_secs(secs, Clock::Unix).map(Timestamp::nanos);
        assert_eq!(time, Some(1_700_000_000_000_000_238));
        assert_eq!(Timestamp::from_secs(-secs, Clock::Unix).map(Timestamp::nanos), time.map(|t| -t));
        assert_eq!(Timestamp::from_secs(9.4e9, Clock::Unix), None);
        assert_eq!(Timestamp::from_secs(f64::NAN, Clock::Unix), None);
    }

    #[test]
    fn every_day_survives_both_directions() {
        for days in -100_000..100_000 {
            let (y, m, d) = civil_from_days(days);
            let back = days_from_civil(y.try_into().unwrap(), m.try_into().unwrap(), d.try_into().unwrap());
            assert_eq!(back, Some(days));
        }
    }

    #[test]
    fn seconds_convert_exactly_or_not_at_all() {
        let t = Timestamp::from_secs(1_225_719_812.3, Clock::Unix).unwrap();
        assert!((t.nanos() - 1_225_719_812_300_000_000).abs() < 200, "{t:?}");
        assert_eq!(Timestamp::from_secs(-0.25, Clock::Relative).unwrap().nanos(), -250_000_000);
        assert_eq!(Timestamp::from_secs(-0.25, Clock::Relative).unwrap().to_string(), "-0.250000000");
        for secs in [f64::NAN, f64::INFINITY, 1e10, -1e10, 81_857_805_391.5] {
            assert_eq!(Timestamp::from_secs(secs, Clock::Unix), None, "{secs}");
        }
        assert_eq!(Timestamp::from_nanos(u64::MAX, Clock::Device), None);
        assert_eq!(Timestamp::new(i64::MAX, Clock::Device).checked_add(1), None);
    }

    #[test]
    fn moments_of_one_clock_compare_and_others_do_not() {
        let [first, last] = [1, 2].map(|nanos| Timestamp::new(nanos, Clock::Unix));
        for (a, b) in [(first, last), (last, first)] {
            assert_eq!((a.earlier(b), a.later(b)), (first, last));
        }
        let elsewhere = Timestamp::new(0, Clock::Gps);
        assert_eq!((last.earlier(elsewhere), elsewhere.later(last)), (last, elsewhere));
    }
}
