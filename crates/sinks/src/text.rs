//! Values as text for tables and trajectories. Numbers read back exactly.

use std::{borrow::Cow, io::Write};

use robolog_core::{
    Cell,
    slices::{Part as _, fitting},
};

/// Field of a text file.
pub trait Put {
    /// Appends the value; nothing if it is unknown.
    fn put(&self, out: &mut Vec<u8>);
}

macro_rules! integers {
    ($($number:ty),+) => {$(
        impl Put for $number {
            #[inline]
            fn put(&self, out: &mut Vec<u8>) {
                json(self, out);
            }
        }
    )+};
}

integers!(u8, u16, i64);

/// Shortest digits that read back as the same number; `NaN`, `inf` and `-inf` if not finite.
impl Put for f64 {
    fn put(&self, out: &mut Vec<u8>) {
        if self.is_finite() {
            json(self, out);
        } else {
            // Writing to a buffer cannot fail.
            let _ = write!(out, "{self}");
        }
    }
}

impl Put for f32 {
    fn put(&self, out: &mut Vec<u8>) {
        if let Some(n) = thousandths(*self) {
            put_thousandths(n, *self < 0.0, out);
        } else if self.is_finite() {
            json(self, out);
        } else {
            f64::from(*self).put(out);
        }
    }
}

/// The number in thousandths, without its sign, if that is exact and below a thousand: most scanners measure
/// millimetres. Three decimals identify these single-precision numbers; fewer do not.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number from 0 to 999 999"
)]
fn thousandths(number: f32) -> Option<u32> {
    let n = (number.abs() * 1000.0).round();
    let is_exact = n < 1e6 && (n / 1000.0).copysign(number).to_bits() == number.to_bits();
    // The sign of zero must be kept.
    (is_exact && n > 0.0).then_some(n as u32)
}

/// Appends thousandths without trailing zeros.
fn put_thousandths(n: u32, is_negative: bool, out: &mut Vec<u8>) {
    let place = |unit: u32| b'0' | n.checked_div(unit).map_or(0, digit);
    let text = [place(100_000), place(10_000), place(1000), b'.', place(100), place(10), place(1)];
    let skip = match n {
        100_000.. => 0,
        10_000.. => 1,
        _ => 2,
    };
    let end = match text {
        [.., b'0', b'0'] => 5,
        [.., b'0'] => 6,
        _ => 7,
    };
    if is_negative {
        out.push(b'-');
    }
    out.extend_from_slice(text.part(skip..end));
}

/// The last digit.
fn digit(n: u32) -> u8 {
    fitting::<u8>(n % 10)
}

/// Appends the JSON number, which is the shortest and much faster than `Display`.
#[inline]
fn json(number: &impl serde::Serialize, out: &mut Vec<u8>) {
    // Writing a number to a buffer cannot fail.
    let _ = serde_json::to_writer(out, number);
}

impl Put for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(if *self { b"true" } else { b"false" });
    }
}

/// Quoted if it contains a comma, a quote or a line break, as in RFC 4180.
impl Put for str {
    fn put(&self, out: &mut Vec<u8>) {
        if !self.contains([',', '"', '\n', '\r']) {
            out.extend_from_slice(self.as_bytes());
            return;
        }
        out.push(b'"');
        for byte in self.bytes() {
            if byte == b'"' {
                out.push(b'"');
            }
            out.push(byte);
        }
        out.push(b'"');
    }
}

/// Returns a text that a spreadsheet does not take for a formula, by adding a leading apostrophe. Numbers stay.
///
/// ```
/// use robolog_sinks::text::shown;
/// assert_eq!(shown(b"=1+1"), &b"'=1+1"[..]);
/// assert_eq!(shown(b"-1.5"), &b"-1.5"[..]);
/// ```
pub fn shown(text: &[u8]) -> Cow<'_, [u8]> {
    let can_be_formula = matches!(text, [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n', ..]);
    let is_number = || std::str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok());
    if can_be_formula && !is_number() { [b"'", text].concat().into() } else { text.into() }
}

/// Returns the same for `text`, if `is_asked`.
#[cfg(feature = "to-csv")]
pub(super) fn safe(text: &str, is_asked: bool) -> Cow<'_, str> {
    match shown(text.as_bytes()) {
        Cow::Owned(_) if is_asked => format!("'{text}").into(),
        _ => text.into(),
    }
}

impl<T: Put> Put for Option<T> {
    #[inline]
    fn put(&self, out: &mut Vec<u8>) {
        if let Some(value) = self {
            value.put(out);
        }
    }
}

/// A cell as text, as in tables; `None` if it has no value.
pub fn of_cell(cell: &Cell) -> Option<String> {
    if *cell == Cell::Null {
        return None;
    }
    if let Cell::Text(text) = cell {
        return Some(text.clone());
    }
    let mut text = Vec::new();
    cell.put(&mut text);
    String::from_utf8(text).ok()
}

impl Put for Cell {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => {}
            Self::Bool(value) => value.put(out),
            Self::Int(value) => value.put(out),
            Self::Float(value) => value.put(out),
            Self::Text(value) => value.as_str().put(out),
        }
    }
}

/// Nanoseconds of decimal seconds, exact to the last digit: a double would round them.
pub fn decimal(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let nanos: i64 = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    whole.checked_mul(1_000_000_000)?.checked_add(nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &(impl Put + ?Sized)) -> String {
        let mut out = Vec::new();
        value.put(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn floats_read_back_exactly() {
        let mut state = 1_u64;
        for _ in 0..10_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let double = f64::from_bits(state);
            let single = f32::from_bits(u32::try_from(state >> 32).unwrap());
            if double.is_finite() {
                assert_eq!(text(&double).parse::<f64>().unwrap().to_bits(), double.to_bits());
            }
            if single.is_finite() {
                assert_eq!(text(&single).parse::<f32>().unwrap().to_bits(), single.to_bits());
            }
        }
        assert_eq!([0.1, -0.0, 1e300].map(|n| text(&n)), ["0.1", "-0.0", "1e+300"]);
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|n| text(&n)), ["NaN", "inf", "-inf"]);
        assert_eq!([0.1_f32, f32::NAN].map(|n| text(&n)), ["0.1", "NaN"]);
    }

    #[test]
    fn thousandths_are_as_short_as_any() {
        for n in (0..1_000_100_u32).chain([1_234_567_u32]) {
            let number = f64::from(n) / 1000.0;
            #[expect(clippy::cast_possible_truncation, reason = "the nearest is wanted")]
            for number in [number as f32, -number as f32] {
                assert_eq!(text(&number), serde_json::to_string(&number).unwrap());
            }
        }
        assert_eq!(
            [0.001_f32, -999.99, 12.0, 0.0, -0.0].map(|n| text(&n)),
            ["0.001", "-999.99", "12.0", "0.0", "-0.0"]
        );
        assert_eq!(
            (thousandths(-999.999), thousandths(1000.0), thousandths(0.000_5)),
            (Some(999_999), None, None)
        );
    }

    #[test]
    fn text_is_quoted_where_it_must_be() {
        assert_eq!(text("a b;c"), "a b;c");
        assert_eq!(text("a,b"), "\"a,b\"");
        assert_eq!(text("say \"x\"\r\n"), "\"say \"\"x\"\"\r\n\"");
        assert_eq!(text(&None::<u8>), "");
        assert_eq!([Cell::Bool(true), Cell::Int(-7), Cell::Null].map(|c| text(&c)), ["true", "-7", ""]);
    }
}
