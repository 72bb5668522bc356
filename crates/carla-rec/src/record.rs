//! A packet: the smallest unit that can be skipped.

use robolog_core::{
    Result, Timestamp,
    format::{RawRecord, Timed},
    layout::first,
    slices::{Part as _, past, value_at},
};

use crate::{
    Dialect, Header, Kind, Payload,
    layout::{FrameStart, PACKET_HEADER_LEN},
};

/// A packet of the recording.
///
/// ```
/// use carla_rec::robolog_core::format::Timed as _;
///
/// # let file = std::fs::read("examples/v0_9_15.log").unwrap();
/// let reader = carla_rec::Reader::new(&file)?;
/// for record in reader.records() {
///     let record = record?;
///     println!("byte {}: {:?}", record.offset(), record.time());
/// }
/// # assert_eq!(reader.records().count(), 77);
/// # Ok::<(), carla_rec::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub(crate) raw: RawRecord<'a>,
    date: i64,
    dialect: Dialect,
}

impl<'a> Record<'a> {
    pub(crate) fn new(header: &Header, raw: RawRecord<'a>) -> Self {
        Self { raw, date: header.date, dialect: header.dialect }
    }

    /// Offset of the packet in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes of the packet, including its header.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// Packet id.
    pub fn id(&self) -> u8 {
        value_at(self.raw.bytes, 0)
    }

    /// Kind of packet. Ids 21 to 24 changed their meaning: for these the body decides.
    pub fn kind(&self) -> Kind {
        Kind::of(self.id(), self.body(), &self.dialect)
    }

    /// Bytes after the packet header.
    pub fn body(&self) -> &'a [u8] {
        self.raw.bytes.part(PACKET_HEADER_LEN..)
    }

    /// Whether it claims to hold records, for packets that begin with a count.
    pub(crate) fn has_records(&self) -> bool {
        first::<u16>(self.body()).is_some_and(|count| count > 0)
    }

    /// Offset of the body.
    pub fn body_offset(&self) -> u64 {
        past(self.raw.offset, PACKET_HEADER_LEN)
    }

    /// Reads the payload. Returns an error if the records do not fill the body; unknown packets never fail.
    pub fn decode(&self) -> Result<Payload<'a>> {
        Payload::parse(self.kind(), self.body(), &self.dialect, self.body_offset())
    }

    /// The start of a frame, if it is a `FrameStart`.
    pub fn frame_start(&self) -> Option<FrameStart> {
        if self.id() != 0 {
            return None;
        }
        match self.decode() {
            Ok(Payload::FrameStart(start)) => Some(start),
            _ => None,
        }
    }

    /// Time of a `FrameStart`: the header's date plus the elapsed seconds. Other packets have no time.
    pub fn time(&self) -> Option<Timestamp> {
        let start = self.frame_start()?;
        let date = Timestamp::new(self.date.checked_mul(1_000_000_000)?, robolog_core::Clock::Unix);
        date.checked_add(Timestamp::from_secs(start.elapsed, robolog_core::Clock::Relative)?.nanos())
    }
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        Record::time(self)
    }

    fn frame(&self) -> Option<u64> {
        self.frame_start().map(|start| start.frame)
    }
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record")
            .field("offset", &self.offset())
            .field("id", &self.id())
            .field("payload", &self.decode())
            .finish()
    }
}
