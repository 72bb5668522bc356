//! A whole recording as actors and events: what `ScenarioRunner`'s `MetricsLog` offers, without a server.
//!
//! | `MetricsLog` | here |
//! |---|---|
//! | `get_total_frame_count`, `get_elapsed_time`, `get_delta_time`, `get_platform_time` | [`Scene::frames`] |
//! | `get_ego_vehicle_id` | [`Scene::hero`] |
//! | `get_actor_ids_with_role_name`, `..._type_id` | [`Scene::actors`] and a filter |
//! | `get_actor_attributes`, `..._bounding_box`, `..._trigger_volume`, `..._alive_frames` | [`Actor`] |
//! | `get_actor_collisions` | [`Scene::collisions`] |
//! | transform, velocity, angular velocity, acceleration, control, lights: of an actor, over its life | [`Scene::track`] |
//! | the same of all actors in one frame | [`Scene::states`] |
//! | traffic lights: state, elapsed, frozen | [`State::traffic_light`] |
//! | `get_scene_light_state`, traffic light times | [`FrameIndex::world`] |
//! | `get_vehicle_physics_control` | [`Scene::physics`] |

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::Vector3;
use robolog_core::{Pose, Result, slices::Part as _};

use crate::{
    Actor, ActorKind, Axes, Episode, Episodes, Frame, FrameEntry, FrameIndex, Frames, LatePoses, Moment,
    Payload, PhysicsControl, Reader, VehiclePhysics, World,
    late::LONGEST_STEP,
    layout::{
        Biker, FrameStart, Kinematics, Position, TrafficLightState, VehicleControl, VehicleLights,
        WalkerSpeed,
    },
};

/// Actors, frames and collisions of a recording in memory; trajectories are read on access.
///
/// ```
/// # let file = std::fs::read("examples/v0_9_15.log").unwrap();
/// use carla_rec::{Reader, Scene};
/// let reader = Reader::new(&file)?;
/// let scene = Scene::read(&reader)?;
/// let hero = scene.hero().expect("there is one");
/// assert_eq!((hero.id, hero.type_id.as_str()), (25, "vehicle.tesla.model3"));
/// for state in scene.track(hero.id)? {
///     println!("{} s: {:?}", state.moment.elapsed, state.pose); // right-handed, metres
/// }
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug)]
pub struct Scene<'r, 'a> {
    reader: &'r Reader<'a>,
    axes: Axes,
    index: FrameIndex,
    actors: Vec<Actor>,
    collisions: Vec<Episode>,
    has_late_poses: bool,
    /// Actors whose poses are late.
    late: BTreeSet<u32>,
}

/// State of an actor in a frame. Fields that the frame lacks are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct State {
    /// The frame.
    pub moment: Moment,
    /// Its pose, in the scene's axes.
    pub pose: Option<Pose>,
    /// Metres per second, in the world. If the frame holds no velocity, the change of position since the previous frame
    /// over the time it took: see [`Scene::has_late_poses`]. `None` if that is longer than
    /// [`LONGEST_STEP`](crate::LONGEST_STEP): actors move by only about 0.1 s' worth then.
    pub velocity: Option<Vector3<f64>>,
    /// Source of the velocity.
    pub velocity_from: Option<VelocityFrom>,
    /// In the world; requires additional data.
    pub angular_velocity: Option<Vector3<f64>>,
    /// Metres per second squared: the change of velocity since the previous frame, if both have the same source.
    pub acceleration: Option<Vector3<f64>>,
    /// Its control.
    pub control: Option<VehicleControl>,
    /// Its walking speed, in the file's units.
    pub walker: Option<WalkerSpeed>,
    /// Its lit lamps.
    pub lights: Option<VehicleLights>,
    /// State of a bicycle.
    pub biker: Option<Biker>,
    /// State of a traffic light.
    pub traffic_light: Option<TrafficLightState>,
}

/// Source of a velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum VelocityFrom {
    /// The recording: packet 12, part of the additional data.
    Kinematics,
    /// The change of position since the previous frame.
    Poses,
}

/// The states of one actor, in order of time.
pub type Track = Vec<State>;

impl<'r, 'a> Scene<'r, 'a> {
    /// Reads actors, frames and collisions, in right-handed axes. Returns an error at the first fault of the recording;
    /// `robolog recover` makes a damaged one valid.
    pub fn read(reader: &'r Reader<'a>) -> Result<Self> {
        let index = FrameIndex::scan(reader)?;
        let mut world = World::new(reader.header());
        let (mut episodes, mut late) = (Episodes::default(), LatePoses::default());
        for frame in Frames::new(reader) {
            let frame = frame?;
            episodes.begin_frame();
            late.begin_frame(frame.start().elapsed);
            for packet in frame.packets() {
                let packet = packet?;
                world.apply(&packet)?;
                if matches!(packet.id(), 2 | 5 | 6) {
                    let payload = packet.decode()?;
                    late.take(&payload);
                    let Payload::Collision(collisions) = payload else { continue };
                    for collision in collisions {
                        episodes.push(world.moment(), &collision);
                    }
                }
            }
        }
        let mut actors = world.departed;
        actors.extend(world.actors.into_values());
        actors.sort_by_key(|actor| (actor.created.frame, actor.id));
        let (collisions, has_late_poses) = (episodes.list().to_vec(), late.is_late());
        let vehicles = actors.iter().filter(|actor| has_late_poses && actor.kind == ActorKind::VEHICLE);
        let late = vehicles.map(|actor| actor.id).collect();
        Ok(Self { reader, axes: Axes::Ros, index, actors, collisions, has_late_poses, late })
    }

    /// The same in other axes.
    #[must_use]
    pub fn with_axes(mut self, axes: Axes) -> Self {
        self.axes = axes;
        self
    }

    /// Whether a frame holds the poses of vehicles of the start of the previous frame, as recorders of 0.9.6 write them:
    /// the poses then differ by the motion of the previous interval. Found from the interval in which moving vehicles
    /// move evenly; false if all intervals are equal. Poses of walkers are those of their frame.
    pub fn has_late_poses(&self) -> bool {
        self.has_late_poses
    }

    /// Number, times and place of every frame, and the world at each.
    pub fn index(&self) -> &FrameIndex {
        &self.index
    }

    /// Number, times and place of every frame.
    pub fn frames(&self) -> &[FrameEntry] {
        self.index.entries()
    }

    /// All actors of the recording, in order of appearance.
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// The first actor with this id.
    pub fn actor(&self, id: u32) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.id == id)
    }

    /// The vehicle under test.
    pub fn hero(&self) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.is_hero())
    }

    /// Contacts of actors, with their first and last frames.
    pub fn collisions(&self) -> &[Episode] {
        &self.collisions
    }

    /// All states of an actor, by frame; frames without a state are left out.
    pub fn track(&self, id: u32) -> Result<Track> {
        let mut track = Track::new();
        let (mut before, mut intervals) = (None, Intervals::default());
        for frame in Frames::new(self.reader) {
            let (mut found, frame) = (Found::new(Some(id), self.axes), frame?);
            found.read(&frame)?;
            intervals.push(frame.start().elapsed);
            let poses = intervals.of_poses(self.late.contains(&id));
            let state = found
                .states
                .remove(&id)
                .map(|state| state.after(before.as_ref(), intervals.own, poses, self.axes));
            track.extend(state);
            before = state;
        }
        Ok(track)
    }

    /// All states in a frame, by actor. Accelerations need the previous frame.
    pub fn states(&self, entry: &FrameEntry) -> Result<BTreeMap<u32, State>> {
        // A velocity needs the previous frame, its change the one before that, and late poses the interval before.
        let place = self.frames().partition_point(|other| other.offset < entry.offset);
        let before = self.frames().part(place.saturating_sub(2)..place);
        let (mut states, mut intervals) = (BTreeMap::<u32, State>::new(), Intervals::default());
        let first = place.saturating_sub(4)..place.saturating_sub(2);
        for entry in self.frames().get(first).unwrap_or_default() {
            intervals.push(entry.elapsed);
        }
        for entry in before.iter().chain([entry]) {
            let mut found = Found::new(None, self.axes);
            if let Some(frame) = Frames::from_entry(self.reader, entry).next() {
                found.read(&frame?)?;
            }
            intervals.push(entry.elapsed);
            for (id, state) in &mut found.states {
                let poses = intervals.of_poses(self.late.contains(id));
                *state = state.after(states.get(id), intervals.own, poses, self.axes);
            }
            states = found.states;
        }
        Ok(states)
    }

    /// Engine, gears and wheels of a vehicle; requires additional data of UE4.
    pub fn physics(&self, id: u32) -> Result<Option<VehiclePhysics<'a>>> {
        for frame in Frames::new(self.reader) {
            let Some(payload) = frame?.payload(15) else { continue };
            let Payload::PhysicsControl(physics) = payload? else { continue };
            for control in physics {
                match control {
                    PhysicsControl::Vehicle(vehicle) if vehicle.id == id => return Ok(Some(vehicle)),
                    _ => {}
                }
            }
        }
        Ok(None)
    }
}

impl State {
    /// Adds what follows from the previous frame: acceleration, and velocity if the frame has none.
    fn after(mut self, before: Option<&Self>, own: Option<f64>, of_poses: Option<f64>, axes: Axes) -> Self {
        let Some(before) = before else { return self };
        if self.velocity.is_none() {
            let poses = before.pose.zip(self.pose).zip(of_poses);
            self.velocity =
                poses.and_then(|((from, to), seconds)| axes.velocity_between(&from, &to, seconds));
            self.velocity_from = self.velocity.map(|_| VelocityFrom::Poses);
        }
        if self.velocity_from == before.velocity_from {
            let from_poses = self.velocity_from == Some(VelocityFrom::Poses);
            let seconds = if from_poses { of_poses } else { own };
            let velocities = before.velocity.zip(self.velocity).zip(seconds);
            self.acceleration =
                velocities.and_then(|((from, to), seconds)| Axes::acceleration(from, to, seconds));
        }
        self
    }
}

/// Time since the previous frame, and the interval before, both in seconds.
#[derive(Debug, Clone, Copy, Default)]
struct Intervals {
    elapsed: Option<f64>,
    own: Option<f64>,
    before: Option<f64>,
}

impl Intervals {
    /// Advances to the frame that begins at `elapsed` seconds.
    fn push(&mut self, elapsed: f64) {
        let own = self.elapsed.map(|before| elapsed - before);
        *self = Self { elapsed: Some(elapsed), own, before: self.own };
    }

    /// The time in which a pose changed since the previous frame.
    fn of_poses(&self, is_late: bool) -> Option<f64> {
        let interval = if is_late { self.before } else { self.own };
        interval.filter(|interval| *interval <= LONGEST_STEP)
    }
}

/// Collects the states in a frame, of one actor or of all.
struct Found {
    id: Option<u32>,
    axes: Axes,
    states: BTreeMap<u32, State>,
}

impl Found {
    fn new(id: Option<u32>, axes: Axes) -> Self {
        Self { id, axes, states: BTreeMap::new() }
    }

    fn read(&mut self, frame: &Frame<'_, '_>) -> Result<()> {
        let start = frame.start();
        for packet in frame.packets() {
            match packet?.decode()? {
                Payload::Position(rows) => match self.id {
                    Some(id) => rows.of(id).into_iter().for_each(|row| self.position(start, row)),
                    None => rows.iter().for_each(|row| self.position(start, row)),
                },
                Payload::Kinematics(rows) => rows.iter().for_each(|row| self.kinematics(start, row)),
                Payload::AnimVehicle(rows) => {
                    rows.iter().for_each(|row| self.of(start, row.id, |s| s.control = Some(row)));
                }
                Payload::AnimWalker(rows) => {
                    rows.iter().for_each(|row| self.of(start, row.id, |s| s.walker = Some(row)));
                }
                Payload::VehicleLight(rows) => {
                    rows.iter().for_each(|row| self.of(start, row.id, |s| s.lights = Some(row)));
                }
                Payload::AnimBiker(rows) => {
                    rows.iter().for_each(|row| self.of(start, row.id, |s| s.biker = Some(row)));
                }
                Payload::State(rows) => {
                    rows.iter().for_each(|row| self.of(start, row.id, |s| s.traffic_light = Some(row)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn of(&mut self, start: FrameStart, id: u32, change: impl FnOnce(&mut State)) {
        if self.id.is_none_or(|wanted| wanted == id) {
            let moment = Moment::from(start);
            change(self.states.entry(id).or_insert_with(|| State { moment, ..State::default() }));
        }
    }

    fn position(&mut self, start: FrameStart, row: Position) {
        let pose = self.axes.pose(row.location, row.rotation);
        self.of(start, row.id, |state| state.pose = Some(pose));
    }

    fn kinematics(&mut self, start: FrameStart, row: Kinematics) {
        let axes = self.axes;
        self.of(start, row.id, |state| {
            state.velocity = Some(axes.velocity(row.linear_velocity));
            state.velocity_from = Some(VelocityFrom::Kinematics);
            state.angular_velocity = Some(axes.angular_velocity(row.angular_velocity));
        });
    }
}
