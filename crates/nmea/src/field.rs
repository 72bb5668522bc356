//! The fields of a sentence: their places, and copies with other ones.

use std::ops::Range;

use robolog_core::{format::splice, slices::Part as _};

use super::{Checksum, Sentence};

/// Appends the bytes of a sentence to `out`, with other fields and a new checksum.
pub(super) fn replace(
    sentence: &Sentence<'_>,
    bytes: &[u8],
    parts: &[(Range<usize>, String)],
    out: &mut Vec<u8>,
) {
    splice(bytes, parts, out);
    if sentence.checksum() == Checksum::None {
        return;
    }
    let grown = out.len().wrapping_sub(bytes.len());
    let end = places(sentence).last().map_or(0, |last| last.end).wrapping_add(grown);
    let sum = out.part(1..end).iter().fold(0, |sum: u8, byte| sum ^ byte);
    let digits = end.checked_add(1).and_then(|from| out.get_mut(from..)?.get_mut(..2));
    if let Some(digits) = digits {
        let is_lower = digits.iter().any(u8::is_ascii_lowercase);
        let text = if is_lower { format!("{sum:02x}") } else { format!("{sum:02X}") };
        digits.copy_from_slice(text.as_bytes());
    }
}

/// Ranges of the fields in the bytes of a sentence.
pub(super) fn places(sentence: &Sentence<'_>) -> Vec<Range<usize>> {
    // After `$`, the address and a comma.
    let mut from = sentence.address().len() + 2;
    let place = |field: &[u8]| {
        let range = from..from + field.len();
        from = range.end + 1;
        range
    };
    sentence.fields().map(place).collect()
}
