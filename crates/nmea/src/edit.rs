//! Edits logs: shifts times and anonymises positions.

use std::ops::Range;

use robolog_core::{
    Anonymise, Edit, Error, Result,
    format::{Change, Edited, Editing},
    slices::{self, Part as _, past},
    text::Escaped,
};

use super::{
    Date, Header, Nmea, Record, Sentence, Time, anonymise,
    field::{places, replace},
    prefix::shift,
};

const DAY: i64 = 86_400_000_000_000;
/// The period of the receivers' week counter.
const ROLLOVER: i64 = 1024 * 7 * DAY;

/// Shifts the times of day of GGA, RMC, GLL, ZDA, GNS, GST, GBS and GRS, with the dates of RMC and ZDA, and computes
/// their checksums anew; and the times beside sentences, in TAG blocks and prefixes. A shift by whole periods of the week
/// counter, 1024 weeks, corrects the receiver's dates alone. Damaged sentences, and times in proprietary ones, are not
/// changed.
impl Editing for Nmea {
    const CHANGES: &'static [Change] = &[Change::Shift, Change::Area, Change::Anonymise];

    fn edit(_: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        if edit.area.as_ref().is_some_and(|area| !anonymise::is_in(record, area)) {
            return Ok(Edited::Dropped);
        }
        let Some(sentence) = record.whole().filter(|_| edit.shift != 0) else { return Ok(Edited::Same) };
        let mut new = Vec::new();
        let is_changed = shift_sentence(sentence, edit.shift, &mut new)?;
        let (before, behind) = record.around();
        let is_plain = before.is_empty() && behind.trim_ascii().is_empty();
        if is_plain || edit.shift.checked_rem(ROLLOVER) == Some(0) {
            if !is_changed {
                return Ok(Edited::Same);
            }
            out.extend_from_slice(before);
            out.extend(new);
            return Ok(Edited::Changed);
        }
        let around = shift::before(before, edit.shift).zip(shift::behind(behind, edit.shift));
        let (shifted, tail) = around.ok_or_else(|| {
            let expected = "a time that can be shifted";
            Error::invalid("time", Escaped(before), expected, record.offset()).within("nmea")
        })?;
        let sentence = if is_changed { &*new } else { sentence.bytes() };
        out.extend(shifted);
        out.extend_from_slice(slices::before(sentence, behind));
        out.extend(tail);
        Ok(Edited::Changed)
    }

    fn anonymise(_: &Header, record: &Record<'_>, how: &Anonymise, out: &mut Vec<u8>) -> Result<Edited> {
        Ok(anonymise::record(record, how, out))
    }
}

/// Appends a sentence with its times shifted, if it has any.
fn shift_sentence(sentence: &Sentence<'_>, shift: i64, out: &mut Vec<u8>) -> Result<bool> {
    let time_field = match sentence.kind() {
        "GGA" | "RMC" | "ZDA" | "GNS" | "GST" | "GBS" | "GRS" => 0,
        "GLL" => 4,
        _ => return Ok(false),
    };
    let fields = places(sentence);
    let text = |range: &Range<usize>| sentence.bytes().part(range.clone());
    let Some(place) = fields.get(time_field).filter(|place| !place.is_empty()) else { return Ok(false) };
    let (time, days) = Time::parse(text(place)).and_then(|time| shifted(time, shift)).ok_or_else(|| {
        let at = past(sentence.offset(), place.start);
        Error::invalid("time", Escaped(text(place)), "hhmmss, which can be shifted", at).within("nmea")
    })?;
    let mut parts = vec![(place.clone(), time.to_string())];
    if days != 0 {
        parts.extend(dates(sentence.kind(), &fields, &text, days));
    }
    replace(sentence, sentence.bytes(), &parts, out);
    Ok(true)
}

/// A time of day, with the decimals that it has or needs, and the number of days added.
fn shifted(time: Time, shift: i64) -> Option<(Time, i64)> {
    let nanos = time.since_midnight().checked_add(shift)?;
    let (days, nanos) = (nanos.div_euclid(DAY), nanos.rem_euclid(DAY));
    let (secs, nanos) =
        (nanos.div_euclid(1_000_000_000), u32::try_from(nanos.rem_euclid(1_000_000_000)).ok()?);
    let part = |n: i64| u8::try_from(n).ok();
    let (hour, minute) = (part(secs.div_euclid(3600))?, part(secs.div_euclid(60).rem_euclid(60))?);
    let needed = u8::try_from(format!("{nanos:09}").trim_end_matches('0').len()).ok()?;
    let mut moved = Time::new(hour, minute, part(secs.rem_euclid(60))?, nanos, needed)?;
    if needed == 0 || time.has_decimals(needed) {
        moved.decimals = time.decimals;
    }
    Some((moved, days))
}

/// The fields of the date, shifted by `days`. An empty or invalid date stays.
fn dates<'a>(
    kind: &str,
    fields: &[Range<usize>],
    text: &dyn Fn(&Range<usize>) -> &'a [u8],
    days: i64,
) -> Vec<(Range<usize>, String)> {
    let moved = |date: Date| date.midnight()?.checked_add(days.checked_mul(DAY)?)?.date();
    let parts = || match kind {
        "RMC" => {
            let place = fields.get(8)?;
            let (year, month, day) = moved(Date::parse(text(place))?)?;
            Some(vec![(place.clone(), format!("{day:02}{month:02}{:02}", year.rem_euclid(100)))])
        }
        "ZDA" => {
            let number = |at: usize| std::str::from_utf8(text(fields.get(at)?)).ok()?.parse::<u16>().ok();
            let byte = |at: usize| u8::try_from(number(at)?).ok();
            let (year, month, day) = moved(Date::new(number(3)?, byte(2)?, byte(1)?)?)?;
            let texts = [format!("{day:02}"), format!("{month:02}"), format!("{year:04}")];
            Some(fields.get(1..4)?.iter().cloned().zip(texts).collect())
        }
        _ => None,
    };
    parts().unwrap_or_default()
}
