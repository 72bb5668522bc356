//! Reading records from bytes in memory: a `Vec`, a memory map, `include_bytes!`.

use std::{iter::FusedIterator, ops::Range};

use crate::format::{Advance, advance, search, whole};
use crate::{
    Error, Index, Limits, Result,
    format::{Format, RawRecord, Search, Step, Timed},
    slices::{InRange as _, Part as _},
};

/// Reads a recording in memory. Records borrow from the input, not from the reader.
///
/// Each format crate has an alias for its format, `Reader<'a>`.
#[derive(Debug)]
pub struct Reader<'a, F: Format> {
    header: F::Header,
    input: &'a [u8],
    start: usize,
    limits: Limits,
}

impl<'a, F: Format> Reader<'a, F> {
    /// Reads the header of `input`. Returns an error if it is not of this format, or ends inside the header.
    pub fn new(input: &'a [u8]) -> Result<Self> {
        Self::with_limits(input, Limits::default())
    }

    /// Like [`new`](Self::new), with the given limits.
    pub fn with_limits(input: &'a [u8], limits: Limits) -> Result<Self> {
        match F::header(input.get(..limits.record).unwrap_or(input), true)? {
            Step::Ready(mut header, start) => {
                F::limit(&mut header, limits);
                Ok(Self { header, input, start, limits })
            }
            Step::Need(n) => Err(Error::truncated(n, 0).within(F::NAME)),
        }
    }

    /// The header.
    pub fn header(&self) -> &F::Header {
        &self.header
    }

    /// The header, to be changed before reading: it may set what the file leaves open about reading its records.
    pub fn header_mut(&mut self) -> &mut F::Header {
        &mut self.header
    }

    /// The whole input.
    pub fn input(&self) -> &'a [u8] {
        self.input
    }

    /// The bytes of the header, as in the file.
    pub fn header_bytes(&self) -> &'a [u8] {
        self.input.part(..self.start)
    }

    /// The records as byte ranges, not decoded.
    pub fn raw_records(&self) -> RawRecords<'_, 'a, F> {
        self.raw_records_from(self.start as u64)
    }

    /// The records from the one that starts at `offset`, which comes from an [`Index`] or a record.
    pub fn raw_records_from(&self, offset: u64) -> RawRecords<'_, 'a, F> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.input.len());
        let state = if start <= self.start { State::begin::<F>(&self.header) } else { State::Open };
        RawRecords { header: &self.header, input: self.input, pos: start, limit: self.limits.record, state }
    }

    /// The records. A framing fault is returned as an error, and ends the iteration: see [`RawRecords::resync`]. A
    /// header fault does not end it.
    pub fn records(&self) -> Records<'_, 'a, F> {
        Records { raw: self.raw_records() }
    }

    /// The records from the one that starts at `offset`.
    pub fn records_from(&self, offset: u64) -> Records<'_, 'a, F> {
        Records { raw: self.raw_records_from(offset) }
    }

    /// The offset and time of each record, from a scan of the whole input.
    ///
    /// Returns the first framing fault as an error, like [`records`](Self::records).
    pub fn index(&self) -> Result<Index> {
        let mut index = Index::default();
        for raw in self.raw_records() {
            let raw = raw?;
            index.push(F::record(&self.header, raw)?.time(), raw.offset);
        }
        Ok(index)
    }
}

/// Iterator over the byte ranges of records: see [`Reader::raw_records`].
#[derive(Debug)]
pub struct RawRecords<'h, 'a, F: Format> {
    header: &'h F::Header,
    input: &'a [u8],
    pos: usize,
    limit: usize,
    state: State,
}

/// State of an iteration: running, holding the error of the header or of a torn record, or finished.
#[derive(Debug)]
pub(crate) enum State {
    Open,
    Header(Error),
    Owing(Error),
    Failed { consumed: bool },
    Over,
}

impl State {
    /// At the first record.
    pub(crate) fn begin<F: Format>(header: &F::Header) -> Self {
        F::header_fault(header).map_or(Self::Open, Self::Header)
    }

    /// Whether there is a record to frame. The state is then finished until the caller sets the outcome; a pending
    /// error is returned first.
    pub(crate) fn enter(&mut self) -> Result<bool> {
        match std::mem::replace(self, Self::Over) {
            Self::Open => Ok(true),
            // The records follow directly, without a search.
            Self::Header(error) => {
                *self = Self::Open;
                Err(error)
            }
            Self::Owing(error) => {
                *self = Self::Failed { consumed: true };
                Err(error)
            }
            ended => {
                *self = ended;
                Ok(false)
            }
        }
    }
}

impl<'a, F: Format> RawRecords<'_, 'a, F> {
    /// After an error: moves to the next place where a record can start, and iteration continues there.
    ///
    /// Returns the range of skipped bytes. It reaches the end of the input if no start is found, and is empty if there
    /// was no framing fault.
    pub fn resync(&mut self) -> Range<u64> {
        let from = self.pos;
        if matches!(self.state, State::Open | State::Header(_)) {
            return from as u64..from as u64;
        }
        if matches!(self.state, State::Failed { consumed: false }) {
            self.pos = self.pos.plus(1).min(self.input.len());
        }
        loop {
            let rest = self.input.part(self.pos..);
            let (step, done) = match search::<F>(self.header, rest, self.pos as u64, true, self.limit) {
                Some(Search::Found(n)) => (n, true),
                Some(Search::Beyond { skip, .. }) => (skip, false),
                None => (rest.len(), true),
            };
            self.pos = self.pos.saturating_add(step).min(self.input.len());
            if done {
                break;
            }
        }
        self.state = State::Open;
        from as u64..self.pos as u64
    }

    #[inline]
    fn step(&mut self) -> Result<Option<RawRecord<'a>>> {
        if matches!(self.state, State::Open) {
            let rest = self.input.part(self.pos..);
            let offset = self.pos as u64;
            if let Some(len) = whole::<F>(self.header, rest, offset, true, self.limit) {
                self.pos = self.pos.plus(len);
                return Ok(Some(RawRecord { offset, bytes: rest.part(..len) }));
            }
        }
        self.step_with_care()
    }

    /// Handles the end, damage, and the last record.
    fn step_with_care(&mut self) -> Result<Option<RawRecord<'a>>> {
        if !self.state.enter()? {
            return Ok(None);
        }
        let rest = self.input.part(self.pos..);
        let at = self.pos as u64;
        let (len, state) = match advance::<F>(self.header, rest, at, true, self.limit) {
            Ok(Advance::Record(n)) => (n, State::Open),
            Ok(Advance::Torn(0, error)) | Err(error) => {
                self.state = State::Failed { consumed: false };
                return Err(error);
            }
            Ok(Advance::Torn(n, error)) => (n, State::Owing(error)),
            Ok(Advance::Done | Advance::More(_)) => return Ok(None),
        };
        self.state = state;
        self.pos = self.pos.plus(len);
        Ok(Some(RawRecord { offset: at, bytes: rest.part(..len) }))
    }
}

impl<'a, F: Format> Iterator for RawRecords<'_, 'a, F> {
    type Item = Result<RawRecord<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

impl<F: Format> FusedIterator for RawRecords<'_, '_, F> {}

/// Iterator over records: see [`Reader::records`].
#[derive(Debug)]
pub struct Records<'h, 'a, F: Format> {
    raw: RawRecords<'h, 'a, F>,
}

impl<F: Format> Records<'_, '_, F> {
    /// After an error: moves to the next place where a record can start. See [`RawRecords::resync`].
    pub fn resync(&mut self) -> Range<u64> {
        self.raw.resync()
    }
}

impl<'a, F: Format> Iterator for Records<'_, 'a, F> {
    type Item = Result<F::Record<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.raw.next()?.and_then(|raw| F::record(self.raw.header, raw)))
    }
}

impl<F: Format> FusedIterator for Records<'_, '_, F> {}
