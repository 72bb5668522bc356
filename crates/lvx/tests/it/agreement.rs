//! samples and copies agree on every file, sound or damaged.

use std::fs;

use lvx::{
    ApplyExtrinsics, Decoder, Lvx, Options, Reader, StreamReader,
    layout::{RawSpherical, TaggedSpherical},
};
use robolog_core::{
    Event, Sample, Severity, Value,
    format::{Decoder as _, Recording as _},
    layout::Layout as _,
    survey,
};

/// The points of LVX3 are counted, but cannot be delivered.
fn is_readable(file: &[u8]) -> bool {
    file.get(16..18) != Some(&[2, 4])
}

#[test]
fn survey_samples_and_copies_agree_about_every_fixture() {
    for fixture in testkit::fixtures("lvx", "lvx") {
        if is_readable(&fixture.bytes) {
            testkit::assert_agrees::<Lvx>(&fixture.name, &fixture.bytes);
        }
    }
}

#[test]
fn survey_samples_and_copies_agree_about_real_recordings() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    for name in [
        "tele15_real_v11.lvx",
        "mid100_v10_cart.lvx",
        "mid360_pcap_to_lvx2.lvx2",
        "damaged_cut_mid_package.lvx",
    ] {
        testkit::assert_agrees::<Lvx>(name, &fs::read(dir.join(name)).unwrap());
    }
}

#[test]
fn points_that_damage_costs_are_told() {
    let mut read = 0;
    for name in ["v10_cart", "v11_two_devices", "v11_type5", "lvx2_mixed_short_tail", "lvx2_type2"] {
        let file = testkit::fixture(&format!("lvx/{name}.lvx"));
        let reader = Reader::new(&file).unwrap();
        let start = reader.header_bytes().len();
        let ends: Vec<usize> =
            reader.records().map(|frame| frame.unwrap().next_offset() as usize).chain([start]).collect();
        // The file may end where a frame ends.
        let cuts =
            (start..file.len()).step_by(11).filter(|len| !ends.contains(len)).map(|len| file[..len].to_vec());
        let mut at = start;
        let flips = std::iter::from_fn(|| {
            at += 13;
            let mut flipped = file.clone();
            *flipped.get_mut(at)? ^= 1 << (at % 8);
            Some(flipped)
        });
        read += testkit::assert_losses_are_told::<Lvx>(name, &file, cuts.chain(flips), &[]);
    }
    println!("{read} damaged files");
    assert!(read > 2000, "{read}");
}

/// All samples.
fn samples(file: &[u8], options: Options) -> Vec<Sample> {
    let mut reader = StreamReader::new(file).unwrap();
    let mut decoder = Decoder::new(reader.header(), options);
    let mut found = Vec::new();
    while let Event::Record(record) = reader.next_event().unwrap() {
        let mut sink = |sample: &mut Sample| {
            found.push(sample.clone());
            Ok::<(), lvx::Error>(())
        };
        decoder.samples(&record, &mut sink).unwrap();
    }
    found
}

#[test]
fn samples_of_a_frame_follow_their_times() {
    let Some(dir) = testkit::data_dir("lvx") else { return };
    let file = fs::read(dir.join("tele15_real_v11.lvx")).unwrap();
    let samples = samples(&file, Options::default());
    let times: Vec<_> = samples.iter().filter_map(|sample| sample.time).collect();
    assert!(
        times.len() > 80
            && times[0] == times.iter().copied().reduce(|a, b| if b < a { b } else { a }).unwrap()
    );
    let summary = survey(&mut StreamReader::new(&file[..]).unwrap()).unwrap();
    assert_eq!(summary.span.unwrap().0, times[0], "the first sample is the start of the recording");
}

/// The first point of each device, and the child frames of transforms.
fn placed(file: &[u8], choice: ApplyExtrinsics) -> (Vec<(String, [f32; 3])>, Vec<String>) {
    let mut options = Options::default();
    options.apply_extrinsics = choice;
    let (mut points, mut frames) = (Vec::new(), Vec::new());
    for sample in samples(file, options) {
        match &sample.value {
            Value::PointCloud(cloud) if points.iter().all(|(id, _)| *id != *sample.frame_id) => {
                points.push((sample.frame_id.to_string(), [cloud.x[0], cloud.y[0], cloud.z[0]]));
            }
            Value::Transform(transform) => frames.push(transform.child_frame_id.clone()),
            _ => {}
        }
    }
    (points, frames)
}

#[test]
fn extrinsics_are_applied_as_the_file_says() {
    let enabled = testkit::fixture("lvx/room.lvx");
    // The byte of the only device, from the specification's table.
    let mut disabled = enabled.clone();
    assert_eq!(std::mem::replace(&mut disabled[29 + 34], 0), 1);
    let moved = |(points, _): (Vec<(String, [f32; 3])>, _)| points[0].0 == "base_link";
    for (file, choice, is_moved) in [
        (&enabled, ApplyExtrinsics::File, true),
        (&enabled, ApplyExtrinsics::Always, true),
        (&enabled, ApplyExtrinsics::Never, false),
        (&disabled, ApplyExtrinsics::File, false),
        (&disabled, ApplyExtrinsics::Always, true),
        (&disabled, ApplyExtrinsics::Never, false),
    ] {
        assert_eq!(moved(placed(file, choice)), is_moved, "{choice}");
        assert_eq!(choice.to_string().parse::<ApplyExtrinsics>().unwrap(), choice);
    }
    // One metre up.
    let (here, there) =
        (placed(&enabled, ApplyExtrinsics::Never).0, placed(&enabled, ApplyExtrinsics::File).0);
    assert!((there[0].1[2] - here[0].1[2] - 1.0).abs() < 1e-5);
    assert_eq!(placed(&enabled, ApplyExtrinsics::Never).1, ["HORIZONROOM0001"]);
    assert_eq!(placed(&disabled, ApplyExtrinsics::File).1, ["HORIZONROOM0001/extrinsic_disabled"]);

    let summary = survey(&mut StreamReader::new(&disabled[..]).unwrap()).unwrap();
    assert_eq!(summary.details.devices[0].extrinsic_enable, Some(0));
    assert!(summary.findings.iter().any(|f| f.code == "extrinsic-disabled"), "{:?}", summary.findings);
}

/// The codes of findings above notes.
fn codes(file: &[u8]) -> Vec<&'static str> {
    let summary = survey(&mut StreamReader::new(file).unwrap()).unwrap();
    assert!(summary.is_ok(), "{:?}", summary.findings);
    let mut codes: Vec<_> =
        summary.findings.iter().filter(|f| f.severity > Severity::Note).map(|f| f.code).collect();
    codes.dedup();
    codes
}

/// Offsets from the tables of the specification: public header 24, private header 5, device info 59, frame header 24.
#[test]
fn values_that_the_specification_fixes_are_checked() {
    let file = testkit::fixture("lvx/v11_type3.lvx");
    let (device, package) = (29, 29 + 59 + 24);
    assert_eq!(file[28], 1, "one device");
    assert_eq!(codes(&file), [""; 0]);
    for (at, value, code) in [
        (10, 1, "signature"),
        (20, 0, "magic-code"),
        (24, 100, "frame-duration"),
        (device + 32, 4, "device-index"),
        (device + 33, 77, "device-type"),
        (device + 34, 2, "extrinsic-enable"),
        (package + 1, 4, "protocol-version"),
        (package + 9, 6, "timestamp-type"),
        // The highest byte of depth, theta and phi of the first point.
        (package + 19 + 3, 0x80, "spherical-range"),
        (package + 19 + 5, 0x47, "spherical-range"),
        (package + 19 + 7, 0x8d, "spherical-range"),
    ] {
        let mut odd = file.clone();
        odd[at] = value;
        assert!(codes(&odd).contains(&code), "{code} at {at}: {:?}", codes(&odd));
    }
    let mut odd = testkit::fixture("lvx/v11_type0.lvx");
    assert_eq!(codes(&odd), [""; 0]);
    odd[device + 33] = 3;
    assert_eq!(codes(&odd), ["data-type-device"], "cartesian without tag is of the Mid series");
}

#[test]
fn depth_is_signed() {
    let mut bytes = Vec::new();
    RawSpherical { depth: -5000, theta: 9000, phi: 0, reflectivity: 7 }.encode(&mut bytes).unwrap();
    assert_eq!(bytes, [0x78, 0xec, 0xff, 0xff, 0x28, 0x23, 0, 0, 7]);
    TaggedSpherical { depth: -1, theta: 0, phi: 0, reflectivity: 0, tag: 0 }.encode(&mut bytes).unwrap();

    let mut file = testkit::fixture("lvx/v11_type1.lvx");
    let point = 29 + 59 + 24 + 19;
    file[point..point + 9].copy_from_slice(&bytes[..9]);
    let frame = Reader::new(&file).unwrap().records().next().unwrap().unwrap();
    let first = frame.packages().next().unwrap().unwrap().points().iter().next().unwrap();
    assert!((first.x + 5.0).abs() < 1e-6 && first.y == 0.0 && first.z.abs() < 1e-6, "{first:?}");
}

#[test]
fn devices_are_found_by_channel() {
    let file = testkit::fixture("lvx/v11_two_devices.lvx");
    let header = Reader::new(&file).unwrap().header().clone();
    for device in header.devices() {
        for kind in ["points", "imu"] {
            assert_eq!(header.device_of(&format!("{}/{kind}", device.sn_text())), Some(device));
        }
    }
    assert_eq!((header.device_of("tf_static"), header.device_of("OTHER/points")), (None, None));
    assert!(Lvx::EXTENSIONS.contains(&"lvx"));
}
