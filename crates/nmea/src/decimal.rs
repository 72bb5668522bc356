//! Decimal numbers with all their digits.

use std::{fmt, num::NonZeroU32};

use robolog_core::{
    slices::{InRange as _, fitting},
    text::{decimal, near, short_decimal, short_integer},
};

/// A decimal number as in the sentence: sign, digits and leading zeros are kept, so that it is written as the same
/// text.
///
/// ```
/// use robolog_nmea::Decimal;
/// let hdop = Decimal::parse(b"00.980").unwrap();
/// assert_eq!((hdop.as_f64(), hdop.to_string().as_str()), (0.98, "00.980"));
/// assert_eq!(Decimal::new(-412, 1).to_string(), "-41.2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    digits: u64,
    form: Form,
}

/// Digits before and after the point, the sign, and whether there is a point, packed into one word.
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

/// Maximum length of a field of which [`decimal`] reads the number, and the comma behind it.
const LONG: usize = 19;

/// Maximum digits of a number: any 19 digits fit into 64 bits.
const DIGITS: u8 = 19;

impl Decimal {
    /// `digits` with the point before the last `decimals` of them, at most 18: `new(-412, 1)` is -41.2.
    pub const fn new(digits: i64, decimals: u8) -> Self {
        let decimals = if decimals > 18 { 18 } else { decimals };
        Self { digits: digits.unsigned_abs(), form: Form::new(1, decimals, digits < 0, decimals > 0) }
    }

    /// `value` rounded to `decimals` decimals, at most 9; `None` if it is not finite or has more than 19 digits.
    pub fn from_f64(value: f64, decimals: u8) -> Option<Self> {
        let text = format!("{value:.*}", usize::from(decimals.min(9)));
        Self::parse(text.as_bytes())
    }

    /// `digits` with the last `decimals` after the point and at least `whole` before it.
    #[inline]
    pub(super) const fn from_parts(digits: u64, whole: u8, decimals: u8) -> Self {
        Self { digits, form: Form::new(whole, decimals, false, decimals > 0) }
    }

    /// The same with at least `whole` digits before the point, and at most 19 in all.
    #[must_use]
    pub const fn with_width(self, whole: u8) -> Self {
        let most = DIGITS.saturating_sub(self.decimals());
        let whole = if whole > most { most } else { whole };
        let form = Form::new(whole, self.decimals(), self.is_negative(), self.form.has_point());
        Self { form, ..self }
    }

    /// Reads sign, digits and at most one point; `None` for other text and for more than 19 digits.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let unsigned = text.strip_prefix(b"+").filter(|rest| !rest.starts_with(b"-"));
        let text = unsigned.unwrap_or(text);
        match Self::parse_field(text)? {
            (value, len) if len == text.len() => value,
            _ => None,
        }
    }

    /// Reads a number up to a comma or the end, with its length; an empty field is no number. `None` for other text.
    #[inline]
    pub(super) fn parse_field(text: &[u8]) -> Option<(Option<Self>, usize)> {
        if let Some((digits, len)) = text.first_chunk().and_then(|chunk| short_integer(*chunk)) {
            let value = Self { digits, form: Form::new(len, 0, false, false) };
            return Some(((len > 0).then_some(value), len.into()));
        }
        Self::parse_pointed_field(text).or_else(|| Self::parse_long_field(text))
    }

    /// The number of at most seven digits that a field at the start is, and its length; both are 0 if it is empty.
    #[inline]
    pub(super) fn short_integer(text: &[u8]) -> Option<(u64, usize)> {
        text.first_chunk().and_then(|chunk| short_integer(*chunk)).map(|(number, len)| (number, len.into()))
    }

    /// A number without a sign and with a point, in a field that ends with a comma: the common case of those with decimals.
    #[inline]
    fn parse_pointed_field(text: &[u8]) -> Option<(Option<Self>, usize)> {
        let number = |digits, whole, decimals, len| {
            Some((Some(Self { digits, form: Form::new(whole, decimals, false, true) }), len))
        };
        if let Some((digits, whole, decimals)) = text.first_chunk().and_then(|chunk| short_decimal(*chunk)) {
            return number(
                digits,
                whole,
                decimals,
                usize::from(whole).wrapping_add(decimals.into()).wrapping_add(1),
            );
        }
        let len = near(b',', text.get(..LONG).unwrap_or(text))?;
        let (digits, decimals) = decimal(text.get(..len)?).filter(|(_, decimals)| *decimals > 0)?;
        let whole = len.checked_sub(decimals)?.checked_sub(1)?;
        number(digits, fitting::<u8>(whole), fitting::<u8>(decimals), len)
    }

    #[cold]
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
        if count == 0 || count > DIGITS {
            return None;
        }
        let has_point = point != u8::MAX;
        let whole = if has_point { point } else { count };
        let decimals = count.wrapping_sub(whole);
        Some((Some(Self { digits, form: Form::new(whole, decimals, is_negative, has_point) }), len))
    }

    /// As an integer; `None` if it has a point.
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
        // Both are exact, so the quotient is rounded once.
        let value = if self.decimals() == 0 { digits } else { digits / power };
        if self.is_negative() { -value } else { value }
    }

    /// The double nearest to the decimal sum of two numbers: 460.6 for 411.2 and 49.4.
    pub(super) fn sum(self, other: Self) -> f64 {
        self.exact_sum(other).unwrap_or_else(|| self.as_f64() + other.as_f64())
    }

    fn exact_sum(self, other: Self) -> Option<f64> {
        let decimals = self.decimals().max(other.decimals());
        let scaled = |value: Self| {
            let power = 10_i64.checked_pow(decimals.minus(value.decimals()).into())?;
            let digits = i64::try_from(value.digits).ok()?.checked_mul(power)?;
            Some(if value.is_negative() { digits.wrapping_neg() } else { digits })
        };
        let sum = Self::new(scaled(self)?.checked_add(scaled(other)?)?, decimals);
        (sum.decimals() == decimals).then(|| sum.as_f64())
    }

    #[cold]
    fn long_as_f64(self) -> f64 {
        robolog_core::text::number(self.to_string().as_bytes()).unwrap_or(f64::NAN)
    }

    /// All digits as one number, without the point.
    pub const fn digits(self) -> u64 {
        self.digits
    }

    /// Number of digits after the point.
    pub const fn decimals(self) -> u8 {
        self.form.decimals()
    }

    /// Whether it has a minus sign.
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
        let all = usize::from(self.form.whole()).plus(self.decimals().into());
        let text = format!("{:0all$}", self.digits);
        let point = text.len().minus(self.decimals().into());
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
