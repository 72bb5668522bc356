//! Packets to samples, counts and splits.
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
mod carry;
mod count;
mod rows;
mod tables;
mod unwanted;

use std::{ops::Range, sync::Arc};

use nalgebra::Vector3;
use robolog_core::{
    Attributes, Error, Field, Odometry, Pose, Result, Sample, Timestamp, Value,
    format::{Lent, LentNames, SurveyBuilder, Wanted},
};

pub use self::{axes::Axes, count::Details};
use self::{axes::Orientation, carry::Carried, count::Counts, tables::Table, unwanted::Unwanted};
use crate::{
    Addition, CarlaRec, Episodes, Header, Kind, Payload, Record, Release, World,
    by_id::ById,
    frames,
    layout::{FrameStart, Kinematics, Position},
    learned::Learned,
};

/// Options for samples. By default right-handed axes, metres and radians.
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
    /// The release that wrote the recording, if its bytes do not show it or are misleading; by default found from the
    /// bytes.
    pub dialect: Option<Release>,
    /// Leaves out the velocities of poses, which take longer to make than the poses.
    pub drop_velocities: bool,
}

/// Makes samples and counts of packets: see [`robolog_core::format::Decoder`].
///
/// ```
/// use carla_rec::{Decoder, Error, Options, robolog_core::{Sample, format::Decoder as _}};
///
/// # let file = std::fs::read("examples/v0_9_15.log").unwrap();
/// let reader = carla_rec::Reader::new(&file)?;
/// let mut decoder = Decoder::new(reader.header(), Options::default());
/// let mut count = 0;
/// let mut sink = |sample: &mut Sample| {
///     // Lent: `sample.take()` keeps it.
///     count += 1;
///     println!("{:?} {}", sample.time, sample.channel);
///     Ok::<(), Error>(())
/// };
/// for record in reader.records() {
///     decoder.samples(&record?, &mut sink)?;
/// }
/// decoder.last_samples(&mut sink)?;
/// assert!(count > 0);
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug)]
pub struct Decoder {
    header: Header,
    axes: Axes,
    drop_velocities: bool,
    fields: [Arc<[Field]>; Table::COUNT],
    learned: Learned,
    world: World,
    episodes: Episodes,
    frame: Option<Frame>,
    /// Poses wait for the velocities of their frame.
    poses: Vec<(Position, u64)>,
    motions: ById<Motion>,
    /// Incremented at the start and the end of each frame, when motions start afresh.
    turn: u64,
    /// The turn of the last whole frame and its time: for accelerations.
    last: Option<(u64, f64)>,
    actors: ById<ActorChannels>,
    channels: [Arc<str>; Table::COUNT],
    map: Arc<str>,
    /// The sample that all rows share.
    row: Sample,
    counts: Counts,
    carried: Carried,
    unwanted: Unwanted,
}

/// The current frame.
#[derive(Debug, Clone, Copy)]
struct Frame {
    start: FrameStart,
    time: Option<Timestamp>,
    offset: u64,
    platform_time: Option<f64>,
    visual_time: Option<f64>,
}

/// Motion of an actor, as of a turn.
#[derive(Debug)]
struct Motion {
    turn: u64,
    kinematics: Kinematics,
    /// Its velocity in the last frame.
    before: Option<Vector3<f64>>,
}

/// State of an actor: its sample and the names of its channels.
#[derive(Debug, Default)]
struct ActorChannels {
    poses: Option<Box<Poses>>,
    /// Of the few tables about it.
    names: Vec<(Table, LentNames)>,
    /// Its blueprint and role.
    attributes: Attributes,
}

/// The sample of an actor's poses, its last orientation, and the name of its frame, for values that the sink took.
#[derive(Debug)]
struct Poses {
    lent: Lent,
    orientation: Orientation,
    frame: String,
}

/// Maximum number of actors whose names are kept.
const MOST_ACTORS: usize = 1 << 13;

impl robolog_core::format::Decoder for Decoder {
    type Format = CarlaRec;
    type Options = Options;
    type Details = Details;

    fn new(header: &Header, options: Options) -> Self {
        let map: Arc<str> = "map".into();
        Self {
            header: header.clone(),
            axes: options.axes,
            drop_velocities: options.drop_velocities,
            fields: Table::fields(options.axes),
            learned: Learned::new(header.dialect),
            world: World::new(header),
            episodes: Episodes::default(),
            frame: None,
            poses: Vec::new(),
            motions: ById::default(),
            turn: 0,
            last: None,
            actors: ById::default(),
            channels: Table::ALL.map(|table| table.name().into()),
            row: Sample::new(Table::Frames.name(), Value::Scalar(0.0)).with_frame(Arc::clone(&map)),
            map,
            counts: Counts::new(header),
            carried: Carried::default(),
            unwanted: Unwanted::default(),
        }
    }

    fn begin(&mut self, header: &Header, notes: &mut SurveyBuilder) {
        Counts::begin(header, notes);
    }

    /// Skips what every frame repeats of each actor if its time is not needed.
    fn push(&mut self, record: &Record<'_>, out: &mut Wanted<'_>) -> Result<()> {
        if let Some(range) = out.range() {
            let before = self.learned.dialect;
            self.learned.observe(record);
            self.carried.push(record, range, before != self.learned.dialect);
            return Ok(());
        }
        if let Some(notes) = out.notes() {
            self.counts.push(record, &mut self.learned, &self.header, notes);
            return Ok(());
        }
        if out.skips_values() && self.is_repeated(record.id()) {
            self.learned.pass(record);
            return Ok(());
        }
        let payload = self.learned.decode(record)?;
        let mut unfinished = None;
        if let Payload::FrameStart(start) = payload {
            unfinished = self.unfinished();
            self.end_frame(out)?;
            self.begin_frame(start, record.offset());
        }
        let taken = self.world.take(&payload);
        let at = record.offset();
        match payload {
            Payload::FrameEnd => self.end_frame(out)?,
            Payload::PlatformTime(time) => self.set(|frame| frame.platform_time = Some(time)),
            Payload::VisualTime(time) => self.set(|frame| frame.visual_time = Some(time)),
            Payload::Position(rows) => {
                self.flush_poses(out)?;
                self.poses.extend(rows.iter().map(|position| (position, at)));
            }
            Payload::Kinematics(rows) => {
                for kinematics in rows {
                    let before = self.take_motion(kinematics);
                    self.kinematics_row(&kinematics, before, at, out)?;
                }
            }
            other => self.rows(&other, at, out)?,
        }
        taken?;
        self.damaged().or(unfinished).map_or(Ok(()), Err)
    }

    /// Of packets that every frame repeats and that change nothing else. Damaged ones are never skipped.
    fn is_unwanted(&mut self, record: &Record<'_>, wants: &dyn Fn(&str) -> bool) -> bool {
        if !matches!(record.id(), 7..=10 | 12) && !self.is_shifting(record.id()) {
            return false;
        }
        let mut unwanted = std::mem::take(&mut self.unwanted);
        let is_unwanted = self.learned.decode(record).is_ok_and(|payload| {
            unwanted.has(&payload, self.drop_velocities, &mut |id, table| {
                let Self { actors, map, .. } = &mut *self;
                let actor = known(actors, id);
                actor.names(id, table, map).is_some_and(|names| wants(names.channel()))
            })
        });
        self.unwanted = unwanted;
        is_unwanted
    }

    fn damage(&mut self, error: &Error, lost: Range<u64>, notes: &mut SurveyBuilder) {
        self.counts.damage(error, lost, notes);
    }

    /// Delivers the last frame if it has no end, which is an error, and the actors that exist until the recording ends.
    fn finish(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        let unfinished = self.unfinished();
        self.end_frame(out)?;
        // One at a time: there may be a million.
        while let Some((_, actor)) = self.world.actors.pop_first() {
            self.life_row(&actor, out)?;
        }
        self.damaged().or(unfinished).map_or(Ok(()), Err)
    }

    fn prerequisites(&self, next: &Record<'_>) -> Option<Vec<Range<u64>>> {
        // What turns out to be damaged is reported by the part that shows it.
        self.carried.ranges(next).filter(|_| !self.learned.is_puzzled())
    }

    fn details(self, notes: &mut SurveyBuilder) -> (String, Details) {
        self.counts.finish(&self.learned, &self.header, notes)
    }
}

/// What is known of an actor.
fn known(actors: &mut ById<ActorChannels>, id: u32) -> &mut ActorChannels {
    if actors.len() >= MOST_ACTORS && actors.get(id).is_none() {
        *actors = ById::default();
    }
    actors.get_or_insert_with(id, ActorChannels::default)
}

impl ActorChannels {
    /// The names of its samples of a table, of which there always are some; `id` is its own.
    fn names(&mut self, id: u32, table: Table, map: &Arc<str>) -> Option<&mut LentNames> {
        let Self { names, attributes, .. } = self;
        let place = names.iter().position(|(known, _)| *known == table).unwrap_or_else(|| {
            let sample = Sample::new(format!("actor_{id}/{}", table.name()), Value::Scalar(0.0));
            let sample = sample.with_frame(Arc::clone(map)).with_attributes(attributes.clone());
            names.reserve_exact(1);
            names.push((table, LentNames::of(&sample)));
            names.len().saturating_sub(1)
        });
        names.get_mut(place).map(|(_, names)| names)
    }

    /// Its poses; `id` is its own.
    fn poses(&mut self, id: u32, map: &Arc<str>) -> &mut Poses {
        self.poses.get_or_insert_with(|| {
            let mut lent = Lent::new(poses_channel(id), Arc::clone(map));
            lent.with_attributes(&self.attributes);
            Box::new(Poses { lent, orientation: Orientation::default(), frame: format!("actor_{id}") })
        })
    }
}

impl Decoder {
    /// Whether every frame repeats packets with this id for each actor.
    fn is_repeated(&self, id: u8) -> bool {
        matches!(id, 6..=10 | 19) || self.is_shifting(id)
    }

    /// Whether packets with this id are wheels or bikers, which later releases moved.
    fn is_shifting(&self, id: u8) -> bool {
        let kind = self.learned.dialect.kind(id);
        kind.is_some_and(|kind| matches!(kind, Kind::AnimVehicleWheels | Kind::AnimBiker))
    }

    /// The error for a packet that turned out to be damaged.
    fn damaged(&mut self) -> Option<Error> {
        self.learned.fault().map(|fault| fault.error())
    }

    fn begin_frame(&mut self, start: FrameStart, offset: u64) {
        let time = self.header.time(start.elapsed);
        self.frame = Some(Frame { start, time, offset, platform_time: None, visual_time: None });
        self.episodes.begin_frame();
        self.turn = self.turn.wrapping_add(1);
    }

    /// The error for the current frame if another begins or the recording ends.
    fn unfinished(&self) -> Option<Error> {
        self.frame.map(|frame| frames::without_end(frame.offset))
    }

    fn set(&mut self, change: impl FnOnce(&mut Frame)) {
        if let Some(frame) = &mut self.frame {
            change(frame);
        }
    }

    fn number(&self) -> Option<u64> {
        self.frame.map(|f| f.start.frame)
    }

    fn end_frame(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        self.flush_poses(out)?;
        for actor in std::mem::take(&mut self.world.departed) {
            self.life_row(&actor, out)?;
        }
        let Some(frame) = self.frame.take() else { return Ok(()) };
        if self.motions.len() > MOST_ACTORS {
            self.motions.retain(|motion| motion.turn == self.turn);
        }
        self.last = Some((self.turn, frame.start.elapsed));
        self.turn = self.turn.wrapping_add(1);
        self.frame_row(&frame, out)
    }

    /// Stores the motion of an actor. Returns its velocity in the last frame.
    fn take_motion(&mut self, kinematics: Kinematics) -> Option<Vector3<f64>> {
        let (turn, axes) = (self.turn, self.axes);
        let begin = || Motion { turn, kinematics, before: None };
        let motion = self.motions.get_or_insert_with(kinematics.id, begin);
        if motion.turn != turn {
            let is_last = self.last.is_some_and(|(last, _)| motion.turn == last);
            motion.before = is_last.then(|| axes.velocity(motion.kinematics.linear_velocity));
        }
        (motion.turn, motion.kinematics) = (turn, kinematics);
        motion.before
    }

    /// Delivers the poses of the frame, with velocities if known.
    fn flush_poses(&mut self, out: &mut Wanted<'_>) -> Result<()> {
        let time = self.frame.and_then(|f| f.time);
        let poses = std::mem::take(&mut self.poses);
        let Self { actors, motions, axes, map, turn, drop_velocities, .. } = self;
        let outcome = poses.iter().try_for_each(|(position, offset)| {
            let actor = known(actors, position.id);
            let Poses { lent, orientation, frame } = actor.poses(position.id, map);
            let orientation = orientation.turn(axes.angles(position.rotation));
            let pose = Pose { position: axes.location(position.location), orientation };
            let motion = if *drop_velocities { None } else { motions.get(position.id) };
            let motion = motion.filter(|motion| motion.turn == *turn);
            let twist = motion.map(|motion| axes.twist_of(orientation, &motion.kinematics));
            let sample = lent.at(time, *offset);
            match &mut sample.value {
                // The frame's name is reused.
                Value::Odometry(odometry) => {
                    (odometry.pose, odometry.twist) = (pose, twist);
                    // The memory may be that of another actor's.
                    if odometry.child_frame_id != *frame {
                        odometry.child_frame_id.clone_from(frame);
                    }
                }
                taken => {
                    *taken = Value::Odometry(Odometry::new(frame.clone(), pose).with_twist(twist));
                }
            }
            out.sample(sample)
        });
        self.poses = poses;
        self.poses.clear();
        outcome
    }

    fn actor(&mut self, id: u32) -> &mut ActorChannels {
        known(&mut self.actors, id)
    }

    /// Keeps what an addition says of an actor.
    fn introduce(&mut self, addition: &Addition<'_>) {
        let attributes = attributes_of(addition);
        let actor = self.actor(addition.id);
        if let Some(poses) = &mut actor.poses {
            poses.lent.with_attributes(&attributes);
        }
        actor.names.iter_mut().for_each(|(_, names)| names.set_attributes(&attributes));
        actor.attributes = attributes;
    }
}

/// What an addition says of an actor's channels.
fn attributes_of(addition: &Addition<'_>) -> Attributes {
    let role = addition.attribute("role_name").map(|role| String::from_utf8_lossy(role).into_owned());
    let pairs = [("blueprint", Some(addition.type_id_text().into_owned())), ("role", role)];
    pairs.into_iter().filter_map(|(key, value)| Some((key, value.filter(|text| !text.is_empty())?))).collect()
}

/// The channel of an actor's poses.
pub fn poses_channel(actor: u32) -> String {
    format!("actor_{actor}/poses")
}
