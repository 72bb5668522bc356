//! Positions in NMEA 0183.

use robolog_core::{FixQuality, GnssFix};

use crate::Value;

/// Whether a value begins like a sentence.
pub(super) fn may_be_sentence(value: Value<'_>) -> bool {
    value.trimmed().starts_with(b"$")
}

/// The position of a GGA sentence with a right checksum, or without one.
pub(super) fn gga(value: Value<'_>) -> Option<GnssFix> {
    let text = value.trimmed().strip_prefix(b"$")?;
    let (body, checksum) = match text.iter().rposition(|b| *b == b'*') {
        Some(star) => (text.get(..star)?, text.get(star.saturating_add(1)..)),
        None => (text, None),
    };
    if let Some(checksum) = checksum {
        let said = u8::from_str_radix(std::str::from_utf8(checksum).ok()?.trim(), 16).ok()?;
        if body.iter().fold(0, |sum, byte| sum ^ byte) != said {
            return None;
        }
    }
    let fields: Vec<&str> = std::str::from_utf8(body).ok()?.split(',').collect();
    let field = |i: usize| fields.get(i).copied().filter(|text| !text.is_empty());
    if !field(0)?.ends_with("GGA") {
        return None;
    }
    let number = |i: usize| field(i)?.parse::<f64>().ok();
    let altitude_msl = number(9);
    Some(GnssFix {
        latitude: degrees(number(2)?, field(3)? == "S"),
        longitude: degrees(number(4)?, field(5)? == "W"),
        altitude: altitude_msl.zip(number(11)).map(|(sea, geoid)| sea + geoid),
        altitude_msl,
        quality: field(6)?.parse().map_or(FixQuality::Unknown, FixQuality::from_gga),
        satellites: field(7).and_then(|n| n.parse().ok()),
        hdop: number(8),
        ..GnssFix::default()
    })
}

/// Degrees and minutes in one number, to degrees.
fn degrees(ddmm: f64, negative: bool) -> f64 {
    let whole = (ddmm / 100.0).trunc();
    let value = whole + (ddmm - whole * 100.0) / 60.0;
    if negative { -value } else { value }
}
