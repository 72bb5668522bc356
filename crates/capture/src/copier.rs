//! Copies captures, packet by packet.

use std::io::{Seek, Write};

use robolog_core::{
    Clock, Error, ErrorKind, Result, Timestamp,
    format::{CountingWriter, MergeMode},
};

use super::{
    Capture, Header, Record, datagram::Dissector, decode::receiver, payload::Payload, sensors::Sensors,
};

/// Copies the packets of a capture, byte for byte: see [`robolog_core::format::Copier`].
///
/// Packets of a LiDAR belong to its channels, `ADDRESS/points`, `ADDRESS/imu` and, for positions, `ADDRESS/gps/fix`, or
/// `ADDRESS/imu` if they have measurements and no sentence; other datagrams to `ADDRESS/other`, and everything else to `other`. Blocks of pcapng that are not packets are always
/// kept. If a section of pcapng with a known length loses a block, its length is marked as unknown.
#[derive(Debug)]
#[must_use = "the capture is flushed by `finish`"]
pub struct Copier<W> {
    out: CountingWriter<W>,
    dissector: Dissector,
    sensors: Sensors,
    package: Vec<u8>,
    /// Offset of the next record if nothing is left out.
    next: u64,
    /// Offset of the section length in the output, while it is valid.
    section: Option<u64>,
    left_out: u64,
    head: Head,
    /// The initial section of pcapng, until a block is copied.
    lacking: Option<Vec<u8>>,
}

/// The section and the interfaces of pcapng that packets refer to.
#[derive(Debug, Default)]
struct Head {
    blocks: Vec<Vec<u8>>,
    bytes: usize,
    /// Number of them with which another recording has begun so far.
    restated: Option<usize>,
}

/// Maximum bytes repeated before the packets of a part.
const MOST_HEAD: usize = 4 << 20;

/// Offset of the length in a section block: after type, length, byte order and version.
const SECTION_LENGTH: u64 = SECTION_FIELD as u64;
const SECTION_FIELD: usize = 16;

impl<W: Write + Seek> robolog_core::format::Copier<W> for Copier<W> {
    type Format = Capture;

    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        Ok(Self { lacking: header.section(), ..Self::begin(out, header_bytes)? })
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        if record.offset() != self.next {
            self.lose()?;
        }
        self.next = record.end();
        let packet = match self.dissector.packet(record) {
            Ok(packet) => packet,
            Err(error) => {
                self.left_out += record.bytes().len() as u64;
                self.lose()?;
                return Err(error);
            }
        };
        if self.head.restates(record) {
            return Ok(0);
        }
        if let Some(section) = self.lacking.take().filter(|_| !record.is_section()) {
            // The capture's own section is damaged, and without one the copy would not be a capture.
            self.out.bytes(&section)?;
            self.head.add(section);
        }
        self.restate_no_more(record)?;
        let Some((time_ns, datagram)) = packet else {
            if record.is_section() {
                self.section = Some(self.out.position() + SECTION_LENGTH);
            }
            self.head.push(record);
            return self.out.bytes(record.bytes()).map(|()| 0);
        };
        let channel = match &datagram {
            None => "other".to_owned(),
            Some(datagram) => {
                let payload = Payload::of(datagram, &mut self.package)?;
                // A copy would have the same fault: the decoder cannot deliver a damaged sentence.
                if payload == Payload::Position
                    && let Some(damage) = receiver::damage(datagram.payload, record.offset())
                {
                    self.left_out += record.bytes().len() as u64;
                    self.lose()?;
                    return Err(damage);
                }
                match (self.sensors.of(datagram, payload, &self.package), payload) {
                    (Some(sender), Payload::Imu(_)) => format!("{}/imu", sender.name),
                    (Some(sender), Payload::Position) => {
                        format!("{}/{}", sender.name, receiver::main_channel(datagram.payload))
                    }
                    (Some(sender), _) => format!("{}/points", sender.name),
                    (None, _) => format!("{}/other", datagram.source),
                }
            }
        };
        if keep(&channel, Some(Timestamp::new(time_ns, Clock::Unix))) {
            return self.out.bytes(record.bytes()).map(|()| 1);
        }
        self.lose()?;
        Ok(0)
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }

    fn finish(self) -> Result<W> {
        self.out.finish()
    }

    /// Sections of pcapng follow each other.
    fn merge_mode(header: &Header) -> MergeMode {
        if header.is_pcapng() { MergeMode::Sequence } else { MergeMode::Time }
    }

    fn time_of(&mut self, record: &Record<'_>) -> Option<Timestamp> {
        if !record.is_packet() {
            return None;
        }
        let (time_ns, _) = self.dissector.packet(record).ok().flatten()?;
        Some(Timestamp::new(time_ns, Clock::Unix))
    }

    /// At any packet.
    fn can_part(&self, record: &Record<'_>) -> bool {
        record.is_packet()
    }

    /// Returns an error if the section describes more interfaces than any computer has.
    fn part(mut self, out: W, header_bytes: &[u8]) -> Result<(W, Self)> {
        if self.head.bytes > MOST_HEAD {
            let (len, limit) = (self.head.bytes as u64, MOST_HEAD as u64);
            let kind = ErrorKind::Limit { what: "description of interfaces", len, limit };
            return Err(Error::new(kind, self.next).within("capture"));
        }
        self.lose()?;
        let mut next = Self::begin(out, header_bytes)?;
        let at = next.out.position();
        for block in &self.head.blocks {
            next.out.bytes(block)?;
        }
        if !self.head.blocks.is_empty() {
            next.section = Some(at + SECTION_LENGTH);
            next.lose()?;
        }
        next.head = std::mem::take(&mut self.head);
        next.dissector = std::mem::take(&mut self.dissector);
        next.sensors = std::mem::take(&mut self.sensors);
        next.next = self.next;
        next.left_out = self.left_out;
        Ok((self.out.finish()?, next))
    }

    /// Returns an error if a pcap capture has another time unit, byte order or link type.
    fn follow(&mut self, first: &[u8], header: &Header, header_bytes: &[u8]) -> Result<()> {
        // The maximum packet length does not affect reading.
        let reads = |bytes: &[u8]| Some((bytes.get(..8)?.to_vec(), bytes.get(20..24)?.to_vec()));
        if !header.is_pcapng() && reads(first) != reads(header_bytes) {
            let expected = "the byte order, unit of time and link type of the first one";
            return Err(Error::invalid("capture", "another", expected, 0).within("capture"));
        }
        self.next = header_bytes.len() as u64;
        self.lose()?;
        self.head.restated = (!self.head.blocks.is_empty()).then_some(0);
        Ok(())
    }
}

impl Head {
    /// Registers a block that is not a packet.
    fn push(&mut self, record: &Record<'_>) {
        if record.is_section() {
            self.blocks.clear();
            self.bytes = 0;
        } else if !record.is_interface() {
            return;
        }
        self.add(record.bytes().to_vec());
    }

    fn add(&mut self, block: Vec<u8>) {
        self.bytes += block.len();
        if self.bytes <= MOST_HEAD {
            self.blocks.push(block);
        }
    }

    /// Whether a block repeats one of the section.
    fn restates(&mut self, record: &Record<'_>) -> bool {
        let Some(at) = self.restated else { return false };
        // The length of the section may differ.
        let same = |known: &[u8], block: &[u8]| {
            let length = SECTION_FIELD..SECTION_FIELD + 8;
            known == block
                || record.is_section()
                    && known.len() == block.len()
                    && known.get(..length.start) == block.get(..length.start)
                    && known.get(length.end..) == block.get(length.end..)
        };
        let is_same = self.blocks.get(at).is_some_and(|known| same(known, record.bytes()));
        if is_same {
            self.restated = Some(at + 1);
        }
        is_same
    }
}

impl<W: Write + Seek> Copier<W> {
    fn begin(out: W, header_bytes: &[u8]) -> Result<Self> {
        let mut out = CountingWriter::new(out);
        out.bytes(header_bytes)?;
        let next = out.position();
        let (dissector, sensors, head) = (Dissector::default(), Sensors::default(), Head::default());
        Ok(Self {
            out,
            dissector,
            sensors,
            package: Vec::new(),
            next,
            section: None,
            left_out: 0,
            head,
            lacking: None,
        })
    }

    /// The other recording has its own section after all: writes the blocks taken for repetitions.
    fn restate_no_more(&mut self, record: &Record<'_>) -> Result<()> {
        let Some(at) = self.head.restated.take() else { return Ok(()) };
        if at == 0 || at == self.head.blocks.len() && record.is_packet() {
            return Ok(());
        }
        self.head.blocks.truncate(at);
        self.head.bytes = self.head.blocks.iter().map(Vec::len).sum();
        self.section = Some(self.out.position() + SECTION_LENGTH);
        for block in &self.head.blocks {
            self.out.bytes(block)?;
        }
        self.lose()
    }

    /// The section is now shorter than its stated length.
    fn lose(&mut self) -> Result<()> {
        match self.section.take() {
            // All bits set: unknown.
            Some(at) => self.out.replace(at, &[0xff; 8]),
            None => Ok(()),
        }
    }
}
