//! A stream whose header has not been read yet.

use std::{fmt, io, marker::PhantomData};

use super::{StreamReader, Window};
use crate::{
    Error, Limits, Result,
    format::{Format, Step},
    reader::State,
    slices::{InRange as _, Part as _},
};

/// A stream whose header has not been read yet: for sources that stall, which [`StreamReader::new`] would drop.
///
/// ```
/// use std::io;
///
/// use robolog_core::{ErrorKind, StreamReader, format::{Format, Opening}};
///
/// fn open<R: io::Read, F: Format>(source: R) -> robolog_core::Result<StreamReader<R, F>> {
///     let mut opening = Opening::new(source);
///     loop {
///         match opening.read() {
///             Ok(reader) => return Ok(reader),
///             Err((stalled, error)) if error.is_stall() => opening = stalled, // wait here until there is more
///             Err((_, error)) => return Err(error),
///         }
///     }
/// }
/// ```
pub struct Opening<R, F> {
    window: Window<R>,
    limits: Limits,
    /// Bytes available at the last attempt to read the header, and bytes it needed.
    looked: usize,
    wanted: usize,
    format: PhantomData<fn() -> F>,
}

impl<R: io::Read, F: Format> Opening<R, F> {
    /// Wraps a stream that has not been read yet.
    pub fn new(inner: R) -> Self {
        Self::with_limits(inner, Limits::default())
    }

    /// Like [`new`](Self::new), with the given limits.
    pub fn with_limits(inner: R, limits: Limits) -> Self {
        let window = Window::new(inner, limits.record);
        Self { window, limits, looked: 0, wanted: 0, format: PhantomData }
    }

    /// Reads the header. Returns an error if the stream is not of this format, ends inside the header, or fails; the
    /// stream comes back with the error, and reading continues where it was.
    pub fn read(mut self) -> Result<StreamReader<R, F>, (Self, Error)> {
        match self.header() {
            Ok((mut header, n)) => {
                F::limit(&mut header, self.limits);
                let mut window = self.window;
                let header_bytes = window.view().part(..n).to_vec();
                window.consume(n);
                tracing::debug!(format = F::NAME, len = n, "header read");
                let (lost_from, fault) = (None, None);
                let state = State::begin::<F>(&header);
                Ok(StreamReader { window, header, header_bytes, state, lost_from, fault })
            }
            Err(error) => Err((self, error)),
        }
    }

    fn header(&mut self) -> Result<(F::Header, usize)> {
        let window = &mut self.window;
        loop {
            // The bytes before a stream failure may suffice. With a stream that stalls often, the header is not tried
            // on each stall.
            while window.view().len() < self.wanted && !window.eof && !window.full() {
                window.fill(self.wanted.minus(window.view().len()))?;
                if window.failure.is_some() && window.view().len() >= self.looked.times(2) {
                    break;
                }
            }
            self.looked = window.view().len();
            let eof = window.eof || window.full();
            let view = window.view();
            match F::header(view.get(..window.limit).unwrap_or(view), eof) {
                Err(error) => {
                    // More bytes do not help: report it at once.
                    self.wanted = 0;
                    return Err(error);
                }
                Ok(Step::Ready(header, n)) => return Ok((header, n)),
                Ok(Step::Need(n)) if eof => return Err(Error::truncated(n, 0).within(F::NAME)),
                Ok(Step::Need(n)) => self.wanted = window.view().len().saturating_add(n.max(1)),
            }
        }
    }
}

impl<R, F> Opening<R, F> {
    /// The stream, to adjust it: see [`StreamReader::get_mut`].
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.window.inner
    }

    /// The stream, and the bytes already read from it: for another format.
    pub fn into_parts(self) -> (R, Vec<u8>) {
        let read = self.window.view().to_vec();
        (self.window.inner, read)
    }
}

impl<R, F> fmt::Debug for Opening<R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").field("window", &self.window).finish_non_exhaustive()
    }
}
