//! A point, or another piece of markup.

use std::{fmt, ops::Deref};

use robolog_core::{Error, RawRecord, Result, Timed, Timestamp, text::Escaped};

use super::{Position, Waypoint, parse, position};
use robolog_xml::{Element, Piece, Tag, local};

/// A point with all that it holds, or another piece of markup; with the text before it.
///
/// Its offset, bytes, name and kind are those of the [`Piece`] that it dereferences to.
#[derive(Clone, Copy)]
pub struct Record<'a>(Piece<'a, Kind>);

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

    #[inline]
    fn of(markup: Option<Tag<'_>>) -> Self {
        let point = |other: Self, tag: Tag<'_>| match local(tag.name()) {
            b"trkpt" => Self::TrackPoint,
            b"rtept" => Self::RoutePoint,
            b"wpt" => Self::Waypoint,
            _ => other,
        };
        match markup {
            None => Self::Text,
            Some(tag @ Tag::Start(_)) => point(Self::Start, tag),
            Some(tag @ Tag::Empty(_)) => point(Self::Empty, tag),
            Some(Tag::End(_)) => Self::End,
            Some(Tag::Other) => Self::Other,
        }
    }
}

impl<'a> Record<'a> {
    #[inline]
    pub(super) fn new(raw: RawRecord<'a>) -> Self {
        Self(Piece::new(raw, Kind::of))
    }
}

impl Record<'_> {
    /// Where a point lies and what else is a number or a time. What cannot be read is left out.
    ///
    /// Fails for what is no point, and for a point without a latitude and a longitude.
    pub fn position(&self) -> Result<Position> {
        self.position_with(&mut |_| {})
    }

    /// The same; `faults` is told of each value that cannot be read, or is not as the schema wants it.
    #[inline]
    pub fn position_with(&self, faults: &mut dyn FnMut(Error)) -> Result<Position> {
        if !self.kind().is_point() {
            return Err(self.no_point());
        }
        position::decode(self, faults)
    }

    /// The same by quick-xml alone: what [`position_with`](Self::position_with) is checked against.
    pub fn position_by_events(&self, faults: &mut dyn FnMut(Error)) -> Result<Position> {
        if !self.kind().is_point() {
            return Err(self.no_point());
        }
        position::thorough(self, faults)
    }

    /// A point with its texts, links and extensions. What cannot be read is left out.
    ///
    /// Fails for what is no point, for a point without a latitude and a longitude, and when quick-xml finds fault with its
    /// markup.
    pub fn waypoint(&self) -> Result<Waypoint> {
        if !self.kind().is_point() {
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

impl<'a> Deref for Record<'a> {
    type Target = Piece<'a, Kind>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        self.position().ok()?.time
    }
}
