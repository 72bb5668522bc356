//! Packets to samples.
//!
//! | channel | value | columns of rows |
//! |---|---|---|
//! | `actor_ID/poses` | odometry in `map`: pose, and with additional data the velocity | |
//! | `actor_ID/kinematics` | row | velocity, angular velocity, acceleration, all in `map` |
//! | `actor_ID/controls`, `walkers`, `lights`, `wheels`, `bikers`, `doors` | row | as in the packet |
//! | `actor_ID/traffic_lights`, `traffic_light_times` | row | state, frozen, elapsed; green, yellow, red |
//! | `actor_ID/bounding_boxes`, `trigger_volumes` | row | middle, half of the size |
//! | `actor_ID/bones`, `physics`, `physics_wheels`, `physics_gears`, `physics_curves` | row | as in the packet |
//! | `frames` | row | number, elapsed, duration, platform time, visual time |
//! | `events` | row | `create`, `destroy` or `parent`, and whom |
//! | `actors` | row, once, when an actor disappears or the recording ends | life span, blueprint, role, parent, box |
//! | `attributes` | row, one an attribute | actor, name, value, type by name and number |
//! | `collisions` | row | episode, actors, heroes |
//! | `scene_lights`, `weather` | row | as in the packet |
//!
//! Times are the header's date plus the seconds since; units and axes are chosen by [`Options::axes`].

mod axes;
mod rows;
mod tables;

use std::{collections::HashMap, sync::Arc};

use nalgebra::{UnitQuaternion, Vector3};
use robolog_core::{Error, Field, Odometry, Pose, Result, Sample, Timestamp, Value};

pub use self::axes::Axes;
use self::tables::Table;
pub(crate) use self::tables::tables;
use crate::{
    CarlaRec, Episodes, Header, Kind, Payload, Record, Release, World,
    by_id::ById,
    frames,
    layout::{FrameStart, Kinematics, Position, Rotation},
};

/// What can be chosen when packets become samples. By default right-handed axes, metres and radians.
///
/// ```
/// use carla_rec::{Axes, Options};
/// let mut options = Options::default();
/// options.axes = Axes::Unreal; // left-handed, as the simulator has them
/// let samples = carla_rec::open("examples/v0_9_15.log")?.samples_with(options);
/// assert!(samples.flatten().any(|sample| sample.channel.ends_with("/poses")));
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// Axes and units.
    pub axes: Axes,
    /// The release that wrote the recording, where its bytes do not show it or mislead; found from the bytes by default.
    pub dialect: Option<Release>,
}

/// Makes samples of packets: see [`robolog_core::Sampling`].
///
/// ```
/// use carla_rec::{Error, Options, Sampler, robolog_core::{Sample, Sampling}};
///
/// # let file = std::fs::read("examples/v0_9_15.log").unwrap();
/// let reader = carla_rec::Reader::new(&file)?;
/// let mut sampler = Sampler::new(reader.header(), Options::default());
/// let mut count = 0;
/// let mut sink = |sample: &mut Sample| {
///     // Lent: `sample.take()` keeps it.
///     count += 1;
///     println!("{:?} {}", sample.time, sample.channel);
///     Ok::<(), Error>(())
/// };
/// for record in reader.records() {
///     sampler.push(&record?, &mut sink)?;
/// }
/// sampler.finish(&mut sink)?;
/// assert!(count > 0);
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug)]
pub struct Sampler {
    header: Header,
    axes: Axes,
    /// The number of the first type of attributes, as far as it is known.
    attribute_base: Option<u8>,
    fields: [Arc<[Field]>; Table::COUNT],
    world: World,
    episodes: Episodes,
    frame: Option<Frame>,
    /// Poses wait for the velocities of their frame.
    poses: Vec<(Position, u64)>,
    kinematics: HashMap<u32, Kinematics>,
    /// Of the frame before: for accelerations.
    before: HashMap<u32, (f64, Vector3<f64>)>,
    actors: ById<ActorChannels>,
    channels: [Arc<str>; Table::COUNT],
    map: Arc<str>,
    /// The sample of all rows.
    row: Sample,
}

/// The frame at hand.
#[derive(Debug, Clone, Copy)]
struct Frame {
    start: FrameStart,
    time: Option<Timestamp>,
    offset: u64,
    platform_time: Option<f64>,
    visual_time: Option<f64>,
}

/// What is kept for each actor: its sample and the names of its channels.
#[derive(Debug, Default)]
struct ActorChannels {
    odometry: Option<Box<Sample>>,
    /// The last rotation as an orientation: most actors of a town stand still.
    orientation: Option<Box<(Rotation, UnitQuaternion<f64>)>>,
    /// Of the few tables that are about it.
    channels: Vec<(Table, Arc<str>)>,
}

/// More actors than this at once are not remembered by name.
const MOST_ACTORS: usize = 1 << 13;

type Sink<'a, E> = &'a mut dyn FnMut(&mut Sample) -> Result<(), E>;

impl robolog_core::Sampling for Sampler {
    type Format = CarlaRec;
    type Options = Options;

    fn new(header: &Header, options: Options) -> Self {
        let map: Arc<str> = "map".into();
        let (channel, frame_id) = (Table::Frames.name().into(), map.clone());
        Self {
            header: header.clone(),
            axes: options.axes,
            attribute_base: header.dialect.attribute_base,
            fields: Table::fields(options.axes),
            world: World::new(header),
            episodes: Episodes::default(),
            frame: None,
            poses: Vec::new(),
            kinematics: HashMap::new(),
            before: HashMap::new(),
            actors: ById::default(),
            channels: Table::ALL.map(|table| table.name().into()),
            map,
            row: Sample { time: None, offset: 0, channel, frame_id, value: Value::Scalar(0.0) },
        }
    }

    fn push<E: From<Error>>(&mut self, record: &Record<'_>, sink: Sink<'_, E>) -> Result<(), E> {
        let payload = record.decode()?;
        let mut unfinished = None;
        if let Payload::FrameStart(start) = payload {
            unfinished = self.unfinished();
            self.end_frame(sink)?;
            self.begin_frame(start, record.offset());
        }
        self.learn_attribute_base(&payload);
        let taken = self.world.take(&payload);
        let at = record.offset();
        match payload {
            Payload::FrameEnd => self.end_frame(sink)?,
            Payload::PlatformTime(time) => self.set(|frame| frame.platform_time = Some(time)),
            Payload::VisualTime(time) => self.set(|frame| frame.visual_time = Some(time)),
            Payload::Position(rows) => {
                self.flush_poses(sink)?;
                self.poses.extend(rows.iter().map(|position| (position, at)));
            }
            Payload::Kinematics(rows) => {
                for kinematics in rows {
                    self.kinematics.insert(kinematics.id, kinematics);
                    self.kinematics_row(&kinematics, at, sink)?;
                }
            }
            other => self.rows(&other, at, sink)?,
        }
        taken?;
        unfinished.map_or(Ok(()), |error| Err(error.into()))
    }

    /// What every frame repeats of each actor is not decoded.
    fn push_unwanted<E: From<Error>>(&mut self, record: &Record<'_>, sink: Sink<'_, E>) -> Result<(), E> {
        match record.kind() {
            Kind::Position
            | Kind::State
            | Kind::AnimVehicle
            | Kind::AnimWalker
            | Kind::AnimVehicleWheels
            | Kind::AnimBiker
            | Kind::VehicleLight
            | Kind::WalkerBones => Ok(()),
            _ => self.push(record, sink),
        }
    }

    /// Delivers the last frame when it has no end, which is an error then, and the actors that are there until the
    /// recording ends.
    fn finish<E: From<Error>>(&mut self, sink: Sink<'_, E>) -> Result<(), E> {
        let unfinished = self.unfinished();
        self.end_frame(sink)?;
        // One by one: there may be a million.
        while let Some((_, actor)) = self.world.actors.pop_first() {
            self.life_row(&actor, sink)?;
        }
        unfinished.map_or(Ok(()), |error| Err(error.into()))
    }
}

impl Sampler {
    fn begin_frame(&mut self, start: FrameStart, offset: u64) {
        let time = self.header.time(start.elapsed);
        self.frame = Some(Frame { start, time, offset, platform_time: None, visual_time: None });
        self.episodes.begin_frame();
        // A frame without velocities says nothing: those before it are no use any more.
        if !self.kinematics.is_empty() {
            self.kinematics.clear();
        }
    }

    /// What is wrong with the frame at hand when another begins or the recording ends.
    fn unfinished(&self) -> Option<Error> {
        self.frame.map(|frame| frames::without_end(frame.offset))
    }

    fn set(&mut self, change: impl FnOnce(&mut Frame)) {
        if let Some(frame) = &mut self.frame {
            change(frame);
        }
    }

    /// Whether attribute types count from 0 or from 1, found from the recording.
    fn learn_attribute_base(&mut self, payload: &Payload<'_>) {
        if let Payload::EventAdd(additions) = payload
            && self.attribute_base.is_none()
        {
            let mut additions = additions.into_iter().map_while(Result::ok);
            self.attribute_base = additions.find_map(|addition| addition.attributes.base());
        }
    }

    fn number(&self) -> Option<u64> {
        self.frame.map(|f| f.start.frame)
    }

    fn end_frame<E: From<Error>>(&mut self, sink: Sink<'_, E>) -> Result<(), E> {
        self.flush_poses(sink)?;
        self.departed(sink)?;
        let Some(frame) = self.frame.take() else { return Ok(()) };
        let elapsed = frame.start.elapsed;
        let axes = self.axes;
        self.before = self
            .kinematics
            .drain()
            .map(|(id, k)| (id, (elapsed, axes.velocity(k.linear_velocity))))
            .collect();
        self.frame_row(&frame, sink)
    }

    /// Delivers the poses of the frame, with the velocities where there are any.
    fn flush_poses<E: From<Error>>(&mut self, sink: Sink<'_, E>) -> Result<(), E> {
        let time = self.frame.and_then(|f| f.time);
        let poses = std::mem::take(&mut self.poses);
        let outcome = poses.iter().try_for_each(|(position, offset)| {
            let axes = self.axes;
            let orientation = self.orientation(position);
            let pose = Pose { position: axes.location(position.location), orientation };
            let twist = self.kinematics.get(&position.id).map(|k| axes.twist_of(orientation, k));
            let sample = self.pose_sample(position.id);
            (sample.time, sample.offset) = (time, *offset);
            match &mut sample.value {
                // The name of the frame is used again.
                Value::Odometry(odometry) => (odometry.pose, odometry.twist) = (pose, twist),
                taken => *taken = odometry(position.id, pose, twist),
            }
            sink(sample)
        });
        self.poses = poses;
        self.poses.clear();
        outcome
    }

    fn actor(&mut self, id: u32) -> &mut ActorChannels {
        if self.actors.len() >= MOST_ACTORS && self.actors.get(id).is_none() {
            self.actors = ById::default();
        }
        self.actors.get_or_insert_with(id, ActorChannels::default)
    }

    /// The orientation of an actor; computed anew where its rotation is another than before.
    fn orientation(&mut self, position: &Position) -> UnitQuaternion<f64> {
        let (axes, rotation) = (self.axes, position.rotation);
        let bits = |r: Rotation| r.to_array().map(f64::to_bits);
        match &mut self.actor(position.id).orientation {
            Some(known) if bits(known.0) == bits(rotation) => known.1,
            Some(known) => {
                **known = (rotation, axes.orientation(rotation));
                known.1
            }
            none => none.insert(Box::new((rotation, axes.orientation(rotation)))).1,
        }
    }

    /// The sample of an actor's poses.
    fn pose_sample(&mut self, id: u32) -> &mut Sample {
        let map = self.map.clone();
        self.actor(id).odometry.get_or_insert_with(|| {
            Box::new(Sample {
                time: None,
                offset: 0,
                channel: poses_channel(id).into(),
                frame_id: map,
                value: odometry(id, Pose::identity(), None),
            })
        })
    }

    /// The name of an actor's channel of a table.
    fn channel(&mut self, id: u32, table: Table) -> Arc<str> {
        let channels = &mut self.actor(id).channels;
        if let Some((_, name)) = channels.iter().find(|(known, _)| *known == table) {
            return name.clone();
        }
        let name: Arc<str> = format!("actor_{id}/{}", table.name()).into();
        channels.reserve_exact(1);
        channels.push((table, name.clone()));
        name
    }
}

/// The channel of an actor's poses.
pub fn poses_channel(actor: u32) -> String {
    format!("actor_{actor}/poses")
}

fn odometry(id: u32, pose: Pose, twist: Option<robolog_core::Twist>) -> Value {
    Value::Odometry(Odometry { child_frame_id: format!("actor_{id}"), pose, twist })
}
