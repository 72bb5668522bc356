//! Logs changed on purpose: their times.

#![warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the file")]

use robolog_core::{Change, Edit, Edited, Editing, Error, Result, layout::field, slices::past};

use crate::{Header, KoblenzLog, Record, layout::MessageHeader, record};

/// Shifts the stamps of messages, and with them the index. Times inside payloads, such as those of a GPS receiver, are
/// what a device said, and stay.
impl Editing for KoblenzLog {
    const CHANGES: &'static [Change] = &[Change::Shift];

    fn edit(_: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        let (Some(old), Some(time)) = (record.timestamp(), record.time()) else { return Ok(Edited::Same) };
        if edit.shift == 0 {
            return Ok(Edited::Same);
        }
        let stamp = field!(MessageHeader, timestamp);
        let at = past(record.offset(), stamp.offset);
        edit.shifted(time, at)?;
        #[expect(
            clippy::cast_precision_loss,
            reason = "292 years in milliseconds keep their nanoseconds for 104 days"
        )]
        let new = old + edit.shift as f64 / 1e6;
        if record::time(new).is_none() {
            return Err(Error::invalid("shifted time", new, "milliseconds", at).within("message header"));
        }
        out.extend_from_slice(record.bytes());
        if let Some(field) = stamp.of_mut(out) {
            field.copy_from_slice(&new.to_le_bytes());
        }
        Ok(Edited::Changed)
    }
}
