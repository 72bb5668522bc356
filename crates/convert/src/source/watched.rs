//! A stream that asks before each read whether to go on.

use std::io::{self, Read};

use super::Stream;

/// A stream that asks before each read whether to go on.
pub(super) struct Watched<W> {
    stream: Stream,
    watch: W,
}

impl<W: FnMut() -> io::Result<()>> Watched<W> {
    /// Fails with what `watch` fails with.
    pub(super) fn new(stream: Stream, watch: W) -> Self {
        Self { stream, watch }
    }
}

impl<W: FnMut() -> io::Result<()>> Read for Watched<W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.watch)()?;
        self.stream.read(buffer)
    }
}
