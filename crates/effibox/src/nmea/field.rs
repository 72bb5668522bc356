//! The fields of a sentence: decimals with all their digits, times, dates, coordinates.

use std::{fmt, num::NonZeroU32};

use robolog_core::{Clock, Timestamp, text::Escaped};

/// A decimal number as it stands in the sentence: sign, digits and leading zeros are kept, so that writing it gives the
/// same text.
///
/// ```
/// use effibox::nmea::Decimal;
/// let hdop = Decimal::parse(b"00.980").unwrap();
/// assert_eq!((hdop.as_f64(), hdop.to_string().as_str()), (0.98, "00.980"));
/// assert_eq!(Decimal::new(-412, 1).to_string(), "-41.2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    digits: u64,
    form: Form,
}

/// Digits before and behind the point, the sign, and whether there is a point; in one word, which is moved in one go.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Form(NonZeroU32);

impl Form {
    const NEGATIVE: u32 = 1 << 16;
    const POINT: u32 = 1 << 17;
    const ALWAYS: u32 = 1 << 31;

    #[inline]
    const fn new(whole: u8, decimals: u8, is_negative: bool, has_point: bool) -> Self {
        let sign = if is_negative { Self::NEGATIVE } else { 0 };
        let point = if has_point { Self::POINT } else { 0 };
        let [whole, decimals] = [whole as u32, decimals as u32];
        match NonZeroU32::new(Self::ALWAYS | sign | point | whole.wrapping_shl(8) | decimals) {
            Some(form) => Self(form),
            None => Self(NonZeroU32::MIN),
        }
    }

    const fn decimals(self) -> u8 {
        self.0.get().to_le_bytes()[0]
    }

    const fn whole(self) -> u8 {
        self.0.get().to_le_bytes()[1]
    }

    const fn is_negative(self) -> bool {
        self.0.get() & Self::NEGATIVE != 0
    }

    const fn has_point(self) -> bool {
        self.0.get() & Self::POINT != 0
    }
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
        Self { digits: digits.unsigned_abs(), form: Form::new(1, decimals, digits < 0, decimals > 0) }
    }

    /// `value` rounded to `decimals` decimals, at most 9; `None` for what is not finite or has more than 18 digits.
    pub fn from_f64(value: f64, decimals: u8) -> Option<Self> {
        let text = format!("{value:.*}", usize::from(decimals.min(9)));
        Self::parse(text.as_bytes())
    }

    /// The same with at least so many digits before the point.
    #[must_use]
    pub const fn with_width(self, whole: u8) -> Self {
        let form = Form::new(whole, self.decimals(), self.is_negative(), self.form.has_point());
        Self { form, ..self }
    }

    /// Reads sign, digits and at most one point; `None` for other text and for more than 18 digits.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let unsigned = text.strip_prefix(b"+").filter(|rest| !rest.starts_with(b"-"));
        let text = unsigned.unwrap_or(text);
        match Self::parse_field(text)? {
            (value, len) if len == text.len() => value,
            _ => None,
        }
    }

    /// Reads a number up to a comma or the end, and says how long it is; empty fields are no number. `None` for other
    /// text.
    #[inline]
    pub(super) fn parse_field(text: &[u8]) -> Option<(Option<Self>, usize)> {
        if let Some((digits, len)) = text.first_chunk().and_then(|chunk| short_integer(*chunk)) {
            let value = Self { digits, form: Form::new(len, 0, false, false) };
            return Some(((len > 0).then_some(value), len.into()));
        }
        Self::parse_long_field(text)
    }

    fn parse_long_field(text: &[u8]) -> Option<(Option<Self>, usize)> {
        let is_negative = text.first() == Some(&b'-');
        let (mut digits, mut count, mut point, mut len) = (0_u64, 0_u8, u8::MAX, text.len());
        for (at, byte) in text.iter().enumerate() {
            let digit = byte.wrapping_sub(b'0');
            if digit <= 9 {
                digits = digits.wrapping_mul(10).wrapping_add(digit.into());
                count = count.saturating_add(1);
            } else if *byte == b',' {
                len = at;
                break;
            } else if *byte == b'.' && point == u8::MAX {
                point = count;
            } else if at > 0 || !is_negative {
                return None;
            }
        }
        if len == 0 {
            return Some((None, 0));
        }
        if count == 0 || count > 18 {
            return None;
        }
        let has_point = point != u8::MAX;
        let whole = if has_point { point } else { count };
        let decimals = count.wrapping_sub(whole);
        Some((Some(Self { digits, form: Form::new(whole, decimals, is_negative, has_point) }), len))
    }

    /// As an integer; `None` where it has a point.
    #[inline]
    pub(super) fn integer(self) -> Option<i64> {
        let digits = i64::try_from(self.digits).ok().filter(|_| !self.form.has_point())?;
        Some(if self.is_negative() { digits.wrapping_neg() } else { digits })
    }

    /// The nearest double.
    #[inline]
    pub fn as_f64(self) -> f64 {
        if self.digits >= 1 << 53 {
            return self.long_as_f64();
        }
        let power = POWERS.get(usize::from(self.decimals())).copied().unwrap_or(f64::INFINITY);
        #[expect(clippy::cast_precision_loss, reason = "fewer than 54 bits, by the check above")]
        let digits = self.digits as f64;
        // Both are exact, so that the quotient is rounded once.
        let value = if self.decimals() == 0 { digits } else { digits / power };
        if self.is_negative() { -value } else { value }
    }

    #[cold]
    fn long_as_f64(self) -> f64 {
        robolog_core::text::number(self.to_string().as_bytes()).unwrap_or(f64::NAN)
    }

    /// All digits as one number, without the point.
    pub const fn digits(self) -> u64 {
        self.digits
    }

    /// Digits behind the point.
    pub const fn decimals(self) -> u8 {
        self.form.decimals()
    }

    /// Whether a minus stands before it.
    pub const fn is_negative(self) -> bool {
        self.form.is_negative()
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Decimal({self})")
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_negative() { "-" } else { "" };
        let all = usize::from(self.form.whole()).saturating_add(self.decimals().into());
        let text = format!("{:0all$}", self.digits);
        let point = text.len().saturating_sub(self.decimals().into());
        let (whole, decimals) = text.split_at_checked(point).unwrap_or((&text, ""));
        let point = if self.form.has_point() { "." } else { "" };
        write!(f, "{sign}{whole}{point}{decimals}")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Decimal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

/// The digits before the comma that ends a field, and their number, all eight bytes at once: most fields are such. `None`
/// when there are other characters, or no comma.
#[inline]
fn short_integer(text: [u8; 8]) -> Option<(u64, u8)> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    let text = u64::from_le_bytes(text);
    let commas = text ^ (0x2c * ONES);
    let found = commas.wrapping_sub(ONES) & !commas & HIGH;
    if found == 0 {
        return None;
    }
    let bits = found.trailing_zeros() & !7;
    if bits == 0 {
        return Some((0, 0));
    }
    // The digits at the end, zeros before them.
    let padded = text.wrapping_shl(64_u32.wrapping_sub(bits)) | (0x30 * ONES).wrapping_shr(bits);
    let digits = padded ^ (0x30 * ONES);
    if (digits.wrapping_add(0x76 * ONES) | digits) & HIGH != 0 {
        return None;
    }
    let pairs = digits.wrapping_mul(10).wrapping_add(digits.wrapping_shr(8));
    let low = (pairs & 0x0000_00ff_0000_00ff).wrapping_mul(0x000f_4240_0000_0064);
    let high = (pairs.wrapping_shr(16) & 0x0000_00ff_0000_00ff).wrapping_mul(0x0000_2710_0000_0001);
    let number = low.wrapping_add(high).wrapping_shr(32);
    Some((number, u8::try_from(bits / 8).unwrap_or_default()))
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
    pub(super) fn new(text: Decimal, is_negative: bool, most: u16) -> Option<Self> {
        let unit = *UNITS.get(usize::from(text.decimals()))?;
        let hundred = unit.checked_mul(100)?;
        let (degrees, minutes) = (text.digits.checked_div(hundred)?, text.digits.checked_rem(hundred)?);
        let degrees = u16::try_from(degrees).ok()?;
        let inside = degrees < most || (degrees == most && minutes == 0);
        // Some receivers have 89 degrees and 60 minutes while they have no fix.
        let is_good = inside && minutes <= unit.checked_mul(60)? && !text.is_negative();
        is_good.then_some(Self { text, degrees, is_negative })
    }

    /// Degrees, rounded to `decimals` decimals of a minute, at most 9. `whole` is 2 for latitudes and 3 for longitudes.
    fn from_degrees(degrees: f64, decimals: u8, whole: u8, most: u16) -> Option<Self> {
        let decimals = decimals.min(9);
        let unit = *UNITS.get(usize::from(decimals))?;
        if degrees.is_nan() || degrees.abs() > f64::from(most) {
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
        let text = Decimal { digits, form: Form::new(whole, decimals, false, decimals > 0) };
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
        let unit = UNITS.get(usize::from(self.text.decimals())).copied().unwrap_or(1);
        let whole = u64::from(self.degrees).wrapping_mul(unit).wrapping_mul(100);
        let digits = self.text.digits.wrapping_sub(whole);
        Decimal { digits, ..self.text }.as_f64()
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

    /// The time of day of a moment, with the decimals that it takes and two at least; `None` for clocks other than unix
    /// time.
    pub fn of(moment: Timestamp) -> Option<Self> {
        let (secs, nanos) = moment.secs_and_nanos();
        let secs = u32::try_from(secs.rem_euclid(86_400)).ok().filter(|_| moment.clock() == Clock::Unix)?;
        let part = |n: u32| u8::try_from(n % 60).ok();
        let digits = format!("{nanos:09}");
        let decimals = u8::try_from(digits.trim_end_matches('0').len()).ok()?.max(2);
        Self::new(u8::try_from(secs / 3600).ok()?, part(secs / 60)?, part(secs)?, nanos, decimals)
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
