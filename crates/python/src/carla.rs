//! Recordings of the CARLA simulator by actor and frame, for `pyrobolog.carla.MetricsLog`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use carla_rec::{
    Actor, ActorKind, LONGEST_STEP, LatePoses, Payload, PhysicsControl, StreamReader, World,
    layout::{BoundingBox, FrameStart, PhysicsScalars, Vector},
};
use pyo3::{exceptions::PyIndexError, prelude::*, types::PyDict};
use robolog_convert::Result;
use robolog_core::Event;

use crate::{opened::Opened, pulse::Pulse, recording::Recording};

/// x, y, z of Unreal's axes.
type Xyz = (f64, f64, f64);

/// A whole recording in memory, in the simulator's axes and in metres.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct CarlaLog {
    map: String,
    frames: Vec<Frame>,
    /// In order of appearance.
    actors: Vec<Actor>,
    /// Vehicles whose poses are those of the frame before.
    late: BTreeSet<u32>,
}

#[derive(Default)]
struct Frame {
    start: FrameStart,
    platform_time: Option<f64>,
    rows: BTreeMap<u32, Row>,
    collisions: BTreeMap<u32, Vec<u32>>,
    scene_lights: BTreeMap<i32, (Rgba, f64, bool, u8)>,
    light_times: BTreeMap<u32, (f64, f64, f64)>,
    physics: BTreeMap<u32, Vec<(&'static str, f64)>>,
}

/// Red, green, blue, opacity, linear from 0 to 1.
type Rgba = (f64, f64, f64, f64);

/// State of an actor in a frame.
#[derive(Default)]
struct Row {
    /// Metres; pitch, yaw and roll in degrees.
    transform: Option<(Xyz, Xyz)>,
    velocity: Option<Xyz>,
    angular_velocity: Option<Xyz>,
    /// Throttle, steer, brake, handbrake, gear.
    control: Option<(f64, f64, f64, bool, i32)>,
    /// Metres per second.
    speed: Option<f64>,
    lights: Option<u32>,
    /// State, frozen, seconds in this state.
    traffic_light: Option<(u8, bool, f64)>,
}

impl CarlaLog {
    /// Reads a whole recording. Damage ends a frame early; later frames follow.
    pub(crate) fn read(recording: &Opened, pulse: &Pulse) -> Result<Self> {
        let mut reader = StreamReader::new(recording.input(pulse)?.into_stream())?;
        // A packet by itself may not show what it is.
        let dialect = carla_rec::learn(&mut reader)?;
        let mut reader = StreamReader::new(recording.input(pulse)?.into_stream())?;
        reader.header_mut().dialect = dialect;
        let map = reader.header().map_text();
        let (mut world, mut late) = (World::new(reader.header()), LatePoses::default());
        let mut frames = Vec::new();
        let mut frame: Option<Frame> = None;
        // Index of each actor in order of appearance.
        let mut order = HashMap::new();
        loop {
            let record = match reader.next_event()? {
                Event::Record(record) => record,
                Event::Damage { .. } => continue,
                Event::End => break,
            };
            // Packets that cannot be decoded are skipped.
            let Ok(payload) = record.decode() else { continue };
            let _ = world.take(&payload);
            if let Payload::FrameStart(start) = payload {
                late.begin_frame(start.elapsed);
            }
            late.take(&payload);
            if let Payload::EventAdd(additions) = &payload {
                for addition in (*additions).into_iter().flatten() {
                    let place = order.len();
                    order.insert((world.moment().frame, addition.id), place);
                }
            }
            match payload {
                Payload::FrameStart(start) => frame = Some(Frame { start, ..Frame::default() }),
                Payload::FrameEnd => frames.extend(frame.take()),
                payload => {
                    if let Some(frame) = &mut frame {
                        frame.take(&payload);
                    }
                }
            }
        }
        let mut actors = world.departed;
        actors.extend(world.actors.into_values());
        actors.sort_by_key(|actor| order.get(&(actor.created.frame, actor.id)));
        let vehicles = actors.iter().filter(|actor| late.is_late() && actor.kind == ActorKind::VEHICLE);
        let late = vehicles.map(|actor| actor.id).collect();
        Ok(Self { map, frames, actors, late })
    }
}

impl Frame {
    fn take(&mut self, payload: &Payload<'_>) {
        match payload {
            Payload::PlatformTime(seconds) => self.platform_time = Some(*seconds),
            Payload::Position(rows) => rows.iter().for_each(|row| {
                let turn = (row.rotation.pitch, row.rotation.yaw, row.rotation.roll);
                self.row(row.id).transform = Some((metres(row.location), turn));
            }),
            Payload::Kinematics(rows) => rows.iter().for_each(|row| {
                let found = self.row(row.id);
                found.velocity = Some(xyz(row.linear_velocity));
                found.angular_velocity = Some(xyz(row.angular_velocity));
            }),
            Payload::AnimVehicle(rows) => rows.iter().for_each(|row| {
                let pedals = (row.throttle.into(), row.steer.into(), row.brake.into());
                self.row(row.id).control = Some((pedals.0, pedals.1, pedals.2, row.handbrake, row.gear));
            }),
            Payload::AnimWalker(rows) => {
                rows.iter().for_each(|row| self.row(row.id).speed = Some(f64::from(row.speed) / 100.0));
            }
            Payload::VehicleLight(rows) => {
                rows.iter().for_each(|row| self.row(row.id).lights = Some(row.flags));
            }
            Payload::State(rows) => rows.iter().for_each(|row| {
                self.row(row.id).traffic_light = Some((row.state, row.frozen, row.elapsed.into()));
            }),
            Payload::Collision(rows) => rows.iter().for_each(|row| {
                let others = self.collisions.entry(row.actor1).or_default();
                if !others.contains(&row.actor2) {
                    others.push(row.actor2);
                }
            }),
            Payload::SceneLight(rows) => rows.iter().for_each(|row| {
                let colour = (row.red.into(), row.green.into(), row.blue.into(), row.alpha.into());
                self.scene_lights.insert(row.id, (colour, row.intensity.into(), row.on, row.group));
            }),
            Payload::TrafficLightTime(rows) => rows.iter().for_each(|row| {
                self.light_times.insert(row.id, (row.red.into(), row.yellow.into(), row.green.into()));
            }),
            Payload::PhysicsControl(physics) => {
                for control in *physics {
                    if let PhysicsControl::Vehicle(vehicle) = control {
                        self.physics.insert(vehicle.id, scalars(&vehicle.scalars));
                    }
                }
            }
            _ => {}
        }
    }

    fn row(&mut self, id: u32) -> &mut Row {
        self.rows.entry(id).or_default()
    }
}

fn xyz(v: Vector) -> Xyz {
    (v.x, v.y, v.z)
}

/// Centimetres to metres.
fn metres(v: Vector) -> Xyz {
    (v.x / 100.0, v.y / 100.0, v.z / 100.0)
}

/// Physics of a vehicle, in the file's units.
fn scalars(of: &PhysicsScalars) -> Vec<(&'static str, f64)> {
    vec![
        ("max_rpm", of.max_rpm.into()),
        ("moi", of.moi.into()),
        ("damping_rate_full_throttle", of.damping_rate_full_throttle.into()),
        ("damping_rate_zero_throttle_clutch_engaged", of.damping_rate_zero_throttle_clutch_engaged.into()),
        (
            "damping_rate_zero_throttle_clutch_disengaged",
            of.damping_rate_zero_throttle_clutch_disengaged.into(),
        ),
        ("use_gear_autobox", f64::from(u8::from(of.use_gear_auto_box))),
        ("clutch_strength", of.clutch_strength.into()),
        ("final_ratio", of.final_ratio.into()),
        ("mass", of.mass.into()),
        ("drag_coefficient", of.drag_coefficient.into()),
        ("center_of_mass_x", of.center_of_mass_x.into()),
        ("center_of_mass_y", of.center_of_mass_y.into()),
        ("center_of_mass_z", of.center_of_mass_z.into()),
    ]
}

#[pymethods]
impl CarlaLog {
    /// Reads a recording.
    #[new]
    fn new(py: Python<'_>, recording: &Recording) -> PyResult<Self> {
        let recording = recording.opened();
        let pulse = Pulse::new(None, recording.source.len());
        let read = py.detach(|| Self::read(recording, &pulse));
        recording.outcome(py, read, &pulse)
    }

    #[getter]
    fn map(&self) -> &str {
        &self.map
    }

    fn __len__(&self) -> usize {
        self.frames.len()
    }

    /// Times of a frame, counted from 0, in seconds: since the start, since the previous frame, and of the computer's
    /// clock.
    fn times(&self, frame: isize) -> PyResult<(f64, f64, Option<f64>)> {
        let Frame { start, platform_time, .. } = self.frame(frame)?;
        let before = frame.checked_sub(1).and_then(|before| self.frame(before).ok());
        let delta = before.map_or(0.0, |before| start.elapsed - before.start.elapsed);
        Ok((start.elapsed, delta, *platform_time))
    }

    /// Actors that collide with each actor in a frame.
    fn collisions(&self, actor: u32) -> BTreeMap<usize, Vec<u32>> {
        let found = |(number, frame): (usize, &Frame)| Some((number, frame.collisions.get(&actor)?.clone()));
        self.frames.iter().enumerate().filter_map(found).collect()
    }

    /// Actors in a frame.
    fn ids(&self, frame: isize) -> PyResult<Vec<u32>> {
        Ok(self.frame(frame)?.rows.keys().copied().collect())
    }

    /// All actors in order of appearance, as dictionaries; for a reused number, the last one.
    fn actors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for actor in &self.actors {
            let one = PyDict::new(py);
            for attribute in &actor.attributes {
                one.set_item(attribute.id_text(), attribute.value_text())?;
            }
            one.set_item("type_id", &actor.type_id)?;
            one.set_item("location", metres(actor.location))?;
            one.set_item("created", actor.created.frame)?;
            if let Some(destroyed) = actor.destroyed {
                one.set_item("destroyed", destroyed.frame)?;
            }
            if let Some(parent) = actor.parent {
                one.set_item("parent", parent)?;
            }
            let place = |bounds: &BoundingBox| (metres(bounds.origin), metres(bounds.extent));
            if let Some(bounds) = &actor.bounding_box {
                one.set_item("bounding_box", place(bounds))?;
            }
            if let Some(bounds) = &actor.trigger_volume {
                one.set_item("trigger_volume", place(bounds))?;
            }
            all.set_item(actor.id, one)?;
        }
        Ok(all)
    }

    /// Location in metres, and pitch, yaw and roll in degrees.
    fn transform(&self, actor: u32, frame: isize) -> PyResult<Option<(Xyz, Xyz)>> {
        Ok(self.row(actor, frame)?.and_then(|row| row.transform))
    }

    /// Metres per second: from the recording, else the change of location since the previous frame over the time that
    /// it took. `None` in frames so long that actors move in only a part of their time.
    fn velocity(&self, actor: u32, frame: isize) -> PyResult<Option<Xyz>> {
        let Some(row) = self.row(actor, frame)? else { return Ok(None) };
        if row.velocity.is_some() || frame == 0 {
            return Ok(row.velocity);
        }
        let before = self.row(actor, frame.saturating_sub(1))?.and_then(|row| row.transform);
        let seconds = self.pose_interval(actor, frame);
        Ok(before.zip(row.transform).zip(seconds).and_then(|((from, to), t)| change(from.0, to.0, t)))
    }

    /// Degrees per second.
    fn angular_velocity(&self, actor: u32, frame: isize) -> PyResult<Option<Xyz>> {
        Ok(self.row(actor, frame)?.and_then(|row| row.angular_velocity))
    }

    /// Metres per second squared: the change of velocity since the previous frame.
    fn acceleration(&self, actor: u32, frame: isize) -> PyResult<Option<Xyz>> {
        if frame == 0 {
            return Ok(None);
        }
        let before = self.velocity(actor, frame.saturating_sub(1))?;
        let velocities = before.zip(self.velocity(actor, frame)?);
        let is_recorded = self.row(actor, frame)?.is_some_and(|row| row.velocity.is_some());
        let seconds = if is_recorded { self.interval(frame) } else { self.pose_interval(actor, frame) };
        Ok(velocities.zip(seconds).and_then(|((from, to), t)| change(from, to, t)))
    }

    /// Throttle, steer, brake, handbrake, gear.
    #[expect(clippy::type_complexity, reason = "a tuple for Python")]
    fn control(&self, actor: u32, frame: isize) -> PyResult<Option<(f64, f64, f64, bool, i32)>> {
        Ok(self.row(actor, frame)?.and_then(|row| row.control))
    }

    /// Metres per second.
    fn speed(&self, actor: u32, frame: isize) -> PyResult<Option<f64>> {
        Ok(self.row(actor, frame)?.and_then(|row| row.speed))
    }

    /// Bits of the lit lamps.
    fn lights(&self, actor: u32, frame: isize) -> PyResult<Option<u32>> {
        Ok(self.row(actor, frame)?.and_then(|row| row.lights))
    }

    /// State, whether it is frozen, and seconds in this state.
    fn traffic_light(&self, actor: u32, frame: isize) -> PyResult<Option<(u8, bool, f64)>> {
        Ok(self.row(actor, frame)?.and_then(|row| row.traffic_light))
    }

    /// Seconds that a traffic light is red, yellow and green, as of a frame.
    fn light_times(&self, actor: u32, frame: isize) -> PyResult<Option<(f64, f64, f64)>> {
        self.latest(frame, |frame| frame.light_times.get(&actor).copied())
    }

    /// Colour, lumens, whether it is lit, and group of a lamp of the scenery, as of a frame.
    fn scene_light(&self, light: i32, frame: isize) -> PyResult<Option<(Rgba, f64, bool, u8)>> {
        self.latest(frame, |frame| frame.scene_lights.get(&light).copied())
    }

    /// Physics of a vehicle, as of a frame.
    fn physics(&self, vehicle: u32, frame: isize) -> PyResult<Option<BTreeMap<&'static str, f64>>> {
        self.latest(frame, |frame| Some(frame.physics.get(&vehicle)?.iter().copied().collect()))
    }
}

impl CarlaLog {
    fn frame(&self, frame: isize) -> PyResult<&Frame> {
        let found = usize::try_from(frame).ok().and_then(|frame| self.frames.get(frame));
        found.ok_or_else(|| PyIndexError::new_err(format!("frame {frame} of {} frames", self.frames.len())))
    }

    fn row(&self, actor: u32, frame: isize) -> PyResult<Option<&Row>> {
        Ok(self.frame(frame)?.rows.get(&actor))
    }

    /// The value in the frame or the last one before it.
    fn latest<T>(&self, frame: isize, find: impl Fn(&Frame) -> Option<T>) -> PyResult<Option<T>> {
        self.frame(frame)?;
        let frames = usize::try_from(frame).ok().and_then(|frame| self.frames.get(..=frame));
        Ok(frames.into_iter().flatten().rev().find_map(find))
    }

    /// Seconds since the previous frame.
    fn interval(&self, frame: isize) -> Option<f64> {
        let elapsed = |frame: isize| Some(self.frame(frame).ok()?.start.elapsed);
        Some(elapsed(frame)? - elapsed(frame.checked_sub(1)?)?)
    }

    /// Seconds in which an actor moved from its pose in the previous frame to that in this one.
    fn pose_interval(&self, actor: u32, frame: isize) -> Option<f64> {
        let frame = if self.late.contains(&actor) { frame.checked_sub(1)? } else { frame };
        self.interval(frame).filter(|seconds| *seconds <= LONGEST_STEP)
    }
}

/// Change per second; `None` if no time has passed.
fn change(from: Xyz, to: Xyz, seconds: f64) -> Option<Xyz> {
    (seconds > 0.0).then(|| ((to.0 - from.0) / seconds, (to.1 - from.1) / seconds, (to.2 - from.2) / seconds))
}
