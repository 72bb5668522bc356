//! Edits logs: shifts times, renames variables, anonymises positions and names.

use std::ops::Range;

use robolog_core::{
    Anonymise, Edit, Error, Result,
    format::{Change, Edited, Editing, Verdict, splice},
    slices::{Part as _, range_in},
    text::{Escaped, first_control, lines},
};

use crate::{
    Alog, Header, Kind, Record, anonymise,
    layout::{COMMENT, LOGSTART},
    time::{Seconds, Warp},
};

/// Shifts a log by its LOGSTART: entries stay the same, except for times inside their values that robolog uses as the
/// entry's. A log without LOGSTART is shifted entry by entry.
impl Editing for Alog {
    const CHANGES: &'static [Change] =
        &[Change::Shift, Change::Rename, Change::Area, Change::Origin, Change::Anonymise];

    fn edit_header(header: &mut Header, bytes: &mut Vec<u8>, edit: &Edit) -> Result<()> {
        if header.is_table() && (edit.names.is_some() || edit.area.is_some() || edit.origin.is_some()) {
            return Err(no_table());
        }
        let Some(start) = header.logstart().filter(|_| edit.shift != 0) else { return Ok(()) };
        let refused = |found: &'static str, expected: &'static str| {
            Err(Error::invalid("LOGSTART", found, expected, 0).within("alog"))
        };
        if header.warp() != Warp::NONE || header.has_unknown_warp() {
            return refused("one of a mission with a time warp", "one without, whose times can be shifted");
        }
        let Some(text) = logstart_text(bytes) else {
            return refused("none in the header", "one there: shift the .alog that holds it");
        };
        let Some(shifted) = start.plus(Seconds::from_nanos(edit.shift.into())) else {
            return refused("one beyond all dates", "a shorter shift");
        };
        let old = std::mem::take(bytes);
        splice(&old, &[(text.clone(), shifted_text(old.part(text), shifted))], bytes);
        header.set_logstart(shifted);
        header.logstart_text = logstart_text(bytes).and_then(|text| bytes.get(text)).map(<[u8]>::to_vec);
        Ok(())
    }

    fn edit(header: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        if record.kind() == Kind::Comment {
            return Ok(Edited::Same);
        }
        if edit.area.as_ref().is_some_and(|area| !anonymise::is_in(record, area)) {
            return Ok(Edited::Dropped);
        }
        let mut parts: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
        if edit.shift != 0 && header.logstart().is_none() {
            let seconds = record.seconds().and_then(|s| s.plus(Seconds::from_nanos(edit.shift.into())));
            let seconds = seconds
                .ok_or_else(|| Error::invalid("time", "too many digits", "seconds", record.offset()))?;
            parts.push(column(record, record.time_text(), shifted_text(record.time_text(), seconds)));
        }
        if edit.names.is_some() {
            match edit.verdict(&String::from_utf8_lossy(&record.name())) {
                Verdict::Same => {}
                Verdict::Dropped => return Ok(Edited::Dropped),
                Verdict::Renamed(name) => {
                    check_name(&name, record.offset())?;
                    parts.push(column(record, &record.name(), name.as_bytes().to_vec()));
                }
            }
        }
        if edit.shift != 0 && header.logstart().is_some() {
            embedded(header, record, edit.shift, &mut parts);
        }
        if let Some(origin) = edit.origin {
            parts.extend(anonymise::origin(record, origin));
            parts.sort_by_key(|(range, _)| range.start);
        }
        if parts.is_empty() {
            return Ok(Edited::Same);
        }
        splice(record.bytes(), &parts, out);
        Ok(Edited::Changed)
    }

    fn learn(_: &Header, record: &Record<'_>, edit: &mut Edit) {
        if let Some(names) = &mut edit.anonymise {
            anonymise::learn(record, names);
        }
    }

    fn anonymise_header(header: &mut Header, bytes: &mut Vec<u8>, how: &Anonymise) -> Result<()> {
        if header.is_table() {
            return Err(no_table());
        }
        anonymise::header(bytes, how);
        header.take_texts(bytes);
        Ok(())
    }

    fn anonymise(_: &Header, record: &Record<'_>, how: &Anonymise, out: &mut Vec<u8>) -> Result<Edited> {
        Ok(anonymise::record(record, how, out))
    }
}

/// The error for changes of a synchronous log other than of its times.
fn no_table() -> Error {
    Error::unexpected("a table in place of entries; convert it to a log first", 0).within("alog")
}

/// Range of LOGSTART's number.
fn logstart_text(header: &[u8]) -> Option<Range<usize>> {
    let mut found = None;
    for line in lines(header, 0) {
        let Some(text) = line.bytes.strip_prefix(COMMENT) else { continue };
        if let Some(number) = text.trim_ascii().strip_prefix(LOGSTART).map(<[u8]>::trim_ascii) {
            found = range_in(header, number);
        }
    }
    found
}

/// A new number with as many decimals as the old one, or more if needed. Digits after nanoseconds stay.
fn shifted_text(old: &[u8], new: Seconds) -> Vec<u8> {
    let decimals = |text: &[u8]| text.iter().rev().position(|b| *b == b'.').unwrap_or(0);
    let (had, needed) = (decimals(old), decimals(new.to_string().as_bytes()));
    let mut text = new.with_decimals(had.max(needed)).into_bytes();
    let is_negative = |text: &[u8]| text.starts_with(b"-");
    if had > 9 && is_negative(old) == is_negative(&text) {
        text.extend_from_slice(old.part(old.len() - (had - 9)..));
    }
    text
}

/// Replaces a text in a column: the next column keeps its position if there are enough blanks.
pub(crate) fn column(record: &Record<'_>, old: &[u8], mut new: Vec<u8>) -> (Range<usize>, Vec<u8>) {
    let Range { start, end } = range_in(record.bytes(), old).unwrap_or_default();
    let behind = record.bytes().part(end..);
    let blanks = behind.iter().take_while(|b| **b == b' ').count();
    let width = old.len() + blanks;
    // At least one blank remains before the next column.
    let padded = width.max(new.len() + blanks.min(1));
    new.resize(padded, b' ');
    (start..end + blanks, new)
}

/// Returns an error for a name that an entry cannot have.
fn check_name(name: &str, at: u64) -> Result<()> {
    let is_good =
        !name.is_empty() && !name.contains(char::is_whitespace) && first_control(name.as_bytes()).is_none();
    if is_good {
        return Ok(());
    }
    Err(Error::invalid("name", Escaped(name.as_bytes()), "text without blanks and control characters", at)
        .within("alog"))
}

/// Shifts the times inside a value that would be used as its entry's.
fn embedded(header: &Header, record: &Record<'_>, shift: i64, parts: &mut Vec<(Range<usize>, Vec<u8>)>) {
    let value = record.value();
    let keys = Header::time_keys(value);
    if keys.is_empty() {
        return;
    }
    let Some(seconds) = record.seconds() else { return };
    let shift = Seconds::from_nanos(shift.into());
    let from = parts.len();
    for key in keys {
        let Some(text) = value.get(key).map(crate::RawText::trimmed) else { continue };
        // The header has the new LOGSTART.
        let Some(moved) = Seconds::parse(text).and_then(|unix| unix.plus(shift)) else { continue };
        if header.embeds(moved, seconds)
            && let Some(range) = range_in(record.bytes(), text)
            && !parts.iter().any(|(other, _)| *other == range)
        {
            parts.push((range, shifted_text(text, moved)));
        }
    }
    if let Some(parts) = parts.get_mut(from..) {
        parts.sort_by_key(|(range, _)| range.start);
    }
}
