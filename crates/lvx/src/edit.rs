//! Recordings changed on purpose: their times.

use robolog_core::{Change, Edit, Edited, Editing, Error, Result, slices::past};

use crate::{Header, Lvx, Record, TimestampType};

/// Shifts the stamps of all packages, on whichever clock each counts.
///
/// Fails for stamps that start anew with every pulse, for none of them says which second it means; and for a time before
/// the device was powered on.
impl Editing for Lvx {
    const CHANGES: &'static [Change] = &[Change::Shift];

    fn edit(_: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        if edit.shift == 0 {
            return Ok(Edited::Same);
        }
        out.extend_from_slice(record.bytes());
        for package in record.packages() {
            let package = package?;
            let (kind, stamp) = (package.timestamp_type(), package.stamp());
            let at = past(package.offset(), stamp.offset);
            let Some(time) = package.time() else { continue };
            let later = Some(edit.shifted(time, at)?).filter(|_| !starts_anew(kind));
            let bytes = later.and_then(|time| kind.encode(time)).ok_or_else(|| refused(kind, at))?;
            let start =
                usize::try_from(package.offset().saturating_sub(record.offset())).unwrap_or(usize::MAX);
            if let Some(field) = out.get_mut(start..).and_then(|package| stamp.of_mut(package)) {
                field.copy_from_slice(&bytes);
            }
        }
        Ok(Edited::Changed)
    }
}

fn starts_anew(kind: TimestampType) -> bool {
    matches!(kind, TimestampType::Pps | TimestampType::Unknown(_))
}

fn refused(kind: TimestampType, at: u64) -> Error {
    let (found, expected) = match kind {
        _ if starts_anew(kind) => {
            ("a stamp that starts anew with each pulse", "one that says which second it means")
        }
        TimestampType::Utc => ("a shift by less than a microsecond, or beyond 2000 to 2255", "microseconds"),
        _ => ("a time before the clock's zero", "a shift to a later one"),
    };
    Error::invalid("shifted time", found, expected, at).within("lvx package")
}
