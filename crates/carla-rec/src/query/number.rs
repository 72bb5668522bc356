//! Numbers as a C++ stream prints them: `%g` with six significant digits.

#![allow(clippy::arithmetic_side_effects, reason = "places in digits")]

use std::io::Write as _;

use robolog_core::{
    slices::{Part as _, fitting, known},
    text::Escaped,
};

/// A text buffer.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) bytes: Vec<u8>,
}

const POWERS: [f64; 11] = [1.0, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10];

impl Text {
    pub(super) fn str(&mut self, text: &str) -> &mut Self {
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    /// Text of the file. Control characters are escaped, so that a file cannot control a terminal; everything else is
    /// as the server prints it.
    pub(super) fn escaped(&mut self, bytes: &[u8]) -> &mut Self {
        if bytes.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            return self.raw(bytes);
        }
        // Writing into a Vec cannot fail.
        let _ = write!(self.bytes, "{}", Escaped(bytes));
        self
    }

    /// Raw bytes.
    pub(super) fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub(super) fn int(&mut self, number: impl Into<i128>) -> &mut Self {
        let number: i128 = number.into();
        if let Ok(small) = u64::try_from(number) {
            let mut digits = [b'0'; 20];
            let mut rest = small;
            let mut first = digits.len();
            for (i, digit) in digits.iter_mut().enumerate().rev() {
                *digit = b'0'.wrapping_add(fitting::<u8>(rest % 10));
                rest /= 10;
                first = i;
                if rest == 0 {
                    break;
                }
            }
            self.bytes.extend_from_slice(digits.part(first..));
        } else {
            // Writing into a Vec cannot fail.
            let _ = write!(self.bytes, "{number}");
        }
        self
    }

    pub(super) fn bool(&mut self, value: bool) -> &mut Self {
        self.str(if value { "1" } else { "0" })
    }

    pub(super) fn float(&mut self, value: f32) -> &mut Self {
        self.number(value.into())
    }

    /// A number as `%g`.
    pub(super) fn number(&mut self, value: f64) -> &mut Self {
        if value.is_sign_negative() {
            self.bytes.push(b'-');
        }
        let abs = value.abs();
        if abs.is_nan() {
            self.str("nan")
        } else if abs.is_infinite() {
            self.str("inf")
        } else if abs == 0.0 {
            self.str("0")
        } else if let Some((digits, exponent)) = six_digits(abs) {
            self.general(digits, exponent)
        } else {
            self.slow(abs)
        }
    }

    /// The number `digits` x 10^(`exponent` - 5), without trailing zeros.
    fn general(&mut self, digits: u32, exponent: i32) -> &mut Self {
        let mut text = [b'0'; 6];
        let mut rest = digits;
        for digit in text.iter_mut().rev() {
            *digit = b'0'.wrapping_add(fitting::<u8>(rest % 10));
            rest /= 10;
        }
        let used = text.iter().rposition(|d| *d != b'0').map_or(1, |last| last + 1);
        let significant = text.part(..used);
        match usize::try_from(exponent) {
            // `text` holds zeros before the point if the digits end earlier.
            Ok(whole) if whole < 6 => {
                let point = whole + 1;
                self.raw(text.part(..point));
                if used > point {
                    self.str(".").raw(text.part(point..used));
                }
            }
            Err(_) if exponent >= -4 => {
                self.str("0.");
                for _ in 1..exponent.unsigned_abs() {
                    self.bytes.push(b'0');
                }
                self.raw(significant);
            }
            _ => {
                let (first, more) = significant.halves(1);
                self.raw(first);
                if !more.is_empty() {
                    self.str(".").raw(more);
                }
                let sign = if exponent < 0 { '-' } else { '+' };
                let _ = write!(self.bytes, "e{sign}{:02}", exponent.unsigned_abs());
            }
        }
        self
    }

    /// Formats with the standard library, which rounds every number correctly.
    #[cold]
    fn slow(&mut self, abs: f64) -> &mut Self {
        let text = format!("{abs:.5e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
        self.general(known(digits.parse().ok()), known(exponent.parse().ok()))
    }

    /// A number rounded to a whole one, right-aligned: `setprecision(0)`, `fixed`, `setw`.
    pub(super) fn whole(&mut self, value: f64, width: usize) -> &mut Self {
        let text = if value.is_finite() {
            format!("{value:.0}")
        } else {
            let mut text = Self::default();
            text.number(value);
            String::from_utf8_lossy(&text.bytes).into_owned()
        };
        let _ = write!(self.bytes, "{text:>width$}");
        self
    }

    pub(super) fn right(&mut self, text: impl std::fmt::Display, width: usize) -> &mut Self {
        let text = text.to_string();
        let _ = write!(self.bytes, "{text:>width$}");
        self
    }

    /// Text of the file, padded with blanks to a width in bytes, as C++ counts it.
    pub(super) fn left(&mut self, bytes: &[u8], width: usize) -> &mut Self {
        let start = self.bytes.len();
        self.escaped(bytes);
        for _ in self.bytes.len() - start..width {
            self.bytes.push(b' ');
        }
        self
    }
}

/// The first six digits of a positive number, rounded half to even, and the exponent of the first digit.
///
/// Only for floats between 0.0001 and 999999.5: times a power of ten they are exact in a double, so that the rounding
/// is correct.
fn six_digits(abs: f64) -> Option<(u32, i32)> {
    #[expect(clippy::cast_possible_truncation, clippy::float_cmp, reason = "that is the question")]
    let is_float = f64::from(abs as f32) == abs;
    if !is_float || !(1e-4..999_999.5).contains(&abs) {
        return None;
    }
    let exponent =
        if abs >= 1.0 { POWERS.iter().take_while(|p| **p <= abs).count().checked_sub(1)? } else { 0 };
    let below = if abs < 1.0 { POWERS.iter().take_while(|p| abs * **p < 1.0).count() } else { 0 };
    let shift = 5_usize.checked_add(below)?.checked_sub(exponent)?;
    let rounded = (abs * POWERS.get(shift)?).round_ties_even();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below ten million")]
    let digits = rounded as u32;
    let exponent = i32::try_from(exponent).ok()?.checked_sub(i32::try_from(below).ok()?)?;
    // Rounded up to the next power of ten.
    if digits >= 1_000_000 { Some((100_000, exponent.checked_add(1)?)) } else { Some((digits, exponent)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn g(value: f64) -> String {
        let mut text = Text::default();
        text.number(value);
        String::from_utf8(text.bytes).unwrap()
    }

    /// Expected texts from C's `printf("%g")`.
    #[test]
    fn numbers_print_as_in_c() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-13_183.650_390_625, "-13183.7"),
            (100_000.0, "100000"),
            (123_456.0, "123456"),
            (999_999.437_5, "999999"),
            (999_999.5, "1e+06"),
            (1e6, "1e+06"),
            (1_234_567.0, "1.23457e+06"),
            (-0.000_122_070_312_5, "-0.00012207"),
            (0.0001, "0.0001"),
            (0.000_099_999_9, "9.99999e-05"),
            (0.000_012_5, "1.25e-05"),
            (1e-30, "1e-30"),
            (3.4e38, "3.4e+38"),
            (1e100, "1e+100"),
            (0.5, "0.5"),
            (2.5, "2.5"),
            (0.033_333_335, "0.0333333"),
            (9.999_995, "10"),
            (9.999_994, "9.99999"),
            (100.0, "100"),
            (24.723_716, "24.7237"),
            (f64::NAN, "nan"),
            (-f64::NAN, "-nan"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(g(value), text, "{value}");
        }
    }

    /// Both ways to six digits agree, and ties are rounded to even.
    #[test]
    fn the_fast_way_gives_what_the_slow_one_gives() {
        let mut bits = 0x1234_5678_u32;
        let mut fast = 0_u32;
        for _ in 0..2_000_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let value = f64::from(f32::from_bits(bits >> 1));
            if let Some((digits, exponent)) = six_digits(value) {
                let (mut a, mut b) = (Text::default(), Text::default());
                a.general(digits, exponent);
                b.slow(value);
                assert_eq!(a.bytes, b.bytes, "{value}");
                fast += 1;
            }
        }
        assert!(fast > 100_000, "{fast}");
        for tie in [0.500_000_5_f32, 100_000.5, 100_001.5, 12345.25, 12345.75, 1.000_005] {
            let text = g(tie.into());
            let mut slow = Text::default();
            slow.slow(tie.into());
            assert_eq!(text.as_bytes(), slow.bytes, "{tie}");
        }
    }
}
