//! The state of the world at a moment: actors and their properties, lights, doors, weather.

#![allow(clippy::arithmetic_side_effects, reason = "counts of frames")]

use std::{borrow::Cow, collections::BTreeMap};

use robolog_core::Result;

use crate::{
    ActorKind, Addition, AttributeList, Header, Payload, Record,
    layout::{BoundingBox, FrameStart, Rotation, SceneLight, TrafficLightTimes, Vector, Weather},
    learned::Learned,
};

/// The state of the world as of a frame, built by [applying](World::apply) packets in file order.
///
/// Poses and controls are not kept, since every frame lists them all. Memory grows with the number of actors, not with
/// the length of the recording.
///
/// ```
/// # let file = std::fs::read("examples/v0_9_15.log").unwrap();
/// use carla_rec::{Reader, World};
/// let reader = Reader::new(&file)?;
/// let mut world = World::new(reader.header());
/// for packet in reader.records() {
///     world.apply(&packet?)?;
/// }
/// assert!(world.actors[&25].is_hero());
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct World {
    /// The current frame.
    pub frame: Option<FrameStart>,
    /// Actors that exist, by id.
    pub actors: BTreeMap<u32, Actor>,
    /// Lamps of the scenery, by id.
    pub scene_lights: BTreeMap<i32, SceneLight>,
    /// Durations of the colours of traffic lights, by id.
    pub traffic_light_times: BTreeMap<u32, TrafficLightTimes>,
    /// Whether doors are open, by vehicle and door.
    pub doors: BTreeMap<(u32, u8), bool>,
    /// The weather, if recorded.
    pub weather: Option<Weather>,
    /// Actors that have disappeared, in order. [`Vec::drain`] frees them.
    pub departed: Vec<Actor>,
    learned: Learned,
}

/// An actor, from its appearance on.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Actor {
    /// Actor id; a few recordings reuse ids.
    pub id: u32,
    /// Kind of actor.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::serialize::actor_kind"))]
    pub kind: ActorKind,
    /// Its blueprint, such as `vehicle.tesla.model3`.
    pub type_id: String,
    /// Id of its description. Zero or the actor's own id in some recordings.
    pub description_uid: u32,
    /// Its attributes, in file order.
    pub attributes: AttributeList,
    /// Spawn location: centimetres, Unreal's axes.
    pub location: Vector,
    /// Spawn rotation, degrees.
    pub rotation: Rotation,
    /// When it appeared.
    pub created: Moment,
    /// When it disappeared.
    pub destroyed: Option<Moment>,
    /// The actor it is attached to.
    pub parent: Option<u32>,
    /// Its bounding box, in its own axes; requires additional data.
    pub bounding_box: Option<Box<BoundingBox>>,
    /// Area in which a traffic sign has effect; requires additional data.
    pub trigger_volume: Option<Box<BoundingBox>>,
}

/// A frame, by number and time.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Moment {
    /// Frame number.
    pub frame: u64,
    /// Seconds since the start of the recording.
    pub elapsed: f64,
}

impl From<FrameStart> for Moment {
    fn from(start: FrameStart) -> Self {
        Self { frame: start.frame, elapsed: start.elapsed }
    }
}

impl Actor {
    /// As of its appearance.
    pub fn new(addition: &Addition<'_>, created: Moment) -> Self {
        Self {
            id: addition.id,
            kind: addition.kind,
            type_id: addition.type_id_text().into_owned(),
            description_uid: addition.description_uid,
            attributes: addition.attributes.into(),
            location: addition.location,
            rotation: addition.rotation,
            created,
            destroyed: None,
            parent: None,
            bounding_box: None,
            trigger_volume: None,
        }
    }

    /// The value of the first attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<Cow<'_, str>> {
        let attribute = self.attributes.iter().find(|attribute| attribute.id == name.as_bytes())?;
        Some(String::from_utf8_lossy(attribute.value))
    }

    /// Its role, such as `hero` or `autopilot`.
    pub fn role_name(&self) -> Option<Cow<'_, str>> {
        self.attribute("role_name")
    }

    /// Whether it is the vehicle under test.
    pub fn is_hero(&self) -> bool {
        self.role_name().as_deref() == Some("hero")
    }
}

impl World {
    /// An empty world.
    pub fn new(header: &Header) -> Self {
        Self { learned: Learned::new(header.dialect), ..Self::default() }
    }

    /// Whether packets with this id change the world: others need not be applied.
    pub fn is_event(id: u8) -> bool {
        matches!(id, 0 | 2..=4 | 11 | 13 | 16 | 17 | 21..=24)
    }

    /// The current frame.
    pub fn moment(&self) -> Moment {
        self.frame.map(Moment::from).unwrap_or_default()
    }

    /// Applies one packet. Returns an error if it cannot be read; the part before the error has been applied.
    pub fn apply(&mut self, record: &Record<'_>) -> Result<()> {
        if !Self::is_event(record.id()) {
            self.learned.pass(record);
            return Ok(());
        }
        let payload = self.learned.decode(record)?;
        let taken = self.take(&payload);
        self.learned.fault().map_or(taken, |fault| Err(fault.error()))
    }

    /// Applies the payload of a packet.
    pub fn take(&mut self, payload: &Payload<'_>) -> Result<()> {
        match payload {
            Payload::FrameStart(start) => self.frame = Some(*start),
            Payload::EventAdd(additions) => {
                for addition in *additions {
                    let addition = addition?;
                    let actor = Actor::new(&addition, self.moment());
                    if let Some(former) = self.actors.insert(addition.id, actor) {
                        self.depart(former);
                    }
                }
            }
            Payload::EventDel(deletions) => {
                for gone in deletions {
                    let doors = self.doors.range((gone.id, 0)..=(gone.id, u8::MAX)).map(|(key, _)| *key);
                    for key in doors.collect::<Vec<_>>() {
                        self.doors.remove(&key);
                    }
                    self.traffic_light_times.remove(&gone.id);
                    if let Some(actor) = self.actors.remove(&gone.id) {
                        self.depart(actor);
                    }
                }
            }
            Payload::EventParent(parentings) => {
                for link in parentings {
                    if let Some(child) = self.actors.get_mut(&link.child) {
                        child.parent = Some(link.parent);
                    }
                }
            }
            Payload::BoundingBox(boxes) => {
                for bounds in boxes {
                    if let Some(actor) = self.actors.get_mut(&bounds.id) {
                        actor.bounding_box = Some(Box::new(bounds));
                    }
                }
            }
            Payload::TriggerVolume(boxes) => {
                for bounds in boxes {
                    if let Some(actor) = self.actors.get_mut(&bounds.id) {
                        actor.trigger_volume = Some(Box::new(bounds));
                    }
                }
            }
            Payload::SceneLight(lights) => self.scene_lights.extend(lights.iter().map(|l| (l.id, l))),
            Payload::TrafficLightTime(times) => {
                self.traffic_light_times.extend(times.iter().map(|t| (t.id, t)));
            }
            Payload::VehicleDoor(doors) => {
                self.doors.extend(doors.iter().map(|d| ((d.id, d.door), d.open)));
            }
            Payload::Weather(states) => self.weather = states.iter().last().or(self.weather),
            _ => {}
        }
        Ok(())
    }

    fn depart(&mut self, mut actor: Actor) {
        actor.destroyed = Some(self.moment());
        self.departed.push(actor);
    }
}

/// A contact of two actors, from its first frame to its last without a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Episode {
    /// The lower actor id.
    pub actor1: u32,
    /// The higher actor id, or [`NO_ACTOR`](crate::layout::NO_ACTOR).
    pub actor2: u32,
    /// First frame.
    pub first: Moment,
    /// Last frame.
    pub last: Moment,
    /// Number of collision records. Two vehicles with sensors report both.
    pub records: u64,
    /// Whether one of them is a hero.
    pub hero: bool,
}

/// Merges collisions into [`Episode`]s.
#[derive(Debug, Clone, Default)]
pub struct Episodes {
    list: Vec<Episode>,
    open: BTreeMap<(u32, u32), usize>,
    frames: u64,
    last_seen: BTreeMap<(u32, u32), u64>,
}

impl Episodes {
    /// Begins a frame.
    pub fn begin_frame(&mut self) {
        self.frames += 1;
        let this = self.frames;
        self.last_seen.retain(|_, frame| *frame + 1 >= this);
    }

    /// Adds a contact of two actors in the current frame. Returns the number of the episode, counted from 0.
    pub fn push(&mut self, moment: Moment, collision: &crate::layout::Collision) -> usize {
        let (a, b) = (collision.actor1, collision.actor2);
        let pair = (a.min(b), a.max(b));
        let goes_on = self.last_seen.insert(pair, self.frames).is_some();
        let open = self.open.get(&pair).copied().filter(|_| goes_on);
        let number = open.unwrap_or(self.list.len());
        if open.is_none() {
            let (actor1, actor2) = pair;
            let (first, last) = (moment, moment);
            self.list.push(Episode { actor1, actor2, first, last, records: 0, hero: false });
            self.open.insert(pair, number);
        }
        if let Some(episode) = self.list.get_mut(number) {
            episode.last = moment;
            episode.records += 1;
            episode.hero |= collision.hero1 || collision.hero2;
        }
        number
    }

    /// All episodes so far, in order of their first frames.
    pub fn list(&self) -> &[Episode] {
        &self.list
    }
}
