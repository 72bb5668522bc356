//! Koblenz messages.

use std::io::Cursor;

use robolog_convert::{
    Outcome::{LeftOut, Written},
    sink::koblenz_log::KoblenzLog,
};
use robolog_core::{Cell, Clock, Encoding, FieldKind, Image, Imu, LaserScan, Pose, Timestamp, Value};

use super::{MS, T, fix, near, on, put, read, row, sample};

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
        ..Imu::default()
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
            // No position.
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
    // Magic, version 1.1, three seconds of index; the first message follows it.
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
    let back = read::<::koblenz_log::KoblenzLog>(&file);
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
    assert_eq!(time.get("utc"), Some(&Cell::Int(1_767_323_047_000_000_000)));
    let Value::Imu(imu) = of("imu") else { panic!() };
    assert!(near(imu.linear_acceleration.unwrap().z, 9.81, 1e-6) && imu.orientation.is_some());
    let (Value::Row(got), Value::Row(want)) = (of("obd"), obd(10.0)) else { panic!() };
    assert_eq!(got.cells, want.cells);
    assert_eq!(back[0].time, Some(Timestamp::new(0, Clock::Relative)));
    assert_eq!(word(20), word(28) - (21 + 20 + 6), "the second second begins with the first picture");
}
