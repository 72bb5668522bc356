//! Documents changed on purpose: their times.

use robolog_core::{Change, Edit, Edited, Editing, Result};
use robolog_xml::shift_times;

use super::{Header, Kml, Record};

/// Shifts the times of placemarks. Those of folders and of the document, which say what a viewer shows, stay.
impl Editing for Kml {
    const CHANGES: &'static [Change] = &[Change::Shift];

    fn edit(_: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        if record.kind().element().is_none() || edit.shift == 0 {
            return Ok(Edited::Same);
        }
        shift_times(record.bytes(), record.offset(), &[b"when", b"begin", b"end"], edit.shift, out)
    }
}
