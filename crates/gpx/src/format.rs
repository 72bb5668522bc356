//! Framing of GPX: each point is one record, and so is each other tag.

use std::io::{Seek, Write};

use robolog_core::format::Recording;
use robolog_xml::Frame;

use super::{Copier, Decoder, PointKind};

/// The format: a type without values, for [`robolog_core::Reader`] and its kin.
#[derive(Debug, Clone, Copy)]
pub enum Gpx {}

impl Frame for Gpx {
    type Element = PointKind;
    const NAME: &'static str = "gpx";

    fn is_root(local: &[u8]) -> bool {
        local == b"gpx"
    }

    #[inline]
    fn element(local: &[u8]) -> Option<PointKind> {
        PointKind::of(local)
    }

    fn is_known(local: &[u8]) -> bool {
        PointKind::of(local).is_some() || matches!(local, b"gpx" | b"trk" | b"trkseg" | b"rte")
    }
}

impl Recording for Gpx {
    type Decoder = Decoder;
    type Copier<W: Write + Seek> = Copier<W>;
    const EXTENSIONS: &'static [&'static str] = &["gpx"];
}
