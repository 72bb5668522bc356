//! A placemark, or another piece of markup.

use robolog_core::{Error, Result, Timed, Timestamp, text::Escaped};

use super::{Kml, Placemark, parse};
use crate::xml::{Element, Frame, Piece, Tag, local};

/// A placemark with all that it holds, or another piece of markup; with the text before it.
pub type Record<'a> = Piece<'a, Kind>;

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

impl Kind {
    pub(super) fn of(markup: Option<Tag<'_>>) -> Self {
        let whole = |other: Self, tag: Tag<'_>| match local(tag.name()) {
            b"Placemark" => Self::Placemark,
            name if Kml::is_whole(name) => Self::Geometry,
            _ => other,
        };
        match markup {
            None => Self::Text,
            Some(tag @ Tag::Start(_)) => whole(Self::Start, tag),
            Some(tag @ Tag::Empty(_)) => whole(Self::Empty, tag),
            Some(Tag::End(_)) => Self::End,
            Some(Tag::Other) => Self::Other,
        }
    }
}

impl Record<'_> {
    /// The placemark; of a geometry that stands outside of one, a placemark with nothing else. What cannot be read is left
    /// out.
    ///
    /// Fails for what is neither, and when quick-xml finds fault with its markup.
    pub fn placemark(&self) -> Result<Placemark> {
        self.placemark_with(&mut |_| {})
    }

    /// The same; `faults` is told of each value that cannot be read, and of tracks whose lists do not match.
    pub fn placemark_with(&self, faults: &mut dyn FnMut(Error)) -> Result<Placemark> {
        if !matches!(self.kind(), Kind::Placemark | Kind::Geometry) {
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
