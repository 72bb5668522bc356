//! The structures of CARLA's recorder, as they lie in the file: little-endian, packed.
//!
//! Sources: `CarlaRecorder*.h` and `CarlaRecorder*.cpp` of the CARLA simulator, releases 0.9.4 to 0.9.16 and UE5, and
//! CARLA's "Recorder binary file format" page, which is wrong in several places: see each field. Units are the file's
//! own: centimetres, degrees and Unreal's left-handed axes (x forward, y right, z up), unless said otherwise.
//!
//! Vectors are three floats in recordings of UE4 builds and three doubles in those of UE5: every structure is read
//! with the [`Width`] of its vectors.

use binrw::{BinRead, BinWrite};

use crate::field::Field;

/// What a recording's second field says, behind a length of 14.
pub const MAGIC: &[u8; 14] = b"CARLA_RECORDER";
/// The first bytes of every recording but for the version, which comes before them.
pub const MAGIC_WITH_LENGTH: &[u8; 16] = b"\x0e\0CARLA_RECORDER";
/// Bytes of a packet's header: its id (u8) and the size of its body (u32).
pub const PACKET_HEADER_LEN: usize = 5;
/// What collisions say in place of an actor that is none: a wall, a prop. Since 0.9.13.
pub const NO_ACTOR: u32 = u32::MAX;

/// How wide the numbers of a vector are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// Three f32, 12 bytes: Unreal Engine 4.
    F32,
    /// Three f64, 24 bytes: Unreal Engine 5.
    F64,
}

impl Width {
    /// Bits of one number.
    pub const fn bits(self) -> u8 {
        match self {
            Self::F32 => 32,
            Self::F64 => 64,
        }
    }

    /// Bytes of one vector.
    pub const fn vector_len(self) -> usize {
        match self {
            Self::F32 => 12,
            Self::F64 => 24,
        }
    }
}

/// Three numbers in Unreal's axes. Numbers of UE4 files are floats, widened without loss.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[expect(missing_docs, reason = "their own names; units where they are used")]
pub struct Vector {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

/// Euler angles in degrees, in the file's order. CARLA's documentation names them in another order.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rotation {
    /// About x, positive when the right side goes down.
    pub roll: f64,
    /// About y, positive when the nose goes up.
    pub pitch: f64,
    /// About z, positive to the right.
    pub yaw: f64,
}

/// A structure of fixed size once the width of its vectors is known.
pub trait Layout:
    Copy
    + Default
    + std::fmt::Debug
    + for<'a> BinRead<Args<'a> = (Width,)>
    + for<'a> BinWrite<Args<'a> = (Width,)>
{
    /// Its name, for errors.
    const NAME: &'static str;
    /// Bytes beside the vectors.
    const FIXED: usize;
    /// How many vectors it has.
    const VECTORS: usize;

    /// Bytes of one structure.
    fn len(width: Width) -> usize {
        Self::VECTORS.saturating_mul(width.vector_len()).saturating_add(Self::FIXED)
    }

    /// Reads a structure from the start of `bytes`, as [`BinRead`] does and faster. `None` when they do not suffice.
    fn take(bytes: &[u8], width: Width) -> Option<Self>;
}

/// Declares structures and says how large they are.
macro_rules! layouts {
    (width $width:ident; $($(#[$attr:meta])* $name:ident, $label:literal, $fixed:literal + $vectors:literal {
        $($(#[$field_attr:meta])* $field:ident: $ty:ty,)+
    })+) => { $(
        $(#[$attr])*
        #[derive(BinRead, BinWrite, Debug, Clone, Copy, Default, PartialEq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        #[brw(little, import($width: Width))]
        pub struct $name {
            $($(#[$field_attr])* pub $field: $ty,)+
        }

        impl Layout for $name {
            const NAME: &'static str = $label;
            const FIXED: usize = $fixed;
            const VECTORS: usize = $vectors;

            #[inline]
            fn take(mut bytes: &[u8], width: Width) -> Option<Self> {
                Some(Self { $($field: Field::take(&mut bytes, width)?,)+ })
            }
        }
    )+ };
}

layouts! {
    width _width;

    /// Packet 0. Frame numbers begin at 1; `elapsed + duration` is the next frame's `elapsed`.
    FrameStart, "FrameStart packet", 24 + 0 {
        /// Number of the frame.
        frame: u64,
        /// Seconds to the next frame; -1 in the last frame of every recording.
        duration: f64,
        /// Seconds since the recording began.
        elapsed: f64,
    }

    /// Packet 3: an actor is gone.
    Deletion, "EventDel packet", 4 + 0 {
        /// The actor.
        id: u32,
    }

    /// Packet 4: an actor was attached to another.
    Parenting, "EventParent packet", 8 + 0 {
        /// The actor that was attached.
        child: u32,
        /// What it was attached to.
        parent: u32,
    }

    /// Packet 5: two actors touch in this frame. Each ordered pair once a frame, in no order.
    Collision, "Collision packet", 14 + 0 {
        /// A running number with gaps.
        sequence: u32,
        /// The actor that reports.
        actor1: u32,
        /// What it hit: an actor, or [`NO_ACTOR`].
        actor2: u32,
        /// Whether the first is a hero vehicle.
        #[br(map = |b: u8| b != 0)]
        #[bw(map = |b| u8::from(*b))]
        hero1: bool,
        /// Whether the second is.
        #[br(map = |b: u8| b != 0)]
        #[bw(map = |b| u8::from(*b))]
        hero2: bool,
    }

    /// Packet 6: where an actor is.
    Position, "Position packet", 4 + 2 {
        /// The actor.
        id: u32,
        /// Centimetres, world.
        #[brw(args(_width))]
        location: Vector,
        /// Degrees, world.
        #[brw(args(_width))]
        rotation: Rotation,
    }

    /// Packet 7: what a traffic light shows.
    TrafficLightState, "State packet", 10 + 0 {
        /// The traffic light.
        id: u32,
        /// Whether it was frozen.
        #[br(map = |b: u8| b != 0)]
        #[bw(map = |b| u8::from(*b))]
        frozen: bool,
        /// Seconds in this state.
        elapsed: f32,
        /// 0 red, 1 yellow, 2 green, 3 off, 4 unknown.
        state: u8,
    }

    /// Packet 8, since 0.9.6: how a vehicle is driven.
    VehicleControl, "AnimVehicle packet", 21 + 0 {
        /// The vehicle.
        id: u32,
        /// -1 (left) to 1 (right).
        steer: f32,
        /// 0 to 1.
        throttle: f32,
        /// 0 to 1.
        brake: f32,
        /// Whether the handbrake is on.
        #[br(map = |b: u8| b != 0)]
        #[bw(map = |b| u8::from(*b))]
        handbrake: bool,
        /// -1 reverse, 0 neutral.
        gear: i32,
    }

    /// Packet 9, since 0.9.6: how fast a walker walks.
    WalkerSpeed, "AnimWalker packet", 8 + 0 {
        /// The walker.
        id: u32,
        /// Centimetres per second. CARLA's documentation calls it a time.
        speed: f32,
    }

    /// Packet 10, since 0.9.10: which lamps of a vehicle are lit.
    VehicleLights, "VehicleLight packet", 8 + 0 {
        /// The vehicle.
        id: u32,
        /// Bits 0 to 10: position, low beam, high beam, brake, right blinker, left blinker, reverse, fog, interior,
        /// special 1, special 2.
        flags: u32,
    }

    /// Packet 11, since 0.9.10: a lamp of the scenery. All of them in frame 1, later those that change.
    SceneLight, "SceneLight packet", 26 + 0 {
        /// The lamp.
        id: i32,
        /// Lumens.
        intensity: f32,
        /// Red, linear, 0 to 1.
        red: f32,
        /// Green.
        green: f32,
        /// Blue.
        blue: f32,
        /// Opacity.
        alpha: f32,
        /// Whether it is lit.
        #[br(map = |b: u8| b != 0)]
        #[bw(map = |b| u8::from(*b))]
        on: bool,
        /// 0 none, 1 vehicle, 2 street, 3 building, 4 other.
        group: u8,
    }

    /// Packet 12, since 0.9.10, with additional data: how an actor moves.
    Kinematics, "Kinematics packet", 4 + 2 {
        /// The actor.
        id: u32,
        /// **Metres** per second, unlike everything else.
        #[brw(args(_width))]
        linear_velocity: Vector,
        /// Degrees per second, about Unreal's left-handed axes: as the velocity of a rotation, so that its x is the
        /// rate of -roll and its y that of -pitch. Checked against the rotations of real recordings.
        #[brw(args(_width))]
        angular_velocity: Vector,
    }

    /// Packets 13 (box of an actor, in its own axes) and 17 (trigger volume of a sign, world), since 0.9.10, with
    /// additional data. Centimetres.
    BoundingBox, "BoundingBox packet", 4 + 2 {
        /// The actor.
        id: u32,
        /// The middle. Not a number for sensors.
        #[brw(args(_width))]
        origin: Vector,
        /// Half of the size. Infinite for sensors.
        #[brw(args(_width))]
        extent: Vector,
    }

    /// Packet 16, since 0.9.10, with additional data: how long a traffic light shows each colour.
    TrafficLightTimes, "TrafficLightTime packet", 16 + 0 {
        /// The traffic light.
        id: u32,
        /// Seconds.
        green: f32,
        /// Seconds.
        yellow: f32,
        /// Seconds.
        red: f32,
    }

    /// A bone of a walker in packet 19, behind its name: relative to its parent bone.
    BonePose, "WalkerBones packet", 0 + 2 {
        /// Centimetres.
        #[brw(args(_width))]
        location: Vector,
        /// Degrees.
        #[brw(args(_width))]
        rotation: Rotation,
    }

    /// A wheel in `AnimVehicleWheels`, since 0.9.15.
    Wheel, "AnimVehicleWheels packet", 9 + 0 {
        /// 0 front left, 1 front right, 2 back left, 3 back right; of two-wheelers 0 front, 1 back.
        location: u8,
        /// Degrees.
        steering: f32,
        /// Degrees.
        rotation: f32,
    }

    /// `AnimBiker`, since 0.9.15.
    Biker, "AnimBiker packet", 12 + 0 {
        /// The vehicle.
        id: u32,
        /// Forward speed.
        speed: f32,
        /// Ratio of the engine's rotation.
        engine_rotation: f32,
    }

    /// `VehicleDoor`, since the end of 2023: a door was opened or closed.
    Door, "VehicleDoor packet", 6 + 0 {
        /// The vehicle.
        id: u32,
        /// 0 front left, 1 front right, 2 rear left, 3 rear right, 4 hood, 5 trunk, 6 all.
        door: u8,
        /// Whether it is open.
        #[br(map = |b: u8| b != 0)]
        #[bw(map = |b| u8::from(*b))]
        open: bool,
    }

    /// `Weather`, since 2026. In frame 1 and when it changes.
    Weather, "Weather packet", 56 + 0 {
        /// 0 to 100.
        cloudiness: f32,
        /// 0 to 100.
        precipitation: f32,
        /// 0 to 100.
        precipitation_deposits: f32,
        /// 0 to 100.
        wind_intensity: f32,
        /// Degrees.
        sun_azimuth_angle: f32,
        /// Degrees.
        sun_altitude_angle: f32,
        /// 0 to 100.
        fog_density: f32,
        /// Metres.
        fog_distance: f32,
        /// Density over height.
        fog_falloff: f32,
        /// 0 to 100.
        wetness: f32,
        /// Of light in fog.
        scattering_intensity: f32,
        /// Of light by large particles.
        mie_scattering_scale: f32,
        /// Of light by small particles.
        rayleigh_scattering_scale: f32,
        /// 0 to 100.
        dust_storm: f32,
    }

    /// The scalars of a `PhysicsControl` record of UE4, behind the actor's id. Four lists follow, each behind a u32
    /// count: torque curve, forward gears, steering curve, wheels.
    PhysicsScalars, "PhysicsControl packet", 49 + 0 {
        /// Revolutions per minute.
        max_rpm: f32,
        /// Moment of inertia.
        moi: f32,
        /// Damping at full throttle.
        damping_rate_full_throttle: f32,
        /// Damping without throttle, clutch engaged.
        damping_rate_zero_throttle_clutch_engaged: f32,
        /// Damping without throttle, clutch disengaged.
        damping_rate_zero_throttle_clutch_disengaged: f32,
        /// Whether gears are changed automatically.
        #[br(map = |b: u8| b != 0)]
        #[bw(map = |b| u8::from(*b))]
        use_gear_auto_box: bool,
        /// Strength of the clutch.
        clutch_strength: f32,
        /// Ratio of the final drive.
        final_ratio: f32,
        /// Kilograms.
        mass: f32,
        /// Drag coefficient.
        drag_coefficient: f32,
        /// Centre of mass: **metres**.
        center_of_mass_x: f32,
        /// Centre of mass: metres.
        center_of_mass_y: f32,
        /// Centre of mass: metres.
        center_of_mass_z: f32,
    }

    /// A point of a torque or steering curve.
    CurvePoint, "PhysicsControl packet", 8 + 0 {
        /// Revolutions per minute, or speed.
        x: f32,
        /// Torque, or share of the steering angle.
        y: f32,
    }

    /// A forward gear.
    Gear, "PhysicsControl packet", 12 + 0 {
        /// Its ratio.
        ratio: f32,
        /// Where to shift down.
        down_ratio: f32,
        /// Where to shift up.
        up_ratio: f32,
    }

    /// A wheel of 0.9.10 and 0.9.11.
    PhysicsWheel36, "PhysicsControl packet", 36 + 0 {
        /// Friction of the tire.
        tire_friction: f32,
        /// Damping.
        damping_rate: f32,
        /// Degrees.
        max_steer_angle: f32,
        /// Centimetres.
        radius: f32,
        /// Newton metres.
        max_brake_torque: f32,
        /// Newton metres.
        max_handbrake_torque: f32,
        /// Centimetres, world.
        x: f32,
        /// Centimetres, world.
        y: f32,
        /// Centimetres, world.
        z: f32,
    }

    /// A wheel since 0.9.12.
    PhysicsWheel48, "PhysicsControl packet", 48 + 0 {
        /// Friction of the tire.
        tire_friction: f32,
        /// Damping.
        damping_rate: f32,
        /// Degrees.
        max_steer_angle: f32,
        /// Centimetres.
        radius: f32,
        /// Newton metres.
        max_brake_torque: f32,
        /// Newton metres.
        max_handbrake_torque: f32,
        /// Lateral stiffness at most.
        lateral_stiffness_max_load: f32,
        /// Lateral stiffness.
        lateral_stiffness_value: f32,
        /// Longitudinal stiffness.
        longitudinal_stiffness_value: f32,
        /// Centimetres, world.
        x: f32,
        /// Centimetres, world.
        y: f32,
        /// Centimetres, world.
        z: f32,
    }
}
