//! A line of a table.

use robolog_core::{
    Clock, Result, Timestamp,
    format::{RawRecord, Timed},
    slices::{Part as _, past},
    text::{Escaped, Field, first_control},
};

use super::{
    Header, Row, TableKind,
    header::{is_names, moment},
    layout::{CameraDate, TableRow},
    payload::Cells,
};

/// A line of a table, including its end.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    raw: RawRecord<'a>,
    kind: TableKind,
    start: Option<Timestamp>,
}

/// Kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum LineKind {
    /// Data, or damage in its place.
    Row,
    /// The number of impacts above a scan.
    Count,
    /// `Version` or names of columns.
    Header,
    /// A line that begins with `#` or `%`.
    Comment,
    /// Only blanks.
    Blank,
}

impl<'a> Record<'a> {
    #[inline]
    pub(super) fn new(header: &Header, raw: RawRecord<'a>) -> Self {
        Self { raw, kind: header.kind, start: header.start }
    }

    /// Offset in the file.
    pub fn offset(&self) -> u64 {
        self.raw.offset
    }

    /// All bytes, including the line end.
    pub fn bytes(&self) -> &'a [u8] {
        self.raw.bytes
    }

    /// The line without its end.
    #[inline]
    pub fn line(&self) -> &'a [u8] {
        let bytes = self.raw.bytes;
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        bytes.strip_suffix(b"\r").unwrap_or(bytes)
    }

    /// The kind of the table.
    pub fn table(&self) -> TableKind {
        self.kind
    }

    /// The kind of line.
    #[inline]
    pub fn kind(&self) -> LineKind {
        let line = self.line();
        match line.iter().find(|b| !matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) {
            None => LineKind::Blank,
            Some(b'0'..=b'9' | b'-' | b'+' | b'.') => self.row_or_count(),
            Some(_) => self.row_or_remark(),
        }
    }

    fn row_or_count(&self) -> LineKind {
        let is_count = self.kind == TableKind::Scan && Cells::new(self.line(), 0).count() == 1;
        if !is_count || first_control(self.line()).is_some() {
            return LineKind::Row;
        }
        LineKind::Count
    }

    /// Damage in place of data.
    #[cold]
    fn row_or_remark(&self) -> LineKind {
        let line = self.line();
        if first_control(line).is_some() {
            return LineKind::Row;
        }
        if line.trim_ascii_start().starts_with(b"#") || line.trim_ascii_start().starts_with(b"%") {
            return LineKind::Comment;
        }
        let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        let first = Cells::new(line, 0).next_text().map_or(&b""[..], |cell| cell.bytes);
        if first.eq_ignore_ascii_case(b"version") || is_names(first) {
            return LineKind::Header;
        }
        LineKind::Row
    }

    /// The row; `None` if the line is not a row. Returns an error with the column if it does not fit the columns of its
    /// table.
    #[inline]
    pub fn row(&self) -> Result<Option<Row>> {
        if self.kind() != LineKind::Row {
            return Ok(None);
        }
        if self.kind == TableKind::Unknown {
            self.check_text()?;
        }
        Row::parse(self.kind, self.line(), self.offset()).map(Some)
    }

    /// Returns an error if the line has bytes that no table has: the only check for unknown columns.
    fn check_text(&self) -> Result<()> {
        let Some(at) = first_control(self.line()) else { return Ok(()) };
        let found =
            Field { offset: past(self.offset(), at), column: past(1, at), bytes: self.line().part(at..) };
        Err(found.error("text"))
    }

    /// The row as one of a certain table, without checking the table's kind: the fast way to read a file of known kind.
    /// `None` and errors as for [`row`](Self::row).
    #[inline]
    pub fn read<T: TableRow>(&self) -> Result<Option<T>> {
        if self.kind() != LineKind::Row {
            return Ok(None);
        }
        T::parse(self.line(), self.offset()).map(Some)
    }

    /// Number of impacts claimed by a scan's first line.
    pub fn count(&self) -> Option<i64> {
        if self.kind() != LineKind::Count {
            return None;
        }
        Cells::new(self.line(), 0).int().ok()
    }

    /// Acquisition time: microseconds since the start of the acquisition, if the line has it. See [`TableRow::rtime`].
    pub fn rtime(&self) -> Option<i64> {
        if self.kind() != LineKind::Row {
            return None;
        }
        if self.kind == TableKind::CameraDates
            && let Ok(Some(date)) = self.read::<CameraDate>()
        {
            return date.rtime();
        }
        match self.kind {
            TableKind::Unknown | TableKind::Scan | TableKind::Ntp => None,
            TableKind::NmeaDates => self.row().ok()??.rtime(),
            // Other columns are not read. An image with an invalid latency has its reception time.
            _ => Cells::new(self.line(), 0).int().ok(),
        }
    }

    /// The row's time, converted by [`Header::time`]. In `ntpupdate.log` it is unix time.
    pub fn time(&self) -> Option<Timestamp> {
        if self.kind == TableKind::Ntp {
            let Ok(Some(Row::Ntp(row))) = self.row() else { return None };
            return Timestamp::from_secs(row.abs_time, Clock::Unix);
        }
        moment(self.start, self.rtime()?)
    }
}

impl Timed for Record<'_> {
    fn time(&self) -> Option<Timestamp> {
        Record::time(self)
    }
}

impl std::fmt::Debug for Record<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Record")
            .field("offset", &self.offset())
            .field("table", &self.kind)
            .field("line", &format_args!("\"{}\"", Escaped(self.raw.bytes)))
            .finish()
    }
}
