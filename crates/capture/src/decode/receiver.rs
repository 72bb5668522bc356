//! Position packets of a Velodyne: the data of its satellite receiver.

use std::sync::Arc;

use koblenz_log::velodyne_packet::{Inertial, PositionPacket, Pps};
use robolog_core::{
    Clock, Columns as _, Error, Imu, Result, Sample, Timestamp, Value, format::Decoder as _, text::Escaped,
};
use robolog_nmea::Reader;

robolog_core::row! {
    /// The receiver's and the sensor's clock at one time.
    struct Clocks {
        utc: Option<i64> ["ns"],
        past_hour: i64 ["us"],
        pps: Option<String>,
    }
}

robolog_core::row! {
    /// What the boards of an HDL-32E measure.
    struct Boards {
        gyro_1: f64 ["rad/s"],
        gyro_2: f64 ["rad/s"],
        gyro_3: f64 ["rad/s"],
        acceleration_1x: f64 ["m/s^2"],
        acceleration_1y: f64 ["m/s^2"],
        acceleration_2x: f64 ["m/s^2"],
        acceleration_2y: f64 ["m/s^2"],
        acceleration_3x: f64 ["m/s^2"],
        acceleration_3y: f64 ["m/s^2"],
        temperature_1: f64 ["degC"],
        temperature_2: f64 ["degC"],
        temperature_3: f64 ["degC"],
    }
}

/// Makes samples from the position packets of one sensor. The sensor repeats a sentence in every packet until the next
/// one comes.
#[derive(Debug, Default)]
pub(super) struct Receiver {
    last: Vec<u8>,
}

impl Receiver {
    /// Processes a packet captured at `time_ns`, in the record at `offset`. Returns an error if the sentence is
    /// damaged.
    pub(super) fn take(
        &mut self,
        payload: &[u8],
        sensor: &str,
        (time_ns, offset): (i64, u64),
        sink: &mut dyn FnMut(&mut Sample) -> Result<()>,
    ) -> Result<()> {
        let packet = PositionPacket::parse(payload, offset)?;
        let sentence = packet.nmea();
        let is_new = !sentence.is_empty() && self.last.strip_suffix(b"\n") != Some(sentence);
        if let Some(damage) = is_new.then(|| damage_of(sentence, offset)).flatten() {
            return Err(damage);
        }
        let time = Some(Timestamp::new(time_ns, Clock::Unix));
        let mut send = |frame: &Arc<str>, name: &str, value: Value| {
            let sample = Sample::new(format!("{frame}/{name}"), value).with_time(time);
            sink(&mut sample.with_frame(Arc::clone(frame)).with_offset(offset))
        };
        if let Some(inertial) = packet.inertial() {
            let frame: Arc<str> = sensor.into();
            send(&frame, "imu", imu(&inertial))?;
            send(&frame, "imu/boards", Value::Row(boards(&inertial).into_row()))?;
        }
        if !is_new {
            return Ok(());
        }
        self.last = [sentence, b"\n"].concat();
        let frame: Arc<str> = format!("{sensor}/gps").into();
        let reader = Reader::new(&self.last).map_err(|_| damaged(sentence, offset))?;
        let mut decoder = robolog_nmea::Decoder::new(reader.header(), robolog_nmea::Options::default());
        let mut utc = None;
        let mut fixes = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|_| damaged(sentence, offset))?;
            utc = utc.or(record.time().filter(|time| time.clock() == Clock::Unix));
            decoder.samples::<Error>(&record, &mut |sample| {
                keep(&mut fixes, sample);
                Ok(())
            })?;
        }
        decoder.last_samples::<Error>(&mut |sample| {
            keep(&mut fixes, sample);
            Ok(())
        })?;
        for fix in fixes {
            send(&frame, "fix", fix)?;
        }
        let utc = utc.map(Timestamp::nanos);
        let (past_hour, pps) = (packet.clock().into(), packet.pps().map(|pps| pulse(pps).to_owned()));
        send(&frame, "time", Value::Row(Clocks { utc, past_hour, pps }.into_row()))
    }
}

/// The measurement along the head's axes.
fn imu(inertial: &Inertial) -> Value {
    let (rates, accelerations) = inertial.axes();
    Value::Imu(Imu::from_g(rates.map(f32::to_radians), accelerations))
}

/// The measurements of each board.
fn boards(inertial: &Inertial) -> Boards {
    let rate = |degrees: f32| f64::from(degrees).to_radians();
    let acceleration = |g: f32| f64::from(g) * Imu::STANDARD_GRAVITY;
    let ([gyro_1, gyro_2, gyro_3], [t1, t2, t3]) = (inertial.angular_rate, inertial.celsius);
    let ([x1, x2, x3], [y1, y2, y3]) = (inertial.acceleration_x, inertial.acceleration_y);
    Boards {
        gyro_1: rate(gyro_1),
        gyro_2: rate(gyro_2),
        gyro_3: rate(gyro_3),
        acceleration_1x: acceleration(x1),
        acceleration_1y: acceleration(y1),
        acceleration_2x: acceleration(x2),
        acceleration_2y: acceleration(y2),
        acceleration_3x: acceleration(x3),
        acceleration_3y: acceleration(y3),
        temperature_1: t1.into(),
        temperature_2: t2.into(),
        temperature_3: t3.into(),
    }
}

fn keep(fixes: &mut Vec<Value>, sample: &mut Sample) {
    if let Value::GnssFix(_) = sample.value {
        fixes.push(sample.value.take());
    }
}

/// The state of the pulse per second.
const fn pulse(pps: Pps) -> &'static str {
    match pps {
        Pps::Absent => "absent",
        Pps::Synchronizing => "synchronizing",
        Pps::Locked => "locked",
        Pps::Error => "error",
    }
}

/// The channel of most of a position packet's content.
pub(crate) fn main_channel(payload: &[u8]) -> &'static str {
    let packet = PositionPacket::parse(payload, 0);
    let is_inertial = packet.is_ok_and(|packet| packet.nmea().is_empty() && packet.inertial().is_some());
    if is_inertial { "imu" } else { "gps/fix" }
}

/// The fault in the sentence of a position packet in the record at `offset`, if any.
pub(crate) fn damage(payload: &[u8], offset: u64) -> Option<Error> {
    match PositionPacket::parse(payload, offset) {
        Ok(packet) => {
            Some(packet.nmea()).filter(|text| !text.is_empty()).and_then(|text| damage_of(text, offset))
        }
        Err(error) => Some(error),
    }
}

/// The fault in the sentence itself, if any.
fn damage_of(sentence: &[u8], offset: u64) -> Option<Error> {
    let line = [sentence, b"\n"].concat();
    let is_whole = Reader::new(&line).is_ok_and(|reader| {
        reader.records().all(|record| record.is_ok_and(|record| record.damage().is_none()))
    });
    (!is_whole).then(|| damaged(sentence, offset))
}

fn damaged(sentence: &[u8], offset: u64) -> Error {
    let found = Escaped(sentence).to_string();
    Error::invalid("sentence of a position packet", found, "one with a right checksum", offset)
        .within("capture")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packet(past_hour: u32, pps: u8, sentence: &str) -> Vec<u8> {
        let mut packet = vec![0; 512];
        packet[198..202].copy_from_slice(&past_hour.to_le_bytes());
        packet[202] = pps;
        packet[206..][..sentence.len()].copy_from_slice(sentence.as_bytes());
        packet
    }

    fn samples(packets: &[Vec<u8>]) -> Result<Vec<Sample>> {
        let mut receiver = Receiver::default();
        let mut samples = Vec::new();
        let places = (0..).step_by(5_000_000).zip((0..).step_by(570));
        for (packet, place) in packets.iter().zip(places) {
            receiver.take(packet, "10.0.0.7", place, &mut |sample| {
                samples.push(sample.take());
                Ok(())
            })?;
        }
        Ok(samples)
    }

    /// From the capture of a VLP-16.
    const RMC: &str = "$GPRMC,214106,A,3707.8178,N,12139.2690,W,010.3,188.2,230715,013.8,E,D*05\r\n";

    #[test]
    fn a_sentence_is_a_fix_and_the_clocks_once() {
        let next = "$GPRMC,214107,V,,,,,,,230715,,,N*";
        let sum = next[1..next.len() - 1].bytes().fold(0, |sum, byte| sum ^ byte);
        let next = format!("{next}{sum:02X}\r\n");
        let packets = [packet(5, 2, RMC), packet(6, 2, RMC), packet(7, 0, ""), packet(8, 1, &next)];
        let samples = samples(&packets).unwrap();
        let channels: Vec<_> = samples.iter().map(|sample| &*sample.channel).collect();
        assert_eq!(channels, ["10.0.0.7/gps/fix", "10.0.0.7/gps/time", "10.0.0.7/gps/time"]);
        let Value::GnssFix(fix) = &samples[0].value else { panic!("{samples:?}") };
        assert!((fix.latitude - 37.130_297).abs() < 1e-6 && (fix.longitude + 121.654_483).abs() < 1e-6);
        assert!((fix.speed.unwrap() - 10.3 * 1852.0 / 3600.0).abs() < 1e-9);
        let Value::Row(row) = &samples[1].value else { panic!("{samples:?}") };
        // 2015-07-23T21:41:06Z
        assert_eq!(row.cells, [1_437_687_666_000_000_000_i64.into(), 5_i64.into(), "locked".into()]);
        let Value::Row(row) = &samples[2].value else { panic!("{samples:?}") };
        assert_eq!(row.cells[1..], [8_i64.into(), "synchronizing".into()]);
        assert_eq!((samples[2].offset, samples[2].time.unwrap().nanos()), (3 * 570, 15_000_000));
    }

    #[test]
    fn a_damaged_sentence_is_an_error_with_its_place() {
        let error = samples(&[packet(0, 0, ""), packet(5, 2, &RMC.replace("37", "38"))]).unwrap_err();
        assert_eq!(error.offset(), 570);
        assert!(samples(&[packet(0, 0, "")]).unwrap().is_empty() && samples(&[vec![0; 200]]).is_err());
    }
}
