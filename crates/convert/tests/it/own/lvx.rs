//! Livox packages.

use std::io::Cursor;

use robolog_convert::{
    Note,
    Outcome::{LeftOut, Written},
    Sink as _,
    sink::lvx::{Lvx, LvxOptions},
};
use robolog_core::{Clock, Imu, PointCloud, Timestamp, Value};

use super::{MS, T, near, on, put, read, sample};

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

/// Devices of a file of LVX 1.1, then the packages of each frame as device, time stamp type, data type, time and
/// points.
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
        ..Imu::default()
    };
    let clouds = [
        sample("L1/points", Some(t + 10 * MS), Value::PointCloud(cloud(200, 10_000))),
        sample("L1/imu", Some(t + 12 * MS), Value::Imu(imu)),
        sample(&format!("{long} 1"), Some(t + 60 * MS), Value::PointCloud(cloud(96, 4_200))),
        sample(&format!("{long} 2"), Some(t), Value::PointCloud(cloud(1, 0))),
    ];
    assert_eq!(put(&mut sink, clouds), [Written; 4]);
    // 200 points take three packages, one point takes one.
    assert_eq!(sink.notes().unwrap(), [Note::Filled { points: 88 + 95 }]);
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
    let back = read::<::lvx::Lvx>(&file);
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
    let back = read::<::lvx::Lvx>(&file);
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
