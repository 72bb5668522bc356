//! Counts, sums, hashes and status of real and derived captures match an independent script, and the formulas give the
//! sums that the same script computed in double precision.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use crate::pcap::Capture;
use serde_json::Value as Json;
use sha2::{Digest as _, Sha256};
use velodyne_packet::{
    Axes, Bank, Calibration, CalibrationSource, Decoder, Detection, Detector, Generation, Model, Options,
    Points, PositionPacket, Profile, ReturnMode, StatusStream, Trailer, packets,
};

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn truths(dir: &Path) -> BTreeMap<String, Json> {
    serde_json::from_slice(&fs::read(dir.join("truth.json")).unwrap()).unwrap()
}

/// The sensors of the captures.
fn sensors() -> BTreeMap<&'static str, (Model, ReturnMode, Generation)> {
    use Generation::{Factory, SpinTemperature, Status};
    use Model::{Hdl32e, Hdl64eS1, Hdl64eS2, Vlp16, Vlp32c, Vls128};
    use ReturnMode::{Dual, Strongest};
    BTreeMap::from([
        ("derived_hdl64e_s1.pcap", (Hdl64eS1, Strongest, SpinTemperature)),
        ("derived_hdl64e_s2.pcap", (Hdl64eS2, Strongest, Status)),
        ("derived_hdl64e_s2old.pcap", (Hdl64eS2, Strongest, SpinTemperature)),
        ("gadomski_vlp16_single.pcap", (Vlp16, Strongest, Factory)),
        ("mrpt_hdl32.pcap", (Hdl32e, Strongest, Factory)),
        ("mrpt_vlp16_gps.pcap", (Vlp16, Strongest, Factory)),
        ("nebula_vlp16.pcap", (Vlp16, Dual, Factory)),
        ("nebula_vlp32.pcap", (Vlp32c, Strongest, Factory)),
        ("nebula_vls128.pcap", (Vls128, Strongest, Factory)),
        ("opendlv_hdl32e_sample.pcap", (Hdl32e, Strongest, Factory)),
        ("opendlv_hdl64e_atwall.pcap", (Hdl64eS1, Strongest, SpinTemperature)),
        ("opendlv_vlp16_sample.pcap", (Vlp16, Strongest, Factory)),
        // Called a VLP-32C by its source; its bytes say HDL-32E.
        ("velodyne-lidar_vlp32c.pcap", (Hdl32e, Strongest, Factory)),
        ("foxglove_hdl32e_packet.bin", (Hdl32e, Strongest, Factory)),
        ("hdl64e_s2_manual_packet.bin", (Hdl64eS2, Strongest, SpinTemperature)),
        ("tier4_vlp16_packet.bin", (Vlp16, Strongest, Factory)),
    ])
}

fn load(path: &Path) -> Capture {
    if path.extension().is_some_and(|e| e == "bin") {
        return Capture { data: fs::read(path).unwrap(), times: vec![0], position: Vec::new() };
    }
    Capture::open(path)
}

#[test]
fn counts_sums_and_hashes() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let mut seen = 0;
    for (name, truth) in truths(&dir) {
        let capture = load(&dir.join(&name));
        let number = |key: &str| truth.get(key).and_then(Json::as_u64);
        let all: Vec<_> = packets(&capture.data).collect();
        // Including returns without a distance: some sensors give them an intensity.
        let returns =
            || all.iter().flat_map(velodyne_packet::Packet::blocks).flat_map(|block| block.returns());
        let sum = |value: fn(&velodyne_packet::Return) -> u64| returns().map(|r| value(&r)).sum::<u64>();
        if let Some(expected) = number("data_packets") {
            assert_eq!(all.len() as u64, expected, "{name}");
        }
        for (key, found) in [
            ("nonzero_returns", all.iter().map(|p| p.return_count() as u64).sum()),
            ("sum_distance_ticks", sum(|r| u64::from(r.distance))),
            ("sum_intensity", sum(|r| u64::from(r.intensity))),
            ("position_packets", (capture.position.len() / 512) as u64),
        ] {
            assert_eq!(number(key).unwrap_or(found), found, "{name}: {key}");
            seen += usize::from(number(key).is_some());
        }
        if let Some(expected) = truth.get("sha256_payloads") {
            assert_eq!(hex(&Sha256::digest(&capture.data)), expected.as_str().unwrap(), "{name}");
            seen += 1;
        }
        let banks = |bank| {
            all.iter().flat_map(velodyne_packet::Packet::blocks).filter(|b| b.bank() == Some(bank)).count()
                as u64
        };
        if let Some(expected) = number("bank_upper") {
            assert_eq!(
                (banks(Bank::Upper), banks(Bank::Lower)),
                (expected, number("bank_lower").unwrap()),
                "{name}"
            );
        }
        if let Some([first, last]) =
            truth.get("first_last_toh_us").and_then(Json::as_array).map(Vec::as_slice)
        {
            let clock =
                |p: &velodyne_packet::Packet<'_>| p.trailer(Generation::Factory).clock().map(u64::from);
            assert_eq!(
                (clock(&all[0]), clock(&all[all.len() - 1])),
                (first.as_u64(), last.as_u64()),
                "{name}"
            );
            seen += 1;
        }
        for (key, at) in [("nmea_first", 0), ("nmea_last", capture.position.len().saturating_sub(512))] {
            if let Some(expected) = truth.get(key).and_then(Json::as_str) {
                let packet = PositionPacket::parse(&capture.position[at..], 0).unwrap();
                assert_eq!(String::from_utf8_lossy(packet.nmea()), expected, "{name}");
                seen += 1;
            }
        }
    }
    println!("{seen} figures");
    assert!(seen > 60);
}

#[test]
fn sensors_are_found_from_the_bytes() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    for (name, expected) in sensors() {
        let capture = load(&dir.join(name));
        for count in [8, usize::MAX] {
            let found = Detector::detect(packets(&capture.data).take(count)).unwrap();
            assert_eq!(
                (found.model, found.return_mode, found.generation),
                expected,
                "{name}: {:?}",
                found.evidence
            );
            assert_eq!(found.evidence.len(), 3);
        }
    }
}

#[test]
fn trailers_of_the_first_generation() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let capture = load(&dir.join("opendlv_hdl64e_atwall.pcap"));
    let (mut temperatures, mut spins) = (Vec::new(), Vec::new());
    for packet in packets(&capture.data) {
        match packet.trailer(Generation::SpinTemperature) {
            Trailer::Temperature { celsius } => temperatures.push(celsius),
            Trailer::Spin { spin, firmware } => {
                assert_eq!(&firmware, b"v25c");
                spins.push(spin);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((temperatures.len(), spins.len()), (153, 153));
    assert!(temperatures.iter().all(|t| (32.308..32.317).contains(t)));
    assert_eq!((spins.iter().min(), spins.iter().max()), (Some(&0x0c21), Some(&0x0c23)));
}

#[test]
fn status_stream_gives_the_calibration() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let capture = load(&dir.join("derived_hdl64e_s2.pcap"));
    // Complete; with one loss; with losses of one and of several groups.
    for lost in [0..0, 100..101, 500..516, 700..800, 1000..1037] {
        let mut stream = StatusStream::default();
        let mut cycles = 0;
        // Repeated, as if the sensor had continued.
        for (index, packet) in
            packets(&capture.data).take(4160).chain(packets(&capture.data).take(4160)).enumerate()
        {
            if !lost.contains(&index) {
                cycles += usize::from(stream.push(packet));
            }
        }
        assert!(
            cycles >= 1 && stream.failures() == 0,
            "{lost:?}: {cycles} cycles, {} failures",
            stream.failures()
        );
        check_status(&stream, &truths(&dir)["derived_hdl64e_s2.pcap"]);
    }
}

fn check_status(stream: &StatusStream, truth: &Json) {
    let status = stream.status().unwrap();
    let told = &truth["status"];
    assert_eq!(status.model, Model::Hdl64eS2);
    assert_eq!(stream.gps().unwrap().to_string(), told["GPS Status"].as_str().unwrap());
    assert_eq!(stream.temperature().unwrap().to_string(), told["Temperature"].as_str().unwrap());
    assert_eq!(stream.firmware().unwrap().to_string(), told["Firmware Version"].as_str().unwrap());
    assert_eq!(status.noise_thresholds, [24, 24]);
    assert_eq!(status.calibrated, Some([2010, 3, 2, 12, 47, 47]));
    assert_eq!((status.humidity, status.rpm, status.hours), (35, 600, 2685));
    assert_eq!((status.field_of_view, status.power_level), ([0, 36_000], 0xA8));
    assert_eq!((status.source_ip, status.destination_ip), ([192, 168, 3, 43], [192, 168, 3, 255]));
    assert_eq!((status.return_mode, status.warnings & 0x7f), (Some(ReturnMode::Strongest), 0x60));
    assert!(stream.time().unwrap().to_string().starts_with("2010-05-20T09:20:3"));
    let calibration = stream.calibration().unwrap();
    assert_eq!((calibration.source, calibration.lasers.len()), (CalibrationSource::StatusStream, 64));
    for (laser, key) in [(0, "calib_laser0"), (63, "calib_laser63")] {
        let (laser, told) = (&calibration.lasers[laser], &truth[key]);
        for (found, key) in [
            (laser.vert_correction.to_degrees(), "Vertical Correction"),
            (laser.rot_correction.to_degrees(), "Rotational Correction"),
            (laser.dist_correction, "Far Distance Correction"),
            (laser.dist_correction_x, "Distance Correction X"),
            (laser.dist_correction_y, "Distance Correction Y"),
            (laser.vert_offset, "Vertical Offset Correction"),
            (laser.horiz_offset, "Horizontal Offset Correction"),
            (laser.focal_distance, "Focal Distance"),
            (laser.focal_slope, "Focal Slope"),
            (laser.min_intensity, "Min Intensity"),
            (laser.max_intensity, "Max Intensity"),
        ] {
            assert!(
                (found - told[key].as_f64().unwrap()).abs() < 1e-9,
                "{key}: {found} is not {}",
                told[key]
            );
        }
    }
}

/// The reference was computed in double precision; rounding to single precision can change a sum of n values by this
/// much.
fn close(found: f64, expected: f64, magnitude: f64, what: &str) {
    assert!((found - expected).abs() <= 6e-8 * magnitude + 1e-5, "{what}: {found} is not {expected}");
}

#[test]
fn formulas_agree_with_double_precision() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let references: BTreeMap<String, Json> =
        serde_json::from_slice(&fs::read(dir.join("formula_reference_f64.json")).unwrap()).unwrap();
    let mut compared = 0;
    for (key, reference) in &references {
        let (file, rest) = key.split_once(' ').unwrap();
        let (calibration, profile) = rest.rsplit_once(' ').unwrap();
        let calibration = match calibration {
            "own db.xml" => "opendlv_hdl64e_atwall_db.xml",
            "utexas" => "vd_HDL-64E_S1-utexas.yml",
            other => other,
        };
        let text = fs::read_to_string(dir.join("calib").join(calibration)).unwrap();
        let calibration = Calibration::parse(&text, calibration).unwrap();
        // The reference's velodyne_decoder formula lacks interpolation, which makes it the two-point one.
        let profile = profile.parse().unwrap_or(Profile::TwoPoint);
        let options = Options::default().with_profile(profile).with_interpolation(false);
        let capture = load(&dir.join(file));
        let sensor = Detector::detect(packets(&capture.data)).unwrap();
        let mut points = Points::new();
        let mut decoder = Decoder::new(&sensor, &calibration, options);
        packets(&capture.data).for_each(|packet| decoder.decode(packet, 0, &mut points));

        assert_eq!(points.len() as u64, reference["n"].as_u64().unwrap(), "{key}");
        for (axis, column) in [points.x(), points.y(), points.z()].into_iter().enumerate() {
            let what = |part: &str| format!("{key}: {part} of axis {axis}");
            let magnitude: f64 = column.iter().map(|v| f64::from(v.abs())).sum();
            let expected = |part: &str| reference.get(part).and_then(|values| values[axis].as_f64());
            close(
                column.iter().map(|v| f64::from(*v)).sum(),
                expected("sum_f64").unwrap(),
                magnitude,
                &what("sum"),
            );
            let single = |fold: fn(f32, f32) -> f32| f64::from(column.iter().copied().reduce(fold).unwrap());
            for (part, found) in [
                ("first", f64::from(column[0])),
                ("last", f64::from(column[column.len() - 1])),
                ("min", single(f32::min)),
                ("max", single(f32::max)),
            ] {
                if let Some(expected) = expected(part) {
                    close(found, expected, found.abs(), &what(part));
                    compared += 1;
                }
            }
        }
    }
    println!("{compared} values of {} references", references.len());
    assert!(compared > 100);
}

#[test]
fn intensities_are_those_of_velodyne_decoder() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let told = truths(&dir);
    for name in ["derived_hdl64e_s2.pcap", "derived_hdl64e_s2old.pcap", "derived_hdl64e_s1.pcap"] {
        let capture = load(&dir.join(name));
        let sensor = Detector::detect(packets(&capture.data)).unwrap();
        let mut stream = StatusStream::default();
        for packet in packets(&capture.data) {
            stream.push(packet);
        }
        let calibration =
            stream.calibration().cloned().unwrap_or_else(|| Calibration::built_in(sensor.model));
        let mut points = Points::new();
        let mut decoder = Decoder::new(&sensor, &calibration, Options::default());
        packets(&capture.data).for_each(|packet| decoder.decode(packet, 0, &mut points));
        let sum: f64 = points.intensity().iter().map(|v| f64::from(*v)).sum();
        let expected = told[name]["vd_sum_intensity_f64"].as_f64().unwrap();
        assert!((sum / expected - 1.0).abs() < 1e-7, "{name}: {sum} is not {expected}");
    }
}

#[test]
fn axes_of_the_sensor_are_turned() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let capture = load(&dir.join("hdl64e_s2_manual_packet.bin"));
    let sensor = Detection::assume(Model::Hdl64eS2, ReturnMode::Strongest, Generation::SpinTemperature);
    let calibration = Calibration::built_in(Model::Hdl64eS1);
    let decode = |options| {
        let mut points = Points::new();
        Decoder::new(&sensor, &calibration, options).decode(
            packets(&capture.data).next().unwrap(),
            0,
            &mut points,
        );
        points
    };
    let (ros, own) = (decode(Options::default()), decode(Options::default().with_axes(Axes::Sensor)));
    assert_eq!(ros.len(), 384);
    assert!(ros.iter().zip(own.iter()).all(|(a, b)| (a.x, a.y, a.z) == (b.y, -b.x, b.z)));
}
