//! The chunk of an MCAP file: records in one buffer, which is compressed a piece at a time.

use std::{io::Write, mem};

use crc32fast::Hasher;

use super::{
    packer::Packer,
    record::{Fields, Op, head},
};
use crate::Result;

/// Records are compressed once there are this many bytes, which fit in a processor's cache: each call costs as much as
/// the compression of some hundred bytes.
const PIECE: usize = 128 << 10;

/// Places in the index of a topic whose memory is kept for the next chunk.
const KEPT: usize = 32;

/// Bytes of a message's fields before its data.
const MESSAGE: usize = 22;

/// An open chunk. Its memory is reused by the next.
pub(super) struct Chunk {
    packer: Packer,
    /// Records not yet compressed.
    records: Vec<u8>,
    /// Number and check sum of the bytes before `records`.
    packed: u64,
    crc: Hasher,
    span: Option<(u64, u64)>,
    /// Times and offsets of messages, by topic.
    places: Vec<Vec<(u64, u64)>>,
    /// Topics with messages.
    topics: Vec<u16>,
}

/// A complete chunk.
pub(super) struct Packed {
    /// Times of the earliest and the latest message.
    pub(super) span: (u64, u64),
    /// Bytes before compression.
    pub(super) size: u64,
    pub(super) crc: u32,
    /// Name of the compression.
    pub(super) compression: &'static str,
    /// Compressed bytes; none if they were passed on.
    pub(super) data: Vec<u8>,
    /// Message indexes by topic: records.
    pub(super) indexes: Vec<(u16, Vec<u8>)>,
}

impl Chunk {
    pub(super) fn new(packer: Packer) -> Self {
        Self {
            packer,
            records: Vec::new(),
            packed: 0,
            crc: Hasher::new(),
            span: None,
            places: Vec::new(),
            topics: Vec::new(),
        }
    }

    /// Bytes before compression.
    pub(super) fn size(&self) -> u64 {
        self.packed.saturating_add(self.records.len() as u64)
    }

    /// Whether bytes are passed on as they come, not compressed.
    pub(super) fn is_passed_on(&self) -> bool {
        matches!(self.packer, Packer::None)
    }

    /// Appends a record of a schema or topic.
    pub(super) fn push(&mut self, record: &[u8], out: &mut dyn Write) -> Result<()> {
        self.records.extend_from_slice(record);
        self.pack(PIECE, out)
    }

    pub(super) fn put(
        &mut self,
        (topic, sequence, time): (u16, u32, u64),
        message: &[u8],
        out: &mut dyn Write,
    ) -> Result<()> {
        let place = (time, self.size());
        self.note(topic, place);
        let records = &mut self.records;
        head(Op::Message, MESSAGE + message.len(), records);
        records.extend_from_slice(&topic.to_le_bytes());
        records.extend_from_slice(&sequence.to_le_bytes());
        records.extend_from_slice(&time.to_le_bytes());
        records.extend_from_slice(&time.to_le_bytes());
        if message.len() < PIECE {
            records.extend_from_slice(message);
            return self.pack(PIECE, out);
        }
        // A long message is not copied.
        self.pack(0, out)?;
        self.pack_bytes(message, out)
    }

    /// Adds a message to the index.
    fn note(&mut self, topic: u16, (time, offset): (u64, u64)) {
        let (first, last) = self.span.get_or_insert((time, time));
        (*first, *last) = ((*first).min(time), (*last).max(time));
        let at = usize::from(topic);
        if at >= self.places.len() {
            self.places.resize_with(at + 1, Vec::new);
        }
        if let Some(places) = self.places.get_mut(at) {
            if places.is_empty() {
                self.topics.push(topic);
            }
            places.push((time, offset));
        }
    }

    /// Compresses the records if they have at least `least` bytes.
    fn pack(&mut self, least: usize, out: &mut dyn Write) -> Result<()> {
        if self.records.len() < least {
            return Ok(());
        }
        let mut records = mem::take(&mut self.records);
        let outcome = self.pack_bytes(&records, out);
        records.clear();
        self.records = records;
        outcome
    }

    fn pack_bytes(&mut self, bytes: &[u8], out: &mut dyn Write) -> Result<()> {
        self.crc.update(bytes);
        self.packed += bytes.len() as u64;
        self.packer.push(bytes, out)
    }

    /// Completes the chunk and begins the next; `None` if nothing is in it.
    pub(super) fn finish(&mut self, out: &mut dyn Write) -> Result<Option<Packed>> {
        if self.size() == 0 {
            return Ok(None);
        }
        self.pack(0, out)?;
        Ok(Some(Packed {
            span: self.span.take().unwrap_or_default(),
            size: mem::take(&mut self.packed),
            crc: mem::take(&mut self.crc).finalize(),
            compression: self.packer.name(),
            data: self.packer.finish()?,
            indexes: self.indexes(),
        }))
    }

    /// Takes the memory of a chunk's data back.
    pub(super) fn reuse(&mut self, data: Vec<u8>) {
        self.packer.reuse(data);
    }

    /// Takes the indexes, in the order of topics.
    fn indexes(&mut self) -> Vec<(u16, Vec<u8>)> {
        let mut topics = mem::take(&mut self.topics);
        topics.sort_unstable();
        let indexes = topics.iter().map(|topic| (*topic, self.index(*topic))).collect();
        topics.clear();
        self.topics = topics;
        indexes
    }

    /// Takes the index of a topic.
    fn index(&mut self, topic: u16) -> Vec<u8> {
        let mut entries = Vec::new();
        if let Some(places) = self.places.get_mut(usize::from(topic)) {
            for (time, offset) in places.drain(..) {
                entries.extend_from_slice(&time.to_le_bytes());
                entries.extend_from_slice(&offset.to_le_bytes());
            }
            places.shrink_to(KEPT);
        }
        Fields::default().u16(topic).bytes(&entries).record(Op::MessageIndex)
    }
}
