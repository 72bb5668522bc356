//! Extracts packets of a Velodyne into a Koblenz log.

use std::{
    io::{Read, Seek, Write},
    slice,
};

use koblenz_log::{
    Header, Payload, VelodyneData, Writer,
    layout::{Gps, PACKET_LEN},
    velodyne_packet::{Detection, Detector, Packet, PacketClock},
};
use robolog_core::{Clock, Error, OnDamage, Result, Timestamp, slices::Part as _};

use super::{NothingToExtract, each_datagram};
use crate::{
    Datagram,
    decode::velodyne::MOST_PACKETS,
    payload::{self, velodyne},
    sensors::{Sender, Sensors},
    sequence::Recent,
};

/// The result of an extraction to a log.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct LogReport {
    /// UDP datagrams in the capture.
    pub datagrams: u64,
    /// Packets written.
    pub packets: u64,
    /// Messages written: one per turn of the head.
    pub messages: u64,
    /// Position packets, which the log cannot hold.
    pub left_out: u64,
    /// Packets captured twice, of which one was written.
    pub duplicates: u64,
    /// Packets of other heads than the first: a log holds those of one.
    pub others: u64,
}

/// The heads of a capture, of which the first is written.
#[derive(Default)]
struct Heads {
    sensors: Sensors,
    package: Vec<u8>,
    first: Option<usize>,
    recent: Recent,
}

/// A datagram for the log, or why it has none.
enum Found<'a> {
    Packet(&'a [u8; PACKET_LEN]),
    Position,
    /// A packet captured twice.
    Twice,
    /// A packet of another head.
    Other,
    Nothing,
}

impl Heads {
    fn of<'a>(&mut self, datagram: &Datagram<'a>) -> Result<Found<'a>> {
        let payload = payload::Payload::of(datagram, &mut self.package)?;
        let sender = self.sensors.of(datagram, payload, &self.package);
        Ok(match (payload, velodyne(datagram.payload)) {
            (payload::Payload::Position, _) => Found::Position,
            (payload::Payload::Velodyne, Some(packet)) => match sender {
                Some(Sender { number, .. }) if *self.first.get_or_insert(number) == number => {
                    let is_again = self.recent.repeats_payload(datagram, payload);
                    if is_again { Found::Twice } else { Found::Packet(packet) }
                }
                _ => Found::Other,
            },
            _ => Found::Nothing,
        })
    }
}

/// Writes the packets of the first Velodyne in a capture as a Koblenz log, one message per turn of the head, stamped with the
/// time of its last packet minus its delay. `open` opens the capture: it is read twice, as the index precedes the
/// messages.
///
/// Time stamp 0 is a whole second, one or two before the first packet, so that no point precedes it. A first `GPSDataM`
/// message at time stamp 0 has its date without a position, to preserve the date of the capture. A capture that begins
/// on 1970-01-01 has no date, and no such message.
pub fn to_log<R: Read, W: Write + Seek, E: From<Error> + From<NothingToExtract>>(
    open: &mut dyn FnMut() -> Result<R, E>,
    out: W,
    on_damage: OnDamage<'_>,
) -> Result<(W, LogReport), E> {
    let Some(Head { start, end, clock }) = head(open()?)? else {
        return Err(NothingToExtract::Packets("Velodyne").into());
    };
    let zero = start.saturating_sub(start.rem_euclid(SECOND)).saturating_sub(SECOND);
    let seconds = end.saturating_sub(zero).max(0) / SECOND + 1;
    let mut writer = Writer::new(out, &Header::new(u32::try_from(seconds).unwrap_or(u32::MAX)))?;
    if let Some(date) = date(zero) {
        writer.write_payload(0.0, &Payload::Gps(date))?;
    }
    let mut report = LogReport::default();
    let mut turn =
        Turn { start: zero, packets: Vec::new(), arrivals: Vec::new(), times: Vec::new(), clock, last: None };
    let mut heads = Heads::default();
    each_datagram(open()?, on_damage, &mut |datagram| {
        report.datagrams += 1;
        let packet = match heads.of(&datagram)? {
            Found::Packet(packet) => packet,
            Found::Nothing => return Ok(()),
            found => {
                report.left_out += u64::from(matches!(found, Found::Position));
                report.duplicates += u64::from(matches!(found, Found::Twice));
                report.others += u64::from(matches!(found, Found::Other));
                return Ok(());
            }
        };
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

/// Information needed from a capture before its first message.
struct Head {
    /// Capture times of the first and the last packet.
    start: i64,
    end: i64,
    /// Clock for the send times of this sensor's packets, and the duration of a packet.
    clock: Option<(PacketClock, i64)>,
}

/// Returns `None` for a capture without a Velodyne.
fn head<R: Read>(capture: R) -> Result<Option<Head>> {
    let mut span: Option<(i64, i64)> = None;
    let (mut first, mut arrivals, mut detector) = (Vec::new(), Vec::new(), Detector::default());
    let mut heads = Heads::default();
    each_datagram(capture, &mut |_, _| (), &mut |datagram| {
        if let Found::Packet(packet) = heads.of(&datagram)? {
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
        let packets = first.part(..of(first.len()));
        clock.look_ahead([(packets, arrivals.part(..of(arrivals.len())))]);
    }
    Ok(span.map(|(start, end)| Head { start, end, clock }))
}

const SECOND: i64 = 1_000_000_000;
/// Earlier captures are undated: from devices whose clock was never set.
const FIRST_DATE: i64 = 86_400 * SECOND;

/// The message with the date of time stamp 0; `None` if unknown.
fn date(zero: i64) -> Option<Gps> {
    /// GGA's number for a position entered by hand.
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

/// Nanoseconds per packet.
fn interval(sensor: &Detection) -> i64 {
    sensor.model.packet_interval(sensor.return_mode).into()
}

struct Turn {
    /// Time of time stamp 0.
    start: i64,
    packets: Vec<[u8; PACKET_LEN]>,
    arrivals: Vec<i64>,
    times: Vec<i64>,
    /// Clock for the send times of this sensor's packets, and the duration of a packet.
    clock: Option<(PacketClock, i64)>,
    /// Rotation of the last packet.
    last: Option<u16>,
}

impl Turn {
    /// Writes the packets, stamped with the time at which the last one would have arrived without delay.
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
