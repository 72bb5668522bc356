//! Packets of a Velodyne out of a capture into a Koblenz log, and out of a log into a capture.

use std::{
    io::{self, Seek, Write},
    slice,
};

use etherparse::PacketBuilder;
use koblenz_log::{
    Header, KoblenzLog, Payload, VelodyneData, Writer,
    layout::{Gps, PACKET_LEN},
    velodyne_packet::{Detection, Detector, Packet, PacketClock, message_times},
};
use robolog_core::{Clock, Event, StreamReader, Timestamp};

use super::{datagrams, sensor::velodyne, velodyne::MOST_PACKETS};
use crate::{Error, Limit, Reason, Report, Result, Settings, source::Stream};

/// What a capture became.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct LogReport {
    /// UDP datagrams in the capture.
    pub datagrams: u64,
    /// Packets written.
    pub packets: u64,
    /// Messages written: one for each turn of the head.
    pub messages: u64,
    /// Position packets, for which the log has no place.
    pub left_out: u64,
    /// What was met in reading the capture: its damage, and the bytes that are lost by it.
    pub reading: Report,
}

/// Bytes of a packet with the receiver's position.
const POSITION_LEN: usize = 512;

/// Writes the packets of a Velodyne in a capture as a Koblenz log, a message for each turn of the head, stamped with the
/// time of its last packet, less its delay. `open` opens the capture anew: it is read twice, for the index stands before the messages.
///
/// Time stamp 0 is a whole second, one or two before the first packet, so that no point is before it. A first message
/// `GPSDataM` at time stamp 0 holds its date, and no position: so the date of the capture is not lost. A capture that
/// begins on 1970-01-01 has no date, and no such message.
pub fn to_log<W: Write + Seek>(open: &mut dyn FnMut() -> Result<Stream>, out: W) -> Result<(W, LogReport)> {
    let mut span: Option<(i64, i64)> = None;
    let (mut first, mut arrivals, mut detector) = (Vec::new(), Vec::new(), Detector::default());
    datagrams(open()?, &mut |datagram| {
        if let Some(packet) = velodyne(datagram.payload) {
            let start = span.map_or(datagram.time_ns, |(start, _)| start);
            span = Some((start, datagram.time_ns));
            if first.len() < MOST_PACKETS {
                detector.push(Packet::new(packet));
                first.push(*packet);
                arrivals.push(datagram.time_ns);
            }
        }
        Ok(())
    })?;
    let mut clock = detector.verdict().map(|sensor| (PacketClock::new(&sensor), interval(&sensor)));
    if let Some((clock, _)) = &mut clock {
        let ahead = clock.ahead();
        let of = |len: usize| len.min(ahead);
        let packets = first.get(..of(first.len())).unwrap_or_default();
        clock.look_ahead([(packets, arrivals.get(..of(arrivals.len())).unwrap_or_default())]);
    }
    let Some((start, end)) = span else {
        return Err(Error::Empty(Reason::NoPackets("Velodyne")));
    };
    let zero = start.saturating_sub(start.rem_euclid(SECOND)).saturating_sub(SECOND);
    let seconds = end.saturating_sub(zero).max(0).wrapping_div(SECOND).saturating_add(1);
    let mut writer = Writer::new(out, &Header::new(u32::try_from(seconds).unwrap_or(u32::MAX)))?;
    if let Some(date) = date(zero) {
        writer.write_payload(0.0, &Payload::Gps(date))?;
    }
    let mut report = LogReport::default();
    let mut turn =
        Turn { start: zero, packets: Vec::new(), arrivals: Vec::new(), times: Vec::new(), clock, last: None };
    report.reading = datagrams(open()?, &mut |datagram| {
        report.datagrams += 1;
        if datagram.payload.len() == POSITION_LEN {
            report.left_out += 1;
        }
        let Some(packet) = velodyne(datagram.payload) else { return Ok(()) };
        let rotation = Packet::new(packet).blocks().next().map(|block| block.rotation());
        let has_turned = turn.last.zip(rotation).is_some_and(|(before, now)| now < before);
        if has_turned || turn.packets.len() >= MOST_PACKETS {
            turn.write(&mut writer, &mut report)?;
        }
        turn.packets.extend_from_slice(slice::from_ref(packet));
        turn.arrivals.push(datagram.time_ns);
        turn.last = rotation;
        Ok(())
    })?;
    turn.write(&mut writer, &mut report)?;
    Ok((writer.finish()?, report))
}

const SECOND: i64 = 1_000_000_000;
/// What comes before this has no date: captures of devices whose clock was never set.
const FIRST_DATE: i64 = 86_400 * SECOND;

/// The message that says when time stamp 0 was; `None` when that is not known.
fn date(zero: i64) -> Option<Gps> {
    /// GGA's number for what was not measured but entered.
    const ENTERED: i32 = 7;
    let time = Timestamp::new(zero, Clock::Unix);
    let gps = Gps {
        warning: 1,
        quality: ENTERED,
        latitude: f64::NAN,
        longitude: f64::NAN,
        speed: f32::NAN,
        course: f32::NAN,
        hdop: f32::NAN,
        height: f32::NAN,
        geoid_separation: f32::NAN,
        vdop: f32::NAN,
        pdop: f32::NAN,
        ..Gps::default()
    };
    (zero >= FIRST_DATE).then(|| gps.at_utc(time))?
}

/// Nanoseconds that a packet takes.
fn interval(sensor: &Detection) -> i64 {
    sensor.model.packet_interval(sensor.return_mode).into()
}

struct Turn {
    /// Time stamp 0.
    start: i64,
    packets: Vec<[u8; PACKET_LEN]>,
    arrivals: Vec<i64>,
    times: Vec<i64>,
    /// When packets of this sensor were sent, and how long each takes.
    clock: Option<(PacketClock, i64)>,
    /// The rotation of the last packet.
    last: Option<u16>,
}

impl Turn {
    /// Writes the packets with the time at which the last one would have arrived without delay.
    fn write<W: Write + Seek>(&mut self, writer: &mut Writer<W>, report: &mut LogReport) -> Result<()> {
        let Some(mut time) = self.arrivals.last().copied() else { return Ok(()) };
        if let Some((clock, interval)) = &mut self.clock {
            clock.times(&self.packets, &self.arrivals, &mut self.times);
            time = self.times.last().map_or(time, |sent| sent.saturating_add(*interval));
        }
        let claimed = u32::try_from(self.packets.len()).unwrap_or(u32::MAX);
        #[expect(clippy::cast_precision_loss, reason = "the log's times are doubles")]
        let milliseconds = time.saturating_sub(self.start).max(0) as f64 / 1e6;
        let data = VelodyneData { claimed, data: self.packets.as_flattened() };
        writer.write_payload(milliseconds, &Payload::Velodyne(data))?;
        report.packets += self.packets.len() as u64;
        report.messages += 1;
        self.packets.clear();
        self.arrivals.clear();
        Ok(())
    }
}

/// Where a Velodyne sends its packets from, and to.
const SENSOR: ([u8; 6], [u8; 4]) = ([0x60, 0x76, 0x88, 0, 0, 0], [192, 168, 1, 201]);
const EVERYONE: ([u8; 6], [u8; 4]) = ([0xff; 6], [255; 4]);
const PORT: u16 = 2368;
/// Packets that are looked at to find the sensor, whose rate spreads those of a message over time.
const LOOK: usize = 64;

/// Writes the packets of a Velodyne in a Koblenz log that `limit` wants as a capture: datagrams to port 2368, as the
/// sensor sends them.
///
/// The log stamps messages, not packets: a message's last packet has its time, those before it are as much earlier as
/// their own clock says, or the sensor's rate. The date is that of the settings' epoch, else of a `GPSDataM` before the
/// first packet; without either the capture begins in 1970, some whole seconds later than the log says where packets are
/// before its time stamp 0. Fails when there is no packet, and for times that a capture cannot hold: it ends in 2106.
pub fn from_log<W: Write>(
    stream: Stream,
    settings: &Settings,
    limit: &mut Limit,
    mut out: W,
) -> Result<(W, Report)> {
    let mut reader = StreamReader::<_, KoblenzLog>::new(stream)?;
    out.write_all(&file_header())?;
    let mut report = Report { files: 1, ..Report::default() };
    let mut sensor: Option<Detection> = None;
    let mut times = Vec::new();
    let mut frame = Vec::new();
    let mut packets = 0_u64;
    let mut settings = settings.clone();
    // Whole seconds, so that the first packet is not before 1970.
    let mut later = 0;
    loop {
        let record = match reader.next_event()? {
            Event::Record(record) => record,
            Event::Damage { error, lost } => {
                report.damage(error, lost);
                continue;
            }
            Event::End => break,
        };
        report.records += 1;
        let velodyne = match record.decode() {
            Ok(Payload::Velodyne(velodyne)) => velodyne,
            Ok(Payload::Gps(gps)) if packets == 0 && settings.epoch.is_none() => {
                let zero = |time: Timestamp| {
                    gps.utc().filter(|_| gps.quality > 0)?.checked_add(time.nanos().checked_neg()?)
                };
                settings.epoch = record.time().and_then(zero);
                continue;
            }
            _ => continue,
        };
        let time = record.time().and_then(|time| settings.moved(time));
        if !record.is_valid() || !limit.wants("velodyne/points", time) {
            continue;
        }
        let found = velodyne.packets();
        if sensor.is_none() {
            sensor = Detector::detect(found.iter().take(LOOK).map(Packet::new));
        }
        let nanos = time.map_or(0, Timestamp::nanos);
        match &sensor {
            Some(sensor) => message_times(sensor, found.as_flattened(), nanos, &mut times),
            None => times = vec![nanos; found.len()],
        }
        if packets == 0 {
            let first = times.first().copied().unwrap_or_default().min(0);
            later = first.div_euclid(SECOND).saturating_mul(-SECOND);
        }
        for (packet, time) in found.iter().zip(&times) {
            write(&mut out, &mut frame, packet, time.saturating_add(later))?;
        }
        packets += found.len() as u64;
    }
    report.unjudged = limit.unjudged();
    if packets == 0 {
        return Err(Error::Empty(Reason::NoVelodyne));
    }
    report.written.insert("packet", crate::Count { samples: packets, values: packets });
    out.flush()?;
    Ok((out, report))
}

/// The header of a capture with nanoseconds and Ethernet frames.
fn file_header() -> Vec<u8> {
    let words: [u32; 6] = [0xa1b2_3c4d, 2 | 4 << 16, 0, 0, 1 << 18, 1];
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn write(out: &mut dyn Write, frame: &mut Vec<u8>, payload: &[u8], nanos: i64) -> Result<()> {
    frame.clear();
    let builder =
        PacketBuilder::ethernet2(SENSOR.0, EVERYONE.0).ipv4(SENSOR.1, EVERYONE.1, 255).udp(PORT, PORT);
    builder.write(frame, payload).map_err(io::Error::other)?;
    let Ok(second) = u32::try_from(nanos.div_euclid(SECOND)) else {
        let time = Timestamp::new(nanos, Clock::Unix);
        return Err(Error::Target(Reason::CaptureTime(time)));
    };
    let fraction = u32::try_from(nanos.rem_euclid(1_000_000_000)).unwrap_or_default();
    let len = u32::try_from(frame.len()).unwrap_or_default();
    for word in [second, fraction, len, len] {
        out.write_all(&word.to_le_bytes())?;
    }
    Ok(out.write_all(frame)?)
}
