//! Counts and sums match those computed without this crate: for fixtures by the script that writes them, for the larger
//! logs by an independent script.

use std::{collections::BTreeMap, fs};

use koblenz_log::{
    AccelerationUnit, IndexOrigin, IndexState, Payload, QuaternionOrder, SizeCounts, StreamReader, TypeId,
};
use robolog_core::{Event, survey};
use serde_json::Value as Json;

/// The results of a reading, named as in the truth files.
#[derive(Default)]
struct Got {
    counts: BTreeMap<String, u64>,
    bytes: BTreeMap<String, u64>,
    other_marks: u64,
    first: Option<f64>,
    last: Option<f64>,
    falls: u64,
    damage: Vec<(u64, u64)>,
    bad_payloads: Vec<u64>,
    end: Option<(u64, u64)>,
    obd: [f64; 3],
    pose: [f64; 7],
    fixes: Vec<koblenz_log::layout::Gps>,
    lasers: BTreeMap<String, [u64; 5]>,
    images: [u64; 4],
    packets: Packets,
    salvaged: Packets,
}

#[derive(Default, Debug, PartialEq)]
struct Packets {
    packets: u64,
    nonzero: u64,
    ticks: u64,
    intensity: u64,
    rotation: u64,
}

impl Packets {
    fn take(&mut self, packets: &[[u8; 1206]]) {
        for packet in packets {
            self.packets += 1;
            for block in packet[..1200].chunks(100) {
                self.rotation += u64::from(u16::from_le_bytes([block[2], block[3]]));
                for shot in block[4..].chunks(3) {
                    let ticks = u64::from(u16::from_le_bytes([shot[0], shot[1]]));
                    self.nonzero += u64::from(ticks > 0);
                    self.ticks += ticks;
                    self.intensity += u64::from(shot[2]);
                }
            }
        }
    }

    fn assert_is(&self, truth: &Json, name: &str) {
        let number = |key: &str| truth[key].as_u64().unwrap_or_default();
        let expected = Self {
            packets: number("packets"),
            nonzero: number("nonzero"),
            ticks: number("sum_ticks"),
            intensity: number("sum_intensity"),
            rotation: number("sum_rotation"),
        };
        assert_eq!(*self, expected, "{name}");
    }
}

fn read(file: &[u8]) -> Got {
    let mut reader = StreamReader::new(file).unwrap();
    let mut got = Got::default();
    loop {
        let record = match reader.next_event().unwrap() {
            Event::Record(record) => record,
            Event::Damage { lost, .. } => {
                got.damage.push((lost.start, lost.end));
                continue;
            }
            Event::End => return got,
        };
        if record.is_end() {
            got.end = Some((record.offset(), record.bytes().len() as u64));
            continue;
        }
        let name = record.type_id().to_string();
        if record.missing() > 0 {
            let Payload::Velodyne(velodyne) = record.decode().unwrap() else { panic!("{record:?}") };
            got.salvaged.take(velodyne.packets());
            continue;
        }
        if record.is_valid() {
            *got.counts.entry(name.clone()).or_default() += 1;
            *got.bytes.entry(name).or_default() += record.bytes().len() as u64;
        } else {
            got.other_marks += 1;
        }
        let t = record.timestamp().unwrap();
        if t.is_finite() {
            got.falls += u64::from(got.last.is_some_and(|last| t < last));
            got.first.get_or_insert(t);
            got.last = Some(t);
        }
        if !record.is_valid() {
            continue;
        }
        match record.decode() {
            Ok(payload) => got.take(&payload, record.offset()),
            Err(_) => got.bad_payloads.push(record.offset()),
        }
    }
}

impl Got {
    fn take(&mut self, payload: &Payload<'_>, at: u64) {
        match payload {
            Payload::Obd(obd) => {
                let values = [f64::from(obd.speed), f64::from(obd.rpm), f64::from(obd.throttle)];
                self.obd.iter_mut().zip(values).for_each(|(sum, v)| *sum += v);
            }
            Payload::Gps(gps) => self.fixes.push(*gps),
            Payload::RobotPose(pose) => {
                let values = pose.quaternion.iter().chain(&pose.acceleration);
                self.pose.iter_mut().zip(values).for_each(|(sum, v)| *sum += f64::from(*v));
            }
            Payload::Image(image) => {
                let is_jpeg = image.data.starts_with(&[0xff, 0xd8]);
                let pixels: u64 = if is_jpeg { 0 } else { image.data.iter().map(|b| u64::from(*b)).sum() };
                for (sum, v) in
                    self.images.iter_mut().zip([1, u64::from(is_jpeg), image.data.len() as u64, pixels])
                {
                    *sum += v;
                }
            }
            Payload::Velodyne(velodyne) if velodyne.is_whole() => self.packets.take(velodyne.packets()),
            Payload::Velodyne(velodyne) => {
                self.bad_payloads.push(at);
                self.salvaged.take(velodyne.packets());
            }
            Payload::Laser(laser) => {
                let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
                let key = format!("{}/{}/{}", text(laser.sensor_type), text(laser.name), laser.len());
                let sums = self.lasers.entry(key).or_default();
                sums[0] += 1;
                for distance in laser.distances() {
                    sums[1] += 1;
                    sums[2] += u64::from(distance);
                    sums[3] += u64::from(distance == 0);
                    sums[4] += u64::from((1..20).contains(&distance));
                }
            }
            _ => {}
        }
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-5 * a.abs().max(1.0)
}

#[test]
fn fixtures_are_read_as_they_were_laid_down() {
    let (mut read_files, mut refused) = (0, 0);
    for fixture in testkit::fixtures("koblenz-log", "log") {
        let truth: Json = serde_json::from_slice(&testkit::fixture(&format!(
            "koblenz-log/{}.truth.json",
            fixture.name.trim_end_matches(".log")
        )))
        .unwrap();
        let name = &fixture.name;
        if !truth["refused"].is_null() {
            assert!(StreamReader::new(&fixture.bytes[..]).is_err(), "{name}");
            refused += 1;
            continue;
        }
        check(name, &fixture.bytes, &truth);
        read_files += 1;
    }
    println!("{read_files} logs read, {refused} refused");
    assert!(read_files >= 65 && refused >= 5, "{read_files} {refused}");
}

fn check(name: &str, file: &[u8], truth: &Json) {
    let got = read(file);
    let summary = survey(&mut StreamReader::new(file).unwrap()).unwrap();
    let details = &summary.details;

    let reading = match truth["size_reading"].as_str().unwrap() {
        "17" => "after",
        "21" => "whole",
        "0" => "payload",
        other => panic!("{other}"),
    };
    assert_eq!(details.size_counts.name(), reading, "{name}");

    if let Some(behind) = truth["messages_behind_end"].as_u64() {
        // A size overwritten by the end mark: what follows is read, in agreement with the truth file's count.
        let messages = details.messages;
        assert_eq!(messages, truth["messages"].as_u64().unwrap() + behind, "{name}");
        assert_eq!(got.end, None, "{name}");
        return;
    }

    let state = match truth["index"]["state"].as_str().unwrap() {
        "good" => IndexState::Valid,
        "absent" => IndexState::Absent,
        "zeros" => IndexState::Zero,
        "stale" => IndexState::Stale,
        "hostile" => IndexState::Hostile,
        other => panic!("{other}"),
    };
    assert_eq!(details.index.state, state, "{name}");
    if state == IndexState::Valid {
        let origin = match truth["index"]["convention"].as_str().unwrap() {
            "first_message" => IndexOrigin::FirstMessage,
            "program_start" => IndexOrigin::ProgramStart,
            other => panic!("{other}"),
        };
        assert_eq!(details.index.origin, Some(origin), "{name}");
    }

    let by_type = |key: &str| -> BTreeMap<String, u64> {
        truth[key].as_object().unwrap().iter().map(|(k, v)| (k.clone(), v.as_u64().unwrap())).collect()
    };
    assert_eq!(got.counts, by_type("counts"), "{name}");
    assert_eq!(got.counts, details.by_type, "{name}");
    assert_eq!(got.bytes, by_type("bytes"), "{name}");
    assert_eq!(got.other_marks, truth["other_marks"].as_u64().unwrap(), "{name}");
    assert_eq!(details.invalid, got.other_marks, "{name}");
    assert_eq!(details.messages, truth["messages"].as_u64().unwrap(), "{name}");
    assert_eq!(got.first, truth["first_ts_ms"].as_f64(), "{name}");
    assert_eq!(got.last, truth["last_ts_ms"].as_f64(), "{name}");
    assert_eq!(got.falls, truth["falls"].as_u64().unwrap(), "{name}");
    let bad: Vec<u64> =
        truth["bad_payloads"].as_array().unwrap().iter().map(|v| v.as_u64().unwrap()).collect();
    // Payloads of known types with a wrong length: the truth file leaves their meaning open.
    let odd = if name == "obd_odd_lengths.log" || name == "obd_odd_lengths" { 3 } else { 0 };
    assert_eq!(got.bad_payloads.len() - odd, bad.len(), "{name}");
    assert!(odd > 0 || got.bad_payloads == bad, "{name}: {:?} {bad:?}", got.bad_payloads);

    let tail = &truth["tail"];
    let (at, bytes) = (tail["at"].as_u64().unwrap(), tail["bytes"].as_u64().unwrap());
    let mut damage: Vec<(u64, u64)> = truth["damage"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pair| (pair[0].as_u64().unwrap(), pair[0].as_u64().unwrap() + pair[1].as_u64().unwrap()))
        .collect();
    match tail["state"].as_str().unwrap() {
        "eof" => assert_eq!(got.end, None, "{name}"),
        "sentinel" => assert_eq!(got.end, Some((at, bytes)), "{name}"),
        "short" => damage.push((at, at + bytes)),
        other => panic!("{other}"),
    }
    // Bytes salvaged from a truncated message are not lost.
    let saved = 25 + 1206 * got.salvaged.packets;
    if got.salvaged.packets > 0 && got.bad_payloads.is_empty() {
        for lost in &mut damage {
            lost.0 += saved;
        }
    }
    assert_eq!(got.damage, damage, "{name}");
    assert_eq!(summary.lost_bytes, damage.iter().map(|(from, to)| to - from).sum::<u64>(), "{name}");

    got.packets.assert_is(&truth["velodyne"], name);
    got.salvaged.assert_is(&truth["salvaged"], name);
    let sums = |key: &str, fields: &[&str]| -> Vec<f64> {
        fields.iter().map(|field| truth[key][field].as_f64().unwrap_or_default()).collect()
    };
    for (a, b) in got.obd.iter().zip(sums("obd_sums", &["speed_kmh", "rpm", "throttle"])) {
        assert!(close(*a, b), "{name}: obd {a} {b}");
    }
    if let Some(expected) = truth["pose_sums"].as_array() {
        for (a, b) in got.pose.iter().zip(expected) {
            assert!(close(*a, b.as_f64().unwrap()), "{name}: pose {a} {b}");
        }
    }
    check_fixes(name, &got, truth);
    let lasers: BTreeMap<String, [u64; 5]> =
        truth["lasers"].as_object().map_or_else(BTreeMap::new, |lasers| {
            let number = |v: &Json, key: &str| v[key].as_u64().unwrap();
            let keys = ["scans", "beams", "sum_mm", "zeros", "below_20"];
            lasers.iter().map(|(name, v)| (name.clone(), keys.map(|key| number(v, key)))).collect()
        });
    assert_eq!(got.lasers, lasers, "{name}");
    let images = &truth["images"];
    let number = |key: &str| images[key].as_u64().unwrap_or_default();
    assert_eq!(got.images[..3], [number("images"), number("jpegs"), number("bytes")], "{name}");
    if let Some(order) = truth["quaternion"].as_str() {
        let expected = if order.starts_with('w') { QuaternionOrder::Wxyz } else { QuaternionOrder::Xyzw };
        let attitude = details.attitude;
        assert_eq!(attitude.order, expected, "{name}");
        let is_g = truth["acceleration"].as_str().unwrap() == "g";
        assert_eq!(attitude.unit == AccelerationUnit::StandardGravity, is_g, "{name}");
        assert!(attitude.poses > 20, "{name}");
    }
}

fn check_fixes(name: &str, got: &Got, truth: &Json) {
    assert_eq!(got.fixes.len() as u64, truth["fixes"].as_u64().unwrap_or_default(), "{name}");
    let number = |v: &Json| v.as_f64().unwrap();
    for (fix, key) in [(got.fixes.first(), "first_fix"), (got.fixes.last(), "last_fix")] {
        let (Some(fix), expected) = (fix, &truth[key]) else { continue };
        let (latitude, longitude) = fix.position();
        let scale = if fix.latitude.abs() > 90.0 { 1.0 } else { 0.0 };
        if scale == 0.0 {
            assert!((latitude - number(&expected["lat"])).abs() < 1e-8, "{name}: {latitude}");
            assert!((longitude - number(&expected["lon"])).abs() < 1e-8, "{name}: {longitude}");
        }
        assert_eq!(
            [fix.hour, fix.minute, fix.second].map(f64::from),
            [0, 1, 2].map(|i| number(&expected["hms"][i]))
        );
        assert_eq!([fix.day, fix.month].map(f64::from), [0, 1].map(|i| number(&expected["dmy"][i])));
        for (value, field) in [
            (f64::from(fix.speed), "speed_kmh"),
            (f64::from(fix.course), "course"),
            (f64::from(fix.warning), "warning"),
            (f64::from(fix.quality), "quality"),
            (f64::from(fix.satellites), "satellites"),
            (f64::from(fix.hdop), "hdop"),
            (f64::from(fix.height), "height"),
            (f64::from(fix.geoid_separation), "geoid"),
            (f64::from(fix.vdop), "vdop"),
            (f64::from(fix.pdop), "pdop"),
        ] {
            assert!(close(value, number(&expected[field])), "{name}: {field} {value}");
        }
    }
}

/// The larger logs, with packets, scans and fixes of real sensors.
#[test]
fn logs_of_real_sensors_have_the_counts_of_an_independent_script() {
    let Some(dir) = testkit::data_dir("koblenz-log") else { return };
    let truth: Json = serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap();
    let mut messages = 0;
    for (name, truth) in truth.as_object().unwrap() {
        let file = fs::read(dir.join(name)).unwrap();
        let got = read(&file);
        let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
        let counts: BTreeMap<String, u64> = truth["counts"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(k, v)| (k.clone(), v.as_u64().unwrap()))
            .collect();
        assert_eq!((&got.counts, &summary.details.by_type), (&counts, &counts), "{name}");
        assert_eq!(summary.details.messages, truth["messages"].as_u64().unwrap(), "{name}");
        assert_eq!((got.first, got.last), (truth["first_ts"].as_f64(), truth["last_ts"].as_f64()), "{name}");
        assert_eq!(summary.details.velodyne_packets, truth["velodyne_packets"].as_u64().unwrap(), "{name}");
        assert_eq!(summary.details.jpeg_bytes, truth["jpeg_bytes"].as_u64().unwrap(), "{name}");
        let sum = |i: usize| got.lasers.values().map(|sums| sums[i]).sum::<u64>();
        assert_eq!(sum(1), truth["laser_beams"].as_u64().unwrap(), "{name}");
        assert_eq!(sum(2), truth["laser_distance_sum"].as_u64().unwrap(), "{name}");
        let sensors: BTreeMap<String, u64> = truth["laser_sensors"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(k, v)| (k.clone(), v.as_u64().unwrap()))
            .collect();
        let found: BTreeMap<String, u64> = got.lasers.iter().map(|(k, sums)| (k.clone(), sums[0])).collect();
        assert_eq!(found, sensors, "{name}");
        if truth["index_all_hit"] == true {
            assert_eq!(summary.details.index.state, IndexState::Valid, "{name}");
        }
        let end = (truth["end"][0].as_str().unwrap(), truth["end"][1].as_u64().unwrap());
        match end {
            ("sentinel", at) => assert_eq!(got.end.map(|end| end.0), Some(at), "{name}"),
            _ => assert_eq!((got.end, summary.complete), (None, true), "{name}"),
        }
        assert!(summary.is_ok(), "{name}: {:?}", summary.findings);
        messages += summary.details.messages;
    }
    println!("{messages} messages of real sensors");
    assert!(messages > 1000);
}

#[test]
fn types_are_numbered_as_the_specification_says() {
    assert_eq!(koblenz_log::message_type("MyDataM"), TypeId(0x13732));
}

testkit::serializes!(koblenz_log, "koblenz-log/drive.log", "messages");

/// The length of a payload of unknown version is unknown: sizes are interpreted so that the message ends with the log.
#[test]
fn one_message_of_an_unknown_version_says_what_sizes_count() {
    for (size, sizes) in [(28_u32, SizeCounts::Payload), (45, SizeCounts::After), (49, SizeCounts::Whole)] {
        let header = [&b"\xa4VEL"[..], &[1, 0, 1, 0, 2, 0, 0, 0, 28, 0, 0, 0], &[0; 12]].concat();
        // A pose, marked I, of version 356, at 1500 ms.
        let head =
            [&size.to_le_bytes()[..], b"IB\xe3\x01\0", &356_i32.to_le_bytes(), &1500_f64.to_le_bytes()];
        let log = [header, head.concat(), vec![0; 28]].concat();
        let reader = koblenz_log::Reader::new(&log).unwrap();
        assert_eq!(reader.header().sizes(), sizes);
        assert_eq!(reader.records().map(|record| record.unwrap().bytes().len()).collect::<Vec<_>>(), [49]);
    }
}
