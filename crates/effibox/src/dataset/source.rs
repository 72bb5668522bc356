//! The rows of one table of a data set.

use std::{
    io::{self, Read},
    marker::PhantomData,
};

use robolog_core::{Error, Event, Limits, slices::Part as _};

use super::{
    fault::{Fault, Result},
    lister::Stream,
    name::{Role, role},
    storage::Storage,
};
use crate::table::{LineKind, Record, StreamReader, TableKind, TableRow};

/// Maximum bytes of a line.
const LINE: usize = 16 << 20;

/// Reads the lines of a table and counts them.
pub(super) struct Lines<R: Read = Stream> {
    pub(super) path: String,
    pub(super) reader: StreamReader<WholeLines<R>>,
    pub(super) line: u64,
    /// Number of data lines so far.
    pub(super) rows: u64,
}

impl Lines<Stream> {
    pub(super) fn open(storage: &Storage, path: &str, kind: TableKind) -> Result<Self> {
        let Some(stream) = storage.stream(path)? else {
            return Err(Fault::io(path, io::ErrorKind::NotFound.into()));
        };
        Self::of(stream, path, kind)
    }
}

impl<R: Read> Lines<R> {
    /// Whether a row follows, valid or not.
    pub(super) fn has_rows(&mut self) -> bool {
        loop {
            match self.next() {
                Ok(Some(record)) if record.kind() != LineKind::Row => {}
                Ok(None) => return false,
                Err(fault) if fault.is_end() => return false,
                Ok(Some(_)) | Err(_) => return true,
            }
        }
    }

    pub(super) fn of(stream: R, path: &str, kind: TableKind) -> Result<Self> {
        let limits = Limits::default().with_record(LINE);
        let mut reader =
            StreamReader::with_limits(WholeLines::new(stream), limits).map_err(|e| Fault::new(path, e))?;
        let header = reader.header_mut();
        header.set_path(path);
        header.kind = kind;
        let line = header.lines;
        Ok(Self { path: path.to_owned(), reader, line, rows: 0 })
    }

    /// The next line, or an error before it; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Record<'_>>> {
        let failed = |e: Error| Fault::new(&self.path, e);
        match self.reader.next_event().map_err(failed)? {
            Event::Record(record) => {
                self.line += 1;
                if record.kind() == LineKind::Row {
                    self.rows += 1;
                }
                Ok(Some(record))
            }
            Event::Damage { error, .. } => {
                self.line += 1;
                Err(Fault::at_line(&self.path, self.line, error))
            }
            Event::End => Ok(None),
        }
    }
}

/// A stream that holds back a line until it is whole: one that a damaged stream tears may look like a row, with other
/// numbers.
pub(super) struct WholeLines<R> {
    inner: R,
    /// The start of a line.
    tail: Vec<u8>,
}

impl<R> WholeLines<R> {
    fn new(inner: R) -> Self {
        Self { inner, tail: Vec::new() }
    }

    /// Gives out what is held back, as far as it fits.
    fn give(&mut self, buf: &mut [u8]) -> usize {
        let len = self.tail.len().min(buf.len());
        for (to, from) in buf.iter_mut().zip(self.tail.drain(..len)) {
            *to = from;
        }
        len
    }
}

impl<R: Read> Read for WholeLines<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            let held = self.tail.len();
            let Some(room) = buf.get_mut(held..).filter(|room| !room.is_empty()) else {
                // A line that is longer than the reader's window.
                return Ok(self.give(buf));
            };
            let got = match self.inner.read(room) {
                Ok(0) => return Ok(self.give(buf)),
                Ok(got) => got,
                Err(e) => {
                    if matches!(e.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData) {
                        self.tail.clear();
                    }
                    return Err(e);
                }
            };
            let read = room.part(..got);
            match memchr::memrchr(b'\n', read) {
                None => self.tail.extend_from_slice(read),
                Some(end) => {
                    let end = end + 1;
                    let next = read.part(end..).to_vec();
                    let held = self.give(buf);
                    self.tail = next;
                    return Ok(held + end);
                }
            }
        }
    }
}

/// The bytes of a file, as far as they can be read: damage is an end. Lines of tables are whole; other files keep every
/// byte.
pub(super) struct Readable<'a> {
    inner: Box<dyn Read + 'a>,
    pub(super) is_torn: bool,
}

impl<'a> Readable<'a> {
    pub(super) fn new(path: &str, bytes: &'a mut dyn Read) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let has_lines = matches!(role(name).1, Role::Table(_) | Role::Dates | Role::Text);
        let inner: Box<dyn Read + 'a> =
            if has_lines { Box::new(WholeLines::new(bytes)) } else { Box::new(bytes) };
        Self { inner, is_torn: false }
    }
}

impl Read for Readable<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.is_torn {
            return Ok(0);
        }
        match self.inner.read(buf) {
            Err(e) if matches!(e.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData) => {
                self.is_torn = true;
                Ok(0)
            }
            outcome => outcome,
        }
    }
}

/// The rows of a table: see [`Dataset::rows`](super::Dataset::rows).
pub struct Rows<T> {
    lines: Lines,
    ended: bool,
    row: PhantomData<fn() -> T>,
}

impl<T> Rows<T> {
    pub(super) fn new(lines: Lines) -> Self {
        Self { lines, ended: false, row: PhantomData }
    }
}

impl<T> std::fmt::Debug for Rows<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows")
            .field("path", &self.lines.path)
            .field("line", &self.lines.line)
            .finish_non_exhaustive()
    }
}

impl<T: TableRow> Iterator for Rows<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            let read = match self.lines.next() {
                Ok(None) => break,
                Ok(Some(record)) => record.read::<T>(),
                Err(fault) => {
                    // A failing stream continues to fail.
                    self.ended = matches!(fault.error().kind(), robolog_core::ErrorKind::Io(_));
                    return Some(Err(fault));
                }
            };
            match read {
                Ok(None) => {}
                Ok(Some(row)) => return Some(Ok(row)),
                Err(e) => return Some(Err(Fault::at_line(&self.lines.path, self.lines.line, e))),
            }
        }
        self.ended = true;
        None
    }
}
