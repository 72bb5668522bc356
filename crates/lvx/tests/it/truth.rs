//! Counts and sums match those computed without this crate: for fixtures by the script that writes them, for real
//! recordings by an independent script.

use std::{collections::BTreeMap, fs, path::Path};

use lvx::{ApplyExtrinsics, Decoder, DeviceId, ExtrinsicUnit, Options, StreamReader, Version};
use robolog_core::{
    Event, Transform, Value,
    format::{Decoder as _, Recording as _},
    survey,
};
use serde_json::{Value as Json, json};

/// The results of a reading, named as in the truth files.
#[derive(Default)]
struct Got {
    frames: u64,
    packages: BTreeMap<String, u64>,
    points: BTreeMap<String, u64>,
    imu_samples: u64,
    zero_points: u64,
    sum_raw: [i64; 3],
    sum_reflectivity: u64,
    sum_m: [f64; 3],
    imu: [f64; 6],
    tags: BTreeMap<String, u64>,
    status: BTreeMap<String, u64>,
    timestamp_types: BTreeMap<String, u64>,
    first: BTreeMap<String, i64>,
    last: BTreeMap<String, i64>,
    damage_at: Option<u64>,
}

/// Reads until the first error, like a simple caller.
fn read(file: &[u8]) -> Got {
    let mut reader = StreamReader::new(file).unwrap();
    let mut got = Got::default();
    let tagged = reader.header().version() != Version::V1_0;
    loop {
        let record = match reader.next_record() {
            Ok(Some(record)) => record,
            Ok(None) => return got,
            Err(error) => {
                got.damage_at.get_or_insert(error.offset());
                // A broken package costs only itself.
                if error.structure() != Some("lvx package") {
                    return got;
                }
                reader.resync().unwrap();
                continue;
            }
        };
        got.frames += u64::from(!record.is_fragment());
        for package in record.packages() {
            match package {
                Ok(package) => got.take(&package, tagged),
                Err(error) => {
                    got.damage_at.get_or_insert(error.offset());
                }
            }
        }
    }
}

impl Got {
    fn take(&mut self, package: &lvx::Package<'_>, tagged: bool) {
        let device = match package.device() {
            DeviceId::Index(index) => index.to_string(),
            DeviceId::Lidar(id) => id.to_string(),
        };
        let key = format!("{device}/t{}", package.data_type_number());
        *self.packages.entry(key.clone()).or_default() += 1;
        *self.points.entry(key).or_default() += package.point_count() as u64;
        *self.timestamp_types.entry(package.timestamp_type_number().to_string()).or_default() += 1;
        if let Some(status) = package.status() {
            *self.status.entry(format!("{:#x}", status.0)).or_default() += 1;
        }
        let lane = if package.imu().is_some() { format!("{device}/imu") } else { device };
        let ns = package.time().unwrap().nanos();
        self.first.entry(lane.clone()).or_insert(ns);
        self.last.insert(lane, ns);
        if let Some(imu) = package.imu() {
            self.imu_samples += 1;
            for (sum, value) in self.imu.iter_mut().zip(imu.gyro.iter().chain(&imu.acc)) {
                *sum += f64::from(*value);
            }
        }
        for raw in package.points().raw_xyz() {
            self.sum_raw.iter_mut().zip(raw).for_each(|(sum, v)| *sum += i64::from(v));
        }
        let has_tag =
            tagged && !matches!(package.data_type(), lvx::DataType::Cartesian | lvx::DataType::Spherical);
        for point in package.points().iter() {
            let xyz = [point.x, point.y, point.z];
            self.zero_points += u64::from(xyz == [0.0; 3]);
            self.sum_reflectivity += u64::from(point.reflectivity);
            self.sum_m.iter_mut().zip(xyz).for_each(|(sum, v)| *sum += f64::from(v));
            if has_tag {
                *self.tags.entry(format!("{:#x}", point.tag)).or_default() += 1;
            }
        }
    }
}

/// Compares every number in the truth; returns how many.
fn compare(file: &[u8], truth: &Json) -> usize {
    let name = truth["file"].as_str().unwrap();
    if truth.get("error").is_some() {
        let error = StreamReader::new(file).expect_err(name);
        assert!(matches!(error.kind(), lvx::ErrorKind::Magic { .. }), "{name}: {error}");
        return 1;
    }
    let got = read(file);
    let mut compared = 0;
    let mut same = |key: &str, value: Json| {
        if let Some(want) = truth.get(key) {
            assert_eq!(&value, want, "{name}: {key}");
            compared += 1;
        }
    };
    let header = StreamReader::new(file).unwrap().header().clone();
    let [a, b, c, d] = header.version().bytes();
    same("version", json!(format!("{a}.{b}.{c}.{d}")));
    same("magic_ok", json!(header.has_valid_magic()));
    same("frame_duration_ms", json!(header.frame_duration_ms()));
    same("frames", json!(got.frames));
    same("packages", json!(got.packages));
    same("points", json!(got.points));
    same("total_points", json!(got.points.values().sum::<u64>()));
    same("imu_samples", json!(got.imu_samples));
    same("first_ts_ns", json!(got.first));
    same("last_ts_ns", json!(got.last));
    same("timestamp_types", json!(got.timestamp_types));
    if header.version() < Version::V2_0 {
        same("status_codes", json!(got.status));
    }
    same("sum_xyz_raw", json!(got.sum_raw));
    same("sum_reflectivity", json!(got.sum_reflectivity));
    same("zero_points", json!(got.zero_points));
    same("tags", json!(got.tags));
    same("damage_at", json!(got.damage_at));

    let points = got.points.values().sum::<u64>() as f64;
    let mut near = |key: &str, values: &[f64], each: f64| {
        let Some(want) = truth.get(key).and_then(Json::as_array) else { return };
        // The sum of the float points of LVX 1.0; zero if there are none.
        if key == "sum_float_xyz" && want.iter().all(|v| v.as_f64() == Some(0.0)) {
            return;
        }
        for (value, want) in values.iter().zip(want) {
            let want = want.as_f64().unwrap();
            assert!((value - want).abs() <= each, "{name}: {key}: {value}, not {want}");
            compared += 1;
        }
    };
    near("imu_sums", &got.imu, 1e-5);
    // Each coordinate is rounded to single precision: up to 4e-6 m at 100 m; the truth to 1e-6.
    near("sum_xyz_m", &got.sum_m, points * 4e-6 + 1e-5);
    near("sum_float_xyz", &got.sum_m, 2e-3);
    if header.version() == Version::V1_1 && truth.get("sum_xyz_m").is_none() {
        near("sum_xyz_raw", &got.sum_m.map(|v| v * 1000.0), points * 4e-3 + 1e-2);
    }
    compared + compare_survey(file, truth)
}

/// The survey continues past damage.
fn compare_survey(file: &[u8], truth: &Json) -> usize {
    let name = truth["file"].as_str().unwrap();
    let summary = survey(&mut StreamReader::new(file).unwrap()).unwrap();
    let mut compared = 0;
    if let Some(want) = truth.get("recovered_frames").and_then(Json::as_u64) {
        assert_eq!(summary.details.frames, want, "{name}: recovered frames");
        compared += 1;
    }
    if let Some(want) = truth.get("complete").and_then(Json::as_bool) {
        assert_eq!(summary.complete, want, "{name}: complete");
        compared += 1;
    }
    if truth["complete"] == true {
        assert_eq!(summary.lost_bytes, 0, "{name}: lost bytes");
        assert_eq!(summary.bytes, file.len() as u64, "{name}: bytes");
        assert_eq!(summary.details.points, truth["total_points"], "{name}: points");
        compared += 3;
    }
    compared
}

#[test]
fn fixtures() {
    let mut files = 0;
    for fixture in testkit::fixtures("lvx", "lvx") {
        let truth = fixture.path.with_extension("truth.json");
        let truth: Json = serde_json::from_slice(&fs::read(truth).unwrap()).unwrap();
        let compared = compare(&fixture.bytes, &truth);
        assert!(compared > 0, "{}", fixture.name);
        files += 1;
    }
    assert!(files >= 30, "only {files}");
}

#[test]
fn real_recordings() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let truth: Vec<Json> = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    for entry in truth {
        let path = dir.join(Path::new(entry["file"].as_str().unwrap()));
        let compared = compare(&fs::read(&path).unwrap(), &entry);
        println!("{}: {compared} values equal", entry["file"]);
    }
}

#[test]
fn the_samples_hold_every_point_and_measurement() {
    for fixture in testkit::fixtures("lvx", "lvx") {
        let mut reader = StreamReader::new(&fixture.bytes[..]).unwrap();
        if reader.header().version() == Version::V2_4 {
            continue;
        }
        let mut decoder = Decoder::new(reader.header(), Options::default());
        let (mut points, mut imu) = (0, 0);
        loop {
            let record = match reader.next_event().unwrap() {
                Event::Record(record) => record,
                // Like `read`.
                Event::Damage { error, .. } if error.structure() == Some("lvx package") => continue,
                _ => break,
            };
            let outcome = decoder.samples::<lvx::Error>(&record, &mut |sample| {
                match &sample.value {
                    Value::PointCloud(cloud) => {
                        assert!(cloud.is_consistent() && cloud.columns().count() == 8, "{}", fixture.name);
                        points += cloud.len() as u64;
                    }
                    Value::Imu(_) => imu += 1,
                    Value::Transform(_) => {}
                    other => panic!("{other:?}"),
                }
                Ok(())
            });
            outcome.unwrap();
        }
        let got = read(&fixture.bytes);
        assert_eq!((points, imu), (got.points.values().sum(), got.imu_samples), "{}", fixture.name);
    }
}

/// The channels of a reading in order, each once, and its transforms.
fn placed(file: &[u8], options: Options) -> (Vec<String>, Vec<(String, Transform)>) {
    let mut reader = StreamReader::new(file).unwrap();
    let mut decoder = Decoder::new(reader.header(), options);
    let (mut channels, mut transforms) = (Vec::new(), Vec::new());
    while let Event::Record(record) = reader.next_event().unwrap() {
        let _ = decoder.samples::<lvx::Error>(&record, &mut |sample| {
            if let Value::Transform(transform) = &sample.value {
                assert_eq!((sample.time, &*sample.channel), (None, "tf_static"));
                transforms.push((sample.frame_id.to_string(), transform.clone()));
                channels.push(format!("mount of {}", transform.child_frame_id));
            } else if channels.iter().all(|channel| *channel != *sample.channel) {
                channels.push(sample.channel.to_string());
            }
            Ok(())
        });
    }
    (channels, transforms)
}

/// `Rz(yaw) * Ry(pitch) * Rx(roll) * p + t`, one rotation after the other; angles in degrees, `scale` is metres per
/// unit of translation.
fn moved([roll, pitch, yaw, tx, ty, tz]: [f64; 6], scale: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let turn = |angle: f64, from: f64, to: f64| {
        let (sin, cos) = angle.to_radians().sin_cos();
        (cos * from - sin * to, sin * from + cos * to)
    };
    let (y, z) = turn(roll, y, z);
    let (z, x) = turn(pitch, z, x);
    let (x, y) = turn(yaw, x, y);
    [x + tx * scale, y + ty * scale, z + tz * scale]
}

#[test]
fn mounts_are_told_where_points_are_not_moved() {
    let mut told = 0;
    for fixture in testkit::fixtures("lvx", "lvx") {
        let truth: Json =
            serde_json::from_slice(&fs::read(fixture.path.with_extension("truth.json")).unwrap()).unwrap();
        let (version, name) = (truth["version"].as_str().unwrap(), &fixture.name);
        let mut options = Options::default();
        for (unit, in_metres) in [(ExtrinsicUnit::Metre, 1.0), (ExtrinsicUnit::Centimetre, 0.01)] {
            options.extrinsic_unit = unit;
            let (channels, mut transforms) = placed(&fixture.bytes, options);
            for device in truth["devices"].as_array().unwrap() {
                let sn = device["sn"].as_str().unwrap();
                let numbers: Vec<f64> =
                    device["rpyxyz"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
                let numbers: [f64; 6] = numbers.try_into().unwrap();
                let first = channels.iter().find(|channel| channel.contains(sn));
                if first.is_none() || version == "1.0.0.0" || numbers == [0.0; 6] {
                    continue;
                }
                let is_enabled = device["extrinsic_enable"] == json!(1);
                let child = if is_enabled { sn.to_owned() } else { format!("{sn}/extrinsic_disabled") };
                assert_eq!(first, Some(&format!("mount of {child}")), "{name}: before anything else of it");
                let at = transforms.iter().position(|(_, t)| t.child_frame_id == child).unwrap();
                let (parent, transform) = transforms.remove(at);
                assert_eq!(parent, "base_link");
                let point = [1.0, -2.0, 3.0];
                let got = transform.pose.isometry().transform_point(&point.into());
                let scale = if version == "2.0.0.0" { in_metres } else { 1.0 };
                for (got, want) in got.iter().zip(moved(numbers, scale, point)) {
                    assert!((got - want).abs() < 1e-6, "{name}: {got}, not {want}");
                }
                told += 1;
            }
            assert!(transforms.is_empty(), "{name}: {transforms:?}");
        }
        options.apply_extrinsics = ApplyExtrinsics::Always;
        assert!(placed(&fixture.bytes, options).1.is_empty(), "{name}");
        let surveyed = survey(&mut StreamReader::new(&fixture.bytes[..]).unwrap());
        let is_listed = surveyed.unwrap().channels.iter().any(|channel| channel.name == "tf_static");
        assert_eq!(is_listed, !placed(&fixture.bytes, Options::default()).1.is_empty(), "{name}");
    }
    assert_eq!(told, 8, "of two devices, and of one in two files, in two units");
}

#[test]
fn formats_are_told_apart() {
    for fixture in testkit::fixtures("lvx", "lvx") {
        assert!(lvx::detect(&fixture.bytes), "{}", fixture.name);
    }
    assert!(!lvx::detect(b"livox_tec") && !lvx::detect(b"") && !lvx::detect(b"# .PCD v0.7"));
    assert!(lvx::Lvx::EXTENSIONS.contains(&"lvx2"));
}

testkit::serializes!(lvx, "lvx/room.lvx", "packages");
