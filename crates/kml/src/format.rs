//! How a document is framed: placemarks whole, everything else tag by tag.

use robolog_core::{Extent, Format, RawRecord, Recording, Result, Search, Step};

use super::{Record, Rewriter, Sampler, Survey};
use robolog_xml::{self as xml, Frame, Root};

/// The format: a type without values, for [`robolog_core::Reader`] and its kin.
#[derive(Debug, Clone, Copy)]
pub enum Kml {}

/// What lies before the records: the prolog and the start tag of the root element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    pub(crate) root: Root,
}

impl Header {
    /// The version, by the attribute of KML 2.3 or by the namespace.
    pub fn version(&self) -> Option<String> {
        let root = self.root.tag()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if let Some(version) = xml::attribute(root, b"version") {
            return Some(text(version));
        }
        let spaces = xml::attributes(root).filter(|(key, _)| key.starts_with(b"xmlns"));
        spaces.filter(|(_, value)| memchr::memmem::find(value, b"/kml/").is_some()).find_map(|(_, value)| {
            let last = value.rsplit(|b| *b == b'/').next()?;
            let is_own = memchr::memmem::find(value, b"/ext/").is_none();
            (is_own && last.first()?.is_ascii_digit()).then(|| text(last))
        })
    }
}

impl Frame for Kml {
    const NAME: &'static str = "kml";

    fn is_root(local: &[u8]) -> bool {
        local == b"kml"
    }

    fn is_whole(local: &[u8]) -> bool {
        matches!(
            local,
            b"Placemark"
                | b"Point"
                | b"LineString"
                | b"LinearRing"
                | b"Polygon"
                | b"MultiGeometry"
                | b"Track"
                | b"MultiTrack"
                | b"Model"
        )
    }

    fn is_known(local: &[u8]) -> bool {
        Self::is_whole(local) || matches!(local, b"kml" | b"Document" | b"Folder")
    }
}

impl Format for Kml {
    type Header = Header;
    type Record<'a> = Record<'a>;
    const NAME: &'static str = "kml";

    fn detect(start: &[u8]) -> bool {
        let text = xml::to_utf8(start);
        matches!(xml::header::<Self>(&text, false), Ok(Step::Ready(..)))
    }

    fn header(input: &[u8], eof: bool) -> Result<Step<Header>> {
        Ok(xml::header::<Self>(input, eof)?.map(|root| Header { root }))
    }

    fn measure(_: &Header, input: &[u8], at: u64, eof: bool) -> Result<Extent> {
        Ok(xml::measure::<Self>(input, at, eof))
    }

    fn record<'a>(_: &Header, raw: RawRecord<'a>) -> Result<Record<'a>> {
        Ok(Record::new(raw))
    }

    /// The next tag of a placemark, a geometry, a folder or the document.
    fn resync(_: &Header, input: &[u8], _: u64, eof: bool) -> Search {
        xml::resync::<Self>(input, eof)
    }
}

impl Recording for Kml {
    type Survey = Survey;
    type Sampler = Sampler;
    type Rewriter<W: std::io::Write + std::io::Seek> = Rewriter<W>;
    const EXTENSIONS: &'static [&'static str] = &["kml"];
}
