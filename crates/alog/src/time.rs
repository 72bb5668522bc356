//! Seconds as in the file, and their timestamps.

use std::{
    fmt,
    num::TryFromIntError,
    ops::{Add, AddAssign, Neg, Sub, SubAssign},
    time::Duration,
};

use robolog_core::{
    Clock, Timestamp,
    slices::{InRange as _, OrZero as _, split_once},
    text::decimal,
};

/// Decimal seconds, to the nanosecond: exact for loggers' times, and wide enough for their wrong ones.
///
/// ```
/// use alog::{Clock, Seconds};
/// let start = Seconds::parse(b"1225719811.65").unwrap();
/// let entry = start.plus(Seconds::parse(b"61.855").unwrap()).unwrap();
/// assert_eq!(entry.to_string(), "1225719873.505");
/// assert_eq!(entry.on(Clock::Unix).unwrap().to_string(), "2008-11-03T13:44:33.505000000Z");
/// assert_eq!(entry - start, Seconds::from_f64(61.855).unwrap());
/// assert_eq!(std::time::Duration::try_from(entry - start), Ok(std::time::Duration::from_millis(61_855)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seconds(i128);

const NANOS: i128 = 1_000_000_000;

impl Seconds {
    /// A number of nanoseconds.
    pub const fn from_nanos(nanos: i128) -> Self {
        Self(nanos)
    }

    /// Reads `-?[0-9]+(\.[0-9]*)?`; decimals beyond nanoseconds are truncated. `None` for other text, and for more than
    /// 24 digits.
    #[inline]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let (negative, digits) = match text.split_first() {
            Some((b'-', rest)) => (true, rest),
            _ => (false, text),
        };
        let nanos = if digits.len() <= 18 { Self::parse_short(digits) } else { Self::parse_long(digits) }?;
        Some(Self(if negative { nanos.checked_neg()? } else { nanos }))
    }

    /// Any number of digits.
    #[cold]
    fn parse_long(digits: &[u8]) -> Option<i128> {
        let (whole, decimals) = split_once(digits, b'.').unwrap_or((digits, &[]));
        if whole.is_empty() || whole.len() > 24 || !whole.iter().chain(decimals).all(u8::is_ascii_digit) {
            return None;
        }
        let padded = decimals.iter().chain(std::iter::repeat(&b'0')).take(9);
        whole
            .iter()
            .chain(padded)
            .try_fold(0_i128, |n, digit| n.checked_mul(10)?.checked_add(i128::from(digit.wrapping_sub(b'0'))))
    }

    /// The same for digits that fit into 64 bits, the common case.
    fn parse_short(digits: &[u8]) -> Option<i128> {
        const POWERS: [u64; 10] =
            [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
        let (n, decimals) = decimal(digits).filter(|_| !digits.starts_with(b"."))?;
        if decimals > 9 {
            return Self::parse_long(digits);
        }
        let scale = *POWERS.get(9_usize.checked_sub(decimals)?)?;
        match n.checked_mul(scale) {
            Some(nanos) => Some(nanos.into()),
            None => i128::from(n).checked_mul(scale.into()),
        }
    }

    /// As nanoseconds.
    pub const fn nanos(self) -> i128 {
        self.0
    }

    /// The nearest nanosecond; `None` if not finite, or outside the range of 128 bits of nanoseconds.
    pub fn from_f64(seconds: f64) -> Option<Self> {
        // Whole and fractional part separately: a double cannot hold today's date in nanoseconds.
        let whole = seconds.trunc();
        if !(-1e29..=1e29).contains(&whole) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "both are whole and in range by the check above")]
        let (whole, nanos) = (whole as i128, ((seconds - whole) * 1e9).round() as i128);
        whole.checked_mul(NANOS)?.checked_add(nanos).map(Self)
    }

    /// The nearest double.
    #[expect(clippy::cast_precision_loss, reason = "said in the documentation")]
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The sum.
    pub fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// Without its sign.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self(self.0.saturating_abs())
    }

    /// As a timestamp on a clock; `None` if it does not fit into 64 bits of nanoseconds.
    pub fn on(self, clock: Clock) -> Option<Timestamp> {
        i64::try_from(self.0).ok().map(|nanos| Timestamp::new(nanos, clock))
    }

    /// With `decimals` decimals, at most nine, as a logger writes it.
    pub fn with_decimals(self, decimals: usize) -> String {
        let decimals = decimals.min(9);
        let unit = 10_i128.checked_pow(u32::try_from(9_usize.minus(decimals)).unwrap_or(9)).unwrap_or(1);
        let abs = self.0.unsigned_abs();
        let unit = unit.unsigned_abs();
        // Half away from zero, as printf does except for ties that a double cannot hold.
        let rounded = abs.checked_add(unit / 2).unwrap_or(abs).div_or_zero(unit);
        let scale = 10_u128.checked_pow(u32::try_from(decimals).unwrap_or(9)).unwrap_or(1);
        let (whole, part) = (rounded.div_or_zero(scale), rounded.rem_or_zero(scale));
        let sign = if self.0 < 0 { "-" } else { "" };
        if decimals == 0 {
            return format!("{sign}{whole}");
        }
        format!("{sign}{whole}.{part:0decimals$}")
    }
}

/// Saturates at 128 bits of nanoseconds, far from any log; [`Seconds::plus`] returns `None` instead.
impl Add for Seconds {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

/// Saturates at 128 bits of nanoseconds, far from any log; [`Seconds::minus`] returns `None` instead.
impl Sub for Seconds {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Seconds {
    fn add_assign(&mut self, other: Self) {
        *self = self.add(other);
    }
}

impl SubAssign for Seconds {
    fn sub_assign(&mut self, other: Self) {
        *self = self.sub(other);
    }
}

impl Neg for Seconds {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

/// Seconds since the zero of the time's clock.
impl From<Timestamp> for Seconds {
    fn from(time: Timestamp) -> Self {
        Self(time.nanos().into())
    }
}

impl From<Duration> for Seconds {
    fn from(duration: Duration) -> Self {
        // 64 bits of seconds are 95 bits of nanoseconds.
        Self(i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX))
    }
}

/// Returns an error if negative, or if whole seconds do not fit into 64 bits.
impl TryFrom<Seconds> for Duration {
    type Error = TryFromIntError;

    fn try_from(seconds: Seconds) -> Result<Self, TryFromIntError> {
        let nanos = u32::try_from(seconds.0.rem_euclid(NANOS))?;
        Ok(Self::new(u64::try_from(seconds.0.div_euclid(NANOS))?, nanos))
    }
}

impl fmt::Display for Seconds {
    /// Without trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.with_decimals(9);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// How much faster than real time the community ran: MOOS multiplies all times by this factor.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Warp(f64);

impl Warp {
    /// Real time.
    pub const NONE: Self = Self(1.0);

    /// A factor above 0.
    pub fn new(factor: f64) -> Option<Self> {
        (factor.is_finite() && factor > 0.0).then_some(Self(factor))
    }

    /// The factor.
    pub const fn factor(self) -> f64 {
        self.0
    }

    /// Whether a time is so far in the future that it must have been multiplied.
    pub(crate) fn is_far(logstart: Seconds) -> bool {
        logstart.nanos() > 4_000_000_000 * NANOS
    }

    /// Guesses the warp from LOGSTART and `unix`, the start time by a dated name of the log: their ratio if it is 1.1 or
    /// more, otherwise real time. A factor of at most two decimals is preferred where the name's time zone allows it.
    pub fn guess(logstart: Seconds, unix: Option<i64>) -> Self {
        let Some(unix) = unix.filter(|unix| *unix > ZONES) else { return Self::NONE };
        #[expect(clippy::cast_precision_loss, reason = "a ratio of a few digits")]
        let ratio = |unix: i64| logstart.as_f64() / unix as f64;
        let exact = ratio(unix);
        if exact < LEAST {
            return Self::NONE;
        }
        let zones = ratio(unix.saturating_add(ZONES))..=ratio(unix.saturating_sub(ZONES));
        let rounded = [1.0, 10.0, 100.0].map(|scale| (exact * scale).round() / scale);
        Self(rounded.into_iter().find(|factor| zones.contains(factor)).unwrap_or(exact))
    }

    /// Converts warped seconds of the community to real time.
    pub(crate) fn unwarp(self, seconds: Seconds) -> Option<Seconds> {
        if self == Self::NONE {
            return Some(seconds);
        }
        // As a fraction, which is exact for whole numbers and decimals.
        #[expect(clippy::cast_possible_truncation, reason = "a factor so large gives no time")]
        let factor = (self.0 * 1e9).round() as i128;
        seconds.nanos().checked_mul(NANOS)?.checked_div(factor).map(Seconds::from_nanos)
    }
}

/// The smallest ratio that is a warp, 1.1 in any time zone: a smaller one may be a renamed log of another year.
const LEAST: f64 = 1.099;
/// The largest difference between the local time in a log's name and UTC, and an hour for what opens late, in seconds.
const ZONES: i64 = 15 * 3600;

#[cfg(test)]
mod tests {
    use super::*;

    /// LOGSTART is a time in the name's zone, times the warp, with one decimal.
    #[test]
    fn a_warp_of_decimals_follows_from_a_dated_name() {
        const UNIX: i64 = 1_678_987_654;
        for hundredths in 110..=1200_i128 {
            for zone in [-11, 0, 5, 14] {
                let logstart = Seconds::from_nanos(i128::from(UNIX) * hundredths * 10_000_000);
                let warp = Warp::guess(logstart, Some(UNIX + zone * 3600));
                #[expect(clippy::cast_precision_loss, reason = "hundreds")]
                let want = hundredths as f64 / 100.0;
                assert!((warp.factor() - want).abs() < 0.006, "{warp:?} is not {want}");
                if hundredths % 10 == 0 || zone == 0 {
                    assert_eq!(warp, Warp(want), "in zone {zone}");
                    assert_eq!(warp.unwarp(logstart), Some(Seconds::from_nanos(i128::from(UNIX) * NANOS)));
                }
            }
        }
        for same in [UNIX - 50_000, UNIX, UNIX + 50_000, 2 * UNIX, UNIX * 94 / 100] {
            assert_eq!(Warp::guess(Seconds::from_nanos(i128::from(UNIX) * NANOS), Some(same)), Warp::NONE);
        }
        assert_eq!(Warp::guess(Seconds::from_nanos(i128::MAX), Some(0)), Warp::NONE);
    }
}
