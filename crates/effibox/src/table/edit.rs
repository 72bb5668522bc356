//! Tables changed on purpose: their times.

use robolog_core::{Change, Edit, Edited, Editing, Error, Result, splice};

use super::{Header, LineKind, Record, Table, TableKind, payload::Cells};

/// Shifts `Rtime`, the first column, and in a camera's `.dates` the sum behind it. Other cells stay as they are printed.
///
/// Fails for a shift by less than a microsecond, and for tables without that column: scans, `.dates` of sentences,
/// `ntpupdate.log`, and those that are not known.
impl Editing for Table {
    const CHANGES: &'static [Change] = &[Change::Shift];

    fn edit_header(header: &mut Header, _: &mut Vec<u8>, edit: &Edit) -> Result<()> {
        let has_rtime = !matches!(
            header.kind,
            TableKind::Unknown | TableKind::Scan | TableKind::Ntp | TableKind::NmeaDates
        );
        if edit.shift == 0 || has_rtime {
            return Ok(());
        }
        let found = format_args!("{:?}", header.kind);
        Err(Error::invalid("table", found, "one whose first column is Rtime", 0).within("effibox"))
    }

    fn edit(header: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
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
}
