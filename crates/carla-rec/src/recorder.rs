//! Writes recordings of the caller's own trajectories.

use std::{io::Write, path::Path};

use robolog_core::{
    Error, Pose, Result, Twist, format::NewFile, layout::LayoutWith as _, slices::InRange as _,
};

use crate::{
    ActorKind, Addition, Axes, Dialect, Header, Kind, Writer,
    layout::{
        AdditionHead, Biker, BoundingBox, Collision, Deletion, Door, FrameStart, Kinematics, Layout,
        Parenting, Position, Rotation, SceneLight, TrafficLightState, TrafficLightTimes, Vector,
        VehicleControl, VehicleLights, WalkerSpeed, Weather, Width,
    },
};

/// Writes whole frames in the dialect of its header: packets in the order of CARLA's recorder, each frame's duration up
/// to the next frame, and -1 in the last.
///
/// Poses are right-handed, in metres; everything else is in the units of [`layout`](crate::layout), and
/// [`position`](Self::position) takes poses in those too. Records that the release does not support, such as lights and
/// additional data before 0.9.10, make [`begin_frame`](Self::begin_frame) or [`finish`](Self::finish) return an error,
/// and the frame is not written.
///
/// ```
/// use carla_rec::{ActorKind, Clock, Header, NewActor, Pose, Recorder, Release, Timestamp};
/// let header = Header::new("Town01", Timestamp::new(0, Clock::Unix), Release::V0_9_15);
/// let mut recorder = Recorder::new(Vec::new(), &header)?;
/// for frame in 0..3 {
///     let elapsed = f64::from(frame) * 0.05;
///     recorder.begin_frame(elapsed)?;
///     if frame == 0 {
///         recorder.add(&NewActor::new(25, ActorKind::VEHICLE, "vehicle.tesla.model3"))?;
///     }
///     recorder.pose(25, &Pose::from_euler([elapsed * 10.0, 0.0, 0.0], 0.0, 0.0, 0.0))?;
/// }
/// assert_eq!(carla_rec::Frames::new(&carla_rec::Reader::new(&recorder.finish()?)?).count(), 3);
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a recording is whole only after `finish`"]
pub struct Recorder<W> {
    writer: Writer<W>,
    dialect: Dialect,
    frame: Option<Pending>,
    frames: u64,
}

/// The current frame.
#[derive(Debug, Default)]
struct Pending {
    elapsed: f64,
    additions: (u16, Vec<u8>),
    deletions: Vec<Deletion>,
    parentings: Vec<Parenting>,
    collisions: Vec<Collision>,
    positions: Vec<Position>,
    traffic_lights: Vec<TrafficLightState>,
    controls: Vec<VehicleControl>,
    walkers: Vec<WalkerSpeed>,
    lights: Vec<VehicleLights>,
    scene_lights: Vec<SceneLight>,
    kinematics: Vec<Kinematics>,
    boxes: Vec<BoundingBox>,
    triggers: Vec<BoundingBox>,
    times: Vec<TrafficLightTimes>,
    bikers: Vec<Biker>,
    doors: Vec<Door>,
    weather: Vec<Weather>,
    platform_time: Option<f64>,
    visual_time: Option<f64>,
}

/// An actor to be [added](Recorder::add).
///
/// ```
/// use carla_rec::{ActorKind, NewActor, Pose};
/// let walker = NewActor::new(30, ActorKind::WALKER, "walker.pedestrian.0001")
///     .at(&Pose::from_euler([2.0, -1.5, 0.9], 0.0, 0.0, 0.0)) // right-handed, metres
///     .attribute("role_name", "pedestrian");
/// # let _ = walker;
/// ```
/// An actor of another recording keeps its pose and attributes:
/// ```
/// # let file = carla_rec::doc::recording();
/// use carla_rec::{NewActor, Payload, Reader, Recorder};
///
/// let reader = Reader::new(&file)?;
/// let mut recorder = Recorder::new(Vec::new(), reader.header())?;
/// recorder.begin_frame(0.0)?;
/// for packet in reader.records() {
///     if let Payload::EventAdd(actors) = packet?.decode()? {
///         for actor in actors {
///             recorder.add(&NewActor::from(actor?))?;
///         }
///     }
/// }
/// assert!(!recorder.finish()?.is_empty());
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NewActor {
    id: u32,
    kind: ActorKind,
    type_id: Vec<u8>,
    location: Vector,
    rotation: Rotation,
    description_uid: u32,
    attributes: Vec<NewAttribute>,
}

/// An attribute, with the number of its type counted from 0.
#[derive(Debug, Clone, PartialEq)]
struct NewAttribute {
    from_zero: u8,
    name: Vec<u8>,
    value: Vec<u8>,
}

impl NewActor {
    /// An actor at the origin, without attributes.
    pub fn new(id: u32, kind: ActorKind, type_id: impl Into<String>) -> Self {
        let (location, rotation) = (Vector::default(), Rotation::default());
        let type_id = type_id.into().into_bytes();
        // The description's id may be anything, if the actor has the same.
        Self { id, kind, type_id, location, rotation, description_uid: id, attributes: Vec::new() }
    }

    /// Sets its spawn pose.
    #[must_use]
    pub fn at(mut self, pose: &Pose) -> Self {
        (self.location, self.rotation) = Axes::to_unreal(pose);
        self
    }

    /// Adds an attribute of type string; CARLA reads `number_of_wheels` as an integer and `color` as a colour.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let name = name.into();
        let from_zero = match name.as_str() {
            "number_of_wheels" | "generation" => 1,
            "color" => 4,
            _ => 3,
        };
        let (name, value) = (name.into_bytes(), value.into().into_bytes());
        self.attributes.push(NewAttribute { from_zero, name, value });
        self
    }
}

impl From<Addition<'_>> for NewActor {
    /// The actor as recorded. Where its attributes do not show from which number types count, they count from 0.
    fn from(addition: Addition<'_>) -> Self {
        let Addition { id, kind, location, rotation, description_uid, type_id, attributes, .. } = addition;
        let base = attributes.base().unwrap_or(0);
        let attributes = attributes.into_iter().map(|attribute| NewAttribute {
            from_zero: attribute.type_number.saturating_sub(base),
            name: attribute.id.to_vec(),
            value: attribute.value.to_vec(),
        });
        let attributes = attributes.collect();
        Self { id, kind, type_id: type_id.to_vec(), location, rotation, description_uid, attributes }
    }
}

/// Methods that add one record of a packet.
macro_rules! takes {
    ($($(#[$attr:meta])* $name:ident($field:ident: $ty:ty);)+) => { $(
        $(#[$attr])*
        pub fn $name(&mut self, record: $ty) -> Result<()> {
            self.pending()?.$field.push(record);
            Ok(())
        }
    )+ };
}

impl Recorder<NewFile> {
    /// Begins a recording in a new file, which appears at `path` when it is [finished](Self::finish). Returns an
    /// error if there is one.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::format::create(path)?, header)
    }
}

impl<W: Write> Recorder<W> {
    /// Begins a recording. Fields that the header's dialect leaves open are as in 0.9.15.
    pub fn new(inner: W, header: &Header) -> Result<Self> {
        let of_release = crate::Release::ALL.into_iter().any(|r| Dialect::of(r) == header.dialect);
        let newest = if of_release { Dialect::default() } else { Dialect::of(crate::Release::V0_9_15) };
        let dialect = header.dialect.or(newest);
        Ok(Self { writer: Writer::new(inner, header)?, dialect, frame: None, frames: 0 })
    }

    /// Begins a frame `elapsed` seconds into the recording. Returns an error if that is not a number or not later than
    /// the previous frame.
    pub fn begin_frame(&mut self, elapsed: f64) -> Result<()> {
        let before = self.frame.as_ref().map(|frame| frame.elapsed);
        if !elapsed.is_finite() || elapsed < 0.0 || before.is_some_and(|before| elapsed <= before) {
            let expected = format!("a number above {}", before.unwrap_or(0.0));
            return Err(self.invalid("elapsed time", elapsed, expected));
        }
        self.end_frame(before.map(|before| elapsed - before))?;
        self.frame = Some(Pending { elapsed, ..Pending::default() });
        Ok(())
    }

    /// Adds an actor.
    pub fn add(&mut self, actor: &NewActor) -> Result<()> {
        let width = self.width();
        let base = self.dialect.attribute_base.unwrap_or_default();
        let at = self.writer.position();
        let mut out = Vec::new();
        let text = |text: &[u8], out: &mut Vec<u8>| {
            let Ok(len) = u16::try_from(text.len()) else {
                return Err(Error::invalid("text", text.len(), "at most 65535 bytes", at).within("recorder"));
            };
            out.extend(len.to_le_bytes());
            out.extend(text);
            Ok(())
        };
        AdditionHead {
            id: actor.id,
            kind: actor.kind.0,
            location: actor.location,
            rotation: actor.rotation,
            description_uid: actor.description_uid,
        }
        .encode(width, &mut out)?;
        text(&actor.type_id, &mut out)?;
        let Ok(count) = u16::try_from(actor.attributes.len()) else {
            return Err(self.invalid("attribute count", actor.attributes.len(), "at most 65535"));
        };
        out.extend(count.to_le_bytes());
        for NewAttribute { from_zero, name, value } in &actor.attributes {
            out.push(from_zero.saturating_add(base));
            text(name, &mut out)?;
            text(value, &mut out)?;
        }
        let full = self.invalid("actor count", 65_536, "at most 65535 in a frame");
        let (count, bytes) = &mut self.pending()?.additions;
        *count = count.checked_add(1).ok_or(full)?;
        bytes.append(&mut out);
        Ok(())
    }

    /// Sets the pose of an actor: right-handed, metres.
    pub fn pose(&mut self, id: u32, pose: &Pose) -> Result<()> {
        let (location, rotation) = Axes::to_unreal(pose);
        self.position(Position { id, location, rotation })
    }

    /// Sets the motion of an actor: right-handed, in the world's axes, metres and radians per second.
    pub fn velocity(&mut self, id: u32, twist: &Twist) -> Result<()> {
        let (v, w) = (twist.linear, twist.angular.map(f64::to_degrees));
        let linear_velocity = Vector { x: v.x, y: -v.y, z: v.z };
        let angular_velocity = Vector { x: -w.x, y: w.y, z: -w.z };
        self.kinematics(Kinematics { id, linear_velocity, angular_velocity })
    }

    /// Sets the platform time: seconds of the computer's clock.
    pub fn platform_time(&mut self, seconds: f64) -> Result<()> {
        self.pending()?.platform_time = Some(seconds);
        Ok(())
    }

    /// Sets the visual time: seconds of the rendered scene.
    pub fn visual_time(&mut self, seconds: f64) -> Result<()> {
        self.pending()?.visual_time = Some(seconds);
        Ok(())
    }

    takes! {
        /// Removes an actor.
        delete(deletions: Deletion);
        /// Attaches an actor to another.
        parent(parentings: Parenting);
        /// Adds a contact of two actors.
        collision(collisions: Collision);
        /// Sets the pose of an actor: centimetres and degrees, Unreal's axes.
        position(positions: Position);
        /// Sets the state of a traffic light.
        traffic_light(traffic_lights: TrafficLightState);
        /// Sets the control of a vehicle.
        control(controls: VehicleControl);
        /// Sets the speed of a walker.
        walker(walkers: WalkerSpeed);
        /// Sets the lit lamps of a vehicle.
        lights(lights: VehicleLights);
        /// Sets a lamp of the scenery.
        scene_light(scene_lights: SceneLight);
        /// Sets the motion of an actor: Unreal's axes.
        kinematics(kinematics: Kinematics);
        /// Sets the bounding box of an actor.
        bounding_box(boxes: BoundingBox);
        /// Sets the trigger volume of a traffic sign.
        trigger_volume(triggers: BoundingBox);
        /// Sets the durations of the colours of a traffic light.
        traffic_light_times(times: TrafficLightTimes);
        /// Sets the state of a bicycle or motorcycle. Releases before 0.9.15 do not support it.
        biker(bikers: Biker);
        /// Opens or closes a door. 0.9.15 and earlier do not support it.
        door(doors: Door);
        /// Sets the weather. Only 0.9.16 and later support it.
        weather(weather: Weather);
    }

    /// Completes the recording and returns the target.
    pub fn finish(mut self) -> Result<W> {
        self.end_frame(None)?;
        self.writer.finish()
    }

    fn width(&self) -> Width {
        self.dialect.vector.unwrap_or(Width::F32)
    }

    fn pending(&mut self) -> Result<&mut Pending> {
        let at = self.writer.position();
        self.frame
            .as_mut()
            .ok_or_else(|| Error::unexpected("a record before the first frame", at).within("recorder"))
    }

    #[cold]
    fn invalid(
        &self,
        what: &'static str,
        found: impl std::fmt::Display,
        expected: impl std::fmt::Display,
    ) -> Error {
        Error::invalid(what, found, expected, self.writer.position()).within("recorder")
    }

    /// Writes the current frame, or none of it if a record is not supported.
    fn end_frame(&mut self, duration: Option<f64>) -> Result<()> {
        let Some(frame) = self.frame.take() else { return Ok(()) };
        let number = self.frames.plus(1);
        let start = FrameStart { frame: number, duration: duration.unwrap_or(-1.0), elapsed: frame.elapsed };
        let out = Writer::continued(Vec::new(), self.writer.position());
        let draft = Draft { out, dialect: self.dialect };
        self.writer.bytes(&draft.write(&frame, &start)?)?;
        self.frames = number;
        Ok(())
    }
}

/// An open frame.
struct Draft {
    out: Writer<Vec<u8>>,
    dialect: Dialect,
}

impl Draft {
    fn write(mut self, frame: &Pending, start: &FrameStart) -> Result<Vec<u8>> {
        // Lights and additional data came together with the size of wheels.
        let is_old = self.dialect.wheel_bytes.is_none();
        if is_old && frame.has_lights_or_more() {
            return Err(self.unknown("lights or additional data"));
        }
        let mut head = Vec::new();
        start.encode(Width::F32, &mut head)?;
        self.out.packet(0, &head)?;
        if let Some(seconds) = frame.visual_time {
            self.out.packet(20, &seconds.to_le_bytes())?;
        }
        let (count, bytes) = &frame.additions;
        self.out.packet(2, &[&count.to_le_bytes(), bytes.as_slice()].concat())?;
        self.always(3, &frame.deletions)?;
        self.always(4, &frame.parentings)?;
        self.always(5, &frame.collisions)?;
        self.shifting(Kind::VehicleDoor, &frame.doors)?;
        self.always(6, &frame.positions)?;
        self.always(7, &frame.traffic_lights)?;
        if is_old {
            // 0.9.4 supports neither.
            self.when_any(8, &frame.controls)?;
            self.when_any(9, &frame.walkers)?;
        } else {
            self.always(8, &frame.controls)?;
            self.always(9, &frame.walkers)?;
            self.always(10, &frame.lights)?;
        }
        self.when_any(11, &frame.scene_lights)?;
        self.shifting(Kind::AnimBiker, &frame.bikers)?;
        self.shifting(Kind::Weather, &frame.weather)?;
        self.when_any(12, &frame.kinematics)?;
        self.when_any(13, &frame.boxes)?;
        self.when_any(17, &frame.triggers)?;
        if let Some(seconds) = frame.platform_time {
            self.out.packet(14, &seconds.to_le_bytes())?;
        }
        self.when_any(16, &frame.times)?;
        self.out.packet(1, &[])?;
        self.out.finish()
    }

    fn always<T: Layout>(&mut self, id: u8, rows: &[T]) -> Result<()> {
        self.out.rows(id, rows, self.dialect.vector.unwrap_or(Width::F32))
    }

    fn when_any<T: Layout>(&mut self, id: u8, rows: &[T]) -> Result<()> {
        if rows.is_empty() { Ok(()) } else { self.always(id, rows) }
    }

    /// A packet whose id changed between releases.
    fn shifting<T: Layout>(&mut self, kind: Kind, rows: &[T]) -> Result<()> {
        match (21..=24).find(|id| self.dialect.kind(*id) == Some(kind)) {
            Some(id) => self.when_any(id, rows),
            None if rows.is_empty() => Ok(()),
            None => Err(self.unknown(kind.name())),
        }
    }

    #[cold]
    fn unknown(&self, what: &str) -> Error {
        let expected = "one that the release knows";
        Error::invalid("packet", what, expected, self.out.position()).within("recorder")
    }
}

impl Pending {
    /// Returns an error if the release is older than 0.9.10.
    fn has_lights_or_more(&self) -> bool {
        let Self { lights, scene_lights, kinematics, boxes, triggers, times, .. } = self;
        let lights = !lights.is_empty() || !scene_lights.is_empty() || !times.is_empty();
        let bodies = !kinematics.is_empty() || !boxes.is_empty() || !triggers.is_empty();
        lights || bodies || self.platform_time.is_some() || self.visual_time.is_some()
    }
}
