//! Streams around the stream of an input.

use std::io::{self, Read};

use super::{Input, Stream};

/// A stream that asks before each read whether to go on.
struct Watched<W> {
    stream: Stream,
    watch: W,
}

impl Input {
    /// The same input; `watch` is called before each read of the file, and reading fails with what it fails with. So a
    /// caller ends a job that takes long. The files of a data set are not watched.
    #[must_use]
    pub fn watched(self, watch: impl FnMut() -> io::Result<()> + Send + 'static) -> Self {
        Self { rest: Box::new(Watched { stream: self.rest, watch }), is_watched: true, ..self }
    }
}

impl<W: FnMut() -> io::Result<()>> Read for Watched<W> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.watch)()?;
        self.stream.read(buffer)
    }
}

/// What is left of a stream that ended too early.
pub(super) struct CutShort;

impl Read for CutShort {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}
