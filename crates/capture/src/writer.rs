//! Writes captures.

use std::{
    io::{self, Write},
    path::Path,
};

use etherparse::PacketBuilder;
use koblenz_log::{
    layout::PACKET_LEN,
    velodyne_packet::{Detection, Detector, Packet, message_times},
};
use robolog_core::{
    Clock, Error, Result, Timestamp,
    format::{CountingWriter, NewFile},
};

use super::{Header, Record};

const SECOND: i64 = 1_000_000_000;

/// Writes a capture packet by packet.
///
/// ```
/// use robolog_capture::{Header, Reader, Writer, robolog_core::{Clock, Timestamp}};
/// let mut writer = Writer::new(Vec::new(), &Header::default())?;
/// writer.velodyne(&[0; 1206], Timestamp::new(1_700_000_000_000_000_000, Clock::Unix))?;
/// let file = writer.finish()?;
/// assert_eq!(Reader::new(&file)?.records().count(), 1);
/// # Ok::<(), robolog_capture::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the capture is flushed by `finish`"]
pub struct Writer<W> {
    out: CountingWriter<W>,
    header: Header,
    frame: Vec<u8>,
}

impl Writer<NewFile> {
    /// Starts a capture in a new file, which appears at `path` when it is [finished](Self::finish). Returns an
    /// error if there is one.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::format::create(path)?, header)
    }
}

/// Source and destination of a Velodyne's packets: Ethernet and IP addresses.
const SENSOR: ([u8; 6], [u8; 4]) = ([0x60, 0x76, 0x88, 0, 0, 0], [192, 168, 1, 201]);
const EVERYONE: ([u8; 6], [u8; 4]) = ([0xff; 6], [255; 4]);
const PORT: u16 = 2368;

impl<W: Write> Writer<W> {
    /// Starts a capture. For pcapng the first block is a record, so nothing is written before it.
    pub fn new(inner: W, header: &Header) -> Result<Self> {
        let mut out = CountingWriter::new(inner);
        out.bytes(&header.to_bytes())?;
        Ok(Self { out, header: header.clone(), frame: Vec::new() })
    }

    /// Bytes written so far.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Copies a record, byte for byte.
    pub fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.out.bytes(record.bytes())
    }

    /// Writes a Velodyne packet as the sensor sends it: a broadcast datagram from 192.168.1.201 to port 2368.
    ///
    /// Returns an error for times outside 1970 to 2106, which a capture cannot hold, and in a capture of pcapng or of a
    /// link type other than Ethernet.
    pub fn velodyne(&mut self, packet: &[u8; PACKET_LEN], time: Timestamp) -> Result<()> {
        let at = self.position();
        let Some((unit, 1)) = self.header.legacy else {
            return Err(Error::invalid("capture", "another", "one of pcap and Ethernet", at));
        };
        let Ok(second) = u32::try_from(time.nanos().div_euclid(SECOND)) else {
            return Err(
                Error::invalid("time of a packet", time, "one from 1970 to 2106", at).within("capture")
            );
        };
        let fraction = time.nanos().rem_euclid(SECOND).div_euclid(unit.into());
        self.frame.clear();
        let builder =
            PacketBuilder::ethernet2(SENSOR.0, EVERYONE.0).ipv4(SENSOR.1, EVERYONE.1, 255).udp(PORT, PORT);
        builder.write(&mut self.frame, packet).map_err(|e| Error::io(io::Error::other(e), at))?;
        let fraction = u32::try_from(fraction).unwrap_or(u32::MAX); // less than a second
        let len = u32::try_from(self.frame.len()).unwrap_or(u32::MAX); // a packet and its headers
        let head = [second, fraction, len, len].map(|word| self.header.order.bytes(word));
        self.out.bytes(head.as_flattened())?;
        self.out.bytes(&self.frame)
    }

    /// Completes the capture and returns the target.
    pub fn finish(self) -> Result<W> {
        self.out.finish()
    }
}

/// Number of packets used to identify the sensor, whose rate spaces those of a message.
const LOOK: usize = 64;

/// Writes the Velodyne messages of a Koblenz log as a capture.
///
/// The log stamps messages, not packets: a message's last packet has its time, those before it are earlier by their own
/// clock, or the sensor's rate. If packets of the first message are before 1970, all are shifted to later times by
/// whole seconds.
#[derive(Debug)]
pub struct TurnWriter<W> {
    writer: Writer<W>,
    sensor: Option<Detection>,
    times: Vec<i64>,
    /// Nanoseconds added to times, once a packet has been written.
    later: Option<i64>,
    packets: u64,
}

impl<W: Write> TurnWriter<W> {
    /// Starts a capture.
    pub fn new(out: W) -> Result<Self> {
        let writer = Writer::new(out, &Header::default())?;
        Ok(Self { writer, sensor: None, times: Vec::new(), later: None, packets: 0 })
    }

    /// Writes the packets of a message that ends at `nanos`, of unix time if known. Returns the errors of
    /// [`Writer::velodyne`].
    pub fn message(&mut self, packets: &[[u8; PACKET_LEN]], nanos: i64) -> Result<()> {
        if self.sensor.is_none() {
            self.sensor = Detector::detect(packets.iter().take(LOOK).map(Packet::new));
        }
        match &self.sensor {
            Some(sensor) => message_times(sensor, packets.as_flattened(), nanos, &mut self.times),
            None => self.times = vec![nanos; packets.len()],
        }
        let Some(first) = self.times.first() else { return Ok(()) };
        let later = || first.min(&0).div_euclid(SECOND).saturating_mul(-SECOND);
        let later = *self.later.get_or_insert_with(later);
        for (packet, time) in packets.iter().zip(&self.times) {
            let time = Timestamp::new(time.saturating_add(later), Clock::Unix);
            self.writer.velodyne(packet, time)?;
            self.packets += 1;
        }
        Ok(())
    }

    /// Packets written so far.
    pub fn packets(&self) -> u64 {
        self.packets
    }

    /// Completes the capture and returns the target.
    pub fn finish(self) -> Result<W> {
        self.writer.finish()
    }
}
