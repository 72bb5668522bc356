//! Streams and targets that fail.

use std::io::{Cursor, Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};

/// How a stream or target fails, at one operation and every later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// With an error of this kind.
    Error(ErrorKind),
    /// A stream ends early, as if its file shrank during reading; a target accepts no more bytes.
    End,
}

impl Fault {
    /// The result of the read or write.
    fn transfer(self) -> Result<usize> {
        match self {
            Self::Error(kind) => Err(kind.into()),
            Self::End => Ok(0),
        }
    }
}

/// A slice that fails from read number `fails_at`, counted from 0. Earlier reads deliver at most eleven bytes, and
/// every third one is interrupted first.
#[derive(Debug, Clone)]
pub struct Failing<'a> {
    rest: &'a [u8],
    reads: usize,
    fails_at: usize,
    fault: Fault,
}

impl<'a> Failing<'a> {
    /// Maximum bytes per read.
    pub const STEP: usize = 11;

    /// A stream of `bytes` that fails from that read on.
    pub fn new(bytes: &'a [u8], fails_at: usize, fault: Fault) -> Self {
        Self { rest: bytes, reads: 0, fails_at, fault }
    }
}

impl Read for Failing<'_> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        self.reads += 1;
        if self.reads > self.fails_at {
            return self.fault.transfer();
        }
        if self.reads.is_multiple_of(3) {
            return Err(ErrorKind::Interrupted.into());
        }
        let n = buf.len().min(Self::STEP);
        self.rest.take(n as u64).read(buf).inspect(|got| self.rest = &self.rest[*got..])
    }
}

/// A file in memory that fails from operation number `fails_at`, counted from 0. Earlier writes accept at most seven
/// bytes at a time, and every other one is interrupted first.
#[derive(Debug)]
pub struct Faulty {
    file: Cursor<Vec<u8>>,
    operations: usize,
    fails_at: usize,
    fault: Fault,
}

impl Faulty {
    /// A file on a disk that is full from that operation on.
    pub fn new(fails_at: usize) -> Self {
        Self::with(fails_at, Fault::Error(ErrorKind::StorageFull))
    }

    /// A file that fails in this way from that operation on.
    pub fn with(fails_at: usize, fault: Fault) -> Self {
        Self { file: Cursor::new(Vec::new()), operations: 0, fails_at, fault }
    }

    /// Number of operations.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// The bytes written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.file.into_inner()
    }

    fn fails(&mut self) -> bool {
        self.operations += 1;
        self.operations > self.fails_at
    }

    fn operation(&mut self) -> Result<()> {
        match (self.fails(), self.fault) {
            (true, Fault::Error(kind)) => Err(Error::from(kind)),
            _ => Ok(()),
        }
    }
}

impl Write for Faulty {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        if self.fails() {
            return self.fault.transfer();
        }
        if self.operations.is_multiple_of(2) {
            return Err(Error::from(ErrorKind::Interrupted));
        }
        self.file.write(&buf[..buf.len().min(7)])
    }

    fn flush(&mut self) -> Result<()> {
        self.operation()
    }
}

impl Seek for Faulty {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.operation()?;
        self.file.seek(to)
    }
}
