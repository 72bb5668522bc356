//! Where a document can be split: before any placemark.

use std::ops::Range;

use memchr::memmem;
use robolog_core::{Splitting, push_range};

use super::{Kml, Record};

/// Notes the tags, which show where placemarks stand, and the placemarks that may hold lines or tracks, which are counted.
#[derive(Debug, Default)]
pub(crate) struct Placemarks {
    carry: Vec<Range<u64>>,
}

/// A document with more ranges of them before a placemark is not split there: each split would hold them all.
const MOST: usize = 1 << 14;

impl Splitting<Kml> for Placemarks {
    fn carry(&mut self, record: &Record<'_>) -> Option<Vec<Range<u64>>> {
        let is_element = record.kind().element().is_some();
        (is_element && self.carry.len() <= MOST).then(|| self.carry.clone())
    }

    fn push(&mut self, record: &Record<'_>, range: Range<u64>) {
        let has = |name: &[u8]| memmem::find(record.markup(), name).is_some();
        if record.kind().element().is_none() || has(b"LineString") || has(b"Track") {
            push_range(&mut self.carry, range);
        }
    }
}
