//! Samples written as recordings: bytes checked by hand, values by the crate that reads them.

#![cfg(all(feature = "to-alog", feature = "to-carla-rec", feature = "to-koblenz-log", feature = "to-lvx"))]

mod alog;
mod carla_rec;
mod koblenz_log;
mod lvx;
mod round_trips;

use std::sync::Arc;

use robolog_convert::{Outcome, Sink};
use robolog_core::{
    Cell, Clock, Field, FieldKind, GnssFix, Odometry, Pose, Reader, Row, Sample, Timestamp, Twist, Value,
    format::{Decoder as _, Format, Recording},
};

/// 2026-01-02T03:04:05.006007008Z.
const T: i64 = 1_767_323_045_006_007_008;
const MS: i64 = 1_000_000;

fn sample(channel: &str, time: Option<i64>, value: Value) -> Sample {
    on(Clock::Unix, channel, time, value)
}

fn on(clock: Clock, channel: &str, time: Option<i64>, value: Value) -> Sample {
    let time = time.map(|ns| Timestamp::new(ns, clock));
    Sample::new(channel, value).with_time(time).with_frame("map")
}

fn put(sink: &mut dyn Sink, samples: impl IntoIterator<Item = Sample>) -> Vec<Outcome> {
    samples.into_iter().map(|mut sample| sink.write(&mut sample).unwrap()).collect()
}

/// Samples that the format's own reader gives.
fn read<F: Format + Recording>(file: &[u8]) -> Vec<Sample>
where
    robolog_core::format::OptionsOf<F>: Default,
{
    let reader = Reader::<F>::new(file).unwrap();
    let mut decoder = F::Decoder::new(reader.header(), robolog_core::format::OptionsOf::<F>::default());
    let mut found = Vec::new();
    let mut keep = |sample: &mut Sample| {
        found.push(sample.clone());
        Ok::<(), robolog_core::Error>(())
    };
    for record in reader.records() {
        decoder.samples(&record.unwrap(), &mut keep).unwrap();
    }
    decoder.last_samples(&mut keep).unwrap();
    found
}

fn near(a: f64, b: f64, within: f64) -> bool {
    (a - b).abs() <= within
}

fn row(cells: Vec<(&'static str, FieldKind, Cell)>) -> Value {
    let fields: Arc<[Field]> = cells.iter().map(|(name, kind, _)| Field::new(name, *kind)).collect();
    Value::Row(Row::new(fields, cells.into_iter().map(|(_, _, cell)| cell).collect()))
}

fn odometry(position: [f64; 3], yaw: f64, linear: [f64; 3]) -> Value {
    let twist = Twist { linear: linear.into(), angular: [0.0, 0.0, f64::NAN].into() };
    let pose = Pose::from_euler(position, 0.0, 0.0, yaw);
    Value::Odometry(Odometry::new("base_link", pose).with_twist(Some(twist)))
}

fn fix() -> GnssFix {
    GnssFix {
        latitude: 50.363_421_123_456_7,
        longitude: -7.558_765_432_1,
        altitude: Some(120.5),
        altitude_msl: Some(72.25),
        quality: robolog_core::FixQuality::RtkFixed,
        satellites: Some(11),
        hdop: Some(0.75),
        speed: Some(10.0),
        course: Some(1.5),
        ..GnssFix::default()
    }
}
