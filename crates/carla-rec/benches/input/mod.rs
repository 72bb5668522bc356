//! The measured recording: repeated frames, with numbers and times that continue.

use std::{env, fs};

use carla_rec::{
    ActorKind, Clock, Header, NewActor, Reader, Recorder, Release, Timestamp,
    layout::{
        Kinematics, Position, Rotation, TrafficLightState, Vector, VehicleControl, VehicleLights, WalkerSpeed,
    },
};

/// Bytes of the recording: few if `ROBOLOG_SMOKE` is set.
pub(crate) fn size() -> usize {
    if env::var_os("ROBOLOG_SMOKE").is_some() { 3_000_000 } else { 300_000_000 }
}

/// The repeated frames.
pub(crate) struct Base {
    pub(crate) header: Vec<u8>,
    frames: Vec<u8>,
    /// Offsets in `frames` of the bodies of packets 0.
    starts: Vec<usize>,
    /// Seconds from the first frame to the first of the next repetition.
    span: f64,
}

impl Base {
    /// The recording named by `ROBOLOG_BENCH`; otherwise a generated one, the same everywhere.
    pub(crate) fn new() -> Self {
        let named = env::var_os("ROBOLOG_BENCH");
        Self::of(&named.map_or_else(made, |path| fs::read(path).unwrap()))
    }

    fn of(file: &[u8]) -> Self {
        let reader = Reader::new(file).unwrap();
        let header = reader.header_bytes().to_vec();
        let starts = reader.records().map(Result::unwrap).filter(|packet| packet.id() == 0);
        let starts =
            starts.map(|packet| usize::try_from(packet.body_offset()).unwrap() - header.len()).collect();
        let last = reader.records().map(Result::unwrap).filter_map(|packet| packet.frame_start()).last();
        Self { frames: file[header.len()..].to_vec(), header, starts, span: last.unwrap().elapsed + STEP }
    }

    /// Appends the frames of repetition `n`, counted from 0, to `out`.
    pub(crate) fn repeat(&self, n: u32, out: &mut Vec<u8>) {
        let before = out.len();
        out.extend_from_slice(&self.frames);
        for start in &self.starts {
            let body = &mut out[before + start..][..24];
            let number = |at: usize| <[u8; 8]>::try_from(&body[at..at + 8]).unwrap();
            let frame = u64::from_le_bytes(number(0)) + u64::from(n) * self.starts.len() as u64;
            let duration = f64::from_le_bytes(number(8));
            let elapsed = f64::from_le_bytes(number(16)) + f64::from(n) * self.span;
            let duration = if duration < 0.0 { STEP } else { duration };
            body[..8].copy_from_slice(&frame.to_le_bytes());
            body[8..16].copy_from_slice(&duration.to_le_bytes());
            body[16..].copy_from_slice(&elapsed.to_le_bytes());
        }
    }
}

const STEP: f64 = 0.03;

/// 400 frames of a town as 0.9.13 records it with additional data: 70 static props, 12 vehicles and 36 walkers that
/// move, 36 traffic lights.
fn made() -> Vec<u8> {
    let header = Header::new("Town01", Timestamp::new(0, Clock::Unix), Release::V0_9_12);
    let mut recorder = Recorder::new(Vec::new(), &header).unwrap();
    for step in 0..400_u32 {
        let time = f64::from(step) * STEP;
        recorder.begin_frame(time).unwrap();
        for id in 1..=118_u32 {
            let speed = if id <= 70 { 0.0 } else { f64::from(id) };
            let (sin, cos) = (f64::from(id) * 0.7).sin_cos();
            let place = f64::from(id) * 311.3;
            let location = Vector { x: place + speed * time * cos, y: speed * time * sin - place, z: 17.25 };
            let rotation = Rotation { roll: 0.013, pitch: -0.21, yaw: f64::from(id % 360) + 0.5 * time };
            recorder.position(Position { id, location, rotation }).unwrap();
            let linear_velocity = Vector { x: speed * cos / 100.0, y: speed * sin / 100.0, z: 0.0 };
            let angular_velocity = Vector { x: 0.0, y: 0.0, z: 0.5 };
            if step == 0 {
                let kind = if id <= 70 { ActorKind::OTHER } else { ActorKind::VEHICLE };
                let actor = NewActor::new(id, kind, "vehicle.lincoln.mkz_2017");
                recorder.add(&actor.attribute("role_name", "autopilot")).unwrap();
            }
            if id > 106 {
                let steer = (f64::from(step) * 0.01).sin() as f32;
                let control = VehicleControl { id, steer, throttle: 0.7, gear: 3, ..Default::default() };
                recorder.control(control).unwrap();
                recorder.lights(VehicleLights { id, flags: 3 }).unwrap();
                recorder.kinematics(Kinematics { id, linear_velocity, angular_velocity }).unwrap();
            } else if id > 70 {
                recorder.walker(WalkerSpeed { id, speed: speed as f32 }).unwrap();
            }
        }
        for id in 200..236 {
            let light = TrafficLightState { id, frozen: false, elapsed: time as f32, state: (id % 3) as u8 };
            recorder.traffic_light(light).unwrap();
        }
        recorder.platform_time(time * 1.1).unwrap();
    }
    recorder.finish().unwrap()
}
