//! Anonymises logs: latitudes and longitudes by the names of variables and keys, NMEA sentences inside values, names of
//! communities and vehicles anywhere.

use std::ops::Range;

use robolog_core::{
    Anonymise, Area,
    format::{Axis, Edited, is_latitude, is_longitude, splice},
    slices::{InRange as _, Part as _, range_in},
    text::lines,
};
use robolog_nmea::{Outcome, Sentence, anonymise};

use crate::{Kind, Record, layout::COMMENT};

/// A range of a text and its new bytes.
type Part = (Range<usize>, Vec<u8>);

/// Learns the names and positions in a record.
pub(crate) fn learn(record: &Record<'_>, names: &mut Anonymise) {
    if record.kind() != Kind::Entry {
        return;
    }
    let value = record.value();
    if names.names {
        if record.name().starts_with(b"NODE_REPORT") {
            for key in ["NAME", "name"] {
                if let Some(name) = value.get(key) {
                    names.learn(name.trimmed());
                }
            }
        }
        let application = record.application();
        if let Some(name) = application.strip_prefix(b"MOOSDB_") {
            names.learn(name);
        }
        if let Some(name) = record.community() {
            names.learn(name.bytes());
        }
    }
    if names.places.is_some() {
        if axis(&record.name()).is_some() {
            names.learn_place(value.trimmed());
        }
        let found = Found::all(value.bytes());
        for text in found.iter().filter_map(|found| value.bytes().get(found.number.clone())) {
            names.learn_place(text);
        }
    }
}

/// Anonymises the header: names in it, and the name of the log.
pub(crate) fn header(bytes: &mut Vec<u8>, how: &Anonymise) {
    let mut parts: Vec<Part> = Vec::new();
    for line in lines(bytes, 0).filter(|_| how.names) {
        let Some(text) = line.bytes.strip_prefix(COMMENT) else { continue };
        let Some(path) = text.trim_ascii().strip_prefix(b"LOG FILE:").map(<[u8]>::trim_ascii) else {
            continue;
        };
        let stem =
            path.iter().rposition(|byte| *byte == b'.').and_then(|dot| path.get(..dot)).unwrap_or(path);
        parts.extend(range_in(bytes, stem).map(|range| (range, how.name_like(stem))));
    }
    let old = std::mem::take(bytes);
    splice(&old, &parts, bytes);
    if let Some(words) = how.words(bytes) {
        *bytes = words;
    }
}

/// Anonymises a record.
pub(crate) fn record(record: &Record<'_>, how: &Anonymise, out: &mut Vec<u8>) -> Edited {
    let is_entry = record.kind() == Kind::Entry;
    let (name, value) = (record.name(), record.value());
    let text = if is_entry { value.bytes() } else { record.bytes() };
    let start = range_in(record.bytes(), text).map_or(0, |range| range.start);
    let mut parts = Vec::new();
    if how.places.is_some() {
        let by_name = axis(&name).filter(|_| is_entry);
        let Some(found) = moved(text, by_name, how) else { return Edited::Dropped };
        parts = found;
        note(record, text, &parts, how);
    }
    let move_by = |(Range { start: from, end }, text): Part| (from.plus(start)..end.plus(start), text);
    let parts: Vec<Part> = parts.into_iter().map(move_by).collect();
    splice(record.bytes(), &parts, out);
    let head = if is_entry { record.time_text().len() } else { 0 };
    if let Some(words) = out.get(head..).and_then(|text| how.words(text)) {
        out.truncate(head);
        out.extend_from_slice(&words);
    }
    if out == record.bytes() {
        out.clear();
        return Edited::Same;
    }
    Edited::Changed
}

/// Notes a value that may contain a position without a key.
fn note(record: &Record<'_>, text: &[u8], parts: &[Part], how: &Anonymise) {
    let name = String::from_utf8_lossy(&record.name()).into_owned();
    let mut rest = Vec::new();
    let holes: Vec<(Range<usize>, &[u8])> =
        parts.iter().map(|(range, _)| (range.clone(), &b" "[..])).collect();
    splice(text, &holes, &mut rest);
    if how.holds_known_place(&rest) {
        how.note_opaque(&format!("values of {name} with numbers of places"));
    }
    let is_binary = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
    if rest.iter().any(is_binary) || std::str::from_utf8(&rest).is_err() {
        how.note_opaque(&format!("binary values of {name}"));
    }
    let upper = name.to_ascii_uppercase();
    if ["EASTING", "NORTHING", "UTM_X", "UTM_Y"].iter().any(|grid| upper.contains(grid)) {
        how.note_opaque(&format!("values of {name}, metres on a grid"));
    }
}

/// Whether an entry is in the area, by `NAV_LAT` and `NAV_LONG`.
pub(crate) fn is_in(record: &Record<'_>, area: &Area) -> bool {
    let number = |names: [&str; 2]| {
        names.iter().any(|name| record.name() == *name).then(|| record.value().number()).flatten()
    };
    area.follow(number(["NAV_LAT", "GPS_LATITUDE"]), number(["NAV_LONG", "GPS_LONGITUDE"]))
}

/// The ranges of a record with the mission's origin, and the new origin: `LAT_ORIGIN`, `LatOrigin = 42.3`.
pub(crate) fn origin(record: &Record<'_>, [latitude, longitude]: [f64; 2]) -> Vec<Part> {
    let value = record.value();
    let text = |axis| {
        let degrees = if axis == Axis::Latitude { latitude } else { longitude };
        degrees.to_string().into_bytes()
    };
    let is_origin = |key: &[u8]| memchr::memmem::find(&key.to_ascii_lowercase(), b"origin").is_some();
    let start = range_in(record.bytes(), value.bytes()).map_or(0, |range| range.start);
    let number = value.bytes().trim_ascii();
    if let Some(axis) = axis(&record.name()).filter(|_| is_origin(&record.name()) && is_number(number)) {
        return range_in(record.bytes(), number).map(|range| (range, text(axis))).into_iter().collect();
    }
    let found = Found::all(value.bytes()).into_iter();
    let is_meant = |found: &Found| value.bytes().get(found.start..found.number.start).is_some_and(is_origin);
    let part = |found: Found| {
        let Range { start: from, end } = found.number;
        (from.plus(start)..end.plus(start), text(found.axis))
    };
    found.filter(is_meant).map(part).collect()
}

/// Whether a number is a latitude or longitude, by its variable or key.
fn axis(key: &[u8]) -> Option<Axis> {
    let key = std::str::from_utf8(key).ok()?;
    if is_latitude(key) {
        return Some(Axis::Latitude);
    }
    is_longitude(key).then_some(Axis::Longitude)
}

/// The new positions in a text. `None` if the whole entry is dropped, because it is a position or contains a sentence
/// that cannot be read.
fn moved(text: &[u8], by_name: Option<Axis>, how: &Anonymise) -> Option<Vec<Part>> {
    if let Some(axis) = by_name
        && is_number(text.trim_ascii())
    {
        let offset = how.moved()?;
        let number = text.trim_ascii();
        let moved = offset.degrees_text(axis, number)?.into_bytes();
        return Some(range_in(text, number).map(|range| (range, moved)).into_iter().collect());
    }
    let mut parts = sentences(text, how)?;
    for found in Found::all(text) {
        if parts.iter().any(|(range, _)| range.contains(&found.number.start)) {
            continue;
        }
        match how.moved() {
            Some(offset) => {
                let number = text.get(found.number.clone())?;
                parts.push((found.number, offset.degrees_text(found.axis, number)?.into_bytes()));
            }
            None => parts.push((found.item(text), Vec::new())),
        }
    }
    parts.sort_by_key(|(range, _)| range.start);
    joined(&mut parts, text);
    Some(parts)
}

fn is_number(text: &[u8]) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok_and(f64::is_finite))
}

/// Anonymises sentences inside a text; `None` if one contains a position that cannot be read.
fn sentences(text: &[u8], how: &Anonymise) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut from = 0_usize;
    while let Some(rest) = text.get(from..) {
        let Some(start) = rest.iter().position(|byte| matches!(byte, b'$' | b'!')) else { break };
        let rest = rest.get(start..)?;
        let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n' | b'"' | b'\'' | b'|');
        let len = match rest.iter().position(|byte| *byte == b'*') {
            Some(star) if !rest.get(..star)?.iter().any(is_end) => star.plus(3).min(rest.len()),
            _ => rest.iter().position(is_end).unwrap_or(rest.len()),
        };
        let start = from.plus(start);
        from = start.plus(len.max(1));
        let Some(bytes) = rest.get(..len) else { break };
        // Many texts contain `$`.
        let Ok(sentence) = Sentence::parse(bytes) else { continue };
        if sentence.talker().is_empty() || sentence.fields().count() < 2 {
            continue;
        }
        match anonymise(&sentence, how) {
            Outcome::Same => {}
            Outcome::Changed(bytes) => parts.push((start..from, bytes)),
            Outcome::Unreadable => return None,
        }
    }
    Some(parts)
}

/// A latitude or a longitude by its key: `LAT=42.3`, `"lat":42.3`, `LatOrigin = 42.3`.
struct Found {
    axis: Axis,
    /// From the key, its quote included, to the end of the number.
    start: usize,
    number: Range<usize>,
}

impl Found {
    fn all(text: &[u8]) -> Vec<Self> {
        let mut all = Vec::new();
        let mut from = 0_usize;
        while let Some(rest) = text.get(from..) {
            let Some(at) = rest.iter().position(|byte| matches!(byte, b'=' | b':')) else { break };
            let at = from.plus(at);
            from = at.plus(1);
            all.extend(Self::at(text, at));
        }
        all
    }

    /// The one with its `=` or `:` at `at`.
    fn at(text: &[u8], at: usize) -> Option<Self> {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
        let before = text.get(..at)?;
        let before = before.trim_ascii_end();
        let unquoted = before.strip_suffix(b"\"").or(before.strip_suffix(b"'"));
        let key_end = unquoted.unwrap_or(before);
        let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
        let key_start = key_end.iter().rposition(|byte| !is_key(byte)).map_or(0, |last| last.plus(1));
        let axis = axis(key_end.get(key_start..)?)?;
        let start = if unquoted.is_some() { key_start.saturating_sub(1) } else { key_start };
        let behind = text.get(at.plus(1)..)?;
        let lead = behind.iter().take_while(|byte| is_blank(byte) || is_quote(byte)).count();
        let number = behind.get(lead..)?;
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E');
        let len = number.iter().take_while(|byte| is_part(byte)).count();
        let digits = number.get(..len)?;
        if !is_number(digits) {
            return None;
        }
        let from = at.plus(1).plus(lead);
        Some(Self { axis, start, number: from..from.plus(len) })
    }

    /// The item with its quote, and with the comma that separates it from the next.
    fn item(&self, text: &[u8]) -> Range<usize> {
        let behind = text.part(self.number.end..);
        let quote = usize::from(matches!(behind.first(), Some(b'"' | b'\'')));
        let end = self.number.end.plus(quote);
        let behind = behind.part(quote..);
        if behind.first() != Some(&b',') {
            return self.start..end;
        }
        let blanks = behind.part_or_empty(1..).iter().take_while(|byte| **byte == b' ').count();
        self.start..end.plus(1).plus(blanks)
    }
}

/// Joins adjacent removed items; includes the comma before them if they are last in their list.
fn joined(parts: &mut Vec<Part>, text: &[u8]) {
    parts.dedup_by(|next, last| {
        let is_next = next.1.is_empty() && last.1.is_empty() && next.0.start <= last.0.end;
        if is_next {
            last.0.end = last.0.end.max(next.0.end);
        }
        is_next
    });
    for (range, _) in parts.iter_mut().filter(|(_, new)| new.is_empty()) {
        let behind = text.part(range.end..).trim_ascii_start();
        let before = text.part(..range.start).trim_ascii_end();
        let is_last = matches!(behind.first(), None | Some(b'}' | b']' | b')'));
        if is_last && let Some(kept) = before.strip_suffix(b",") {
            range.start = kept.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use robolog_core::format::Places;

    use super::*;

    fn anonymised(text: &str, places: impl Fn(&Anonymise) -> Places) -> Option<String> {
        let mut how = Anonymise::new(|text| text.iter().map(|byte| u64::from(*byte)).sum());
        how.places = Some(places(&how));
        let parts = moved(text.as_bytes(), None, &how)?;
        let mut out = Vec::new();
        splice(text.as_bytes(), &parts, &mut out);
        Some(String::from_utf8(out).unwrap())
    }

    #[test]
    fn keys_and_their_commas_go() {
        let dropped = |text| anonymised(text, |_| Places::Drop).unwrap();
        assert_eq!(dropped("NAME=a,LAT=42.3,LON=-71.1,X=1"), "NAME=a,X=1");
        assert_eq!(dropped("X=1,LAT=42.3,LON=-71.1"), "X=1");
        assert_eq!(dropped("{\"x\":1, \"lat\":42.3, \"lon\":-71.1}"), "{\"x\":1}");
    }

    #[test]
    fn places_move_and_come_back() {
        for text in [
            "NAME=a,LAT=42.358436,LON=-71.08745,X=1",
            "LatOrigin = 43.825300 // x",
            "{\"lat\":\"42.358436\"}",
        ] {
            let there = anonymised(text, |how| Places::Move(how.offset())).unwrap();
            assert_ne!(there, text);
            assert_eq!(anonymised(&there, |how| Places::Move(how.offset().back())).unwrap(), text);
        }
        assert_eq!(anonymised("LATENCY=42.358436", |_| Places::Drop).unwrap(), "LATENCY=42.358436");
    }
}
