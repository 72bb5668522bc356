//! Anonymises documents: positions in elements and attributes, names, and text that users wrote.

use std::ops::Range;

use robolog_core::{
    Anonymise, Error, Result,
    format::{Axis, Edited, is_latitude, is_longitude, splice},
    slices::{Part as _, past},
};

use crate::{Tag, Token, attributes, local, token, tuples};

/// Meaning of the text of an element or attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// Degrees.
    Degrees(Axis),
    /// Metres above the sea.
    Height,
    /// Height of the geoid, metres.
    Geoid,
    /// Tuples of longitude, latitude and height, separated by commas: see [`tuples`](crate::tuples).
    Tuples,
    /// Longitude, latitude and height, separated by blanks.
    Tuple,
    /// A name.
    Name,
    /// A serial number.
    Serial,
}

/// Meaning of the elements and attributes of a format, by local name. Latitudes and longitudes that their names
/// identify need no rule.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Elements, by the meaning of their text.
    pub elements: &'static [(&'static [u8], Holds)],
    /// Attributes, by element and name.
    pub attributes: &'static [(&'static [u8], &'static [u8], Holds)],
}

impl Holds {
    const fn is_place(self) -> bool {
        !matches!(self, Self::Name | Self::Serial)
    }
}

impl Rules {
    fn element(self, name: &[u8]) -> Option<Holds> {
        let rule = self.elements.iter().find(|(element, _)| *element == name).map(|(_, holds)| *holds);
        rule.or_else(|| by_name(name))
    }

    fn attribute(self, element: &[u8], name: &[u8]) -> Option<Holds> {
        let is_meant = |rule: &&(&[u8], &[u8], Holds)| rule.0 == element && rule.1 == name;
        let rule = self.attributes.iter().find(is_meant).map(|(.., holds)| *holds);
        rule.or_else(|| by_name(name))
    }
}

fn by_name(name: &[u8]) -> Option<Holds> {
    let name = std::str::from_utf8(name).ok()?;
    if is_latitude(name) {
        return Some(Holds::Degrees(Axis::Latitude));
    }
    is_longitude(name).then_some(Holds::Degrees(Axis::Longitude))
}

/// A text of a record and its meaning.
struct Text {
    range: Range<usize>,
    holds: Option<Holds>,
    is_attribute: bool,
}

/// The texts of a record: of elements, of attributes, and between markup.
fn texts(record: &[u8], rules: Rules) -> Vec<Text> {
    let mut texts = Vec::new();
    let (mut from, mut text_from) = (0_usize, 0_usize);
    while let Some(open) = memchr::memchr(b'<', record.part(from..)) {
        let open = from + open;
        let Token::Whole(tag, len) = token(record.part(open..)) else {
            from = open + 1;
            continue;
        };
        let holds = if let Tag::End(name) = tag { rules.element(local(name)) } else { None };
        texts.push(Text { range: text_from..open, holds, is_attribute: false });
        match tag {
            Tag::Start(inner) | Tag::Empty(inner) => {
                let element = local(tag.name());
                let found = attributes(inner).filter_map(|(name, value)| {
                    // Users do not write namespace declarations.
                    let is_namespace = name.starts_with(b"xmlns") || name.starts_with(b"xsi:");
                    let range = place(record, value).filter(|_| !is_namespace)?;
                    Some(Text { range, holds: rules.attribute(element, local(name)), is_attribute: true })
                });
                texts.extend(found);
            }
            // Inside a comment, CDATA or processing instruction.
            Tag::Other if !record.part(open..).starts_with(b"<?xml") => {
                texts.push(Text { range: open..open + len, holds: None, is_attribute: false });
            }
            Tag::End(_) | Tag::Other => {}
        }
        from = open + len;
        text_from = from;
    }
    texts.push(Text { range: text_from..record.len(), holds: None, is_attribute: false });
    texts.retain(|text| !record.part(text.range.clone()).trim_ascii().is_empty());
    texts
}

fn place(whole: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize)?;
    let end = start.checked_add(part.len()).filter(|end| *end <= whole.len())?;
    Some(start..end)
}

/// Learns the positions in a record.
pub fn learn(record: &[u8], rules: Rules, names: &mut Anonymise) {
    if names.places.is_none() {
        return;
    }
    for text in texts(record, rules) {
        let bytes = record.part(text.range).trim_ascii();
        match text.holds {
            Some(Holds::Degrees(_)) => names.learn_place(bytes),
            Some(Holds::Tuples | Holds::Tuple) => {
                let numbers = bytes.split(|byte| is_between(*byte));
                numbers.for_each(|number| names.learn_place(number));
            }
            _ => {}
        }
    }
}

/// Writes a record to `out`, anonymised. Writes nothing if it stays the same.
///
/// Returns an error for a position that cannot be read; `at` is the offset of the record in the file.
pub fn anonymise(record: &[u8], at: u64, rules: Rules, how: &Anonymise, out: &mut Vec<u8>) -> Result<Edited> {
    let mut parts = Vec::new();
    for text in texts(record, rules) {
        let whole = record.part(text.range.clone());
        let bytes = whole.trim_ascii();
        let lead = whole.len() - whole.trim_ascii_start().len();
        let start = text.range.start + lead;
        let new = changed(bytes, &text, how).ok_or_else(|| {
            let expected = "degrees that can be moved; positions=drop leaves such points out";
            Error::invalid("place", robolog_core::text::Escaped(bytes), expected, past(at, start))
                .within("xml")
        })?;
        if let Some(new) = new.filter(|new| new != bytes) {
            parts.push((start..start + bytes.len(), new));
        }
    }
    if parts.is_empty() {
        return Ok(Edited::Same);
    }
    parts.sort_by_key(|(range, _)| range.start);
    splice(record, &parts, out);
    Ok(Edited::Changed)
}

/// The anonymised text; `Some(None)` if it stays the same, `None` if it is a position that cannot be read.
#[expect(clippy::option_option, reason = "one for failure, one for no change; private")]
fn changed(text: &[u8], what: &Text, how: &Anonymise) -> Option<Option<Vec<u8>>> {
    let offset = how.moved();
    let dropped = || if what.is_attribute { None } else { Some(Some(Vec::new())) };
    match what.holds {
        Some(holds) if holds.is_place() && how.places.is_none() => Some(None),
        Some(holds) if holds.is_place() && how.drops_places() => dropped(),
        Some(Holds::Degrees(axis)) => Some(Some(offset?.degrees_text(axis, text)?.into_bytes())),
        Some(Holds::Height) => Some(Some(offset?.height_text(text)?.into_bytes())),
        Some(Holds::Geoid) => Some(Some(offset?.geoid_text(text)?.into_bytes())),
        Some(Holds::Tuples) => Some(Some(moved_tuples(text, offset?)?)),
        Some(Holds::Tuple) => Some(Some(moved(text, offset?)?)),
        Some(Holds::Name) if how.names => Some(Some(outside_entities(text, |part| how.name_like(part)))),
        Some(Holds::Serial) if how.serials => Some(Some(outside_entities(text, |part| how.serial(part)))),
        _ => {
            if how.places.is_some() && how.holds_known_place(text) {
                how.note_opaque("texts with numbers of places");
            }
            Some(how.words(text))
        }
    }
}

/// Whether this byte separates the numbers of a tuple.
const fn is_between(byte: u8) -> bool {
    byte == b',' || byte.is_ascii_whitespace()
}

/// Tuples, with what is between them.
fn moved_tuples(text: &[u8], offset: robolog_core::format::Offset) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut from = 0_usize;
    for tuple in tuples(std::str::from_utf8(text).ok()?) {
        let range = place(text, tuple.as_bytes())?;
        out.extend_from_slice(text.get(from..range.start)?);
        out.extend(moved(tuple.as_bytes(), offset)?);
        from = range.end;
    }
    out.extend_from_slice(text.get(from..)?);
    Some(out)
}

/// A longitude, a latitude and a height, with what is between them.
fn moved(tuple: &[u8], offset: robolog_core::format::Offset) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(tuple.len());
    let mut rest = tuple;
    let mut at = 0_usize;
    while !rest.is_empty() {
        let len = rest.iter().position(|byte| is_between(*byte)).unwrap_or(rest.len());
        let (number, behind) = rest.split_at(len);
        if !number.is_empty() {
            let moved = match at {
                0 => offset.degrees_text(Axis::Longitude, number)?,
                1 => offset.degrees_text(Axis::Latitude, number)?,
                2 => offset.height_text(number)?,
                _ => return None,
            };
            out.extend_from_slice(moved.as_bytes());
            at += 1;
        }
        let blanks = behind.iter().take_while(|byte| is_between(**byte)).count();
        let (gap, next) = behind.split_at(blanks);
        out.extend_from_slice(gap);
        rest = next;
    }
    Some(out)
}

/// Changes a text, but not the entities in it.
fn outside_entities(text: &[u8], change: impl Fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = memchr::memchr(b'&', rest) {
        let (before, entity) = rest.split_at(start);
        let len = memchr::memchr(b';', entity).map_or(entity.len(), |end| end + 1);
        let (entity, behind) = entity.split_at(len);
        out.extend(change(before));
        out.extend_from_slice(entity);
        rest = behind;
    }
    out.extend(change(rest));
    out
}

#[cfg(test)]
mod tests {
    use robolog_core::format::Places;

    use super::*;

    const RULES: Rules = Rules {
        elements: &[(b"ele", Holds::Height), (b"name", Holds::Name), (b"coordinates", Holds::Tuples)],
        attributes: &[],
    };

    fn how(back: bool) -> Anonymise {
        let mut how = Anonymise::new(|text| text.iter().map(|byte| u64::from(*byte)).sum());
        let offset = how.offset();
        how.places = Some(Places::Move(if back { offset.back() } else { offset }));
        how
    }

    fn run(record: &[u8], how: &Anonymise) -> Vec<u8> {
        let mut out = Vec::new();
        match anonymise(record, 0, RULES, how, &mut out).unwrap() {
            Edited::Changed => out,
            Edited::Same => record.to_vec(),
            Edited::Dropped => unreachable!(),
        }
    }

    #[test]
    fn places_move_and_come_back() {
        for record in [
            &b"<trkpt lat='45.50000' lon=\"3.10000\"><ele> 361.5 </ele><name>a</name></trkpt>"[..],
            b"<coordinates>\n 3.10000,45.50000,361.5\n3.10001,45.50001,0 </coordinates>",
            b"<coordinates>3.10000, 45.50000, 361.5 3.10001,45.50001,0,3.10002,45.50002,7.5</coordinates>",
            b"<coordinates>3.10000,45.50000, 3.10001,45.50001,</coordinates>",
            b"\t45.50000</lat>",
        ] {
            let there = run(record, &how(false));
            assert!(memchr::memmem::find(&there, b"45.5").is_none(), "{}", String::from_utf8_lossy(&there));
            assert_eq!(run(&there, &how(true)), record);
        }
    }

    #[test]
    fn names_go_and_entities_stay() {
        let mut how = how(false);
        (how.places, how.names) = (None, true);
        let out = String::from_utf8(run(b"<name>Rue &amp; Jo</name><desc>Rue</desc>", &how)).unwrap();
        assert!(out.contains(" &amp; ") && !out.contains("<name>Rue") && out.contains("<desc>Rue"), "{out}");
    }

    #[test]
    fn numbers_that_are_places_elsewhere_are_noted() {
        let mut how = how(false);
        learn(b"<wpt lat='45.501234' lon='3.1'/>", RULES, &mut how);
        run(b"<desc>seen at N45.501234</desc>", &how);
        assert_eq!(how.opaque(), [("texts with numbers of places".to_owned(), 1)]);
    }
}
