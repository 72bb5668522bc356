//! Copies are unchanged, and written data is read back.

use std::{fs, io::Cursor};

use lvx::{
    Clock, Device, DeviceId, DeviceType, Header, Lvx, PointCloud, Reader, StreamReader, Timestamp, Version,
    Writer,
};
use robolog_core::{Imu, Limits, format::Copier as _, survey};

/// Whether a survey finds the recording valid, so that a copy has nothing to repair.
fn conforms(file: &[u8]) -> bool {
    let Ok(mut reader) = StreamReader::new(file) else { return false };
    let summary = survey(&mut reader).unwrap();
    summary.is_ok() && !summary.findings.iter().any(|f| f.code == "offset-chain")
}

#[test]
fn copies_of_conforming_files_are_the_files() {
    let mut copied = 0;
    for fixture in testkit::fixtures("lvx", "lvx") {
        if conforms(&fixture.bytes) {
            testkit::assert_copies::<Lvx>(&fixture.name, &fixture.bytes);
            copied += 1;
        }
    }
    assert!(copied >= 18, "only {copied}");
}

#[test]
fn streams_of_real_recordings_are_their_slices() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let mut agreements = 0;
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "lvx" || e == "lvx2") {
            let file = fs::read(&path).unwrap();
            agreements += testkit::assert_slice_is_stream::<Lvx>(&file, Limits::default());
            agreements +=
                testkit::assert_slice_is_stream::<Lvx>(&file, Limits::default().with_record(1 << 16));
        }
    }
    println!("{agreements} streams equal to their slices");
    assert!(agreements >= testkit::bound(15, 40), "{agreements}");
}

#[test]
fn copies_of_real_recordings_are_the_files() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    for name in
        ["tele15_real_v11.lvx", "mid100_v10_cart.lvx", "mid360_pcap_to_lvx2.lvx2", "damaged_bad_magic.lvx"]
    {
        let file = fs::read(dir.join(name)).unwrap();
        testkit::assert_copies::<Lvx>(name, &file);
        println!("{name}: {} bytes equal", file.len());
    }
}

/// Copies the packages for which `keep` returns true, past damage.
fn rewrite(file: &[u8], mut keep: impl FnMut(&str, Option<Timestamp>) -> bool) -> Vec<u8> {
    let mut reader = StreamReader::new(file).unwrap();
    let header_bytes = reader.header_bytes().to_vec();
    let mut out = lvx::Copier::new(Cursor::new(Vec::new()), reader.header(), &header_bytes).unwrap();
    loop {
        match reader.next_event().unwrap() {
            robolog_core::Event::Record(record) => drop(out.copy(&record, &mut keep)),
            robolog_core::Event::Damage { .. } => {}
            robolog_core::Event::End => return out.finish().unwrap().into_inner(),
        }
    }
}

#[test]
fn a_filter_by_device_leaves_the_other_device_and_a_right_chain() {
    for name in ["v10_cart", "v11_two_devices", "lvx2_mixed_short_tail"] {
        let file = testkit::fixture(&format!("lvx/{name}.lvx"));
        let before = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
        let wanted = before.details.devices[1].sn.clone();
        let kept = rewrite(&file, |channel, _| channel.starts_with(&wanted));
        assert!(conforms(&kept), "{name}");
        let after = survey(&mut StreamReader::new(&kept[..]).unwrap()).unwrap();
        assert_eq!(after.details.devices[0].packages, 0, "{name}");
        assert_eq!(after.details.devices[1], before.details.devices[1], "{name}");
        assert!(after.details.devices[1].packages > 0, "{name}");
    }
}

#[test]
fn lvx_1_0_counts_the_packages_that_stay() {
    let file = testkit::fixture("lvx/v10_cart.lvx");
    let kept = rewrite(&file, |channel, _| channel.ends_with("/points") && channel.starts_with("MID100"));
    let reader = Reader::new(&kept).unwrap();
    for frame in reader.records() {
        let frame = frame.unwrap();
        let claimed = u64::from_le_bytes(frame.bytes()[24..32].try_into().unwrap());
        assert_eq!(claimed, frame.packages().count() as u64);
    }
}

#[test]
fn what_is_saved_of_damaged_files_conforms() {
    let mut saved = 0;
    for fixture in testkit::fixtures("lvx", "lvx") {
        if conforms(&fixture.bytes) || fixture.name == "bad_magic" {
            continue;
        }
        let out = rewrite(&fixture.bytes, |_, _| true);
        let summary = survey(&mut StreamReader::new(&out[..]).unwrap()).unwrap();
        assert!(summary.is_ok(), "{}: {:?}", fixture.name, summary.findings);
        let before = survey(&mut StreamReader::new(&fixture.bytes[..]).unwrap()).unwrap();
        assert_eq!(summary.details.packages, before.details.packages, "{}", fixture.name);
        saved += 1;
    }
    assert!(saved >= 6, "only {saved}");
}

#[test]
fn values_written_are_read_back() {
    let cloud = PointCloud {
        x: (0..100_u16).map(|i| f32::from(i) / 8.0).collect(),
        y: vec![-2.5; 100],
        z: vec![0.001; 100],
        intensity: (0..100_u16).map(f32::from).collect(),
        tag: vec![0x10; 100],
        time_offset: (0..100).map(|i| i * 5000).collect(),
        ..PointCloud::default()
    };
    let time = Timestamp::new(1_700_000_000_123_456_789, Clock::Unix);
    let imu = Imu::from_g([0.25, -0.5, 1.0], [0.0, 0.0, 1.0]);
    let cases =
        [(Version::V1_1, DeviceId::Index(0), 192), (Version::V2_0, DeviceId::Lidar(0x2c01_a8c0), 100)];
    for (version, id, points) in cases {
        let header = Header::new(version, vec![Device::new(id, "47MDTEST0000001", DeviceType(9))]);
        let mut writer = Writer::new(Vec::new(), &header).unwrap();
        writer.begin_frame().unwrap();
        assert_eq!(writer.cloud(id, time, &cloud).is_ok(), version == Version::V2_0);
        if version == Version::V1_1 {
            assert_eq!(writer.filled_cloud(id, time, &cloud).unwrap(), 92);
        }
        assert_eq!(writer.imu(id, time, &imu).is_ok(), version == Version::V1_1);
        writer.end_frame().unwrap();
        let file = writer.finish().unwrap();
        assert!(conforms(&file));

        let reader = Reader::new(&file).unwrap();
        assert_eq!(reader.header(), &header);
        let frame = reader.records().next().unwrap().unwrap();
        let mut back = PointCloud::default();
        for package in frame.packages() {
            let package = package.unwrap();
            if package.imu().is_none() {
                package.append_to(&mut back, time, 5000).unwrap();
            }
            if let Some(data) = package.imu() {
                assert_eq!(Imu::from_g(data.gyro, data.acc), imu);
            }
        }
        assert_eq!(back.len(), points);
        back.retain(|i| i < 100);
        assert_eq!(back, cloud, "{version}");
    }
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let id = DeviceId::Index(0);
    let header = Header::new(Version::V1_1, vec![Device::new(id, "A", DeviceType(3))]);
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    writer.begin_frame().unwrap();
    let time = Timestamp::new(0, Clock::Device);
    for x in [f32::NAN, f32::INFINITY, 3e6] {
        let cloud = PointCloud { x: vec![x], y: vec![0.0], z: vec![0.0], ..PointCloud::default() };
        assert!(writer.filled_cloud(id, time, &cloud).is_err(), "{x}");
    }
    let one = PointCloud { x: vec![1.0], y: vec![0.0], z: vec![0.0], ..PointCloud::default() };
    for intensity in [-1.0, 255.6, f32::NAN] {
        let cloud = PointCloud { intensity: vec![intensity], ..one.clone() };
        assert!(writer.filled_cloud(id, time, &cloud).is_err(), "{intensity}");
    }
    assert!(writer.filled_cloud(id, Timestamp::new(-1, Clock::Device), &one).is_err());
    assert!(writer.filled_cloud(DeviceId::Lidar(1), time, &one).is_err());
    let error = writer.cloud(id, time, &one).unwrap_err().to_string();
    assert!(error.contains("found 1, expected a multiple of 96 in LVX 1.1"), "{error}");
    assert!(
        Writer::new(Vec::new(), &Header::new(Version::V2_0, vec![Device::new(id, "A", DeviceType(9))]))
            .is_err()
    );
}

/// Found by fuzzing: the rest of a cut LVX3 frame was copied with the length of the whole one.
#[test]
fn a_cut_frame_of_lvx3_is_left_out() {
    let file = testkit::fixture("lvx/lvx3_listing.lvx");
    let header_len = Reader::new(&file).unwrap().header_bytes().len();
    let whole = Reader::new(&file).unwrap().records().map(|f| f.unwrap().bytes().len()).collect::<Vec<_>>();
    for cut in testkit::cuts(&file).skip(header_len) {
        let out = rewrite(cut, |_, _| true);
        assert!(conforms(&out) && file.starts_with(&out), "{} bytes", cut.len());
        let frames = Reader::new(&out).unwrap().records().count();
        let fit = whole.iter().scan(header_len, |end, len| {
            *end += len;
            Some(*end)
        });
        assert_eq!(frames, fit.filter(|end| *end <= cut.len()).count(), "{} bytes", cut.len());
    }
}

/// Found by fuzzing: a copy corrected a package count that no survey had reported.
#[test]
fn a_wrong_package_count_is_told_and_mended() {
    let file = testkit::fixture("lvx/v10_cart.lvx");
    let at = Reader::new(&file).unwrap().records().next().unwrap().unwrap().offset() as usize + 24;
    let mut wrong = file.clone();
    wrong[at] += 1;
    let summary = survey(&mut StreamReader::new(&wrong[..]).unwrap()).unwrap();
    assert_eq!(summary.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["package-count"]);
    assert!(rewrite(&wrong, |_, _| true) == file);
}

#[test]
fn a_package_with_another_time_differs_in_its_eight_bytes() {
    let mut seen = std::collections::BTreeMap::new();
    for fixture in testkit::fixtures("lvx", "lvx") {
        let Ok(reader) = Reader::new(&fixture.bytes) else { continue };
        for package in reader.records().flatten().flat_map(|frame| frame.packages()).flatten() {
            // From the specification: after the data type in 1.x, after the stamp type in LVX2.
            let field =
                if matches!(package.version(), Version::V1_0 | Version::V1_1) { 11..19 } else { 7..15 };
            let Some(later) = package.time().and_then(|time| time.checked_add(1_500_000_000)) else {
                continue;
            };
            let bytes = package.with_time(later).unwrap();
            let again = lvx::Package::read(package.version(), &bytes).unwrap();
            assert_eq!(again.time(), Some(later), "{}", fixture.name);
            let mut expected = package.bytes().to_vec();
            expected[field.clone()].copy_from_slice(&bytes[field]);
            assert_eq!(bytes, expected, "{}", fixture.name);
            assert!(package.with_time(Timestamp::new(0, Clock::Gps)).is_err());
            *seen.entry((package.version(), package.timestamp_type_number())).or_insert(0) += 1;
        }
    }
    println!("{seen:?}");
    assert!(seen.len() >= 5, "{seen:?}");
}

/// Hand-written stamps: nanoseconds in 64 bits, or, for LVX 1's type 3, year since 2000, month, day, hour and
/// microseconds.
#[test]
fn a_package_has_another_time_as_its_stamps_count() {
    let v1 = |kind: u8, stamp: [u8; 8]| {
        let head = [0, 1, 1, 0, 5, 0, 0, 0, 0, kind, 2];
        (Version::V1_1, 11, [&head[..], &stamp, &[0; 1344]].concat())
    };
    let v2 = |kind: u8, stamp: [u8; 8]| {
        let head = [0, 1, 0, 0, 0, 8, kind];
        (
            Version::V2_0,
            7,
            [&head[..], &stamp, &[0, 0, 1, 64, 5, 0, 0, 0, 0, 0, 0, 0], &[0; 96 * 14]].concat(),
        )
    };
    let nanos = |n: u64| n.to_le_bytes();
    let date = |hour: u8, micros: u32| {
        let [a, b, c, d] = micros.to_le_bytes();
        [24, 2, 29, hour, a, b, c, d]
    };
    let unix = |hour, minute, second, nanos| {
        Timestamp::from_utc(2024, 2, 29, hour, minute, second, 0).unwrap().checked_add(nanos).unwrap()
    };
    let on = Timestamp::new;
    let (late, ptp) = (unix(23, 59, 59, 999_999_000), 1_709_251_199_999_999_000);
    let cases = [
        (v1(0, nanos(7)), on(5_000_000_001, Clock::Device), nanos(5_000_000_001)),
        (v1(1, nanos(7)), late, nanos(ptp)),
        (v1(3, date(0, 7)), late, date(23, 3_599_999_999)),
        (v1(4, nanos(7)), on(999_999_999, Clock::Relative), nanos(999_999_999)),
        (v2(0, nanos(7)), on(5_000_000_001, Clock::Device), nanos(5_000_000_001)),
        (v2(1, nanos(7)), late, nanos(ptp)),
        (v2(2, nanos(7)), late, nanos(ptp)),
    ];
    for ((version, at, bytes), time, stamp) in cases {
        let package = lvx::Package::read(version, &bytes).unwrap();
        let mut wanted = bytes.clone();
        wanted[at..at + 8].copy_from_slice(&stamp);
        assert_eq!(package.with_time(time).unwrap(), wanted, "{version:?}, {:?}", package.timestamp_type());
        // A time that the stamp cannot hold.
        let clock = time.clock();
        let before = [on(-1, clock), on(0, Clock::Gps), unix(1, 2, 3, 1)];
        let is_date = package.timestamp_type() == lvx::TimestampType::Utc;
        let refused = before.map(|time| package.with_time(time).is_err());
        assert_eq!(refused, [true, true, is_date || clock != Clock::Unix], "{version:?}, {time}");
    }
    let (version, _, bytes) = v1(3, date(0, 7));
    let package = lvx::Package::read(version, &bytes).unwrap();
    for (year, held) in [(1999, false), (2000, true), (2255, true), (2256, false)] {
        let time = Timestamp::from_utc(year, 1, 1, 0, 0, 0, 0).unwrap();
        assert_eq!(package.with_time(time).is_ok(), held, "{year}");
    }
    let error = package.with_time(on(5, Clock::Device)).unwrap_err().to_string();
    assert!(error.contains("a time that a stamp of type Utc can hold"), "{error}");
}
