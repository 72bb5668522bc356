//! Writes packets and copies recordings.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what is written")]

use std::{
    io::{Seek, Write},
    mem,
    path::Path,
};

use robolog_core::{
    Error, Result, Timestamp,
    format::{CountingWriter, MergeMode, NewFile},
    layout::{Layout as _, LayoutWith as _, Packed as _, field},
    slices::{InRange as _, Part as _, length},
};

use crate::{
    CarlaRec, Header, Payload, Record, frames,
    layout::{FileHeader, FrameStart, Layout, PACKET_HEADER_LEN, PacketHeader, Width},
    learned::Learned,
    preamble::{Preamble, packet},
    rows::Rows,
    walk::packets,
};

/// Writes a recording packet by packet. [`Recorder`](crate::Recorder) writes whole frames.
///
/// ```
/// # let file = std::fs::read("examples/v0_9_15.log").unwrap();
/// use carla_rec::{Kind, Reader, Writer};
/// let reader = Reader::new(&file)?;
/// let mut writer = Writer::new(Vec::new(), reader.header())?;
/// for packet in reader.records() {
///     let packet = packet?;
///     if packet.kind() != Kind::VehicleLight {
///         writer.write(&packet)?;
///     }
/// }
/// assert!(writer.finish()?.len() < file.len());
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a recording is whole only after `finish`"]
pub struct Writer<W> {
    out: CountingWriter<W>,
}

impl Writer<NewFile> {
    /// Starts a recording in a new file, which appears at `path` when it is [finished](Self::finish). Returns an
    /// error if there is one.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::format::create(path)?, header)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a recording with this header. Returns an error if the map's name is too long.
    pub fn new(inner: W, header: &Header) -> Result<Self> {
        Self::with_header_bytes(inner, &header.to_bytes()?)
    }

    pub(crate) fn with_header_bytes(inner: W, header_bytes: &[u8]) -> Result<Self> {
        let mut out = CountingWriter::new(inner);
        out.bytes(header_bytes)?;
        Ok(Self { out })
    }

    /// Continues after `at` bytes of a recording.
    pub(crate) fn continued(inner: W, at: u64) -> Self {
        Self { out: CountingWriter::continued(inner, at) }
    }

    /// Bytes written so far: the offset of the next packet.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Copies a packet.
    pub fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.bytes(record.bytes())
    }

    /// Writes a packet with this id and body.
    pub fn packet(&mut self, id: u8, body: &[u8]) -> Result<()> {
        let Ok(size) = u32::try_from(body.len()) else {
            return Err(Error::invalid("packet size", body.len(), "at most 4 GiB", self.out.position())
                .within("carla writer"));
        };
        let mut head = Vec::with_capacity(PACKET_HEADER_LEN);
        PacketHeader { id, size }.encode(&mut head)?;
        self.bytes(&head)?;
        self.bytes(body)
    }

    /// Writes a packet of records of one size. Returns an error if there are more than 65535.
    pub fn rows<T: Layout>(&mut self, id: u8, rows: &[T], width: Width) -> Result<()> {
        self.packet(id, &body(rows, width, self.out.position())?)
    }

    /// Writes a payload from its values. `id` chooses among 21 to 24; for other kinds it is the packet's own.
    /// [`Payload::Unknown`] and records without a fixed size are written as bytes.
    pub fn write_payload(&mut self, id: u8, payload: &Payload<'_>) -> Result<()> {
        match payload {
            Payload::FrameStart(start) => {
                let mut out = Vec::new();
                start.encode(Width::F32, &mut out)?;
                self.packet(id, &out)
            }
            Payload::FrameEnd => self.packet(id, &[]),
            Payload::EventDel(rows) => self.replay(id, rows),
            Payload::EventParent(rows) => self.replay(id, rows),
            Payload::Collision(rows) => self.replay(id, rows),
            Payload::Position(rows) => self.replay(id, rows),
            Payload::State(rows) => self.replay(id, rows),
            Payload::AnimVehicle(rows) => self.replay(id, rows),
            Payload::AnimWalker(rows) => self.replay(id, rows),
            Payload::VehicleLight(rows) => self.replay(id, rows),
            Payload::SceneLight(rows) => self.replay(id, rows),
            Payload::Kinematics(rows) => self.replay(id, rows),
            Payload::BoundingBox(rows) | Payload::TriggerVolume(rows) => self.replay(id, rows),
            Payload::TrafficLightTime(rows) => self.replay(id, rows),
            Payload::VehicleDoor(rows) => self.replay(id, rows),
            Payload::AnimBiker(rows) => self.replay(id, rows),
            Payload::Weather(rows) => self.replay(id, rows),
            Payload::PlatformTime(seconds) | Payload::VisualTime(seconds) => {
                self.packet(id, &seconds.to_le_bytes())
            }
            Payload::FrameCounter(count) => self.packet(id, &count.to_le_bytes()),
            Payload::EventAdd(additions) => self.packet(id, additions.body()),
            Payload::PhysicsControl(physics) => self.packet(id, physics.body()),
            Payload::WalkerBones(walkers) => self.packet(id, walkers.body()),
            Payload::AnimVehicleWheels(vehicles) => self.packet(id, vehicles.body()),
            Payload::Unknown(body) => self.packet(id, body),
        }
    }

    /// Completes the recording and returns the target.
    pub fn finish(self) -> Result<W> {
        self.out.finish()
    }

    /// Records from their values.
    fn replay<T: Layout>(&mut self, id: u8, rows: &Rows<'_, T>) -> Result<()> {
        self.rows(id, &rows.iter().collect::<Vec<_>>(), rows.width())
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.bytes(bytes)
    }
}

/// A count, then that many records.
pub(crate) fn body<T: Layout>(rows: &[T], width: Width, at: u64) -> Result<Vec<u8>> {
    let Ok(count) = u16::try_from(rows.len()) else {
        return Err(Error::invalid("record count", rows.len(), "at most 65535", at).within(T::NAME));
    };
    let mut out = Vec::with_capacity(rows.len() * T::len(width) + u16::LEN);
    out.extend(count.to_le_bytes());
    rows.iter().try_for_each(|row| row.encode(width, &mut out))?;
    Ok(out)
}

/// Copies frames into a new recording: see [`robolog_core::format::Copier`]. Its parts are packets.
///
/// A frame is kept or left out as a whole, by its time; `keep` is asked for the channel `frames`. The first frame after
/// a gap gets the records of all existing actors, with their parents, boxes, physics and lights, so that the copy can
/// be replayed alone.
///
/// A damaged recording keeps every sample: a frame without a `FrameEnd` gets one, packets outside of frames go with the
/// previous frame, and of a packet that ends early the actors before the damage are kept. `copy` then returns an error,
/// and can continue; [`left_out`](robolog_core::format::Copier::left_out) counts the bytes missing from the copy.
///
/// ```
/// use std::io::Cursor;
///
/// use carla_rec::{Copier, robolog_core::format::Copier as _};
///
/// # let file = std::fs::read("examples/v0_9_15.log").unwrap();
/// let reader = carla_rec::Reader::new(&file)?;
/// let mut copy = Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes())?;
/// for record in reader.records() {
///     copy.copy(&record?, &mut |_channel, _time| true)?;
/// }
/// assert_eq!(copy.finish()?.into_inner(), file);
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug)]
pub struct Copier<W> {
    writer: Writer<W>,
    header: Header,
    learned: Learned,
    /// Packets from the first one that may turn out to be damaged.
    waiting: Vec<u8>,
    frame: Option<OpenFrame>,
    /// Whether the previous frame was kept: packets outside of frames go with it.
    is_kept: bool,
    preamble: Preamble,
    left_out: u64,
    /// Seconds by which the current recording began later than the first.
    later: i64,
    /// Whether another recording begins with the next frame.
    follows: bool,
}

/// The current frame.
#[derive(Debug)]
struct OpenFrame {
    offset: u64,
    /// Its packets so far, if records of earlier frames must come before them.
    held: Option<Vec<u8>>,
}

/// Maximum bytes of a frame held in memory.
const HELD: usize = 16 << 20;
/// `FrameEnd`, which has no body.
const FRAME_END: [u8; PACKET_HEADER_LEN] = [1, 0, 0, 0, 0];

impl<W: Write + Seek> robolog_core::format::Copier<W> for Copier<W> {
    type Format = CarlaRec;

    /// Returns an error if the version, date or map of the header differs from its bytes, with which the copy begins.
    /// Use a [`Writer`] for a changed header.
    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        let own = header.to_bytes()?;
        if own != header_bytes {
            let at = own.iter().zip(header_bytes).take_while(|(a, b)| a == b).count() as u64;
            return Err(Error::invalid("header", "a changed one", "that of the bytes to be copied", at)
                .within("carla rewriter"));
        }
        let writer = Writer::with_header_bytes(out, header_bytes)?;
        Ok(Self::of(writer, header.clone()))
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let mut fault = None;
        if record.id() == 0 {
            fault = robolog_core::format::Copier::unfinished(self);
            self.close_frame()?;
            let kept = keep("frames", record.time());
            let held = (kept && (self.preamble.has_news() || self.follows)).then(Vec::new);
            self.is_kept = kept;
            self.frame = Some(OpenFrame { offset: record.offset(), held });
        }
        let kept = self.is_kept;
        let outcome = match validity(record, &mut self.learned) {
            Validity::Whole => match self.moved(record) {
                Some(packet) => self.packet(&packet),
                None => self.packet(record.bytes()),
            },
            Validity::Part(packet, error) => {
                if kept {
                    let lost = record.bytes().len().minus(packet.len()) as u64;
                    self.left_out += lost;
                    fault = Some(error);
                }
                self.packet(&packet)
            }
        };
        outcome?;
        while let Some(damaged) = self.learned.fault().filter(|_| kept) {
            self.left_out += length(&damaged.lost);
            fault.get_or_insert(damaged.error());
        }
        if record.id() == 1 {
            self.end_frame()?;
        }
        fault.map_or(Ok(u64::from(kept)), Err)
    }

    fn unfinished(&self) -> Option<Error> {
        let open = self.frame.as_ref().filter(|_| self.is_kept)?;
        Some(frames::without_end(open.offset))
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }

    fn finish(mut self) -> Result<W> {
        self.close_frame()?;
        self.write_waiting()?;
        self.writer.finish()
    }

    /// Times of frames count from the start of their recording.
    fn merge_mode(_: &Header) -> MergeMode {
        MergeMode::Sequence
    }

    /// A part begins with a frame.
    fn can_part(&self, record: &Record<'_>) -> bool {
        record.id() == 0
    }

    /// The first frame of a part gets the records of all existing actors, as that of a cut does.
    fn part(mut self, out: W, header_bytes: &[u8]) -> Result<(W, Self)> {
        self.close_frame()?;
        self.write_waiting()?;
        let Self { writer, header, learned, mut preamble, left_out, .. } = self;
        preamble.begin_part();
        let next = Writer::with_header_bytes(out, header_bytes)?;
        Ok((writer.finish()?, Self { learned, preamble, left_out, ..Self::of(next, header) }))
    }

    /// Later times count from the start of the first recording. Returns an error if the version or the map differs.
    fn follow(&mut self, _: &[u8], header: &Header, _: &[u8]) -> Result<()> {
        self.close_frame()?;
        if header.version != self.header.version {
            let at = field!(FileHeader, version).at(0);
            let error = Error::invalid("version", header.version, self.header.version, at);
            return Err(error.within("carla recording"));
        }
        if header.map != self.header.map {
            let (found, expected) = (header.map_text(), self.header.map_text());
            return Err(
                Error::invalid("map", found, expected, FileHeader::LEN as u64).within("carla recording")
            );
        }
        self.later = header.date.saturating_sub(self.header.date);
        self.follows = true;
        Ok(())
    }
}

impl<W: Write> Copier<W> {
    fn of(writer: Writer<W>, header: Header) -> Self {
        let (learned, preamble) = (Learned::new(header.dialect), Preamble::default());
        let (waiting, frame) = (Vec::new(), None);
        Self {
            writer,
            header,
            learned,
            waiting,
            frame,
            is_kept: true,
            preamble,
            left_out: 0,
            later: 0,
            follows: false,
        }
    }

    /// The start of a frame of a later recording, in seconds of the first one.
    fn moved(&self, record: &Record<'_>) -> Option<Vec<u8>> {
        let start = record.frame_start().filter(|_| self.later != 0)?;
        #[expect(clippy::cast_precision_loss, reason = "seconds between two recordings")]
        let elapsed = start.elapsed + self.later as f64;
        let mut body = Vec::new();
        FrameStart { elapsed, ..start }.encode(Width::F32, &mut body).ok()?;
        let (head, old) = record.bytes().split_at_checked(PACKET_HEADER_LEN)?;
        Some([head, &body, old.part(body.len()..)].concat())
    }

    /// Writes a packet, or nothing.
    fn packet(&mut self, packet: &[u8]) -> Result<()> {
        if !self.is_kept {
            self.preamble.skip(packet, &self.learned.for_rows());
            return Ok(());
        }
        if let Some(held) = self.frame.as_mut().and_then(|frame| frame.held.as_mut()) {
            held.extend_from_slice(packet);
            return if held.len() > HELD { self.release() } else { Ok(()) };
        }
        self.preamble.absorb(packet, &self.learned.for_rows());
        self.write(packet)
    }

    /// Writes packets, or keeps them until all that go before are known to be sound.
    fn write(&mut self, packets: &[u8]) -> Result<()> {
        if self.waiting.is_empty() && !self.learned.is_puzzled() {
            return self.writer.bytes(packets);
        }
        self.waiting.extend_from_slice(packets);
        if self.learned.is_puzzled() && self.waiting.len() <= HELD { Ok(()) } else { self.write_waiting() }
    }

    /// Writes the packets that waited, without those that turned out to be damaged.
    fn write_waiting(&mut self) -> Result<()> {
        let waiting = mem::take(&mut self.waiting);
        let sound = self.sound(waiting);
        self.writer.bytes(&sound)
    }

    /// Packets without those that turned out to be damaged.
    fn sound(&self, bytes: Vec<u8>) -> Vec<u8> {
        if packets(&bytes).all(|(id, body)| self.learned.can_read(id, body)) {
            return bytes;
        }
        let sound = packets(&bytes).filter(|(id, body)| self.learned.can_read(*id, body));
        sound.flat_map(|(id, body)| packet(id, body)).collect()
    }

    /// Writes the held packets of the frame, with the records of frames that were left out.
    fn release(&mut self) -> Result<()> {
        let Some(held) = self.frame.as_mut().and_then(|frame| frame.held.take()) else { return Ok(()) };
        let (held, dialect) = (self.sound(held), &self.learned.for_rows());
        let bytes = if mem::take(&mut self.follows) {
            let offset = self.frame.as_ref().map_or(0, |frame| frame.offset);
            self.preamble.join(&held, offset, dialect)?
        } else {
            self.preamble.keep(held, dialect)
        };
        self.write(&bytes)
    }

    /// Ends the current frame, if any, unchanged.
    fn end_frame(&mut self) -> Result<()> {
        self.release()?;
        self.frame = None;
        Ok(())
    }

    /// Adds the missing end of the current frame, if any.
    fn close_frame(&mut self) -> Result<()> {
        if self.frame.is_some() {
            self.packet(&FRAME_END)?;
        }
        self.end_frame()
    }
}

/// The part of a packet that can be copied.
enum Validity {
    Whole,
    Part(Vec<u8>, Error),
}

/// A packet that cannot be read is left out; of appearing actors, those before the damage stay.
fn validity(record: &Record<'_>, learned: &mut Learned) -> Validity {
    match learned.decode(record) {
        Ok(Payload::EventAdd(additions)) => {
            let mut good = Vec::new();
            let mut count = 0_u16;
            for addition in additions {
                match addition {
                    Ok(addition) => {
                        good.extend_from_slice(addition.bytes);
                        count += 1;
                    }
                    Err(error) => {
                        let size = u32::try_from(good.len() + 2).unwrap_or(u32::MAX);
                        let head = [&[record.id()][..], &size.to_le_bytes(), &count.to_le_bytes()].concat();
                        return Validity::Part([head, good].concat(), error);
                    }
                }
            }
            Validity::Whole
        }
        Ok(_) => Validity::Whole,
        Err(error) => Validity::Part(Vec::new(), error),
    }
}
