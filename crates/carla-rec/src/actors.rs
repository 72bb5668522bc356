//! Removes actors from a recording, with all records that refer to them.

use std::collections::BTreeSet;

use robolog_core::{
    Error, Result,
    format::{Actors, Edited},
    slices::{InRange as _, before},
};

use crate::{
    Payload, PhysicsControl, Record,
    each::Each,
    layout::{Layout, PACKET_HEADER_LEN},
    rows::Rows,
};

/// Finds the actors to remove in a packet. Actors attached to a removed actor are removed with it.
pub(crate) fn learn(record: &Record<'_>, actors: &mut Actors) {
    match record.decode() {
        Ok(Payload::EventAdd(additions)) => {
            for addition in additions.into_iter().map_while(Result::ok) {
                let role = String::from_utf8_lossy(addition.attribute("role_name").unwrap_or_default());
                if (actors.keeps)(addition.id, &addition.type_id_text(), &role) {
                    actors.kept = actors.kept.plus(1);
                } else {
                    actors.dropped.insert(addition.id);
                }
            }
        }
        Ok(Payload::EventParent(rows)) => {
            for row in rows {
                if actors.dropped.contains(&row.parent) && actors.dropped.insert(row.child) {
                    actors.kept = actors.kept.saturating_sub(1);
                }
            }
        }
        _ => {}
    }
}

/// A packet without the records of the removed actors. One that cannot be read stays: a copy leaves it out and says so.
pub(crate) fn without(record: &Record<'_>, dropped: &BTreeSet<u32>, out: &mut Vec<u8>) -> Result<Edited> {
    let Ok(payload) = record.decode() else { return Ok(Edited::Same) };
    let goes = |id: u32| dropped.contains(&id);
    let (old, kept) = match payload {
        Payload::EventAdd(all) => parts(
            all.into_iter(),
            |each| each.0.rest(),
            |item| item.as_ref().is_ok_and(|item| !goes(item.id)),
        ),
        Payload::EventDel(all) => rows(&all, |row| !goes(row.id)),
        Payload::EventParent(all) => rows(&all, |row| !goes(row.child) && !goes(row.parent)),
        Payload::Collision(all) => rows(&all, |row| !goes(row.actor1) && !goes(row.actor2)),
        Payload::Position(all) => rows(&all, |row| !goes(row.id)),
        Payload::State(all) => rows(&all, |row| !goes(row.id)),
        Payload::AnimVehicle(all) => rows(&all, |row| !goes(row.id)),
        Payload::AnimWalker(all) => rows(&all, |row| !goes(row.id)),
        Payload::VehicleLight(all) => rows(&all, |row| !goes(row.id)),
        Payload::Kinematics(all) => rows(&all, |row| !goes(row.id)),
        Payload::BoundingBox(all) | Payload::TriggerVolume(all) => rows(&all, |row| !goes(row.id)),
        Payload::TrafficLightTime(all) => rows(&all, |row| !goes(row.id)),
        Payload::VehicleDoor(all) => rows(&all, |row| !goes(row.id)),
        Payload::AnimBiker(all) => rows(&all, |row| !goes(row.id)),
        Payload::AnimVehicleWheels(all) => {
            parts(all.into_iter(), |each| each.0.rest(), |item| !goes(item.id))
        }
        Payload::WalkerBones(all) => parts(all.into_iter(), |each| each.0.rest(), |item| !goes(item.id)),
        Payload::PhysicsControl(all) => {
            // Raw memory may name removed actors.
            let is_kept = |item: &PhysicsControl<'_>| matches!(item, PhysicsControl::Vehicle(vehicle) if !goes(vehicle.id));
            parts(all.into_iter(), |each| each.0.rest(), is_kept)
        }
        _ => return Ok(Edited::Same),
    };
    if old == kept.len() {
        return Ok(Edited::Same);
    }
    let number = |count: usize| {
        u16::try_from(count)
            .map_err(|_| Error::invalid("record count", count, "at most 65535", record.offset()))
    };
    let body = [&number(kept.len())?.to_le_bytes()[..], &kept.concat()].concat();
    let size = u32::try_from(body.len())
        .map_err(|_| Error::invalid("packet size", body.len(), "at most 4 GiB", record.offset()))?;
    out.push(record.id());
    out.extend(size.to_le_bytes());
    debug_assert_eq!(out.len(), PACKET_HEADER_LEN);
    out.extend(body);
    Ok(Edited::Changed)
}

/// Number and bytes of the records that stay.
fn rows<'a, T: Layout>(rows: &Rows<'a, T>, is_kept: impl Fn(&T) -> bool) -> (usize, Vec<&'a [u8]>) {
    let chunks = rows.bytes().chunks_exact(T::len(rows.width()).max(1));
    let kept = rows.iter().zip(chunks).filter(|(row, _)| is_kept(row)).map(|(_, bytes)| bytes);
    (rows.len(), kept.collect())
}

/// The same for records of varying size. `rest` returns the bytes of the remaining ones.
fn parts<'a, L>(
    mut all: Each<L>,
    rest: impl Fn(&Each<L>) -> &'a [u8],
    is_kept: impl Fn(&<Each<L> as Iterator>::Item) -> bool,
) -> (usize, Vec<&'a [u8]>)
where
    Each<L>: Iterator,
{
    let (mut count, mut kept) = (0_usize, Vec::new());
    loop {
        let start = rest(&all);
        let Some(item) = all.next() else { return (count, kept) };
        count = count.plus(1);
        if is_kept(&item) {
            kept.push(before(start, rest(&all)));
        }
    }
}
