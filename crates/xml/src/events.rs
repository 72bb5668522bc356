//! The pieces of an element in order: the common ones by their tags, all others by quick-xml.

use std::{borrow::Cow, ops::Range};

use quick_xml::{Reader, events::Event};
use robolog_core::{
    Error, ErrorKind, Result,
    slices::{InRange as _, Part as _, known, past},
    text::near,
};

use super::{DEPTH, Leaf, Tag, Token, leaf, token, unescape};

/// Reads an element piece by piece as quick-xml does. XML's own references are replaced in text, and line ends are
/// normalised as XML requires.
///
/// Plain tags, text and CDATA are read without quick-xml. The first piece that is more than that, such as a reference, a
/// comment or an end tag that does not match, makes quick-xml read all from the start, and decide.
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
    /// Where the next plain piece begins, until quick-xml reads.
    place: usize,
    /// Names of the open elements before that.
    open: Vec<&'a [u8]>,
    reader: Option<Reader<&'a [u8]>>,
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
        Self { place: 0, open: Vec::new(), reader: None, source, at, depth: 0 }
    }

    /// The text that is read.
    pub(crate) fn source(&self) -> &'a str {
        self.source
    }

    /// Reads the next piece and its range in the source; skips comments.
    ///
    /// Returns an error if quick-xml rejects the markup, at the end of the source, and if elements nest too deep.
    #[inline]
    pub fn read(&mut self) -> Result<(Part<'a>, Range<usize>)> {
        match self.plain() {
            Some(read) => Ok(read),
            None => self.by_quick_xml(),
        }
    }

    /// Reads the next element at once if it is a leaf: its name, its text and its range. `None` for any other piece, and
    /// where only quick-xml reads.
    #[inline]
    pub(crate) fn leaf(&mut self) -> Option<(&'a str, Cow<'a, str>, Range<usize>)> {
        if self.reader.is_some() || self.depth >= DEPTH {
            return None;
        }
        let from = self.place;
        let rest = self.source.get(from..).filter(|rest| rest.starts_with('<'))?;
        let Leaf { name, text, len } = leaf(rest.as_bytes())?;
        let (name, rest) = rest.get(1..)?.split_at_checked(name.len())?;
        let text = lines(rest.get(1..=text.len())?);
        self.place = from + len;
        Some((name, text, from..self.place))
    }

    /// The next piece, if quick-xml need not read it.
    #[inline]
    fn plain(&mut self) -> Option<(Part<'a>, Range<usize>)> {
        if self.reader.is_some() {
            return None;
        }
        let from = self.place;
        let rest = self.source.get(from..)?;
        let bytes = rest.as_bytes();
        let (part, len) = match near(b'<', bytes)? {
            0 => match token(bytes) {
                Token::Whole(tag @ (Tag::Start(inner) | Tag::Empty(inner)), len) => {
                    let name = tag.name();
                    // quick-xml ends names at blanks alone.
                    if !matches!(inner.get(name.len()), None | Some(b' ' | b'\t' | b'\r' | b'\n')) {
                        return None;
                    }
                    let text = rest.get(1..=inner.len())?;
                    if matches!(tag, Tag::Empty(_)) {
                        (Part::Empty(text), len)
                    } else {
                        if self.depth >= DEPTH {
                            return None;
                        }
                        self.open.push(name);
                        self.depth += 1;
                        (Part::Start(text), len)
                    }
                }
                Token::Whole(Tag::End(name), len) if self.open.last() == Some(&name) => {
                    self.open.pop();
                    self.depth = self.depth.minus(1);
                    (Part::End, len)
                }
                Token::Whole(Tag::Other, len) => {
                    let text = rest.get(..len)?.strip_prefix("<![CDATA[")?.strip_suffix("]]>")?;
                    (Part::Text(lines(text)), len)
                }
                _ => return None,
            },
            len => {
                let text = rest.get(..len)?;
                if memchr::memchr(b'&', text.as_bytes()).is_some() {
                    return None;
                }
                (Part::Text(lines(text)), len)
            }
        };
        self.place = from + len;
        Some((part, from..self.place))
    }

    fn by_quick_xml(&mut self) -> Result<(Part<'a>, Range<usize>)> {
        if self.reader.is_none() {
            self.begin_quick_xml()?;
        }
        loop {
            let begin = self.place();
            let event = self.next_event(begin)?;
            let range = begin..self.place();
            let text = self.source.part(range.clone());
            let tag = |tail| text.part(1..text.len().minus(tail));
            let part = match event {
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
                    self.depth = self.depth.minus(1);
                    Part::End
                }
                Event::Text(_) => Part::Text(lines(text)),
                Event::GeneralRef(_) => Part::Text(unescape(text)),
                Event::CData(_) => Part::Text(lines(known(
                    text.strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>")),
                ))),
                Event::Eof => return Err(Error::truncated(1, self.offset(begin))),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
            };
            return Ok((part, range));
        }
    }

    /// Lets quick-xml read up to the next piece.
    #[cold]
    fn begin_quick_xml(&mut self) -> Result<()> {
        let mut reader = Reader::from_str(self.source);
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.check_comments = false;
        self.reader = Some(reader);
        while self.place() < self.place {
            self.next_event(self.place())?;
        }
        Ok(())
    }

    fn next_event(&mut self, begin: usize) -> Result<Event<'a>> {
        let end = self.offset(begin);
        let Some(reader) = &mut self.reader else { return Ok(Event::Eof) };
        reader.read_event().map_err(|e| Error::new(ErrorKind::Xml(Box::new(e)), end))
    }

    /// An error for an end tag without an open element.
    #[cold]
    pub fn unexpected_end(&self, place: usize) -> Error {
        Error::unexpected("an end tag without an open element", self.offset(place))
    }

    fn place(&self) -> usize {
        let place = self.reader.as_ref().map_or(0, Reader::buffer_position);
        usize::try_from(place).unwrap_or(usize::MAX)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(mut events: Events<'_>) -> Vec<String> {
        let mut all = Vec::new();
        loop {
            match events.read() {
                Ok((part, range)) => all.push(format!("{part:?} {range:?}")),
                Err(error) => {
                    all.push(error.to_string());
                    return all;
                }
            }
        }
    }

    /// The same, with leaves read at once.
    fn with_leaves(mut events: Events<'_>) -> Vec<String> {
        let mut all = Vec::new();
        loop {
            while let Some((name, text, range)) = events.leaf() {
                let [begin, end] = [range.start + name.len() + 2, range.end - name.len() - 3];
                all.push(format!("{:?} {:?}", Part::Start(name), range.start..begin));
                if begin < end {
                    all.push(format!("{:?} {:?}", Part::Text(text), begin..end));
                }
                all.push(format!("{:?} {:?}", Part::End, end..range.end));
            }
            match events.read() {
                Ok((part, range)) => all.push(format!("{part:?} {range:?}")),
                Err(error) => {
                    all.push(error.to_string());
                    return all;
                }
            }
        }
    }

    #[test]
    fn plain_pieces_are_those_of_quick_xml() {
        const PIECES: [&str; 24] = [
            "<a>",
            "</a>",
            "<b c='1>' d=\"/\">",
            "</b>",
            "</b >",
            "<b/>",
            "<a/b>",
            "<a=1>",
            "<a\t/>",
            " ",
            "x\r\ny",
            "&amp;",
            "&",
            "<![CDATA[<a>]]>",
            "<![CDATA[]]]]>",
            "<!-- > -->",
            "<!-->",
            "<?pi ?>",
            "<",
            ">",
            "<1>",
            "</>",
            "\u{e9}",
            "<!D>",
        ];
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut text = "<a>".to_owned();
            for _ in 0..10 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                // The first pieces come more often, so that elements go on.
                let at = usize::try_from(state >> 33).unwrap() % 48;
                text.push_str(PIECES[if at < 24 { at } else { at % 5 }]);
            }
            let mut general = Events::new(&text, 7);
            general.begin_quick_xml().unwrap();
            let all = pieces(Events::new(&text, 7));
            assert_eq!(all, pieces(general), "{text:?}");
            assert_eq!(all, with_leaves(Events::new(&text, 7)), "{text:?}");
        }
        let deep = "<a>".repeat(DEPTH + 1);
        assert!(pieces(Events::new(&deep, 0)).last().unwrap().contains("nesting"));
    }
}
