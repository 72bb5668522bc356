//! Sizes in bytes: of memory, and of parts.

use std::num::NonZeroU64;

use robolog_core::{Limits, slices::Part as _};

/// Bytes of memory for a reader and its samples, per byte of a record, as the crates promise.
const TIMES: u64 = 16;
/// Minimum memory; less is too small for records of most formats.
const LEAST: u64 = 16 << 20;

/// Parses bytes of memory: a number, with K, M or G for multiples of 1024.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let wrong = || "not a size like 512M or 2G".to_owned();
    let text = text.strip_suffix('B').unwrap_or(text);
    let text = text.strip_suffix('i').unwrap_or(text);
    let shifts = [(['K', 'k'], 10), (['M', 'm'], 20), (['G', 'g'], 30)];
    let shifted = shifts.iter().find_map(|(unit, shift)| Some((text.strip_suffix(*unit)?, *shift)));
    let (number, shift) = shifted.unwrap_or((text, 0));
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let bytes = number.checked_mul(1 << shift).ok_or_else(wrong)?;
    if bytes < LEAST {
        return Err("less than 16M is too small for records of most formats".into());
    }
    Ok(bytes)
}

/// Parses bytes of a file: a number, with kB, MB, GB for multiples of 1000, or KiB, MiB, GiB for multiples of 1024.
pub(super) fn bytes(text: &str) -> Result<NonZeroU64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text.part(digits.len()..).to_ascii_lowercase();
    let unit: u64 = match unit.as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1_000,
        "m" | "mb" => 1_000_000,
        "g" | "gb" => 1_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        _ => 0,
    };
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    bytes.and_then(NonZeroU64::new).ok_or_else(|| "not a size like 100MB, 1GB or 512MiB".into())
}

/// The limits that keep readers below `memory` bytes.
pub(super) fn limits(memory: u64) -> Limits {
    let record = usize::try_from(memory.wrapping_div(TIMES)).unwrap_or(usize::MAX);
    Limits::default().with_record(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_of_1024() {
        assert_eq!(size("16777216"), Ok(16 << 20));
        for text in ["512M", "512m", "512MB", "512MiB"] {
            assert_eq!(size(text), Ok(512 << 20), "{text}");
        }
        assert_eq!(size("2G"), Ok(2 << 30));
        for text in ["", "M", "1M", "-5G", "1.5G", "99999999999G"] {
            assert!(size(text).is_err(), "{text}");
        }
        assert_eq!(limits(512 << 20).record, 32 << 20);
    }
}
