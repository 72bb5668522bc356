//! Recordings divided by device and merged again have the same packages.

use std::{collections::BTreeMap, io::Cursor};

use lvx::{
    Clock, Device, DeviceId, DeviceType, Header, PointCloud, Reader, StreamReader, Timestamp, Version,
    Writer, merge,
};
use robolog_core::{Event, Severity, format::Copier as _, survey};

/// The recording with the packages of only one device.
fn only(file: &[u8], device: &str) -> Vec<u8> {
    let mut reader = StreamReader::new(file).unwrap();
    let header_bytes = reader.header_bytes().to_vec();
    let mut out = lvx::Copier::new(Cursor::new(Vec::new()), reader.header(), &header_bytes).unwrap();
    while let Event::Record(record) = reader.next_event().unwrap() {
        out.copy(&record, &mut |channel, _| channel.split('/').next() == Some(device)).unwrap();
    }
    out.finish().unwrap().into_inner()
}

/// Every package with its device's serial number in place of the index, sorted: this must not change.
fn packages(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let reader = Reader::new(file).unwrap();
    let frames = reader.records().map(Result::unwrap);
    let mut all: Vec<_> = frames
        .flat_map(|frame| frame.packages())
        .map(|package| {
            let package = package.unwrap();
            let first = usize::from(package.version() < Version::V2_0);
            (reader.header().device_name(package.device()), package.bytes()[first..].to_vec())
        })
        .collect();
    all.sort();
    all
}

fn merged(files: &[Vec<u8>]) -> (Vec<u8>, lvx::MergeReport) {
    merge(files.iter().map(|f| StreamReader::new(&f[..]).unwrap()).collect(), Vec::new()).unwrap()
}

#[test]
fn one_recording_merged_with_nothing_keeps_its_packages() {
    for fixture in testkit::fixtures("lvx", "lvx") {
        let summary = survey(&mut StreamReader::new(&fixture.bytes[..]).unwrap()).unwrap();
        if summary.is_ok() {
            let (out, report) = merged(std::slice::from_ref(&fixture.bytes));
            assert_eq!(report.frames(), summary.records, "{}", fixture.name);
            assert_eq!(packages(&out), packages(&fixture.bytes), "{}", fixture.name);
        }
    }
}

fn recording(version: Version, id: DeviceId, sn: &str, frames: &[u64]) -> Vec<u8> {
    let header = Header::new(version, vec![Device::new(id, sn, DeviceType(3))]);
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    let cloud = PointCloud { x: vec![1.0], y: vec![0.0], z: vec![0.0], ..PointCloud::default() };
    for ms in frames {
        writer.begin_frame().unwrap();
        let time = Timestamp::from_nanos(ms * 1_000_000, Clock::Unix).unwrap();
        writer.filled_cloud(id, time, &cloud).unwrap();
        writer.end_frame().unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn clashing_indices_are_renumbered_and_frames_follow_their_times() {
    let a = recording(Version::V1_1, DeviceId::Index(0), "A", &[0, 100, 200]);
    let b = recording(Version::V1_1, DeviceId::Index(0), "B", &[50, 150, 250]);
    let (out, report) = merged(&[a.clone(), b]);
    assert_eq!(report.frames(), 6);
    let reader = Reader::new(&out).unwrap();
    let names: Vec<_> = reader
        .records()
        .map(|f| reader.header().device_name(f.unwrap().packages().next().unwrap().unwrap().device()))
        .collect();
    assert_eq!(names, ["A", "B", "A", "B", "A", "B"]);
    let indices: Vec<_> = reader.records().map(|f| f.unwrap().frame_index()).collect();
    assert_eq!(indices, (0..6).map(Some).collect::<Vec<_>>());

    let (twice, _) = merged(&[a.clone(), a]);
    assert_eq!(Reader::new(&twice).unwrap().header().devices().len(), 1, "the same device is one device");
}

#[test]
fn what_cannot_be_joined_is_refused() {
    let address = DeviceId::Lidar(0x2c01_a8c0);
    let a = recording(Version::V2_0, address, "A", &[0]);
    let b = recording(Version::V2_0, address, "B", &[0]);
    let old = recording(Version::V1_1, DeviceId::Index(0), "A", &[0]);
    for pair in [[&a, &b], [&a, &old]] {
        let inputs = pair.map(|f| StreamReader::new(&f[..]).unwrap());
        assert!(merge(inputs.into(), Vec::new()).is_err());
    }
    assert!(merge(Vec::<StreamReader<&[u8]>>::new(), Vec::new()).is_err());
}

#[test]
fn damage_in_an_input_is_told_and_passed_over() {
    let whole = testkit::fixture("lvx/v11_type8.lvx");
    let damaged = testkit::fixture("lvx/next_zero.lvx");
    let (out, report) = merged(&[whole.clone(), damaged.clone()]);
    assert_eq!(report.inputs.iter().map(|i| i.faults).collect::<Vec<_>>(), [0, 1]);
    let total = |file: &[u8]| survey(&mut StreamReader::new(file).unwrap()).unwrap().details.packages;
    assert_eq!(total(&out), total(&whole) + total(&damaged));
}

/// The packages of each device, in order, as in the file.
fn in_order(file: &[u8]) -> BTreeMap<DeviceId, Vec<Vec<u8>>> {
    let mut all = BTreeMap::<_, Vec<_>>::new();
    for frame in Reader::new(file).unwrap().records() {
        for package in frame.unwrap().packages() {
            let package = package.unwrap();
            all.entry(package.device()).or_default().push(package.bytes().to_vec());
        }
    }
    all
}

#[test]
fn packages_and_header_come_back_byte_for_byte_and_in_order() {
    let mut split = 0;
    for fixture in testkit::fixtures("lvx", "lvx") {
        let reader = Reader::new(&fixture.bytes).unwrap();
        let summary = survey(&mut StreamReader::new(&fixture.bytes[..]).unwrap()).unwrap();
        if reader.header().devices().len() < 2 || !summary.is_ok() {
            continue;
        }
        let header = reader.header();
        let parts: Vec<_> =
            header.devices().iter().rev().map(|d| only(&fixture.bytes, &header.device_name(d.id))).collect();
        let (out, report) = merged(&parts);
        let out_reader = Reader::new(&out).unwrap();
        assert_eq!(in_order(&out), in_order(&fixture.bytes), "{}", fixture.name);
        assert_eq!(out_reader.header_bytes(), reader.header_bytes(), "{}", fixture.name);
        assert!(report.findings.is_empty() && report.is_whole(), "{}: {report:?}", fixture.name);
        let copied: u64 = report.inputs.iter().map(|i| i.packages).sum();
        assert_eq!(copied, summary.details.packages, "{}", fixture.name);
        let summary = survey(&mut StreamReader::new(&out[..]).unwrap()).unwrap();
        // Findings from the packages themselves, such as losses, are only notes.
        let worse = summary.findings.iter().any(|f| f.severity > Severity::Note);
        assert!(summary.is_ok() && !worse, "{}: {:?}", fixture.name, summary.findings);
        split += 1;
    }
    assert!(split >= 4, "only {split}");
}

/// A complete fixture numbered from 0 merges to itself, byte for byte, except for the magic code.
#[test]
fn one_recording_is_itself() {
    for name in
        ["v10_cart", "v11_type6", "v11_empty_frame", "v11_pps_wrap", "lvx2_type2", "lvx3_listing", "room"]
    {
        let file = testkit::fixture(&format!("lvx/{name}.lvx"));
        assert!(merged(std::slice::from_ref(&file)).0 == file, "{name}");
    }
}

#[test]
fn real_recordings_are_split_and_whole_again() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    for name in ["tele15_real_v11.lvx", "mid100_v10_cart.lvx", "mid360_pcap_to_lvx2.lvx2"] {
        let file = std::fs::read(dir.join(name)).unwrap();
        let header = Reader::new(&file).unwrap().header().clone();
        let parts: Vec<_> = header.devices().iter().map(|d| only(&file, &header.device_name(d.id))).collect();
        let (out, report) = merged(&parts);
        assert!(report.is_whole());
        assert_eq!(in_order(&out), in_order(&file), "{name}");
        println!("{name}: {} frames of {} devices", report.frames(), parts.len());
    }
}

/// The frames' order, identified by the coordinate of their point.
fn order(parts: &[Vec<u8>]) -> Vec<f32> {
    let (out, report) = merged(parts);
    assert!(report.is_whole());
    let reader = Reader::new(&out).unwrap();
    let frames = reader.records().map(Result::unwrap);
    let first = |frame: lvx::Record<'_>| Some(frame.packages().next()?.unwrap().points().iter().next()?.x);
    frames.map(|frame| first(frame).unwrap_or(-1.0)).collect()
}

/// A recording of one device: frames of one point at `x` with the stamp `ms`, or without packages.
fn stamped(id: u8, clock: Clock, frames: &[(f32, Option<i64>)]) -> Vec<u8> {
    let sn = format!("DEVICE{id}");
    let header = Header::new(Version::V1_1, vec![Device::new(DeviceId::Index(id), &sn, DeviceType(3))]);
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    for (x, ms) in frames {
        let cloud = PointCloud { x: vec![*x], y: vec![0.0], z: vec![0.0], ..PointCloud::default() };
        writer.begin_frame().unwrap();
        if let Some(ms) = ms {
            writer.filled_cloud(DeviceId::Index(id), Timestamp::new(ms * 1_000_000, clock), &cloud).unwrap();
        }
        writer.end_frame().unwrap();
    }
    writer.finish().unwrap()
}

#[test]
fn frames_without_a_time_follow_their_predecessor() {
    let a = stamped(0, Clock::Unix, &[(1.0, Some(10)), (9.0, None), (3.0, Some(30))]);
    let b = stamped(1, Clock::Unix, &[(8.0, None), (2.0, Some(10)), (7.0, None), (4.0, Some(40))]);
    // The empty frame at the start of b has no predecessor.
    assert_eq!(order(&[a.clone(), b.clone()]), [-1.0, 1.0, -1.0, 2.0, -1.0, 3.0, 4.0]);
    assert_eq!(order(&[b, a]), [-1.0, 2.0, -1.0, 1.0, -1.0, 3.0, 4.0]);
}

/// Stamps that restart with each pulse: type 4 in byte 9 of the package.
#[test]
fn pulses_do_not_put_frames_out_of_order() {
    let pulsed = |id, frames: &[(f32, Option<i64>)]| {
        let mut file = stamped(id, Clock::Device, frames);
        let offsets: Vec<_> = Reader::new(&file).unwrap().records().map(|f| f.unwrap().offset()).collect();
        for offset in offsets {
            file[offset as usize + 24 + 9] = 4;
        }
        file
    };
    let a = pulsed(0, &[(1.0, Some(900)), (3.0, Some(50)), (5.0, Some(150))]);
    let b = pulsed(1, &[(2.0, Some(950)), (4.0, Some(100)), (6.0, Some(200))]);
    assert_eq!(order(&[a, b]), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn clocks_that_do_not_compare_are_told() {
    let a = stamped(0, Clock::Unix, &[(1.0, Some(10))]);
    let b = stamped(1, Clock::Device, &[(2.0, Some(5))]);
    let (_, report) = merged(&[a, b]);
    assert_eq!(report.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["clock-change"]);
}

#[test]
fn packages_of_unlisted_devices_are_kept_apart() {
    let a = stamped(0, Clock::Unix, &[(1.0, Some(10))]);
    let mut b = stamped(1, Clock::Unix, &[(2.0, Some(20))]);
    // The package has device 0, which is not in b's list.
    let at = Reader::new(&b).unwrap().records().next().unwrap().unwrap().offset() as usize + 24;
    b[at] = 0;
    let (out, _) = merged(&[a, b]);
    let ids: Vec<_> = in_order(&out).into_keys().collect();
    assert_eq!(ids, [DeviceId::Index(0), DeviceId::Index(2)]);
}

#[test]
fn one_serial_number_with_two_mountings_is_two_devices_and_told() {
    let a = stamped(0, Clock::Unix, &[(1.0, Some(10))]);
    let mut b = a.clone();
    // The extrinsic x of the first device info: byte 29 + 47.
    b[76..80].copy_from_slice(&1.5_f32.to_le_bytes());
    let (out, report) = merged(&[a, b]);
    assert_eq!(report.findings.iter().map(|f| f.code).collect::<Vec<_>>(), ["device-info"]);
    let reader = Reader::new(&out).unwrap();
    let x: Vec<_> = reader.header().devices().iter().map(|d| (d.id, d.extrinsic.x)).collect();
    assert_eq!(x, [(DeviceId::Index(0), 0.0), (DeviceId::Index(1), 1.5)]);
}

#[test]
fn lvx3_is_merged_in_whole_frames() {
    let file = testkit::fixture("lvx/lvx3_listing.lvx");
    let cut = file[..file.len() - 1].to_vec();
    let (out, report) = merged(&[file.clone(), file.clone(), cut]);
    let total = |file: &[u8]| survey(&mut StreamReader::new(file).unwrap()).unwrap().details.packages;
    let whole = report.inputs[2].packages;
    assert_eq!(total(&out), 2 * total(&file) + whole);
    assert!(whole < total(&file) && report.inputs[2].faults > 0 && !report.is_whole());
    let summary = survey(&mut StreamReader::new(&out[..]).unwrap()).unwrap();
    assert!(summary.is_ok(), "{:?}", summary.findings);
}

#[test]
fn more_devices_than_a_header_can_list_are_refused() {
    for version in [Version::V1_1, Version::V2_0] {
        let listing = |from: u32| {
            let device = |n: u32| {
                let id = match version {
                    Version::V1_1 => DeviceId::Index((n - from) as u8),
                    _ => DeviceId::Lidar(n),
                };
                Device::new(id, &format!("S{n}"), DeviceType(9))
            };
            let header = Header::new(version, (from..from + 128).map(device).collect());
            Writer::new(Vec::new(), &header).unwrap().finish().unwrap()
        };
        let inputs = |n: u32| (0..n).map(|i| listing(i * 128)).collect::<Vec<_>>();
        let open = |files: &[Vec<u8>]| {
            merge(files.iter().map(|f| StreamReader::new(&f[..]).unwrap()).collect(), Vec::new())
                .map(drop)
                .map_err(|e| e.to_string())
        };
        assert_eq!(open(&inputs(1)), Ok(()));
        for n in [2, 3] {
            let error = open(&inputs(n)).unwrap_err();
            assert!(error.contains("device count") && error.contains("at most 255"), "{error}");
        }
    }
}
