//! Numbers as C prints them with `%g`, the format of the data set's tables.

#![allow(clippy::arithmetic_side_effects, reason = "places in digits")]

use robolog_core::slices::known;

/// The longest decimal expansion of a double has 767 significant digits; more precision adds nothing to `%g`.
const MOST: usize = 800;

/// `value` as C's `printf` prints it with `%.{precision}g`. Precision 6 is plain `%g`; 0 counts as 1.
///
/// ```
/// use effibox::number::printf_g;
/// assert_eq!(printf_g(660_168.799_340_458, 15), "660168.799340458");
/// assert_eq!(printf_g(45.760_157_67, 10), "45.76015767");
/// assert_eq!(printf_g(0.000_012, 6), "1.2e-05");
/// ```
pub fn printf_g(value: f64, precision: usize) -> String {
    let mut out = Vec::with_capacity(24);
    write_g(&mut out, value, precision);
    known(String::from_utf8(out).ok())
}

/// Appends the text of [`printf_g`] to `out`.
pub fn write_g(out: &mut Vec<u8>, value: f64, precision: usize) {
    if value.is_sign_negative() {
        out.push(b'-');
    }
    let value = value.abs();
    if value.is_nan() || value.is_infinite() {
        out.extend_from_slice(if value.is_nan() { b"nan" } else { b"inf" });
        return;
    }
    let precision = precision.clamp(1, MOST);
    let text = format!("{value:.*e}", precision - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i64 = known(exponent.parse().ok());
    let mut digits: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    let kept = digits.iter().rposition(|d| *d != b'0').map_or(1, |last| last + 1);
    digits.truncate(kept);
    let is_fixed = exponent >= -4 && usize::try_from(exponent.max(0)).is_ok_and(|e| e < precision);
    match usize::try_from(exponent) {
        Ok(whole) if is_fixed => {
            let point = whole + 1;
            digits.resize(digits.len().max(point), b'0');
            split(out, &digits, point);
        }
        _ if is_fixed => {
            out.extend_from_slice(b"0.");
            let zeros = exponent.unsigned_abs().saturating_sub(1);
            out.extend((0..zeros).map(|_| b'0'));
            out.extend_from_slice(&digits);
        }
        _ => {
            split(out, &digits, 1);
            let sign = if exponent < 0 { '-' } else { '+' };
            out.extend_from_slice(format!("e{sign}{:02}", exponent.unsigned_abs()).as_bytes());
        }
    }
}

/// The digits, with a point after the first `point` of them if more follow.
fn split(out: &mut Vec<u8>, digits: &[u8], point: usize) {
    let (whole, decimals) = digits.split_at_checked(point).unwrap_or((digits, &[]));
    out.extend_from_slice(whole);
    if !decimals.is_empty() {
        out.push(b'.');
        out.extend_from_slice(decimals);
    }
}
