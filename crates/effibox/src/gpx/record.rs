//! A point, or another piece of markup.

use robolog_core::{Error, RawRecord, Result, Timed, Timestamp, text::Escaped};

use super::{Position, Waypoint, parse, position};
use crate::xml::{Element, Tag, local, split};

/// A point with all that it holds, or another piece of markup; with the text before it.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub(crate) raw: RawRecord<'a>,
    /// Bytes of text before the markup.
    text: usize,
    pub(crate) tag: Tag<'a>,
    kind: Kind,
}

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A point of interest: `wpt`.
    Waypoint,
    /// A point of a route: `rtept`.
    RoutePoint,
    /// A point of a track: `trkpt`.
    TrackPoint,
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

impl Kind {
    /// Whether it is a point.
    pub const fn is_point(self) -> bool {
        matches!(self, Self::Waypoint | Self::RoutePoint | Self::TrackPoint)
    }
}

impl<'a> Record<'a> {
    #[inline]
    pub(crate) fn new(raw: RawRecord<'a>) -> Self {
        let (text, tag) = split(raw.bytes);
        let point = |other: Kind, tag: Tag<'_>| match local(tag.name()) {
            b"trkpt" => Kind::TrackPoint,
            b"rtept" => Kind::RoutePoint,
            b"wpt" => Kind::Waypoint,
            _ => other,
        };
        let (tag, kind) = match tag {
            None => (Tag::Other, Kind::Text),
            Some(tag @ Tag::Start(_)) => (tag, point(Kind::Start, tag)),
            Some(tag @ Tag::Empty(_)) => (tag, point(Kind::Empty, tag)),
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

    /// Where a point lies and what else is a number or a time. What cannot be read is left out.
    ///
    /// Fails for what is no point, and for a point without a latitude and a longitude.
    pub fn position(&self) -> Result<Position> {
        self.position_with(&mut |_| {})
    }

    /// The same; `faults` is told of each value that cannot be read, or is not as the schema wants it.
    #[inline]
    pub fn position_with(&self, faults: &mut dyn FnMut(Error)) -> Result<Position> {
        if !self.kind.is_point() {
            return Err(self.no_point());
        }
        position::decode(self, faults)
    }

    /// The same by quick-xml alone: what [`position_with`](Self::position_with) is checked against.
    pub fn position_by_events(&self, faults: &mut dyn FnMut(Error)) -> Result<Position> {
        if !self.kind.is_point() {
            return Err(self.no_point());
        }
        position::thorough(self, faults)
    }

    /// A point with its texts, links and extensions. What cannot be read is left out.
    ///
    /// Fails for what is no point, for a point without a latitude and a longitude, and when quick-xml finds fault with its
    /// markup.
    pub fn waypoint(&self) -> Result<Waypoint> {
        if !self.kind.is_point() {
            return Err(self.no_point());
        }
        let source = String::from_utf8_lossy(self.markup());
        let element = Element::parse(&source, self.markup_offset())?;
        parse::waypoint(&element, self.markup_offset(), &mut |_| {})
    }

    #[cold]
    fn no_point(&self) -> Error {
        let found = format!("{:?}", Escaped(self.name()).to_string());
        Error::invalid("element", found, "trkpt, rtept or wpt", self.markup_offset()).within("gpx")
    }
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        self.position().ok()?.time
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
