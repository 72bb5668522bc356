//! CARLA recordings.

use arbitrary::{Result, Unstructured};
use carla_rec::{
    ActorKind, CarlaRec, FrameIndex, Header, NewActor, Payload, Reader, Recorder, Release,
    layout::{
        Biker, BoundingBox, Collision, Deletion, Door, Kinematics, Parenting, Position, Rotation, SceneLight,
        TrafficLightState, TrafficLightTimes, Vector, VehicleControl, VehicleLights, WalkerSpeed,
    },
};

use crate::{invariants, values};

pub(in super::super) fn write(data: &[u8]) {
    let _ = frames(&mut Unstructured::new(data));
}

fn vector(u: &mut Unstructured<'_>) -> Result<Vector> {
    // Vectors have single precision.
    Ok(Vector { x: values::single(u)?.into(), y: values::single(u)?.into(), z: values::single(u)?.into() })
}

fn frames(u: &mut Unstructured<'_>) -> Result<()> {
    let release = *u.choose(&Release::ALL)?;
    let header = Header::new(values::text(u)?, values::time(u)?, release);
    let Ok(mut recorder) = Recorder::new(Vec::new(), &header) else { return Ok(()) };
    let mut elapsed = 0.0;
    let mut positions: Vec<Vec<Position>> = Vec::new();
    let mut is_refused = false;
    while !u.is_empty() && positions.len() < 6 {
        elapsed = if u.ratio(1, 16)? { values::number(u)? } else { elapsed + 0.05 };
        is_refused = recorder.begin_frame(elapsed).is_err();
        if is_refused {
            break;
        }
        let mut here = Vec::new();
        for _ in 0..u.int_in_range(0..=6)? {
            one(u, &mut recorder, &mut here)?;
        }
        positions.push(here);
    }
    let Ok(file) = recorder.finish() else { return Ok(()) };
    if is_refused {
        return Ok(());
    }
    invariants::is_whole::<CarlaRec>(&file, &[]);
    testkit::assert_agrees::<CarlaRec>("written", &file);
    let reader = Reader::new(&file).unwrap();
    assert_eq!(FrameIndex::scan(&reader).unwrap().entries().len(), positions.len());
    let mut frame = 0;
    for record in reader.records().map(core::result::Result::unwrap) {
        match record.decode().unwrap() {
            Payload::FrameStart(_) => frame += 1,
            Payload::Position(rows) => {
                let found: Vec<_> = rows.iter().collect();
                assert_eq!(format!("{found:?}"), format!("{:?}", positions[frame - 1]));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Something that happens in a frame.
fn one(
    u: &mut Unstructured<'_>,
    recorder: &mut Recorder<Vec<u8>>,
    positions: &mut Vec<Position>,
) -> Result<()> {
    let id: u32 = u.int_in_range(0..=5)?;
    let outcome = match u.int_in_range(0..=16)? {
        0 => {
            let mut actor =
                NewActor::new(id, ActorKind(u.arbitrary()?), values::text(u)?).at(&values::pose(u)?);
            for _ in 0..u.int_in_range(0..=3)? {
                actor = actor.attribute(values::text(u)?, values::text(u)?);
            }
            recorder.add(&actor)
        }
        1 => recorder.delete(Deletion { id }),
        2 => recorder.velocity(id, &values::twist(u)?),
        3 => recorder.parent(Parenting { child: id, parent: u.arbitrary()? }),
        4 => recorder.collision(Collision {
            sequence: u.arbitrary()?,
            actor1: id,
            actor2: u.arbitrary()?,
            hero1: u.arbitrary()?,
            hero2: u.arbitrary()?,
        }),
        5 => recorder.traffic_light(TrafficLightState {
            id,
            frozen: u.arbitrary()?,
            elapsed: values::single(u)?,
            state: u.arbitrary()?,
        }),
        6 => recorder.control(VehicleControl {
            id,
            steer: values::single(u)?,
            throttle: values::single(u)?,
            brake: values::single(u)?,
            handbrake: u.arbitrary()?,
            gear: u.arbitrary()?,
        }),
        7 => recorder.walker(WalkerSpeed { id, speed: values::single(u)? }),
        8 => recorder.lights(VehicleLights { id, flags: u.arbitrary()? }),
        9 => recorder.scene_light(SceneLight {
            id: u.arbitrary()?,
            intensity: values::single(u)?,
            red: values::single(u)?,
            green: values::single(u)?,
            blue: values::single(u)?,
            alpha: values::single(u)?,
            on: u.arbitrary()?,
            group: u.arbitrary()?,
        }),
        10 => {
            recorder.kinematics(Kinematics { id, linear_velocity: vector(u)?, angular_velocity: vector(u)? })
        }
        11 => recorder.bounding_box(BoundingBox { id, origin: vector(u)?, extent: vector(u)? }),
        12 => recorder.traffic_light_times(TrafficLightTimes {
            id,
            green: values::single(u)?,
            yellow: values::single(u)?,
            red: values::single(u)?,
        }),
        13 => recorder.biker(Biker { id, speed: values::single(u)?, engine_rotation: values::single(u)? }),
        14 => recorder.door(Door { id, door: u.arbitrary()?, open: u.arbitrary()? }),
        15 => recorder.platform_time(values::number(u)?).and_then(|()| recorder.visual_time(0.5)),
        _ => {
            let Vector { x, y, z } = vector(u)?;
            let at = Position { id, location: vector(u)?, rotation: Rotation { roll: x, pitch: y, yaw: z } };
            recorder.position(at).map(|()| positions.push(at))
        }
    };
    drop(outcome);
    Ok(())
}
