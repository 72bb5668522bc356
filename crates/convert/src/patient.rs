//! Targets of archives.

use std::io::{self, Seek, SeekFrom, Write};

/// Retries interrupted writes, which the compressor would report as errors at the end.
///
/// After a failure, writes are dropped and succeed: dropping an archive completes it, and prints further failures to
/// standard error.
pub(crate) struct Patient<W> {
    out: W,
    position: u64,
    /// Furthest position, reported after a failure.
    end: u64,
    failure: Option<io::ErrorKind>,
}

impl<W> Patient<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, position: 0, end: 0, failure: None }
    }

    fn is_at(&mut self, position: u64) -> u64 {
        self.position = position;
        self.end = self.end.max(position);
        position
    }

    fn fail<T>(&mut self, error: io::Error) -> io::Result<T> {
        self.failure = Some(error.kind());
        Err(error)
    }
}

impl<W: Write> Patient<W> {
    /// The target of a complete archive, or the failure.
    pub(crate) fn into_inner(self) -> io::Result<W> {
        let Self { mut out, failure, .. } = self;
        failure.map_or(Ok(()), |kind| Err(io::Error::from(kind)))?;
        out.flush()?;
        Ok(out)
    }
}

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if self.failure.is_some() {
            return Ok(buf.len());
        }
        loop {
            match self.out.write(buf) {
                Ok(n) => {
                    self.is_at(self.position + n as u64);
                    return Ok(n);
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return self.fail(e),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.failure.is_some() {
            return Ok(());
        }
        self.out.flush().or_else(|e| self.fail(e))
    }
}

impl<W: Seek> Seek for Patient<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if self.failure.is_some() {
            return Ok(self.end);
        }
        match self.out.seek(to) {
            Ok(position) => Ok(self.is_at(position)),
            Err(e) => self.fail(e),
        }
    }
}
