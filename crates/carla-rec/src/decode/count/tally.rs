//! Fast counts by channel: a recording has millions of records.

use std::{collections::HashMap, mem, time::Duration};

use robolog_core::{
    Attributes, Clock, Severity, Timestamp,
    format::{Rhythm, SurveyBuilder},
};

use crate::{
    Header, Payload,
    decode::{attributes_of, tables::tables},
    layout::Layout,
    rows::Rows,
};

/// Number of samples by actor and table.
#[derive(Debug, Default)]
pub(super) struct Tally {
    actors: Tables<Actors>,
    others: Tables<Span>,
    /// What is known of actors, by their ids.
    attributes: HashMap<u32, Attributes>,
    /// Times of frames.
    frames: Rhythm,
    /// Packets 18 that are counters of frames.
    pub(super) counters: u64,
}

/// Counts by table, in order of appearance: there are few, and those of every frame come first.
#[derive(Debug)]
struct Tables<T>(Vec<(&'static str, T)>);

/// Counts of one table by actor: small ids, which are nearly all, need no search. The limit grows with the counts, so
/// that a single large id takes no memory.
#[derive(Debug, Default)]
struct Actors {
    counted: u32,
    near: Vec<Span>,
    far: HashMap<u32, Span>,
    /// Records of actors with ids beyond that limit.
    more: u64,
    /// The actors of the last packet, and the number of packets with exactly these: most frames name the same ones.
    latest: Vec<u32>,
    repeats: Span,
}

#[derive(Debug, Default, Clone, Copy)]
struct Span {
    records: u64,
    first: Option<f64>,
    last: f64,
}

const NEAR: u32 = 1 << 14;
/// Maximum number of channels counted separately; a recording has hundreds.
const CHANNELS: usize = 1 << 16;

impl Span {
    fn add(&mut self, elapsed: Option<f64>, records: u64) {
        self.join(&Self { records, first: elapsed, last: elapsed.unwrap_or_default() });
    }

    fn join(&mut self, other: &Self) {
        self.records += other.records;
        if let Some(first) = other.first {
            self.first = Some(self.first.map_or(first, |before| before.min(first)));
            self.last = self.last.max(other.last);
        }
    }

    fn note(&self, header: &Header, channel: &str, kind: &'static str, notes: &mut SurveyBuilder) {
        let at = |elapsed| header.time(elapsed);
        let span = self.first.and_then(|first| at(first).zip(at(self.last)));
        notes.tally(channel, kind, self.records, self.records, span);
    }

    /// The rhythm of the frames, if most of the frames it spans have records. Occasional records have none.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "whether there is a rate"
    )]
    fn rhythm(&self, frames: &Self, interval: Duration) -> Option<Rhythm> {
        let length = |span: &Self| span.first.map(|first| span.last - first);
        let mean = length(frames)? / frames.records.checked_sub(1).filter(|n| *n > 0)? as f64;
        let spanned = length(self)? / mean;
        let is_in_most = spanned.is_finite() && self.records as f64 >= 0.5 * spanned;
        is_in_most.then(|| Rhythm::of(interval, spanned.round() as u64))
    }
}

impl<T> Default for Tables<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Default> Tables<T> {
    #[expect(clippy::indexing_slicing, reason = "the place of one that is there")]
    fn of(&mut self, table: &'static str) -> &mut T {
        let place = self.0.iter().position(|(name, _)| *name == table);
        let place = place.unwrap_or_else(|| {
            self.0.push((table, T::default()));
            self.0.len() - 1
        });
        &mut self.0[place].1
    }
}

impl Actors {
    fn add(&mut self, id: u32, elapsed: Option<f64>, records: u64) {
        let mut span = Span::default();
        span.add(elapsed, records);
        self.join(id, &span);
    }

    /// Counts a packet with a record for each of these actors. Returns whether the last one had the same.
    fn packet(&mut self, ids: impl ExactSizeIterator<Item = u32> + Clone, elapsed: Option<f64>) -> bool {
        let is_repeated = ids.len() == self.latest.len() && ids.clone().eq(self.latest.iter().copied());
        if !is_repeated {
            self.flush();
            self.latest.extend(ids);
        }
        self.repeats.add(elapsed, 1);
        is_repeated
    }

    /// Counts the packets that named the same actors.
    fn flush(&mut self) {
        let (latest, repeats) = (mem::take(&mut self.latest), mem::take(&mut self.repeats));
        for id in &latest {
            self.join(*id, &repeats);
        }
        self.latest = latest;
        self.latest.clear();
    }

    fn join(&mut self, id: u32, span: &Span) {
        let far = self.far.len();
        self.counted += 1;
        if id < NEAR.min(self.counted.saturating_mul(2).saturating_add(256)) {
            let at = usize::try_from(id).unwrap_or(usize::MAX);
            if self.near.len() <= at {
                self.near.resize(at.saturating_add(1), Span::default());
            }
            if let Some(near) = self.near.get_mut(at) {
                near.join(span);
            }
        } else if far < CHANNELS || self.far.contains_key(&id) {
            self.far.entry(id).or_default().join(span);
        } else {
            self.more += span.records;
        }
    }
}

impl Tally {
    /// Counts a packet. Returns whether it names the same actors as the last one of its kind.
    pub(super) fn push(&mut self, elapsed: Option<f64>, payload: &Payload<'_>) -> bool {
        match payload {
            Payload::Position(rows) => return self.rows("poses", rows, elapsed),
            Payload::State(rows) => return self.rows("traffic_lights", rows, elapsed),
            Payload::AnimVehicle(rows) => return self.rows("controls", rows, elapsed),
            Payload::AnimWalker(rows) => return self.rows("walkers", rows, elapsed),
            Payload::VehicleLight(rows) => return self.rows("lights", rows, elapsed),
            Payload::Kinematics(rows) => return self.rows("kinematics", rows, elapsed),
            Payload::BoundingBox(rows) => return self.rows("bounding_boxes", rows, elapsed),
            Payload::TriggerVolume(rows) => return self.rows("trigger_volumes", rows, elapsed),
            Payload::TrafficLightTime(rows) => return self.rows("traffic_light_times", rows, elapsed),
            Payload::AnimBiker(rows) => return self.rows("bikers", rows, elapsed),
            Payload::VehicleDoor(rows) => return self.rows("doors", rows, elapsed),
            Payload::FrameStart(_) => {
                let time = elapsed.and_then(|elapsed| Timestamp::from_secs(elapsed, Clock::Relative));
                if let Some(time) = time {
                    self.frames.add(time);
                }
                self.other("frames", 1, elapsed);
            }
            Payload::FrameCounter(_) => self.counters += 1,
            Payload::EventAdd(additions) => {
                let (mut actors, mut attributes) = (0_u64, 0_u64);
                for addition in additions.into_iter().map_while(Result::ok) {
                    actors += 1;
                    attributes += addition.attributes.len() as u64;
                    if self.attributes.len() < CHANNELS || self.attributes.contains_key(&addition.id) {
                        self.attributes.insert(addition.id, attributes_of(&addition));
                    }
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
        false
    }

    fn other(&mut self, table: &'static str, records: u64, elapsed: Option<f64>) {
        if records > 0 {
            self.others.of(table).add(elapsed, records);
        }
    }

    fn of(&mut self, table: &'static str) -> &mut Actors {
        self.actors.of(table)
    }

    /// Every record begins with the actor's id.
    fn rows<T: Layout>(&mut self, table: &'static str, rows: &Rows<'_, T>, elapsed: Option<f64>) -> bool {
        !rows.is_empty() && self.of(table).packet(rows.by_actor().map(|(id, _)| id), elapsed)
    }

    pub(super) fn into_notes(mut self, header: &Header, notes: &mut SurveyBuilder) {
        self.actors.0.iter_mut().for_each(|(_, actors)| actors.flush());
        self.actors.0.sort_unstable_by_key(|(table, _)| *table);
        let frames = self.others.0.iter().find(|(table, _)| *table == "frames");
        let frames = frames.map_or_else(Span::default, |(_, span)| *span);
        let at = |elapsed| Timestamp::from_secs(elapsed, Clock::Relative);
        let length = frames.first.and_then(|first| at(frames.last)?.since(at(first)?));
        let interval = length.and_then(|nanos| self.frames.interval(nanos));
        let rhythm = |span: &Span| span.rhythm(&frames, interval?);
        let columns: HashMap<_, _> = tables().collect();
        for (table, span) in self.others.0 {
            span.note(header, table, "row", notes);
            if let Some(columns) = columns.get(table) {
                notes.columns(table, columns);
            }
            if let ("frames", Some(rhythm)) = (table, rhythm(&span)) {
                notes.rhythm(table, rhythm);
            }
        }
        for (table, actors) in self.actors.0 {
            let kind = if table == "poses" { "odometry" } else { "row" };
            let near = (0_u32..).zip(&actors.near).filter(|(_, span)| span.records > 0);
            if actors.more > 0 {
                let message =
                    format_args!("{} {table} of more than {CHANNELS} actors are not listed", actors.more);
                notes.find(Severity::Note, "many-channels", 0, message);
            }
            for (id, span) in near.chain(actors.far.iter().map(|(id, span)| (*id, span))) {
                let channel = format!("actor_{id}/{table}");
                span.note(header, &channel, kind, notes);
                if let Some(attributes) = self.attributes.get(&id) {
                    notes.attributes(&channel, attributes);
                }
                if let Some(columns) = columns.get(table) {
                    notes.columns(&channel, columns);
                }
                if let Some(rhythm) = rhythm(span) {
                    notes.rhythm(&channel, rhythm);
                }
            }
        }
    }
}
