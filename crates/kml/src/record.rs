//! A placemark, or another piece of markup.

use std::{borrow::Cow, fmt, ops::Deref};

use robolog_core::{Error, ErrorKind, RawRecord, Result, Timed, Timestamp, text::Escaped};

use super::{
    Kml, Placemark,
    parse::{Mend, Parser},
};
use robolog_xml::{Element, Frame, Piece, Tag, local};

/// A placemark with all that it holds, or another piece of markup; with the text before it.
///
/// Its offset, bytes, name and kind are those of the [`Piece`] that it dereferences to.
#[derive(Clone, Copy)]
pub struct Record<'a>(Piece<'a, Kind>);

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
    fn of(markup: Option<Tag<'_>>) -> Self {
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

impl<'a> Record<'a> {
    #[inline]
    pub(super) fn new(raw: RawRecord<'a>) -> Self {
        Self(Piece::new(raw, Kind::of))
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

    /// The same; `faults` is told of each value that cannot be read, and of tracks whose lists do not match. Those with
    /// [`ErrorKind::Invalid`] are damage.
    pub fn placemark_with(&self, faults: &mut dyn FnMut(Error)) -> Result<Placemark> {
        let source = String::from_utf8_lossy(self.markup());
        Ok(self.parse(&source, faults)?.0)
    }

    /// The same with what is to be changed in a copy, so that lines are sound.
    pub(super) fn placemark_and_mends(
        &self,
        faults: &mut dyn FnMut(Error),
    ) -> Result<(Placemark, Vec<Mend>)> {
        self.parse(&in_place(self.markup()), faults)
    }

    fn parse(&self, source: &str, faults: &mut dyn FnMut(Error)) -> Result<(Placemark, Vec<Mend>)> {
        if !matches!(self.kind(), Kind::Placemark | Kind::Geometry) {
            let found = format!("{:?}", Escaped(self.name()).to_string());
            return Err(Error::invalid("element", found, "a placemark or geometry", self.markup_offset()));
        }
        let mut parser = Parser::new(self.markup_offset(), faults);
        let take = &mut |parent: &Element<'_>, child: &Element<'_>| parser.take(parent, child);
        let element = Element::parse_with(source, self.markup_offset(), take)?;
        let placemark = parser.placemark(&element);
        Ok((placemark, parser.mends))
    }
}

/// Markup as text in which everything stands where it did: bytes that are no UTF-8 become underscores, which are part of no
/// name, number or time that is known.
fn in_place(markup: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(markup) {
        return text.into();
    }
    let mut text = String::with_capacity(markup.len());
    for chunk in markup.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|_| text.push('_'));
    }
    text.into()
}

/// The damage within a placemark: the first fault, and how many more there are.
#[derive(Debug, Default)]
pub(super) struct Damage {
    first: Option<Error>,
    more: u64,
}

impl Damage {
    /// Takes a fault, if it is damage.
    pub(super) fn note(&mut self, fault: Error) {
        if !matches!(fault.kind(), ErrorKind::Invalid { .. }) {
            return;
        }
        if self.first.is_some() {
            self.more = self.more.saturating_add(1);
        }
        self.first.get_or_insert(fault);
    }

    /// Fails if there is any.
    pub(super) fn into_result(self) -> Result<()> {
        let Some(error) = self.first else { return Ok(()) };
        let ErrorKind::Invalid { what, found, expected } = error.kind() else { return Err(error) };
        if self.more == 0 {
            return Err(error);
        }
        let found = format!("{found} and {} more in this placemark", self.more);
        Err(Error::invalid(what, found, expected, error.offset()).within("kml"))
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
    /// The first moment that a placemark names.
    fn time(&self) -> Option<Timestamp> {
        self.placemark().ok()?.first_time()
    }
}
