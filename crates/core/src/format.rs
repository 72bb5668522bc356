//! What the author of a format needs: the traits it implements, and the parts to build them from.
//!
//! A format implements [`Format`], the framing, then [`Recording`] and [`Decoder`] for its samples, and if it can be
//! written, [`Copier`] and [`Editing`].

use std::{fmt::Debug, path::Path};

use crate::{
    Error, ErrorKind, Limits, Result, Timestamp,
    slices::{InRange as _, missing, past},
};

#[doc(hidden)]
pub use crate::rhythm::Rhythm;
pub use crate::{
    anonymise::{Axis, Offset, Places, is_latitude, is_longitude},
    decode::{Decoder, Wanted},
    edit::{Actors, Change, Edited, Editing, Verdict, splice},
    error::is_of_machine,
    known_length::KnownLength,
    lent::{Lent, LentByName, LentNames},
    limits::read_one_over,
    names::UnknownName,
    output::{CountingWriter, NewFile, create},
    recording::{Copier, DetailsOf, MergeMode, OptionsOf, Recording},
    row::{ReadColumn, WriteColumn, column as row_column},
    sample::Lend,
    seek::ReorderBound,
    split::{extend_ranges, push_range},
    stream::Opening,
    survey::{Observer, SurveyBuilder, SurveyStep, survey_by, survey_each, survey_observed, survey_with},
};

/// A recording format: how to frame its header and records, and find the next record after damage.
///
/// Every function works on bytes in memory and does no I/O, so that one implementation serves slices, streams, indexing
/// and repair. If the bytes do not suffice it returns how many more it needs.
///
/// `eof` means that nothing follows `input`: the file ends, or the reader's limit is reached.
pub trait Format: Sized + 'static {
    /// Data before the records.
    type Header: Debug;
    /// A record, decoded as far as its envelope.
    type Record<'a>: Debug + Timed;

    /// Name of the format on the command line and in errors.
    const NAME: &'static str;

    /// Whether a file that starts with these bytes is of this format. Reliable given 64 bytes or more of a whole file.
    fn detect(start: &[u8]) -> bool;

    /// Reads the header from the start of the input; the step includes its length in bytes.
    ///
    /// May look past the header's end if only the records show how to read them. How far it looks must not depend on
    /// the length of `input`: it requests its look-ahead unless `eof`.
    fn header(input: &[u8], eof: bool) -> Result<Step<Self::Header>>;

    /// Takes information from the file name that the bytes lack. The default does nothing.
    fn apply_name(header: &mut Self::Header, path: &Path) {
        let _ = (header, path);
    }

    /// A fault in a header after which records can still be read: readers return it once, before the first record. The
    /// default is none.
    fn header_fault(header: &Self::Header) -> Option<Error> {
        let _ = header;
        None
    }

    /// Stores the reader's limits for its decoder. The default does nothing.
    fn limit(header: &mut Self::Header, limits: Limits) {
        let _ = (header, limits);
    }

    /// Returns the length of the record at the start of `input`; `at` is its offset in the file.
    ///
    /// Allocates nothing and decodes no payload.
    fn measure(header: &Self::Header, input: &[u8], at: u64, eof: bool) -> Result<Extent>;

    /// Parses the bytes delimited by [`measure`](Self::measure).
    fn record<'a>(header: &Self::Header, raw: RawRecord<'a>) -> Result<Self::Record<'a>>;

    /// Finds the next place where a record can start.
    fn resync(header: &Self::Header, input: &[u8], at: u64, eof: bool) -> Search;
}

/// The bytes of one record, and their offset in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawRecord<'a> {
    /// Offset of the first byte.
    pub offset: u64,
    /// All bytes of the record, including its header.
    pub bytes: &'a [u8],
}

impl RawRecord<'_> {
    /// Offset of the first byte after the record.
    pub fn end(&self) -> u64 {
        past(self.offset, self.bytes.len())
    }
}

/// A value read from the start of the input, or the number of bytes still needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<T> {
    /// The value and its length in bytes.
    Ready(T, usize),
    /// At least this many more bytes are needed.
    Need(usize),
}

/// Unwraps the value and length of a ready [`Step`]; otherwise returns from the function with the bytes needed.
#[macro_export]
macro_rules! ready {
    ($step:expr) => {
        match $step {
            $crate::format::Step::Ready(value, len) => (value, len),
            $crate::format::Step::Need(n) => return Ok($crate::format::Step::Need(n)),
        }
    };
}

/// The extent of a record.
#[derive(Debug)]
pub enum Extent {
    /// The record is complete and this long.
    Whole(usize),
    /// The record is damaged after its first `len` bytes, which are good. They are delivered first, then `error`.
    Torn {
        /// Bytes that are good; 0 delivers nothing.
        len: usize,
        /// The error that ends reading.
        error: Error,
    },
    /// At least this many more bytes are needed.
    Need(usize),
    /// The records end here, with the format's end mark.
    End,
}

/// Result of searching for the next record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// A record starts after this many bytes.
    Found(usize),
    /// None starts in the next `skip` bytes; to decide about more, `need` bytes beyond the input are required.
    Beyond {
        /// Bytes that can be dropped.
        skip: usize,
        /// Bytes needed beyond the input.
        need: usize,
    },
}

impl<T> Step<T> {
    /// Maps the value.
    #[inline]
    pub fn map<U>(self, value: impl FnOnce(T) -> U) -> Step<U> {
        match self {
            Self::Ready(ready, len) => Step::Ready(value(ready), len),
            Self::Need(n) => Step::Need(n),
        }
    }
}

impl Search {
    /// After the first line end in `input`: for line formats, where a record can start on each line.
    pub fn next_line(input: &[u8]) -> Self {
        match memchr::memchr(b'\n', input) {
            Some(end) => Self::Found(end.plus(1)),
            None => Self::Beyond { skip: input.len(), need: 1 },
        }
    }
}

/// A record that may have a time.
pub trait Timed {
    /// The time of the record; `None` if it has none.
    fn time(&self) -> Option<Timestamp>;

    /// The earliest and latest time in the record, as far as its envelope has them. The default is its own time.
    fn span(&self) -> Option<(Timestamp, Timestamp)> {
        self.time().map(|time| (time, time))
    }

    /// Number of the frame that the record is or begins, in formats that number frames. The default is none.
    fn frame(&self) -> Option<u64> {
        None
    }
}

/// Raw bytes have no time.
impl Timed for &[u8] {
    fn time(&self) -> Option<Timestamp> {
        None
    }
}

/// One step of the search for the next record, with the limit applied; shared by both readers. Each place is judged by
/// at most the limit plus one byte; a place that needs more is skipped.
///
/// Returns `None` if there is none up to the end of the input.
pub(crate) fn search<F: Format>(
    header: &F::Header,
    view: &[u8],
    at: u64,
    eof: bool,
    limit: usize,
) -> Option<Search> {
    let over = view.len() > limit;
    let eof = eof && !over;
    let view = view.get(..limit.saturating_add(1)).unwrap_or(view);
    match F::resync(header, view, at, eof) {
        Search::Beyond { .. } if eof => None,
        Search::Beyond { skip: 0, need } if over => Some(Search::Beyond { skip: 1, need }),
        found => Some(found),
    }
}

/// One framing step on the bytes in view, with the limit applied; shared by both readers.
pub(crate) enum Advance {
    Record(usize),
    Torn(usize, Error),
    More(usize),
    Done,
}

/// Whether the record at the start of `view` continues past it.
#[cold]
fn wants_more<F: Format>(header: &F::Header, view: &[u8], at: u64) -> Result<bool> {
    Ok(matches!(F::measure(header, view, at, false)?, Extent::Need(_)))
}

/// The length of the record at the start of `view`, if it is complete and ends within the view and the limit, as nearly
/// every record does. `None` is inconclusive.
#[inline]
pub(crate) fn whole<F: Format>(
    header: &F::Header,
    view: &[u8],
    at: u64,
    eof: bool,
    limit: usize,
) -> Option<usize> {
    let full = view.len() > limit;
    let view = view.get(..limit).unwrap_or(view);
    match F::measure(header, view, at, eof || full) {
        Ok(Extent::Whole(n)) if n > 0 && n < view.len() => Some(n),
        _ => None,
    }
}

/// Frames the record at the start of `view`; `eof` means that the input ends with it.
pub(crate) fn advance<F: Format>(
    header: &F::Header,
    view: &[u8],
    at: u64,
    eof: bool,
    limit: usize,
) -> Result<Advance> {
    let full = view.len() > limit;
    let view = view.get(..limit).unwrap_or(view);
    let over = |needed: usize| {
        let len = view.len().saturating_add(needed) as u64;
        let kind = ErrorKind::Limit { what: "record", len, limit: limit as u64 };
        Error::new(kind, at).within(F::NAME)
    };
    Ok(match F::measure(header, view, at, eof || full)? {
        Extent::Whole(0) => return Err(Error::invalid("record length", 0, "at least 1", at).within(F::NAME)),
        // The format took the limit for the end of the input, and thus of the record.
        Extent::Whole(n) if full && n == view.len() && wants_more::<F>(header, view, at)? => {
            return Err(over(1));
        }
        Extent::Whole(n) if n <= view.len() => Advance::Record(n),
        Extent::Whole(n) => return Err(Error::truncated(missing(n, view), at).within(F::NAME)),
        // The format took the limit for the end of the input.
        Extent::Torn { len, error } if full && matches!(error.kind(), ErrorKind::Truncated { .. }) => {
            Advance::Torn(len.min(view.len()), over(1))
        }
        Extent::Torn { len, error } => Advance::Torn(len.min(view.len()), error),
        Extent::End => Advance::Done,
        Extent::Need(n) if full => return Err(over(n)),
        Extent::Need(_) if eof && view.is_empty() => Advance::Done,
        Extent::Need(n) if eof => return Err(Error::truncated(n, at).within(F::NAME)),
        Extent::Need(n) => Advance::More(n.max(1)),
    })
}
