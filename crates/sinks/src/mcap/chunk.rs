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

/// Bytes of a place in the index of a topic.
const PLACE: usize = 16;

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
    /// Topics, times and offsets of messages.
    places: Vec<(u16, u64, u64)>,
    /// Number of messages of each topic.
    counts: Vec<u32>,
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
    /// Message indexes: topics and where their records start, and all records.
    pub(super) indexes: (Vec<(u16, u64)>, Vec<u8>),
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
            counts: Vec::new(),
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
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        if let Some(count) = self.counts.get_mut(at) {
            *count += 1;
        }
        self.places.push((topic, time, offset));
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

    /// Takes the indexes, in the order of topics: counted first, so that each place is written once.
    fn indexes(&mut self) -> (Vec<(u16, u64)>, Vec<u8>) {
        let (mut starts, mut records) = (Vec::new(), Vec::new());
        let mut ends = Vec::with_capacity(self.counts.len());
        for (topic, count) in (0..=u16::MAX).zip(&mut self.counts) {
            let len = mem::take(count) as usize * PLACE;
            if len > 0 {
                starts.push((topic, records.len() as u64));
                let entries = u32::try_from(len).unwrap_or(u32::MAX);
                records.extend(Fields::default().u16(topic).u32(entries).begin(Op::MessageIndex, len));
            }
            ends.push(records.len());
            records.resize(records.len() + len, 0);
        }
        for (topic, time, offset) in self.places.drain(..) {
            let Some(end) = ends.get_mut(usize::from(topic)) else { continue };
            let place = records.get_mut(*end..).and_then(<[u8]>::first_chunk_mut::<PLACE>);
            if let Some((to, _)) = place.map(|place| place.as_chunks_mut::<8>()) {
                to.copy_from_slice(&[time.to_le_bytes(), offset.to_le_bytes()]);
            }
            *end += PLACE;
        }
        (starts, records)
    }
}
