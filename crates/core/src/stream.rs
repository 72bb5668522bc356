//! Reading records from a stream, through a window of one record.

mod opening;
mod window;

use std::{fs::File, io, ops::Range, path::Path};

pub use self::opening::Opening;
use self::window::Window;
use crate::format::{Advance, advance, search, whole};
use crate::reader::State;
use crate::{
    Error, ErrorKind, Limits, Result,
    format::{Format, KnownLength, RawRecord, Search},
};

/// A recording read from any [`io::Read`], in memory bounded by its largest record.
///
/// If the stream fails with [`io::ErrorKind::UnexpectedEof`] or [`io::ErrorKind::InvalidData`], as decompressors do for
/// a cut or damaged file, everything before that is read, followed by one error: the stream's own, if it contains an
/// error of this crate.
///
/// Keeps its own window, so the stream needs no `BufReader`. Each format crate has an alias.
///
/// Delivers exactly the records that [`Reader`](crate::Reader) delivers for the same bytes, however the stream cuts
/// them.
///
/// # A stream that fails
/// After a stream error, such as [`io::ErrorKind::TimedOut`] or [`WouldBlock`](io::ErrorKind::WouldBlock) of a socket,
/// the next call tries the stream again and continues where it was: nothing is lost or repeated. A permanent failure is
/// returned on each call, and never taken for the end. [`Opening`] does the same for the header, and
/// [`Feeder`](crate::Feeder) accepts bytes as they come.
#[derive(Debug)]
pub struct StreamReader<R, F: Format> {
    window: Window<R>,
    header: F::Header,
    header_bytes: Vec<u8>,
    state: State,
    /// Start of the skipped bytes, while searching for the next record.
    lost_from: Option<u64>,
    /// The fault after which the next record is searched for, until it is reported.
    fault: Option<Error>,
}

/// What comes next, by its range in the window.
#[derive(Debug)]
pub(crate) enum Found {
    Record(Range<usize>, u64),
    Damage(Error, Range<u64>),
    End,
}

/// Reads a recording from a file, which is damaged if it becomes shorter in the meantime.
pub type FileReader<F> = StreamReader<KnownLength<File>, F>;
/// Iterator over the samples of a file.
pub type FileSamples<F> = crate::Samples<KnownLength<File>, F>;

impl<R: io::Read, F: Format> StreamReader<R, F> {
    /// Reads the header. Returns an error if the stream is not of this format, or ends inside the header.
    ///
    /// If the stream fails, it is dropped with everything read from it; [`Opening`] keeps it.
    pub fn new(inner: R) -> Result<Self> {
        Self::with_limits(inner, Limits::default())
    }

    /// Like [`new`](Self::new), with the given limits.
    pub fn with_limits(inner: R, limits: Limits) -> Result<Self> {
        Opening::with_limits(inner, limits).read().map_err(|(_, error)| error)
    }

    /// The header.
    pub fn header(&self) -> &F::Header {
        &self.header
    }

    /// The header, to be changed before reading: it may set what the file leaves open about reading its records.
    pub fn header_mut(&mut self) -> &mut F::Header {
        &mut self.header
    }

    /// The bytes of the header, as in the file.
    pub fn header_bytes(&self) -> &[u8] {
        &self.header_bytes
    }

    /// Offset in the stream of the next record.
    pub fn position(&self) -> u64 {
        self.window.at
    }

    /// The next record as bytes, or `None` at the end. After an error, returns `None` until [`resync`](Self::resync).
    pub fn next_raw(&mut self) -> Result<Option<RawRecord<'_>>> {
        Ok(self.take()?.map(|(range, offset)| RawRecord { offset, bytes: self.window.get(range) }))
    }

    /// The next record, or `None` at the end. After a framing fault, returns `None` until [`resync`](Self::resync); a
    /// record that cannot be decoded is followed by the next one.
    pub fn next_record(&mut self) -> Result<Option<F::Record<'_>>> {
        match self.take()? {
            Some((range, offset)) => {
                F::record(&self.header, RawRecord { offset, bytes: self.window.get(range) }).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The next record, or the damage before it; reading then continues after the damage automatically.
    ///
    /// Returns only stream errors; the next call continues.
    #[inline]
    pub fn next_event(&mut self) -> Result<Event<'_, F>> {
        self.next_event_and_end().map(|(event, _)| event)
    }

    /// Like [`next_event`](Self::next_event), with the offset after it, where the next record starts.
    #[inline]
    pub fn next_event_and_end(&mut self) -> Result<(Event<'_, F>, u64)> {
        let found = self.find_next()?;
        Ok(self.event(found))
    }

    /// Reads to the end of the next record or damage.
    #[inline]
    pub(crate) fn find_next(&mut self) -> Result<Found> {
        match self.take() {
            Ok(Some((range, offset))) => Ok(Found::Record(range, offset)),
            Ok(None) => Ok(Found::End),
            Err(error) => self.skip_damage(error),
        }
    }

    /// The event found, and the offset after it.
    #[inline]
    pub(crate) fn event(&self, found: Found) -> (Event<'_, F>, u64) {
        let (range, offset) = match found {
            Found::Record(range, offset) => (range, offset),
            Found::Damage(error, lost) => {
                let end = lost.end;
                return (Event::Damage { error, lost }, end);
            }
            Found::End => return (Event::End, self.window.at),
        };
        let raw = RawRecord { offset, bytes: self.window.get(range) };
        let event = match F::record(&self.header, raw) {
            Ok(record) => Event::Record(record),
            Err(error) => {
                tracing::info!(%error, "a record cannot be decoded");
                Event::Damage { error, lost: offset..raw.end() }
            }
        };
        (event, raw.end())
    }

    /// Moves to the record after this fault, which is kept if the stream fails on the way. Returns stream errors.
    #[cold]
    fn skip_damage(&mut self, error: Error) -> Result<Found> {
        if matches!(error.kind(), ErrorKind::Io(_)) {
            return Err(error);
        }
        match self.resync() {
            Ok(lost) => {
                tracing::info!(%error, ?lost, "the framing is damaged");
                Ok(Found::Damage(error, lost))
            }
            Err(failure) => {
                self.fault = Some(error);
                Err(failure)
            }
        }
    }

    /// After an error: moves to the next place where a record can start, and reading continues there.
    ///
    /// Returns the range of skipped bytes. It reaches the end of the stream if no start is found, and is empty if there
    /// was no framing fault. If the stream fails, the next call continues, and returns the whole range.
    pub fn resync(&mut self) -> Result<Range<u64>> {
        if matches!(self.state, State::Open | State::Header(_)) {
            return Ok(self.window.at..self.window.at);
        }
        let from = *self.lost_from.get_or_insert(self.window.at);
        if matches!(self.state, State::Failed { consumed: false }) {
            if self.window.view().is_empty() && !self.window.eof {
                self.window.fill(1)?;
            }
            self.window.consume(1);
            self.state = State::Failed { consumed: true };
        }
        loop {
            let window = &self.window;
            match search::<F>(&self.header, window.view(), window.at, window.eof, window.limit) {
                Some(Search::Found(n)) => {
                    self.window.consume(n);
                    break;
                }
                Some(Search::Beyond { skip, need }) => {
                    self.window.consume(skip);
                    if !self.window.full() {
                        self.window.fill(need.max(1))?;
                    }
                }
                None => {
                    self.window.consume(usize::MAX);
                    break;
                }
            }
        }
        (self.state, self.lost_from) = (State::Open, None);
        Ok(from..self.window.at)
    }

    /// Whether the record that ends at `until`, or a later one, has been read and all its faults were reported.
    pub fn is_at(&self, until: u64) -> bool {
        self.window.at >= until
            && !matches!(self.state, State::Header(_) | State::Owing(_) | State::Failed { .. })
    }

    /// The stream, for example to set time-outs or check for waiting data.
    ///
    /// Bytes read from it directly are missing from the recording.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.window.inner
    }

    /// The stream, which has been read up to a window's length past the last record.
    pub fn into_inner(self) -> R {
        self.window.inner
    }

    #[inline]
    fn take(&mut self) -> Result<Option<(Range<usize>, u64)>> {
        if matches!(self.state, State::Open) {
            let window = &self.window;
            let len = whole::<F>(&self.header, window.view(), window.at, window.eof, window.limit);
            if let Some(len) = len {
                return Ok(Some(self.window.consume(len)));
            }
        }
        self.next_slow()
    }

    /// Handles incomplete records in the window, the end, and damage.
    fn next_slow(&mut self) -> Result<Option<(Range<usize>, u64)>> {
        if !self.state.enter()? {
            if let Some(fault) = self.fault.take() {
                return Err(fault);
            }
            if self.lost_from.is_none() {
                return Ok(None);
            }
            // The stream failed during a search.
            self.resync()?;
            return self.take();
        }
        let len = loop {
            let window = &mut self.window;
            match advance::<F>(&self.header, window.view(), window.at, window.eof, window.limit) {
                Ok(Advance::Record(n)) => {
                    self.state = State::Open;
                    break n;
                }
                Ok(Advance::Torn(0, error)) | Err(error) => {
                    self.state = State::Failed { consumed: false };
                    return Err(error);
                }
                Ok(Advance::Torn(n, error)) => {
                    self.state = State::Owing(error);
                    break n;
                }
                Ok(Advance::More(n)) => {
                    if let Err(error) = window.fill(n) {
                        self.state = State::Open;
                        return Err(error);
                    }
                }
                Ok(Advance::Done) => {
                    let Some(fault) = window.fault.take() else { return Ok(None) };
                    self.state = State::Failed { consumed: true };
                    return Err(fault);
                }
            }
        };
        Ok(Some(self.window.consume(len)))
    }
}

impl<R: io::Read + io::Seek, F: Format> StreamReader<R, F> {
    /// Moves to the record at `offset`, counted from the start of the stream.
    ///
    /// Returns stream errors.
    pub fn seek(&mut self, offset: u64) -> Result<()> {
        self.window.seek(offset)?;
        let is_first = offset <= self.header_bytes.len() as u64;
        self.state = if is_first { State::begin::<F>(&self.header) } else { State::Open };
        (self.lost_from, self.fault) = (None, None);
        Ok(())
    }

    /// Moves from any position to the next place where a record can start, in formats that can recognise one.
    pub(crate) fn align(&mut self) -> Result<()> {
        (self.state, self.lost_from) = (State::Failed { consumed: false }, None);
        self.resync().map(drop)
    }
}

impl<F: Format> FileReader<F> {
    /// Opens the file at `path`. Returns an error with the path if it cannot be opened, and the errors of
    /// [`new`](StreamReader::new).
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_at_least(path.as_ref(), 0)
    }

    /// Opens a file that had `least` bytes before.
    pub(crate) fn open_at_least(path: &Path, least: u64) -> Result<Self> {
        let mut reader = Self::new(KnownLength::open(path, least)?)?;
        F::apply_name(&mut reader.header, path);
        Ok(reader)
    }
}

/// Receives each damage: the error and the range of the lost bytes, as in [`Event::Damage`].
pub type OnDamage<'a> = &'a mut dyn FnMut(Error, Range<u64>);

/// The next item of a recording that may be damaged: see [`StreamReader::next_event`].
#[derive(Debug)]
pub enum Event<'a, F: Format> {
    /// A record.
    Record(F::Record<'a>),
    /// A fault, and the bytes skipped because of it. The range may be empty.
    Damage {
        /// The fault.
        error: Error,
        /// The bytes lost.
        lost: Range<u64>,
    },
    /// The end.
    End,
}
