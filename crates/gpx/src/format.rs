//! How a document is framed: points whole, everything else tag by tag.

use robolog_core::{Error, Extent, Format, RawRecord, Recording, Result, Search, Step};

use super::{Record, Rewriter, Sampler, Survey};
use robolog_xml::{self as xml, Frame, Root, unescape};

/// The format: a type without values, for [`robolog_core::Reader`] and its kin.
#[derive(Debug, Clone, Copy)]
pub enum Gpx {}

/// What lies before the records: the prolog and the start tag of the root element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    pub(crate) root: Root,
}

impl Header {
    /// The version that the document says it has.
    pub fn version(&self) -> Option<String> {
        self.attribute(b"version")
    }

    /// The program that wrote it.
    pub fn creator(&self) -> Option<String> {
        self.attribute(b"creator")
    }

    /// The namespace of the root element.
    pub fn namespace(&self) -> Option<String> {
        let name = xml::Tag::Start(self.root.tag()?).name();
        let prefix = name.len().saturating_sub(xml::local(name).len()).saturating_sub(1);
        let prefix = name.get(..prefix).unwrap_or_default();
        let key = if prefix.is_empty() { b"xmlns".to_vec() } else { [b"xmlns:", prefix].concat() };
        self.attribute(&key)
    }

    /// What is wrong with a document without a root element.
    #[cold]
    pub(super) fn no_root() -> Error {
        Error::invalid("document", "no root element", "gpx", 0).within("gpx")
    }

    fn attribute(&self, key: &[u8]) -> Option<String> {
        let value = xml::attribute(self.root.tag()?, key)?;
        Some(unescape(&String::from_utf8_lossy(value)).into_owned())
    }
}

impl Frame for Gpx {
    const NAME: &'static str = "gpx";

    fn is_root(local: &[u8]) -> bool {
        local == b"gpx"
    }

    #[inline]
    fn is_whole(local: &[u8]) -> bool {
        matches!(local, b"trkpt" | b"wpt" | b"rtept")
    }

    fn is_known(local: &[u8]) -> bool {
        Self::is_whole(local) || matches!(local, b"gpx" | b"trk" | b"trkseg" | b"rte")
    }
}

impl Format for Gpx {
    type Header = Header;
    type Record<'a> = Record<'a>;
    const NAME: &'static str = "gpx";

    fn detect(start: &[u8]) -> bool {
        let text = xml::to_utf8(start);
        matches!(xml::header::<Self>(&text, false), Ok(Step::Ready(..)))
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        Ok(xml::header::<Self>(input, eof)?.map(|root| Header { root }))
    }

    #[inline]
    fn measure(_: &Header, input: &[u8], at: u64, eof: bool) -> Result<Extent> {
        Ok(xml::measure::<Self>(input, at, eof))
    }

    #[inline]
    fn record<'a>(_: &Header, raw: RawRecord<'a>) -> Result<Record<'a>> {
        Ok(Record::new(raw))
    }

    /// The next tag of a point, a segment, a track, a route or the root element.
    fn resync(_: &Header, input: &[u8], _: u64, eof: bool) -> Search {
        xml::resync::<Self>(input, eof)
    }
}

impl Recording for Gpx {
    type Survey = Survey;
    type Sampler = Sampler;
    type Rewriter<W: std::io::Write + std::io::Seek> = Rewriter<W>;
    const EXTENSIONS: &'static [&'static str] = &["gpx"];
}
