//! Rows of a table as columns.

#![cfg_attr(
    not(any(feature = "to-arrow", feature = "to-parquet")),
    allow(dead_code, reason = "only these targets take columns")
)]

use std::sync::Arc;

use robolog_core::{
    Cell, Clock, Field, FieldKind, Timestamp,
    slices::{Part as _, fitting},
};

use crate::{Error, Reason, Result, runs::Runs};

/// Rows whose cells are stored column by column: what they are in runs, and their bytes end to end.
#[derive(Debug, Default)]
pub(crate) struct Block {
    rows: u32,
    /// Bytes of the columns.
    size: usize,
    /// Times, numbers of channels, then the columns of the table.
    columns: Vec<Cells>,
}

/// A column.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// What the cells are.
    runs: Runs<u8>,
    /// Number of cells.
    rows: u32,
    /// Their content: numbers in 8 bytes, texts after their length in 4 bytes.
    bytes: Vec<u8>,
}

/// Rows with the columns of their table and the names of their channels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockRows<'a> {
    pub(crate) block: &'a Block,
    pub(crate) fields: &'a Arc<[Field]>,
    pub(crate) channels: &'a [Arc<str>],
}

/// Kinds of cells. The kind of a time includes the number of its clock: see [`Clock::number`].
pub(crate) const NULL: u8 = 0;
const BOOL: u8 = 1;
const INT: u8 = 2;
const FLOAT: u8 = 3;
const TEXT: u8 = 4;
const TIME: u8 = 5;

/// Columns before those of the table.
const FIRST: usize = 2;
/// Bytes of a run in a file, and of the length of a text.
const RUN: usize = 5;
const LENGTH: usize = 4;

impl Cells {
    /// Adds a cell to the row with this number, behind empty ones if the last rows had none.
    #[inline]
    fn push(&mut self, row: u32, kind: u8, bytes: &[u8]) {
        self.fill(row);
        self.runs.push(kind, 1);
        self.rows += 1;
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds empty cells for the rows up to this number.
    #[inline]
    fn fill(&mut self, rows: u32) {
        if self.rows < rows {
            self.runs.push(NULL, (rows - self.rows) as usize);
            self.rows = rows;
        }
    }

    pub(crate) fn runs(&self) -> &Runs<u8> {
        &self.runs
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Words of 8 bytes, of which times and numbers are.
    pub(crate) fn words(&self) -> &[[u8; 8]] {
        self.bytes.as_chunks().0
    }

    /// The texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.bytes.as_slice();
        std::iter::from_fn(move || {
            let (len, texts) = rest.split_first_chunk::<LENGTH>()?;
            let (text, others) = texts.split_at_checked(u32::from_le_bytes(*len) as usize)?;
            rest = others;
            Some(text)
        })
    }

    /// Whether cells are of this kind, or empty.
    fn are(&self, kind: FieldKind) -> bool {
        let kind = kind_of(kind);
        self.runs.iter().all(|(known, _)| known == NULL || known == kind)
    }

    /// Bytes of texts.
    fn text_len(&self) -> usize {
        let texts = self.runs.iter().filter(|(kind, _)| *kind == TEXT).map(|(_, count)| count);
        let lengths = texts.sum::<usize>() * LENGTH;
        if lengths == 0 { 0 } else { self.bytes.len().saturating_sub(lengths) }
    }

    fn clear(&mut self) {
        self.runs.clear();
        self.bytes.clear();
        self.rows = 0;
    }
}

const fn kind_of(kind: FieldKind) -> u8 {
    match kind {
        FieldKind::Bool => BOOL,
        FieldKind::Int => INT,
        FieldKind::Float => FLOAT,
        FieldKind::Text => TEXT,
    }
}

/// The clock of a time.
pub(crate) fn clock_of(kind: u8) -> Option<Clock> {
    Clock::of_number(kind.checked_sub(TIME)?)
}

impl Block {
    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.rows as usize
    }

    /// Approximate bytes in memory.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The column before those of the table: of times, and of channels.
    pub(crate) fn times(&self) -> Option<&Cells> {
        self.columns.first()
    }

    pub(crate) fn channels(&self) -> impl Iterator<Item = usize> {
        let words = self.columns.get(1).map(Cells::words).unwrap_or_default();
        words.iter().map(|word| usize::try_from(u64::from_le_bytes(*word)).unwrap_or(usize::MAX))
    }

    /// The columns of the table that have a cell.
    pub(crate) fn columns(&self) -> &[Cells] {
        self.columns.part_or_empty(FIRST..)
    }

    /// Begins a row.
    pub(crate) fn begin(&mut self, time: Option<Timestamp>, channel: usize) {
        let row = self.rows;
        self.rows += 1;
        if let Some(time) = time {
            self.push(0, row, TIME + time.clock().number(), &time.nanos().to_le_bytes());
        }
        self.push(1, row, INT, &(channel as u64).to_le_bytes());
    }

    /// Adds a cell of the row for the column at `place`.
    pub(crate) fn cell(&mut self, place: usize, cell: &Cell) -> Result<()> {
        let (column, row) = (place + FIRST, self.rows.saturating_sub(1));
        match cell {
            Cell::Null => {}
            Cell::Bool(value) => self.push(column, row, BOOL, &[u8::from(*value)]),
            Cell::Int(value) => self.push(column, row, INT, &value.to_le_bytes()),
            Cell::Float(value) => self.push(column, row, FLOAT, &value.to_le_bytes()),
            Cell::Text(text) => {
                let too_long = |_| Error::Target(Reason::LongValue { bytes: text.len() });
                let len = u32::try_from(text.len()).map_err(too_long)?;
                self.push(column, row, TEXT, &len.to_le_bytes());
                self.size += text.len();
                if let Some(column) = self.columns.get_mut(column) {
                    column.bytes.extend_from_slice(text.as_bytes());
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn push(&mut self, column: usize, row: u32, kind: u8, bytes: &[u8]) {
        if column >= self.columns.len() {
            self.columns.resize_with(column + 1, Cells::default);
        }
        self.size += bytes.len();
        if let Some(column) = self.columns.get_mut(column) {
            column.push(row, kind, bytes);
        }
    }

    /// Completes all columns, which then have a cell for each row.
    pub(crate) fn end(&mut self) {
        let rows = self.rows;
        self.columns.iter_mut().for_each(|column| column.fill(rows));
    }

    /// The rows as bytes.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.size + self.columns.len() * 4 * RUN);
        out.extend(self.rows.to_le_bytes());
        for Cells { runs, bytes, .. } in &self.columns {
            out.extend((runs.len() as u64).to_le_bytes());
            out.extend((bytes.len() as u64).to_le_bytes());
            for (kind, count) in runs.iter() {
                out.push(kind);
                // Not more than the rows.
                out.extend(fitting::<u32>(count).to_le_bytes());
            }
            out.extend_from_slice(bytes);
        }
        out
    }

    /// Takes rows from bytes, in the memory of others; `None` if they are of something else.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Option<()> {
        self.clear();
        let (rows, mut rest) = bytes.split_first_chunk()?;
        (self.rows, self.size) = (u32::from_le_bytes(*rows), bytes.len());
        let length = |rest: &mut &[u8]| {
            let (len, others) = rest.split_first_chunk()?;
            *rest = others;
            usize::try_from(u64::from_le_bytes(*len)).ok()
        };
        let mut place = 0_usize;
        while !rest.is_empty() {
            let (runs, len) = (length(&mut rest)?, length(&mut rest)?);
            let (runs, others) = rest.split_at_checked(runs.checked_mul(RUN)?)?;
            let (content, others) = others.split_at_checked(len)?;
            rest = others;
            if place >= self.columns.len() {
                self.columns.push(Cells::default());
            }
            let column = self.columns.get_mut(place)?;
            column.rows = self.rows;
            for [kind, count @ ..] in runs.as_chunks::<RUN>().0 {
                column.runs.push(*kind, u32::from_le_bytes(*count) as usize);
            }
            column.bytes.extend_from_slice(content);
            place += 1;
        }
        self.end();
        Some(())
    }

    /// Removes all rows.
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().for_each(Cells::clear);
        (self.rows, self.size) = (0, 0);
    }
}

impl BlockRows<'_> {
    /// Whether all cells are of the kinds of their columns.
    pub(crate) fn are_plain(&self) -> bool {
        self.block.columns().iter().zip(&**self.fields).all(|(column, field)| column.are(field.kind))
    }

    /// Bytes of texts in the table's columns.
    pub(crate) fn text_len(&self) -> usize {
        self.block.columns().iter().map(Cells::text_len).sum()
    }
}

/// Reads the rows of a block one by one.
pub(super) struct Cursor<'a> {
    block: &'a Block,
    row: usize,
    /// Where each column is read.
    places: Vec<CellPlace>,
}

#[derive(Debug, Clone, Copy, Default)]
struct CellPlace {
    /// Number of the next run, what the cells of the current one are, and how many are left of it.
    run: usize,
    kind: u8,
    left: usize,
    /// Of the next cell in the bytes.
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(block: &'a Block) -> Self {
        Self { block, row: 0, places: vec![CellPlace::default(); block.columns.len()] }
    }

    /// The time and the channel of the next row, if any; passes its cells and their places to `put`.
    pub(super) fn next_row(
        &mut self,
        mut put: impl FnMut(usize, Cell),
    ) -> Option<(Option<Timestamp>, usize)> {
        if self.row >= self.block.rows() {
            return None;
        }
        self.row += 1;
        let (mut time, mut channel) = (None, usize::MAX);
        for (number, (column, place)) in self.block.columns.iter().zip(&mut self.places).enumerate() {
            let (kind, bytes) = place.next(column);
            let word = bytes.first_chunk().copied().unwrap_or_default();
            match (number, kind) {
                (_, NULL) => {}
                (0, _) => {
                    time = clock_of(kind).map(|clock| Timestamp::new(i64::from_le_bytes(word), clock));
                }
                (1, _) => channel = usize::try_from(u64::from_le_bytes(word)).unwrap_or(usize::MAX),
                (_, BOOL) => put(number - FIRST, Cell::Bool(*bytes != [0])),
                (_, INT) => put(number - FIRST, Cell::Int(i64::from_le_bytes(word))),
                (_, FLOAT) => put(number - FIRST, Cell::Float(f64::from_le_bytes(word))),
                _ => put(number - FIRST, Cell::Text(String::from_utf8_lossy(bytes).into_owned())),
            }
        }
        Some((time, channel))
    }
}

impl CellPlace {
    /// What the next cell of a column is, and its content.
    fn next<'c>(&mut self, column: &'c Cells) -> (u8, &'c [u8]) {
        if self.left == 0 {
            (self.kind, self.left) = column.runs.get(self.run).unwrap_or((NULL, usize::MAX));
            self.run += 1;
        }
        self.left -= 1;
        let rest = column.bytes.part_or_empty(self.at..);
        let (start, len) = match self.kind {
            NULL => (0, 0),
            BOOL => (0, 1),
            TEXT => (LENGTH, rest.first_chunk().map_or(0, |len| u32::from_le_bytes(*len) as usize)),
            _ => (0, 8),
        };
        self.at += start + len;
        (self.kind, rest.part_or_empty(start..start + len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_with_whichever_cells_they_have() {
        let rows = |n: u32| {
            let cells = (0..10_usize).filter(move |place| (n % 150) >> place & 1 == 1);
            cells.map(move |place| {
                let cell = match (place, n % 3) {
                    (0, _) => Cell::Bool(n.is_multiple_of(2)),
                    (1, 0) => Cell::Int(-i64::from(n)),
                    (1, _) => Cell::Text("x".repeat(n as usize % 7)),
                    _ => Cell::Float(f64::from(n) / 8.0),
                };
                (place, cell)
            })
        };
        let time = |n: u32| (!n.is_multiple_of(5)).then(|| Timestamp::new(n.into(), Clock::Gps));
        let (mut block, mut back) = (Block::default(), Block::default());
        for part in [0..1000, 1000..1003, 1003..3000] {
            block.clear();
            for n in part.clone() {
                block.begin(time(n), n as usize);
                for (place, cell) in rows(n) {
                    block.cell(place, &cell).unwrap();
                }
            }
            block.end();
            let bytes = block.to_bytes();
            back.read(&bytes).unwrap();
            assert!(back.read(&bytes[..bytes.len() - 1]).is_none());
            back.read(&bytes).unwrap();
            for block in [&block, &back] {
                let mut cursor = Cursor::new(block);
                for n in part.clone() {
                    let mut cells = Vec::new();
                    let row = cursor.next_row(|place, cell| cells.push((place, cell)));
                    assert_eq!((row, cells), (Some((time(n), n as usize)), rows(n).collect()));
                }
                assert!(cursor.next_row(|_, _| ()).is_none());
            }
        }
    }
}
