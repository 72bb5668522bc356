//! Damage that must be reported: to the structure of a file, not to its values.
//!
//! Another value inside of a payload is none: nobody can tell. Neither is what ends between two records, nor what
//! stands in the last one, behind which a file may go on with zeros.

use testkit::Rng;

use super::{
    changes::Change,
    corpus::{Shape, Subject},
};

/// Damages a sound recording visibly, and returns how. `None` if no place allows that.
pub(super) fn damage(rng: &mut Rng, subject: &Subject) -> Option<(Change, &'static str)> {
    let shape = subject.shape();
    if !shape.is_sound || !subject.is_plain() || subject.bytes.contains(&0) == subject.is_text() {
        return None;
    }
    match subject.format {
        "lvx" => binary(rng, subject, shape, 0..10, 24),
        "carla-rec" => binary(rng, subject, shape, 4..18, 5),
        "koblenz-log" => binary(rng, subject, shape, 0..4, 12),
        "pcap" => binary(rng, subject, shape, 0..4, 16),
        "gpx" | "kml" if rng.below(2) == 0 => document(rng, &subject.bytes),
        "nmea" => sentence(rng, &subject.bytes),
        _ => text(rng, subject, shape),
    }
}

fn binary(
    rng: &mut Rng,
    subject: &Subject,
    shape: &Shape,
    magic: std::ops::Range<usize>,
    head: usize,
) -> Option<(Change, &'static str)> {
    let bytes = &subject.bytes;
    if rng.below(8) == 0 {
        let at = magic.start + rng.below(magic.len());
        return Some((Change::Set { at, bytes: vec![!*bytes.get(at)?] }, "a magic of other bytes"));
    }
    // Files may end in many ways at the last record.
    let records = shape.records.get(..shape.records.len().checked_sub(1)?)?;
    let record = records.get(rng.below(records.len()))?.clone();
    if record.len() <= head + 8 {
        return None;
    }
    match rng.below(4) {
        0 => Some((Change::Fill { at: record.start, len: record.len(), byte: 0 }, "a record of zeros")),
        1 => Some((Change::Fill { at: record.start, len: head, byte: 0 }, "the head of a record of zeros")),
        2 => {
            let at = record.start + head + rng.below(record.len() - head - 1);
            let len = 1 + rng.below((record.end - at).min(2000));
            // The length of a packet of CARLA's is all that holds it: one that takes whole packets in is a packet.
            let is_whole = records.iter().any(|next| next.start == record.end + len);
            let is_hidden = subject.format == "carla-rec" && is_whole;
            (!is_hidden).then_some((Change::Remove { at, len }, "a hole in a record"))
        }
        _ => {
            let len = record.start + head + rng.below(record.len() - head);
            Some((Change::Cut { len }, "an end inside of a record"))
        }
    }
}

/// Zeros in a text.
fn text(rng: &mut Rng, subject: &Subject, shape: &Shape) -> Option<(Change, &'static str)> {
    let from = shape.header.min(subject.bytes.len());
    let at = from + rng.below(subject.bytes.len().checked_sub(from).filter(|len| *len > 0)?);
    let most = if rng.below(2) == 0 { 3 } else { 5000 };
    let len = 1 + rng.below(most);
    Some((Change::Fill { at, len, byte: 0 }, "zeros in a text"))
}

/// A tag that ends an element and begins with another letter, or an end before the last of them.
fn document(rng: &mut Rng, bytes: &[u8]) -> Option<(Change, &'static str)> {
    let ends: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(b"</")).collect();
    // Nothing that looks like a tag is one in these.
    if bytes.windows(4).any(|window| window == b"<!--" || window == b"<![C") {
        return None;
    }
    let at = *ends.get(rng.below(ends.len()))?;
    if rng.below(2) == 0 {
        return Some((Change::Remove { at, len: 1 }, "a tag without its bracket"));
    }
    Some((Change::Cut { len: at }, "an end inside of an element"))
}

/// A hole in a sentence, or zeros from there on, which its checksum tells. Between sentences may stand anything, and
/// what looks like one behind a blank or a text, and has another checksum, is a part of that.
fn sentence(rng: &mut Rng, bytes: &[u8]) -> Option<(Change, &'static str)> {
    let lines: Vec<(usize, usize)> = bytes
        .iter()
        .enumerate()
        .filter(|(start, byte)| {
            **byte == b'$' && start.checked_sub(1).is_none_or(|before| bytes[before] == b'\n')
        })
        .filter_map(|(start, _)| {
            let rest = &bytes[start..];
            let end = rest.iter().position(|byte| *byte == b'*')?;
            let is_line = rest[1..end].iter().all(|byte| (0x20..0x7f).contains(byte) && *byte != b'$');
            let sum = str::from_utf8(rest.get(end + 1..end + 3)?).ok()?;
            let is_right =
                u8::from_str_radix(sum, 16).ok()? == rest[1..end].iter().fold(0, |sum, byte| sum ^ byte);
            (is_line && is_right && end > 12).then_some((start, end))
        })
        .collect();
    let (start, end) = *lines.get(rng.below(lines.len()))?;
    let at = start + 7 + rng.below(end - 8);
    if rng.below(2) == 0 {
        return Some((Change::Fill { at, len: 1 + rng.below(300), byte: 0 }, "zeros in a sentence"));
    }
    let len = 1 + rng.below((start + end).checked_sub(at).filter(|len| *len > 0)?);
    let sum = bytes[at..at + len].iter().fold(0, |sum, byte| sum ^ byte);
    (sum != 0).then_some((Change::Remove { at, len }, "a hole in a sentence"))
}
