//! All kinds of damage: no panic, endless loop or excessive memory use.

use std::{fmt::Write as _, fs};

use crate::pcap::Capture;
use nalgebra::UnitQuaternion;
use testkit::{campaign, cuts, flips, splices};
use velodyne_packet::{
    Calibration, Decoder, Deskew, Detection, Detector, DualReturns, ErrorKind, Generation, Limits, Model,
    Options, PACKET_LEN, Packet, Points, PositionPacket, Profile, Reference, ReturnMode, ScanSplitter,
    StatusStream, Trajectory, packets,
};

/// A hand-made packet: rotations increase, every third return is missing.
fn packet(banks: &[u8], trailer: [u8; 6]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for block in 0..12_u16 {
        bytes.extend([0xff, banks[usize::from(block) % banks.len()]]);
        bytes.extend((35_900 + block * 20).checked_rem(36_000).unwrap().to_le_bytes());
        for shot in 0..32_u16 {
            let ticks = if shot % 3 == 0 { 0 } else { 500 + 37 * shot + block };
            bytes.extend(ticks.to_le_bytes());
            bytes.push(u8::try_from(shot * 7).unwrap());
        }
    }
    bytes.extend(trailer);
    assert_eq!(bytes.len(), PACKET_LEN);
    bytes
}

/// Two packets of each kind of sensor.
fn seeds() -> Vec<Vec<u8>> {
    [
        packet(&[0xdd, 0xee, 0xee, 0xee], *b"\x21\x0cv25c"),
        packet(&[0xee, 0xdd], *b"\x4f\x20DegC"),
        packet(&[0xee, 0xdd], [0xd2, 2, 0x96, 0x49, b'W', 9]),
        packet(&[0xee], [0, 1, 2, 3, 0x39, 0x22]),
        packet(&[0xee], [0xff, 0xff, 0xff, 0xff, 0x37, 0x21]),
        packet(&[0xee, 0xdd, 0xcc, 0xbb], [0, 0, 0, 0, 0x39, 0xa1]),
    ]
    .map(|packet| packet.repeat(2))
    .into()
}

/// Calls everything on packets; returns the number of points.
fn look(bytes: &[u8], options: Options) -> usize {
    let Some(sensor) = Detector::detect(packets(bytes)) else { return 0 };
    let mut stream = StatusStream::default();
    for packet in packets(bytes) {
        stream.push(packet);
        for generation in [Generation::SpinTemperature, Generation::Status, Generation::Factory] {
            packet.trailer(generation).clock();
        }
    }
    let calibration = Calibration::built_in(sensor.model);
    let mut points = Points::new();
    Decoder::new(&sensor, &calibration, options).decode_message(bytes, i64::MAX, &mut points);
    let in_one = points.len();
    assert!(in_one <= bytes.len() / PACKET_LEN * 384);
    let mut in_scans = 0;
    let mut scans = ScanSplitter::new(Decoder::new(&sensor, &calibration, options)).with_cut(u16::MAX);
    for (packet, time) in packets(bytes).zip([i64::MIN, 0, i64::MAX]) {
        scans.push(packet, time, |scan| in_scans += scan.len());
    }
    scans.finish(|scan| in_scans += scan.len());
    assert_eq!(in_one, in_scans, "scans lose nothing and add nothing");
    let finite = |column: &[f32]| column.iter().all(|value| value.is_finite());
    assert!(finite(points.x()) && finite(points.y()) && finite(points.z()) && finite(points.intensity()));
    let cloud = points.take_cloud();
    assert!(cloud.is_consistent());
    in_one
}

#[test]
fn packets_of_any_bytes() {
    let plain = Options::default();
    let merged = plain.with_profile(Profile::VelodyneDecoder).with_dual_returns(DualReturns::Merged);
    let ros = plain.with_profile(Profile::Ros).with_interpolation(true).with_range(-1.0, f32::NAN);
    let (mut inputs, mut seen) = (0, 0);
    for (seed, bytes) in (0..).zip(seeds()) {
        for options in [plain, merged] {
            assert!(look(&bytes, options) > 0, "seed {seed}");
            cuts(&bytes).step_by(7).for_each(|cut| seen += look(cut, options));
            flips(&bytes[PACKET_LEN - 6..], 6, &mut |tail| {
                let mut whole = bytes[..PACKET_LEN - 6].to_vec();
                whole.extend_from_slice(tail);
                look(&whole, options);
                inputs += 1;
            });
        }
        let mut visit = |damaged: &[u8]| {
            look(damaged, if inputs % 2 == 0 { merged } else { ros });
            inputs += 1;
        };
        flips(&bytes, PACKET_LEN, &mut testkit::thinned(&mut visit));
        let mut visit = |damaged: &[u8]| seen += look(damaged, plain);
        splices(&bytes, 3000, seed, &mut testkit::thinned(&mut visit));
    }
    println!("{inputs} inputs by bits, {seen} points of the others");
    for byte in [0, 0xff, 0xee] {
        look(&[byte; 3 * PACKET_LEN], plain);
    }
    assert!(Packet::parse(&[0; PACKET_LEN - 1], 7).is_err_and(|e| e.offset() == 7));
    let mut positions = 0;
    campaign(&[b'$'; 512], 1, &mut |bytes| positions += usize::from(PositionPacket::parse(bytes, 0).is_ok()));
    assert!(positions > 0);
}

#[test]
fn captures_of_any_bytes() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let file = fs::read(dir.join("mrpt_vlp16_gps.pcap")).unwrap();
    let start = &file[..6000];
    let mut seen = 0;
    let mut visit = |damaged: &[u8]| {
        let capture = Capture::parse(damaged);
        assert!(capture.data.len() + capture.position.len() <= damaged.len());
        seen += look(&capture.data, Options::default());
    };
    cuts(start).step_by(11).for_each(&mut visit);
    flips(start, 200, &mut visit);
    splices(start, 300, 5, &mut visit);
    assert!(seen > 0);
}

/// A file of each form, made from a built-in calibration.
fn texts() -> [String; 2] {
    let calibration = Calibration::built_in(Model::Vlp16);
    let (mut xml, mut yaml) = ("<DB><distLSB_>0.2</distLSB_><points_>".to_owned(), "lasers:\n".to_owned());
    for (id, laser) in calibration.lasers.iter().enumerate() {
        let (degrees, radians) = (laser.vert_correction.to_degrees(), laser.vert_correction);
        write!(xml, "<item><px><id_>{id}</id_><vertCorrection_>{degrees}</vertCorrection_></px></item>")
            .unwrap();
        writeln!(yaml, "- {{laser_id: {id}, vert_correction: {radians}}}").unwrap();
    }
    xml += "</points_></DB>";
    [xml, yaml]
}

#[test]
fn calibrations_of_any_bytes() {
    for text in texts() {
        let read = Calibration::parse(&text, "seed").unwrap();
        assert_eq!(read.lasers.len(), 16);
        let (mut good, mut bad) = (0, 0);
        let mut visit = |damaged: &[u8]| match Calibration::parse(&String::from_utf8_lossy(damaged), "x") {
            Ok(calibration) => {
                good += 1;
                assert!(
                    calibration.lasers.len() <= 128 && calibration.rings().len() == calibration.lasers.len()
                );
            }
            Err(_) => bad += 1,
        };
        let bytes = text.as_bytes();
        cuts(bytes).for_each(&mut visit);
        flips(bytes, 400, &mut visit);
        splices(bytes, 2000, 3, &mut visit);
        println!("{good} read, {bad} refused");
        assert!(good > 0 && bad > 0);
    }
}

#[test]
fn bombs_are_refused_at_once() {
    let many = 200_000;
    let bombs = [
        "<a>".repeat(many),
        format!("<a {}/>", "b='c' ".repeat(many / 2)),
        format!("<px><id_>{}</id_></px>", "1".repeat(many)),
        format!("<{}/>", "n".repeat(many)),
        "[".repeat(many),
        "{a: ".repeat(many),
        "- ".repeat(many),
        format!("a: &a [{}]\nb: &b [{}]\n", "x,".repeat(99), "*a,".repeat(99)),
        format!("lasers: {}", "&a ".repeat(many / 4)),
        "? ".repeat(many),
        format!("a: |\n{}", " \n".repeat(many / 2)),
        format!("\"{}", "\\n".repeat(many / 2)),
        "#".repeat(many),
        "lasers:\n- {laser_id: 1e308, vert_correction: 0}".to_owned(),
        "lasers:\n- {laser_id: 4000000000, vert_correction: 0}".to_owned(),
        "lasers:\n- {laser_id: 0, vert_correction: .nan}".to_owned(),
        "<DB><distLSB_>nan</distLSB_></DB>".to_owned(),
        "<!DOCTYPE a [<!ENTITY b 'bbbb'>]><a>&b;&b;</a>".to_owned(),
        String::new(),
    ];
    for bomb in bombs {
        let (outcome, taken) = testkit::busy(|| Calibration::parse(&bomb, "bomb"));
        let error = outcome.unwrap_err();
        let shown: String = bomb.chars().take(24).collect();
        assert!(taken.as_secs() < 5, "{shown}: {taken:?}");
        assert!(error.to_string().len() < 400, "{shown}: {error}");
    }
    let long = format!("lasers: {}", "x".repeat(2 << 20));
    let error = Calibration::parse(&long, "long").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { .. }));
}

#[test]
fn a_scan_that_never_ends_is_given_in_pieces() {
    let still = packet(&[0xee], [0, 0, 0, 0, 0x37, 0x21]);
    let mut still = still;
    for block in still.chunks_exact_mut(100) {
        block[2..4].copy_from_slice(&[0, 0]);
    }
    let sensor = Detection::assume(Model::Hdl32e, ReturnMode::Strongest, Generation::Factory);
    let decoder = Decoder::new(&sensor, &Calibration::built_in(sensor.model), Options::default());
    let mut scans = ScanSplitter::new(decoder).with_limits(Limits::default().with_record(23_000));
    let (mut most, mut all) = (0, 0);
    for time in 0..1000 {
        scans.push(Packet::parse(&still, 0).unwrap(), time, |scan| {
            most = most.max(scan.len());
            all += scan.len();
        });
    }
    scans.finish(|scan| all += scan.len());
    assert_eq!(all, 1000 * 12 * 21);
    assert!((1000..1000 + 32).contains(&most), "{most}");
}

#[test]
fn a_calibration_with_too_few_lasers_leaves_returns_out() {
    let sensor = Detection::assume(Model::Vls128, ReturnMode::Strongest, Generation::Factory);
    let mut calibration = Calibration::built_in(Model::Vls128);
    calibration.lasers.truncate(40);
    let mut points = Points::new();
    let bytes = packet(&[0xee, 0xdd, 0xcc, 0xbb], [0, 0, 0, 0, 0x37, 0xa1]);
    let mut decoder = Decoder::new(&sensor, &calibration, Options::default());
    decoder.decode(Packet::parse(&bytes, 0).unwrap(), 0, &mut points);
    assert_eq!(points.len(), 3 * (21 + 5));
    // A trajectory without motion moves nothing.
    let before = points.clone();
    let still = Deskew::new(Trajectory::from_rotations([]));
    assert_eq!(still.apply(&mut points, Reference::End), before.len());
    assert_eq!(points, before);
    let one = Trajectory::from_rotations([
        (i64::MAX, UnitQuaternion::identity()),
        (i64::MIN, UnitQuaternion::identity()),
    ]);
    assert_eq!(Deskew::new(one).apply(&mut points, Reference::Start), 0);
}
