//! Writes entries, and copies logs.

use std::{
    borrow::Cow,
    io::{Seek, Write},
    path::Path,
};

use robolog_core::{
    Error, Result, Timestamp,
    format::{CountingWriter, Format as _, NewFile, Step, splice},
    text::{Escaped, is_damage},
};

use crate::{
    Alog, Header, Kind, Record,
    edit::column,
    layout::{self, Columns},
    slog,
    time::Seconds,
};

/// Writes a log entry by entry.
///
/// ```
/// # let file = std::fs::read("examples/moosivp.alog").unwrap();
/// let reader = alog::Reader::new(&file)?;
/// let mut writer = alog::Writer::new(Vec::new(), reader.header())?;
/// for entry in reader.records() {
///     let entry = entry?;
///     if entry.name().starts_with(b"NAV_") {
///         writer.write(&entry)?;
///     }
/// }
/// assert!(String::from_utf8_lossy(&writer.finish()?).contains("NAV_X"));
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a log is whole only after `finish`"]
pub struct Writer<W> {
    out: CountingWriter<W>,
    columns: Columns,
    /// Whether the header is only a byte order mark.
    is_marked: bool,
    /// Whether the header lists the columns of a synchronous log, which has rows in place of entries.
    is_table: bool,
}

impl Writer<NewFile> {
    /// Starts a log in a new file, which appears at `path` when it is [finished](Self::finish). Returns an
    /// error if there is one.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::format::create(path)?, header)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a log with this header, in the columns of MOOS-IvP. Returns an error if the header would not read back
    /// the same: if a text in it has a line break, or blanks at its ends.
    pub fn new(inner: W, header: &Header) -> Result<Self> {
        let bytes = header.to_bytes();
        header.check_reads_back(&bytes)?;
        Self::with_header_bytes(inner, &bytes)
    }

    /// Begins a log with header bytes from a file.
    pub fn with_header_bytes(inner: W, header_bytes: &[u8]) -> Result<Self> {
        let mut out = CountingWriter::new(inner);
        out.bytes(header_bytes)?;
        let is_table =
            matches!(Alog::header(header_bytes, true), Ok(Step::Ready(header, _)) if header.is_table());
        Ok(Self { out, columns: Columns::MOOS_IVP, is_marked: header_bytes == layout::BOM, is_table })
    }

    /// The same in other columns.
    pub fn with_columns(mut self, columns: Columns) -> Self {
        self.columns = columns;
        self
    }

    /// Bytes written so far.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Ends the line before an entry, if there is one; a byte order mark is not a line.
    fn end_line(&mut self) -> Result<()> {
        if self.is_marked && self.out.position() == layout::BOM.len() as u64 {
            return Ok(());
        }
        self.out.end_line()
    }

    /// Copies an entry. Adds a missing line end to the previous one first. Returns an error for an entry in a synchronous
    /// log, and for a row elsewhere.
    pub fn write(&mut self, record: &Record<'_>) -> Result<()> {
        let is_fit = record.kind() == Kind::Comment || (record.kind() == Kind::Row) == self.is_table;
        if is_fit { self.line(record.bytes()) } else { Err(self.unfit()) }
    }

    fn line(&mut self, bytes: &[u8]) -> Result<()> {
        self.end_line()?;
        self.out.bytes(bytes)
    }

    fn unfit(&self) -> Error {
        let (found, expected) =
            if self.is_table { ("an entry", "a row of the listed columns") } else { ("a row", "an entry") };
        Error::invalid("record", found, expected, self.out.position()).within("alog writer")
    }

    /// Writes an entry from its parts. Returns an error for names and sources that are empty or contain blanks, and for
    /// values that would not read back the same: with a leading blank, which would look like padding, with a line that
    /// would be read as another entry, or with several zeros in a row, which would be read as damage.
    pub fn entry(&mut self, time: Seconds, name: &str, source: &str, value: &[u8]) -> Result<()> {
        if self.is_table {
            return Err(self.unfit());
        }
        let Columns { decimals, time: width, name: names, source: sources } = self.columns;
        for (what, text) in [("name", name), ("source", source)] {
            if text.is_empty() || text.bytes().any(|b| b.is_ascii_whitespace() || is_damage(b)) {
                let found = Escaped(text.as_bytes());
                return Err(Error::invalid(
                    what,
                    found,
                    "text without blanks and control characters",
                    self.out.position(),
                )
                .within("alog writer"));
            }
        }
        if !can_hold(value) {
            let expected = "no blank at the beginning, no zeros in a row, and lines that begin no entry";
            return Err(
                Error::invalid("value", Escaped(value), expected, self.out.position()).within("alog writer")
            );
        }
        let time = time.with_decimals(decimals);
        let head = format!("{time:<width$} {name:<names$} {source:<sources$} ");
        self.end_line()?;
        self.out.bytes(head.as_bytes())?;
        self.out.bytes(value)?;
        self.out.bytes(b" \n")
    }

    /// Writes an entry with a number in the form of MOOS-IvP, five decimals and twelve wide, or with more decimals if
    /// needed to read back the same. Returns an error if it is not finite.
    pub fn number(&mut self, time: Seconds, name: &str, source: &str, value: f64) -> Result<()> {
        if !value.is_finite() {
            let at = self.out.position();
            return Err(Error::invalid("number", value, "a finite one", at).within("alog writer"));
        }
        let exact = value.to_string();
        let decimals = exact.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let text = if decimals > 5 { exact } else { format!("{value:.5}") };
        self.entry(time, name, source, format!("{text:<12}").as_bytes())
    }

    /// Completes the log and returns the inner writer.
    pub fn finish(self) -> Result<W> {
        self.out.finish()
    }
}

/// Whether an entry can hold a value so that it reads back the same.
pub fn can_hold(value: &[u8]) -> bool {
    !value.starts_with(b" ")
        && !value.starts_with(b"\t")
        && layout::hole(value).is_none()
        && value.split(|b| *b == b'\n').skip(1).all(|line| !layout::begins_record(line))
}

/// Copies entries into a new log: see [`robolog_core::format::Copier`]. Its parts are entries; `keep` receives their
/// variables. Comments are kept. An entry without a line end, which is damage, gets one.
///
/// A header line among the records that is not read as such, because entries or more than 64 KiB of damage come before
/// it, is left out if no entry is kept before it, because it would be read as a header line then. So is the rest of a
/// list of columns behind a damaged line.
///
/// ```
/// use std::io::Cursor;
///
/// use alog::{Copier, robolog_core::format::Copier as _};
///
/// # let file = std::fs::read("examples/moosivp.alog").unwrap();
/// let reader = alog::Reader::new(&file)?;
/// let mut copy = Copier::new(Cursor::new(Vec::new()), reader.header(), reader.header_bytes())?;
/// for record in reader.records() {
///     copy.copy(&record?, &mut |_channel, _time| true)?;
/// }
/// assert_eq!(copy.finish()?.into_inner(), file);
/// # Ok::<(), alog::Error>(())
/// ```
#[derive(Debug)]
pub struct Copier<W> {
    writer: Writer<W>,
    /// End of the previous entry, if it has no line end.
    torn: Option<u64>,
    header: Header,
    header_len: u64,
    /// Number of all entries, and of those copied.
    entries: [u64; 2],
    /// Whether nothing is copied after which no header continues.
    is_in_header: bool,
    left_out: u64,
}

impl<W> Copier<W> {
    /// Whether a comment would be read as a header line in the copy, but is not one in the source.
    fn is_foreign(&self, record: &Record<'_>) -> bool {
        // A damaged line ends a list of columns, and the copy is without it.
        if self.is_in_header && slog::listed(record.bytes()).is_some() {
            return true;
        }
        if self.header.is_table() {
            return self.is_in_header && Header::is_said_by(record.bytes());
        }
        let [before, copied] = self.entries;
        let is_near = Header::is_near(record.offset().saturating_sub(self.header_len));
        // Dropped damage may have been an entry, after which no header continues.
        let is_behind =
            before > 0 || !is_near || (!self.header.has_start() && Header::is_start(record.bytes()));
        copied == 0 && is_behind && Header::is_said_by(record.bytes())
    }
}

impl<W> Copier<W> {
    /// A row with the columns that `keep` accepts: others say that there is no news. `None` if it accepts none.
    fn row<'a>(
        &self,
        record: &Record<'a>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Option<Cow<'a, [u8]>> {
        let time = record.time();
        let columns = self.header.listed();
        let kept: Vec<bool> =
            columns.names().map(|name| keep(&String::from_utf8_lossy(name), time)).collect();
        if kept.is_empty() && !keep("TIME", time) || !kept.is_empty() && !kept.contains(&true) {
            return None;
        }
        let bytes = record.bytes();
        if !kept.contains(&false) {
            return Some(Cow::Borrowed(bytes));
        }
        let dropped = slog::cells(record.body()).zip(&kept).filter(|(_, is_kept)| !**is_kept);
        let parts: Vec<_> = dropped.map(|(cell, _)| column(record, cell, b"NaN".to_vec())).collect();
        let mut row = Vec::new();
        splice(bytes, &parts, &mut row);
        Some(Cow::Owned(row))
    }
}

impl<W: Write + Seek> robolog_core::format::Copier<W> for Copier<W> {
    type Format = Alog;

    /// Returns an error if the header differs from its bytes, with which the copy begins: use a [`Writer`] for a
    /// changed header. Settings of reading, such as the warp, may be changed.
    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        header.check_unchanged(header_bytes)?;
        let header_len = header_bytes.len() as u64;
        let writer = Writer::with_header_bytes(out, header_bytes)?;
        Ok(Self {
            writer,
            torn: None,
            header: header.clone(),
            header_len,
            entries: [0; 2],
            is_in_header: true,
            left_out: 0,
        })
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        // More follows an entry without an end.
        let torn = self.torn.take().map_or(Ok(()), |at| Err(crate::record::torn(at)));
        if record.kind() == Kind::Row {
            let Some(row) = self.row(record, keep) else { return torn.map(|()| 0) };
            self.writer.line(&row)?;
        } else if record.kind() == Kind::Entry {
            self.entries[0] += 1;
            let time = self.time_of(record);
            if !keep(&String::from_utf8_lossy(&record.name()), time) {
                return torn.map(|()| 0);
            }
            self.entries[1] += 1;
            self.writer.write(record)?;
        } else if self.is_foreign(record) {
            self.left_out += record.bytes().len() as u64;
            return torn.map(|()| 0);
        } else {
            self.writer.write(record)?;
        }
        let is_blank = self.header.is_table() && record.bytes().trim_ascii().is_empty();
        self.is_in_header &= record.bytes().starts_with(b"%") || is_blank;
        self.torn = record.torn().map(|error| error.offset());
        torn.map(|()| 1)
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }

    fn unfinished(&self) -> Option<Error> {
        self.torn.map(crate::record::torn)
    }

    fn finish(mut self) -> Result<W> {
        if self.torn.is_some() {
            self.writer.out.end_line()?;
        }
        self.writer.finish()
    }

    /// The time of its samples: the one inside its value, if any.
    fn time_of(&mut self, record: &Record<'_>) -> Option<Timestamp> {
        let value = record.value();
        let seconds = record.seconds()?;
        self.header.time(if value.number().is_some() { seconds } else { self.header.seconds(seconds, value) })
    }

    /// Parts begin with an entry: a comment before it could be read as a header line.
    fn can_part(&self, record: &Record<'_>) -> bool {
        matches!(record.kind(), Kind::Entry | Kind::Row)
    }

    fn part(self, out: W, header_bytes: &[u8]) -> Result<(W, Self)> {
        // Header lines after damage may have LOGSTART, and are records.
        let own = Alog::header(header_bytes, true);
        let begins = matches!(own, Ok(Step::Ready(ref own, _)) if own.has_start_of(&self.header));
        let writer = if begins || !self.header.has_start() {
            Writer::with_header_bytes(out, header_bytes)?
        } else {
            Writer::with_header_bytes(out, &self.header.to_bytes())?
        };
        let (header, header_len, left_out) = (self.header.clone(), self.header_len, self.left_out);
        let next =
            Self { writer, torn: None, header, header_len, entries: [0; 2], is_in_header: true, left_out };
        Ok((self.finish()?, next))
    }

    /// Returns an error if entries count from another LOGSTART.
    fn follow(&mut self, first: &[u8], header: &Header, header_bytes: &[u8]) -> Result<()> {
        self.torn = None;
        let same = |first: &Header| first.has_times_of(header) && first.table() == header.table();
        let is_same = first == header_bytes
            || matches!(Alog::header(first, true), Ok(Step::Ready(ref first, _)) if same(first));
        if is_same {
            return Ok(());
        }
        Err(Error::unexpected("LOGSTART differs from that of the first log", 0).within("alog"))
    }
}
