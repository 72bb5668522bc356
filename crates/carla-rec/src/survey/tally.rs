//! Counts by channel, cheaply: a recording holds millions of records.

use std::collections::{BTreeMap, HashMap};

use robolog_core::{Notes, Rhythm, Severity};

use crate::{
    Header, Payload,
    layout::{Layout, Position},
    rows::Rows,
};

/// What the sampler makes, counted by actor and table.
#[derive(Debug, Default)]
pub(super) struct Tally {
    actors: BTreeMap<&'static str, Actors>,
    others: BTreeMap<&'static str, Span>,
    /// Packets 18 that are counters of frames.
    pub(super) counters: u64,
}

/// One table's counts by actor: those with small numbers, which are nearly all, without a search. How small grows with
/// what was counted, so that a number alone takes no room.
#[derive(Debug, Default)]
struct Actors {
    counted: u32,
    near: Vec<Span>,
    far: HashMap<u32, Span>,
    /// Records of actors beyond that limit.
    more: u64,
}

#[derive(Debug, Default, Clone, Copy)]
struct Span {
    records: u64,
    first: Option<f64>,
    last: f64,
}

const NEAR: u32 = 1 << 14;
/// The most channels that are counted one by one; a recording has hundreds.
const CHANNELS: usize = 1 << 16;

impl Span {
    fn add(&mut self, elapsed: Option<f64>, records: u64) {
        self.records = self.records.saturating_add(records);
        if let Some(elapsed) = elapsed {
            self.first = Some(self.first.map_or(elapsed, |first| first.min(elapsed)));
            self.last = self.last.max(elapsed);
        }
    }

    fn note(&self, header: &Header, channel: &str, kind: &'static str, notes: &mut Notes) {
        let at = |elapsed| header.time(elapsed);
        let span = self.first.and_then(|first| at(first).zip(at(self.last)));
        notes.tally(channel, kind, self.records, self.records, span);
    }

    /// The rhythm of the frames, where there are records in most of those that it spans. What happens now and then has
    /// none.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "whether there is a rate"
    )]
    fn rhythm(&self, frames: &Self) -> Option<Rhythm> {
        let length = |span: &Self| span.first.map(|first| span.last - first);
        let interval = length(frames)? / frames.records.checked_sub(1).filter(|n| *n > 0)? as f64;
        let spanned = length(self)? / interval;
        let is_in_most = spanned.is_finite() && self.records as f64 >= 0.5 * spanned;
        is_in_most.then(|| Rhythm::of((interval * 1e9) as u64, spanned.round() as u64))
    }
}

impl Actors {
    fn add(&mut self, id: u32, elapsed: Option<f64>, records: u64) {
        let far = self.far.len();
        self.counted = self.counted.saturating_add(1);
        if id < NEAR.min(self.counted.saturating_mul(2).saturating_add(256)) {
            let at = usize::try_from(id).unwrap_or(usize::MAX);
            if self.near.len() <= at {
                self.near.resize(at.saturating_add(1), Span::default());
            }
            if let Some(span) = self.near.get_mut(at) {
                span.add(elapsed, records);
            }
        } else if far < CHANNELS || self.far.contains_key(&id) {
            self.far.entry(id).or_default().add(elapsed, records);
        } else {
            self.more = self.more.saturating_add(records);
        }
    }
}

impl Tally {
    pub(super) fn push(&mut self, elapsed: Option<f64>, payload: &Payload<'_>) {
        match payload {
            Payload::FrameStart(_) => self.other("frames", 1, elapsed),
            Payload::FrameCounter(_) => self.counters = self.counters.saturating_add(1),
            Payload::EventAdd(additions) => {
                let (mut actors, mut attributes) = (0_u64, 0_u64);
                for addition in additions.into_iter().map_while(Result::ok) {
                    actors = actors.saturating_add(1);
                    attributes = attributes.saturating_add(addition.attributes.len() as u64);
                }
                self.other("events", actors, elapsed);
                self.other("actors", actors, elapsed);
                self.other("attributes", attributes, elapsed);
            }
            Payload::EventDel(rows) => self.other("events", rows.len() as u64, elapsed),
            Payload::EventParent(rows) => self.other("events", rows.len() as u64, elapsed),
            Payload::Collision(rows) => self.other("collisions", rows.len() as u64, elapsed),
            Payload::SceneLight(rows) => self.other("scene_lights", rows.len() as u64, elapsed),
            Payload::Weather(rows) => self.other("weather", rows.len() as u64, elapsed),
            Payload::Position(rows) => self.positions(rows, elapsed),
            Payload::State(rows) => self.rows("traffic_lights", rows, elapsed),
            Payload::AnimVehicle(rows) => self.rows("controls", rows, elapsed),
            Payload::AnimWalker(rows) => self.rows("walkers", rows, elapsed),
            Payload::VehicleLight(rows) => self.rows("lights", rows, elapsed),
            Payload::Kinematics(rows) => self.rows("kinematics", rows, elapsed),
            Payload::BoundingBox(rows) => self.rows("bounding_boxes", rows, elapsed),
            Payload::TriggerVolume(rows) => self.rows("trigger_volumes", rows, elapsed),
            Payload::TrafficLightTime(rows) => self.rows("traffic_light_times", rows, elapsed),
            Payload::AnimBiker(rows) => self.rows("bikers", rows, elapsed),
            Payload::VehicleDoor(rows) => self.rows("doors", rows, elapsed),
            Payload::AnimVehicleWheels(vehicles) => {
                for vehicle in *vehicles {
                    self.of("wheels").add(vehicle.id, elapsed, vehicle.wheels.len() as u64);
                }
            }
            Payload::WalkerBones(walkers) => {
                for walker in *walkers {
                    self.of("bones").add(walker.id, elapsed, walker.bones.len() as u64);
                }
            }
            Payload::PhysicsControl(physics) => {
                for control in *physics {
                    let crate::PhysicsControl::Vehicle(v) = control else { continue };
                    let curves = v.torque_curve.len().saturating_add(v.steering_curve.len());
                    let counts = [
                        ("physics", 1),
                        ("physics_wheels", v.wheels.iter().count()),
                        ("physics_gears", v.forward_gears.len()),
                        ("physics_curves", curves),
                    ];
                    for (table, count) in counts {
                        self.of(table).add(v.id, elapsed, count as u64);
                    }
                }
            }
            _ => {}
        }
    }

    fn other(&mut self, table: &'static str, records: u64, elapsed: Option<f64>) {
        if records > 0 {
            self.others.entry(table).or_default().add(elapsed, records);
        }
    }

    fn of(&mut self, table: &'static str) -> &mut Actors {
        self.actors.entry(table).or_default()
    }

    fn positions(&mut self, rows: &Rows<'_, Position>, elapsed: Option<f64>) {
        let actors = self.of("poses");
        rows.ids().for_each(|id| actors.add(id, elapsed, 1));
    }

    /// Every record begins with the actor's number.
    fn rows<T: Layout>(&mut self, table: &'static str, rows: &Rows<'_, T>, elapsed: Option<f64>) {
        let actors = self.of(table);
        rows.by_actor().for_each(|(id, _)| actors.add(id, elapsed, 1));
    }

    pub(super) fn into_notes(self, header: &Header, notes: &mut Notes) {
        let frames = self.others.get("frames").copied().unwrap_or_default();
        for (table, span) in self.others {
            span.note(header, table, "row", notes);
            if let ("frames", Some(rhythm)) = (table, span.rhythm(&frames)) {
                notes.rhythm(table, rhythm);
            }
        }
        for (table, actors) in self.actors {
            let kind = if table == "poses" { "odometry" } else { "row" };
            let near = (0_u32..).zip(&actors.near).filter(|(_, span)| span.records > 0);
            if actors.more > 0 {
                let message =
                    format!("{} {table} of more than {CHANNELS} actors are not listed", actors.more);
                notes.find(Severity::Note, "many-channels", 0, message);
            }
            for (id, span) in near.chain(actors.far.iter().map(|(id, span)| (*id, span))) {
                let channel = format!("actor_{id}/{table}");
                span.note(header, &channel, kind, notes);
                if let Some(rhythm) = span.rhythm(&frames) {
                    notes.rhythm(&channel, rhythm);
                }
            }
        }
    }
}
