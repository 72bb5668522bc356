//! A placemark, or another piece of markup.

use std::{borrow::Cow, ops::Range};

use robolog_core::{Error, ErrorKind, Result, Timestamp, format::Timed, text::Escaped};
use robolog_xml::{Element, lossy};

use super::{
    Header, Kml, Placemark,
    about::About,
    payload::{Parser, Replacement},
};

/// The elements that are one record each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// A placemark.
    Placemark,
    /// A geometry outside of a placemark.
    Geometry,
}

robolog_xml::documents! {
    /// A whole placemark or another piece of markup, with the text before it.
    ///
    /// ```
    /// use robolog_kml::robolog_core::format::Timed as _;
    ///
    /// # let file = std::fs::read("examples/gx_track.kml").unwrap();
    /// let reader = robolog_kml::Reader::new(&file)?;
    /// for record in reader.records() {
    ///     let record = record?;
    ///     println!("byte {}: {:?}", record.offset(), record.time());
    /// }
    /// # assert!(reader.records().count() > 0);
    /// # Ok::<(), robolog_kml::Error>(())
    /// ```
    Kml, Header
}

impl Record<'_> {
    /// The placemark; a geometry outside of one is wrapped in an otherwise empty placemark. Unreadable values are left
    /// out.
    ///
    /// Returns an error if this is neither, or if quick-xml rejects its markup.
    pub fn placemark(&self) -> Result<Placemark> {
        self.placemark_with(&mut |_| {})
    }

    /// Like [`placemark`](Self::placemark); `faults` receives each value that cannot be read, and tracks whose lists do
    /// not match. Those with [`ErrorKind::Invalid`] are damage.
    pub fn placemark_with(&self, faults: &mut dyn FnMut(Error)) -> Result<Placemark> {
        let source = lossy(self.markup());
        Ok(self.parse(&source, faults)?.placemark)
    }

    /// The same with everything that the placemark says beside its shapes.
    pub(super) fn placemark_and_about(&self, faults: &mut dyn FnMut(Error)) -> Result<(Placemark, About)> {
        let source = lossy(self.markup());
        let parsed = self.parse(&source, faults)?;
        let about = match self.kind().element() {
            Some(Part::Placemark) => {
                About::read(&source, &parsed.known, parsed.placemark.extended_data.as_deref())
            }
            _ => About::default(),
        };
        Ok((parsed.placemark, about))
    }

    /// The same with the changes that make lines valid in a copy.
    pub(super) fn placemark_and_mends(
        &self,
        faults: &mut dyn FnMut(Error),
    ) -> Result<(Placemark, Vec<Replacement>)> {
        let parsed = self.parse(&in_place(self.markup()), faults)?;
        Ok((parsed.placemark, parsed.mends))
    }

    fn parse(&self, source: &str, faults: &mut dyn FnMut(Error)) -> Result<Parsed> {
        if self.kind().element().is_none() {
            let found = format!("{:?}", Escaped(self.name()).to_string());
            return Err(Error::invalid("element", found, "a placemark or geometry", self.markup_offset()));
        }
        let mut parser = Parser::new(self.markup_offset(), faults);
        let take = &mut |parent: &Element<'_>, child: &Element<'_>| parser.take(parent, child);
        let element = Element::parse_with(source, self.markup_offset(), take)?;
        let placemark = parser.placemark(&element);
        Ok(Parsed { placemark, mends: parser.mends, known: parser.known })
    }
}

/// A placemark, the changes that make its lines valid in a copy, and the ranges of the children that are read.
struct Parsed {
    placemark: Placemark,
    mends: Vec<Replacement>,
    known: Vec<Range<usize>>,
}

/// Markup as text with the same offsets: bytes that are not UTF-8 become underscores, which no known name, number or
/// time contains.
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

/// The damage in a placemark: the first fault, and the number of further ones.
#[derive(Debug, Default)]
pub(super) struct Damage {
    first: Option<Error>,
    more: u64,
}

impl Damage {
    /// Keeps a fault if it is damage.
    pub(super) fn note(&mut self, fault: Error) {
        if !matches!(fault.kind(), ErrorKind::Invalid { .. }) {
            return;
        }
        if self.first.is_some() {
            self.more += 1;
        }
        self.first.get_or_insert(fault);
    }

    /// Returns the damage as an error, if any.
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

impl Timed for Record<'_> {
    /// The first time in a placemark.
    fn time(&self) -> Option<Timestamp> {
        self.placemark().ok()?.first_time()
    }
}
