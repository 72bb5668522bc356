//! An entry: a line that begins one, and the lines that continue its value.

use robolog_core::{
    Error, Result, Timestamp,
    format::{RawRecord, Timed},
    slices::{Part as _, past, split_once, value_at},
    text::{Escaped, first_control, first_control_that, lines},
};

use crate::{
    Header, RawText,
    epoch::Epoch,
    layout::{self, Start},
    slog,
    time::Seconds,
};

/// An entry of the log, or a comment between entries.
///
/// ```
/// use alog::robolog_core::format::Timed as _;
///
/// # let file = std::fs::read("examples/moosivp.alog").unwrap();
/// let reader = alog::Reader::new(&file)?;
/// for record in reader.records() {
///     let record = record?;
///     println!("byte {}: {:?}", record.offset(), record.time());
/// }
/// # assert_eq!(reader.records().count(), 34);
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Record<'a> {
    pub(crate) raw: RawRecord<'a>,
    kind: Kind,
    start: Start,
    epoch: Epoch,
    /// Whether the value has control characters.
    has_control: bool,
    /// Whether this is known to be one line without control characters.
    is_plain: bool,
}

/// Kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A variable's value at a time.
    Entry,
    /// A line after the header that begins with two percent signs, or that `aloggrep` printed around entries; a blank
    /// line of a synchronous log.
    Comment,
    /// A row of a synchronous log: a number or nothing for each of [`Header::columns`].
    Row,
}

const NOWHERE: Start = Start { time: 0, name: 0, name_end: 0, source: 0, source_end: 0 };

impl<'a> Record<'a> {
    /// Returns an error for lines that are neither an entry nor a comment, and for bytes that no logger writes: see the
    /// crate's *Damage*.
    pub(crate) fn new(header: &Header, raw: RawRecord<'a>) -> Result<Self> {
        if let Some(columns) = header.table() {
            return Self::of_table(header, raw, columns.len());
        }
        let text = raw.bytes.strip_suffix(b"\n").unwrap_or(raw.bytes);
        let is_plain = first_control_that(text, |_| true).is_none();
        // Tabs and line ends are no damage.
        let control = if is_plain { None } else { first_control(text) };
        let (kind, start) = match layout::entry(raw.bytes) {
            Some(start) => (Kind::Entry, start),
            None if layout::is_comment(raw.bytes) || control.is_some() => (Kind::Comment, NOWHERE),
            None => return Err(no_entry(raw)),
        };
        if let Some(at) = control {
            check_control(raw, at, kind, start)?;
        }
        Ok(Self { raw, kind, start, epoch: header.epoch(), has_control: control.is_some(), is_plain })
    }

    /// A line of a synchronous log with `count` columns after the time.
    #[cold]
    fn of_table(header: &Header, raw: RawRecord<'a>, count: usize) -> Result<Self> {
        if let Some(at) = first_control(raw.bytes) {
            return Err(no_text(raw, at));
        }
        let epoch = header.epoch();
        let line =
            Self { raw, kind: Kind::Comment, start: NOWHERE, epoch, has_control: false, is_plain: false };
        let is_row = !raw.bytes.starts_with(b"%") && !raw.bytes.trim_ascii().is_empty();
        if is_row { line.into_row(count) } else { Ok(line) }
    }

    /// A row of `count` cells after its time.
    fn into_row(self, count: usize) -> Result<Self> {
        slog::Row::parse(self.raw.bytes, count, self.offset())?;
        let blanks = self.raw.bytes.len() - self.raw.bytes.trim_ascii_start().len();
        let text = self.raw.bytes.part(blanks..);
        let time = blanks + text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let start = Start { time, name: time, name_end: time, source: time, source_end: time };
        Ok(Self { kind: Kind::Row, start, ..self })
    }

    /// Offset in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes, including the last line end.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// The kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The time as in the file; empty for a comment.
    pub fn time_text(&self) -> &'a [u8] {
        let text = self.part(0, self.start.time);
        if self.kind == Kind::Row { text.trim_ascii_start() } else { text }
    }

    /// Seconds since the start of the log. `None` for a comment, or with too many digits.
    pub fn seconds(&self) -> Option<Seconds> {
        let text = self.time_text();
        let seconds = Seconds::parse(text);
        // The times of rows may have exponents.
        if self.kind == Kind::Row { seconds.or_else(|| slog::seconds(text)) } else { seconds }
    }

    /// The numbers of a row, in the order of [`Header::columns`]; `None` without news. Nothing for other records.
    pub fn numbers(&self) -> impl Iterator<Item = Option<f64>> + use<'a> {
        let body = if self.kind == Kind::Row { self.body() } else { &[] };
        slog::cells(body).map(slog::news)
    }

    /// The timestamp: see [`Header::time`].
    pub fn time(&self) -> Option<Timestamp> {
        self.epoch.time(self.seconds()?)
    }

    /// The variable.
    pub fn name(&self) -> RawText<'a> {
        RawText(self.part(self.start.name, self.start.name_end))
    }

    /// The source in full: `pHelmIvP:12:waypt@alpha`.
    pub fn source(&self) -> RawText<'a> {
        RawText(self.part(self.start.source, self.start.source_end))
    }

    /// The application that wrote it.
    pub fn application(&self) -> RawText<'a> {
        let source = self.source().bytes();
        let end = source.iter().position(|b| matches!(b, b':' | b'@')).unwrap_or(source.len());
        RawText(source.part(..end))
    }

    /// The application's suffix, after the first colon.
    pub fn auxiliary(&self) -> Option<RawText<'a>> {
        let source = self.source().bytes();
        let named = memchr::memrchr(b'@', source).and_then(|at| source.get(..at)).unwrap_or(source);
        split_once(named, b':').map(|(_, auxiliary)| RawText(auxiliary))
    }

    /// The community that it came from, after the last `@`.
    pub fn community(&self) -> Option<RawText<'a>> {
        let source = self.source().bytes();
        source.get(memchr::memrchr(b'@', source)? + 1..).map(RawText)
    }

    /// All bytes after the source: the value and the logger's padding.
    pub fn body(&self) -> &'a [u8] {
        self.raw.bytes.part(self.start.source_end..)
    }

    /// The value as published: without the blanks before it, the logger's blank after it, and the line end.
    pub fn value(&self) -> RawText<'a> {
        let body = self.body();
        let body = body.strip_suffix(b"\n").unwrap_or(body);
        let body = body.strip_suffix(b" ").unwrap_or(body);
        RawText(body.part(layout::blanks(body, 0)..))
    }

    /// The first line, with its end if it is the only one, and those after it.
    pub(crate) fn first_line(&self) -> (&'a [u8], &'a [u8]) {
        let bytes = self.raw.bytes;
        let lines = if self.is_plain { None } else { split_once(bytes, b'\n') };
        lines.unwrap_or((bytes, b""))
    }

    /// Number of lines after the first.
    pub fn continuation_lines(&self) -> u64 {
        lines(self.first_line().1, 0).count() as u64
    }

    /// Index in an entry's first line where another entry seems to begin.
    pub(crate) fn joined(&self, line: &[u8]) -> Option<usize> {
        layout::joined(line, self.start.source)
    }

    /// The first control character of the value, and its offset in the file.
    pub(crate) fn control(&self) -> Option<(u8, u64)> {
        let at = if self.has_control { first_control(self.raw.bytes) } else { None }?;
        Some((*self.raw.bytes.get(at)?, past(self.offset(), at)))
    }

    /// The error of a record without a final line end, where the log stops.
    pub(crate) fn torn(&self) -> Option<Error> {
        (!self.raw.bytes.ends_with(b"\n")).then(|| torn(self.raw.end()))
    }

    fn part(&self, from: usize, to: usize) -> &'a [u8] {
        self.raw.bytes.part(from..to)
    }
}

/// Returns an error for control characters, the first of them `at` this place, except inside the value of an entry:
/// applications publish any bytes. Several zeros in a row are those of a full disk or a lost block.
#[cold]
fn check_control(raw: RawRecord<'_>, at: usize, kind: Kind, start: Start) -> Result<()> {
    if kind != Kind::Entry || at <= start.source_end {
        return Err(no_text(raw, at));
    }
    layout::hole(raw.bytes).map_or(Ok(()), |at| Err(no_text(raw, at)))
}

/// The error for an entry or comment that ends at `at` without a line end.
#[cold]
pub(crate) fn torn(at: u64) -> Error {
    let expected = "an end of line: what stands before it may be damaged";
    Error::invalid("end of a line", "the end of the file", expected, at).within("alog")
}

/// The error for lines that begin neither an entry nor a comment.
#[cold]
fn no_entry(raw: RawRecord<'_>) -> Error {
    let line = split_once(raw.bytes, b'\n').map_or(raw.bytes, |(line, _)| line);
    let found = Escaped(line.get(..SHOWN).unwrap_or(line));
    let expected = "a time, a variable and a source";
    Error::invalid("entry", format_args!("\"{found}\""), expected, raw.offset).within("alog")
}

/// The error for a byte at `at` that no logger writes.
#[cold]
fn no_text(raw: RawRecord<'_>, at: usize) -> Error {
    let byte = value_at(raw.bytes, at);
    let found = format_args!("the control character {byte:#04x}");
    Error::invalid("entry", found, "text", past(raw.offset, at)).within("alog")
}

/// Bytes of a line that an error shows.
const SHOWN: usize = 48;

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        Record::time(self)
    }
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = |bytes: &[u8]| Escaped(bytes).to_string();
        f.debug_struct("Record")
            .field("offset", &self.offset())
            .field("kind", &self.kind)
            .field("time", &text(self.time_text()))
            .field("name", &text(self.name().bytes()))
            .field("source", &text(self.source().bytes()))
            .field("body", &text(self.body()))
            .finish()
    }
}
