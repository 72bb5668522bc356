//! Frames: the packets between a `FrameStart` and its `FrameEnd`, and an index of them.

use std::{io::Read, iter::FusedIterator};

use robolog_core::{
    Error, RawRecords, Result,
    format::RawRecord,
    layout::{Layout as _, Packed as _, first},
    slices::{InRange as _, Part as _, missing, past, value_at},
};

use crate::{
    CarlaRec, Header, Payload, Reader, Record, StreamReader, World,
    format::packet_len,
    layout::{FrameStart, PACKET_HEADER_LEN, PacketHeader, Width},
    rows,
};

/// The whole frames of a recording in memory.
///
/// Skips packets outside of frames, and frames without an end. A framing error ends the iteration.
///
/// ```
/// # let file = std::fs::read("examples/v0_9_15.log").unwrap();
/// use carla_rec::{Frames, Reader};
/// let mut elapsed = Vec::new();
/// for frame in Frames::new(&Reader::new(&file)?) {
///     elapsed.push(frame?.start().elapsed); // seconds
/// }
/// assert_eq!(elapsed.len(), 4);
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug)]
pub struct Frames<'r, 'a> {
    header: &'r Header,
    input: &'a [u8],
    packets: RawRecords<'r, 'a, CarlaRec>,
}

/// A whole frame.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'r, 'a> {
    header: &'r Header,
    start: FrameStart,
    raw: RawRecord<'a>,
}

/// The packets of a [`Frame`].
#[derive(Debug, Clone)]
pub struct Packets<'r, 'a> {
    header: &'r Header,
    rest: RawRecord<'a>,
}

impl<'r, 'a> Frames<'r, 'a> {
    /// Begins at the first frame.
    pub fn new(reader: &'r Reader<'a>) -> Self {
        Self { header: reader.header(), input: reader.input(), packets: reader.raw_records() }
    }

    /// Begins at a frame of an index.
    pub fn from_entry(reader: &'r Reader<'a>, entry: &FrameEntry) -> Self {
        Self { packets: reader.raw_records_from(entry.offset), ..Self::new(reader) }
    }
}

impl<'r, 'a> Iterator for Frames<'r, 'a> {
    type Item = Result<Frame<'r, 'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut open: Option<(FrameStart, u64)> = None;
        loop {
            let raw = match self.packets.next()? {
                Ok(raw) => raw,
                Err(error) => return Some(Err(error)),
            };
            match (raw.bytes.first(), open) {
                (Some(0), _) => open = Some((frame_start(raw), raw.offset)),
                (Some(1), Some((start, offset))) => {
                    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
                    let bytes = self.input.part(place(offset)..place(raw.end()));
                    return Some(Ok(Frame { header: self.header, start, raw: RawRecord { offset, bytes } }));
                }
                _ => {}
            }
        }
    }
}

impl FusedIterator for Frames<'_, '_> {}

/// The error for a frame without a `FrameEnd`: packets may be missing.
pub(crate) fn without_end(offset: u64) -> Error {
    Error::missing("FrameEnd", offset).within("CARLA frame")
}

/// The framing guarantees a body of this length.
fn frame_start(raw: RawRecord<'_>) -> FrameStart {
    rows::read(raw.bytes.part(PACKET_HEADER_LEN..), Width::F32)
}

impl<'r, 'a> Frame<'r, 'a> {
    /// Its number and times.
    pub fn start(&self) -> FrameStart {
        self.start
    }

    /// Offset of its first packet in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All its bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// Its packets, including `FrameStart` and `FrameEnd`.
    pub fn packets(&self) -> Packets<'r, 'a> {
        Packets { header: self.header, rest: self.raw }
    }

    /// The payload of the first packet with this id.
    pub fn payload(&self, id: u8) -> Option<Result<Payload<'a>>> {
        self.packets().filter_map(Result::ok).find(|p| p.id() == id).map(|p| p.decode())
    }
}

impl<'a> Iterator for Packets<'_, 'a> {
    type Item = Result<Record<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let RawRecord { offset, bytes } = self.rest;
        let PacketHeader { size, .. } = PacketHeader::peek(bytes)?;
        let len = packet_len(usize::try_from(size).unwrap_or(usize::MAX));
        let Some((packet, rest)) = bytes.split_at_checked(len) else {
            self.rest.bytes = &[];
            return Some(Err(Error::truncated(missing(len, bytes), offset).within("frame")));
        };
        self.rest = RawRecord { offset: past(offset, len), bytes: rest };
        Some(Ok(Record::new(self.header, RawRecord { offset, bytes: packet })))
    }
}

/// Places and times of frames, found in one pass over the packet headers.
///
/// ```
/// # let file = std::fs::read("examples/v0_9_15.log").unwrap();
/// use carla_rec::{FrameIndex, Frames, Reader};
/// let reader = Reader::new(&file)?;
/// let index = FrameIndex::scan(&reader)?;
/// let entry = index.at(0.1).expect("a frame has begun by then");
/// let world = index.world(&reader, entry)?;
/// assert!(world.actors.values().any(|actor| actor.is_hero()));
/// assert!(Frames::from_entry(&reader, entry).next().is_some()); // reading goes on there
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FrameIndex {
    entries: Vec<FrameEntry>,
    /// Packets that change the [`World`].
    events: Vec<u64>,
}

/// Place of one whole frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameEntry {
    /// Frame number.
    pub frame: u64,
    /// Seconds since the start of the recording.
    pub elapsed: f64,
    /// Seconds to the next frame; -1 in the last one.
    pub duration: f64,
    /// Platform time: seconds of the computer's clock, if recorded.
    pub platform_time: Option<f64>,
    /// Visual time: seconds of the rendered scene, if recorded.
    pub visual_time: Option<f64>,
    /// Offset of its first packet.
    pub offset: u64,
    /// Bytes of all its packets.
    pub len: u64,
}

impl FrameIndex {
    /// Indexes a recording in memory. Returns an error at the first framing error.
    pub fn scan(reader: &Reader<'_>) -> Result<Self> {
        let mut index = Self::default();
        let mut open = None;
        for raw in reader.raw_records() {
            index.push(&mut open, raw?);
        }
        Ok(index)
    }

    /// Indexes a stream to its end, past any damage. Returns an error only if the stream fails.
    pub fn read(reader: &mut StreamReader<impl Read>) -> Result<Self> {
        use robolog_core::Event;
        let mut index = Self::default();
        let mut open = None;
        loop {
            match reader.next_event()? {
                Event::Record(record) => index.push(&mut open, record.raw),
                Event::Damage { .. } => open = None,
                Event::End => return Ok(index),
            }
        }
    }

    #[inline]
    fn push(&mut self, open: &mut Option<FrameEntry>, raw: RawRecord<'_>) {
        let body = raw.bytes.part(PACKET_HEADER_LEN..);
        let number = || first(body).filter(|_| body.len() == f64::LEN);
        match value_at(raw.bytes, 0) {
            0 => {
                let FrameStart { frame, duration, elapsed } = frame_start(raw);
                let (platform_time, visual_time, offset, len) = (None, None, raw.offset, 0);
                *open =
                    Some(FrameEntry { frame, elapsed, duration, platform_time, visual_time, offset, len });
            }
            1 => {
                if let Some(entry) = open.take() {
                    self.entries.push(FrameEntry { len: raw.end().minus(entry.offset), ..entry });
                }
            }
            14 => open.iter_mut().for_each(|entry| entry.platform_time = number()),
            20 => open.iter_mut().for_each(|entry| entry.visual_time = number()),
            id if World::is_event(id) && first::<u16>(body) != Some(0) => self.events.push(raw.offset),
            _ => {}
        }
    }

    /// All frames, in file order.
    pub fn entries(&self) -> &[FrameEntry] {
        &self.entries
    }

    /// The first frame with this number.
    pub fn frame(&self, number: u64) -> Option<&FrameEntry> {
        // Frame numbers run from 1 in every real recording.
        let place = number.checked_sub(1).and_then(|i| usize::try_from(i).ok());
        let guess = place.and_then(|i| self.entries.get(i));
        guess.filter(|e| e.frame == number).or_else(|| self.entries.iter().find(|e| e.frame == number))
    }

    /// The frame at `elapsed` seconds: the last one that has begun.
    pub fn at(&self, elapsed: f64) -> Option<&FrameEntry> {
        let begun = self.entries.partition_point(|entry| entry.elapsed <= elapsed);
        self.entries.get(begun.checked_sub(1)?)
    }

    /// The world at the end of a frame: actors, parents, lights, doors, weather.
    ///
    /// Reads only packets that change something. Returns an error if one of them cannot be read.
    pub fn world(&self, reader: &Reader<'_>, entry: &FrameEntry) -> Result<World> {
        let mut world = World::new(reader.header());
        let end = entry.offset.saturating_add(entry.len);
        let mut frames = self.entries.iter().peekable();
        for at in self.events.iter().take_while(|at| **at < end) {
            while let Some(frame) = frames.next_if(|frame| frame.offset <= *at) {
                world.frame = Some(frame.start());
            }
            if let Some(record) = reader.records_from(*at).next() {
                world.apply(&record?)?;
            }
        }
        world.frame = Some(entry.start());
        Ok(world)
    }
}

impl FrameEntry {
    /// The frame as its `FrameStart` gives it.
    pub fn start(&self) -> FrameStart {
        FrameStart { frame: self.frame, duration: self.duration, elapsed: self.elapsed }
    }
}
