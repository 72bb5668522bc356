//! Shifts the times in a document.

use std::ops::Range;

use robolog_core::{
    Error, Result,
    format::{Edited, splice},
    slices::{Part as _, past},
    text::Escaped,
};

use crate::{Tag, Token, local, shift_time, token};

/// Writes a record to `out` with the times in elements of these names (without prefix) shifted by `nanos` nanoseconds:
/// see [`shift_time`]. Writes nothing if the record has no such time.
///
/// Returns an error for a time without a day or seconds. `at` is the offset of the record in the file.
///
/// ```
/// use robolog_xml::robolog_core::format::Edited;
/// let mut out = Vec::new();
/// let record = b"<trkpt><time>2024-09-17T15:47:55Z</time></trkpt>";
/// assert_eq!(robolog_xml::shift_times(record, 0, &[b"time"], 5_000_000_000, &mut out)?, Edited::Changed);
/// assert_eq!(out, b"<trkpt><time>2024-09-17T15:48:00Z</time></trkpt>");
/// # Ok::<(), robolog_xml::robolog_core::Error>(())
/// ```
pub fn shift_times(record: &[u8], at: u64, names: &[&[u8]], nanos: i64, out: &mut Vec<u8>) -> Result<Edited> {
    let mut parts: Vec<(Range<usize>, String)> = Vec::new();
    let mut from = 0_usize;
    while let Some(open) = memchr::memchr(b'<', record.part(from..)) {
        let open = from + open;
        let Token::Whole(tag, len) = token(record.part(open..)) else {
            from = open + 1;
            continue;
        };
        from = open + len;
        if !matches!(tag, Tag::Start(_)) || !names.contains(&local(tag.name())) {
            continue;
        }
        let rest = record.part(from..);
        let text = rest.part(..memchr::memchr(b'<', rest).unwrap_or(rest.len()));
        let start = from + text.len() - text.trim_ascii_start().len();
        let text = text.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let shifted = shift_time(text, nanos).ok_or_else(|| {
            let expected = "a date and time with seconds, which can be shifted";
            Error::invalid("time", Escaped(text), expected, past(at, start)).within("xml")
        })?;
        parts.push((start..start + text.len(), shifted));
    }
    if parts.is_empty() {
        return Ok(Edited::Same);
    }
    splice(record, &parts, out);
    Ok(Edited::Changed)
}
