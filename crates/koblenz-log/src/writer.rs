//! Writes logs: messages from values, byte-exact copies, and the index before them.

#![allow(clippy::arithmetic_side_effects, reason = "counts of what is written")]

use std::{
    io::{Read, Seek, SeekFrom, Write},
    path::Path,
};

use robolog_core::{
    Error, Event, Result, StreamReader, Timestamp,
    format::{CountingWriter, NewFile},
    layout::{FieldInfo, Layout as _, Packed as _, chunks, field},
    slices::{Part as _, fitting, length},
};

use crate::{
    Header, IndexOrigin, KoblenzLog, Payload, Record, Registry, SizeCounts, TypeId, decode,
    format::no_header,
    framing::{Framing, Head},
    header::{MOST_ENTRIES, write_index},
    index::Seconds,
    layout::{
        END_MARK, FILE_HEADER_LEN, FileHeader, IndexEntry, MARK, MESSAGE_HEADER_LEN, MessageHeader,
        VelodyneHeader,
    },
};

/// Writes a log, message by message. The index comes first in the file, and is filled in by [`finish`](Self::finish).
///
/// ```
/// # let file = std::fs::read("examples/drive.log").unwrap();
/// use koblenz_log::{Reader, TypeId, Writer};
/// let reader = Reader::new(&file)?;
/// let mut writer = Writer::new(std::io::Cursor::new(Vec::new()), reader.header())?;
/// for message in reader.records() {
///     let message = message?;
///     if message.type_id() == TypeId::LASER {
///         writer.write(&message)?;
///     }
/// }
/// let scans = writer.finish()?.into_inner();
/// assert_eq!(Reader::new(&scans)?.records().count(), 8);
/// # Ok::<(), koblenz_log::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a log is whole only after `finish`"]
pub struct Writer<W> {
    out: CountingWriter<W>,
    sizes: SizeCounts,
    index: Vec<u64>,
    seconds: Seconds,
    last: Option<u64>,
    message: Vec<u8>,
    /// Whether the end mark is written.
    is_ended: bool,
}

impl Writer<NewFile> {
    /// Starts a log in a new file, which appears at `path` when it is [finished](Self::finish). Returns an
    /// error if there is one.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::format::create(path)?, header)
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Starts a log with this header: its index will have as many entries, counted from the first message.
    pub fn new(inner: W, header: &Header) -> Result<Self> {
        Self::with_header_bytes(inner, header, IndexOrigin::FirstMessage, &header.to_bytes()?)
    }

    fn with_header_bytes(
        inner: W,
        header: &Header,
        origin: IndexOrigin,
        header_bytes: &[u8],
    ) -> Result<Self> {
        let mut out = CountingWriter::new(inner);
        out.bytes(header_bytes)?;
        Ok(Self {
            out,
            sizes: header.sizes(),
            index: header.index().to_vec(),
            seconds: Seconds::new(origin),
            last: None,
            message: Vec::new(),
            is_ended: false,
        })
    }

    /// Bytes written so far, which is the offset of the next message.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Copies a message, or the end mark with everything after it.
    ///
    /// For a truncated message, writes the packets present, and their number. Returns an error after the end mark.
    pub fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.check_not_ended()?;
        self.is_ended = record.is_end();
        if let Some(milliseconds) = record.timestamp() {
            self.enter(milliseconds);
        }
        if record.missing() == 0 && record.sizes() == self.sizes {
            return self.out.bytes(record.bytes());
        }
        let mut message = std::mem::take(&mut self.message);
        message.clear();
        message.extend_from_slice(record.bytes());
        let outcome = self.resize(record, &mut message).and_then(|()| self.out.bytes(&message));
        self.message = message;
        outcome
    }

    /// Writes a message from its values, stamped in milliseconds after the start of the recording program.
    ///
    /// Returns an error for [`Payload::Unknown`], and the errors of [`Payload::write`] and [`message`](Self::message).
    pub fn write_payload(&mut self, milliseconds: f64, payload: &Payload<'_>) -> Result<()> {
        let (Some(type_id), Some(version)) = (payload.type_id(), payload.type_id().and_then(TypeId::version))
        else {
            return Err(Error::invalid("payload", "bytes", "one of a known type", self.out.position())
                .within("log writer"));
        };
        let mut body = Vec::new();
        payload.write(&mut body)?;
        self.message(milliseconds, type_id, version, &body)
    }

    /// Writes a message of any type, stamped in milliseconds after the start of the recording program.
    ///
    /// An empty body with type 0 and version 0, which is how [`Reader::records`](crate::Reader) represents the end
    /// mark, writes that mark.
    ///
    /// Returns an error, and writes nothing, for a message that would not read back: a version outside 1 to 1000, a
    /// stamp that is not finite or, for an unknown type, beyond thirty years, a body of 4 GiB or more, or a body of a
    /// known type and version without a sample because its own counts do not agree with its length. Also returns an
    /// error after the end mark.
    ///
    /// ```
    /// # let file = koblenz_log::doc::recording();
    /// use koblenz_log::{Reader, Writer};
    /// let reader = Reader::new(&file)?;
    /// let mut writer = Writer::new(std::io::Cursor::new(Vec::new()), reader.header())?;
    /// for record in reader.records() {
    ///     let record = record?;
    ///     let milliseconds = record.timestamp().unwrap_or_default();
    ///     writer.message(milliseconds, record.type_id(), record.version(), record.body())?;
    /// }
    /// let copy = writer.finish()?.into_inner();
    /// assert_eq!(Reader::new(&copy)?.records().count(), reader.records().count());
    /// # Ok::<(), koblenz_log::Error>(())
    /// ```
    pub fn message(&mut self, timestamp: f64, type_id: TypeId, version: i32, body: &[u8]) -> Result<()> {
        if (type_id, version, body) == (TypeId(0), 0, &[]) {
            return self.end();
        }
        self.check_not_ended()?;
        let at = self.out.position();
        let refused = |what, found: &dyn std::fmt::Display, expected| {
            Err(Error::invalid(what, found, expected, at).within("log writer"))
        };
        if !timestamp.is_finite() {
            return refused("timestamp", &timestamp, "milliseconds");
        }
        let Some(size) = self.sizes.size(body.len()) else {
            return refused("payload length", &body.len(), "less than 4 GiB");
        };
        let head = Head { size, mark: MARK, type_id, version, timestamp };
        // As seen by a reader that knows only the names in the specification.
        let framing = Framing { sizes: self.sizes, registry: &Registry::default() };
        if !framing.is_head(&head) {
            return Err(no_header(framing, &head, at).within("log writer"));
        }
        let payload = Payload::parse(type_id, version, body, at)?;
        if let Payload::Velodyne(velodyne) = &payload
            && velodyne.data.len() + VelodyneHeader::LEN != body.len()
        {
            return refused("packets", &body.len(), "1206 bytes for each");
        }
        decode::check(&payload, at)?;
        self.enter(timestamp);
        let mut head = Vec::with_capacity(MESSAGE_HEADER_LEN);
        MessageHeader { size, mark: MARK, type_id: type_id.0, version, timestamp }.encode(&mut head)?;
        self.out.bytes(&head)?;
        self.out.bytes(body)
    }

    /// Ends the log with the end mark; logs may also end without it. Returns an error if it is already written.
    pub fn end(&mut self) -> Result<()> {
        self.check_not_ended()?;
        self.is_ended = true;
        self.out.bytes(&END_MARK.to_le_bytes())
    }

    /// Completes the log with its index and returns the target.
    ///
    /// Entry k is the first message stamped k seconds or more after the first one. Entries for seconds after the last
    /// message point at that one. If the index is too short for the log, later messages are not in it.
    pub fn finish(mut self) -> Result<W> {
        self.fill_index()?;
        self.out.finish()
    }

    /// No reader looks past the end mark.
    fn check_not_ended(&self) -> Result<()> {
        if !self.is_ended {
            return Ok(());
        }
        let at = self.out.position();
        Err(Error::unexpected("a message after the end mark", at).within("log writer"))
    }

    /// Enters the message that begins here into the index.
    fn enter(&mut self, milliseconds: f64) {
        let from = self.seconds.filled;
        let more = self.seconds.fill(milliseconds, self.index.len());
        let due = self.index.part_mut(from..from + more);
        due.fill(self.out.position());
        self.last = Some(self.out.position());
    }

    fn fill_index(&mut self) -> Result<()> {
        if self.index.is_empty() {
            return Ok(());
        }
        let rest = self.index.part_mut(self.seconds.filled..);
        rest.fill(self.last.unwrap_or_default());
        let mut bytes = Vec::new();
        write_index(&self.index, &mut bytes)?;
        self.out.replace(FILE_HEADER_LEN as u64, &bytes)
    }

    /// Sets the size of a message, and its packet count, to what is present.
    fn resize(&self, record: &Record<'_>, message: &mut [u8]) -> Result<()> {
        let len = record.body().len();
        let size = self.sizes.size(len).ok_or_else(|| {
            Error::invalid("payload length", len, "less than 4 GiB", record.offset()).within("log writer")
        })?;
        let put = |bytes: &mut [u8], field: FieldInfo, value: u32| {
            if let Some(field) = field.of_mut(bytes).and_then(<[u8]>::first_chunk_mut) {
                *field = value.to_le_bytes();
            }
        };
        put(message, field!(MessageHeader, size), size);
        if record.missing() > 0
            && let Ok(Payload::Velodyne(velodyne)) = record.decode()
            && let Some(body) = message.get_mut(MESSAGE_HEADER_LEN..)
        {
            let packets = fitting::<u32>(velodyne.packets().len());
            put(body, field!(VelodyneHeader, packets), packets);
        }
        Ok(())
    }
}

/// Copies messages into a new log: see [`robolog_core::format::Copier`]. Its parts are messages.
///
/// The index is kept if nothing is left out. Otherwise it is rebuilt, with as many entries as before: those for seconds
/// after the last message point at that one. An impossible index is left out.
///
/// ```
/// use std::io::Cursor;
///
/// use koblenz_log::{Copier, robolog_core::format::Copier as _};
///
/// # let file = std::fs::read("examples/drive.log").unwrap();
/// let reader = koblenz_log::Reader::new(&file)?;
/// let mut copy = Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes())?;
/// for record in reader.records() {
///     copy.copy(&record?, &mut |_channel, _time| true)?;
/// }
/// assert_eq!(copy.finish()?.into_inner(), file);
/// # Ok::<(), koblenz_log::Error>(())
/// ```
#[derive(Debug)]
pub struct Copier<W> {
    writer: Writer<W>,
    header: Header,
    is_same: bool,
    left_out: u64,
}

impl<W: Write + Seek> robolog_core::format::Copier<W> for Copier<W> {
    type Format = KoblenzLog;

    /// Returns an error if the index of the header does not match its bytes: [`Header::with_seconds`] is for a
    /// [`Writer`].
    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        check_header(header, header_bytes)?;
        let mut header_bytes = header_bytes.to_vec();
        let entries = fitting::<u32>(header.index().len());
        let is_same = entries == header.claimed_entries();
        let count = field!(FileHeader, index_entries).of_mut(&mut header_bytes);
        if let Some(count) = count.and_then(<[u8]>::first_chunk_mut) {
            *count = entries.to_le_bytes();
        }
        let writer = Writer::with_header_bytes(out, header, IndexOrigin::FirstMessage, &header_bytes)?;
        Ok(Self { writer, header: header.clone(), is_same, left_out: 0 })
    }

    /// Messages not marked as valid are copied like the others. Those of known types without a sample, because their
    /// own counts do not agree with their length, are left out: this returns an error and can continue;
    /// [`left_out`](robolog_core::format::Copier::left_out) counts their bytes.
    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        if record.is_end() {
            return self.writer.write(record).map(|()| 0);
        }
        if !keep(&decode::channel(record, self.header.registry()), record.time()) {
            self.is_same = false;
            return Ok(0);
        }
        if record.is_valid()
            && let Err(error) = decode::payload(record)
        {
            self.is_same = false;
            self.left_out += record.bytes().len() as u64;
            return Err(error);
        }
        // Damage before this message was left out, or the message itself is incomplete.
        self.is_same &= record.offset() == self.writer.position() && record.missing() == 0;
        self.writer.write(record)?;
        Ok(1)
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }

    fn finish(self) -> Result<W> {
        if self.is_same { self.writer.out.finish() } else { self.writer.finish() }
    }

    fn can_part(&self, record: &Record<'_>) -> bool {
        !record.is_end()
    }

    fn part(mut self, out: W, header_bytes: &[u8]) -> Result<(W, Self)> {
        self.is_same = false;
        let next = Self::new(out, &self.header, header_bytes)?;
        let next = Self { is_same: false, left_out: self.left_out, ..next };
        Ok((self.finish()?, next))
    }

    /// Returns an error if the version differs.
    fn follow(&mut self, _: &[u8], header: &Header, _: &[u8]) -> Result<()> {
        self.is_same = false;
        if header.version() == self.header.version() {
            return Ok(());
        }
        let name = |(major, minor): (u16, u16)| format!("{major}.{minor}");
        let (found, expected) = (name(header.version()), name(self.header.version()));
        Err(Error::invalid("version", found, expected, field!(FileHeader, index_entries).at(0)).within("log"))
    }

    fn is_end(record: &Record<'_>) -> bool {
        record.is_end()
    }
}

/// Returns an error if the header was changed, as a copy begins with the original bytes.
fn check_header(header: &Header, header_bytes: &[u8]) -> Result<()> {
    let bytes = header_bytes.part(FILE_HEADER_LEN..);
    let entries = chunks::<{ IndexEntry::LEN }>(bytes).len();
    if header.index().len() == entries {
        return Ok(());
    }
    let at = field!(FileHeader, index_entries).at(0);
    Err(Error::invalid("index", header.index().len(), format_args!("{entries} entries, as the file has"), at)
        .within("log rewriter"))
}

/// The result of [`reindex`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reindexed {
    /// Number of entries in the new index.
    pub entries: u64,
    /// Messages copied.
    pub messages: u64,
    /// Damage found, with the bytes that belong to no message because of it.
    pub damage: Vec<(String, std::ops::Range<u64>)>,
    /// Bytes lost to damage.
    pub lost_bytes: u64,
}

/// Copies a log with a new index, whatever its old one was. Reads the input twice.
///
/// Entry k is the first message stamped k seconds or more after the first one.
///
/// ```
/// use std::{fs::File, io::Cursor};
/// let log = File::open("examples/index_stale.log").map_err(|e| koblenz_log::Error::io(e, 0))?;
/// let (_copy, done) = koblenz_log::reindex(log, Cursor::new(Vec::new()))?;
/// assert!(done.entries > 0 && done.lost_bytes == 0);
/// # Ok::<(), koblenz_log::Error>(())
/// ```
pub fn reindex<W: Write + Seek>(mut input: impl Read + Seek, out: W) -> Result<(W, Reindexed)> {
    let start = input.stream_position().map_err(|e| Error::io(e, 0))?;
    let mut seconds = Seconds::new(IndexOrigin::FirstMessage);
    let mut reader = StreamReader::<_, KoblenzLog>::new(&mut input)?;
    let header = reader.header().clone();
    loop {
        match reader.next_event()? {
            Event::Record(record) => {
                if let Some(milliseconds) = record.timestamp() {
                    seconds.fill(milliseconds, fitting::<usize>(MOST_ENTRIES));
                }
            }
            Event::Damage { .. } => {}
            Event::End => break,
        }
    }
    input.seek(SeekFrom::Start(start)).map_err(|e| Error::io(e, 0))?;

    let header = header.with_seconds(u32::try_from(seconds.filled).unwrap_or(u32::MAX));
    let mut writer = Writer::new(out, &header)?;
    let mut reader = StreamReader::<_, KoblenzLog>::new(&mut input)?;
    let mut report =
        Reindexed { entries: seconds.filled as u64, messages: 0, damage: Vec::new(), lost_bytes: 0 };
    loop {
        match reader.next_event()? {
            Event::Record(record) => {
                report.messages += u64::from(!record.is_end());
                writer.write(&record)?;
            }
            Event::Damage { error, lost } => {
                report.lost_bytes += length(&lost);
                if report.damage.len() < 100 {
                    report.damage.push((error.to_string(), lost));
                }
            }
            Event::End => break,
        }
    }
    Ok((writer.finish()?, report))
}
