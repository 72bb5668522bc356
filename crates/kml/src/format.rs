//! Framing of KML: each placemark is one record, and so is each other tag.

use std::io::{Seek, Write};

use robolog_core::format::Recording;
use robolog_xml::Frame;

use super::{Copier, Decoder, Part, layout::Name};

/// The format: a type without values, for [`robolog_core::Reader`] and its kin.
#[derive(Debug, Clone, Copy)]
pub enum Kml {}

impl Frame for Kml {
    type Element = Part;
    const NAME: &'static str = "kml";

    fn is_root(local: &[u8]) -> bool {
        local == b"kml"
    }

    fn element(local: &[u8]) -> Option<Part> {
        match Name::of(local)? {
            Name::Placemark => Some(Part::Placemark),
            name => name.is_geometry().then_some(Part::Geometry),
        }
    }

    fn is_known(local: &[u8]) -> bool {
        Self::element(local).is_some() || matches!(local, b"kml" | b"Document" | b"Folder")
    }
}

impl Recording for Kml {
    type Decoder = Decoder;
    type Copier<W: Write + Seek> = Copier<W>;
    const EXTENSIONS: &'static [&'static str] = &["kml"];
}
