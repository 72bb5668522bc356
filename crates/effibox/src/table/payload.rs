//! The cells of a line: blank-separated, parsed on access.

#![allow(clippy::arithmetic_side_effects, reason = "places in a line and counts of digits")]

use robolog_core::{
    Error, ErrorKind, Result,
    slices::{Part as _, before, past},
    text::{Escaped, Field, append_digits, number},
};

/// Iterates over the cells of one line.
#[derive(Debug, Clone)]
pub(crate) struct Cells<'a> {
    line: &'a [u8],
    rest: &'a [u8],
    offset: u64,
}

/// Whether a byte ends a cell.
const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)
}

impl<'a> Cells<'a> {
    /// The cells of `line`, without a line end, at `offset` of the file.
    pub(crate) fn new(line: &'a [u8], offset: u64) -> Self {
        Self { line, rest: line, offset }
    }

    fn skip_blanks(&mut self) {
        while let Some((first, rest)) = self.rest.split_first() {
            if !is_blank(*first) {
                break;
            }
            self.rest = rest;
        }
    }

    /// The next cell as text; `None` at the end of the line.
    pub(crate) fn next_text(&mut self) -> Option<Field<'a>> {
        self.skip_blanks();
        let start = before(self.line, self.rest).len();
        let len = self.rest.iter().position(|b| is_blank(*b)).unwrap_or(self.rest.len());
        let (bytes, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        (!bytes.is_empty()).then(|| Field {
            offset: past(self.offset, start),
            column: start as u64 + 1,
            bytes,
        })
    }

    /// The next cell, or an error at the end of the line.
    pub(crate) fn text(&mut self) -> Result<Field<'a>> {
        self.next_text().ok_or_else(|| self.short())
    }

    /// The next cell as a number; `nan` and `inf` are numbers, as `printf` writes them.
    pub(crate) fn float(&mut self) -> Result<f64> {
        self.skip_blanks();
        match plain(self.rest) {
            Some((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            None => self.odd_float(),
        }
    }

    #[cold]
    fn odd_float(&mut self) -> Result<f64> {
        let cell = self.text()?;
        number(cell.bytes).or_else(|| not_finite(cell.bytes)).ok_or_else(|| cell.error("a number"))
    }

    /// The next cell as an integer, even if written with a zero fraction or an exponent.
    pub(crate) fn int(&mut self) -> Result<i64> {
        self.skip_blanks();
        match whole(self.rest) {
            Some((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            None => self.odd_int(),
        }
    }

    #[cold]
    fn odd_int(&mut self) -> Result<i64> {
        let cell = self.text()?;
        let exact = std::str::from_utf8(cell.bytes).ok().and_then(|text| text.parse().ok());
        exact.or_else(|| number(cell.bytes).and_then(integral)).ok_or_else(|| cell.error("an integer"))
    }

    /// Returns an error unless only blanks follow.
    pub(crate) fn end(&mut self) -> Result<()> {
        match self.next_text() {
            None => Ok(()),
            Some(cell) => Err(cell.error("the end of the row: it has too many columns")),
        }
    }

    /// Number of remaining cells.
    pub(crate) fn count(mut self) -> usize {
        let mut n = 0_usize;
        while self.next_text().is_some() {
            n += 1;
        }
        n
    }

    #[cold]
    fn short(&self) -> Error {
        let kind = ErrorKind::Text {
            expected: "a column: the row has too few",
            found: Escaped(self.rest).to_string(),
            column: self.line.len() as u64 + 1,
        };
        Error::new(kind, past(self.offset, self.line.len()))
    }
}

/// A number as an integer, if a double holds it exactly.
#[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
fn integral(value: f64) -> Option<i64> {
    (value.trunc().to_bits() == value.to_bits() && value.abs() < 9.007_199_254_740_992e15)
        .then_some(value as i64)
}

fn not_finite(text: &[u8]) -> Option<f64> {
    let (sign, name) = match text {
        [b'-', name @ ..] => (-1.0_f64, name),
        name => (1.0, name),
    };
    let value = match name.to_ascii_lowercase().as_slice() {
        b"nan" => f64::NAN,
        b"inf" | b"infinity" => f64::INFINITY,
        _ => return None,
    };
    // `printf` writes the sign of a NaN; a product does not keep it.
    Some(value.copysign(sign))
}

/// Powers of ten that doubles hold exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Appends the leading digits of `text` to those of `value`, eight at a time if possible.
///
/// May wrap: the caller counts the digits.
#[inline]
fn digits(mut text: &[u8], mut value: u64) -> (u64, &[u8]) {
    while let Some(eight) = text.first_chunk::<8>() {
        let count;
        (value, count) = append_digits(value, u64::from_le_bytes(*eight));
        text = text.part(count..);
        if count < 8 {
            return (value, text);
        }
    }
    while let Some((byte, rest)) = text.split_first() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(digit.into());
        text = rest;
    }
    (value, text)
}

fn ends_cell(rest: &[u8]) -> bool {
    rest.first().is_none_or(|b| is_blank(*b))
}

fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    }
}

/// A number of at most 19 digits without an exponent, whose digits alone fit a double exactly: one division then gives
/// the nearest double. `None` for any other.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "below 2^53")]
fn plain(text: &[u8]) -> Option<(f64, &[u8])> {
    let (negative, from) = sign(text);
    let (whole, rest) = digits(from, 0);
    let mut count = before(from, rest).len();
    let (value, decimals, rest) = match rest {
        [b'.', fraction @ ..] => {
            let (value, rest) = digits(fraction, whole);
            let decimals = before(fraction, rest).len();
            count += decimals;
            (value, decimals, rest)
        }
        rest => (whole, 0, rest),
    };
    if count == 0 || count > 19 || value > 1 << 53 || !ends_cell(rest) {
        return None;
    }
    let value = value as f64 / TENS.get(decimals)?;
    Some((if negative { -value } else { value }, rest))
}

/// An integer of at most 18 digits.
#[inline]
fn whole(text: &[u8]) -> Option<(i64, &[u8])> {
    let (negative, from) = sign(text);
    let (value, rest) = digits(from, 0);
    let count = before(from, rest).len();
    if count == 0 || count > 18 || !ends_cell(rest) {
        return None;
    }
    let value = i64::try_from(value).ok()?;
    Some((if negative { value.wrapping_neg() } else { value }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let mut bits = 1_u64;
        let mut seen = 0;
        for i in 0..200_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let value = f64::from_bits(bits);
            let decimals = i % 20;
            let scaled = (value % 1e6) / 1.000_001;
            for text in
                [format!("{scaled:.decimals$}"), format!("{value:e}"), format!("{}", bits >> (i % 60))]
            {
                let got = Cells::new(text.as_bytes(), 0).float();
                match text.parse::<f64>() {
                    Ok(want) if !want.is_nan() => {
                        assert_eq!(got.unwrap().to_bits(), want.to_bits(), "{text}");
                        seen += 1;
                    }
                    _ => assert!(got.unwrap().is_nan(), "{text}"),
                }
            }
        }
        assert!(seen > 500_000);
    }

    #[test]
    fn integers_may_be_written_as_doubles_are() {
        let mut cells = Cells::new(b" 12\t-7 8.0 1.25e+06 9223372036854775807 -0", 0);
        let all: Vec<_> = (0..6).map(|_| cells.int().unwrap()).collect();
        assert_eq!(all, [12, -7, 8, 1_250_000, i64::MAX, 0]);
        for odd in ["1.5", "x", "1e300", "nan", "92233720368547758070", "12x"] {
            assert!(Cells::new(odd.as_bytes(), 0).int().is_err(), "{odd}");
        }
    }

    #[test]
    fn what_does_not_fit_has_a_column() {
        let mut cells = Cells::new(b"1.5  x2 3", 100);
        assert_eq!(cells.float().unwrap().to_bits(), 1.5_f64.to_bits());
        assert_eq!(cells.float().unwrap_err().to_string(), "column 6: \"x2\" is not a number (at byte 0x69)");
        assert_eq!(cells.clone().count(), 1);
        assert!(cells.end().unwrap_err().to_string().contains("column 9"));
        assert!(cells.float().unwrap_err().to_string().contains("too few"));
        for (text, is_negative) in [("-NaN", true), ("nan", false), ("-inf", true)] {
            let value = Cells::new(text.as_bytes(), 0).float().unwrap();
            assert!(!value.is_finite() && value.is_sign_negative() == is_negative, "{text}");
        }
        for odd in ["-", ".", "+-1", "1..2", "0x10", "1,5"] {
            assert!(Cells::new(odd.as_bytes(), 0).float().is_err(), "{odd}");
        }
    }
}
