//! The result of a reading, in the words of the truth files.

pub(crate) mod counts;

use std::collections::{BTreeMap, BTreeSet};

use carla_rec::{
    Episodes, Kind, Payload, PhysicsControl, PhysicsWheels, Record, StreamReader, World, layout::FrameStart,
};
use robolog_core::Event;

/// Counts and sums over packets.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) packets: BTreeMap<u8, u64>,
    pub(crate) records: BTreeMap<u8, u64>,
    pub(crate) sums: BTreeMap<u8, Vec<f64>>,
    pub(crate) nonfinite: BTreeMap<u8, u64>,
    pub(crate) actor_types: BTreeMap<u8, u64>,
    pub(crate) attribute_types: BTreeMap<u8, u64>,
    /// Kinds of packets from 21 on, by their own bodies.
    pub(crate) shifting: BTreeMap<u8, Option<Kind>>,
    pub(crate) wheel_bytes: BTreeSet<u16>,
    /// The last parent of each child.
    pub(crate) parents: BTreeMap<u32, u32>,
    pub(crate) starts: Vec<FrameStart>,
    pub(crate) whole_frames: u64,
    is_frame_whole: bool,
}

/// A reading, past all damage.
#[derive(Default)]
pub(crate) struct Got {
    /// Up to the first damage.
    pub(crate) ahead: Tally,
    /// After it.
    pub(crate) behind: Tally,
    /// Offset of the damaged packet, or of bytes that are no packet.
    pub(crate) damage: Option<u64>,
    /// Offset of the first packet after the damage.
    pub(crate) resumes: Option<u64>,
    /// Readable actors of a damaged packet.
    pub(crate) readable_actors: u64,
    pub(crate) world: World,
    pub(crate) episodes: Episodes,
}

impl Got {
    pub(crate) fn read(file: &[u8]) -> Self {
        let mut reader = StreamReader::new(file).unwrap();
        let mut got = Self::default();
        loop {
            match reader.next_event().unwrap() {
                Event::Record(record) => got.take(&record),
                Event::Damage { lost, .. } => {
                    got.damage.get_or_insert(lost.start);
                    got.behind.is_frame_whole = false;
                }
                Event::End => break,
            }
        }
        // Without its end the last frame is damage, at the end of the file.
        if got.damage.is_none() && got.ahead.is_frame_whole {
            got.damage = Some(file.len() as u64);
        }
        got
    }

    fn take(&mut self, record: &Record<'_>) {
        if self.damage.is_some() {
            self.resumes.get_or_insert(record.offset());
        }
        let _ = self.world.apply(record);
        if let Some(readable) = damaged(record) {
            self.damage.get_or_insert(record.offset());
            self.readable_actors += readable;
            self.behind.is_frame_whole = false;
            return;
        }
        let payload = record.decode().unwrap();
        match &payload {
            Payload::FrameStart(_) => self.episodes.begin_frame(),
            Payload::Collision(rows) => {
                for row in rows {
                    self.episodes.push(self.world.moment(), &row);
                }
            }
            _ => {}
        }
        if self.damage.is_none() { &mut self.ahead } else { &mut self.behind }.take(record, &payload);
    }
}

/// The readable actors of a packet that ends early.
fn damaged(record: &Record<'_>) -> Option<u64> {
    match record.decode() {
        Err(_) => Some(0),
        Ok(Payload::EventAdd(additions)) => {
            let (good, bad): (Vec<_>, Vec<_>) = additions.into_iter().partition(Result::is_ok);
            (!bad.is_empty()).then_some(good.len() as u64)
        }
        Ok(_) => None,
    }
}

impl Tally {
    pub(crate) fn take(&mut self, record: &Record<'_>, payload: &Payload<'_>) {
        let id = record.id();
        *self.packets.entry(id).or_default() += 1;
        match payload {
            Payload::FrameStart(start) => {
                self.starts.push(*start);
                self.is_frame_whole = true;
            }
            Payload::FrameEnd => {
                self.whole_frames += u64::from(self.is_frame_whole);
                self.is_frame_whole = false;
            }
            _ => {}
        }
        if (21..=24).contains(&id) {
            let kind = Some(record.kind()).filter(|kind| *kind != Kind::Unknown);
            let slot = self.shifting.entry(id).or_default();
            assert!(slot.is_none() || kind.is_none() || *slot == kind, "packet {id}: {slot:?} and {kind:?}");
            *slot = slot.or(kind);
        }
        self.rows(id, payload, record.body());
    }

    fn add(&mut self, id: u8, first: usize, values: &[f64]) {
        let sums = self.sums.entry(id).or_default();
        sums.resize(sums.len().max(first + values.len()), 0.0);
        for (sum, value) in sums[first..].iter_mut().zip(values) {
            if value.is_finite() {
                *sum += value;
            } else {
                *self.nonfinite.entry(id).or_default() += 1;
            }
        }
    }

    fn row(&mut self, id: u8, values: &[f64]) {
        *self.records.entry(id).or_default() += 1;
        self.add(id, 0, values);
    }

    fn rows(&mut self, id: u8, payload: &Payload<'_>, body: &[u8]) {
        let bool = |b: bool| f64::from(u8::from(b));
        if !matches!(
            payload,
            Payload::FrameStart(_)
                | Payload::FrameEnd
                | Payload::PlatformTime(_)
                | Payload::VisualTime(_)
                | Payload::FrameCounter(_)
                | Payload::Unknown(_)
        ) {
            self.records.entry(id).or_default();
        }
        match payload {
            Payload::FrameStart(s) => self.add(id, 0, &[s.frame as f64, s.duration, s.elapsed]),
            Payload::FrameEnd => {}
            Payload::EventAdd(additions) => {
                for a in *additions {
                    let a = a.unwrap();
                    *self.actor_types.entry(a.kind.0).or_default() += 1;
                    for attribute in a.attributes {
                        *self.attribute_types.entry(attribute.type_number).or_default() += 1;
                    }
                    let (l, r) = (a.location.to_array(), a.rotation.to_array());
                    let (kind, uid) = (a.kind.0.into(), a.description_uid.into());
                    let n = a.attributes.into_iter().count();
                    assert_eq!(n, a.attributes.len());
                    let row = [&[a.id.into(), kind][..], &l, &r, &[uid, n as f64]].concat();
                    self.row(id, &row);
                }
            }
            Payload::EventDel(rows) => rows.iter().for_each(|r| self.row(id, &[r.id.into()])),
            Payload::EventParent(rows) => {
                for link in rows {
                    self.parents.insert(link.child, link.parent);
                    self.row(id, &[link.child.into(), link.parent.into()]);
                }
            }
            Payload::Collision(rows) => {
                for c in rows {
                    let [a, b] = [c.actor1, c.actor2].map(f64::from);
                    self.row(id, &[c.sequence.into(), a, b, bool(c.hero1), bool(c.hero2)]);
                }
            }
            Payload::Position(rows) => {
                for p in rows {
                    let (l, r) = (p.location.to_array(), p.rotation.to_array());
                    self.row(id, &[&[p.id.into()][..], &l, &r].concat());
                }
            }
            Payload::State(rows) => {
                for s in rows {
                    self.row(id, &[s.id.into(), bool(s.frozen), s.elapsed.into(), s.state.into()]);
                }
            }
            Payload::AnimVehicle(rows) => {
                for c in rows {
                    let pedals = [c.steer, c.throttle, c.brake].map(f64::from);
                    let rest = [bool(c.handbrake), c.gear.into()];
                    self.row(id, &[&[c.id.into()][..], &pedals, &rest].concat());
                }
            }
            Payload::AnimWalker(rows) => {
                rows.iter().for_each(|w| self.row(id, &[w.id.into(), w.speed.into()]));
            }
            Payload::VehicleLight(rows) => {
                rows.iter().for_each(|l| self.row(id, &[l.id.into(), l.flags.into()]));
            }
            Payload::SceneLight(rows) => {
                for l in rows {
                    let numbers = [l.intensity, l.red, l.green, l.blue, l.alpha].map(f64::from);
                    self.row(id, &[&[l.id.into()][..], &numbers, &[bool(l.on), l.group.into()]].concat());
                }
            }
            Payload::Kinematics(rows) => {
                for k in rows {
                    let (v, w) = (k.linear_velocity.to_array(), k.angular_velocity.to_array());
                    self.row(id, &[&[k.id.into()][..], &v, &w].concat());
                }
            }
            Payload::BoundingBox(rows) | Payload::TriggerVolume(rows) => {
                for b in rows {
                    let (o, e) = (b.origin.to_array(), b.extent.to_array());
                    self.row(id, &[&[b.id.into()][..], &o, &e].concat());
                }
            }
            other => self.more(id, other, body),
        }
    }

    fn more(&mut self, id: u8, payload: &Payload<'_>, body: &[u8]) {
        match payload {
            Payload::PlatformTime(seconds) | Payload::VisualTime(seconds) => self.add(id, 0, &[*seconds]),
            Payload::TrafficLightTime(rows) => {
                for t in rows {
                    self.row(id, &[t.id.into(), t.green.into(), t.yellow.into(), t.red.into()]);
                }
            }
            Payload::PhysicsControl(physics) => {
                self.wheel_bytes.extend(physics.wheel_bytes());
                for control in *physics {
                    match control {
                        PhysicsControl::Vehicle(vehicle) => self.physics(id, &vehicle),
                        // Raw memory after the vehicle's id.
                        PhysicsControl::Unknown(bytes) => {
                            let actor = u32::from_le_bytes(bytes[..4].try_into().unwrap());
                            self.row(id, &[actor.into()]);
                        }
                    }
                }
            }
            Payload::WalkerBones(walkers) => {
                for walker in *walkers {
                    self.row(id, &[walker.id.into(), walker.bones.len() as f64]);
                    for bone in walker.bones {
                        let pose = bone.pose;
                        let both = [pose.location.to_array(), pose.rotation.to_array()].concat();
                        self.add(id, 2, &both);
                    }
                }
            }
            Payload::AnimVehicleWheels(vehicles) => {
                for vehicle in *vehicles {
                    self.row(id, &[vehicle.id.into(), vehicle.wheels.len() as f64]);
                    for wheel in vehicle.wheels {
                        let [s, r] = [wheel.steering, wheel.rotation].map(f64::from);
                        self.add(id, 2, &[wheel.location.into(), s, r]);
                    }
                }
            }
            Payload::AnimBiker(rows) => {
                for b in rows {
                    self.row(id, &[b.id.into(), b.speed.into(), b.engine_rotation.into()]);
                }
            }
            Payload::VehicleDoor(rows) => {
                for d in rows {
                    self.row(id, &[d.id.into(), d.door.into(), f64::from(u8::from(d.open))]);
                }
            }
            Payload::Weather(rows) => {
                for w in rows {
                    let numbers = [
                        w.cloudiness,
                        w.precipitation,
                        w.precipitation_deposits,
                        w.wind_intensity,
                        w.sun_azimuth_angle,
                        w.sun_altitude_angle,
                        w.fog_density,
                        w.fog_distance,
                        w.fog_falloff,
                        w.wetness,
                        w.scattering_intensity,
                        w.mie_scattering_scale,
                        w.rayleigh_scattering_scale,
                        w.dust_storm,
                    ];
                    self.row(id, &numbers.map(f64::from));
                }
            }
            Payload::Unknown(bytes) => {
                assert_eq!(*bytes, body);
                // Only a count of 0.
                if (21..=24).contains(&id) && body == [0, 0] {
                    self.records.entry(id).or_default();
                }
            }
            other => panic!("packet {id}: {other:?}"),
        }
    }

    fn physics(&mut self, id: u8, vehicle: &carla_rec::VehiclePhysics<'_>) {
        let s = vehicle.scalars;
        let head = [
            s.max_rpm,
            s.moi,
            s.damping_rate_full_throttle,
            s.damping_rate_zero_throttle_clutch_engaged,
            s.damping_rate_zero_throttle_clutch_disengaged,
        ];
        let tail = [
            s.clutch_strength,
            s.final_ratio,
            s.mass,
            s.drag_coefficient,
            s.center_of_mass_x,
            s.center_of_mass_y,
            s.center_of_mass_z,
        ];
        let wheels = match vehicle.wheels {
            PhysicsWheels::Short(rows) => rows.len(),
            PhysicsWheels::Long(rows) => rows.len(),
        };
        let lists =
            [vehicle.torque_curve.len(), vehicle.forward_gears.len(), vehicle.steering_curve.len(), wheels];
        let row = [
            &[vehicle.id.into()][..],
            &head.map(f64::from),
            &[f64::from(u8::from(s.use_gear_auto_box))],
            &tail.map(f64::from),
            &lists.map(|n| n as f64),
        ];
        self.row(id, &row.concat());
        for wheel in vehicle.wheels.iter() {
            self.add(id, 18, &[wheel.x, wheel.y, wheel.z].map(f64::from));
        }
    }

    /// The sum of both.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        fn sum<K: Ord>(into: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
            for (key, n) in from {
                *into.entry(key).or_default() += n;
            }
        }
        sum(&mut self.packets, other.packets);
        sum(&mut self.records, other.records);
        sum(&mut self.nonfinite, other.nonfinite);
        sum(&mut self.actor_types, other.actor_types);
        sum(&mut self.attribute_types, other.attribute_types);
        for (id, values) in other.sums {
            let sums = self.sums.entry(id).or_default();
            sums.resize(sums.len().max(values.len()), 0.0);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        for (id, kind) in other.shifting {
            let slot = self.shifting.entry(id).or_default();
            *slot = slot.or(kind);
        }
        self.wheel_bytes.extend(other.wheel_bytes);
        self.parents.extend(other.parents);
        self.starts.extend(other.starts);
        self.whole_frames += other.whole_frames;
        self
    }
}
