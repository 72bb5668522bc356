//! A target that discards its data.

use std::{
    hint::black_box,
    io::{Result, Seek, SeekFrom, Write},
};

/// A target that keeps only its position, to measure the cost of a writer itself. Cannot seek from the end.
#[derive(Debug, Default)]
pub struct Nowhere(u64);

impl Nowhere {
    /// Position of the next byte.
    pub fn position(&self) -> u64 {
        self.0
    }
}

impl Write for Nowhere {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        black_box(buf);
        self.0 += buf.len() as u64;
        Ok(buf.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Seek for Nowhere {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        if let SeekFrom::Start(at) = to {
            self.0 = at;
        }
        Ok(self.0)
    }
}
