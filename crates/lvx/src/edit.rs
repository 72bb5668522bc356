//! Edits of recordings: times and serial numbers.

use robolog_core::{
    Anonymise, Edit, Error, Result,
    format::{Change, Edited, Editing},
    slices::{InRange as _, Part as _, fitting, past},
};

use crate::{Header, Lvx, Record, TimestampType, Version};

/// Shifts the stamps of all packages, each on its own clock.
///
/// Returns an error for stamps that restart with every pulse, as they do not identify the second, and for a time before
/// the device's power-on.
impl Editing for Lvx {
    const CHANGES: &'static [Change] = &[Change::Shift, Change::Anonymise];

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
            let start = fitting::<usize>(package.offset().minus(record.offset()));
            if let Some(field) = out.get_mut(start..).and_then(|package| stamp.of_mut(package)) {
                field.copy_from_slice(&bytes);
            }
        }
        Ok(Edited::Changed)
    }

    /// Replaces serial numbers. Points and mountings are relative and stay.
    fn anonymise_header(header: &mut Header, bytes: &mut Vec<u8>, how: &Anonymise) -> Result<()> {
        if !how.serials {
            return Ok(());
        }
        for number in 0..header.devices().len() {
            let start = usize::try_from(header.device_offset(number)).unwrap_or(usize::MAX);
            let Some(device) = header.devices_mut().get_mut(number) else { break };
            // Both numbers are at the start of a device info.
            let places = bytes.part_mut(start..).chunks_exact_mut(device.sn.len());
            for (place, serial) in places.zip([&mut device.sn, &mut device.hub_sn]) {
                let new = how.serial(serial.as_slice());
                serial.copy_from_slice(&new);
                place.copy_from_slice(&new);
            }
        }
        Ok(())
    }

    fn anonymise(header: &Header, _: &Record<'_>, how: &Anonymise, _: &mut Vec<u8>) -> Result<Edited> {
        if header.version() == Version::V2_4 {
            how.note_opaque("compressed points of LVX3");
        }
        Ok(Edited::Same)
    }
}

fn starts_anew(kind: TimestampType) -> bool {
    matches!(kind, TimestampType::Pps | TimestampType::Unknown(_))
}

fn refused(kind: TimestampType, at: u64) -> Error {
    let (found, expected) = match kind {
        _ if starts_anew(kind) => ("a stamp that restarts with each pulse", "one that identifies its second"),
        TimestampType::Utc => ("a shift by less than a microsecond, or beyond 2000 to 2255", "microseconds"),
        _ => ("a time before the clock's zero", "a shift to a later one"),
    };
    Error::invalid("shifted time", found, expected, at).within("lvx package")
}
