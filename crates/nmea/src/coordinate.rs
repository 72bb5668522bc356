//! Latitudes and longitudes with all their digits.

use super::Decimal;

/// A latitude or longitude as in the sentence: whole degrees, and minutes with all their digits.
///
/// ```
/// use robolog_nmea::Coordinate;
/// let south = Coordinate::latitude(-33.8568, 4).expect("it is on Earth");
/// assert_eq!((south.minutes() * 1e4).round() / 1e4, 51.408);
/// assert!(south.is_negative() && (south.degrees() + 33.8568).abs() < 1e-6);
/// ```
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
        let (degrees, minutes) = (text.digits().checked_div(hundred)?, text.digits().checked_rem(hundred)?);
        let degrees = u16::try_from(degrees).ok()?;
        let inside = degrees < most || (degrees == most && minutes == 0);
        // Some receivers send 89 degrees and 60 minutes without a fix.
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
        let text = Decimal::from_parts(digits, whole, decimals);
        Some(Self { text, degrees: u16::try_from(d).ok()?, is_negative: degrees.is_sign_negative() })
    }

    /// A latitude in degrees north, rounded to `decimals` decimals of a minute, at most 9. `None` beyond the poles.
    pub fn latitude(degrees: f64, decimals: u8) -> Option<Self> {
        Self::from_degrees(degrees, decimals, 2, 90)
    }

    /// A longitude in degrees east, rounded to `decimals` decimals of a minute, at most 9. `None` beyond 180.
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
        let digits = self.text.digits().wrapping_sub(whole);
        Decimal::from_parts(digits, 1, self.text.decimals()).as_f64()
    }

    /// Whether this is south or west.
    pub const fn is_negative(self) -> bool {
        self.is_negative
    }

    /// As in the sentence, without the hemisphere.
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
