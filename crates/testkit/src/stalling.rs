//! A stream that stalls, and continues on the next read.

use std::io::{Error, ErrorKind, Read, Result};

/// Reads from a slice at most `step` bytes at a time, and returns an error before every `every`th read.
#[derive(Debug, Clone)]
pub struct Stalling<'a> {
    rest: &'a [u8],
    step: usize,
    kind: ErrorKind,
    every: usize,
    reads: usize,
}

impl<'a> Stalling<'a> {
    /// A stream of `bytes`, at most `step` at a time, that returns an error of this kind at every read whose number,
    /// from 1, is divisible by `every`.
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
