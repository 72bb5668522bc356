//! KML in an archive.

use std::io::Cursor;

/// Maximum expanded size of a document here.
const LIMIT: usize = 1 << 20;

/// A document within the limit, which is then read like one outside an archive.
pub(super) fn kmz(data: &[u8]) {
    let Ok(document) = robolog_kml::read_kmz(Cursor::new(data), LIMIT) else { return };
    assert!(document.len() <= LIMIT, "{} bytes", document.len());
    if document.len() < 64 << 10 {
        super::kml::kml(&document);
    }
}
