//! The declared layouts read bytes laid by hand, and the fast views of positions agree with them.

use carla_rec::{
    Payload, PositionColumns, Reader, Width,
    layout::{
        Biker, BonePose, BoundingBox, Collision, CurvePoint, Deletion, Door, FrameStart, Gear, Kinematics,
        Layout, Parenting, PhysicsScalars, PhysicsWheel36, PhysicsWheel48, Position, Rotation, SceneLight,
        TrafficLightState, TrafficLightTimes, Vector, VehicleControl, VehicleLights, WalkerSpeed, Weather,
        Wheel,
    },
};
use robolog_core::layout::LayoutWith as _;

/// A field and its bytes.
enum Field {
    U8(u8),
    U32(u32),
    I32(i32),
    U64(u64),
    F32(f32),
    F64(f64),
    /// As wide as the vectors.
    V(f64),
}

use Field::{F32, F64, I32, U8, U32, U64, V};

fn lay(fields: &[Field], width: Width) -> Vec<u8> {
    let mut bytes = Vec::new();
    for field in fields {
        match (field, width) {
            (U8(v), _) => bytes.push(*v),
            (U32(v), _) => bytes.extend(v.to_le_bytes()),
            (I32(v), _) => bytes.extend(v.to_le_bytes()),
            (U64(v), _) => bytes.extend(v.to_le_bytes()),
            (F32(v), _) => bytes.extend(v.to_le_bytes()),
            (F64(v), _) | (V(v), Width::F64) => bytes.extend(v.to_le_bytes()),
            #[expect(clippy::cast_possible_truncation, reason = "they are such that nothing is lost")]
            (V(v), Width::F32) => bytes.extend((*v as f32).to_le_bytes()),
        }
    }
    bytes
}

/// Reads the fields as a structure and writes it again, with vectors of both widths.
fn check<T: Layout + PartialEq>(want: T, fields: &[Field]) {
    for width in [Width::F32, Width::F64] {
        let bytes = lay(fields, width);
        assert_eq!(bytes.len(), T::len(width), "{}: length, {width:?}", T::NAME);
        assert_eq!(T::decode(&bytes, width, 0).unwrap(), want, "{}: {width:?}", T::NAME);
        assert_eq!(T::peek(&bytes, width), Some(want), "{}: {width:?}", T::NAME);
        let mut out = Vec::new();
        want.encode(width, &mut out).unwrap();
        assert_eq!(out, bytes, "{}: written, {width:?}", T::NAME);
        let short = &bytes[..bytes.len() - 1];
        let error = T::decode(short, width, 0x100).unwrap_err();
        assert_eq!((error.structure(), error.offset()), (Some(T::NAME), 0x100), "too short");
        assert_eq!(T::peek(short, width), None, "{}: too short", T::NAME);
    }
}

const fn v(x: f64, y: f64, z: f64) -> Vector {
    Vector { x, y, z }
}

#[test]
fn structures_lie_as_they_are_declared() {
    check(FrameStart { frame: 7, duration: -1.0, elapsed: 2.5 }, &[U64(7), F64(-1.0), F64(2.5)]);
    check(Deletion { id: 27 }, &[U32(27)]);
    check(Parenting { child: 30, parent: 25 }, &[U32(30), U32(25)]);
    check(
        Collision { sequence: 3, actor1: 26, actor2: u32::MAX, hero1: false, hero2: true },
        &[U32(3), U32(26), U32(u32::MAX), U8(0), U8(1)],
    );
    let vectors = || [V(1.5), V(-2.25), V(1e6), V(0.125), V(-90.0), V(179.75)];
    let with_id = |id| [U32(id)].into_iter().chain(vectors()).collect::<Vec<_>>();
    let rotation = Rotation { roll: 0.125, pitch: -90.0, yaw: 179.75 };
    let (first, second) = (v(1.5, -2.25, 1e6), v(0.125, -90.0, 179.75));
    check(Position { id: 25, location: first, rotation }, &with_id(25));
    check(Kinematics { id: 26, linear_velocity: first, angular_velocity: second }, &with_id(26));
    check(BoundingBox { id: 27, origin: first, extent: second }, &with_id(27));
    check(BonePose { location: first, rotation }, &vectors());
    check(
        TrafficLightState { id: 28, frozen: true, elapsed: 1.5, state: 2 },
        &[U32(28), U8(1), F32(1.5), U8(2)],
    );
    check(
        VehicleControl { id: 25, steer: -0.5, throttle: 0.75, brake: 0.25, handbrake: true, gear: -1 },
        &[U32(25), F32(-0.5), F32(0.75), F32(0.25), U8(1), I32(-1)],
    );
    check(WalkerSpeed { id: 27, speed: 115.0 }, &[U32(27), F32(115.0)]);
    check(VehicleLights { id: 25, flags: 0x8000_0109 }, &[U32(25), U32(0x8000_0109)]);
    check(
        SceneLight {
            id: -1,
            intensity: 1000.0,
            red: 1.0,
            green: 0.5,
            blue: 0.25,
            alpha: 0.125,
            on: true,
            group: 4,
        },
        &[I32(-1), F32(1000.0), F32(1.0), F32(0.5), F32(0.25), F32(0.125), U8(1), U8(4)],
    );
    check(
        TrafficLightTimes { id: 28, green: 10.0, yellow: 3.0, red: 2.25 },
        &[U32(28), F32(10.0), F32(3.0), F32(2.25)],
    );
    check(Wheel { location: 3, steering: 5.5, rotation: -30.0 }, &[U8(3), F32(5.5), F32(-30.0)]);
    check(Biker { id: 26, speed: 250.5, engine_rotation: 0.375 }, &[U32(26), F32(250.5), F32(0.375)]);
    check(Door { id: 25, door: 6, open: true }, &[U32(25), U8(6), U8(1)]);
    check(CurvePoint { x: 1890.5, y: 500.0 }, &[F32(1890.5), F32(500.0)]);
    check(Gear { ratio: 4.0, down_ratio: 0.5, up_ratio: 0.75 }, &[F32(4.0), F32(0.5), F32(0.75)]);
}

#[test]
fn long_structures_lie_as_they_are_declared() {
    let floats = |n: u8| (1..=n).map(|i| F32(f32::from(i) + 0.5)).collect::<Vec<_>>();
    check(
        Weather {
            cloudiness: 1.5,
            precipitation: 2.5,
            precipitation_deposits: 3.5,
            wind_intensity: 4.5,
            sun_azimuth_angle: 5.5,
            sun_altitude_angle: 6.5,
            fog_density: 7.5,
            fog_distance: 8.5,
            fog_falloff: 9.5,
            wetness: 10.5,
            scattering_intensity: 11.5,
            mie_scattering_scale: 12.5,
            rayleigh_scattering_scale: 13.5,
            dust_storm: 14.5,
        },
        &floats(14),
    );
    let mut fields = floats(12);
    fields.insert(5, U8(1));
    check(
        PhysicsScalars {
            max_rpm: 1.5,
            moi: 2.5,
            damping_rate_full_throttle: 3.5,
            damping_rate_zero_throttle_clutch_engaged: 4.5,
            damping_rate_zero_throttle_clutch_disengaged: 5.5,
            use_gear_auto_box: true,
            clutch_strength: 6.5,
            final_ratio: 7.5,
            mass: 8.5,
            drag_coefficient: 9.5,
            center_of_mass_x: 10.5,
            center_of_mass_y: 11.5,
            center_of_mass_z: 12.5,
        },
        &fields,
    );
    let short = PhysicsWheel36 {
        tire_friction: 1.5,
        damping_rate: 2.5,
        max_steer_angle: 3.5,
        radius: 4.5,
        max_brake_torque: 5.5,
        max_handbrake_torque: 6.5,
        x: 7.5,
        y: 8.5,
        z: 9.5,
    };
    check(short, &floats(9));
    let long = PhysicsWheel48 {
        tire_friction: 1.5,
        damping_rate: 2.5,
        max_steer_angle: 3.5,
        radius: 4.5,
        max_brake_torque: 5.5,
        max_handbrake_torque: 6.5,
        lateral_stiffness_max_load: 7.5,
        lateral_stiffness_value: 8.5,
        longitudinal_stiffness_value: 9.5,
        x: 10.5,
        y: 11.5,
        z: 12.5,
    };
    check(long, &floats(12));
    let widened = PhysicsWheel48 {
        lateral_stiffness_max_load: 0.0,
        lateral_stiffness_value: 0.0,
        longitudinal_stiffness_value: 0.0,
        x: 7.5,
        y: 8.5,
        z: 9.5,
        ..long
    };
    assert_eq!(PhysicsWheel48::from(short), widened);
}

/// Any byte but 0 is true, as in C++; doubles are not truncated to floats.
#[test]
fn odd_values_are_read_as_the_simulator_reads_them() {
    let bytes = lay(&[U32(1), U8(2), U8(255)], Width::F32);
    let door = Door::decode(&bytes, Width::F32, 0).unwrap();
    assert_eq!(door, Door { id: 1, door: 2, open: true });
    let far = 123_456_789.012_345_67;
    let bytes = lay(&[U32(1), V(far), V(0.0), V(0.0), V(0.0), V(0.0), V(0.0)], Width::F64);
    let position = Position::decode(&bytes, Width::F64, 0).unwrap();
    assert_eq!(position.location.x.to_bits(), far.to_bits());
}

#[test]
fn every_view_of_positions_equals_its_declaration() {
    let mut seen = [0, 0];
    for fixture in testkit::fixtures("carla-rec", "log") {
        let Ok(reader) = Reader::new(&fixture.bytes) else { continue };
        let mut all = PositionColumns::default();
        let mut expected = Vec::new();
        for record in reader.records().map_while(Result::ok) {
            let Ok(Payload::Position(rows)) = record.decode() else { continue };
            let (name, width) = (&fixture.name, rows.width());
            let size = Position::len(width);
            let chunks = record.body()[2..].chunks_exact(size);
            let want: Vec<Position> =
                chunks.map(|chunk| Position::decode(chunk, width, 0).unwrap()).collect();
            assert_eq!(rows.offset(), record.body_offset() + 2);
            assert_eq!(rows.bytes(), &record.body()[2..]);
            assert_eq!((rows.len(), rows.is_empty()), (want.len(), want.is_empty()), "{name}");
            assert_eq!(rows.iter().collect::<Vec<_>>(), want, "{name}");
            assert_eq!(rows.iter().len(), want.len());
            assert_eq!(rows.ids().collect::<Vec<_>>(), want.iter().map(|p| p.id).collect::<Vec<_>>());
            for (i, position) in want.iter().enumerate() {
                assert_eq!(rows.get(i), Some(*position), "{name}");
                let first = want.iter().find(|p| p.id == position.id);
                assert_eq!(rows.of(position.id), first.copied(), "{name}");
            }
            assert_eq!(rows.get(want.len()), None);
            assert_eq!((rows.get(usize::MAX), rows.of(4711)), (None, None));
            rows.append_to(&mut all);
            seen[usize::from(width == Width::F64)] += want.len();
            expected.extend(want);
        }
        let column = |of: &dyn Fn(&Position) -> f64| expected.iter().map(of).collect::<Vec<f64>>();
        let wanted = PositionColumns {
            id: expected.iter().map(|p| p.id).collect(),
            x: column(&|p| p.location.x),
            y: column(&|p| p.location.y),
            z: column(&|p| p.location.z),
            roll: column(&|p| p.rotation.roll),
            pitch: column(&|p| p.rotation.pitch),
            yaw: column(&|p| p.rotation.yaw),
        };
        assert_eq!(all, wanted, "{}", fixture.name);
        assert_eq!((all.len(), all.is_empty()), (expected.len(), expected.is_empty()));
        all.clear();
        assert_eq!(all, PositionColumns::default());
    }
    println!("{seen:?} positions");
    assert!(seen[0] > 600 && seen[1] >= 19, "positions of both widths: {seen:?}");
}
