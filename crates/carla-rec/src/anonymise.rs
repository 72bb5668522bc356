//! Anonymous recordings: positions on the map, and names of actors.

use robolog_core::{
    Anonymise, Result,
    format::Edited,
    layout::LayoutWith as _,
    slices::{Part as _, range_in},
};

use crate::{
    Addition, Payload, Record,
    additions::Additions,
    layout::{AdditionHead, BoundingBox, Layout, PACKET_HEADER_LEN, Position, Vector, Width},
    rows::Rows,
    writer::body,
};

/// Roles set by simulators and scenarios, which do not identify a user.
const ROLES: [&[u8]; 7] =
    [b"hero", b"ego_vehicle", b"autopilot", b"default", b"scenario", b"background", b"front"];

/// Anonymises a packet; a packet that cannot be read is removed.
pub(crate) fn packet(record: &Record<'_>, how: &Anonymise, out: &mut Vec<u8>) -> Result<Edited> {
    let Ok(payload) = record.decode() else { return Ok(Edited::Dropped) };
    let plane = how.moved().map(robolog_core::format::Offset::plane);
    let body = match (payload, plane) {
        (Payload::EventAdd(additions), _) => match added(additions, plane, how)? {
            Some(body) => body,
            None => return Ok(Edited::Dropped),
        },
        (Payload::Position(rows), Some(plane)) => {
            rewritten(&rows, record, |row: &mut Position| move_by(&mut row.location, plane))?
        }
        (Payload::TriggerVolume(rows), Some(plane)) => {
            rewritten(&rows, record, |row: &mut BoundingBox| move_by(&mut row.origin, plane))?
        }
        (Payload::Unknown(body), _) if !body.is_empty() => {
            how.note_opaque("packets of unknown kinds");
            return Ok(Edited::Same);
        }
        _ => return Ok(Edited::Same),
    };
    if body == record.body() {
        return Ok(Edited::Same);
    }
    out.extend_from_slice(record.bytes().part(..PACKET_HEADER_LEN));
    out.extend_from_slice(&body);
    Ok(Edited::Changed)
}

/// Moves a location. The origin marks a missing location and stays, as moving it would reveal the offset.
fn move_by(place: &mut Vector, [x, y]: [f64; 2]) {
    if (place.x, place.y) != (0.0, 0.0) {
        place.x += x;
        place.y += y;
    }
}

fn rewritten<T: Layout>(rows: &Rows<'_, T>, record: &Record<'_>, change: impl Fn(&mut T)) -> Result<Vec<u8>> {
    let mut all: Vec<T> = rows.iter().collect();
    all.iter_mut().for_each(change);
    body(&all, rows.width(), record.body_offset())
}

/// The body of an `EventAdd` packet, of the same length; `None` if it cannot be read.
fn added(additions: Additions<'_>, plane: Option<[f64; 2]>, how: &Anonymise) -> Result<Option<Vec<u8>>> {
    let width = additions.width();
    let mut out = additions.body().part(..2).to_vec();
    for addition in additions {
        let Ok(addition) = addition else { return Ok(None) };
        out.extend(actor(&addition, width, plane, how)?);
    }
    Ok((out.len() == additions.body().len()).then_some(out))
}

fn actor(addition: &Addition<'_>, width: Width, plane: Option<[f64; 2]>, how: &Anonymise) -> Result<Vec<u8>> {
    let Addition { id, kind, mut location, rotation, description_uid, bytes, .. } = *addition;
    if let Some(plane) = plane {
        move_by(&mut location, plane);
    }
    let mut out = Vec::with_capacity(bytes.len());
    AdditionHead { id, kind: kind.0, location, rotation, description_uid }.encode(width, &mut out)?;
    out.extend_from_slice(bytes.part(out.len()..));
    for attribute in addition.attributes {
        let is_role = attribute.id == b"role_name" && !ROLES.contains(&attribute.value);
        let new = match how.words(attribute.value) {
            _ if is_role && how.names => how.name_like(attribute.value),
            Some(words) => words,
            None => continue,
        };
        let start = range_in(bytes, attribute.value).map(|range| range.start);
        let value = start.and_then(|start| out.get_mut(start..start.checked_add(new.len())?));
        if let Some(value) = value {
            value.copy_from_slice(&new);
        }
    }
    Ok(out)
}
