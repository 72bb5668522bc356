//! `velodyne_info FILE`: identifies the sensor of a file of consecutive packets, 1206 bytes each.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::{error::Error, fs};

use velodyne_packet::{Calibration, Decoder, Detector, Options, ScanSplitter, StatusStream, packets};

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = fs::read(std::env::args_os().nth(1).ok_or("usage: velodyne_info FILE")?)?;
    let sensor = Detector::detect(packets(&bytes)).ok_or("the sensor of these packets is unknown")?;
    println!("{sensor}");
    for evidence in &sensor.evidence {
        println!("  {evidence}");
    }
    let mut stream = StatusStream::default();
    for packet in packets(&bytes) {
        stream.push(packet);
    }
    if let Some(time) = stream.time() {
        println!("the sensor's time: {time}");
    }
    let calibration = stream.calibration().cloned().unwrap_or_else(|| Calibration::built_in(sensor.model));
    println!("calibration: {}", calibration.label);

    let interval = i64::from(sensor.model.packet_interval(sensor.return_mode));
    let mut scans = ScanSplitter::new(Decoder::new(&sensor, &calibration, Options::default()));
    let mut time = 0_i64;
    for packet in packets(&bytes) {
        scans.push(packet, time, |points| println!("scan of {} points", points.len()));
        time = time.saturating_add(interval);
    }
    scans.finish(|points| println!("{} points of a scan that was not ended", points.len()));
    Ok(())
}
