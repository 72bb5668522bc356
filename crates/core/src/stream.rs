//! Reading records from a stream, through a window that holds one record.

use std::{fs::File, io, ops::Range, path::Path};

use crate::format::{Advance, advance, search, whole};
use crate::reader::State;
use crate::{Error, ErrorKind, Format, Limits, RawRecord, Result, Search, Step, slices::past};

/// The window's first size. It doubles with the records met; larger reads than this gain nothing.
const BLOCK: usize = 64 << 10;

/// A recording read from any [`io::Read`], in memory bounded by its largest record.
///
/// A stream that fails with [`io::ErrorKind::UnexpectedEof`], as decompressors do on a file that was cut, is read to
/// there; then comes one error.
///
/// Keeps its own window, so the stream needs no `BufReader`. Each format crate names its own.
///
/// Delivers exactly what [`Reader`](crate::Reader) delivers on the same bytes, however the stream cuts them up.
#[derive(Debug)]
pub struct StreamReader<R, F: Format> {
    window: Window<R>,
    header: F::Header,
    header_bytes: Vec<u8>,
    state: State,
}

/// Reads a recording from a file.
pub type FileReader<F> = StreamReader<File, F>;
/// Iterator over the samples of a file.
pub type FileSamples<F> = crate::Samples<File, F>;

impl<R: io::Read, F: Format> StreamReader<R, F> {
    /// Reads the header. Fails when the stream is not of this format, or ends inside the header.
    pub fn new(inner: R) -> Result<Self> {
        Self::with_limits(inner, Limits::default())
    }

    /// The same with limits of the caller's.
    pub fn with_limits(inner: R, limits: Limits) -> Result<Self> {
        let mut window = Window::new(inner, limits.record);
        loop {
            let eof = window.eof || window.full();
            let view = window.view();
            match F::header(view.get(..limits.record).unwrap_or(view), eof)? {
                Step::Ready(mut header, n) => {
                    F::limit(&mut header, limits);
                    let header_bytes = window.view().get(..n).unwrap_or_default().to_vec();
                    window.consume(n);
                    tracing::debug!(format = F::NAME, len = n, "header read");
                    return Ok(Self { window, header, header_bytes, state: State::Open });
                }
                Step::Need(n) if eof => return Err(Error::truncated(n, 0).within(F::NAME)),
                Step::Need(n) => window.fill(n)?,
            }
        }
    }

    /// What lies before the records.
    pub fn header(&self) -> &F::Header {
        &self.header
    }

    /// The header, to be changed before reading: where a format leaves open how records are read, the caller may
    /// say it.
    pub fn header_mut(&mut self) -> &mut F::Header {
        &mut self.header
    }

    /// The bytes of the header, as they stand in the file.
    pub fn header_bytes(&self) -> &[u8] {
        &self.header_bytes
    }

    /// Offset in the stream of the next record.
    pub fn position(&self) -> u64 {
        self.window.at
    }

    /// The next record as bytes, or `None` at the end. After an error there is nothing more until
    /// [`resync`](Self::resync).
    pub fn next_raw(&mut self) -> Result<Option<RawRecord<'_>>> {
        Ok(self.take()?.map(|(range, offset)| RawRecord { offset, bytes: self.window.get(range) }))
    }

    /// The next record, or `None` at the end. After a fault of the framing there is nothing more until
    /// [`resync`](Self::resync); after a record that cannot be decoded the next one follows.
    pub fn next_record(&mut self) -> Result<Option<F::Record<'_>>> {
        match self.take()? {
            Some((range, offset)) => {
                F::record(&self.header, RawRecord { offset, bytes: self.window.get(range) }).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The next record, or the damage that lies before it: reading goes on behind it by itself.
    ///
    /// Fails only when the stream does.
    #[inline]
    pub fn next_event(&mut self) -> Result<Event<'_, F>> {
        self.next_event_and_end().map(|(event, _)| event)
    }

    /// The same, and the offset behind it: of the record after this one.
    #[inline]
    pub fn next_event_and_end(&mut self) -> Result<(Event<'_, F>, u64)> {
        let (range, offset) = match self.take() {
            Ok(Some(taken)) => taken,
            Ok(None) => return Ok((Event::End, self.window.at)),
            Err(error) => return self.past(error),
        };
        let raw = RawRecord { offset, bytes: self.window.get(range) };
        let event = match F::record(&self.header, raw) {
            Ok(record) => Event::Record(record),
            Err(error) => {
                tracing::info!(%error, "a record cannot be decoded");
                Event::Damage { error, lost: offset..raw.end() }
            }
        };
        Ok((event, raw.end()))
    }

    /// The damage that this error tells of, unless the stream failed, and the offset behind it.
    #[cold]
    fn past(&mut self, error: Error) -> Result<(Event<'_, F>, u64)> {
        if matches!(error.kind(), ErrorKind::Io(_)) {
            return Err(error);
        }
        let lost = self.resync()?;
        tracing::info!(%error, ?lost, "the framing is damaged");
        let end = lost.end;
        Ok((Event::Damage { error, lost }, end))
    }

    /// After an error: moves to the next place at which a record can start, so that reading goes on there.
    ///
    /// Returns the range of bytes that belong to no record; it reaches the end of the stream when no start is found.
    pub fn resync(&mut self) -> Result<Range<u64>> {
        let from = self.window.at;
        if matches!(self.state, State::Failed { consumed: false }) {
            if self.window.view().is_empty() && !self.window.eof {
                self.window.fill(1)?;
            }
            self.window.consume(1);
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
        self.state = State::Open;
        Ok(from..self.window.at)
    }

    /// Whether the record that ends at `until` has been read, or one behind it, and all that is wrong with it was reported.
    pub fn is_at(&self, until: u64) -> bool {
        self.window.at >= until && !matches!(self.state, State::Owing(_) | State::Failed { .. })
    }

    /// The stream, of which up to a window's length beyond the last record has been read.
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

    /// What is not whole in the window, the end, and damage.
    fn next_slow(&mut self) -> Result<Option<(Range<usize>, u64)>> {
        if !self.state.enter()? {
            return Ok(None);
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
                Ok(Advance::More(n)) => window.fill(n)?,
                Ok(Advance::Done) if std::mem::take(&mut window.cut) => {
                    self.state = State::Failed { consumed: true };
                    return Err(Error::truncated(1, self.window.at).within("compressed stream"));
                }
                Ok(Advance::Done) => return Ok(None),
            }
        };
        Ok(Some(self.window.consume(len)))
    }
}

impl<R: io::Read + io::Seek, F: Format> StreamReader<R, F> {
    /// Moves to the record that begins at `offset`, counted from the start of the stream.
    ///
    /// Fails when the stream does.
    pub fn seek(&mut self, offset: u64) -> Result<()> {
        self.window.seek(offset)?;
        self.state = State::Open;
        Ok(())
    }

    /// Moves from anywhere to the next place at which a record can start, in formats where that is seen.
    pub(crate) fn align(&mut self) -> Result<()> {
        self.state = State::Failed { consumed: false };
        self.resync().map(drop)
    }
}

impl<F: Format> StreamReader<File, F> {
    /// Opens the file at `path`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let mut reader = Self::new(File::open(path).map_err(|e| Error::io(e, 0))?)?;
        F::apply_name(&mut reader.header, path);
        Ok(reader)
    }
}

/// What comes next in a recording that may be damaged: see [`StreamReader::next_event`].
#[derive(Debug)]
pub enum Event<'a, F: Format> {
    /// A record.
    Record(F::Record<'a>),
    /// A fault, and the bytes that belong to no record because of it. The range may be empty.
    Damage {
        /// What is wrong.
        error: Error,
        /// What it cost.
        lost: Range<u64>,
    },
    /// Nothing more.
    End,
}

/// The part of a stream that is in memory.
struct Window<R> {
    inner: R,
    buf: Vec<u8>,
    start: usize,
    end: usize,
    /// Offset in the stream of `buf[start]`.
    at: u64,
    limit: usize,
    eof: bool,
    /// The stream ends too early, as decompressors report: what came before is read, then this error is given.
    cut: bool,
    /// A failure of the stream that is still to be reported: what came before it is read first.
    failure: Option<io::Error>,
}

impl<R: io::Read> Window<R> {
    fn new(inner: R, limit: usize) -> Self {
        Self { inner, buf: Vec::new(), start: 0, end: 0, at: 0, limit, eof: false, cut: false, failure: None }
    }

    /// Forgets the first `n` bytes in view; says where they are, until the next `fill`.
    fn consume(&mut self, n: usize) -> (Range<usize>, u64) {
        let (start, at) = (self.start, self.at);
        let n = n.min(self.view().len());
        self.start = self.start.saturating_add(n);
        self.at = past(self.at, n);
        (start..self.start, at)
    }

    /// Reads until at least `need` more bytes are in view, the stream ends or fails, or the limit is passed by one
    /// byte. A failure is reported when nothing has come before it.
    fn fill(&mut self, need: usize) -> Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(self.failed(failure));
        }
        let have = self.view().len();
        let want = have.saturating_add(need).min(self.limit.saturating_add(1)).max(have.saturating_add(1));
        if self.start.saturating_add(want) > self.buf.len() {
            self.buf.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, have);
        }
        while self.view().len() < want && !self.eof {
            // Grows by what has arrived, not by what is claimed.
            if self.end.saturating_mul(2) >= self.buf.len() && self.buf.len() <= want.max(BLOCK) {
                // No more than the limit: twice that may be more than there is.
                let most = self.limit.saturating_add(1).max(BLOCK);
                let len = self.buf.len().saturating_mul(2).clamp(BLOCK, most);
                let more = len.saturating_sub(self.buf.len());
                if self.buf.try_reserve_exact(more).is_err() {
                    return Err(self.failed(io::ErrorKind::OutOfMemory.into()));
                }
                self.buf.resize(len, 0);
            }
            let free = self.buf.get_mut(self.end..).unwrap_or_default();
            match self.inner.read(free) {
                Ok(got) => {
                    self.eof = got == 0;
                    self.end = self.end.saturating_add(got.min(free.len()));
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => (self.eof, self.cut) = (true, true),
                Err(e) if self.view().len() > have => {
                    self.failure = Some(e);
                    return Ok(());
                }
                Err(e) => return Err(self.failed(e)),
            }
        }
        Ok(())
    }
}

impl<R: io::Read + io::Seek> Window<R> {
    fn seek(&mut self, offset: u64) -> Result<()> {
        let ahead = offset.checked_sub(self.at).and_then(|n| usize::try_from(n).ok());
        if let Some(ahead) = ahead.filter(|ahead| *ahead < self.view().len()) {
            self.consume(ahead);
            return Ok(());
        }
        self.inner.seek(io::SeekFrom::Start(offset)).map_err(|e| Error::io(e, offset))?;
        (self.start, self.end, self.at) = (0, 0, offset);
        (self.eof, self.cut, self.failure) = (false, false, None);
        Ok(())
    }
}

impl<R> Window<R> {
    #[cold]
    fn failed(&self, error: io::Error) -> Error {
        Error::io(error, past(self.at, self.view().len()))
    }

    fn view(&self) -> &[u8] {
        self.get(self.start..self.end)
    }

    fn get(&self, range: Range<usize>) -> &[u8] {
        self.buf.get(range).unwrap_or_default()
    }

    fn full(&self) -> bool {
        self.view().len() > self.limit
    }
}

impl<R> std::fmt::Debug for Window<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Window")
            .field("at", &self.at)
            .field("in_view", &self.view().len())
            .field("capacity", &self.buf.len())
            .finish_non_exhaustive()
    }
}
