//! Payloads of packets.

use robolog_core::{
    Error, Result,
    layout::{Packed, first},
};

use crate::{
    additions::Additions,
    dialect::Dialect,
    layout::{
        Biker, BoundingBox, Collision, Deletion, Door, FrameStart, Kinematics, Layout, Parenting, Position,
        SceneLight, TrafficLightState, TrafficLightTimes, VehicleControl, VehicleLights, WalkerSpeed,
        Weather, Width,
    },
    parts::{Walkers, Wheels},
    physics::Physics,
    rows::Rows,
};

/// Kinds of packets, named as in CARLA's sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
#[expect(missing_docs, reason = "documented at Payload")]
pub enum Kind {
    FrameStart,
    FrameEnd,
    EventAdd,
    EventDel,
    EventParent,
    Collision,
    Position,
    State,
    AnimVehicle,
    AnimWalker,
    VehicleLight,
    SceneLight,
    Kinematics,
    BoundingBox,
    PlatformTime,
    PhysicsControl,
    TrafficLightTime,
    TriggerVolume,
    FrameCounter,
    WalkerBones,
    VisualTime,
    VehicleDoor,
    AnimVehicleWheels,
    AnimBiker,
    Weather,
    User,
    Unknown,
}

/// CARLA leaves ids from here on to users.
pub(crate) const USER: u8 = 100;

/// The payload of a packet. Borrows from the packet; records are read on access.
///
/// ```
/// # let file = carla_rec::doc::recording();
/// use carla_rec::{Payload, Reader};
/// let mut seen = Vec::new();
/// for packet in Reader::new(&file)?.records() {
///     if let Payload::EventAdd(actors) = packet?.decode()? {
///         for actor in actors {
///             seen.push(actor?.type_id_text().into_owned());
///         }
///     }
/// }
/// assert_eq!(seen, ["vehicle.tesla.model3"]);
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Payload<'a> {
    /// 0: start of a frame.
    FrameStart(FrameStart),
    /// 1: end of a frame.
    FrameEnd,
    /// 2: actors that appear.
    EventAdd(Additions<'a>),
    /// 3: actors that disappear.
    EventDel(Rows<'a, Deletion>),
    /// 4: actors attached to others.
    EventParent(Rows<'a, Parenting>),
    /// 5: contacts of actors.
    Collision(Rows<'a, Collision>),
    /// 6: poses of actors.
    Position(Rows<'a, Position>),
    /// 7: states of traffic lights.
    State(Rows<'a, TrafficLightState>),
    /// 8: controls of vehicles.
    AnimVehicle(Rows<'a, VehicleControl>),
    /// 9: speeds of walkers.
    AnimWalker(Rows<'a, WalkerSpeed>),
    /// 10: lit lamps of vehicles.
    VehicleLight(Rows<'a, VehicleLights>),
    /// 11: lamps of the scenery that changed.
    SceneLight(Rows<'a, SceneLight>),
    /// 12: motions of actors.
    Kinematics(Rows<'a, Kinematics>),
    /// 13: bounding boxes of actors.
    BoundingBox(Rows<'a, BoundingBox>),
    /// 14: seconds of the computer's clock since the recorder started.
    PlatformTime(f64),
    /// 15: engines, gears and wheels.
    PhysicsControl(Physics<'a>),
    /// 16: durations of the colours of traffic lights.
    TrafficLightTime(Rows<'a, TrafficLightTimes>),
    /// 17: trigger volumes of traffic signs.
    TriggerVolume(Rows<'a, BoundingBox>),
    /// 18: number of the simulator's frame. No release writes it.
    FrameCounter(u64),
    /// 19: bones of walkers.
    WalkerBones(Walkers<'a>),
    /// 20: seconds of the rendered scene.
    VisualTime(f64),
    /// 21 to 24, by release: doors that opened or closed.
    VehicleDoor(Rows<'a, Door>),
    /// 21 to 24, by release: turning wheels.
    AnimVehicleWheels(Wheels<'a>),
    /// 21 to 24, by release: bicycles and motorcycles.
    AnimBiker(Rows<'a, Biker>),
    /// 21 to 24, by release: the weather.
    Weather(Rows<'a, Weather>),
    /// Any other: packets of users, with ids of 100 and more, and an empty packet of 21 to 24 if nothing else identifies
    /// it.
    Unknown(&'a [u8]),
}

impl Kind {
    /// Name in CARLA's sources.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FrameStart => "FrameStart",
            Self::FrameEnd => "FrameEnd",
            Self::EventAdd => "EventAdd",
            Self::EventDel => "EventDel",
            Self::EventParent => "EventParent",
            Self::Collision => "Collision",
            Self::Position => "Position",
            Self::State => "State",
            Self::AnimVehicle => "AnimVehicle",
            Self::AnimWalker => "AnimWalker",
            Self::VehicleLight => "VehicleLight",
            Self::SceneLight => "SceneLight",
            Self::Kinematics => "Kinematics",
            Self::BoundingBox => "BoundingBox",
            Self::PlatformTime => "PlatformTime",
            Self::PhysicsControl => "PhysicsControl",
            Self::TrafficLightTime => "TrafficLightTime",
            Self::TriggerVolume => "TriggerVolume",
            Self::FrameCounter => "FrameCounter",
            Self::WalkerBones => "WalkerBones",
            Self::VisualTime => "VisualTime",
            Self::VehicleDoor => "VehicleDoor",
            Self::AnimVehicleWheels => "AnimVehicleWheels",
            Self::AnimBiker => "AnimBiker",
            Self::Weather => "Weather",
            Self::User => "user",
            Self::Unknown => "unknown",
        }
    }

    /// Packets 0 to 20, whose ids never changed.
    pub(crate) const FIXED: [Self; 21] = [
        Self::FrameStart,
        Self::FrameEnd,
        Self::EventAdd,
        Self::EventDel,
        Self::EventParent,
        Self::Collision,
        Self::Position,
        Self::State,
        Self::AnimVehicle,
        Self::AnimWalker,
        Self::VehicleLight,
        Self::SceneLight,
        Self::Kinematics,
        Self::BoundingBox,
        Self::PlatformTime,
        Self::PhysicsControl,
        Self::TrafficLightTime,
        Self::TriggerVolume,
        Self::FrameCounter,
        Self::WalkerBones,
        Self::VisualTime,
    ];

    /// Kind of a packet, by its id and, if that is ambiguous, by its body.
    pub(crate) fn of(id: u8, body: &[u8], dialect: &Dialect) -> Self {
        match id {
            // Forks have a packet of their own here.
            18 if body.len() != 8 => Self::Unknown,
            0..=20 => Self::FIXED.get(usize::from(id)).copied().unwrap_or(Self::Unknown),
            21..=24 => dialect.kind(id).or_else(|| Self::of_shifting(body)).unwrap_or(Self::Unknown),
            USER.. => Self::User,
            _ => Self::Unknown,
        }
    }

    /// Whether records of varying size, or of an unknown kind, fill the body.
    pub(crate) fn vouches(id: u8, body: &[u8]) -> bool {
        match id {
            2 => Additions::parse(body, None, 0).is_ok_and(Additions::fills),
            15 => Physics::parse(body, None, None, 0).is_ok_and(|physics| physics.is_read()),
            19 => Walkers::parse(body, None, 0).is_ok(),
            21..=24 => body == [0, 0] || Self::of_shifting(body).is_some(),
            _ => false,
        }
    }

    /// Which of the four kinds with changing ids fills the body. Wheels come first: their counts must lead to its last
    /// byte, while the others only match its length.
    pub(crate) fn of_shifting(body: &[u8]) -> Option<Self> {
        first::<u16>(body).filter(|count| *count > 0)?;
        if Wheels::parse(body, 0).is_ok() {
            Some(Self::AnimVehicleWheels)
        } else if Rows::<Door>::parse(body, None, 0).is_ok() {
            Some(Self::VehicleDoor)
        } else if Rows::<Biker>::parse(body, None, 0).is_ok() {
            Some(Self::AnimBiker)
        } else {
            Rows::<Weather>::parse(body, None, 0).is_ok().then_some(Self::Weather)
        }
    }
}

impl<'a> Payload<'a> {
    /// Reads the body of a packet at `offset`.
    pub(crate) fn parse(kind: Kind, body: &'a [u8], dialect: &Dialect, offset: u64) -> Result<Self> {
        Self::with_vectors(dialect.vector, kind, body, dialect, offset)
    }

    /// The same with vectors of this width, or of the width that the packet shows.
    #[inline]
    pub(crate) fn with_vectors(
        vector: Option<Width>,
        kind: Kind,
        body: &'a [u8],
        dialect: &Dialect,
        offset: u64,
    ) -> Result<Self> {
        Ok(match kind {
            Kind::FrameStart => Self::FrameStart(only(body, offset)?),
            Kind::FrameEnd => Self::FrameEnd,
            Kind::EventAdd => Self::EventAdd(Additions::parse(body, vector, offset)?),
            Kind::EventDel => Self::EventDel(Rows::parse(body, None, offset)?),
            Kind::EventParent => Self::EventParent(Rows::parse(body, None, offset)?),
            Kind::Collision => Self::Collision(Rows::parse(body, None, offset)?),
            Kind::Position => Self::Position(Rows::parse(body, vector, offset)?),
            Kind::State => Self::State(Rows::parse(body, None, offset)?),
            Kind::AnimVehicle => Self::AnimVehicle(Rows::parse(body, None, offset)?),
            Kind::AnimWalker => Self::AnimWalker(Rows::parse(body, None, offset)?),
            Kind::VehicleLight => Self::VehicleLight(Rows::parse(body, None, offset)?),
            Kind::SceneLight => Self::SceneLight(Rows::parse(body, None, offset)?),
            Kind::Kinematics => Self::Kinematics(Rows::parse(body, vector, offset)?),
            Kind::BoundingBox => Self::BoundingBox(Rows::parse(body, vector, offset)?),
            Kind::PlatformTime => Self::PlatformTime(number(body, "PlatformTime", offset)?),
            Kind::PhysicsControl => {
                Self::PhysicsControl(Physics::parse(body, dialect.wheel_bytes, vector, offset)?)
            }
            Kind::TrafficLightTime => Self::TrafficLightTime(Rows::parse(body, None, offset)?),
            Kind::TriggerVolume => Self::TriggerVolume(Rows::parse(body, vector, offset)?),
            Kind::FrameCounter => Self::FrameCounter(number(body, "FrameCounter", offset)?),
            Kind::WalkerBones => Self::WalkerBones(Walkers::parse(body, vector, offset)?),
            Kind::VisualTime => Self::VisualTime(number(body, "VisualTime", offset)?),
            Kind::VehicleDoor => Self::VehicleDoor(Rows::parse(body, None, offset)?),
            Kind::AnimVehicleWheels => Self::AnimVehicleWheels(Wheels::parse(body, offset)?),
            Kind::AnimBiker => Self::AnimBiker(Rows::parse(body, None, offset)?),
            Kind::Weather => Self::Weather(Rows::parse(body, None, offset)?),
            Kind::User | Kind::Unknown => Self::Unknown(body),
        })
    }

    /// Width of the vectors, if there are any.
    pub fn width(&self) -> Option<Width> {
        match self {
            Self::EventAdd(additions) => {
                (!additions.is_empty() && additions.fills()).then(|| additions.width())
            }
            Self::Position(rows) => (!rows.is_empty()).then(|| rows.width()),
            Self::Kinematics(rows) => (!rows.is_empty()).then(|| rows.width()),
            Self::BoundingBox(rows) | Self::TriggerVolume(rows) => (!rows.is_empty()).then(|| rows.width()),
            _ => None,
        }
    }
}

/// A structure that fills the body.
fn only<T: Layout>(body: &[u8], offset: u64) -> Result<T> {
    if body.len() == T::len(Width::F32) {
        return T::decode(body, Width::F32, offset);
    }
    Err(Error::invalid("packet size", body.len(), T::len(Width::F32), offset).within(T::NAME))
}

/// A number that fills the body.
fn number<T: Packed>(body: &[u8], name: &'static str, offset: u64) -> Result<T> {
    let whole = first(body).filter(|_| body.len() == T::LEN);
    whole.ok_or_else(|| Error::invalid("packet size", body.len(), T::LEN, offset).within(name))
}
