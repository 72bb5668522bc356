//! The pieces of an element in order, read by quick-xml.

use std::{borrow::Cow, ops::Range};

use quick_xml::{Reader, events::Event};
use robolog_core::{
    Error, ErrorKind, Result,
    slices::{Part as _, past},
};

use super::{DEPTH, unescape};

/// Reads an element piece by piece with quick-xml. XML's own references are replaced in text, and line ends are
/// normalised as XML requires.
///
/// ```
/// use robolog_xml::{Events, Part};
/// let mut events = Events::new("<ele>411.5</ele>", 0);
/// assert!(matches!(events.read()?, (Part::Start("ele"), _)));
/// let (Part::Text(text), place) = events.read()? else { unreachable!() };
/// assert_eq!((text.as_ref(), place), ("411.5", 5..10));
/// # Ok::<(), robolog_xml::robolog_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Events<'a> {
    reader: Reader<&'a [u8]>,
    source: &'a str,
    at: u64,
    depth: usize,
}

/// A piece of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part<'a> {
    /// A start tag without its brackets.
    Start(&'a str),
    /// An empty element without its brackets.
    Empty(&'a str),
    /// Text. Several may follow one another.
    Text(Cow<'a, str>),
    /// The end tag of the innermost element.
    End,
}

impl<'a> Events<'a> {
    /// Reads the first element of `source`, skipping text and comments before it. `at` is the offset of `source` in the
    /// file.
    pub fn new(source: &'a str, at: u64) -> Self {
        let mut reader = Reader::from_str(source);
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.check_comments = false;
        Self { reader, source, at, depth: 0 }
    }

    /// Reads the next piece and its range in the source; skips comments.
    ///
    /// Returns an error if quick-xml rejects the markup, at the end of the source, and if elements nest too deep.
    pub fn read(&mut self) -> Result<(Part<'a>, Range<usize>)> {
        loop {
            let begin = self.place();
            let event = self.reader.read_event();
            let range = begin..self.place();
            let text = self.source.part(range.clone());
            let tag = |tail| text.part(1..text.len().saturating_sub(tail));
            let wrong = |e: quick_xml::Error| Error::new(ErrorKind::Xml(Box::new(e)), self.offset(begin));
            let part = match event.map_err(wrong)? {
                Event::Start(_) if self.depth >= DEPTH => {
                    let len = (DEPTH + 1) as u64;
                    let kind = ErrorKind::Limit { what: "nesting", len, limit: DEPTH as u64 };
                    return Err(Error::new(kind, self.offset(begin)));
                }
                Event::Start(_) => {
                    self.depth += 1;
                    Part::Start(tag(1))
                }
                Event::Empty(_) => Part::Empty(tag(2)),
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    Part::End
                }
                Event::Text(_) => Part::Text(lines(text)),
                Event::GeneralRef(_) => Part::Text(unescape(text)),
                Event::CData(_) => {
                    let text = text.strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>"));
                    Part::Text(lines(text.unwrap_or_default()))
                }
                Event::Eof => return Err(Error::truncated(1, self.offset(begin))),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
            };
            return Ok((part, range));
        }
    }

    /// An error for an end tag without an open element.
    #[cold]
    pub fn unexpected_end(&self, place: usize) -> Error {
        Error::unexpected("an end tag without an open element", self.offset(place))
    }

    fn place(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }

    fn offset(&self, place: usize) -> u64 {
        past(self.at, place)
    }
}

/// Normalises line ends as XML requires.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
}
