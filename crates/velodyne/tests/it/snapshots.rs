//! The output for one hand-made packet of each kind of sensor, unchanged unless a commit says so.

use std::fmt::Write as _;

use testkit::Fnv;
use velodyne_packet::{Calibration, Decoder, Detector, Options, PACKET_LEN, Points, Profile, packets};

/// A packet whose rotations increase by a fifth of a degree; every third return is missing.
fn packet(banks: &[u8], doubled: bool, trailer: [u8; 6]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for block in 0..12_u16 {
        let shots = u16::try_from(if doubled { banks.len() * 2 } else { banks.len() }).unwrap();
        bytes.extend([0xff, banks[usize::from(block) % banks.len()]]);
        bytes.extend((9_000 + block / shots * 20).to_le_bytes());
        for lane in 0..32_u16 {
            let ticks = if lane % 3 == 0 { 0 } else { 1500 + 371 * lane + block };
            bytes.extend(ticks.to_le_bytes());
            bytes.push(u8::try_from(lane * 7).unwrap());
        }
    }
    bytes.extend(trailer);
    assert_eq!(bytes.len(), PACKET_LEN);
    bytes
}

/// The detection, the first and the last points by every formula, and a hash over all.
fn digest(bytes: &[u8]) -> String {
    let sensor = Detector::detect(packets(bytes)).unwrap();
    let mut text = format!("{sensor}\n");
    for evidence in &sensor.evidence {
        writeln!(text, "  {evidence}").unwrap();
    }
    let calibration = Calibration::built_in(sensor.model);
    writeln!(text, "{}", calibration.label).unwrap();
    for profile in Profile::ALL {
        let mut points = Points::new();
        let options = Options::default().with_profile(profile);
        Decoder::new(&sensor, &calibration, options).decode_message(bytes, 0, &mut points);
        let mut hash = Fnv::default();
        let mut shown = Vec::new();
        for point in points.iter() {
            let velodyne_packet::Point { x, y, z, intensity, ring, time_offset, return_number } = point;
            let line =
                format!("{x:.4} {y:.4} {z:.4} {intensity:.2} ring {ring} +{time_offset} #{return_number}");
            hash.text(&line);
            shown.push(line);
        }
        writeln!(
            text,
            "{}: {} points from {}, {:016x}",
            profile.name(),
            points.len(),
            points.start(),
            hash.finish()
        )
        .unwrap();
        for line in [shown.first(), shown.last()].into_iter().flatten() {
            writeln!(text, "  {line}").unwrap();
        }
    }
    text
}

#[test]
fn hdl64e_s1() {
    insta::assert_snapshot!(digest(&packet(&[0xdd, 0xee, 0xee, 0xee], false, *b"\x21\x0cv25c").repeat(8)));
}

#[test]
fn hdl64e_s2_dual() {
    insta::assert_snapshot!(digest(&packet(&[0xee, 0xdd], true, *b"\x4f\x20DegC").repeat(8)));
}

#[test]
fn hdl64e_s3() {
    insta::assert_snapshot!(digest(&packet(&[0xee, 0xdd], false, [0xd2, 2, 0x96, 0x49, b'W', 9])));
}

#[test]
fn hdl32e() {
    insta::assert_snapshot!(digest(&packet(&[0xee], false, [1, 0, 0, 0, 0x38, 0x21])));
}

#[test]
fn vlp16_dual() {
    insta::assert_snapshot!(digest(&packet(&[0xee], true, [1, 0, 0, 0, 0x39, 0x22])));
}

#[test]
fn vlp32c() {
    insta::assert_snapshot!(digest(&packet(&[0xee], false, [1, 0, 0, 0, 0x37, 0x28])));
}

#[test]
fn vls128() {
    insta::assert_snapshot!(digest(&packet(&[0xee, 0xdd, 0xcc, 0xbb], false, [1, 0, 0, 0, 0x37, 0xa1])));
}
