//! Formats numbers, times and recorded text for HTML.

use std::fmt;

use robolog_core::text::is_unsafe;

/// Escapes recorded text for HTML text or quoted attributes: no markup, no direction overrides, no invisible
/// characters.
pub(crate) struct Esc<'a>(pub(crate) &'a str);

impl fmt::Display for Esc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                '\n' | '\t' => f.write_str(" ")?,
                c if is_unsafe(c) => write!(f, "\\u{{{:x}}}", u32::from(c))?,
                c => fmt::Write::write_char(f, c)?,
            }
        }
        Ok(())
    }
}

/// Maximum letters of a name.
pub(crate) fn short(name: &str) -> String {
    const MOST: usize = 100;
    let mut short: String = name.chars().take(MOST + 1).collect();
    if short.chars().count() > MOST {
        short.pop();
        short.push('…');
    }
    short
}

/// A number with four significant digits.
pub(crate) fn num(value: f64) -> String {
    digits(value, 4)
}

/// An integer with thin spaces between thousands.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A number with `n` significant digits.
pub(crate) fn digits(value: f64, n: usize) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let text = if value == value.trunc() && value.abs() < 1e9 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and below 1e9")]
        let whole = value.abs() as u64;
        format!("{}{}", if value < 0.0 { "-" } else { "" }, count(whole))
    } else {
        #[expect(clippy::cast_possible_truncation, reason = "the logarithm of a double is small")]
        let exponent = value.abs().log10().floor() as i32;
        let exact = i32::try_from(n).unwrap_or(4);
        if (-4..9).contains(&exponent) {
            let decimals = usize::try_from(exact - 1 - exponent).unwrap_or_default();
            let text = format!("{value:.decimals$}");
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                text
            }
        } else {
            format!("{value:.*e}", n.saturating_sub(1))
        }
    };
    text.replace('-', "−")
}

/// A duration in seconds, with a suitable unit.
pub(crate) fn span(seconds: f64) -> String {
    let s = seconds.abs();
    if !s.is_finite() {
        return "–".to_owned();
    }
    if s == 0.0 {
        return "0 s".to_owned();
    }
    if s < 1e-3 {
        return format!("{} µs", digits(seconds * 1e6, 3));
    }
    if s < 1.0 {
        return format!("{} ms", digits(seconds * 1e3, 3));
    }
    if s < 120.0 {
        return format!("{} s", digits(seconds, 3));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let whole = s.round() as u64;
    let (minutes, rest) = (whole / 60, whole % 60);
    match minutes {
        0..120 => format!("{minutes} min {rest:02} s"),
        120..2880 => format!("{} h {:02} min", minutes / 60, minutes % 60),
        _ => format!("{} d {:02} h", minutes / 1440, minutes % 1440 / 60),
    }
}

/// A size in bytes, with a suitable unit.
pub(crate) fn size(bytes: u64) -> String {
    if bytes < 1000 {
        return format!("{bytes} bytes");
    }
    let units = ["kB", "MB", "GB", "TB"];
    let mut value = bytes as f64 / 1e3;
    let mut unit = "kB";
    for next in units.into_iter().skip(1) {
        if value >= 999.5 {
            value /= 1e3;
            unit = next;
        }
    }
    format!("{} {unit}", digits(value, 3))
}

/// A step of 1, 2 or 5 times a power of ten that divides `width` into about `n` parts.
pub(crate) fn nice(width: f64, n: f64) -> f64 {
    let raw = width.abs().max(1e-12) / n;
    let power = 10f64.powf(raw.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|k| k * power).find(|step| *step >= raw * 0.999).unwrap_or(10.0 * power)
}

/// About `n` round numbers between two.
pub(crate) fn ticks(from: f64, to: f64, n: f64) -> Vec<f64> {
    if !(from.is_finite() && to.is_finite()) || to <= from {
        return Vec::new();
    }
    let step = nice(to - from, n);
    let first = (from / step - 1e-9).ceil();
    let ticks = (0..100).map(|k| (first + f64::from(k)) * step);
    ticks
        .take_while(|tick| *tick <= to + step * 1e-9)
        .map(|tick| if tick == 0.0 { 0.0 } else { tick })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_text_is_no_markup() {
        let hostile = "<script>alert('x')</script>\" onload=\"\u{202e}\u{0}";
        let safe = Esc(hostile).to_string();
        assert!(!safe.contains(['<', '>', '"', '\'', '\u{202e}', '\0']), "{safe}");
    }

    #[test]
    fn numbers_have_the_digits_that_count() {
        let text = [0.0, 12.0, -1234.5, 0.000_123_45, 1e12, f64::NAN, 3.0e-7].map(num);
        assert_eq!(text, ["0", "12", "−1234", "0.0001234", "1.000e12", "–", "3.000e−7"]);
        assert_eq!(digits(42.358_2, 6), "42.3582");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
    }

    #[test]
    fn times_and_sizes_have_units() {
        let spans = [0.0, 2.5e-5, 0.369_4, 79.7, 1063.0, 10_000.0, 1e6].map(span);
        assert_eq!(spans, ["0 s", "25 µs", "369 ms", "79.7 s", "17 min 43 s", "2 h 46 min", "11 d 13 h"]);
        assert_eq!([5, 212_082, 3_652_558, 999_999].map(size), ["5 bytes", "212 kB", "3.65 MB", "1 MB"]);
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(0.0, 79.7, 5.0), [0.0, 20.0, 40.0, 60.0]);
        assert_eq!(ticks(-6.0, 6.0, 4.0), [-5.0, 0.0, 5.0]);
        assert!(ticks(0.0, f64::INFINITY, 5.0).is_empty() && ticks(1.0, 1.0, 5.0).is_empty());
    }
}
