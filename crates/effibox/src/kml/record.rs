//! A placemark, or another piece of markup.

use robolog_core::{Error, RawRecord, Result, Timed, Timestamp, text::Escaped};

use super::{Kml, Placemark, parse};
use crate::xml::{Element, Frame, Tag, local, split};

/// A placemark with all that it holds, or another piece of markup; with the text before it.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub(crate) raw: RawRecord<'a>,
    text: usize,
    pub(crate) tag: Tag<'a>,
    kind: Kind,
}

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A placemark.
    Placemark,
    /// A geometry outside of a placemark.
    Geometry,
    /// The start tag of another element.
    Start,
    /// Another element that is empty.
    Empty,
    /// An end tag.
    End,
    /// A comment, CDATA or a processing instruction.
    Other,
    /// Text alone.
    Text,
}

impl<'a> Record<'a> {
    pub(crate) fn new(raw: RawRecord<'a>) -> Self {
        let (text, tag) = split(raw.bytes);
        let whole = |other: Kind, tag: Tag<'_>| match local(tag.name()) {
            b"Placemark" => Kind::Placemark,
            name if Kml::is_whole(name) => Kind::Geometry,
            _ => other,
        };
        let (tag, kind) = match tag {
            None => (Tag::Other, Kind::Text),
            Some(tag @ Tag::Start(_)) => (tag, whole(Kind::Start, tag)),
            Some(tag @ Tag::Empty(_)) => (tag, whole(Kind::Empty, tag)),
            Some(tag @ Tag::End(_)) => (tag, Kind::End),
            Some(tag @ Tag::Other) => (tag, Kind::Other),
        };
        Self { raw, text, tag, kind }
    }

    /// Offset in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The name of the element without its prefix; empty where there is none.
    pub fn name(&self) -> &'a [u8] {
        local(self.tag.name())
    }

    /// The text before the markup.
    pub fn text(&self) -> &'a [u8] {
        self.raw.bytes.get(..self.text).unwrap_or_default()
    }

    /// The markup itself.
    pub fn markup(&self) -> &'a [u8] {
        self.raw.bytes.get(self.text..).unwrap_or_default()
    }

    /// Offset in the file of the markup.
    pub fn markup_offset(&self) -> u64 {
        self.raw.offset.saturating_add(self.text as u64)
    }

    /// The placemark; of a geometry that stands outside of one, a placemark with nothing else. What cannot be read is left
    /// out.
    ///
    /// Fails for what is neither, and when quick-xml finds fault with its markup.
    pub fn placemark(&self) -> Result<Placemark> {
        self.placemark_with(&mut |_| {})
    }

    /// The same; `faults` is told of each value that cannot be read, and of tracks whose lists do not match.
    pub fn placemark_with(&self, faults: &mut dyn FnMut(Error)) -> Result<Placemark> {
        if !matches!(self.kind, Kind::Placemark | Kind::Geometry) {
            let found = format!("{:?}", Escaped(self.name()).to_string());
            return Err(Error::invalid("element", found, "a placemark or geometry", self.markup_offset()));
        }
        let source = String::from_utf8_lossy(self.markup());
        let element = Element::parse(&source, self.markup_offset())?;
        Ok(parse::placemark(&element, self.markup_offset(), faults))
    }
}

impl Timed for Record<'_> {
    /// The first moment that a placemark names.
    fn time(&self) -> Option<Timestamp> {
        self.placemark().ok()?.first_time()
    }
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record")
            .field("offset", &self.offset())
            .field("kind", &self.kind)
            .field("bytes", &Escaped(self.bytes()).to_string())
            .finish()
    }
}
