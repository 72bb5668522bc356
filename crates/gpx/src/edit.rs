//! Documents changed on purpose: their times.

use robolog_core::{Change, Edit, Edited, Editing, Result};
use robolog_xml::shift_times;

use super::{Gpx, Header, Record};

/// Shifts the times of points. That of the document's metadata, at which it was made, stays.
impl Editing for Gpx {
    const CHANGES: &'static [Change] = &[Change::Shift];

    fn edit(_: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        if record.point().is_none() || edit.shift == 0 {
            return Ok(Edited::Same);
        }
        shift_times(record.bytes(), record.offset(), &[b"time"], edit.shift, out)
    }
}
