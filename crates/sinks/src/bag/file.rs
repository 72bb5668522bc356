//! The bag file: chunks with their indexes, then connections and chunk positions.

use robolog_core::slices::InRange as _;
use std::{
    collections::BTreeMap,
    io::{Seek, SeekFrom, Write},
};

use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

use super::{
    super::message::{Container, NewTopic, encoder::Definition, ros::sum, stamp::RosTime, stamp::Stamp},
    BagCompression,
    record::{Fields, Op, time},
};
use crate::{Error, Result};

/// An open bag.
pub(super) struct BagFile<W> {
    out: W,
    /// Bytes written to `out`.
    position: u64,
    compression: BagCompression,
    types: Vec<Type>,
    /// Connection records, by number.
    connections: Vec<Connection>,
    chunk: Chunk,
    chunks: Vec<ChunkInfo>,
    /// Reused memory.
    buffer: Vec<u8>,
}

struct Type {
    name: String,
    md5: String,
    definition: Vec<u8>,
}

struct Connection {
    record: Vec<u8>,
    /// Times and offsets of its messages in the current chunk.
    messages: Vec<(RosTime, u32)>,
}

/// Records not yet written.
#[derive(Default)]
struct Chunk {
    records: Vec<u8>,
    /// Times of the earliest and the latest message.
    span: Option<(RosTime, RosTime)>,
}

/// Chunk info for the end of the file.
struct ChunkInfo {
    position: u64,
    span: (RosTime, RosTime),
    /// Connections with their number of messages.
    counts: Vec<(u32, u32)>,
}

const MAGIC: &[u8] = b"#ROSBAG V2.0\n";

/// Size of the first record with its header, padded so that it can be overwritten at the end.
const FIRST_RECORD: usize = 4096;

/// A chunk is written once it holds this many bytes.
const CHUNK: usize = 768 << 10;

/// Version of indexes and chunk infos.
const VERSION: u32 = 1;

/// Bytes of a message in an index.
const PLACE: usize = 12;

/// `rosbag` skips messages before this time.
const EARLIEST: RosTime = RosTime { secs: 0, nsecs: 1 };

impl<W: Write + Seek> BagFile<W> {
    pub(super) fn new(out: W, compression: BagCompression) -> Result<Self> {
        let mut file = Self {
            out,
            position: 0,
            compression,
            types: Vec::new(),
            connections: Vec::new(),
            chunk: Chunk::default(),
            chunks: Vec::new(),
            buffer: MAGIC.to_vec(),
        };
        file.write_first_record(0);
        file.flush()?;
        Ok(file)
    }

    /// Puts the first record into the buffer.
    fn write_first_record(&mut self, index: u64) {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let fields = Fields::of(Op::File)
            .with("index_pos", &index.to_le_bytes())
            .with_u32("conn_count", number(self.connections.len()))
            .with_u32("chunk_count", number(self.chunks.len()));
        let padding = vec![b' '; FIRST_RECORD.minus(fields.bytes().len())];
        fields.write_with(&padding, &mut self.buffer);
    }

    /// Writes the buffer.
    fn flush(&mut self) -> Result<()> {
        self.out.write_all(&self.buffer).map_err(Error::Write)?;
        self.position += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the chunk and its index.
    fn finish_chunk(&mut self) -> Result<()> {
        let Some(span) = self.chunk.span.take() else { return Ok(()) };
        let records = &self.chunk.records;
        let packed = match self.compression {
            BagCompression::None => None,
            BagCompression::Lz4 => Some(lz4(records)?),
        };
        let name: &[u8] = if packed.is_some() { b"lz4" } else { b"none" };
        let size = u32::try_from(records.len()).unwrap_or(u32::MAX);
        let fields = Fields::of(Op::Chunk).with("compression", name).with_u32("size", size);
        let data = packed.as_ref().unwrap_or(records);
        fields.begin(data.len(), &mut self.buffer);
        let position = self.position;
        self.out.write_all(&self.buffer).and_then(|()| self.out.write_all(data)).map_err(Error::Write)?;
        let written = self.buffer.len() + data.len();
        self.position += written as u64;
        self.buffer.clear();
        self.chunk.records.clear();
        let mut counts = Vec::new();
        for (connection, number) in self.connections.iter_mut().zip(0_u32..) {
            if connection.messages.is_empty() {
                continue;
            }
            connection.messages.sort_by_key(|(time, _)| *time);
            let count = u32::try_from(connection.messages.len()).unwrap_or(u32::MAX);
            let mut data = Vec::with_capacity(connection.messages.len() * PLACE);
            for (at, offset) in connection.messages.drain(..) {
                data.extend_from_slice(&time(at));
                data.extend_from_slice(&offset.to_le_bytes());
            }
            let fields = Fields::of(Op::Index).with_u32("ver", VERSION).with_u32("conn", number);
            fields.with_u32("count", count).write_with(&data, &mut self.buffer);
            counts.push((number, count));
        }
        self.chunks.push(ChunkInfo { position, span, counts });
        self.flush()
    }
}

/// Compresses to an LZ4 frame that ROS reads: independent blocks, a content checksum, no size.
fn lz4(bytes: &[u8]) -> Result<Vec<u8>> {
    let info = FrameInfo::new()
        .block_mode(BlockMode::Independent)
        .block_size(BlockSize::Max4MB)
        .content_checksum(true);
    let mut frame = FrameEncoder::with_frame_info(info, Vec::new());
    frame.write_all(bytes).map_err(Error::Write)?;
    frame.finish().map_err(|error| Error::library("LZ4", &error))
}

impl<W: Write + Seek> Container for BagFile<W> {
    type Out = W;

    fn add_type(&mut self, definition: &Definition) -> Result<u16> {
        let md5 = sum::of(&String::from_utf8_lossy(&definition.data));
        let (name, definition) = (definition.name.clone(), definition.data.to_vec());
        self.types.push(Type { name, md5, definition });
        number(self.types.len())
    }

    fn add_topic(&mut self, of: u16, topic: &NewTopic<'_>) -> Result<u16> {
        let Some(of) = self.types.get(usize::from(of)) else {
            return Err(Error::library("bag", "no such type"));
        };
        let mut about = Fields::default()
            .with("topic", topic.name.as_bytes())
            .with("type", of.name.as_bytes())
            .with("md5sum", of.md5.as_bytes())
            .with("message_definition", &of.definition)
            .with("callerid", b"/robolog");
        if topic.is_latched {
            about = about.with("latching", b"1");
        }
        let id = number(self.connections.len() + 1)?;
        let fields = Fields::of(Op::Connection).with_u32("conn", id.into());
        let mut record = Vec::new();
        fields.with("topic", topic.name.as_bytes()).write_with(about.bytes(), &mut record);
        self.chunk.records.extend_from_slice(&record);
        self.connections.push(Connection { record, messages: Vec::new() });
        Ok(id)
    }

    fn put(&mut self, topic: u16, _: u32, stamp: Stamp, message: &[u8]) -> Result<()> {
        let Some(connection) = self.connections.get_mut(usize::from(topic)) else {
            return Err(Error::library("bag", "no such topic"));
        };
        let at = RosTime::from(stamp).max(EARLIEST);
        let offset = u32::try_from(self.chunk.records.len()).unwrap_or(u32::MAX);
        connection.messages.push((at, offset));
        let (first, last) = self.chunk.span.get_or_insert((at, at));
        (*first, *last) = ((*first).min(at), (*last).max(at));
        let fields = Fields::of(Op::Message).with_u32("conn", topic.into()).with_time("time", at);
        fields.write_with(message, &mut self.chunk.records);
        if self.chunk.records.len() >= CHUNK { self.finish_chunk() } else { Ok(()) }
    }

    fn attach(&mut self, _: &str, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn finish(mut self, _: BTreeMap<String, String>) -> Result<W> {
        self.finish_chunk()?;
        let index = self.position;
        for connection in &self.connections {
            self.buffer.extend_from_slice(&connection.record);
        }
        for chunk in &self.chunks {
            let (first, last) = chunk.span;
            let count = u32::try_from(chunk.counts.len()).unwrap_or(u32::MAX);
            let fields = Fields::of(Op::ChunkInfo)
                .with_u32("ver", VERSION)
                .with("chunk_pos", &chunk.position.to_le_bytes())
                .with_time("start_time", first)
                .with_time("end_time", last)
                .with_u32("count", count);
            let data: Vec<u8> =
                chunk.counts.iter().flat_map(|(c, n)| [c.to_le_bytes(), n.to_le_bytes()].concat()).collect();
            fields.write_with(&data, &mut self.buffer);
        }
        self.flush()?;
        self.out.seek(SeekFrom::Start(MAGIC.len() as u64)).map_err(Error::Write)?;
        self.write_first_record(index);
        self.flush()?;
        self.out.seek(SeekFrom::End(0)).map_err(Error::Write)?;
        self.out.flush().map_err(Error::Write)?;
        Ok(self.out)
    }
}

/// Index of the last of `count` items. Topics are counted before they are added.
fn number(count: usize) -> Result<u16> {
    u16::try_from(count.saturating_sub(1)).map_err(|_| Error::library("bag", "too many topics"))
}
