//! Tables of a recording, apart from poses: the row type of each, with names and units of its columns.

use std::{borrow::Cow, sync::Arc};

use robolog_core::{Columns, Field, FieldKind};

use super::Axes;

/// Columns before a row's own, numbered by how many they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Head {
    None,
    /// The frame number.
    Frame,
    /// The frame number and the actor.
    FrameActor,
}

/// A row of a table.
pub(super) trait TableRow: Columns {
    const TABLE: Table;
}

/// Declares the tables: the last part of their channels' names, the head of their rows, and their columns. In units,
/// `L`, `A` and `W` stand for length, angle and angular velocity in the chosen axes, `S` for a walker's speed.
macro_rules! tables {
    ($(
        $(#[$attr:meta])*
        $name:ident, $channel:literal, $head:ident {
            $($field:ident: $ty:ty $(= $column:literal)? $([$unit:literal])?,)+
        }
    )+) => {
        /// The tables; each names the last part of its channels.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Table {
            $($name,)+
        }

        impl Table {
            pub(super) const ALL: [Self; Self::COUNT] = [$(Self::$name),+];
            pub(super) const COUNT: usize = [$($channel),+].len();

            pub(super) const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $channel,)+
                }
            }

            pub(super) const fn head(self) -> Head {
                match self {
                    $(Self::$name => Head::$head,)+
                }
            }

            fn columns(self) -> &'static [Field] {
                match self {
                    $(Self::$name => rows::$name::fields(),)+
                }
            }
        }

        /// The row types.
        pub(super) mod rows {
            use super::Cow;

            robolog_core::row! {
                $(
                    $(#[$attr])*
                    pub(in crate::decode) struct $name {
                        $(pub(in crate::decode) $field: $ty $(= $column)? $([$unit])?,)+
                    }
                )+
            }
        }

        $(impl TableRow for rows::$name {
            const TABLE: Table = Table::$name;
        })+
    };
}

tables! {
    Frames, "frames", Frame {
        elapsed: f64 ["s"],
        duration: Option<f64> ["s"],
        platform_time: Option<f64> ["s"],
        visual_time: Option<f64> ["s"],
    }

    Events, "events", Frame {
        event: &'static str,
        actor: u32,
        parent: Option<u32>,
        type_id: Option<String>,
    }

    Actors, "actors", None {
        actor: u32,
        kind: Cow<'static, str>,
        type_id: String,
        role_name: Option<String>,
        hero: bool,
        parent: Option<u32>,
        created_frame: Option<i64>,
        created: f64 ["s"],
        destroyed_frame: Option<i64>,
        destroyed: Option<f64> ["s"],
        description_uid: u32,
        x: f64 ["L"],
        y: f64 ["L"],
        z: f64 ["L"],
        roll: f64 ["A"],
        pitch: f64 ["A"],
        yaw: f64 ["A"],
        box_x: Option<f64> ["L"],
        box_y: Option<f64> ["L"],
        box_z: Option<f64> ["L"],
        extent_x: Option<f64> ["L"],
        extent_y: Option<f64> ["L"],
        extent_z: Option<f64> ["L"],
    }

    Attributes, "attributes", None {
        actor: u32,
        attribute: String,
        value: String,
        type_name: Option<&'static str> = "type",
        type_number: u8,
    }

    Kinematics, "kinematics", FrameActor {
        vx: f64 ["m/s"],
        vy: f64 ["m/s"],
        vz: f64 ["m/s"],
        wx: f64 ["W"],
        wy: f64 ["W"],
        wz: f64 ["W"],
        ax: Option<f64> ["m/s^2"],
        ay: Option<f64> ["m/s^2"],
        az: Option<f64> ["m/s^2"],
    }

    Controls, "controls", FrameActor {
        steer: f32,
        throttle: f32,
        brake: f32,
        handbrake: bool,
        gear: i32,
    }

    Walkers, "walkers", FrameActor {
        speed: f64 ["S"],
    }

    Lights, "lights", FrameActor {
        flags: u32,
        position: bool,
        low_beam: bool,
        high_beam: bool,
        brake: bool = "brake_light",
        right_blinker: bool,
        left_blinker: bool,
        reverse: bool,
        fog: bool,
        interior: bool,
        special1: bool,
        special2: bool,
    }

    TrafficLights, "traffic_lights", FrameActor {
        state: Cow<'static, str>,
        frozen: bool,
        elapsed: f32 ["s"],
    }

    TrafficLightTimes, "traffic_light_times", FrameActor {
        green: f32 ["s"],
        yellow: f32 ["s"],
        red: f32 ["s"],
    }

    SceneLights, "scene_lights", Frame {
        light: i32,
        intensity: f32 ["lm"],
        red: f32,
        green: f32,
        blue: f32,
        alpha: f32,
        on: bool,
        group: Cow<'static, str>,
    }

    Collisions, "collisions", Frame {
        episode: Option<i64>,
        sequence: u32,
        actor1: u32,
        actor2: u32,
        type_id1: Option<String>,
        type_id2: Option<String>,
        hero1: bool,
        hero2: bool,
    }

    BoundingBoxes, "bounding_boxes", FrameActor {
        x: f64 ["L"],
        y: f64 ["L"],
        z: f64 ["L"],
        extent_x: f64 ["L"],
        extent_y: f64 ["L"],
        extent_z: f64 ["L"],
    }

    TriggerVolumes, "trigger_volumes", FrameActor {
        x: f64 ["L"],
        y: f64 ["L"],
        z: f64 ["L"],
        extent_x: f64 ["L"],
        extent_y: f64 ["L"],
        extent_z: f64 ["L"],
    }

    Wheels, "wheels", FrameActor {
        wheel: u8,
        steering: f64 ["A"],
        rotation: f64 ["A"],
    }

    Bikers, "bikers", FrameActor {
        speed: f32,
        engine_rotation: f32,
    }

    Doors, "doors", FrameActor {
        door: Cow<'static, str>,
        open: bool,
    }

    Weather, "weather", Frame {
        cloudiness: f32 ["%"],
        precipitation: f32 ["%"],
        precipitation_deposits: f32 ["%"],
        wind_intensity: f32 ["%"],
        sun_azimuth_angle: f32 ["deg"],
        sun_altitude_angle: f32 ["deg"],
        fog_density: f32 ["%"],
        fog_distance: f32 ["m"],
        fog_falloff: f32,
        wetness: f32 ["%"],
        scattering_intensity: f32,
        mie_scattering_scale: f32,
        rayleigh_scattering_scale: f32,
        dust_storm: f32 ["%"],
    }

    Bones, "bones", FrameActor {
        bone: String,
        x: f64 ["L"],
        y: f64 ["L"],
        z: f64 ["L"],
        roll: f64 ["A"],
        pitch: f64 ["A"],
        yaw: f64 ["A"],
    }

    Physics, "physics", FrameActor {
        max_rpm: f32 ["1/min"],
        moi: f32,
        damping_rate_full_throttle: f32,
        damping_rate_zero_throttle_clutch_engaged: f32,
        damping_rate_zero_throttle_clutch_disengaged: f32,
        use_gear_auto_box: bool,
        clutch_strength: f32,
        final_ratio: f32,
        mass: f32 ["kg"],
        drag_coefficient: f32,
        center_of_mass_x: f64 ["m"],
        center_of_mass_y: f64 ["m"],
        center_of_mass_z: f64 ["m"],
    }

    PhysicsWheels, "physics_wheels", FrameActor {
        wheel: Option<i64>,
        tire_friction: f32,
        damping_rate: f32,
        max_steer_angle: f64 ["A"],
        radius: f64 ["L"],
        max_brake_torque: f32 ["N m"],
        max_handbrake_torque: f32 ["N m"],
        x: f64 ["L"],
        y: f64 ["L"],
        z: f64 ["L"],
    }

    PhysicsGears, "physics_gears", FrameActor {
        gear: Option<i64>,
        ratio: f32,
        down_ratio: f32,
        up_ratio: f32,
    }

    PhysicsCurves, "physics_curves", FrameActor {
        curve: &'static str,
        x: f32,
        y: f32,
    }
}

/// The tables of rows with their columns, in the default units.
pub(crate) fn tables() -> impl Iterator<Item = (&'static str, Arc<[Field]>)> {
    Table::ALL.map(Table::name).into_iter().zip(Table::fields(Axes::default()))
}

impl Table {
    /// The columns of all tables, by table.
    pub(super) fn fields(axes: Axes) -> [Arc<[Field]>; Self::COUNT] {
        let int = |name| Field::new(name, FieldKind::Int);
        Self::ALL.map(|table| {
            let head = match table.head() {
                Head::None => vec![],
                Head::Frame => vec![int("frame")],
                Head::FrameActor => vec![int("frame"), int("actor")],
            };
            head.into_iter().chain(table.columns().iter().map(|field| with_unit(field, axes))).collect()
        })
    }
}

/// The field with its unit in these axes.
fn with_unit(field: &Field, axes: Axes) -> Field {
    let unit = field.unit.as_deref().map(|unit| match (unit, axes) {
        ("L", Axes::Ros) => "m",
        ("L", Axes::Unreal) => "cm",
        ("A", Axes::Ros) => "rad",
        ("A", Axes::Unreal) => "deg",
        ("W", Axes::Ros) => "rad/s",
        ("W", Axes::Unreal) => "deg/s",
        ("S", Axes::Ros) => "m/s",
        ("S", Axes::Unreal) => "cm/s",
        (unit, _) => unit,
    });
    Field { unit: unit.map(|unit| Cow::Owned(unit.to_owned())), ..field.clone() }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{Axes, Table};

    /// Readers that open a folder of tables as one table need this: `mergeSchema` in Spark, `union_by_name` elsewhere.
    #[test]
    fn columns_of_one_name_are_of_one_type() {
        let mut kinds = HashMap::new();
        let columns = Table::fields(Axes::default());
        for field in columns.iter().flat_map(|fields| fields.iter()) {
            assert_eq!(*kinds.entry(&field.name).or_insert(field.kind), field.kind, "{}", field.name);
        }
        assert!(kinds.len() > 100, "{}", kinds.len());
    }
}
