//! Points match those written by `VeloView` for the same packets.

use std::{fs, io::Read as _, path::Path};

use crate::pcap::Capture;
use flate2::read::GzDecoder;
use velodyne_packet::{Axes, Calibration, Decoder, Detector, Options, Points, ScanSplitter, packets};

/// x, y, z and intensity of `VeloView`'s points.
fn csv(path: &Path) -> Vec<[f64; 4]> {
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let number = |field: &str| field.parse().unwrap();
    let row = |line: &str| line.split(',').map(number).collect::<Vec<f64>>().try_into().unwrap();
    text.lines().skip(1).map(row).collect()
}

/// The second scan of a capture, `VeloView`'s frame 1, in the sensor's axes.
fn frame(dir: &Path, capture: &str, calibration: Option<&str>) -> Points {
    let capture = Capture::open(&dir.join(capture));
    let sensor = Detector::detect(packets(&capture.data)).unwrap();
    let calibration = calibration.map_or_else(
        || Calibration::built_in(sensor.model),
        |name| Calibration::parse(&fs::read_to_string(dir.join("calib").join(name)).unwrap(), name).unwrap(),
    );
    let mut scans =
        ScanSplitter::new(Decoder::new(&sensor, &calibration, Options::default().with_axes(Axes::Sensor)));
    let mut frames = Vec::new();
    for (packet, time) in packets(&capture.data).zip(&capture.times) {
        scans.push(packet, *time, |points| frames.push(points.clone()));
    }
    scans.finish(|points| frames.push(points.clone()));
    frames.swap_remove(1)
}

/// The largest coordinate difference, if number, order and intensity match.
fn compare(points: &Points, expected: &[[f64; 4]]) -> [f64; 3] {
    assert_eq!(points.len(), expected.len());
    let mut worst = [0.0; 3];
    for (index, (point, [x, y, z, intensity])) in points.iter().zip(expected).enumerate() {
        assert_eq!(f64::from(point.intensity), *intensity, "point {index}");
        let apart = [f64::from(point.x) - x, f64::from(point.y) - y, f64::from(point.z) - z];
        worst.iter_mut().zip(apart).for_each(|(worst, apart)| *worst = apart.abs().max(*worst));
    }
    worst
}

#[test]
fn hdl64e_to_a_hundredth_of_a_millimetre() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    let expected = csv(&dir.join("veloview_csv/atwallFrame1New.csv.gz"));
    assert_eq!(expected.len(), 89_105);
    let points = frame(&dir, "opendlv_hdl64e_atwall.pcap", Some("opendlv_hdl64e_atwall_db.xml"));
    let worst = compare(&points, &expected);
    println!("HDL-64E: {worst:?} m");
    assert!(worst.iter().all(|apart| *apart < 1e-5), "{worst:?}");
}

#[test]
fn vlp16_and_hdl32e_to_two_and_a_half_centimetres() {
    let Some(dir) = testkit::data_dir("velodyne") else { return };
    for (capture, table, count) in [
        ("opendlv_vlp16_sample.pcap", "sampleVeloViewFrame1.csv.gz", 22_691),
        ("opendlv_hdl32e_sample.pcap", "sampleVeloViewFrame1New.csv.gz", 47_962),
    ] {
        let expected = csv(&dir.join("veloview_csv").join(table));
        assert_eq!(expected.len(), count);
        let worst = compare(&frame(&dir, capture, None), &expected);
        println!("{capture}: {worst:?} m");
        assert!(worst.iter().all(|apart| *apart < 0.025), "{capture}: {worst:?}");
    }
}
