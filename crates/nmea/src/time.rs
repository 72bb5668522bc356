//! Times of day and dates.

use std::fmt;

use robolog_core::{Clock, Timestamp, slices::InRange as _, text::Escaped};

/// A time of day in UTC, to the nanosecond. The second may be 60.
///
/// ```
/// use robolog_nmea::Time;
/// let time = Time::parse(b"175503.25").expect("it is one");
/// assert_eq!((time.hour, time.nanos, time.to_string().as_str()), (17, 250_000_000, "175503.25"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time {
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 60.
    pub second: u8,
    /// Below a billion.
    pub nanos: u32,
    /// Decimals of the second in the sentence; 255 means none and no point.
    pub(super) decimals: u8,
}

const NO_POINT: u8 = u8::MAX;

impl Time {
    /// A time of day, written with `decimals` decimals of the second, at most 9; `None` if invalid.
    pub fn new(hour: u8, minute: u8, second: u8, nanos: u32, decimals: u8) -> Option<Self> {
        let decimals = if decimals == 0 { NO_POINT } else { decimals.min(9) };
        let is_good = hour < 24 && minute < 60 && second <= 60 && nanos < 1_000_000_000;
        is_good.then_some(Self { hour, minute, second, nanos, decimals })
    }

    /// Reads `hhmmss` and decimals of the second; those beyond nanoseconds are cut off.
    #[inline]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let (whole, rest) = text.split_first_chunk::<6>()?;
        let pair = |tens: u8, ones: u8| {
            let (tens, ones) = (tens.wrapping_sub(b'0'), ones.wrapping_sub(b'0'));
            (tens <= 9 && ones <= 9).then(|| tens.wrapping_mul(10).wrapping_add(ones))
        };
        let [h1, h2, m1, m2, s1, s2] = *whole;
        let (hour, minute, second) = (pair(h1, h2)?, pair(m1, m2)?, pair(s1, s2)?);
        let (mut nanos, mut decimals) = (0_u32, NO_POINT);
        if let Some((point, digits)) = rest.split_first() {
            if *point != b'.' || digits.len() > 100 {
                return None;
            }
            let mut scale = 100_000_000_u32;
            for byte in digits {
                let digit = byte.wrapping_sub(b'0');
                if digit > 9 {
                    return None;
                }
                nanos = nanos.plus(scale.times(digit.into()));
                scale /= 10;
            }
            decimals = u8::try_from(digits.len()).unwrap_or(9);
        }
        let is_good = hour < 24 && minute < 60 && second <= 60;
        is_good.then_some(Self { hour, minute, second, nanos, decimals })
    }

    /// The time of day of a timestamp, with as many decimals as needed, at least two; `None` on clocks other than Unix.
    pub fn of(moment: Timestamp) -> Option<Self> {
        let (secs, nanos) = moment.secs_and_nanos();
        let secs = u32::try_from(secs.rem_euclid(86_400)).ok().filter(|_| moment.clock() == Clock::Unix)?;
        let part = |n: u32| u8::try_from(n % 60).ok();
        let digits = format!("{nanos:09}");
        let decimals = u8::try_from(digits.trim_end_matches('0').len()).ok()?.max(2);
        Self::new(u8::try_from(secs / 3600).ok()?, part(secs / 60)?, part(secs)?, nanos, decimals)
    }

    /// Whether it has at least this many decimals.
    pub(super) fn has_decimals(self, decimals: u8) -> bool {
        self.decimals != NO_POINT && self.decimals >= decimals
    }

    /// Nanoseconds since midnight.
    pub fn since_midnight(self) -> i64 {
        let secs = u32::from(self.hour)
            .wrapping_mul(3600)
            .wrapping_add(u32::from(self.minute).wrapping_mul(60))
            .wrapping_add(self.second.into());
        i64::from(secs).wrapping_mul(1_000_000_000).wrapping_add(self.nanos.into())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}{:02}", self.hour, self.minute, self.second)?;
        if self.decimals == NO_POINT {
            return Ok(());
        }
        let digits = format!("{:09}", self.nanos);
        let kept = digits.get(..usize::from(self.decimals.min(9))).unwrap_or(&digits);
        write!(f, ".{kept:0<width$}", width = self.decimals.into())
    }
}

/// A day of the Gregorian calendar.
///
/// ```
/// use robolog_nmea::Date;
/// let date = Date::parse(b"111206").expect("it is one");
/// assert_eq!((date.year, date.month, date.day), (2006, 12, 11));
/// assert!(Date::new(2023, 2, 29).is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// Of the common era.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31.
    pub day: u8,
}

impl Date {
    /// A valid day; `None` for others, and outside the range of 64 bits of nanoseconds.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        Timestamp::from_utc(year.into(), month, day, 0, 0, 0, 0)?;
        Some(Self { year, month, day })
    }

    /// Reads `ddmmyy`; years 80 to 99 are 1980 to 1999.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let digits: &[u8; 6] = text.try_into().ok()?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let [d1, d2, m1, m2, y1, y2] = digits.map(|b| b.wrapping_sub(b'0'));
        let pair = |tens: u8, ones: u8| tens.wrapping_mul(10).wrapping_add(ones);
        let year = u16::from(pair(y1, y2));
        let century = if year >= 80 { 1900 } else { 2000 };
        let (year, month, day) = (year.wrapping_add(century), pair(m1, m2), pair(d1, d2));
        // Every month has these days.
        if matches!((month, day), (1..=12, 1..=28)) {
            return Some(Self { year, month, day });
        }
        Self::new(year, month, day)
    }

    /// Midnight at its start.
    pub fn midnight(self) -> Option<Timestamp> {
        Timestamp::from_utc(self.year.into(), self.month, self.day, 0, 0, 0, 0)
    }

    /// `ddmmyy`.
    pub(super) fn short(self) -> String {
        format!("{:02}{:02}{:02}", self.day, self.month, self.year % 100)
    }
}

/// Text of a field, safe to print, for errors.
pub(super) fn shown(field: &[u8]) -> String {
    Escaped(field.get(..64).unwrap_or(field)).to_string()
}

#[cfg(feature = "serde")]
mod ser {
    use serde::{Serialize, Serializer};

    use super::{Date, Time};

    impl Serialize for Time {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }

    impl Serialize for Date {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(&format_args!("{:04}-{:02}-{:02}", self.year, self.month, self.day))
        }
    }
}
