//! A document as a screenful of text, for the snapshots.

use std::io::Read as _;

use robolog_kml::{Kml, Utf8Reader};

pub(crate) fn digest(file: &[u8]) -> String {
    let mut text = Vec::new();
    Utf8Reader::new(file).read_to_end(&mut text).unwrap();
    testkit::digest::<Kml>(&text)
}
