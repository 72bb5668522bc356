//! A stream that stalls, and goes on when it is asked again.

use std::io::{Error, ErrorKind, Read, Result};

/// Reads from a slice at most `step` bytes at a time, and gives nothing but an error before every read whose turn it is.
#[derive(Debug, Clone)]
pub struct Stalling<'a> {
    rest: &'a [u8],
    step: usize,
    kind: ErrorKind,
    every: usize,
    reads: usize,
}

impl<'a> Stalling<'a> {
    /// A stream of `bytes`, at most `step` at a time, that fails in this way at every read whose number, from 1, `every`
    /// divides.
    pub fn new(bytes: &'a [u8], step: usize, kind: ErrorKind, every: usize) -> Self {
        Self { rest: bytes, step, kind, every, reads: 0 }
    }
}

impl Read for Stalling<'_> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        self.reads += 1;
        if self.reads.is_multiple_of(self.every) {
            return Err(Error::from(self.kind));
        }
        let n = self.step.min(buf.len());
        self.rest.take(n as u64).read(buf).inspect(|got| self.rest = &self.rest[*got..])
    }
}
