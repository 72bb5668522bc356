//! What a format must know for the readers of this crate to read it.

use std::{fmt::Debug, path::Path};

use crate::{
    Error, ErrorKind, Limits, Result, Timestamp,
    slices::{missing, past},
};

/// A format of recording: how its header, its records and the starts of records after damage look.
///
/// Every function works on bytes already in memory and does no input or output, so that one implementation serves
/// slices, streams, indexing and repair. When the bytes do not suffice it says how many more it needs.
///
/// `eof` means that nothing follows `input`: the file ends there, or the reader's limit is reached.
pub trait Format: Sized + 'static {
    /// What lies before the records.
    type Header: Debug;
    /// A record, decoded as far as its envelope.
    type Record<'a>: Debug + Timed;

    /// The format's name as the command line and error texts give it.
    const NAME: &'static str;

    /// Whether a file with these first bytes is of this format. Reliable with 64 bytes or more of a whole file.
    fn detect(start: &[u8]) -> bool;

    /// Reads the header from the start of the input, and says how many bytes it takes.
    ///
    /// May look further than the header's end where only the records show how to read them. How far it looks must
    /// not depend on how much it is given: it asks for its look-ahead unless `eof`.
    fn header(input: &[u8], eof: bool) -> Result<Step<Self::Header>>;

    /// Takes from the file's name what its bytes do not say. The default takes nothing.
    fn apply_name(header: &mut Self::Header, path: &Path) {
        let _ = (header, path);
    }

    /// What is wrong with a header behind which records can be read all the same: readers give it once, before the first record.
    /// The default finds nothing.
    fn header_fault(header: &Self::Header) -> Option<Error> {
        let _ = header;
        None
    }

    /// Takes note of the limits of who reads, for what samplers and surveys hold. The default takes none.
    fn limit(header: &mut Self::Header, limits: Limits) {
        let _ = (header, limits);
    }

    /// Says how long the record at the start of `input` is; `at` is its offset in the file.
    ///
    /// Allocates nothing and decodes no payload.
    fn measure(header: &Self::Header, input: &[u8], at: u64, eof: bool) -> Result<Extent>;

    /// Wraps the bytes that [`measure`](Self::measure) delimited.
    fn record<'a>(header: &Self::Header, raw: RawRecord<'a>) -> Result<Self::Record<'a>>;

    /// Looks for the next place where a record can start.
    fn resync(header: &Self::Header, input: &[u8], at: u64, eof: bool) -> Search;
}

/// The bytes of one record, and where they lie in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawRecord<'a> {
    /// Offset of the first byte.
    pub offset: u64,
    /// All bytes of the record, its own header included.
    pub bytes: &'a [u8],
}

impl RawRecord<'_> {
    /// Offset of the first byte behind the record.
    pub fn end(&self) -> u64 {
        past(self.offset, self.bytes.len())
    }
}

/// A value read from the start of the input, or how much more input it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step<T> {
    /// The value and the number of bytes it took.
    Ready(T, usize),
    /// At least this many more bytes are needed.
    Need(usize),
}

/// The value and the length of a [`Step`] that is ready. Where more bytes are needed, returns from the function and says so.
#[macro_export]
macro_rules! ready {
    ($step:expr) => {
        match $step {
            $crate::Step::Ready(value, len) => (value, len),
            $crate::Step::Need(n) => return Ok($crate::Step::Need(n)),
        }
    };
}

/// How far a record reaches.
#[derive(Debug)]
pub enum Extent {
    /// The record is whole and this long.
    Whole(usize),
    /// The record is damaged behind its first `len` bytes, which are good. They are delivered, then `error`.
    Torn {
        /// Bytes that are good; 0 delivers nothing.
        len: usize,
        /// What ends the reading.
        error: Error,
    },
    /// At least this many more bytes are needed.
    Need(usize),
    /// The records end here by the format's own mark.
    End,
}

/// What a search for the next record found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// A record starts this many bytes on.
    Found(usize),
    /// None starts in the next `skip` bytes; to say more takes `need` bytes beyond the input.
    Beyond {
        /// Bytes that can be dropped.
        skip: usize,
        /// Bytes wanted behind the input.
        need: usize,
    },
}

impl<T> Step<T> {
    /// The same with another value.
    #[inline]
    pub fn map<U>(self, value: impl FnOnce(T) -> U) -> Step<U> {
        match self {
            Self::Ready(ready, len) => Step::Ready(value(ready), len),
            Self::Need(n) => Step::Need(n),
        }
    }
}

impl Search {
    /// Behind the first end of a line in `input`: for formats of lines, where a record can start in each.
    pub fn next_line(input: &[u8]) -> Self {
        match memchr::memchr(b'\n', input) {
            Some(end) => Self::Found(end.saturating_add(1)),
            None => Self::Beyond { skip: input.len(), need: 1 },
        }
    }
}

/// A record that knows when it was recorded.
pub trait Timed {
    /// The time of the record; `None` where it holds none.
    fn time(&self) -> Option<Timestamp>;

    /// The earliest and the latest time in the record, as far as its envelope holds it. The default is its own time.
    fn span(&self) -> Option<(Timestamp, Timestamp)> {
        self.time().map(|time| (time, time))
    }
}

/// Bare bytes know no time.
impl Timed for &[u8] {
    fn time(&self) -> Option<Timestamp> {
        None
    }
}

/// One step of the search for the next record, with the limit applied: what both readers share. A place is judged by
/// as many bytes as the limit allows and one more; one that takes more to be judged is passed over.
///
/// `None`: there is none up to the end of the input.
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

/// One framing step on the bytes in view, with the limit applied: what both readers share.
pub(crate) enum Advance {
    Record(usize),
    Torn(usize, Error),
    More(usize),
    Done,
}

/// Whether the record at the start of `view` goes on behind it.
#[cold]
fn wants_more<F: Format>(header: &F::Header, view: &[u8], at: u64) -> Result<bool> {
    Ok(matches!(F::measure(header, view, at, false)?, Extent::Need(_)))
}

/// The length of the record at the start of `view`, when it is whole and ends within the view and the limit: what
/// nearly every record is. `None` says nothing.
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

/// Frames the record at the start of `view`; `eof` says that the input ends with it.
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
        // The format took the limit for the end of the input, and that for the end of the record.
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
