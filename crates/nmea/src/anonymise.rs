//! Anonymises sentences: positions, heights, and the contents of proprietary sentences.

use std::ops::Range;

use robolog_core::{
    Anonymise, Area,
    format::{Edited, Offset},
    slices::{InRange as _, Part as _},
};

use super::{
    Message, Record, Sentence,
    field::{places, replace},
    prefix::shift,
};

/// A field and its new text.
type Part = (Range<usize>, String);

/// Anonymises a record. Drops damaged sentences: half a position still reveals it.
pub(super) fn record(record: &Record<'_>, how: &Anonymise, out: &mut Vec<u8>) -> Edited {
    let Some(sentence) = record.whole() else {
        if record.sentence().is_some() || record.damage().is_some() {
            return Edited::Dropped;
        }
        if how.places.is_some() && record.bytes().iter().any(u8::is_ascii_digit) {
            how.note_opaque("lines that are no sentence");
        }
        return words(record.bytes(), how, out);
    };
    let (before, _) = record.around();
    let prefix = prefix(record, before, how);
    match anonymise(sentence, how) {
        Outcome::Same => {
            let Some(prefix) = prefix else { return Edited::Same };
            out.extend(prefix);
            out.extend_from_slice(sentence.bytes());
            Edited::Changed
        }
        Outcome::Changed(bytes) => {
            out.extend(prefix.unwrap_or_else(|| before.to_vec()));
            out.extend_from_slice(&bytes);
            Edited::Changed
        }
        Outcome::Unreadable => Edited::Dropped,
    }
}

/// What a logger wrote before the sentence, if it changes.
fn prefix(record: &Record<'_>, before: &[u8], how: &Anonymise) -> Option<Vec<u8>> {
    if how.names && record.prefix().is_some_and(|prefix| !prefix.source.is_empty()) {
        how.note_opaque("sources before sentences");
    }
    Some(shift::with_checksums(&how.words(before)?))
}

/// Whether a record is in the area, by its own position or the last one before it.
pub(super) fn is_in(record: &Record<'_>, area: &Area) -> bool {
    let place = match record.message() {
        Some(Message::Gga(gga)) => gga.latitude.zip(gga.longitude),
        Some(Message::Rmc(rmc)) => rmc.latitude.zip(rmc.longitude),
        Some(Message::Gll(gll)) => gll.latitude.zip(gll.longitude),
        Some(Message::Gns(gns)) => gns.latitude.zip(gns.longitude),
        _ => None,
    };
    let place = place.map(|(latitude, longitude)| (latitude.degrees(), longitude.degrees()));
    area.follow(place.map(|(latitude, _)| latitude), place.map(|(_, longitude)| longitude))
}

fn words(bytes: &[u8], how: &Anonymise, out: &mut Vec<u8>) -> Edited {
    let Some(words) = how.words(bytes) else { return Edited::Same };
    out.extend_from_slice(&words);
    Edited::Changed
}

/// The result of anonymising a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It stays the same.
    Same,
    /// Its new bytes, with their checksum.
    Changed(Vec<u8>),
    /// It contains a position that cannot be read.
    Unreadable,
}

/// Anonymises a sentence: each latitude followed by a longitude, and the heights of GGA and GNS. Removes the magnetic
/// variation of RMC and HDG, because it depends on the position. The contents of AIS, proprietary sentences and TXT are
/// [noted](Anonymise::note_opaque).
pub fn anonymise(sentence: &Sentence<'_>, how: &Anonymise) -> Outcome {
    let is_text = sentence.kind() == "TXT";
    if sentence.is_encapsulated() {
        how.note_opaque("AIS sentences");
    } else if sentence.talker().starts_with('P') && sentence.address() != "PGRME" {
        how.note_opaque(&format!("{} sentences", sentence.address()));
    } else if is_text && (how.serials || how.names) {
        how.note_opaque("TXT sentences");
    }
    let fields = places(sentence);
    let mut parts = Vec::new();
    if how.places.is_some() {
        let Some(moved) = moved(sentence, &fields, how.moved()) else { return Outcome::Unreadable };
        parts = moved;
    }
    if is_text && let Some((place, text)) = fields.get(3).zip(sentence.field(3)) {
        parts.extend(
            how.words(text).map(|words| (place.clone(), String::from_utf8_lossy(&words).into_owned())),
        );
    }
    parts.retain(|(range, text)| sentence.bytes().get(range.clone()) != Some(text.as_bytes()));
    if parts.is_empty() {
        return Outcome::Same;
    }
    let mut out = Vec::new();
    replace(sentence, sentence.bytes(), &parts, &mut out);
    Outcome::Changed(out)
}

/// The new fields of positions and heights; empty without an offset. `None` if one cannot be read.
fn moved(sentence: &Sentence<'_>, fields: &[Range<usize>], offset: Option<Offset>) -> Option<Vec<Part>> {
    let place = |at: usize| fields.get(at).cloned().unwrap_or_default();
    let text = |at: usize| sentence.bytes().part(place(at));
    let mut parts = Vec::new();
    let mut has_place = false;
    // The offsets of a datum are not positions.
    let count = if sentence.kind() == "DTM" { 0 } else { fields.len() };
    for at in 0..count {
        let [latitude, north, longitude, east] = [0, 1, 2, 3].map(|n| text(at.plus(n)));
        let is_place =
            matches!(north, b"N" | b"S" | b"n" | b"s") && matches!(east, b"E" | b"W" | b"e" | b"w");
        if !is_place || (latitude.is_empty() && longitude.is_empty()) {
            continue;
        }
        has_place = true;
        for (at, number, letter) in [(at, latitude, north), (at.plus(2), longitude, east)] {
            let (number, letter) = match offset {
                Some(offset) => offset.minutes_text(number, *letter.first()?)?,
                None => (String::new(), b' '),
            };
            parts.push((place(at), number));
            parts.push((place(at.plus(1)), char::from(letter).to_string().trim().to_owned()));
        }
    }
    // Half a position.
    if !has_place && matches!(sentence.kind(), "GGA" | "RMC" | "GLL" | "GNS") {
        let from = match sentence.kind() {
            "RMC" => 2,
            "GLL" => 0,
            _ => 1,
        };
        if !text(from).is_empty() || !text(from.plus(2)).is_empty() {
            return None;
        }
    }
    let heights = match sentence.kind() {
        "GGA" => Some((8, 10)),
        "GNS" => Some((8, 9)),
        _ => None,
    };
    if let Some((height, geoid)) = heights {
        for (at, is_geoid) in [(height, false), (geoid, true)] {
            let number = match offset {
                _ if text(at).is_empty() => continue,
                Some(offset) if is_geoid => offset.geoid_text(text(at))?,
                Some(offset) => offset.height_text(text(at))?,
                None => String::new(),
            };
            parts.push((place(at), number));
        }
    }
    let variation = match sentence.kind() {
        "RMC" => Some(9),
        "HDG" => Some(3),
        _ => None,
    };
    for at in variation.into_iter().flat_map(|at: usize| [at, at.plus(1)]) {
        if fields.get(at).is_some_and(|range| !range.is_empty()) {
            parts.push((place(at), String::new()));
        }
    }
    if offset.is_none() && has_place {
        parts.extend(void(sentence).map(|(at, text)| (place(at), text.to_owned())));
    }
    parts.sort_by_key(|(range, _)| range.start);
    Some(parts)
}

/// The field that states whether there is a position, and its value for none.
fn void(sentence: &Sentence<'_>) -> Option<(usize, &'static str)> {
    match sentence.kind() {
        "GGA" => Some((5, "0")),
        "RMC" => Some((1, "V")),
        "GLL" => Some((5, "V")),
        "GNS" => Some((5, "N")),
        _ => None,
    }
}
