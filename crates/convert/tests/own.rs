//! Samples as recordings of our own formats: the bytes by hand, and the values by the crate that reads them.

#![cfg(all(feature = "alog", feature = "carla-rec", feature = "koblenz-log", feature = "lvx"))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "helpers of tests fail the test that calls them"
)]

use std::{io::Cursor, sync::Arc};

use robolog_convert::{
    Sink, Took,
    sink::{
        alog::Alog,
        carla_rec::{CarlaOptions, CarlaRec},
        koblenz_log::KoblenzLog,
        lvx::{Lvx, LvxOptions},
    },
};
use robolog_core::{
    Clock, Encoding, Field, FieldKind, Format, GnssFix, Image, Imu, LaserScan, Odometry, PointCloud, Pose,
    Reader, Recording, Row, Sample, Sampler as _, Timestamp, Twist, Value,
};

use Took::{LeftOut, Written};

/// 2026-01-02T03:04:05.006007008Z.
const T: i64 = 1_767_323_045_006_007_008;
const MS: i64 = 1_000_000;

fn sample(channel: &str, time: Option<i64>, value: Value) -> Sample {
    on(Clock::Unix, channel, time, value)
}

fn on(clock: Clock, channel: &str, time: Option<i64>, value: Value) -> Sample {
    let time = time.map(|ns| Timestamp::new(ns, clock));
    Sample { time, offset: 0, channel: channel.into(), frame_id: "map".into(), value }
}

fn put(sink: &mut dyn Sink, samples: impl IntoIterator<Item = Sample>) -> Vec<Took> {
    samples.into_iter().map(|mut sample| sink.write(&mut sample).unwrap()).collect()
}

/// What the format's own reader makes of a file.
fn read<F: Format + Recording>(file: &[u8]) -> Vec<Sample>
where
    <F::Sampler as robolog_core::Sampler>::Options: Default,
{
    let reader = Reader::<F>::new(file).unwrap();
    let mut sampler =
        F::Sampler::new(reader.header(), <F::Sampler as robolog_core::Sampler>::Options::default());
    let mut found = Vec::new();
    let mut keep = |sample: &mut Sample| {
        found.push(sample.clone());
        Ok::<(), robolog_core::Error>(())
    };
    for record in reader.records() {
        sampler.push(&record.unwrap(), &mut keep).unwrap();
    }
    sampler.finish(&mut keep).unwrap();
    found
}

fn near(a: f64, b: f64, within: f64) -> bool {
    (a - b).abs() <= within
}

fn row(cells: Vec<(&'static str, FieldKind, robolog_core::Cell)>) -> Value {
    let fields: Arc<[Field]> = cells.iter().map(|(name, kind, _)| Field::new(name, *kind)).collect();
    Value::Row(Row::new(fields, cells.into_iter().map(|(_, _, cell)| cell).collect()))
}

fn odometry(position: [f64; 3], yaw: f64, linear: [f64; 3]) -> Value {
    let twist = Twist { linear: linear.into(), angular: [0.0, 0.0, f64::NAN].into() };
    let pose = Pose::from_euler(position, 0.0, 0.0, yaw);
    Value::Odometry(Odometry { child_frame_id: "base_link".into(), pose, twist: Some(twist) })
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

/// The lines of a log without the header, each as its columns.
fn lines(log: &str) -> Vec<Vec<&str>> {
    log.lines().filter(|line| !line.starts_with("%%")).map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn variables_are_named_after_channels_and_keep_every_digit() {
    let mut sink = Alog::new(Vec::new(), false);
    sink.begin_at(Timestamp::new(T - 1_500_000_000, Clock::Unix));
    let cells = || {
        row(vec![
            ("steer", FieldKind::Float, 1e-7.into()),
            ("gear", FieldKind::Int, (-3_i64).into()),
            ("on", FieldKind::Bool, true.into()),
            ("none", FieldKind::Float, robolog_core::Cell::Null),
        ])
    };
    let took = put(
        &mut sink,
        [
            sample("NAV_X", Some(T), Value::Scalar(0.1 + 0.2)),
            sample("car/controls", Some(T + 1), cells()),
            sample("car_controls", Some(T + 1), cells()),
            sample("a b", Some(T - 2_000_000_000), Value::Text("two\nlines".into())),
            sample("p", Some(T), odometry([1.5, -2.0, 0.25], 0.0, [3.0, 0.0, f64::NAN])),
            sample("gps", Some(T), Value::GnssFix(fix())),
        ],
    );
    assert_eq!(took, [Written; 6]);
    let log = String::from_utf8(sink.into_inner().unwrap().unwrap()).unwrap();
    assert!(log.contains("\n%% LOGSTART        1767323043.506007008\n"), "{log}");
    let want = [
        ["1.500000000", "NAV_X", "robolog", "0.30000000000000004"],
        ["1.500000001", "car_controls_steer", "robolog", "0.0000001"],
        ["1.500000001", "car_controls_gear", "robolog", "-3"],
        ["1.500000001", "car_controls_on", "robolog", "true"],
        ["1.500000001", "car_controls_steer_2", "robolog", "0.0000001"],
        ["1.500000001", "car_controls_gear_2", "robolog", "-3"],
        ["1.500000001", "car_controls_on_2", "robolog", "true"],
        ["-0.500000000", "a_b", "robolog", "two"],
    ];
    let got = lines(&log);
    assert_eq!(got[..8], want.map(|line| line.to_vec()));
    assert_eq!(got[8], ["lines"]);
    let value =
        |name: &str| got.iter().find(|l| l.get(1) == Some(&name)).map(|l| l[3].parse::<f64>().unwrap());
    // East is 90 degrees.
    assert_eq!((value("p_X"), value("p_Y"), value("p_Z")), (Some(1.5), Some(-2.0), Some(0.25)));
    assert_eq!((value("p_HEADING"), value("p_SPEED"), value("p_VZ")), (Some(90.0), Some(3.0), None));
    assert_eq!((value("gps_LAT"), value("gps_SATELLITES")), (Some(50.363_421_123_456_7), Some(11.0)));
    let back = read::<alog::Alog>(log.as_bytes());
    assert_eq!(back[0].time, Some(Timestamp::new(T, Clock::Unix)));
    assert_eq!(back[0].value, Value::Scalar(0.1 + 0.2));
    let text = back.iter().find(|sample| &*sample.channel == "a_b").unwrap();
    assert_eq!(
        (&text.value, text.time.unwrap().nanos()),
        (&Value::Text("two\nlines".into()), T - 2_000_000_000)
    );
}

#[test]
fn chosen_poses_are_navigated_by() {
    let mut sink = Alog::new(Vec::new(), true);
    put(
        &mut sink,
        [
            sample("a/odometry", Some(T), odometry([1.0, 2.0, -3.0], 1.0, [4.0, 0.0, 0.0])),
            sample("b/odometry", Some(T), odometry([7.0, 8.0, 0.0], 0.0, [4.0, 0.0, 0.0])),
            sample("gps", Some(T), Value::GnssFix(fix())),
        ],
    );
    let log = sink.into_inner().unwrap().unwrap();
    let back = read::<alog::Alog>(&log);
    // The reader joins MOOS's variables again.
    let joined = back.iter().find(|sample| &*sample.channel == "NAV/odometry").unwrap();
    let Value::Odometry(odometry) = &joined.value else { panic!("{joined:?}") };
    let (p, (_, _, yaw)) = (odometry.pose.position, odometry.pose.orientation.euler_angles());
    assert!(near(p.x, 1.0, 0.0) && near(p.y, 2.0, 0.0) && near(yaw, 1.0, 1e-12), "{odometry:?}");
    assert!(near(odometry.twist.unwrap().linear.x, 4.0, 0.0));
    let joined = back.iter().find(|sample| &*sample.channel == "NAV/fix").unwrap();
    assert!(matches!(&joined.value, Value::GnssFix(f) if near(f.longitude, fix().longitude, 0.0)));
    assert!(back.iter().any(|s| &*s.channel == "b_odometry_X" && s.value == Value::Scalar(7.0)));
}

#[test]
fn text_that_would_be_another_entry_is_left_out_and_other_clocks_too() {
    let mut sink = Alog::new(Vec::new(), false);
    let took = put(
        &mut sink,
        [
            on(Clock::Device, "t", Some(5), Value::Text("a\n1.5 NAV_X me 3".into())),
            on(Clock::Device, "t", Some(6), Value::Text("a\n%% b".into())),
            on(Clock::Device, "t", Some(7), Value::Text("1.5 NAV_X me 3".into())),
            sample("t", Some(T), Value::Scalar(1.0)),
            on(Clock::Device, "t", None, Value::Scalar(1.0)),
            on(Clock::Device, "t", Some(8), Value::Scalar(f64::NAN)),
            on(Clock::Device, "t", Some(8), row(vec![("a", FieldKind::Text, "x\n2.0 N s v".into())])),
            on(Clock::Device, "c", Some(8), Value::PointCloud(PointCloud::default())),
        ],
    );
    assert_eq!(took, [LeftOut, LeftOut, Written, LeftOut, LeftOut, Written, LeftOut, LeftOut]);
    let log = sink.into_inner().unwrap().unwrap();
    assert!(!String::from_utf8_lossy(&log).contains("LOGSTART"));
    let back = read::<alog::Alog>(&log);
    assert_eq!((back.len(), back[0].time), (2, Some(Timestamp::new(7, Clock::Relative))));
    assert_eq!(back[0].value, Value::Text("1.5 NAV_X me 3".into()));
}

fn cloud(points: u16, interval: u32) -> PointCloud {
    let column = |scale: f32| (0..points).map(|i| f32::from(i) * scale).collect();
    PointCloud {
        x: column(0.001_4),
        y: column(-0.01),
        z: column(1.0),
        intensity: (0..points).map(|i| f32::from(i % 300)).collect(),
        tag: (0..points).map(|i| i.to_le_bytes()[0]).collect(),
        time_offset: (0..points).map(|i| u32::from(i) * interval).collect(),
        ..PointCloud::default()
    }
}

/// Devices of a file of LVX 1.1, then the packages of each frame as device, time stamp type, data type, time and points.
type Package = (u8, u8, u8, u64, Vec<[i32; 3]>);

fn lvx_by_hand(file: &[u8]) -> (Vec<(String, u8)>, Vec<Vec<Package>>) {
    let word = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    assert_eq!((&file[..10], &file[16..20]), (&b"livox_tech"[..], &[1, 1, 0, 0][..]));
    assert_eq!(file[20..24], 0xac0e_a767_u32.to_le_bytes());
    assert_eq!(file[24..28], 50_u32.to_le_bytes());
    let count = usize::from(file[28]);
    let devices = (0..count).map(|i| {
        let info = &file[29 + 59 * i..][..59];
        assert_eq!(usize::from(info[32]), i);
        let sn = info[..16].split(|b| *b == 0).next().unwrap();
        (String::from_utf8(sn.to_vec()).unwrap(), info[33])
    });
    let devices = devices.collect();
    let mut at = 29 + 59 * count;
    let mut frames = Vec::new();
    while at < file.len() {
        assert_eq!((word(at), word(at + 16)), (at as u64, frames.len() as u64));
        let next = usize::try_from(word(at + 8)).unwrap();
        at += 24;
        let mut packages = Vec::new();
        while at < next {
            let head = &file[at..at + 19];
            let body = match head[10] {
                2 | 4 => 96 * 14,
                7 => 30 * 42,
                6 => 24,
                other => panic!("data type {other}"),
            };
            let int = |at: usize| i32::from_le_bytes(file[at..at + 4].try_into().unwrap());
            let points = if head[10] == 6 { 0 } else { body / 14 };
            let points = (0..points).map(|i| at + 19 + 14 * i).map(|p| [int(p), int(p + 4), int(p + 8)]);
            packages.push((head[0], head[9], head[10], word(at + 11), points.collect()));
            at += 19 + body;
        }
        assert_eq!(at, next);
        frames.push(packages);
    }
    (devices, frames)
}

#[test]
fn points_lie_in_packages_of_96_and_frames_of_50_ms() {
    let mut sink = Lvx::new(Cursor::new(Vec::new()), LvxOptions::default());
    let long = "a device with a long name";
    let t = T / (50 * MS) * 50 * MS;
    let imu = Imu {
        orientation: None,
        angular_velocity: Some([0.5, 0.25, -1.0].into()),
        linear_acceleration: Some([0.0, 0.0, 9.806_65].into()),
    };
    let clouds = [
        sample("L1/points", Some(t + 10 * MS), Value::PointCloud(cloud(200, 10_000))),
        sample("L1/imu", Some(t + 12 * MS), Value::Imu(imu)),
        sample(&format!("{long} 1"), Some(t + 60 * MS), Value::PointCloud(cloud(96, 4_200))),
        sample(&format!("{long} 2"), Some(t), Value::PointCloud(cloud(1, 0))),
    ];
    assert_eq!(put(&mut sink, clouds), [Written; 4]);
    let mut nan = cloud(3, 0);
    nan.y[2] = f32::NAN;
    let mut far = cloud(3, 0);
    far.z[0] = 3e6;
    let left = [
        sample("L1/points", Some(t), Value::PointCloud(nan)),
        sample("L1/points", Some(t), Value::PointCloud(far)),
        sample("L1/points", None, Value::PointCloud(cloud(1, 0))),
        sample("L1/points", Some(-1), Value::PointCloud(cloud(1, 0))),
        on(Clock::Device, "L1/points", Some(1), Value::PointCloud(cloud(1, 0))),
        sample("L1/imu", Some(t), Value::Imu(Imu { angular_velocity: None, ..imu })),
        sample("L1/x", Some(t), Value::Scalar(1.0)),
    ];
    assert_eq!(put(&mut sink, left), [LeftOut; 7]);
    let file = sink.into_inner().unwrap().into_inner();
    let (devices, frames) = lvx_by_hand(&file);
    let names = [("L1", 1), ("a_device_with_a", 3), ("a_device_with_2", 1)];
    assert_eq!(devices, names.map(|(name, model)| (name.to_owned(), model)));
    let heads: Vec<Vec<_>> =
        frames.iter().map(|f| f.iter().map(|(d, k, t, at, _)| (*d, *k, *t, *at)).collect()).collect();
    let at = |ns: i64| (t + ns).unsigned_abs();
    assert_eq!(
        heads,
        [
            vec![
                (2, 1, 2, at(0)),
                (0, 1, 2, at(10 * MS)),
                (0, 1, 2, at(10 * MS + 960_000)),
                (0, 1, 2, at(10 * MS + 1_920_000)),
                (0, 1, 6, at(12 * MS)),
            ],
            vec![(1, 1, 2, at(60 * MS))],
        ]
    );
    // Millimetres, rounded: 1.4 a point; then filling at the origin.
    let all: Vec<[i32; 3]> = frames[0][1..4].iter().flat_map(|package| package.4.clone()).collect();
    assert_eq!(all[..3], [[0, 0, 0], [1, -10, 1000], [3, -20, 2000]]);
    assert_eq!((all[199], all[200], all.len()), ([279, -1990, 199_000], [0, 0, 0], 288));
    let back = read::<lvx::Lvx>(&file);
    let Value::PointCloud(points) = &back.iter().find(|s| &*s.channel == "L1/points").unwrap().value else {
        panic!()
    };
    let want = cloud(200, 10_000);
    assert_eq!((&points.time_offset[..200], &points.tag[..200]), (&want.time_offset[..], &want.tag[..]));
    let clamped = points
        .intensity
        .iter()
        .zip(&want.intensity)
        .all(|(a, b)| near((*a).into(), b.min(255.0).into(), 0.0));
    assert!(clamped && points.len() == 288);
    let Value::Imu(imu) = &back.iter().find(|s| &*s.channel == "L1/imu").unwrap().value else { panic!() };
    assert!(
        near(imu.linear_acceleration.unwrap().z, 9.806_65, 1e-6)
            && near(imu.angular_velocity.unwrap().z, -1.0, 0.0)
    );
}

#[test]
fn returns_of_a_shot_share_its_time() {
    let mut dual = cloud(100, 0);
    dual.return_number = [1, 2].repeat(50);
    dual.time_offset = (0..100_u32).map(|i| i / 2 * 10_000).collect();
    let mut sink = Lvx::new(Cursor::new(Vec::new()), LvxOptions::default());
    put(&mut sink, [on(Clock::Relative, "d", Some(7), Value::PointCloud(dual.clone()))]);
    let file = sink.into_inner().unwrap().into_inner();
    let (_, frames) = lvx_by_hand(&file);
    let heads: Vec<_> =
        frames[0].iter().map(|(_, kind, data, time, points)| (*kind, *data, *time, points.len())).collect();
    assert_eq!(heads, [(0, 4, 7, 96), (0, 4, 480_007, 96)]);
    let back = read::<lvx::Lvx>(&file);
    let Value::PointCloud(points) = &back[0].value else { panic!() };
    assert_eq!(points.time_offset[..100], dual.time_offset);
    assert_eq!(points.return_number[..100], dual.return_number);
    assert_eq!(back[0].time, Some(Timestamp::new(7, Clock::Device)));
}

#[test]
fn there_is_room_for_255_devices_and_clocks_may_be_set_back() {
    let mut sink = Lvx::new(Cursor::new(Vec::new()), LvxOptions::default());
    let one = |n: usize, t: i64| sample(&format!("{n}/points"), Some(t), Value::PointCloud(cloud(1, 0)));
    assert!(put(&mut sink, (0..255).map(|n| one(n, 10_000 * MS))).iter().all(|took| *took == Written));
    assert_eq!(put(&mut sink, [one(255, 0), one(0, 0), one(1, 40_000 * MS)]), [LeftOut, Written, Written]);
    assert!(sink.advice().is_some());
    let (devices, frames) = lvx_by_hand(&sink.into_inner().unwrap().into_inner());
    let times: Vec<_> = frames.iter().map(|frame| (frame.len(), frame[0].3)).collect();
    assert_eq!((devices.len(), times), (255, vec![(255, 10_000_000_000), (1, 0), (1, 40_000_000_000)]));
}

#[test]
fn trajectories_are_actors_in_unreals_axes() {
    let mut sink = CarlaRec::new(Vec::new(), CarlaOptions::default());
    let half = std::f64::consts::FRAC_PI_2;
    let took = put(
        &mut sink,
        [
            sample("robot", Some(T), odometry([1.5, 2.0, 0.25], half, [3.0, 0.0, 0.0])),
            sample("actor_7/poses", Some(T), Value::Pose(Pose::from_euler([-10.0, 0.0, 0.0], 0.0, 0.1, 0.0))),
            sample("robot", Some(T), odometry([9.0, 9.0, 9.0], 0.0, [0.0; 3])),
            sample("robot", Some(T + 100 * MS), odometry([1.5, 2.3, 0.25], half, [3.0, 0.0, 0.0])),
            sample("actor_7/poses", Some(T + 50 * MS), Value::Pose(Pose::identity())),
            sample("robot", None, Value::Pose(Pose::identity())),
            on(Clock::Device, "robot", Some(T + 200 * MS), Value::Pose(Pose::identity())),
            sample(
                "robot",
                Some(T + 200 * MS),
                Value::Pose(Pose::from_euler([f64::NAN, 0.0, 0.0], 0.0, 0.0, 0.0)),
            ),
            sample("robot", Some(T + 200 * MS), Value::Text("no pose".into())),
        ],
    );
    assert_eq!(took, [Written, Written, LeftOut, Written, LeftOut, LeftOut, LeftOut, LeftOut, LeftOut]);
    assert!(sink.advice().is_some());
    let file = sink.into_inner().unwrap().unwrap();
    // Version, length and text of the magic, date, and the map behind its length.
    assert_eq!(file[..18], *b"\x01\0\x0e\0CARLA_RECORDER");
    assert_eq!(file[18..31], [&1_767_323_045_i64.to_le_bytes()[..], b"\x03\0map"].concat());
    let mut at = 31;
    let mut packets = Vec::new();
    while at < file.len() {
        let size = usize::try_from(u32::from_le_bytes(file[at + 1..at + 5].try_into().unwrap())).unwrap();
        packets.push((file[at], &file[at + 5..at + 5 + size]));
        at += 5 + size;
    }
    let starts: Vec<_> = packets.iter().filter(|(id, _)| *id == 0).map(|(_, body)| *body).collect();
    let double = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap());
    assert_eq!(starts.len(), 2);
    assert!(
        near(double(&starts[0][16..24]), 0.006_007_008, 1e-12) && near(double(&starts[0][8..16]), 0.1, 1e-9)
    );
    let positions = packets.iter().find(|(id, _)| *id == 6).unwrap().1;
    let floats = |bytes: &[u8]| -> Vec<f32> {
        bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    };
    // Centimetres, y to the right; roll, pitch, yaw in degrees, and pitch lifts the nose.
    assert_eq!(positions[..2], [2, 0]);
    assert_eq!(positions[2..6], 1_u32.to_le_bytes());
    let first = floats(&positions[6..30]);
    let want = [150.0, -200.0, 25.0, 0.0, 0.0, -90.0];
    assert!(first.iter().zip(want).all(|(a, b)| near((*a).into(), b, 1e-4)), "{first:?}");
    assert_eq!(positions[30..34], 7_u32.to_le_bytes());
    let second = floats(&positions[34..58]);
    let want = [-1000.0, 0.0, 0.0, 0.0, -0.1_f64.to_degrees(), 0.0];
    assert!(second.iter().zip(want).all(|(a, b)| near((*a).into(), b, 1e-4)), "{second:?}");
    let back = read::<carla_rec::CarlaRec>(&file);
    let poses: Vec<_> = back.iter().filter(|sample| matches!(sample.value, Value::Odometry(_))).collect();
    assert_eq!(
        (poses.len(), &*poses[0].channel, poses[2].time.unwrap().nanos()),
        (3, "actor_1/poses", T + 100 * MS)
    );
    let Value::Odometry(odometry) = &poses[2].value else { panic!() };
    let (p, v) = (odometry.pose.position, odometry.twist.unwrap().linear);
    assert!(near(p.y, 2.3, 1e-6) && near(v.x, 3.0, 1e-5) && near(v.y, 0.0, 1e-5), "{odometry:?}");
    assert!(file.windows(9).any(|w| w == b"role_name") && file.windows(5).any(|w| w == b"robot"));
}

fn scan(beams: u16, angle_min: f32, angle_increment: f32) -> LaserScan {
    let ranges = (0..beams).map(|i| if i == 3 { f32::NAN } else { 1.0 + f32::from(i) / 1000.0 }).collect();
    LaserScan { angle_min, angle_increment, range_min: 0.02, range_max: 5.6, ranges, ..LaserScan::default() }
}

#[test]
fn messages_hold_scans_pictures_fixes_and_attitudes() {
    let mut sink = KoblenzLog::new(Cursor::new(Vec::new())).unwrap();
    let step = std::f32::consts::TAU / 1024.0;
    let urg = scan(682, (44.0 - 384.0) * step, step);
    let imu = Imu {
        orientation: Some(nalgebra::UnitQuaternion::identity()),
        angular_velocity: None,
        linear_acceleration: Some([0.0, 0.0, 9.81].into()),
    };
    let image = |encoding, data: &[u8]| {
        Value::Image(Image { width: 2, height: 1, encoding, data: data.to_vec().into() })
    };
    let obd = |speed: f64| {
        row(vec![
            ("speed", FieldKind::Float, speed.into()),
            ("rpm", FieldKind::Int, 900_i64.into()),
            ("throttle", FieldKind::Float, 12.5.into()),
            ("unused_2", FieldKind::Float, 0.0.into()),
            ("unused_3", FieldKind::Int, 0_i64.into()),
            ("unused_4", FieldKind::Int, 0_i64.into()),
            ("unused_6", FieldKind::Int, 7_i64.into()),
        ])
    };
    let took = put(
        &mut sink,
        [
            sample("laser/front", Some(T), Value::LaserScan(urg.clone())),
            sample("front", Some(T + 1500 * MS), image(Encoding::Rgb8, &[1, 2, 3, 4, 5, 6])),
            sample("camera/0", Some(T + 2000 * MS), image(Encoding::Jpeg, &[0xff, 0xd8, 0xff, 0xd9])),
            sample("gps/fix", Some(T + 2100 * MS), Value::GnssFix(fix())),
            sample("imu", Some(T + 2200 * MS), Value::Imu(imu)),
            sample("obd", Some(T + 2300 * MS), obd(10.0)),
            // No place.
            sample("laser/front", Some(T), Value::LaserScan(scan(100, -1.0, 0.01))),
            sample("front", Some(T), image(Encoding::Mono16, &[0; 4])),
            sample("front", Some(T), image(Encoding::Rgb8, &[0; 5])),
            sample("imu", Some(T), Value::Imu(Imu { orientation: None, ..imu })),
            sample("obd", Some(T), obd(1e12)),
            sample("pose", Some(T), Value::Pose(Pose::identity())),
            sample("gps/fix", None, Value::GnssFix(fix())),
            on(Clock::Device, "gps/fix", Some(1), Value::GnssFix(fix())),
        ],
    );
    assert_eq!(took[..6], [Written; 6]);
    assert_eq!(took[6..], [LeftOut; 8]);
    let file = sink.into_inner().unwrap().unwrap().into_inner();
    // Magic, version 1.1, three seconds of index; the first message lies behind it.
    assert_eq!(file[..12], *b"\xa4VEL\x01\0\x01\0\x03\0\0\0");
    let word = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    assert_eq!(word(12), 36);
    let at = 36;
    assert_eq!((file[at + 4], &file[at + 5..at + 13]), (0x49, &b"\x10\x09\x03\0\x65\0\0\0"[..]));
    assert_eq!(f64::from_le_bytes(file[at + 13..at + 21].try_into().unwrap()).to_bits(), 0.0_f64.to_bits());
    let body = &file[at + 21..];
    assert_eq!(body[..32], *b"\x0f\0\0\0Hokuyo URG 04LX\x05\0\0\0front\xaa\x02\0\0");
    let ranges: Vec<u32> =
        body[32..32 + 16].chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
    assert_eq!(ranges, [1000, 1001, 1002, 0]);
    let back = read::<koblenz_log::KoblenzLog>(&file);
    let of = |channel: &str| &back.iter().find(|sample| &*sample.channel == channel).unwrap().value;
    let Value::LaserScan(scan) = of("laser/front") else { panic!() };
    assert!(near(scan.angle_min.into(), urg.angle_min.into(), 1e-6) && scan.ranges.len() == 682);
    assert!(scan.ranges[3].is_nan() && near(scan.ranges[681].into(), 1.681, 1e-6));
    assert_eq!(*of("camera/0"), image(Encoding::Rgb8, &[1, 2, 3, 4, 5, 6]));
    assert_eq!(*of("camera/1"), image(Encoding::Jpeg, &[0xff, 0xd8, 0xff, 0xd9]));
    let (Value::GnssFix(got), want) = (of("gps/fix"), fix()) else { panic!() };
    assert_eq!(
        (got.latitude.to_bits(), got.longitude.to_bits()),
        (want.latitude.to_bits(), want.longitude.to_bits())
    );
    assert_eq!((got.quality, got.satellites, got.vdop), (want.quality, want.satellites, None));
    let pairs =
        [(got.altitude, want.altitude), (got.altitude_msl, want.altitude_msl), (got.speed, want.speed)];
    assert!(pairs.iter().all(|(a, b)| near(a.unwrap(), b.unwrap(), 1e-5)), "{got:?}");
    assert!(near(got.course.unwrap(), 1.5, 1e-6));
    let Value::Row(time) = of("gps/time") else { panic!() };
    assert_eq!(time.get("utc"), Some(&robolog_core::Cell::Int(1_767_323_047_000_000_000)));
    let Value::Imu(imu) = of("imu") else { panic!() };
    assert!(near(imu.linear_acceleration.unwrap().z, 9.81, 1e-6) && imu.orientation.is_some());
    let (Value::Row(got), Value::Row(want)) = (of("obd"), obd(10.0)) else { panic!() };
    assert_eq!(got.cells, want.cells);
    assert_eq!(back[0].time, Some(Timestamp::new(0, Clock::Relative)));
    assert_eq!(word(20), word(28) - (21 + 20 + 6), "the second second begins with the first picture");
}
