//! A target that remembers why it failed.

use std::{
    io::{self, Seek, SeekFrom, Write},
    sync::{Arc, Mutex, PoisonError},
};

/// Keeps the first error of a target: errors of `mcap` do not always contain it.
#[derive(Debug)]
pub(super) struct Watched<W> {
    out: W,
    failure: Failure,
}

/// The first error.
#[derive(Debug, Clone, Default)]
pub(super) struct Failure(Arc<Mutex<Option<io::Error>>>);

impl<W> Watched<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, failure: Failure::default() }
    }

    pub(super) fn failure(&self) -> Failure {
        self.failure.clone()
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }

    fn watch<T>(&self, outcome: io::Result<T>) -> io::Result<T> {
        outcome.map_err(|error| {
            if error.kind() == io::ErrorKind::Interrupted {
                return error;
            }
            let kind = error.kind();
            self.failure.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            kind.into()
        })
    }
}

impl Failure {
    pub(super) fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let outcome = self.out.write(buf);
        self.watch(outcome)
    }

    fn flush(&mut self) -> io::Result<()> {
        let outcome = self.out.flush();
        self.watch(outcome)
    }
}

impl<W: Seek> Seek for Watched<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let outcome = self.out.seek(to);
        self.watch(outcome)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        let outcome = self.out.stream_position();
        self.watch(outcome)
    }
}
