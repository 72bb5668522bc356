//! CARLA recordings.

use std::{collections::BTreeMap, fmt::Debug};

use arbitrary::{Result, Unstructured};
use carla_rec::{
    ActorKind, CarlaRec, FrameIndex, Header, NewActor, Payload, Reader, Recorder, Release,
    layout::{
        Biker, BoundingBox, Collision, Deletion, Door, Kinematics, Parenting, Position, Rotation, SceneLight,
        TrafficLightState, TrafficLightTimes, Vector, VehicleControl, VehicleLights, WalkerSpeed,
    },
};
use testkit::laws;

use crate::values;

pub(in super::super) fn write(data: &[u8]) {
    let _ = frames(&mut Unstructured::new(data));
}

fn vector(u: &mut Unstructured<'_>) -> Result<Vector> {
    // Vectors have single precision.
    Ok(Vector { x: values::single(u)?.into(), y: values::single(u)?.into(), z: values::single(u)?.into() })
}

/// The content of a frame: the rows of each packet as text.
type Frame = BTreeMap<&'static str, Vec<String>>;

fn frames(u: &mut Unstructured<'_>) -> Result<()> {
    let release = *u.choose(&Release::ALL)?;
    let header = Header::new(values::text(u)?, values::time(u)?, release);
    let Ok(mut recorder) = Recorder::new(Vec::new(), &header) else { return Ok(()) };
    let mut elapsed = 0.0;
    let mut frames: Vec<Frame> = Vec::new();
    let mut is_refused = false;
    while !u.is_empty() && frames.len() < 6 {
        elapsed = if u.ratio(1, 16)? { values::number(u)? } else { elapsed + 0.05 };
        is_refused = recorder.begin_frame(elapsed).is_err();
        if is_refused {
            break;
        }
        let mut here = Frame::new();
        for _ in 0..u.int_in_range(0..=6)? {
            one(u, &mut recorder, &mut here)?;
        }
        frames.push(here);
    }
    let Ok(file) = recorder.finish() else { return Ok(()) };
    if is_refused {
        return Ok(());
    }
    laws::is_whole::<CarlaRec>(&file, &[]);
    testkit::assert_agrees::<CarlaRec>("written", &file);
    let reader = Reader::new(&file).unwrap();
    assert_eq!(FrameIndex::scan(&reader).unwrap().entries().len(), frames.len());
    let mut read: Vec<Frame> = Vec::new();
    for record in reader.records().map(core::result::Result::unwrap) {
        let payload = record.decode().unwrap();
        if let Payload::FrameStart(_) = payload {
            read.push(Frame::new());
        }
        let Some(here) = read.last_mut() else { continue };
        rows(&payload, here);
    }
    assert_eq!(read, frames);
    Ok(())
}

/// Records the rows of a packet.
fn rows(payload: &Payload<'_>, here: &mut Frame) {
    macro_rules! noted {
        ($($kind:ident $name:literal),+ $(,)?) => {
            match payload {
                $(Payload::$kind(rows) => rows.iter().for_each(|row| note(here, $name, &row)),)+
                Payload::EventAdd(actors) => {
                    actors.clone().into_iter().for_each(|actor| note(here, "actor", &actor.unwrap().id));
                }
                _ => {}
            }
        };
    }
    noted!(
        EventDel "deletion", EventParent "parent", Collision "collision", Position "position", State "state",
        AnimVehicle "control", AnimWalker "walker", VehicleLight "lights", SceneLight "scene light",
        Kinematics "kinematics", BoundingBox "box", TrafficLightTime "times", VehicleDoor "door", AnimBiker "biker",
    );
}

fn note(here: &mut Frame, kind: &'static str, row: &dyn Debug) {
    here.entry(kind).or_default().push(format!("{row:?}"));
}

/// An event in a frame.
fn one(u: &mut Unstructured<'_>, recorder: &mut Recorder<Vec<u8>>, here: &mut Frame) -> Result<()> {
    macro_rules! row {
        ($name:literal, $method:ident, $row:expr) => {{
            let row = $row;
            if recorder.$method(row).is_ok() {
                note(here, $name, &row);
            }
        }};
    }
    let id: u32 = u.int_in_range(0..=5)?;
    match u.int_in_range(0..=15)? {
        0 => {
            let mut actor =
                NewActor::new(id, ActorKind(u.arbitrary()?), values::text(u)?).at(&values::pose(u)?);
            for _ in 0..u.int_in_range(0..=3)? {
                actor = actor.attribute(values::text(u)?, values::text(u)?);
            }
            if recorder.add(&actor).is_ok() {
                note(here, "actor", &id);
            }
        }
        1 => row!("deletion", delete, Deletion { id }),
        2 => drop(recorder.platform_time(values::number(u)?).and_then(|()| recorder.visual_time(0.5))),
        3 => row!("parent", parent, Parenting { child: id, parent: u.arbitrary()? }),
        4 => row!(
            "collision",
            collision,
            Collision {
                sequence: u.arbitrary()?,
                actor1: id,
                actor2: u.arbitrary()?,
                hero1: u.arbitrary()?,
                hero2: u.arbitrary()?,
            }
        ),
        5 => row!(
            "state",
            traffic_light,
            TrafficLightState {
                id,
                frozen: u.arbitrary()?,
                elapsed: values::single(u)?,
                state: u.arbitrary()?,
            }
        ),
        6 => row!(
            "control",
            control,
            VehicleControl {
                id,
                steer: values::single(u)?,
                throttle: values::single(u)?,
                brake: values::single(u)?,
                handbrake: u.arbitrary()?,
                gear: u.arbitrary()?,
            }
        ),
        7 => row!("walker", walker, WalkerSpeed { id, speed: values::single(u)? }),
        8 => row!("lights", lights, VehicleLights { id, flags: u.arbitrary()? }),
        9 => row!(
            "scene light",
            scene_light,
            SceneLight {
                id: u.arbitrary()?,
                intensity: values::single(u)?,
                red: values::single(u)?,
                green: values::single(u)?,
                blue: values::single(u)?,
                alpha: values::single(u)?,
                on: u.arbitrary()?,
                group: u.arbitrary()?,
            }
        ),
        10 => {
            let (linear_velocity, angular_velocity) = (vector(u)?, vector(u)?);
            row!("kinematics", kinematics, Kinematics { id, linear_velocity, angular_velocity });
        }
        11 => row!("box", bounding_box, BoundingBox { id, origin: vector(u)?, extent: vector(u)? }),
        12 => {
            let [green, yellow, red] = [values::single(u)?, values::single(u)?, values::single(u)?];
            row!("times", traffic_light_times, TrafficLightTimes { id, green, yellow, red });
        }
        13 => {
            let (speed, engine_rotation) = (values::single(u)?, values::single(u)?);
            row!("biker", biker, Biker { id, speed, engine_rotation });
        }
        14 => row!("door", door, Door { id, door: u.arbitrary()?, open: u.arbitrary()? }),
        _ => {
            let Vector { x, y, z } = vector(u)?;
            let rotation = Rotation { roll: x, pitch: y, yaw: z };
            row!("position", position, Position { id, location: vector(u)?, rotation });
        }
    }
    Ok(())
}
