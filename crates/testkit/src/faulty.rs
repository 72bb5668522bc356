//! A target that fails.

use std::io::{Cursor, Error, ErrorKind, Result, Seek, SeekFrom, Write};

/// A file in memory whose operation number `fails_at`, counted from 0, and all after it fail as on a full disk.
/// Writes before that take at most seven bytes at a time, and every other one is interrupted first.
#[derive(Debug)]
pub struct Faulty {
    file: Cursor<Vec<u8>>,
    operations: usize,
    fails_at: usize,
}

impl Faulty {
    /// A file that fails from that operation on.
    pub fn new(fails_at: usize) -> Self {
        Self { file: Cursor::new(Vec::new()), operations: 0, fails_at }
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.file.into_inner()
    }

    fn operation(&mut self) -> Result<()> {
        self.operations += 1;
        if self.operations > self.fails_at {
            return Err(Error::from(ErrorKind::StorageFull));
        }
        Ok(())
    }
}

impl Write for Faulty {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        self.operation()?;
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
