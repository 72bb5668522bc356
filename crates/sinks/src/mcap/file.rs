//! The MCAP file: chunks with their indexes, then a summary.
//!
//! Own code: the crate `mcap` passes each field of a message to the compressor, which took a third of the time where
//! messages are small. It reads what is written here, in the tests and for [`rosbag2`](super::rosbag2).

use std::{
    collections::BTreeMap,
    io::{self, Seek, SeekFrom, Write},
    mem,
};

use crc32fast::Hasher;

use super::{
    super::message::{Container, NewTopic, encoder::Definition, stamp::Stamp},
    chunk::{Chunk, Packed},
    packer::Packer,
    record::{Fields, Op},
};
use crate::{Error, Result};

pub(super) struct McapFile<W> {
    out: Summed<W>,
    chunk: Chunk,
    /// Where the head of an uncompressed chunk is written at its end, and the sum of what is before it.
    head: Option<(u64, Hasher)>,
    /// A message begins a new chunk once the current one is longer.
    chunk_size: u64,
    /// Records of schemas; equal ones have one number.
    schemas: Vec<Vec<u8>>,
    topics: Vec<Topic>,
    span: Option<(u64, u64)>,
    summary: Summary,
}

/// A file whose bytes are counted and summed.
struct Summed<W> {
    file: W,
    position: u64,
    crc: Hasher,
}

struct Topic {
    record: Vec<u8>,
    messages: u64,
}

/// Records of the summary.
#[derive(Default)]
struct Summary {
    chunks: Group,
    attachments: Group,
    metadata: Group,
}

#[derive(Default)]
struct Group {
    count: u32,
    records: Vec<u8>,
}

/// Bytes of an uncompressed chunk before its records.
const HEAD: usize = 49;

const MAGIC: &[u8] = b"\x89MCAP0\r\n";

impl<W: Write + Seek> McapFile<W> {
    /// Creates a file of a profile by a tool.
    pub(super) fn new(file: W, packer: Packer, chunk_size: u64, [profile, tool]: [&str; 2]) -> Result<Self> {
        let mut out = Summed { file, position: 0, crc: Hasher::new() };
        out.put(MAGIC)?;
        out.put(&Fields::default().text(profile).text(tool).record(Op::Header))?;
        Ok(Self {
            out,
            chunk: Chunk::new(packer),
            head: None,
            chunk_size,
            schemas: Vec::new(),
            topics: Vec::new(),
            span: None,
            summary: Summary::default(),
        })
    }

    /// Writes the chunk and its indexes, if anything is in it.
    fn finish_chunk(&mut self) -> Result<()> {
        let Some(chunk) = self.chunk.finish(&mut self.out)? else { return Ok(()) };
        let Packed { span: (first, last), size, crc, compression, data, indexes } = chunk;
        let (start, len) = match &self.head {
            Some((start, _)) => (*start, size),
            None => (self.out.position, data.len() as u64),
        };
        let times = Fields::default().u64(first).u64(last);
        let head = times.u64(size).u32(crc).text(compression).u64(len);
        let head = head.begin(Op::Chunk, usize::try_from(len).unwrap_or(usize::MAX));
        if let Some(place) = self.head.take() {
            self.out.complete(place, &head, &Hasher::new_with_initial_len(crc, size))?;
        } else {
            self.out.put(&head)?;
            self.out.put(&data)?;
        }
        let end = self.out.position;
        let (starts, records) = indexes;
        let places: Vec<_> = starts.into_iter().map(|(topic, start)| (topic, end + start)).collect();
        self.out.put(&records)?;
        let index = Fields::default().u64(first).u64(last).u64(start).u64(end - start).numbers(places);
        let index = index.u64(self.out.position - end).text(compression);
        self.summary.chunks.push(Op::ChunkIndex, &index.u64(len).u64(size));
        self.chunk.reuse(data);
        Ok(())
    }

    /// Leaves room for the head of an uncompressed chunk, if one begins.
    fn begin_chunk(&mut self) -> Result<()> {
        if self.chunk.size() > 0 || !self.chunk.is_passed_on() {
            return Ok(());
        }
        self.head = Some((self.out.position, self.out.crc.clone()));
        self.out.put(&[0; HEAD])
    }

    /// Writes a record outside of chunks; returns its position and length.
    fn write(&mut self, record: &[u8]) -> Result<(u64, u64)> {
        self.finish_chunk()?;
        let start = self.out.position;
        self.out.put(record)?;
        Ok((start, record.len() as u64))
    }

    /// Takes the groups of the summary.
    fn groups(&mut self) -> [(Op, Vec<u8>); 6] {
        let statistics = self.statistics().record(Op::Statistics);
        let channels: Vec<_> = mem::take(&mut self.topics).into_iter().map(|topic| topic.record).collect();
        let Summary { chunks, attachments, metadata } = mem::take(&mut self.summary);
        [
            (Op::Schema, self.schemas.concat()),
            (Op::Channel, channels.concat()),
            (Op::Statistics, statistics),
            (Op::ChunkIndex, chunks.records),
            (Op::AttachmentIndex, attachments.records),
            (Op::MetadataIndex, metadata.records),
        ]
    }

    fn statistics(&self) -> Fields {
        let Summary { chunks, attachments, metadata } = &self.summary;
        let counts = (1..).zip(&self.topics).map(|(id, topic)| (id, topic.messages));
        let counts: Vec<_> = counts.filter(|(_, messages)| *messages > 0).collect();
        let (first, last) = self.span.unwrap_or_default();
        Fields::default()
            .u64(counts.iter().map(|(_, messages)| messages).sum())
            .u16(u16::try_from(self.schemas.len()).unwrap_or(u16::MAX))
            .u32(u32::try_from(self.topics.len()).unwrap_or(u32::MAX))
            .u32(attachments.count)
            .u32(metadata.count)
            .u32(chunks.count)
            .u64(first)
            .u64(last)
            .numbers(counts)
    }

    /// Writes the summary and what ends the file.
    fn finish_file(&mut self) -> Result<()> {
        let crc = self.out.crc.clone().finalize();
        self.out.put(&Fields::default().u32(crc).record(Op::DataEnd))?;
        self.out.crc = Hasher::new();
        let start = self.out.position;
        let mut offsets = Vec::new();
        for (op, records) in self.groups() {
            let at = self.out.position;
            self.out.put(&records)?;
            if !records.is_empty() {
                let offset = Fields::default().raw(&[op as u8]).u64(at).u64(records.len() as u64);
                offsets.extend(offset.record(Op::SummaryOffset));
            }
        }
        let offsets_start = self.out.position;
        self.out.put(&offsets)?;
        // The sum covers the footer before it.
        let footer = Fields::default().u64(start).u64(offsets_start);
        self.out.put(&footer.begin(Op::Footer, size_of::<u32>()))?;
        let crc = self.out.crc.clone().finalize();
        self.out.put(&crc.to_le_bytes())?;
        self.out.put(MAGIC)?;
        self.out.flush().map_err(Error::Write)
    }
}

impl<W: Write + Seek> Container for McapFile<W> {
    type Out = W;

    fn add_type(&mut self, definition: &Definition) -> Result<u16> {
        let Definition { name, encoding, data, .. } = definition;
        let fields = Fields::default().text(name).text(encoding).bytes(data);
        let is_known = |record: &Vec<u8>| record.ends_with(fields.as_bytes());
        if let Some(known) = self.schemas.iter().position(is_known) {
            return number(known);
        }
        let id = number(self.schemas.len())?;
        let record = Fields::default().u16(id).raw(fields.as_bytes()).record(Op::Schema);
        self.begin_chunk()?;
        self.chunk.push(&record, &mut self.out)?;
        self.schemas.push(record);
        Ok(id)
    }

    fn add_topic(&mut self, of: u16, topic: &NewTopic<'_>) -> Result<u16> {
        let id = number(self.topics.len())?;
        let fields = Fields::default().u16(id).u16(of).text(topic.name).text(topic.encoding);
        let record = fields.texts(&topic.metadata).record(Op::Channel);
        self.begin_chunk()?;
        self.chunk.push(&record, &mut self.out)?;
        self.topics.push(Topic { record, messages: 0 });
        Ok(id)
    }

    fn put(&mut self, topic: u16, sequence: u32, stamp: Stamp, message: &[u8]) -> Result<()> {
        let time = stamp.log_time;
        if self.chunk.size() > self.chunk_size {
            self.finish_chunk()?;
        }
        self.begin_chunk()?;
        self.chunk.put((topic, sequence, time), message, &mut self.out)?;
        let (first, last) = self.span.get_or_insert((time, time));
        (*first, *last) = ((*first).min(time), (*last).max(time));
        if let Some(topic) = self.topics.get_mut(usize::from(topic).wrapping_sub(1)) {
            topic.messages += 1;
        }
        Ok(())
    }

    fn attach(&mut self, name: &str, data: &[u8]) -> Result<()> {
        let media = "application/octet-stream";
        let size = data.len() as u64;
        let fields = Fields::default().u64(0).u64(0).text(name).text(media).u64(size).raw(data);
        let crc = crc32fast::hash(fields.as_bytes());
        let (start, len) = self.write(&fields.u32(crc).record(Op::Attachment))?;
        let index = Fields::default().u64(start).u64(len).u64(0).u64(0).u64(size);
        let index = index.text(name).text(media);
        self.summary.attachments.push(Op::AttachmentIndex, &index);
        Ok(())
    }

    /// Writes the metadata record and completes the file.
    fn finish(mut self, metadata: BTreeMap<String, String>) -> Result<W> {
        let name = "robolog";
        let (start, len) = self.write(&Fields::default().text(name).texts(&metadata).record(Op::Metadata))?;
        let index = Fields::default().u64(start).u64(len).text(name);
        self.summary.metadata.push(Op::MetadataIndex, &index);
        self.finish_file()?;
        Ok(self.out.file)
    }
}

impl<W: Write> Summed<W> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.crc.update(bytes);
        self.write_all(bytes).map_err(Error::Write)
    }
}

/// Bytes whose sum is known otherwise.
impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.position += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl<W: Write + Seek> Summed<W> {
    /// Writes the head of an uncompressed chunk before its records, which have this sum.
    fn complete(&mut self, (at, before): (u64, Hasher), head: &[u8], records: &Hasher) -> Result<()> {
        self.file.seek(SeekFrom::Start(at)).map_err(Error::Write)?;
        self.file.write_all(head).map_err(Error::Write)?;
        self.file.seek(SeekFrom::Start(self.position)).map_err(Error::Write)?;
        self.crc = before;
        self.crc.update(head);
        self.crc.combine(records);
        Ok(())
    }
}

impl Group {
    fn push(&mut self, op: Op, fields: &Fields) {
        self.count += 1;
        self.records.extend(fields.record(op));
    }
}

/// The number after those of `count` items; they start at 1.
fn number(count: usize) -> Result<u16> {
    u16::try_from(count + 1).map_err(|_| Error::library("MCAP", "too many topics"))
}
