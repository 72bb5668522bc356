//! Reading records from pushed bytes, for asynchronous sources.

use std::{fmt, io};

use crate::{
    Error, ErrorKind, Event, Limits, Result, StreamReader,
    format::{Format, Opening},
    slices::{InRange as _, Part as _, past},
};

/// Reads a recording whose bytes are pushed: from an asynchronous socket, a callback or a message queue.
///
/// Delivers exactly the records that [`StreamReader`] and [`Reader`](crate::Reader) deliver for the same bytes, however
/// the bytes are cut. Each format crate has an alias; `examples/nmea_tokio.rs` of robolog-nmea reads a TCP connection
/// with tokio.
///
/// ```
/// use robolog_core::{Event, Feeder, format::Format};
///
/// fn count<F: Format>(chunks: &[&[u8]]) -> robolog_core::Result<u64> {
///     let mut feeder = Feeder::<F>::new();
///     let (mut records, mut chunks) = (0, chunks.iter());
///     loop {
///         while let Some(event) = feeder.next_event()? {
///             match event {
///                 Event::Record(_) => records += 1,
///                 Event::Damage { error, .. } => println!("{error}"),
///                 Event::End => return Ok(records),
///             }
///         }
///         // An asynchronous program awaits its source here.
///         match chunks.next() {
///             Some(chunk) => feeder.push(chunk)?,
///             None => feeder.end(),
///         }
///     }
/// }
/// ```
pub struct Feeder<F: Format> {
    stage: Stage<F>,
    limits: Limits,
}

enum Stage<F: Format> {
    /// The header is incomplete. `None` only while it is being read.
    Header(Option<Opening<Pushed, F>>),
    Records(StreamReader<Pushed, F>),
}

impl<F: Format> Feeder<F> {
    /// Creates a feeder without data.
    pub fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    /// Like [`new`](Self::new), with the given limits.
    pub fn with_limits(limits: Limits) -> Self {
        let opening = Opening::with_limits(Pushed::default(), limits);
        Self { stage: Stage::Header(Some(opening)), limits }
    }

    /// Appends a copy of the next bytes of the recording.
    ///
    /// Returns an error and takes nothing if earlier bytes are still unread and both together exceed
    /// [`Limits::record`]: take the events first. Also returns an error for bytes after [`end`](Self::end).
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        let limit = self.limits.record;
        let Some(pushed) = self.pushed() else { return Ok(()) };
        let waiting = pushed.waiting().len();
        let at = past(pushed.taken, waiting);
        let len = waiting.plus(bytes.len());
        if pushed.is_ended && !bytes.is_empty() {
            return Err(Error::invalid("pushed bytes", "some after the end", "none", at).within(F::NAME));
        }
        if waiting > 0 && len > limit {
            let (len, limit) = (len as u64, limit as u64);
            let what = "unread bytes";
            return Err(Error::new(ErrorKind::Limit { what, len, limit }, at).within(F::NAME));
        }
        pushed.push(bytes);
        Ok(())
    }

    /// Marks the end of the recording.
    pub fn end(&mut self) {
        if let Some(pushed) = self.pushed() {
            pushed.is_ended = true;
        }
    }

    /// The next record, damage, or the end. `None` if more bytes are needed: [`push`](Self::push) them, or call
    /// [`end`](Self::end).
    ///
    /// Returns an error, now and on every later call, if the bytes are not of this format, or end inside the header.
    pub fn next_event(&mut self) -> Result<Option<Event<'_, F>>> {
        self.read_header()?;
        let Stage::Records(reader) = &mut self.stage else { return Ok(None) };
        let found = loop {
            match reader.find_next() {
                // The stall is from an earlier call; the queue may have data again.
                Err(error) if error.is_stall() => {
                    if reader.get_mut().is_empty() {
                        return Ok(None);
                    }
                }
                found => break found?,
            }
        };
        Ok(Some(reader.event(found).0))
    }

    /// Reads the header if it is pending and enough bytes were pushed.
    fn read_header(&mut self) -> Result<()> {
        while let Stage::Header(opening) = &mut self.stage
            && let Some(before) = opening.take()
        {
            match before.read() {
                Ok(reader) => self.stage = Stage::Records(reader),
                Err((mut same, error)) => {
                    let waits = same.get_mut().is_empty();
                    *opening = Some(same);
                    if !error.is_stall() {
                        return Err(error);
                    }
                    if waits {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// The header; `None` while it is incomplete.
    pub fn header(&self) -> Option<&F::Header> {
        match &self.stage {
            Stage::Records(reader) => Some(reader.header()),
            Stage::Header(_) => None,
        }
    }

    /// The header, to be changed before records are read: see [`StreamReader::header_mut`].
    ///
    /// Reads it if it is complete; returns an error if it is invalid.
    pub fn header_mut(&mut self) -> Result<Option<&mut F::Header>> {
        self.read_header()?;
        match &mut self.stage {
            Stage::Records(reader) => Ok(Some(reader.header_mut())),
            Stage::Header(_) => Ok(None),
        }
    }

    /// The bytes of the header, as pushed; empty while it is incomplete.
    pub fn header_bytes(&self) -> &[u8] {
        match &self.stage {
            Stage::Records(reader) => reader.header_bytes(),
            Stage::Header(_) => &[],
        }
    }

    /// Offset in the recording of the next record.
    pub fn position(&self) -> u64 {
        match &self.stage {
            Stage::Records(reader) => reader.position(),
            Stage::Header(_) => 0,
        }
    }

    fn pushed(&mut self) -> Option<&mut Pushed> {
        match &mut self.stage {
            Stage::Header(opening) => opening.as_mut().map(Opening::get_mut),
            Stage::Records(reader) => Some(reader.get_mut()),
        }
    }
}

impl<F: Format> Default for Feeder<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: Format> fmt::Debug for Feeder<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Feeder")
            .field("format", &F::NAME)
            .field("header", &self.header())
            .field("position", &self.position())
            .finish_non_exhaustive()
    }
}

/// Bytes pushed but not read yet.
#[derive(Debug, Default)]
struct Pushed {
    bytes: Vec<u8>,
    start: usize,
    /// Number of bytes read.
    taken: u64,
    is_ended: bool,
}

impl Pushed {
    fn waiting(&self) -> &[u8] {
        self.bytes.part(self.start..)
    }

    /// Whether there are no bytes for now.
    fn is_empty(&self) -> bool {
        self.waiting().is_empty() && !self.is_ended
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }
}

impl io::Read for Pushed {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let n = self.waiting().read(buf)?;
        self.start = self.start.plus(n);
        self.taken = past(self.taken, n);
        Ok(n)
    }
}
