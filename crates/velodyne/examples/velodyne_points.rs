//! `velodyne_points FILE [PROFILE [CALIBRATION]] > OUT`: decodes a file of consecutive packets, 1206 bytes each, and
//! writes each point as six little-endian numbers: x, y, z in metres, intensity, ring, and seconds since the first.
//!
//! PROFILE is one of `veloview`, `two-point`, `simple5`, `ros`, `velodyne-decoder`. Without a calibration file, uses
//! the calibration in the status stream of the packets, or else the built-in one, whose name is printed on standard
//! error. With `--rate` instead: decodes the file for one second and prints packets per second.

#![allow(clippy::print_stderr, reason = "a program that tells what it does")]

use std::{
    error::Error,
    fs,
    io::{self, BufWriter, Write as _},
    time::{Duration, Instant},
};

use velodyne_packet::{
    Calibration, Decoder, Detector, DualReturns, Options, Points, Profile, StatusStream, packets,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let rate = arguments.iter().position(|a| a == "--rate").map(|at| arguments.remove(at)).is_some();
    let usage = "usage: velodyne_points FILE [PROFILE [CALIBRATION]] [--rate]";
    let bytes = fs::read(arguments.first().ok_or(usage)?)?;
    let profile = arguments.get(1).map_or(Some(Profile::default()), |name| name.parse().ok()).ok_or(usage)?;

    let sensor = Detector::detect(packets(&bytes)).ok_or("the sensor of these packets is unknown")?;
    let mut stream = StatusStream::default();
    for packet in packets(&bytes) {
        stream.push(packet);
    }
    let calibration = match (arguments.get(2), stream.calibration()) {
        (Some(path), _) => Calibration::parse(&fs::read_to_string(path)?, path)?,
        (None, Some(own)) => own.clone(),
        (None, None) => Calibration::built_in(sensor.model),
    };
    eprintln!("{sensor}; {}", calibration.label);

    let mut options = Options::default().with_profile(profile);
    if profile == Profile::VelodyneDecoder {
        // Like that package.
        options = options.with_dual_returns(DualReturns::Merged).with_range(0.1, 200.0);
    }
    let mut points = Points::new();
    let mut decoder = Decoder::new(&sensor, &calibration, options);
    let interval = i64::from(sensor.model.packet_interval(sensor.return_mode));
    let mut decode = |points: &mut Points| {
        let mut time = 0_i64;
        for (packet, number) in packets(&bytes).zip(1_u32..) {
            if rate && number.is_multiple_of(350) {
                points.clear();
            }
            decoder.decode(packet, time, points);
            time = time.saturating_add(interval);
        }
    };
    decode(&mut points);
    if rate {
        let (start, mut rounds) = (Instant::now(), 0_u32);
        while start.elapsed() < Duration::from_secs(1) {
            points.clear();
            decode(&mut points);
            rounds = rounds.saturating_add(1);
        }
        let rate = f64::from(rounds) * f64::from(u32::try_from(packets(&bytes).len())?)
            / start.elapsed().as_secs_f64();
        writeln!(io::stdout(), "{rate:.0}")?;
        return Ok(());
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for point in points.iter() {
        let seconds = f64::from(point.time_offset) / 1e9;
        #[expect(clippy::cast_possible_truncation, reason = "enough for a scan")]
        let numbers = [point.x, point.y, point.z, point.intensity, f32::from(point.ring), seconds as f32];
        for number in numbers {
            out.write_all(&number.to_le_bytes())?;
        }
    }
    out.flush()?;
    Ok(())
}
