//! The part of a stream held in memory.

use std::{io, ops::Range};

use crate::{
    Error, Result,
    slices::{InRange as _, Part as _, past},
};

/// Initial size of the window. It doubles as longer records arrive; larger reads are no faster.
const BLOCK: usize = 64 << 10;

/// The part of a stream held in memory.
pub(super) struct Window<R> {
    pub(super) inner: R,
    buf: Vec<u8>,
    start: usize,
    end: usize,
    /// Offset in the stream of `buf[start]`.
    pub(super) at: u64,
    pub(super) limit: usize,
    pub(super) eof: bool,
    /// The stream is cut or damaged, as reported by a decompressor: everything before is read, then this error is
    /// returned.
    pub(super) fault: Option<Error>,
    /// A pending stream failure: everything before it is read first.
    pub(super) failure: Option<io::Error>,
}

impl<R: io::Read> Window<R> {
    pub(super) fn new(inner: R, limit: usize) -> Self {
        Self {
            inner,
            buf: Vec::new(),
            start: 0,
            end: 0,
            at: 0,
            limit,
            eof: false,
            fault: None,
            failure: None,
        }
    }

    /// Drops the first `n` bytes in view; returns their range, valid until the next `fill`.
    pub(super) fn consume(&mut self, n: usize) -> (Range<usize>, u64) {
        let (start, at) = (self.start, self.at);
        let n = n.min(self.view().len());
        self.start = self.start.plus(n);
        self.at = past(self.at, n);
        (start..self.start, at)
    }

    /// Reads until at least `need` more bytes are in view, the stream ends or fails, or the limit is passed by one
    /// byte. Returns a failure only if no bytes came before it.
    pub(super) fn fill(&mut self, need: usize) -> Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(self.failed(failure));
        }
        let have = self.view().len();
        let want = have.saturating_add(need).min(self.limit.saturating_add(1)).max(have.saturating_add(1));
        if self.start.saturating_add(want) > self.buf.len() {
            self.buf.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, have);
        }
        while self.view().len() < want && !self.eof {
            // Grows by the bytes that have arrived, not by a claimed length.
            if self.end.times(2) >= self.buf.len() && self.buf.len() <= want.max(BLOCK) {
                // No larger than the limit: twice that may exceed memory.
                let most = self.limit.saturating_add(1).max(BLOCK);
                let len = self.buf.len().times(2).clamp(BLOCK, most);
                let more = len.minus(self.buf.len());
                if self.buf.try_reserve_exact(more).is_err() {
                    return Err(self.failed(io::ErrorKind::OutOfMemory.into()));
                }
                self.buf.resize(len, 0);
            }
            let free = self.buf.part_mut(self.end..);
            match self.inner.read(free) {
                Ok(got) => {
                    self.eof = got == 0;
                    self.end = self.end.plus(got.min(free.len()));
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if matches!(e.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData) => {
                    let end = past(self.at, self.view().len());
                    (self.eof, self.fault) = (true, Some(fault_of(e, end)));
                }
                Err(e) if self.view().len() > have => {
                    self.failure = Some(e);
                    return Ok(());
                }
                Err(e) => return Err(self.failed(e)),
            }
        }
        Ok(())
    }
}

impl<R: io::Read + io::Seek> Window<R> {
    pub(super) fn seek(&mut self, offset: u64) -> Result<()> {
        let ahead = offset.checked_sub(self.at).and_then(|n| usize::try_from(n).ok());
        if let Some(ahead) = ahead.filter(|ahead| *ahead < self.view().len()) {
            self.consume(ahead);
            return Ok(());
        }
        self.inner.seek(io::SeekFrom::Start(offset)).map_err(|e| Error::io(e, offset))?;
        (self.start, self.end, self.at) = (0, 0, offset);
        (self.eof, self.fault, self.failure) = (false, None, None);
        Ok(())
    }
}

/// The fault of a stream that ends at `end` with this failure.
#[cold]
fn fault_of(failure: io::Error, end: u64) -> Error {
    let is_cut = failure.kind() == io::ErrorKind::UnexpectedEof;
    match failure.downcast::<Error>() {
        Ok(told) => told.moved(end),
        Err(_) if is_cut => Error::truncated(1, end).within("compressed stream"),
        Err(other) => Error::invalid("data", other, "data that can be decoded", end).within("stream"),
    }
}

impl<R> Window<R> {
    #[cold]
    fn failed(&self, error: io::Error) -> Error {
        Error::io(error, past(self.at, self.view().len()))
    }

    pub(super) fn view(&self) -> &[u8] {
        self.get(self.start..self.end)
    }

    pub(super) fn get(&self, range: Range<usize>) -> &[u8] {
        self.buf.part(range)
    }

    pub(super) fn full(&self) -> bool {
        self.view().len() > self.limit
    }
}

impl<R> std::fmt::Debug for Window<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Window")
            .field("at", &self.at)
            .field("in_view", &self.view().len())
            .field("capacity", &self.buf.len())
            .finish_non_exhaustive()
    }
}
