//! The tables that a recording becomes, beside poses: their columns and units.

use std::{borrow::Cow, sync::Arc};

use robolog_core::{Field, FieldKind};

use super::Axes;

/// The tables; each names the last part of its channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    Frames,
    Events,
    Actors,
    Attributes,
    Kinematics,
    Controls,
    Walkers,
    Lights,
    TrafficLights,
    TrafficLightTimes,
    SceneLights,
    Collisions,
    BoundingBoxes,
    TriggerVolumes,
    Wheels,
    Bikers,
    Doors,
    Weather,
    Bones,
    Physics,
    PhysicsWheels,
    PhysicsGears,
    PhysicsCurves,
}

use FieldKind::{Bool, Float, Int, Text};

/// A column: its name, what it holds, and its unit. The units `L`, `A` and `W` stand for length, angle and angular
/// velocity of the axes chosen, `S` for a walker's speed.
type Column = (&'static str, FieldKind, &'static str);

const XYZ: [Column; 3] = [("x", Float, "L"), ("y", Float, "L"), ("z", Float, "L")];
const RPY: [Column; 3] = [("roll", Float, "A"), ("pitch", Float, "A"), ("yaw", Float, "A")];
const EXTENT: [Column; 3] = [("extent_x", Float, "L"), ("extent_y", Float, "L"), ("extent_z", Float, "L")];
const ATTRIBUTE: [Column; 5] = [
    ("actor", Int, ""),
    ("attribute", Text, ""),
    ("value", Text, ""),
    ("type", Text, ""),
    ("type_number", Int, ""),
];
const FRAME: [Column; 1] = [("frame", Int, "")];
const FRAME_ACTOR: [Column; 2] = [("frame", Int, ""), ("actor", Int, "")];

impl Table {
    pub(super) const COUNT: usize = 23;

    pub(super) const ALL: [Self; Self::COUNT] = [
        Self::Frames,
        Self::Events,
        Self::Actors,
        Self::Attributes,
        Self::Kinematics,
        Self::Controls,
        Self::Walkers,
        Self::Lights,
        Self::TrafficLights,
        Self::TrafficLightTimes,
        Self::SceneLights,
        Self::Collisions,
        Self::BoundingBoxes,
        Self::TriggerVolumes,
        Self::Wheels,
        Self::Bikers,
        Self::Doors,
        Self::Weather,
        Self::Bones,
        Self::Physics,
        Self::PhysicsWheels,
        Self::PhysicsGears,
        Self::PhysicsCurves,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Events => "events",
            Self::Actors => "actors",
            Self::Attributes => "attributes",
            Self::Kinematics => "kinematics",
            Self::Controls => "controls",
            Self::Walkers => "walkers",
            Self::Lights => "lights",
            Self::TrafficLights => "traffic_lights",
            Self::TrafficLightTimes => "traffic_light_times",
            Self::SceneLights => "scene_lights",
            Self::Collisions => "collisions",
            Self::BoundingBoxes => "bounding_boxes",
            Self::TriggerVolumes => "trigger_volumes",
            Self::Wheels => "wheels",
            Self::Bikers => "bikers",
            Self::Doors => "doors",
            Self::Weather => "weather",
            Self::Bones => "bones",
            Self::Physics => "physics",
            Self::PhysicsWheels => "physics_wheels",
            Self::PhysicsGears => "physics_gears",
            Self::PhysicsCurves => "physics_curves",
        }
    }

    fn columns(self) -> Vec<Column> {
        let own: &[Column] = match self {
            Self::Frames => &[
                ("elapsed", Float, "s"),
                ("duration", Float, "s"),
                ("platform_time", Float, "s"),
                ("visual_time", Float, "s"),
            ],
            Self::Events => {
                &[("event", Text, ""), ("actor", Int, ""), ("parent", Int, ""), ("type_id", Text, "")]
            }
            Self::Actors => {
                return [
                    &[
                        ("actor", Int, ""),
                        ("kind", Text, ""),
                        ("type_id", Text, ""),
                        ("role_name", Text, ""),
                        ("hero", Bool, ""),
                        ("parent", Int, ""),
                        ("created_frame", Int, ""),
                        ("created", Float, "s"),
                        ("destroyed_frame", Int, ""),
                        ("destroyed", Float, "s"),
                        ("description_uid", Int, ""),
                    ][..],
                    &XYZ,
                    &RPY,
                    &[("box_x", Float, "L"), ("box_y", Float, "L"), ("box_z", Float, "L")],
                    &EXTENT,
                ]
                .concat();
            }
            Self::Attributes => &ATTRIBUTE,
            Self::Kinematics => &[
                ("vx", Float, "m/s"),
                ("vy", Float, "m/s"),
                ("vz", Float, "m/s"),
                ("wx", Float, "W"),
                ("wy", Float, "W"),
                ("wz", Float, "W"),
                ("ax", Float, "m/s^2"),
                ("ay", Float, "m/s^2"),
                ("az", Float, "m/s^2"),
            ],
            Self::Controls => &[
                ("steer", Float, ""),
                ("throttle", Float, ""),
                ("brake", Float, ""),
                ("handbrake", Bool, ""),
                ("gear", Int, ""),
            ],
            Self::Walkers => &[("speed", Float, "S")],
            Self::Lights => &[
                ("flags", Int, ""),
                ("position", Bool, ""),
                ("low_beam", Bool, ""),
                ("high_beam", Bool, ""),
                ("brake", Bool, ""),
                ("right_blinker", Bool, ""),
                ("left_blinker", Bool, ""),
                ("reverse", Bool, ""),
                ("fog", Bool, ""),
                ("interior", Bool, ""),
                ("special1", Bool, ""),
                ("special2", Bool, ""),
            ],
            Self::TrafficLights => &[("state", Text, ""), ("frozen", Bool, ""), ("elapsed", Float, "s")],
            Self::TrafficLightTimes => &[("green", Float, "s"), ("yellow", Float, "s"), ("red", Float, "s")],
            Self::SceneLights => &[
                ("light", Int, ""),
                ("intensity", Float, "lm"),
                ("red", Float, ""),
                ("green", Float, ""),
                ("blue", Float, ""),
                ("alpha", Float, ""),
                ("on", Bool, ""),
                ("group", Text, ""),
            ],
            Self::Collisions => &[
                ("episode", Int, ""),
                ("sequence", Int, ""),
                ("actor1", Int, ""),
                ("actor2", Int, ""),
                ("type_id1", Text, ""),
                ("type_id2", Text, ""),
                ("hero1", Bool, ""),
                ("hero2", Bool, ""),
            ],
            other => return other.more_columns(),
        };
        let head: &[Column] = match self {
            Self::Attributes => &[],
            Self::Frames | Self::Events | Self::SceneLights | Self::Collisions => &FRAME,
            _ => &FRAME_ACTOR,
        };
        [head, own].concat()
    }

    /// Of additional data, and of what came with later releases.
    fn more_columns(self) -> Vec<Column> {
        let own: &[Column] = match self {
            Self::BoundingBoxes | Self::TriggerVolumes => return [&FRAME_ACTOR[..], &XYZ, &EXTENT].concat(),
            Self::Wheels => &[("wheel", Int, ""), ("steering", Float, "A"), ("rotation", Float, "A")],
            Self::Bikers => &[("speed", Float, ""), ("engine_rotation", Float, "")],
            Self::Doors => &[("door", Text, ""), ("open", Bool, "")],
            Self::Weather => &[
                ("cloudiness", Float, "%"),
                ("precipitation", Float, "%"),
                ("precipitation_deposits", Float, "%"),
                ("wind_intensity", Float, "%"),
                ("sun_azimuth_angle", Float, "deg"),
                ("sun_altitude_angle", Float, "deg"),
                ("fog_density", Float, "%"),
                ("fog_distance", Float, "m"),
                ("fog_falloff", Float, ""),
                ("wetness", Float, "%"),
                ("scattering_intensity", Float, ""),
                ("mie_scattering_scale", Float, ""),
                ("rayleigh_scattering_scale", Float, ""),
                ("dust_storm", Float, "%"),
            ],
            Self::Bones => return [&FRAME_ACTOR[..], &[("bone", Text, "")], &XYZ, &RPY].concat(),
            Self::Physics => &[
                ("max_rpm", Float, "1/min"),
                ("moi", Float, ""),
                ("damping_rate_full_throttle", Float, ""),
                ("damping_rate_zero_throttle_clutch_engaged", Float, ""),
                ("damping_rate_zero_throttle_clutch_disengaged", Float, ""),
                ("use_gear_auto_box", Bool, ""),
                ("clutch_strength", Float, ""),
                ("final_ratio", Float, ""),
                ("mass", Float, "kg"),
                ("drag_coefficient", Float, ""),
                ("center_of_mass_x", Float, "m"),
                ("center_of_mass_y", Float, "m"),
                ("center_of_mass_z", Float, "m"),
            ],
            Self::PhysicsWheels => &[
                ("wheel", Int, ""),
                ("tire_friction", Float, ""),
                ("damping_rate", Float, ""),
                ("max_steer_angle", Float, "A"),
                ("radius", Float, "L"),
                ("max_brake_torque", Float, "N m"),
                ("max_handbrake_torque", Float, "N m"),
                ("x", Float, "L"),
                ("y", Float, "L"),
                ("z", Float, "L"),
            ],
            Self::PhysicsGears => {
                &[("gear", Int, ""), ("ratio", Float, ""), ("down_ratio", Float, ""), ("up_ratio", Float, "")]
            }
            Self::PhysicsCurves => &[("curve", Text, ""), ("x", Float, ""), ("y", Float, "")],
            _ => &[],
        };
        let head: &[Column] = if self == Self::Weather { &FRAME } else { &FRAME_ACTOR };
        [head, own].concat()
    }

    /// The columns of all tables, by table.
    pub(super) fn fields(axes: Axes) -> [Arc<[Field]>; Self::COUNT] {
        Self::ALL.map(|table| table.columns().into_iter().map(|column| field(column, axes)).collect())
    }
}

fn field((name, kind, unit): Column, axes: Axes) -> Field {
    let unit = match (unit, axes) {
        ("L", Axes::Ros) => "m",
        ("L", Axes::Unreal) => "cm",
        ("A", Axes::Ros) => "rad",
        ("A", Axes::Unreal) => "deg",
        ("W", Axes::Ros) => "rad/s",
        ("W", Axes::Unreal) => "deg/s",
        ("S", Axes::Ros) => "m/s",
        ("S", Axes::Unreal) => "cm/s",
        (unit, _) => unit,
    };
    Field { name: Cow::Borrowed(name), unit: (!unit.is_empty()).then_some(Cow::Borrowed(unit)), kind }
}
