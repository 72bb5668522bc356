//! The fields of a sentence: decimals with all their digits, times, dates, coordinates.

use std::fmt;

use robolog_core::{Timestamp, text::Escaped};

/// A decimal number as it stands in the sentence: sign, digits and leading zeros are kept, so that writing it gives the
/// same text.
///
/// ```
/// use effibox::nmea::Decimal;
/// let hdop = Decimal::parse(b"00.980").unwrap();
/// assert_eq!((hdop.as_f64(), hdop.to_string().as_str()), (0.98, "00.980"));
/// assert_eq!(Decimal::new(-412, 1).to_string(), "-41.2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    digits: u64,
    /// Digits behind the point.
    decimals: u8,
    /// Digits before it.
    whole: u8,
    is_negative: bool,
    has_point: bool,
}

/// Ten to the power of the index.
const POWERS: [f64; 20] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19,
];

impl Decimal {
    /// `digits` with the point before the last `decimals` of them: `new(-412, 1)` is -41.2.
    pub const fn new(digits: i64, decimals: u8) -> Self {
        let decimals = if decimals > 19 { 19 } else { decimals };
        Self {
            digits: digits.unsigned_abs(),
            decimals,
            whole: 1,
            is_negative: digits < 0,
            has_point: decimals > 0,
        }
    }

    /// `value` rounded to `decimals` decimals, at most 9; `None` for what is not finite or has more than 18 digits.
    pub fn from_f64(value: f64, decimals: u8) -> Option<Self> {
        let text = format!("{value:.*}", usize::from(decimals.min(9)));
        Self::parse(text.as_bytes())
    }

    /// The same with at least so many digits before the point.
    #[must_use]
    pub const fn with_width(mut self, whole: u8) -> Self {
        self.whole = whole;
        self
    }

    /// Reads sign, digits and at most one point; `None` for other text and for more than 18 digits.
    #[inline]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let (is_negative, text) = match text.split_first() {
            Some((b'-', rest)) => (true, rest),
            Some((b'+', rest)) => (false, rest),
            _ => (false, text),
        };
        if text.len() > 19 {
            return None;
        }
        let (mut digits, mut count, mut point) = (0_u64, 0_u8, None);
        for byte in text {
            let digit = byte.wrapping_sub(b'0');
            if digit <= 9 {
                digits = digits.wrapping_mul(10).wrapping_add(digit.into());
                count = count.wrapping_add(1);
            } else if *byte == b'.' && point.is_none() {
                point = Some(count);
            } else {
                return None;
            }
        }
        if count == 0 || count > 18 {
            return None;
        }
        let whole = point.unwrap_or(count);
        let decimals = count.wrapping_sub(whole);
        Some(Self { digits, decimals, whole, is_negative, has_point: point.is_some() })
    }

    /// The nearest double.
    #[inline]
    pub fn as_f64(self) -> f64 {
        let power = POWERS.get(usize::from(self.decimals)).copied().unwrap_or(f64::INFINITY);
        if self.digits >= 1 << 53 {
            return robolog_core::text::number(self.to_string().as_bytes()).unwrap_or(f64::NAN);
        }
        #[expect(clippy::cast_precision_loss, reason = "fewer than 54 bits, by the check above")]
        // Both are exact, so that the quotient is rounded once.
        let value = self.digits as f64 / power;
        if self.is_negative { -value } else { value }
    }

    /// All digits as one number, without the point.
    pub const fn digits(self) -> u64 {
        self.digits
    }

    /// Digits behind the point.
    pub const fn decimals(self) -> u8 {
        self.decimals
    }

    /// Whether a minus stands before it.
    pub const fn is_negative(self) -> bool {
        self.is_negative
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative { "-" } else { "" };
        let all = usize::from(self.whole).saturating_add(self.decimals.into());
        let text = format!("{:0all$}", self.digits);
        let point = text.len().saturating_sub(self.decimals.into());
        let (whole, decimals) = text.split_at_checked(point).unwrap_or((&text, ""));
        let point = if self.has_point { "." } else { "" };
        write!(f, "{sign}{whole}{point}{decimals}")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Decimal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

/// A latitude or longitude as it stands in the sentence: whole degrees, and minutes with all their digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Coordinate {
    /// Degrees times a hundred, and minutes: `ddmm.mmmm`.
    text: Decimal,
    degrees: u16,
    /// South or west.
    is_negative: bool,
}

impl Coordinate {
    /// From `ddmm.mmmm` or `dddmm.mmmm` and a hemisphere.
    #[inline]
    pub(super) fn parse(text: &[u8], is_negative: bool, most: u16) -> Option<Self> {
        let text = Decimal::parse(text)?;
        let unit = *UNITS.get(usize::from(text.decimals))?;
        let hundred = unit.checked_mul(100)?;
        let (degrees, minutes) = (text.digits.checked_div(hundred)?, text.digits.checked_rem(hundred)?);
        let degrees = u16::try_from(degrees).ok()?;
        let inside = degrees < most || (degrees == most && minutes == 0);
        let is_good = inside && minutes < unit.checked_mul(60)? && !text.is_negative;
        is_good.then_some(Self { text, degrees, is_negative })
    }

    /// Degrees, rounded to `decimals` decimals of a minute, at most 9. `whole` is 2 for latitudes and 3 for longitudes.
    fn from_degrees(degrees: f64, decimals: u8, whole: u8, most: u16) -> Option<Self> {
        let decimals = decimals.min(9);
        let unit = *UNITS.get(usize::from(decimals))?;
        if !(degrees.abs() <= f64::from(most)) {
            return None;
        }
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 180 * 60 * 1e9, and not negative"
        )]
        let minutes = (degrees.abs() * 60.0 * unit as f64).round() as u64;
        let sixty = unit.checked_mul(60)?;
        let (d, m) = (minutes.checked_div(sixty)?, minutes.checked_rem(sixty)?);
        let digits = d.checked_mul(unit.checked_mul(100)?)?.checked_add(m)?;
        let whole = whole.checked_add(2)?;
        let text = Decimal { digits, decimals, whole, is_negative: false, has_point: decimals > 0 };
        Some(Self { text, degrees: u16::try_from(d).ok()?, is_negative: degrees.is_sign_negative() })
    }

    /// A latitude in degrees north, rounded to so many decimals of a minute, at most 9. `None` beyond the poles.
    pub fn latitude(degrees: f64, decimals: u8) -> Option<Self> {
        Self::from_degrees(degrees, decimals, 2, 90)
    }

    /// A longitude in degrees east, rounded to so many decimals of a minute, at most 9. `None` beyond 180.
    pub fn longitude(degrees: f64, decimals: u8) -> Option<Self> {
        Self::from_degrees(degrees, decimals, 3, 180)
    }

    /// Degrees north or east.
    #[inline]
    pub fn degrees(self) -> f64 {
        let degrees = f64::from(self.degrees) + self.minutes() / 60.0;
        if self.is_negative { -degrees } else { degrees }
    }

    /// Minutes beyond the whole degrees: 0 to below 60.
    #[inline]
    pub fn minutes(self) -> f64 {
        let unit = UNITS.get(usize::from(self.text.decimals)).copied().unwrap_or(1);
        let whole = u64::from(self.degrees).wrapping_mul(unit).wrapping_mul(100);
        let digits = self.text.digits.wrapping_sub(whole);
        Decimal { digits, is_negative: false, ..self.text }.as_f64()
    }

    /// Whether it is south or west.
    pub const fn is_negative(self) -> bool {
        self.is_negative
    }

    /// As it stands in the sentence, without the hemisphere.
    pub(super) const fn text(self) -> Decimal {
        self.text
    }
}

/// Ten to the power of the index.
const UNITS: [u64; 16] = [
    1,
    10,
    100,
    1_000,
    10_000,
    100_000,
    1_000_000,
    10_000_000,
    100_000_000,
    1_000_000_000,
    10_000_000_000,
    100_000_000_000,
    1_000_000_000_000,
    10_000_000_000_000,
    100_000_000_000_000,
    1_000_000_000_000_000,
];

#[cfg(feature = "serde")]
impl serde::Serialize for Coordinate {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.degrees())
    }
}

/// A time of day in UTC, to the nanosecond. The second may be 60.
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
    /// Decimals of the second in the sentence; 255 stands for none, and no point.
    pub(super) decimals: u8,
}

const NO_POINT: u8 = u8::MAX;

impl Time {
    /// A time of day that is written with so many decimals of the second, at most 9; `None` for what is none.
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
                nanos = nanos.saturating_add(scale.saturating_mul(digit.into()));
                scale /= 10;
            }
            decimals = u8::try_from(digits.len()).unwrap_or(9);
        }
        let is_good = hour < 24 && minute < 60 && second <= 60;
        is_good.then_some(Self { hour, minute, second, nanos, decimals })
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
    /// A day that there was; `None` for others, and beyond what 64 bits of nanoseconds can hold.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        Timestamp::from_utc(year.into(), month, day, 0, 0, 0, 0)?;
        Some(Self { year, month, day })
    }

    /// Reads `ddmmyy`; 80 to 99 are of the twentieth century.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let digits: &[u8; 6] = text.try_into().ok()?;
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let [d1, d2, m1, m2, y1, y2] = digits.map(|b| b.wrapping_sub(b'0'));
        let pair = |tens: u8, ones: u8| tens.wrapping_mul(10).wrapping_add(ones);
        let year = u16::from(pair(y1, y2));
        let century = if year >= 80 { 1900 } else { 2000 };
        Self::new(year.wrapping_add(century), pair(m1, m2), pair(d1, d2))
    }

    /// Its midnight.
    pub fn midnight(self) -> Option<Timestamp> {
        Timestamp::from_utc(self.year.into(), self.month, self.day, 0, 0, 0, 0)
    }

    /// `ddmmyy`.
    pub(super) fn short(self) -> String {
        format!("{:02}{:02}{:02}", self.day, self.month, self.year.checked_rem(100).unwrap_or_default())
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
