//! The structures of CARLA's recorder, as in the file: little-endian, packed.
//!
//! Sources: `CarlaRecorder*.h` and `CarlaRecorder*.cpp` of the CARLA simulator, releases 0.9.4 to 0.9.16 and UE5, and
//! CARLA's "Recorder binary file format" page, which is wrong in several places: see each field. Units are the file's
//! own, unless stated otherwise: centimetres, degrees and Unreal's left-handed axes (x forward, y right, z up).
//!
//! Vectors are three floats in recordings of UE4 builds and three doubles in those of UE5: every structure is read with
//! the [`Width`] of its vectors.

mod packet;

use robolog_core::layout::{LayoutWith, Packed as _};

pub use self::packet::{FileHeader, PacketHeader};

/// The magic string of every recording, after its version: a text after its length.
pub const MAGIC: &[u8; 16] = b"\x0e\0CARLA_RECORDER";
/// Bytes of a packet's header: its id (u8) and the size of its body (u32).
pub const PACKET_HEADER_LEN: usize = PacketHeader::LEN;
/// In collisions, the id of anything that is no actor, such as a wall or a prop. Since 0.9.13.
pub const NO_ACTOR: u32 = u32::MAX;

/// Width of a vector's numbers.
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

/// Euler angles in degrees, in the file's order. CARLA's documentation gives another order.
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

/// A structure of a packet, whose size depends on the [`Width`] of its vectors.
pub trait Layout: LayoutWith<Width> + Default + std::fmt::Debug {}

impl<T: LayoutWith<Width> + Default + std::fmt::Debug> Layout for T {}

robolog_core::layout! {
    with width: Width;

    /// Packet 0. Frame numbers begin at 1; `elapsed + duration` is the next frame's `elapsed`.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct FrameStart("FrameStart packet") {
        /// Number of the frame.
        pub frame: u64,
        /// Seconds to the next frame; -1 in the last frame of every recording.
        pub duration: f64,
        /// Seconds since the recording began.
        pub elapsed: f64,
    }

    /// Packet 3: an actor is gone.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Deletion("EventDel packet") {
        /// The actor that disappeared.
        pub id: u32,
    }

    /// Packet 4: an actor was attached to another.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Parenting("EventParent packet") {
        /// The actor that was attached.
        pub child: u32,
        /// What it was attached to.
        pub parent: u32,
    }

    /// Packet 5: two actors touch in this frame. Each ordered pair once a frame, in no order.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Collision("Collision packet") {
        /// A sequence number with gaps.
        pub sequence: u32,
        /// The actor that reports.
        pub actor1: u32,
        /// What it hit: an actor, or [`NO_ACTOR`].
        pub actor2: u32,
        /// Whether the first is a hero vehicle.
        pub hero1: bool,
        /// Whether the second is a hero vehicle.
        pub hero2: bool,
    }

    /// Packet 6: pose of an actor.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Position("Position packet") {
        /// The actor.
        pub id: u32,
        /// Centimetres, world.
        #[brw(args(width))]
        pub location: Vector,
        /// Degrees, world.
        #[brw(args(width))]
        pub rotation: Rotation,
    }

    /// Packet 7: state of a traffic light.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct TrafficLightState("State packet") {
        /// The traffic light.
        pub id: u32,
        /// Whether it is frozen.
        pub frozen: bool,
        /// Seconds in this state.
        pub elapsed: f32,
        /// 0 red, 1 yellow, 2 green, 3 off, 4 unknown.
        pub state: u8,
    }

    /// Packet 8, since 0.9.6: control of a vehicle.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct VehicleControl("AnimVehicle packet") {
        /// The vehicle.
        pub id: u32,
        /// -1 (left) to 1 (right).
        pub steer: f32,
        /// 0 to 1.
        pub throttle: f32,
        /// 0 to 1.
        pub brake: f32,
        /// Whether the handbrake is on.
        pub handbrake: bool,
        /// -1 reverse, 0 neutral.
        pub gear: i32,
    }

    /// Packet 9, since 0.9.6: speed of a walker.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct WalkerSpeed("AnimWalker packet") {
        /// The walker.
        pub id: u32,
        /// Centimetres per second. CARLA's documentation calls it a time.
        pub speed: f32,
    }

    /// Packet 10, since 0.9.10: lit lamps of a vehicle.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct VehicleLights("VehicleLight packet") {
        /// The vehicle.
        pub id: u32,
        /// Bits 0 to 10: position, low beam, high beam, brake, right blinker, left blinker, reverse, fog, interior,
        /// special 1, special 2.
        pub flags: u32,
    }

    /// Packet 11, since 0.9.10: a lamp of the scenery. All of them in frame 1, later those that change.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct SceneLight("SceneLight packet") {
        /// The lamp.
        pub id: i32,
        /// Lumens.
        pub intensity: f32,
        /// Red, linear, 0 to 1.
        pub red: f32,
        /// Green.
        pub green: f32,
        /// Blue.
        pub blue: f32,
        /// Opacity.
        pub alpha: f32,
        /// Whether it is lit.
        pub on: bool,
        /// 0 none, 1 vehicle, 2 street, 3 building, 4 other.
        pub group: u8,
    }

    /// Packet 12, since 0.9.10, with additional data: motion of an actor.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Kinematics("Kinematics packet") {
        /// The actor.
        pub id: u32,
        /// **Metres** per second, unlike everything else.
        #[brw(args(width))]
        pub linear_velocity: Vector,
        /// Degrees per second, about Unreal's left-handed axes, as the velocity of a rotation: its x is the rate of
        /// -roll and its y that of -pitch. Checked against the rotations of real recordings.
        #[brw(args(width))]
        pub angular_velocity: Vector,
    }

    /// Packets 13 (box of an actor, in its own axes) and 17 (trigger volume of a sign, world), since 0.9.10, with
    /// additional data. Centimetres.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct BoundingBox("BoundingBox packet") {
        /// The actor.
        pub id: u32,
        /// The middle. Not a number for sensors.
        #[brw(args(width))]
        pub origin: Vector,
        /// Half of the size. Infinite for sensors.
        #[brw(args(width))]
        pub extent: Vector,
    }

    /// Packet 16, since 0.9.10, with additional data: durations of the colours of a traffic light.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct TrafficLightTimes("TrafficLightTime packet") {
        /// The traffic light.
        pub id: u32,
        /// Seconds.
        pub green: f32,
        /// Seconds.
        pub yellow: f32,
        /// Seconds.
        pub red: f32,
    }

    /// Start of an actor's record in packet 2. Its model follows, and a list of attributes.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct AdditionHead("EventAdd packet") {
        /// The actor.
        pub id: u32,
        /// See [`ActorKind`](crate::ActorKind).
        pub kind: u8,
        /// Centimetres, world.
        #[brw(args(width))]
        pub location: Vector,
        /// Degrees, world.
        #[brw(args(width))]
        pub rotation: Rotation,
        /// Number of the model.
        pub description_uid: u32,
    }

    /// A bone of a walker in packet 19, after its name: relative to its parent bone.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct BonePose("WalkerBones packet") {
        /// Centimetres.
        #[brw(args(width))]
        pub location: Vector,
        /// Degrees.
        #[brw(args(width))]
        pub rotation: Rotation,
    }

    /// A wheel in `AnimVehicleWheels`, since 0.9.15.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Wheel("AnimVehicleWheels packet") {
        /// 0 front left, 1 front right, 2 back left, 3 back right; of two-wheelers 0 front, 1 back.
        pub location: u8,
        /// Degrees.
        pub steering: f32,
        /// Degrees.
        pub rotation: f32,
    }

    /// `AnimBiker`, since 0.9.15.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Biker("AnimBiker packet") {
        /// The vehicle.
        pub id: u32,
        /// Forward speed.
        pub speed: f32,
        /// Ratio of the engine's rotation.
        pub engine_rotation: f32,
    }

    /// `VehicleDoor`, since the end of 2023: a door was opened or closed.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Door("VehicleDoor packet") {
        /// The vehicle.
        pub id: u32,
        /// 0 front left, 1 front right, 2 rear left, 3 rear right, 4 hood, 5 trunk, 6 all.
        pub door: u8,
        /// Whether it is open.
        pub open: bool,
    }

    /// `Weather`, since 2026. In frame 1 and when it changes.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Weather("Weather packet") {
        /// 0 to 100.
        pub cloudiness: f32,
        /// 0 to 100.
        pub precipitation: f32,
        /// 0 to 100.
        pub precipitation_deposits: f32,
        /// 0 to 100.
        pub wind_intensity: f32,
        /// Degrees.
        pub sun_azimuth_angle: f32,
        /// Degrees.
        pub sun_altitude_angle: f32,
        /// 0 to 100.
        pub fog_density: f32,
        /// Metres.
        pub fog_distance: f32,
        /// Density over height.
        pub fog_falloff: f32,
        /// 0 to 100.
        pub wetness: f32,
        /// Of light in fog.
        pub scattering_intensity: f32,
        /// Of light by large particles.
        pub mie_scattering_scale: f32,
        /// Of light by small particles.
        pub rayleigh_scattering_scale: f32,
        /// 0 to 100.
        pub dust_storm: f32,
    }

    /// The scalars of a `PhysicsControl` record of UE4, after the actor's id. Four lists follow, each after a u32
    /// count: torque curve, forward gears, steering curve, wheels.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct PhysicsScalars("PhysicsControl packet") {
        /// Revolutions per minute.
        pub max_rpm: f32,
        /// Moment of inertia.
        pub moi: f32,
        /// Damping at full throttle.
        pub damping_rate_full_throttle: f32,
        /// Damping without throttle, clutch engaged.
        pub damping_rate_zero_throttle_clutch_engaged: f32,
        /// Damping without throttle, clutch disengaged.
        pub damping_rate_zero_throttle_clutch_disengaged: f32,
        /// Whether gears are changed automatically.
        pub use_gear_auto_box: bool,
        /// Strength of the clutch.
        pub clutch_strength: f32,
        /// Ratio of the final drive.
        pub final_ratio: f32,
        /// Kilograms.
        pub mass: f32,
        /// Drag coefficient.
        pub drag_coefficient: f32,
        /// Centre of mass: **metres**.
        pub center_of_mass_x: f32,
        /// Centre of mass: metres.
        pub center_of_mass_y: f32,
        /// Centre of mass: metres.
        pub center_of_mass_z: f32,
    }

    /// A point of a torque or steering curve.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct CurvePoint("PhysicsControl packet") {
        /// Revolutions per minute, or speed.
        pub x: f32,
        /// Torque, or share of the steering angle.
        pub y: f32,
    }

    /// A forward gear.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct Gear("PhysicsControl packet") {
        /// Ratio of the gear.
        pub ratio: f32,
        /// Threshold for shifting down.
        pub down_ratio: f32,
        /// Threshold for shifting up.
        pub up_ratio: f32,
    }

    /// A wheel of 0.9.10 and 0.9.11.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct PhysicsWheel36("PhysicsControl packet") {
        /// Friction of the tire.
        pub tire_friction: f32,
        /// Damping.
        pub damping_rate: f32,
        /// Degrees.
        pub max_steer_angle: f32,
        /// Centimetres.
        pub radius: f32,
        /// Newton metres.
        pub max_brake_torque: f32,
        /// Newton metres.
        pub max_handbrake_torque: f32,
        /// Centimetres, world.
        pub x: f32,
        /// Centimetres, world.
        pub y: f32,
        /// Centimetres, world.
        pub z: f32,
    }

    /// A wheel since 0.9.12.
    #[derive(Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize))]
    pub struct PhysicsWheel48("PhysicsControl packet") {
        /// Friction of the tire.
        pub tire_friction: f32,
        /// Damping.
        pub damping_rate: f32,
        /// Degrees.
        pub max_steer_angle: f32,
        /// Centimetres.
        pub radius: f32,
        /// Newton metres.
        pub max_brake_torque: f32,
        /// Newton metres.
        pub max_handbrake_torque: f32,
        /// Maximum load of lateral stiffness.
        pub lateral_stiffness_max_load: f32,
        /// Lateral stiffness.
        pub lateral_stiffness_value: f32,
        /// Longitudinal stiffness.
        pub longitudinal_stiffness_value: f32,
        /// Centimetres, world.
        pub x: f32,
        /// Centimetres, world.
        pub y: f32,
        /// Centimetres, world.
        pub z: f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_readers_of_both_widths_equal_the_codec() {
        for width in [Width::F32, Width::F64] {
            fast_readers_equal_the_codec(width).unwrap();
        }
    }
}
