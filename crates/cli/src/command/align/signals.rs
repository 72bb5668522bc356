//! Signals, numbers over time, by which two recordings can be aligned.

#![allow(
    clippy::cast_precision_loss,
    reason = "differences of times in nanoseconds: a double holds 104 days of them"
)]

use std::{collections::BTreeMap, path::Path, sync::Arc};

use robolog_convert::{Error, Result, Settings};
use robolog_core::{Cell, Clock, Value, geodetic::Geodetic};

use crate::progress::Context;

/// Maximum number of values held of a recording; `--max-memory` may lower it.
const MOST: u64 = 16 << 20;
/// Bytes per value, including spare capacity of growing lists.
const BYTES: u64 = 32;

/// A number over time.
#[derive(Debug)]
pub(crate) struct Signal {
    /// The quantity; signals of equal quantities can be compared.
    pub(crate) quantity: String,
    /// Times in nanoseconds, with values.
    pub(crate) values: Vec<(i64, f64)>,
}

/// The numbers of a recording.
#[derive(Debug)]
pub(crate) struct Signals {
    pub(crate) clock: Clock,
    /// The first and the last time, in nanoseconds.
    pub(crate) span: (i64, i64),
    pub(crate) by_name: BTreeMap<String, Signal>,
    /// Number of unreadable samples.
    pub(crate) damaged: u64,
}

/// The last position of a channel, to derive its speed.
#[derive(Debug, Default)]
struct Before {
    time: i64,
    place: Option<[f64; 3]>,
}

impl Signals {
    /// Reads the signals of a file; `settings` may move its times.
    pub(crate) fn read(
        file: &Path,
        format: Option<&str>,
        settings: &Settings,
        context: Context,
    ) -> Result<Self> {
        let samples = context.open(file)?.samples_with(format, settings)?;
        let mut clock = None;
        let mut out =
            Self { clock: Clock::Relative, span: (i64::MAX, i64::MIN), by_name: BTreeMap::new(), damaged: 0 };
        let most = context.max_memory.map_or(MOST, |bytes| MOST.min(bytes / BYTES));
        let (mut before, mut held) = (BTreeMap::<Arc<str>, Before>::new(), 0_u64);
        for sample in samples {
            let sample = match sample {
                Ok(sample) => sample,
                Err(error) if error.is_of_machine() => return Err(error),
                Err(_) => {
                    out.damaged += 1;
                    continue;
                }
            };
            // Skip times on another clock than the first one.
            let time = sample.time.and_then(|time| settings.moved(time));
            let Some(time) = time.filter(|time| *clock.get_or_insert(time.clock()) == time.clock()) else {
                continue;
            };
            let time = time.nanos();
            out.span = (out.span.0.min(time), out.span.1.max(time));
            let before = before.entry(Arc::clone(&sample.channel)).or_default();
            let mut add = |name: &str, quantity: &str, value: Option<f64>| {
                let Some(value) = value.filter(|value| value.is_finite()) else { return };
                let key = if name.is_empty() {
                    sample.channel.to_string()
                } else {
                    format!("{}:{name}", sample.channel)
                };
                let new = || Signal { quantity: quantity.to_owned(), values: Vec::new() };
                let signal = out.by_name.entry(key).or_insert_with(new);
                if signal.values.last().is_none_or(|(last, _)| *last < time) {
                    signal.values.push((time, value));
                    held += 1;
                }
            };
            match &sample.value {
                Value::Scalar(value) => add("", &quantity(&sample.channel), Some(*value)),
                Value::Row(row) => {
                    for (field, cell) in row.iter() {
                        let value = match cell {
                            Cell::Float(x) => Some(*x),
                            Cell::Int(n) => i32::try_from(*n).ok().map(f64::from),
                            _ => None,
                        };
                        add(&field.name, &quantity(&field.name), value);
                    }
                }
                Value::Imu(imu) => add("yaw_rate", "yaw rate", imu.angular_velocity.map(|w| w.z)),
                Value::Odometry(odometry) => {
                    let twist = odometry.twist;
                    let place = odometry.pose.position.into();
                    let moved = before.speed(time, place);
                    add("speed", "speed", twist.map(|twist| twist.linear.norm()).or(moved));
                    add("yaw_rate", "yaw rate", twist.map(|twist| twist.angular.z));
                }
                Value::Pose(pose) => add("speed", "speed", before.speed(time, pose.position.into())),
                Value::GnssFix(fix) => {
                    let (latitude, longitude) = (fix.latitude.to_radians(), fix.longitude.to_radians());
                    let place = Geodetic { latitude, longitude, height: 0.0 }.to_cartesian();
                    let moved = before.speed(time, place);
                    add("speed", "speed", fix.speed.or(moved));
                }
                _ => {}
            }
            if held > most {
                return Err(Error::Target("too many numbers to compare: cut out a part first".into()));
            }
        }
        out.clock = clock.unwrap_or(Clock::Relative);
        Ok(out)
    }
}

/// The quantity that a name stands for: its words in lower case, with synonyms replaced.
fn quantity(name: &str) -> String {
    let name = name.to_lowercase();
    match () {
        () if name.contains("speed") => "speed".into(),
        () if name.contains("yaw_rate") || name.contains("yawrate") => "yaw rate".into(),
        () => name,
    }
}

impl Before {
    /// Speed since the last position, in m/s.
    fn speed(&mut self, time: i64, place: [f64; 3]) -> Option<f64> {
        let seconds = time.checked_sub(self.time).filter(|nanos| *nanos > 0)? as f64 / 1e9;
        let old = std::mem::replace(self, Self { time, place: Some(place) });
        let distance = old.place?.iter().zip(place).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        Some(distance / seconds)
    }
}
