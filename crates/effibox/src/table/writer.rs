//! Writes rows, and copies tables line by line.

use std::{
    io::{Seek, Write},
    path::Path,
};

use robolog_core::{
    Result, Timestamp,
    format::{CountingWriter, NewFile},
    slices::InRange as _,
};

use super::{Header, KindFrom, LineKind, Record, Table, TableKind, layout::TableRow};

/// Writes a table row by row, as the logger prints them.
///
/// ```
/// use effibox::table::{Header, Steering, TableKind, Writer};
/// let mut writer = Writer::new(Vec::new(), &Header::new(TableKind::Steering))?;
/// writer.row(&Steering { rtime: 20_012, angle: 0.01, raw_angle: 313 })?;
/// assert_eq!(writer.finish()?, b"20012 0.01 313\n");
/// # Ok::<(), effibox::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "a table is whole only after `finish`"]
pub struct Writer<W> {
    out: CountingWriter<W>,
    line: Vec<u8>,
}

impl Writer<NewFile> {
    /// Starts a table in a new file, which appears at `path` when it is [finished](Self::finish). Returns an
    /// error if there is one.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        Self::new(robolog_core::format::create(path)?, header)
    }
}

impl<W: Write> Writer<W> {
    /// Begins a table with the lines of `header`: `Version` and the names of the columns, if it has them.
    pub fn new(inner: W, header: &Header) -> Result<Self> {
        let mut writer = Self::bare(inner);
        if let Some(version) = &header.version {
            writer.out.bytes(&[b"Version ", &version[..], b"\n"].concat())?;
        }
        if let Some(names) = &header.names {
            writer.out.bytes(&[&names[..], b"\n"].concat())?;
        }
        Ok(writer)
    }

    /// Begins a scan of `impacts` impacts.
    pub fn scan(inner: W, impacts: usize) -> Result<Self> {
        let mut writer = Self::bare(inner);
        writer.out.bytes(format!("{impacts}\n").as_bytes())?;
        Ok(writer)
    }

    /// Begins without header lines.
    fn bare(inner: W) -> Self {
        Self { out: CountingWriter::new(inner), line: Vec::new() }
    }

    /// Bytes written so far.
    pub fn position(&self) -> u64 {
        self.out.position()
    }

    /// Writes a row and a line end.
    pub fn row<T: TableRow>(&mut self, row: &T) -> Result<()> {
        self.out.end_line()?;
        self.line.clear();
        row.write(&mut self.line);
        self.line.push(b'\n');
        self.out.bytes(&self.line)
    }

    /// Copies a line. If the previous one has no end, adds one first.
    pub fn write(&mut self, record: &Record<'_>) -> Result<()> {
        self.out.end_line()?;
        self.out.bytes(record.bytes())
    }

    /// Completes the table and returns the target.
    pub fn finish(self) -> Result<W> {
        self.out.finish()
    }
}

/// Copies lines into a new table: see [`robolog_core::format::Copier`]. Its parts are rows; `keep` is asked for the table's
/// channel and the row's time. Lines that are no rows are kept. Scans are whole: `keep` is asked for their first line
/// alone, and the other lines follow it. Invalid rows are left out if the table's name or a line of column names gives
/// its kind, but not if only the rows do: `copy` then returns an error, and can continue;
/// [`left_out`](robolog_core::format::Copier::left_out) counts their bytes.
#[derive(Debug)]
pub struct Copier<W> {
    writer: Writer<W>,
    channel: String,
    scan: Option<bool>,
    /// Whether the kind of rows is known.
    is_certain: bool,
    left_out: u64,
}

impl<W: Write + Seek> robolog_core::format::Copier<W> for Copier<W> {
    type Format = Table;

    fn new(out: W, header: &Header, header_bytes: &[u8]) -> Result<Self> {
        let mut writer = Writer::bare(out);
        writer.out.bytes(header_bytes)?;
        let is_certain = matches!(header.kind_from, KindFrom::Name | KindFrom::Names);
        Ok(Self { writer, channel: header.channel(), scan: None, is_certain, left_out: 0 })
    }

    fn copy(
        &mut self,
        record: &Record<'_>,
        keep: &mut dyn FnMut(&str, Option<Timestamp>) -> bool,
    ) -> Result<u64> {
        let kept = if record.table() == TableKind::Scan {
            *self.scan.get_or_insert_with(|| keep(&self.channel, None))
        } else {
            record.kind() != LineKind::Row || keep(&self.channel, record.time())
        };
        if !kept {
            return Ok(0);
        }
        if let Err(error) = record.row()
            && self.is_certain
        {
            self.left_out = self.left_out.plus(record.bytes().len() as u64);
            return Err(error);
        }
        self.writer.write(record)?;
        Ok(1)
    }

    fn left_out(&self) -> u64 {
        self.left_out
    }

    fn finish(self) -> Result<W> {
        self.writer.finish()
    }

    /// A part begins with a copied row; a scan is whole.
    fn can_part(&self, record: &Record<'_>) -> bool {
        record.table() != TableKind::Scan && matches!(record.row(), Ok(Some(_)))
    }

    fn part(self, out: W, header_bytes: &[u8]) -> Result<(W, Self)> {
        let mut writer = Writer::bare(out);
        writer.out.bytes(header_bytes)?;
        let next = Self { writer, channel: self.channel.clone(), ..self };
        Ok((self.finish()?, next))
    }
}
