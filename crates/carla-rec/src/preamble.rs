//! The start of a cut recording: the actors that already exist, and their records that appear only once.

use std::collections::{BTreeMap, BTreeSet};

use robolog_core::{
    Error, Result,
    layout::LayoutWith as _,
    slices::{InRange as _, Part as _, fitting},
};

use crate::{
    Dialect, Kind, Payload, PhysicsControl,
    additions::Additions,
    layout::{Door, Layout, Width},
    rows::Rows,
    walk::{count, packets},
};

/// Records of packets that are not repeated in every frame, as bytes of the file.
#[derive(Debug, Default)]
pub(crate) struct Preamble {
    /// By packet id and the id that the record is about; a later record replaces an earlier one.
    records: BTreeMap<(u8, u64), Box<[u8]>>,
    has_skipped: bool,
    /// Ids of packets that appeared without a record.
    empty: BTreeSet<u8>,
}

impl Preamble {
    /// Adds the packets of a frame that is left out.
    pub(crate) fn skip(&mut self, packets: &[u8], dialect: &Dialect) {
        self.has_skipped = true;
        self.absorb(packets, dialect);
    }

    /// Begins a part: the next frame needs all records before it.
    pub(crate) fn begin_part(&mut self) {
        self.has_skipped = true;
    }

    /// The first frame of a recording that follows another: returns its bytes without the records that earlier frames
    /// have given already.
    ///
    /// Returns an error if it reuses the id of an actor that exists.
    pub(crate) fn join(&mut self, frame: &[u8], offset: u64, dialect: &Dialect) -> Result<Vec<u8>> {
        let mut joined = Vec::with_capacity(frame.len());
        let mut is_part = false;
        // First the actors: as in the part, those that appear again are not given earlier records.
        let (actors, own) = self.without_told(frame, |id| id == 2);
        if actors {
            self.advance(&own, dialect);
        }
        let (others, own) = self.without_told(&own, |id| id != 2);
        joined.extend(own);
        is_part |= actors || others;
        if !is_part {
            self.check_numbers(&joined, offset, dialect)?;
        }
        self.has_skipped = false;
        self.absorb(&joined, dialect);
        Ok(joined)
    }

    /// A frame without the records that earlier frames have given, of some packets; and whether there were any.
    fn without_told(&self, frame: &[u8], is_asked: impl Fn(u8) -> bool) -> (bool, Vec<u8>) {
        let mut joined = Vec::with_capacity(frame.len());
        let mut was_told = false;
        for (id, body) in packets(frame) {
            let own = count(body);
            let mut told = 0_u16;
            // Empty where the packet has not even a count.
            let mut rest = body.part_or_empty(2..);
            let of_id = self.records.range((id, 0)..=(id, u64::MAX)).filter(|_| is_asked(id));
            for record in of_id.map(|(_, record)| record) {
                if told < own
                    && let Some(behind) = rest.strip_prefix(&**record)
                {
                    rest = behind;
                    told = told.plus(1);
                }
            }
            was_told |= told > 0;
            if told == 0 {
                joined.extend(packet(id, body));
            } else if own > told || self.empty.contains(&id) || IN_EVERY_FRAME.contains(&id) {
                joined.extend(packet(id, &[&own.saturating_sub(told).to_le_bytes()[..], rest].concat()));
            }
        }
        (was_told, joined)
    }

    /// Returns an error if a frame introduces an actor under an id already in use.
    fn check_numbers(&self, frame: &[u8], offset: u64, dialect: &Dialect) -> Result<()> {
        let mut gone = BTreeSet::new();
        for (id, body) in packets(frame) {
            match Payload::parse(Kind::of(id, body, dialect), body, dialect, 0) {
                Ok(Payload::EventDel(rows)) => gone.extend(rows.iter().map(|row| row.id)),
                Ok(Payload::EventAdd(additions)) => {
                    let mut new = additions.into_iter().map_while(Result::ok).map(|addition| addition.id);
                    let clash = new.find(|actor| {
                        self.records.contains_key(&(id, (*actor).into())) && !gone.contains(actor)
                    });
                    if let Some(actor) = clash {
                        let what = format!("actor {actor}, already used in the previous recording");
                        return Err(Error::unexpected(what, offset).within("carla recording"));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether the next kept frame needs records of frames that were left out.
    pub(crate) fn has_news(&mut self) -> bool {
        self.has_skipped &= !self.records.is_empty();
        self.has_skipped
    }

    /// Returns the bytes of the first kept frame, with the records left out before it.
    pub(crate) fn keep(&mut self, frame: Vec<u8>, dialect: &Dialect) -> Vec<u8> {
        let told = std::mem::take(&mut self.has_skipped).then(|| {
            self.advance(&frame, dialect);
            self.with_carried(&frame, dialect)
        });
        // Not the records put before: an actor that disappears in this frame takes its records with it.
        self.absorb(&frame, dialect);
        told.unwrap_or(frame)
    }

    /// Drops the records of actors that appear again, or disappear, in a frame.
    fn advance(&mut self, frame: &[u8], dialect: &Dialect) {
        for (id, body) in packets(frame) {
            let kind = Kind::of(id, body, dialect);
            match Payload::parse(kind, body, dialect, 0) {
                Ok(Payload::EventAdd(additions)) => {
                    for addition in additions.into_iter().map_while(Result::ok) {
                        self.forget_body(addition.id);
                    }
                }
                Ok(Payload::EventDel(rows)) => {
                    rows.iter().for_each(|gone| self.forget_state(gone.id));
                }
                _ => {}
            }
        }
    }

    /// Adds packets of a frame.
    pub(crate) fn absorb(&mut self, frame: &[u8], dialect: &Dialect) {
        for (id, body) in packets(frame) {
            if count(body) > 0 {
                self.absorb_packet(id, body, dialect);
            } else {
                self.empty.insert(id);
            }
        }
    }

    fn absorb_packet(&mut self, id: u8, body: &[u8], dialect: &Dialect) {
        let kind = Kind::of(id, body, dialect);
        let Ok(payload) = Payload::parse(kind, body, dialect, 0) else { return };
        match payload {
            Payload::EventAdd(additions) => self.additions(id, additions),
            Payload::EventDel(rows) => rows.iter().for_each(|gone| self.forget(gone.id)),
            Payload::EventParent(rows) => self.rows(id, &rows),
            Payload::SceneLight(rows) => self.rows(id, &rows),
            Payload::BoundingBox(rows) | Payload::TriggerVolume(rows) => self.rows(id, &rows),
            Payload::TrafficLightTime(rows) => self.rows(id, &rows),
            Payload::Weather(rows) => {
                let last = rows.chunks().next_back();
                self.records.extend(last.map(|record| ((id, 0), record.into())));
            }
            Payload::VehicleDoor(rows) => {
                for (door, record) in rows.iter().zip(rows.chunks()) {
                    let key = u64::from(door.id) << 8 | u64::from(door.door);
                    self.records.insert((id, key), record.into());
                }
            }
            Payload::PhysicsControl(physics) => {
                for control in physics {
                    if let PhysicsControl::Vehicle(vehicle) = control {
                        self.records.insert((id, vehicle.id.into()), vehicle.bytes.into());
                    }
                }
            }
            _ => {}
        }
    }

    fn additions(&mut self, id: u8, additions: Additions<'_>) {
        for addition in additions.into_iter().map_while(Result::ok) {
            self.forget_body(addition.id);
            self.records.insert((id, addition.id.into()), addition.bytes.into());
        }
    }

    /// Records that begin with the id they are about.
    fn rows<T: Layout>(&mut self, id: u8, rows: &Rows<'_, T>) {
        for (about, record) in rows.by_actor() {
            self.records.insert((id, about.into()), record.into());
        }
    }

    /// Removes an actor and all its records. Lamps of the scenery have ids of their own.
    fn forget(&mut self, actor: u32) {
        self.records.remove(&(2, actor.into()));
        self.forget_body(actor);
        self.forget_state(actor);
    }

    /// Removes parent, size and physics: another actor with this id has its own.
    fn forget_body(&mut self, actor: u32) {
        for id in [4, 13, 15, 17] {
            self.records.remove(&(id, actor.into()));
        }
    }

    /// Records that a world keeps apart from its actors.
    fn forget_state(&mut self, actor: u32) {
        self.records.remove(&(16, actor.into()));
        for id in 21..=24 {
            let doors = u64::from(actor) << 8;
            let open = self
                .records
                .range((id, doors)..=(id, doors | 0xff))
                .map(|(key, record)| (*key, record.len()));
            for (key, _) in open.filter(|(_, len)| *len == Door::len(Width::F32)).collect::<Vec<_>>() {
                self.records.remove(&key);
            }
        }
    }

    /// The frame, with all earlier records before its own.
    fn with_carried(&self, frame: &[u8], dialect: &Dialect) -> Vec<u8> {
        let mut told: Vec<(u8, Vec<u8>)> = packets(frame).map(|(id, body)| (id, body.to_vec())).collect();
        let mut carried: BTreeMap<u8, Vec<&[u8]>> = BTreeMap::new();
        for ((id, _), record) in &self.records {
            carried.entry(*id).or_default().push(record);
        }
        for (id, records) in carried {
            let own = told.iter().position(|(other, _)| *other == id);
            let place = own.unwrap_or_else(|| {
                let later = told.iter().position(|(other, _)| rank(*other, dialect) > rank(id, dialect));
                let place = later.unwrap_or(told.len());
                told.insert(place, (id, vec![0, 0]));
                place
            });
            let Some((_, body)) = told.get_mut(place) else { continue };
            let total = records.len().plus(count(body).into());
            let Ok(total) = u16::try_from(total) else {
                // Too many for the packet's count: written as packets of their own before it.
                for part in records.rchunks(usize::from(u16::MAX)) {
                    let count = fitting::<u16>(part.len()).to_le_bytes();
                    told.insert(place, (id, [&count[..], &part.concat()].concat()));
                }
                continue;
            };
            let own = body.split_off(2.min(body.len()));
            *body = [&total.to_le_bytes(), records.concat().as_slice(), &own].concat();
        }
        let mut bytes = Vec::with_capacity(frame.len());
        for (id, body) in told {
            bytes.extend(packet(id, &body));
        }
        bytes
    }
}

/// The simulator writes these packets in every frame, even without a record; others only with one.
const IN_EVERY_FRAME: [u8; 10] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 13];

/// A packet with this body.
pub(crate) fn packet(id: u8, body: &[u8]) -> Vec<u8> {
    let len = u32::try_from(body.len()).unwrap_or(u32::MAX);
    [&[id][..], &len.to_le_bytes(), body].concat()
}

/// Position of a packet in a frame, as written by 0.9.15 and 0.9.16.
fn rank(id: u8, dialect: &Dialect) -> u8 {
    const ORDER: [u8; 23] =
        [0, 20, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 21, 22, 23, 24, 12, 13, 17, 14, 15, 16, 19];
    let is_door = dialect.kind(id) == Some(Kind::VehicleDoor);
    let id = if is_door { 5 } else { id };
    let last = u8::MAX.minus(u8::from(id != 1));
    (0..).zip(ORDER).find(|(_, other)| *other == id).map_or(last, |(rank, _)| rank)
}
