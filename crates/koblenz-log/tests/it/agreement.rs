//! samples and copies agree on every log, sound or damaged.

use std::{fs, io::Cursor};

use koblenz_log::{
    AccelerationUnit, Decoder, Header, IndexState, KoblenzLog, LaserData, LaserGeometry, Options, Payload,
    QuaternionOrder, Reader, SizeCounts, StreamReader, TypeId, VelodyneData, Writer,
    layout::{Gps, Obd},
};
use robolog_core::{Error, Event, Sample, Value, format::Decoder as _, survey};

#[test]
fn survey_samples_and_copies_agree_about_every_fixture() {
    for fixture in testkit::fixtures("koblenz-log", "log") {
        testkit::assert_agrees::<KoblenzLog>(&fixture.name, &fixture.bytes);
    }
}

#[test]
fn survey_samples_and_copies_agree_about_real_packets() {
    let Some(dir) = testkit::data_dir("koblenz-log") else { return };
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "log") {
            testkit::assert_agrees::<KoblenzLog>(&path.display().to_string(), &fs::read(&path).unwrap());
        }
    }
}

#[test]
fn values_that_damage_costs_are_told() {
    let mut read = 0;
    for name in ["drive", "gps", "laser", "image", "pose_xyzw", "velodyne_hdl32e"] {
        let file = testkit::fixture(&format!("koblenz-log/{name}.log"));
        let reader = Reader::new(&file).unwrap();
        let start = reader.header_bytes().len();
        let starts: Vec<usize> = reader.records().map(|record| record.unwrap().offset() as usize).collect();
        // The log may end where a message ends.
        let is_cut = |len: &usize| !starts.contains(len) && *len > start + 21;
        let cuts = (start..file.len()).step_by(37).filter(is_cut).map(|len| file[..len].to_vec());
        // A flipped bit in a packet can turn no return into one.
        let mut at = if name.contains('v') { file.len() } else { start };
        let flips = std::iter::from_fn(|| {
            at += 23;
            let mut flipped = file.clone();
            *flipped.get_mut(at)? ^= 1 << (at % 8);
            Some(flipped)
        });
        // Marks, types, versions and the end of the log may have any value.
        let told = ["invalid-mark", "unknown-type", "unknown-version", "packet-count"];
        read += testkit::assert_losses_are_told::<KoblenzLog>(name, &file, cuts.chain(flips), &told);
    }
    println!("{read} damaged logs");
    assert!(read > 500, "{read}");
}

fn look(file: &[u8]) -> robolog_core::Summary<koblenz_log::Details> {
    survey(&mut StreamReader::new(file).unwrap()).unwrap()
}

#[test]
fn messages_without_a_sample_are_damage_and_left_out() {
    for name in ["counts_inside", "obd_odd_lengths", "image_plain"] {
        let file = testkit::fixture(&format!("koblenz-log/{name}.log"));
        let before = look(&file);
        let without = before.findings.iter().filter(|finding| finding.code == "payload").count() as u64;
        assert!(!before.is_ok() && without > 0, "{name}");
        let recovered = testkit::assert_agrees::<KoblenzLog>(name, &file).unwrap();
        let after = look(&recovered);
        assert!(after.is_ok(), "{name}: {:?}", after.findings);
        assert_eq!(before.details.messages, after.details.messages + without, "{name}");
    }
}

/// Nine messages of two packets each.
fn packets(packet: &[u8]) -> Vec<u8> {
    let mut writer = Writer::new(Cursor::new(Vec::new()), &Header::new(1)).unwrap();
    for message in 0..9 {
        let velodyne = Payload::Velodyne(VelodyneData { claimed: 2, data: &packet.repeat(2) });
        writer.write_payload(f64::from(message) * 100.0, &velodyne).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn packets_without_a_block_of_a_velodyne_are_damage_and_left_out() {
    // A writer refuses them.
    let mut packet = [0; 1206];
    packet.chunks_exact_mut(100).take(12).for_each(|block| block[..2].copy_from_slice(&[0xff, 0xee]));
    packet[1204..].copy_from_slice(&[0x37, 0x22]);
    let mut file = packets(&packet);
    for at in 0..=file.len() - packet.len() {
        if file[at..].starts_with(&packet) {
            file[at..at + packet.len()].fill(0x11);
        }
    }
    let errors = look(&file).findings.into_iter().filter(|finding| finding.code == "payload").count();
    assert_eq!(errors, 9);
    let recovered = testkit::assert_agrees::<KoblenzLog>("packets", &file).unwrap();
    assert_eq!(look(&recovered).details.messages, 0);
}

/// Like messages of unknown types: they give no samples, and a copy keeps their bytes.
#[test]
fn packets_of_an_unknown_lidar_are_kept() {
    let mut packet = [0; 1206];
    packet.chunks_exact_mut(100).take(12).for_each(|block| block[..2].copy_from_slice(&[0xff, 0xee]));
    packet[1204..].copy_from_slice(&[0x37, 0x99]);
    let file = packets(&packet);
    let summary = look(&file);
    // Sixteen packets are examined: the first eight messages, and the last one at the end.
    let starts: Vec<u64> =
        Reader::new(&file).unwrap().records().map(|record| record.unwrap().offset()).collect();
    let told: Vec<_> = summary.findings.iter().filter(|f| f.code == "velodyne").map(|f| f.offset).collect();
    assert_eq!(told, [starts[0], starts[8]]);
    assert!(summary.is_ok() && samples(&file, Options::default()).is_empty());
    assert_eq!(testkit::assert_agrees::<KoblenzLog>("packets", &file).unwrap(), file);
}

/// Poses after damage count for the order of the quaternions, just as once the damage is left out.
#[test]
fn the_attitude_is_found_past_damage() {
    let whole = testkit::fixture("koblenz-log/pose_xyzw.log");
    let attitude = Reader::new(&whole).unwrap().header().attitude();
    assert_eq!(attitude.order, QuaternionOrder::Xyzw);
    let reader = Reader::new(&whole).unwrap();
    let first = reader.records().next().unwrap().unwrap().offset() as usize;
    let mut damaged = whole.clone();
    damaged.splice(first..first, [0x55; 33]);
    testkit::assert_agrees::<KoblenzLog>("damaged", &damaged).unwrap();
    assert_eq!(Reader::new(&damaged).unwrap().header().attitude(), attitude);
}

/// A message of unknown layout whose size counts its payload, followed by 19 bytes.
#[test]
fn what_sizes_count_is_found_without_what_lies_behind_the_last_message() {
    let mut file = b"\xa4VEL\x01\0\x01\0\0\0\0\0".to_vec();
    file.extend(181_u32.to_le_bytes());
    file.extend(b"I\xc9\x09\x01\x00\x93\0\0\0");
    file.extend(1500_f64.to_le_bytes());
    file.extend([7; 181]);
    file.extend([0; 19]);
    let sizes = |file: &[u8]| Reader::new(file).unwrap().header().sizes();
    let recovered = testkit::assert_agrees::<KoblenzLog>("behind", &file).unwrap();
    assert_eq!((sizes(&file), sizes(&recovered)), (SizeCounts::Payload, SizeCounts::Payload));
}

/// All samples.
fn samples(file: &[u8], options: Options) -> Vec<Sample> {
    let mut reader = StreamReader::new(file).unwrap();
    let mut decoder = Decoder::new(reader.header(), options);
    let mut found = Vec::new();
    let mut sink = |sample: &mut Sample| {
        found.push(sample.clone());
        Ok::<(), Error>(())
    };
    while let Event::Record(record) = reader.next_event().unwrap() {
        decoder.samples(&record, &mut sink).unwrap();
    }
    decoder.last_samples(&mut sink).unwrap();
    found
}

fn writer() -> Writer<Cursor<Vec<u8>>> {
    Writer::new(Cursor::new(Vec::new()), &Header::new(10)).unwrap()
}

#[test]
fn a_message_of_an_unknown_type_counts_for_the_time_range() {
    let mut writer = writer();
    writer.write_payload(1000.0, &Payload::Obd(Obd::default())).unwrap();
    writer.message(9000.0, TypeId(0x13732), 100, b"abcd").unwrap();
    let summary = look(&writer.finish().unwrap().into_inner());
    let (start, end) = summary.span.unwrap();
    assert_eq!((start.nanos(), end.nanos()), (1_000_000_000, 9_000_000_000));
}

#[test]
fn scans_of_an_unknown_type_have_no_angles_unless_they_are_given() {
    let mut writer = writer();
    let ranges: Vec<u8> = [5_u32, 2000].iter().flat_map(|r| r.to_le_bytes()).collect();
    let scan = LaserData { sensor_type: b"SICK LMS 200", name: b"front", data: &ranges };
    writer.write_payload(0.0, &Payload::Laser(scan)).unwrap();
    let file = writer.finish().unwrap().into_inner();
    assert!(look(&file).is_ok());
    let mut options = Options::default();
    let scan = |options: &Options| match samples(&file, options.clone()).remove(0).value {
        Value::LaserScan(scan) => scan,
        other => panic!("{other:?}"),
    };
    let unknown = scan(&options);
    assert!(unknown.angle_min.is_nan() && unknown.angle_increment.is_nan());
    assert_eq!(unknown.ranges, [0.005, 2.0]);
    let geometry =
        LaserGeometry { angle_min: -1.5, angle_increment: 0.01, range_min: 0.02, ..LaserGeometry::UNKNOWN };
    options.laser = Some(geometry);
    let known = scan(&options);
    assert_eq!((known.angle_min, known.angle_increment), (-1.5, 0.01));
    assert!(known.ranges[0].is_nan(), "a code");
}

#[test]
fn a_receiver_without_a_position_gives_its_date_alone() {
    let mut writer = writer();
    let date = Gps { year: 2015, month: 5, day: 20, hour: 12, quality: 7, ..Gps::default() };
    let date = Gps { latitude: f64::NAN, longitude: f64::NAN, ..date };
    writer.write_payload(0.0, &Payload::Gps(date)).unwrap();
    let file = writer.finish().unwrap().into_inner();
    let channels: Vec<_> = samples(&file, Options::default()).iter().map(|s| s.channel.to_string()).collect();
    assert_eq!(channels, ["gps/time"]);
    // 2015-05-20 12:00 UTC by `date -u -d ... +%s`.
    assert_eq!(look(&file).details.epoch_ns, Some(1_432_123_200_000_000_000));
    let again = Gps::default().at_utc(date.utc().unwrap()).unwrap();
    assert_eq!((again.year, again.month, again.day, again.hour), (2015, 5, 20, 12));
}

#[test]
fn what_a_writer_would_lose_is_refused() {
    let mut writer = writer();
    let obd = Payload::Obd(Obd::default());
    for stamp in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(writer.write_payload(stamp, &obd).is_err(), "{stamp}");
    }
    writer.write_payload(1.0, &obd).unwrap();
    writer.end().unwrap();
    assert!(writer.write_payload(2.0, &obd).is_err(), "no reader looks there");
    assert!(writer.end().is_err());
    let file = writer.finish().unwrap().into_inner();
    let summary = look(&file);
    assert_eq!((summary.details.messages, summary.details.index.state), (1, IndexState::Valid));
}

#[test]
fn choices_are_read_as_they_are_shown() {
    for order in QuaternionOrder::ALL {
        assert_eq!(order.to_string().parse::<QuaternionOrder>().unwrap(), order);
    }
    for unit in AccelerationUnit::ALL {
        assert_eq!(unit.to_string().parse::<AccelerationUnit>().unwrap(), unit);
    }
    assert!("zyxw".parse::<QuaternionOrder>().is_err() && "m/s".parse::<AccelerationUnit>().is_err());
}
