//! Further counts of the script in real recordings.

use std::collections::{BTreeMap, BTreeSet};

use carla_rec::{Frames, Payload, Reader, Record, layout::Collision};
use serde_json::{Value as Json, json};

/// Counts over whole frames.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) bytes: BTreeMap<u8, u64>,
    pub(crate) zero: BTreeMap<u8, u64>,
    pub(crate) orders: BTreeMap<Vec<u8>, u64>,
    pub(crate) attribute_ids: BTreeMap<String, u64>,
    pub(crate) type_ids: BTreeMap<String, u64>,
    pub(crate) heroes: Vec<Json>,
    pub(crate) parents: Vec<Json>,
    pub(crate) collisions: Vec<Json>,
    pub(crate) states: BTreeMap<u8, u64>,
    pub(crate) gears: BTreeMap<String, u64>,
    pub(crate) lights: BTreeMap<String, u64>,
    pub(crate) wheels: BTreeMap<String, u64>,
    pub(crate) added: BTreeMap<u32, u64>,
    pub(crate) deleted: u64,
    pub(crate) deleted_unknown: u64,
    pub(crate) moving: BTreeSet<u32>,
    pub(crate) nonfinite_positions: u64,
    pub(crate) nonfinite_boxes: u64,
    pub(crate) least: [f64; 6],
    pub(crate) most: [f64; 6],
}

impl Counts {
    pub(crate) fn read(reader: &Reader<'_>) -> Self {
        let mut counts = Self { least: [f64::INFINITY; 6], most: [f64::NEG_INFINITY; 6], ..Self::default() };
        for frame in Frames::new(reader) {
            let frame = frame.unwrap();
            let mut order = Vec::new();
            for packet in frame.packets() {
                let packet = packet.unwrap();
                order.push(packet.id());
                *counts.bytes.entry(packet.id()).or_default() += packet.bytes().len() as u64;
                counts.take(&packet, frame.start().frame);
            }
            *counts.orders.entry(order).or_default() += 1;
        }
        counts
    }

    fn take(&mut self, packet: &Record<'_>, frame: u64) {
        let payload = packet.decode().unwrap();
        let is_counted = !matches!(packet.id(), 0 | 1 | 14 | 20);
        if is_counted && packet.body()[..2] == [0, 0] {
            *self.zero.entry(packet.id()).or_default() += 1;
        }
        match payload {
            Payload::EventAdd(additions) => {
                for a in additions {
                    let a = a.unwrap();
                    *self.added.entry(a.id).or_default() += 1;
                    *self.type_ids.entry(a.type_id_text().into_owned()).or_default() += 1;
                    if a.is_hero() {
                        self.heroes.push(json!([a.id, a.type_id_text()]));
                    }
                    for attribute in a.attributes {
                        let id = String::from_utf8_lossy(attribute.id);
                        let key = format!("{id}/{}", attribute.type_number);
                        *self.attribute_ids.entry(key).or_default() += 1;
                    }
                }
            }
            Payload::EventDel(rows) => {
                for gone in rows {
                    self.deleted += 1;
                    self.deleted_unknown += u64::from(!self.added.contains_key(&gone.id));
                }
            }
            Payload::EventParent(rows) => {
                self.parents.extend(rows.iter().map(|p| json!([p.child, p.parent])));
            }
            Payload::Collision(rows) => {
                let row = |c: Collision| json!([frame, c.sequence, c.actor1, c.actor2, c.hero1, c.hero2]);
                self.collisions.extend(rows.iter().map(row));
            }
            Payload::State(rows) => {
                rows.iter().for_each(|s| *self.states.entry(s.state).or_default() += 1);
            }
            Payload::AnimVehicle(rows) => {
                rows.iter().for_each(|c| *self.gears.entry(c.gear.to_string()).or_default() += 1);
            }
            Payload::VehicleLight(rows) => {
                rows.iter().for_each(|l| *self.lights.entry(l.flags.to_string()).or_default() += 1);
            }
            Payload::PhysicsControl(physics) => {
                let size = physics.wheel_bytes().unwrap().to_string();
                *self.wheels.entry(size).or_default() += physics.len() as u64;
            }
            Payload::Position(rows) => {
                for p in rows {
                    self.moving.insert(p.id);
                    let numbers = [p.location.to_array(), p.rotation.to_array()].concat();
                    self.nonfinite_positions += u64::from(numbers.iter().any(|v| !v.is_finite()));
                    for (i, v) in numbers.iter().enumerate() {
                        self.least[i] = self.least[i].min(*v);
                        self.most[i] = self.most[i].max(*v);
                    }
                }
            }
            Payload::BoundingBox(rows) => {
                for b in rows {
                    let numbers = [b.origin.to_array(), b.extent.to_array()].concat();
                    self.nonfinite_boxes += u64::from(numbers.iter().any(|v| !v.is_finite()));
                }
            }
            _ => {}
        }
    }
}
