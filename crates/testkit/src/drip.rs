//! A stream that yields a few bytes at a time.

use std::io::{Error, ErrorKind, Read, Result};

/// Reads from a slice at most `step` bytes at a time, and is interrupted before every third read.
#[derive(Debug, Clone)]
pub struct Drip<'a> {
    rest: &'a [u8],
    step: usize,
    reads: usize,
}

impl<'a> Drip<'a> {
    /// A stream of `bytes`, at most `step` at a time.
    pub fn new(bytes: &'a [u8], step: usize) -> Self {
        Self { rest: bytes, step, reads: 0 }
    }
}

impl Read for Drip<'_> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize> {
        self.reads += 1;
        if self.reads.is_multiple_of(3) {
            return Err(Error::from(ErrorKind::Interrupted));
        }
        let n = self.step.min(buf.len());
        self.rest.take(n as u64).read(buf).inspect(|got| self.rest = &self.rest[*got..])
    }
}
