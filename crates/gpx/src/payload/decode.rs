//! Positions from the bytes of points.

use std::borrow::Cow;

use robolog_core::{
    Error, Result, Timestamp,
    slices::{Part as _, past},
    text::Escaped,
    text::{near, number},
};
use robolog_xml::{
    Events, Leaf, Part, Tag, Token, attribute, attributes, is_on_earth, leaf, local, lossy, token, unescape,
};

use crate::{
    Position, Record,
    layout::extension::{GARMIN, is_garmin_motion, is_motion},
};

/// A position, and where in the markup of its point further elements begin, if it has any: names, extensions.
pub(crate) type Read = (Position, Option<usize>);

/// Where further elements of a point begin in its markup, if it has any.
struct Further(Option<usize>);

/// Decodes the common form directly, and leaves the rest to quick-xml.
#[inline]
pub(crate) fn decode(record: &Record<'_>, faults: &mut dyn FnMut(Error)) -> Result<Read> {
    let (mut position, mut met) = (Position::default(), Vec::new());
    match fast::<true>(record, &mut position, &mut |fault| met.push(fault))? {
        Some(Further(more)) => {
            met.into_iter().for_each(faults);
            Ok((position, more))
        }
        None => by_events(record, faults),
    }
}

/// The time of a position that [`decode`] would return, without its other values.
#[inline]
pub(crate) fn time(record: &Record<'_>) -> Result<Option<Timestamp>> {
    let mut position = Position::default();
    match fast::<false>(record, &mut position, &mut |_| {})? {
        Some(_) => Ok(position.time),
        None => by_events(record, &mut |_| {}).map(|(position, _)| position.time),
    }
}

/// By quick-xml's events.
#[cold]
pub(crate) fn by_events(record: &Record<'_>, faults: &mut dyn FnMut(Error)) -> Result<Read> {
    let at = record.markup_offset();
    let source = lossy(record.markup());
    let mut events = Events::new(&source, at);
    let mut position = Position::default();
    let mut met = Vec::new();
    let prefix = record.tag().prefix();
    // The open elements around the next piece; of a value its name, offset and text so far.
    let mut open: Vec<Level> = Vec::with_capacity(4);
    let mut value = (&b""[..], 0_usize, Cow::Borrowed(""));
    let mut inside = None;
    loop {
        let (part, range) = events.read()?;
        match part {
            Part::Start(tag) => {
                let tag = tag.as_bytes();
                let level = match open.last() {
                    None => {
                        position.place(tag, at)?;
                        inside = Some(tag.len() + 2);
                        Level::Point
                    }
                    Some(level) => level.child(tag, prefix),
                };
                if level == Level::Value {
                    value = (Tag::Start(tag).name(), range.end, Cow::Borrowed(""));
                }
                open.push(level);
            }
            Part::Empty(tag) if open.is_empty() => {
                position.place(tag.as_bytes(), at)?;
                return Ok((position, None));
            }
            Part::Text(text) if open.last() == Some(&Level::Value) => match &mut value.2 {
                empty if empty.is_empty() => *empty = text,
                before => before.to_mut().push_str(&text),
            },
            Part::Empty(_) | Part::Text(_) => {}
            Part::End => match open.pop() {
                Some(Level::Value) => {
                    let (name, inner, text) = &value;
                    let place = past(at, *inner);
                    position.set(local(name), text.as_bytes(), place, &mut |fault| met.push(fault));
                }
                Some(Level::Point) => {
                    met.into_iter().for_each(faults);
                    return Ok((position, inside));
                }
                Some(_) => {}
                None => return Err(events.unexpected_end(range.start)),
            },
        }
    }
}

/// Role of an element around a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Point,
    Value,
    Extensions,
    Garmin,
    Other,
}

impl Level {
    /// Role of a child with this start tag.
    fn child(self, tag: &[u8], prefix: &[u8]) -> Self {
        let name = Tag::Start(tag).name();
        match self {
            Self::Point if attribute(tag, b"xmlns").is_some() => Self::Other,
            Self::Point if is_value(name, prefix) => Self::Value,
            Self::Point if name.strip_prefix(prefix) == Some(b"extensions") => Self::Extensions,
            Self::Extensions if is_motion(tag) => Self::Value,
            Self::Extensions if local(name) == GARMIN.as_bytes() => Self::Garmin,
            Self::Garmin if is_garmin_motion(tag) => Self::Value,
            _ => Self::Other,
        }
    }
}

/// By tags and the text between them, all values or only the time; `None` where a value is more than plain text. Otherwise
/// where further elements begin.
///
/// quick-xml's events take 2.8 times as many instructions for the same points (callgrind, the bench's `c_points` and
/// `c_points_by_quick_xml` less `b_framing`).
fn fast<const ALL: bool>(
    record: &Record<'_>,
    position: &mut Position,
    faults: &mut dyn FnMut(Error),
) -> Result<Option<Further>> {
    let (inner, markup) = match record.tag() {
        Tag::Start(inner) => (inner, record.markup()),
        Tag::Empty(inner) => (inner, &[][..]),
        _ => return Ok(None),
    };
    position.place(inner, record.markup_offset())?;
    let prefix = record.tag().prefix();
    let mut at = inner.len() + 2;
    let mut depth = 0_usize;
    let mut in_extensions = false;
    let mut in_garmin = false;
    let mut more = None;
    // An element without content has no end tag.
    while let Some(next) = near(b'<', markup.part_or_empty(at..)) {
        at += next;
        let rest = markup.part(at..);
        if depth == 0
            && let Some(Leaf { name, text, len }) = leaf(rest)
            && is_value(name, prefix)
        {
            if ALL || local(name) == b"time" {
                let place = past(record.markup_offset(), at + name.len() + 2);
                position.set(local(name), text, place, faults);
            }
            at += len;
            continue;
        }
        let Token::Whole(tag, len) = token(rest) else { return Ok(None) };
        at += len;
        match tag {
            Tag::Start(inner) => {
                let name = tag.name();
                let is_motion = match depth {
                    1 => in_extensions && is_motion(inner),
                    2 => in_garmin && is_garmin_motion(inner),
                    _ => false,
                };
                if !is_motion && (depth > 0 || !is_value(name, prefix)) {
                    if depth == 0 {
                        more = more.or(Some(at - len));
                        let is_own = name.strip_prefix(prefix) == Some(b"extensions");
                        in_extensions = is_own && attribute(inner, b"xmlns").is_none();
                    } else if depth == 1 {
                        in_garmin = in_extensions && local(name) == GARMIN.as_bytes();
                    }
                    depth += 1;
                    continue;
                }
                if !is_motion && inner.len() != name.len() {
                    return Ok(None);
                }
                // The value, and the end tag directly after it.
                let rest = rest.part(len..);
                let Some(end) = memchr::memchr(b'<', rest) else { return Ok(None) };
                let (text, tail) = rest.halves(end);
                let behind = tail.strip_prefix(b"</").and_then(|tail| tail.strip_prefix(name));
                if !behind.is_some_and(|tail| tail.starts_with(b">")) || memchr::memchr(b'&', text).is_some()
                {
                    return Ok(None);
                }
                let place = past(record.markup_offset(), at);
                if ALL || local(name) == b"time" {
                    position.set(local(name), text, place, faults);
                }
                at += end + name.len() + 3;
            }
            Tag::End(_) => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => break,
            },
            // Values without a text: a link, or an extension.
            Tag::Empty(_) if depth == 0 => more = more.or(Some(at - len)),
            Tag::Empty(_) | Tag::Other => {}
        }
    }
    Ok(Some(Further(more)))
}

/// Whether this is an element with a value that is kept and the prefix of the point.
#[inline]
fn is_value(name: &[u8], prefix: &[u8]) -> bool {
    name.strip_prefix(prefix).is_some_and(Position::is_value)
}

impl Position {
    /// Reads latitude and longitude from the start tag. Returns an error if one is missing, or outside the globe.
    fn place(&mut self, tag: &[u8], at: u64) -> Result<()> {
        let invalid = |what, found: &dyn std::fmt::Display, expected| {
            Error::invalid(what, found, expected, at).within("gpx point")
        };
        let (mut lat, mut lon) = (None, None);
        for (key, value) in attributes(tag) {
            match key {
                b"lat" => lat = lat.or(Some(value)),
                b"lon" => lon = lon.or(Some(value)),
                _ => {}
            }
        }
        let angle = |text: Option<&[u8]>, what: &'static str| {
            let text = text.map(<[u8]>::trim_ascii);
            let wrong = || match text {
                Some(text) => invalid(what, &Escaped(text), "a number of degrees"),
                None => invalid(what, &"nothing", "a number of degrees"),
            };
            let value = |text: &[u8]| {
                let escaped = near(b'&', text).and_then(|_| std::str::from_utf8(text).ok());
                let plain = escaped.map(unescape);
                number(plain.as_ref().map_or(text, |plain| plain.as_bytes()))
            };
            text.and_then(value).filter(|n| n.is_finite()).ok_or_else(wrong)
        };
        self.latitude = angle(lat, "latitude")?;
        self.longitude = angle(lon, "longitude")?;
        match (self.latitude, self.longitude) {
            (latitude, longitude) if is_on_earth(latitude, longitude) => Ok(()),
            (latitude, longitude) if is_on_earth(latitude, 0.0) => {
                Err(invalid("longitude", &longitude, "-180 to 180 degrees, or 0 to 360"))
            }
            (latitude, _) => Err(invalid("latitude", &latitude, "-90 to 90 degrees")),
        }
    }
}
