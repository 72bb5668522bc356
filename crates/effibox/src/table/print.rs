//! Numbers as the logger prints them.

/// Appends `value` as C's `printf` does with `%.{digits}g`; with as many digits more as it takes to be read back, where
/// that is a double of more than 15 digits.
pub(crate) fn number(value: f64, digits: usize, out: &mut Vec<u8>) {
    let start = out.len();
    general(value, digits, out);
    let printed = out.get(start..).unwrap_or_default();
    if digits == 15 && value.is_finite() && robolog_core::text::number(printed) != Some(value) {
        out.truncate(start);
        general(value, 17, out);
    }
}

/// `%.{digits}g`; `digits` is at least 1.
pub(crate) fn general(value: f64, digits: usize, out: &mut Vec<u8>) {
    if value.is_sign_negative() {
        out.push(b'-');
    }
    if !value.is_finite() {
        out.extend_from_slice(if value.is_nan() { b"nan" } else { b"inf" });
        return;
    }
    // One digit, a dot, the others, `e` and the exponent.
    let text = format!("{:.*e}", digits.saturating_sub(1), value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let all: Vec<u8> = mantissa.bytes().filter(|b| *b != b'.').collect();
    let len = all.iter().rposition(|b| *b != b'0').map_or(1, |last| last.saturating_add(1));
    let kept = all.get(..len).unwrap_or(&all);
    let point = |out: &mut Vec<u8>, whole: &[u8], fraction: &[u8]| {
        out.extend_from_slice(whole);
        if !fraction.is_empty() {
            out.push(b'.');
            out.extend_from_slice(fraction);
        }
    };
    let fits = i32::try_from(digits).is_ok_and(|digits| exponent < digits);
    match usize::try_from(exponent) {
        Ok(exponent) if fits => {
            let whole = exponent.saturating_add(1);
            let (whole, fraction) = all
                .split_at_checked(whole)
                .map_or((kept, &[][..]), |(w, _)| (w, kept.get(whole..).unwrap_or_default()));
            point(out, whole, fraction);
        }
        Err(_) if exponent >= -4 => {
            out.extend_from_slice(b"0.");
            out.extend(std::iter::repeat_n(b'0', exponent.unsigned_abs().saturating_sub(1) as usize));
            out.extend_from_slice(kept);
        }
        _ => {
            let (first, others) = kept.split_at_checked(1).unwrap_or((kept, &[]));
            point(out, first, others);
            let sign = if exponent < 0 { '-' } else { '+' };
            out.extend_from_slice(format!("e{sign}{:02}", exponent.unsigned_abs()).as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn g(value: f64, digits: usize) -> String {
        let mut out = Vec::new();
        general(value, digits, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_printed_as_by_printf() {
        // From `printf '%.Ng' VALUE` of the GNU C library.
        for (value, digits, want) in [
            (0.0, 15, "0"),
            (-0.0, 15, "-0"),
            (1.0, 15, "1"),
            (100.0, 15, "100"),
            (660_168.799_340_458, 15, "660168.799340458"),
            (460.600_012_207_031, 15, "460.600012207031"),
            (0.980_000_019_073_486_3, 15, "0.980000019073486"),
            (1e15, 15, "1e+15"),
            (999_999_999_999_999.9, 15, "1e+15"),
            (123_456_789_012_345.0, 15, "123456789012345"),
            (0.0001, 6, "0.0001"),
            (0.000_012_345_67, 6, "1.23457e-05"),
            (-0.776_671_517, 6, "-0.776672"),
            (3.926_990_817, 6, "3.92699"),
            (0.14, 6, "0.14"),
            (1e-300, 15, "1e-300"),
            (2.5, 1, "2"),
            (f64::NEG_INFINITY, 6, "-inf"),
        ] {
            assert_eq!(g(value, digits), want);
        }
        let mut out = Vec::new();
        number(0.1 + 0.2, 15, &mut out);
        assert_eq!(out, b"0.30000000000000004");
    }
}
