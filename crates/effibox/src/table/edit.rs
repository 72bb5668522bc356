//! Edits of tables: times and positions.

use robolog_core::{
    Anonymise, Edit, Error, Result,
    format::{Axis, Change, Edited, Editing, Offset, splice},
    slices::Part as _,
};

use super::{Gga, Header, LineKind, Record, Table, TableKind, TableRow as _, payload::Cells};
use crate::lambert::{Geodetic, Lambert};

/// Shifts `Rtime`, the first column, and in a camera's `.dates` the sum after it. Other cells stay as printed.
///
/// Returns an error for a shift of less than a microsecond, and for tables without that column: scans, `.dates` of
/// sentences, `ntpupdate.log`, and unknown tables.
impl Editing for Table {
    const CHANGES: &'static [Change] = &[Change::Shift, Change::Area, Change::Anonymise];

    fn edit_header(header: &mut Header, _: &mut Vec<u8>, edit: &Edit) -> Result<()> {
        let has_rtime = !matches!(
            header.kind,
            TableKind::Unknown | TableKind::Scan | TableKind::Ntp | TableKind::NmeaDates
        );
        if edit.area.is_some() && header.kind != TableKind::Gga {
            let found = format_args!("{:?}", header.kind);
            return Err(Error::invalid("table", found, "one of positions, _GGA_all.txt", 0).within("effibox"));
        }
        if edit.shift == 0 || has_rtime {
            return Ok(());
        }
        let found = format_args!("{:?}", header.kind);
        Err(Error::invalid("table", found, "one whose first column is Rtime", 0).within("effibox"))
    }

    fn edit(header: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        if let (Some(area), TableKind::Gga, Ok(Some(gga))) = (&edit.area, header.kind, record.read::<Gga>())
            && !area.contains(gga.latitude_deg(), gga.longitude_deg())
        {
            return Ok(Edited::Dropped);
        }
        if edit.shift == 0 || record.kind() != LineKind::Row || record.row().is_err() {
            return Ok(Edited::Same);
        }
        let shift = edit.shift_in(1000, "whole microseconds", record.offset())?;
        let columns = if header.kind == TableKind::CameraDates { 2 } else { 1 };
        let mut cells = Cells::new(record.line(), 0);
        let mut parts = Vec::new();
        for _ in 0..columns {
            let cell = cells.text()?;
            let time = Cells::new(cell.bytes, 0).int()?;
            let time = time.checked_add(shift).ok_or_else(|| cell.error("microseconds"))?;
            let start = usize::try_from(cell.offset).unwrap_or(usize::MAX);
            parts.push((start..start.saturating_add(cell.bytes.len()), time.to_string()));
        }
        splice(record.bytes(), &parts, out);
        Ok(Edited::Changed)
    }

    fn anonymise(header: &Header, record: &Record<'_>, how: &Anonymise, out: &mut Vec<u8>) -> Result<Edited> {
        if header.kind == TableKind::Unknown {
            how.note_opaque("lines of unknown tables");
        }
        if header.kind != TableKind::Gga || how.places.is_none() {
            return Ok(Edited::Same);
        }
        let moved = match (record.read::<Gga>(), how.moved()) {
            // Blank lines, comments and names of columns.
            (Ok(None), _) => return Ok(Edited::Same),
            (Ok(Some(gga)), Some(offset)) => moved(gga, offset),
            _ => None,
        };
        // Remove what cannot be moved.
        let Some(moved) = moved else { return Ok(Edited::Dropped) };
        moved.write(out);
        out.extend_from_slice(record.bytes().part(record.line().len()..));
        Ok(Edited::Changed)
    }
}

/// Moves a position in all its notations; `None` if it cannot.
fn moved(gga: Gga, offset: Offset) -> Option<Gga> {
    let latitude = offset.degrees(Axis::Latitude, gga.latitude_deg())?.to_radians();
    let longitude = offset.degrees(Axis::Longitude, gga.longitude_deg())?.to_radians();
    let altitude = offset.height(gga.altitude);
    let place = Geodetic { latitude, longitude, height: altitude };
    let map = Lambert::DATA_SET.forward(place);
    Some(Gga {
        easting: map.easting,
        northing: map.northing,
        altitude_l2e: offset.height(gga.altitude_l2e),
        latitude,
        longitude,
        altitude,
        ..gga
    })
}
