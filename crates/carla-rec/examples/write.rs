//! `carla_rec_write FILE`: writes five seconds of 0.9.15, a hero driving a circle around a walker, for the simulator to
//! replay, and prints its size.

#![allow(clippy::print_stdout, reason = "a program that tells what it did")]

use std::{error::Error, f64::consts::TAU, fs::File, io::BufWriter};

use carla_rec::{
    ActorKind, Clock, Header, NewActor, Pose, Recorder, Release, Timestamp,
    layout::{VehicleControl, WalkerSpeed},
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: carla_rec_write FILE")?;
    let date = Timestamp::new(1_700_000_000_000_000_000, Clock::Unix);
    let header = Header::new("Town01", date, Release::V0_9_15);
    let mut recorder = Recorder::new(BufWriter::new(File::create_new(path)?), &header)?;

    let circle = |share: f64| {
        let (sin, cos) = (TAU * share).sin_cos();
        Pose::from_euler([150.0 + 20.0 * cos, -130.0 + 20.0 * sin, 0.3], 0.0, 0.0, TAU * (share + 0.25))
    };
    let middle = Pose::from_euler([150.0, -130.0, 1.0], 0.0, 0.0, 0.0);
    for step in 0..100_u32 {
        let share = f64::from(step) / 100.0;
        recorder.begin_frame(f64::from(step) / 20.0)?;
        if step == 0 {
            let hero = NewActor::new(25, ActorKind::VEHICLE, "vehicle.tesla.model3").at(&circle(share));
            recorder.add(&hero.attribute("number_of_wheels", "4").attribute("role_name", "hero"))?;
            let walker = NewActor::new(26, ActorKind::WALKER, "walker.pedestrian.0001").at(&middle);
            recorder.add(&walker.attribute("role_name", "walker"))?;
        }
        recorder.pose(25, &circle(share))?;
        recorder.pose(26, &middle)?;
        recorder.control(VehicleControl {
            id: 25,
            steer: -0.2,
            throttle: 0.5,
            gear: 3,
            ..Default::default()
        })?;
        recorder.walker(WalkerSpeed { id: 26, speed: 0.0 })?;
    }
    let file = recorder.finish()?.into_inner()?;
    println!("{} bytes", file.metadata()?.len());
    Ok(())
}
