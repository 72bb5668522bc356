//! Times, returns and motion of points, from hand-made packets.

use nalgebra::{UnitQuaternion, Vector3};
use velodyne_packet::{
    Calibration, Decoder, Deskew, Detection, Detector, DualReturns, Generation, Model, Options, PACKET_LEN,
    Points, Reference, ReturnMode, Trajectory, packets,
};

/// A packet with these rotations, and the distance and intensity of every return by block.
fn packet(banks: &[u8], rotations: [u16; 12], ticks: [u16; 12], trailer: [u8; 6]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for block in 0..12 {
        bytes.extend([0xff, banks[block % banks.len()]]);
        bytes.extend(rotations[block].to_le_bytes());
        for _ in 0..32 {
            bytes.extend(ticks[block].to_le_bytes());
            bytes.push(block as u8);
        }
    }
    bytes.extend(trailer);
    assert_eq!(bytes.len(), PACKET_LEN);
    bytes
}

fn decode(sensor: &Detection, options: Options, bytes: &[u8]) -> Points {
    let mut points = Points::new();
    let mut decoder = Decoder::new(sensor, &Calibration::built_in(sensor.model), options);
    packets(bytes).for_each(|packet| decoder.decode(packet, 5_000, &mut points));
    points
}

const RISING: [u16; 12] = [0, 40, 80, 120, 160, 200, 240, 280, 320, 360, 400, 440];

#[test]
fn firing_times_are_those_of_the_manuals() {
    for (model, banks, last, some) in [
        // Nanoseconds of the last shot, and of shot 5 in block 3.
        (Model::Hdl64eS2, &[0xee, 0xdd][..], 5 * 48_000 + 7 * 6_000 + 3_660, 48_000 + 6_000 + 1_260),
        (Model::Hdl64eS3, &[0xee, 0xdd], 5 * 57_600 + 7 * 7_200 + 3_700, 57_600 + 7_200 + 1_300),
        (Model::Hdl32e, &[0xee], 11 * 46_080 + 31 * 1_152, 3 * 46_080 + 5 * 1_152),
        (Model::Vlp16, &[0xee], 23 * 55_296 + 15 * 2_304, 6 * 55_296 + 5 * 2_304),
        (Model::Vlp32c, &[0xee], 11 * 55_296 + 15 * 2_304, 3 * 55_296 + 2 * 2_304),
    ] {
        let sensor = Detection::assume(model, ReturnMode::Strongest, Generation::Factory);
        let bytes = packet(banks, RISING, [1000; 12], [0; 6]);
        let points = decode(&sensor, Options::default(), &bytes);
        assert_eq!((points.len(), points.start()), (384, 5_000));
        let times = points.time_offset();
        for (found, expected) in [(times[383], last), (times[3 * 32 + 5], some), (times[0], 0)] {
            assert!(found.abs_diff(expected) <= 1, "{model}: {found} is not {expected}");
        }
    }
}

#[test]
fn the_clock_of_the_vls128_is_that_of_its_fourth_group() {
    let sensor = Detection::assume(Model::Vls128, ReturnMode::Strongest, Generation::Factory);
    let bytes = packet(&[0xee, 0xdd, 0xcc, 0xbb], RISING, [1000; 12], [0, 0, 0, 0, 0x37, 0xa1]);
    let points = decode(&sensor, Options::default(), &bytes);
    assert_eq!((points.start(), points.time_offset()[0]), (5_000 - 7_000, 0));
    // The second sequence begins twenty groups later.
    assert!(points.time_offset()[128].abs_diff(53_333) <= 1);
}

#[test]
fn dual_returns_are_all_given_or_merged() {
    let pairs = [0, 0, 40, 40, 80, 80, 120, 120, 160, 160, 200, 200];
    // The first shot has one return, the second two, the third only one in the first block.
    let ticks = [500, 500, 900, 500, 900, 0, 0, 0, 0, 0, 0, 0];
    let bytes = packet(&[0xee], pairs, ticks, [0, 0, 0, 0, 0x39, 0x22]);
    let sensor = Detector::detect(packets(&bytes)).unwrap();
    assert_eq!(sensor.return_mode, ReturnMode::Dual);
    let all = decode(&sensor, Options::default().with_dual_returns(DualReturns::Both), &bytes);
    assert_eq!(all.len(), 5 * 32);
    // As LAS counts: by distance.
    assert_eq!(all.return_number(), [[1; 32], [1; 32], [2; 32], [1; 32], [1; 32]].concat());
    assert_eq!(all.time_offset()[..32], all.time_offset()[32..64], "returns of a shot share its time");
    let merged = decode(&sensor, Options::default().with_dual_returns(DualReturns::Merged), &bytes);
    let (once, twice, last) =
        (&merged.return_number()[..32], &merged.return_number()[32..96], &merged.return_number()[96..]);
    assert_eq!((once, twice, last), (&[1; 32][..], &[2, 1].repeat(32)[..], &[1; 32][..]));
}

#[test]
fn dual_returns_of_an_hdl64e_need_a_head_that_turns() {
    let pairs = |rotations| packet(&[0xee, 0xdd], rotations, [1000; 12], [0, 0, 0, 0, b'H', 9]);
    let mode = |rotations| Detector::detect(packets(&pairs(rotations).repeat(8))).unwrap().return_mode;
    assert_eq!(mode([9, 9, 9, 9, 18, 18, 18, 18, 27, 27, 27, 27]), ReturnMode::Dual);
    assert_eq!(mode([450; 12]), ReturnMode::Strongest, "the head stands still");
    assert_eq!(mode([9, 9, 18, 18, 27, 27, 36, 36, 45, 45, 54, 54]), ReturnMode::Strongest);
    // A head so slow that the first two shots have the same rotation.
    assert_eq!(mode([9, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 10]), ReturnMode::Strongest);
}

#[test]
fn messages_are_timed_by_the_clock_or_by_the_rate() {
    let at = |clock: u32, generation| {
        let [a, b, c, d] = clock.to_le_bytes();
        let end = if generation == Generation::Factory { [0x37, 0x21] } else { *b"5c" };
        let start = if generation == Generation::Factory { [a, b, c, d] } else { *b"\x21\x0cv2" };
        let trailer = [start[0], start[1], start[2], start[3], end[0], end[1]];
        packet(if end[0] == 0x37 { &[0xee] } else { &[0xee, 0xdd] }, RISING, [1000; 12], trailer)
    };
    // The hour passes between the packets.
    let bytes = [at(3_599_999_900, Generation::Factory), at(453, Generation::Factory)].concat();
    let sensor = Detector::detect(packets(&bytes)).unwrap();
    let mut points = Points::new();
    let mut decoder = Decoder::new(&sensor, &Calibration::built_in(sensor.model), Options::default());
    decoder.decode_message(&bytes, 10_000_000, &mut points);
    assert_eq!(points.start(), 10_000_000 - 552_960 - 553_000);
    assert_eq!(points.time_offset()[384], 553_000);

    let old = [at(0, Generation::SpinTemperature), at(0, Generation::SpinTemperature)].concat();
    let sensor = Detector::detect(packets(&old)).unwrap();
    assert_eq!((sensor.model, sensor.generation), (Model::Hdl64eS2, Generation::SpinTemperature));
    points.clear();
    Decoder::new(&sensor, &Calibration::built_in(sensor.model), Options::default()).decode_message(
        &old,
        0,
        &mut points,
    );
    assert_eq!((points.start(), points.time_offset()[384]), (-576_000, 288_000));
}

#[test]
fn motion_is_taken_out() {
    // Ten metres per second forward while turning left by one radian per second.
    let turn = |seconds: f64| UnitQuaternion::from_axis_angle(&Vector3::z_axis(), seconds);
    let rotations = (0..=1000).map(|ms| (ms * 1_000_000, turn(ms as f64 / 1000.0)));
    let trajectory = Trajectory::from_rotations_and_speeds(rotations, [(0, 10.0)]);
    let end = trajectory.at(1_000_000_000).unwrap();
    // A circle with a radius of ten metres.
    let (sin, cos) = 1_f64.sin_cos();
    let apart = end.translation.vector - Vector3::new(10.0 * sin, 10.0 * (1.0 - cos), 0.0);
    assert!(apart.norm() < 1e-5, "{apart}");

    let bytes = packet(&[0xee], RISING, [10_000; 12], [0, 0, 0, 0, 0x37, 0x21]);
    let sensor = Detector::detect(packets(&bytes)).unwrap();
    let mut points = decode(&sensor, Options::default(), &bytes);
    let before = points.clone();
    assert_eq!(Deskew::new(trajectory.clone()).apply(&mut points, Reference::Start), 0);
    assert_eq!((points.x()[0], points.y()[0]), (before.x()[0], before.y()[0]));
    let last = points.len() - 1;
    let time = before.start() + i64::from(before.time_offset()[last]);
    let there = trajectory.at(before.start()).unwrap().inverse() * trajectory.at(time).unwrap();
    let [x, y, z] = [before.x()[last], before.y()[last], before.z()[last]].map(f64::from);
    let expected = there * nalgebra::Point3::new(x, y, z);
    assert!((f64::from(points.x()[last]) - expected.x).abs() < 1e-5);
    assert!((f64::from(points.y()[last]) - expected.y).abs() < 1e-5);
    // Half a millisecond at ten metres per second.
    assert!((0.004..0.007).contains(&(points.x()[last] - before.x()[last])));
}

/// Errors work with `anyhow`, as the example of the README needs: they are `Send`, `Sync` and `'static`.
#[test]
fn errors_pass_between_threads() {
    fn may_fail<E: std::error::Error + Send + Sync + 'static>() {}
    may_fail::<velodyne_packet::Error>();
}

#[cfg(feature = "serde")]
#[test]
fn what_the_readme_lists_serializes() {
    fn serializes<T: serde::Serialize>() {}
    serializes::<Detection>();
    serializes::<Calibration>();
    serializes::<velodyne_packet::Status>();
    serializes::<velodyne_packet::Point>();
}
