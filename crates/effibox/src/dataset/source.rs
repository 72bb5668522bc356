//! The rows of one table of a data set.

use std::{io::Read, marker::PhantomData};

use robolog_core::{Error, Event, Limits};

use super::{
    fault::{Fault, Result},
    lister::Stream,
    storage::Storage,
};
use crate::table::{LineKind, Record, StreamReader, TableKind, TableRow};

/// Maximum bytes of a line.
const LINE: usize = 16 << 20;

/// Reads the lines of a table and counts them.
pub(super) struct Lines<R = Stream> {
    pub(super) path: String,
    pub(super) reader: StreamReader<R>,
    pub(super) line: u64,
    /// Number of data lines so far.
    pub(super) rows: u64,
}

impl Lines<Stream> {
    pub(super) fn open(storage: &Storage, path: &str, kind: TableKind) -> Result<Self> {
        let Some(stream) = storage.stream(path)? else {
            return Err(Fault::io(path, std::io::ErrorKind::NotFound.into()));
        };
        Self::of(stream, path, kind)
    }
}

impl<R: Read> Lines<R> {
    pub(super) fn of(stream: R, path: &str, kind: TableKind) -> Result<Self> {
        let limits = Limits::default().with_record(LINE);
        let mut reader = StreamReader::with_limits(stream, limits).map_err(|e| Fault::new(path, e))?;
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
