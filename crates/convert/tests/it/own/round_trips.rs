//! Real recordings written to the same format: both have the same samples.

use std::{
    collections::BTreeMap,
    fs::File,
    io::BufWriter,
    path::{Path, PathBuf},
};

use robolog_convert::{Feed, Input, Opening, Outcome, Report, Result, Sink, TargetSpec, convert, sink};
use robolog_core::{Odometry, PointCloud, Sample, Value};

use super::near;

struct Keep(Vec<Sample>);

impl Sink for Keep {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.0.push(sample.clone());
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

fn drive(path: &Path, sink: &mut dyn Sink) -> Report {
    let input = Input::open(path).unwrap();
    convert(vec![Feed::new(input)], sink, &mut |_| {}).unwrap()
}

fn samples(path: &Path) -> Vec<Sample> {
    let mut keep = Keep(Vec::new());
    drive(path, &mut keep);
    keep.0
}

/// Writes the recording as `target` twice, and checks that both files are equal. Returns the samples before and after.
fn round(path: &Path, target: &'static TargetSpec) -> (Vec<Sample>, Vec<Sample>, Report) {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str| {
        let out: PathBuf = dir.path().join(name);
        let file = BufWriter::new(File::create(&out).unwrap());
        let mut sink = target.open(file, &Opening::default()).unwrap();
        let report = drive(path, &mut *sink);
        sink.finish().unwrap();
        (out, report)
    };
    let ((first, report), (second, _)) = (write("a"), write("b"));
    assert_eq!(std::fs::read(&first).unwrap(), std::fs::read(second).unwrap());
    (samples(path), samples(&first), report)
}

/// Points with a position of each channel, with their times and tags.
fn points(samples: &[Sample]) -> BTreeMap<String, Vec<([f64; 3], u8, i64)>> {
    let mut all = BTreeMap::<_, Vec<_>>::new();
    for sample in samples {
        let Value::PointCloud(PointCloud { x, y, z, tag, time_offset, .. }) = &sample.value else { continue };
        let channel: &mut Vec<_> = all.entry(sample.channel.to_string()).or_default();
        let place = |i: usize| [x[i], y[i], z[i]].map(f64::from);
        let start = sample.time.unwrap().nanos();
        let points = (0..x.len()).map(|i| (place(i), tag[i], start + i64::from(time_offset[i])));
        channel.extend(points.filter(|(place, ..)| place.iter().any(|v| v.abs() > 0.0)));
    }
    all
}

#[test]
fn points_are_within_half_a_millimetre() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    for name in ["tele15_real_v11.lvx", "mid100_v10_cart.lvx"] {
        let (before, after, report) = round(&dir.join(name), &sink::lvx::LVX);
        assert!(report.is_complete(), "{report:?}");
        let (before, after) = (points(&before), points(&after));
        assert!(before.keys().eq(after.keys()) && !before.is_empty());
        for (channel, before) in &before {
            let after = &after[channel];
            assert_eq!(before.len(), after.len(), "{channel}");
            for ((place, tag, time), (other, same, then)) in before.iter().zip(after) {
                let moved = place.iter().zip(other).all(|(a, b)| near(*a, *b, 5.01e-4));
                assert!(moved && tag == same, "{channel}: {place:?} {other:?}");
                assert!(time.abs_diff(*then) <= 1000, "{channel}: {time} {then}");
            }
            println!("{name}: {channel}: {} points", before.len());
        }
    }
}

#[test]
fn actors_are_where_they_were() {
    let Some(dir) = testkit::data_dir("carla-rec") else { return };
    let of = |samples: Vec<Sample>| -> Vec<(String, i64, Odometry)> {
        let poses = samples.into_iter().filter_map(|sample| match sample.value {
            Value::Odometry(odometry) => Some((sample.channel.to_string(), sample.time?.nanos(), odometry)),
            _ => None,
        });
        let mut poses: Vec<_> = poses.collect();
        poses.sort_by_key(|(channel, time, _)| (*time, channel.clone()));
        poses
    };
    let (before, after, report) = round(&dir.join("crash.log"), &sink::carla_rec::CARLA_REC);
    assert!(report.left_out.keys().all(|kind| *kind == "row"));
    let (before, after) = (of(before), of(after));
    assert_eq!(before.len(), after.len());
    for ((channel, time, a), (other, then, b)) in before.iter().zip(&after) {
        assert_eq!((channel, time), (other, then));
        // Single precision of some hundred metres in centimetres, converted back and forth.
        assert!((a.pose.position - b.pose.position).norm() < 1e-4, "{channel} {time}");
        assert!(a.pose.orientation.angle_to(&b.pose.orientation) < 1e-5, "{channel} {time}");
        assert_eq!(a.twist.is_some(), b.twist.is_some());
        if let (Some(a), Some(b)) = (a.twist, b.twist) {
            assert!((a.linear - b.linear).norm() < 1e-4 && (a.angular - b.angular).norm() < 1e-4);
        }
    }
    println!("crash.log: {} poses", before.len());
}

#[test]
fn variables_have_the_same_values() {
    let Some(dir) = testkit::data_dir("alog") else { return };
    for name in ["new_college/QuadTree_Alog.alog", "moosivp_2025/MOOSLog_19_6_2025_____17_34_50.alog"] {
        let (before, after, _) = round(&dir.join(name), &sink::alog::ALOG);
        let is_plain = |sample: &&Sample| matches!(sample.value, Value::Scalar(_) | Value::Text(_));
        let of = |samples: &[Sample]| -> BTreeMap<String, Vec<(i64, Value)>> {
            let mut all = BTreeMap::<_, Vec<_>>::new();
            for sample in samples.iter().filter(is_plain) {
                let value = match &sample.value {
                    // Leading blanks belong to the column.
                    Value::Text(text) => Value::Text(text.trim_start_matches([' ', '\t']).to_owned()),
                    value => value.clone(),
                };
                all.entry(sample.channel.to_string())
                    .or_default()
                    .push((sample.time.unwrap().nanos(), value));
            }
            all
        };
        let (before, after) = (of(&before), of(&after));
        for (channel, values) in &before {
            assert_eq!(after.get(channel), Some(values), "{channel}");
        }
        println!("{name}: {} variables", before.len());
    }
}

#[test]
fn messages_have_the_same_values() {
    let Some(dir) = testkit::data_dir("koblenz-log") else { return };
    let (before, after, _) = round(&dir.join("mix_h17.log"), &sink::koblenz_log::KOBLENZ_LOG);
    let is_held = |sample: &&Sample| {
        let is_kind = matches!(sample.value, Value::GnssFix(_) | Value::Imu(_) | Value::Image(_));
        is_kind || matches!(sample.value, Value::LaserScan(_)) && &*sample.channel == "laser/front"
    };
    let (before, after): (Vec<_>, Vec<_>) =
        (before.iter().filter(is_held).collect(), after.iter().filter(is_held).collect());
    assert_eq!(before.len(), after.len());
    for (a, b) in before.iter().zip(&after) {
        assert_eq!((&a.channel, a.time), (&b.channel, b.time));
        match (&a.value, &b.value) {
            (Value::LaserScan(a), Value::LaserScan(b)) => {
                assert_eq!(a.ranges.len(), b.ranges.len());
                assert!(a.ranges.iter().zip(&b.ranges).all(|(a, b)| a.to_bits() == b.to_bits()));
            }
            (Value::Imu(a), Value::Imu(b)) => {
                assert!((a.linear_acceleration.unwrap() - b.linear_acceleration.unwrap()).norm() < 1e-5);
                assert!(a.orientation.unwrap().angle_to(&b.orientation.unwrap()) < 1e-6);
            }
            (Value::GnssFix(a), Value::GnssFix(b)) => {
                assert_eq!(
                    (a.latitude.to_bits(), a.longitude.to_bits()),
                    (b.latitude.to_bits(), b.longitude.to_bits())
                );
                assert_eq!((a.quality, a.satellites), (b.quality, b.satellites));
                assert!(near(a.altitude.unwrap(), b.altitude.unwrap(), 1e-4));
            }
            (a, b) => assert_eq!(a, b),
        }
    }
    println!("mix_h17.log: {} samples", before.len());
}
