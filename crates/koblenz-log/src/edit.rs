//! Edits of logs: times, places and names.

#![warn(clippy::arithmetic_side_effects, reason = "it computes with numbers of the file")]

use robolog_core::{
    Anonymise, Edit, Error, Result,
    format::{Axis, Change, Edited, Editing, Offset},
    layout::field,
    slices::{Part as _, past},
};

use crate::{
    Header, KoblenzLog, LaserData, Payload, Record,
    layout::{Gps, MESSAGE_HEADER_LEN, MessageHeader},
    record,
};

/// Shifts the stamps of messages, and the index with them. Times inside payloads, such as those of a GPS receiver, are
/// device data and stay.
impl Editing for KoblenzLog {
    const CHANGES: &'static [Change] = &[Change::Shift, Change::Area, Change::Anonymise];

    fn edit(_: &Header, record: &Record<'_>, edit: &Edit, out: &mut Vec<u8>) -> Result<Edited> {
        if let Some(area) = &edit.area {
            let place = match record.decode() {
                Ok(Payload::Gps(gps)) if gps.quality > 0 => Some(gps.position()),
                _ => None,
            };
            let is_in =
                area.follow(place.map(|(latitude, _)| latitude), place.map(|(_, longitude)| longitude));
            if !is_in && !record.is_end() {
                return Ok(Edited::Dropped);
            }
        }
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

    fn anonymise(_: &Header, record: &Record<'_>, how: &Anonymise, out: &mut Vec<u8>) -> Result<Edited> {
        if record.is_end() {
            if !record.trailer().is_empty() {
                how.note_opaque("bytes after the end");
            }
            return Ok(Edited::Same);
        }
        // A partial message is no message, but may contain a place.
        let Ok(payload) = record.decode() else { return Ok(Edited::Dropped) };
        let name;
        let changed = match payload {
            Payload::Gps(_) if how.drops_places() => return Ok(Edited::Dropped),
            Payload::Gps(gps) => how.moved().and_then(|offset| Some(Payload::Gps(moved(gps, offset)?))),
            Payload::Laser(laser) if how.names => {
                name = how.name_like(laser.name);
                Some(Payload::Laser(LaserData { name: &name, ..laser }))
            }
            Payload::Image(_) => {
                how.note_opaque("images");
                None
            }
            Payload::Unknown(_) => {
                how.note_opaque("messages of unknown types");
                None
            }
            _ => None,
        };
        let Some(changed) = changed.filter(|changed| *changed != payload) else {
            let is_place =
                matches!(payload, Payload::Gps(gps) if gps.latitude != 0.0 || gps.longitude != 0.0);
            // A place that cannot be moved must be removed.
            return Ok(if is_place && how.places.is_some() { Edited::Dropped } else { Edited::Same });
        };
        out.extend_from_slice(record.bytes().part(..MESSAGE_HEADER_LEN));
        changed.write(out)?;
        Ok(Edited::Changed)
    }
}

/// A fix at another place, in the same notation: degrees, or degrees and minutes; `None` if it cannot be moved.
fn moved(gps: Gps, offset: Offset) -> Option<Gps> {
    let (latitude, longitude) = gps.position();
    let (north, east) =
        (offset.degrees(Axis::Latitude, latitude)?, offset.degrees(Axis::Longitude, longitude)?);
    let is_in_minutes =
        gps.latitude.total_cmp(&latitude).is_ne() || gps.longitude.total_cmp(&longitude).is_ne();
    let notation = |degrees: f64| {
        if !is_in_minutes {
            return degrees;
        }
        let whole = degrees.trunc();
        whole * 100.0 + (degrees - whole) * 60.0
    };
    #[expect(clippy::cast_possible_truncation, reason = "heights of floats")]
    let metres = |value: f64| value as f32;
    Some(Gps {
        latitude: notation(north),
        longitude: notation(east),
        height: metres(offset.height(gps.height.into())),
        geoid_separation: metres(offset.geoid(gps.geoid_separation.into())),
        ..gps
    })
}
