//! Rows in a temporary file.
//!
//! All tables of a conversion share one file of blocks, so that thousands of tables keep one file open.

use std::{
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use robolog_core::{Cell, Clock, Timestamp};

use crate::{
    Error, Reason, Result,
    spool::{Spool as File, Spools},
};

/// The shared file, created on first use. It has no name and disappears with the last handle.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shared(Arc<Mutex<Option<File>>>);

impl Shared {
    /// Appends a block and returns its position.
    fn append(&self, block: &[u8], spools: Spools) -> io::Result<u64> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if file.is_none() {
            *file = Some(spools.open()?);
        }
        let Some(file) = file.as_mut() else { return Err(io::ErrorKind::NotFound.into()) };
        let at = file.seek(SeekFrom::End(0))?;
        file.write_all(block)?;
        Ok(at)
    }

    fn read(&self, at: u64, block: &mut [u8]) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = file.as_mut() else { return Err(io::ErrorKind::NotFound.into()) };
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(block)
    }
}

/// Rows of a table: blocks in the file, the last one in memory. A block holds whole rows.
#[derive(Debug)]
pub(super) struct Spool {
    shared: Shared,
    spools: Spools,
    blocks: Vec<(u64, usize)>,
    buffer: Vec<u8>,
    /// Position of the current row, and what its cells are.
    row: usize,
    layout: Layout,
    layouts: Layouts,
    block: usize,
}

/// What the cells of a row are: the place of each, and in the lowest byte its kind.
type Layout = Vec<u64>;

/// Layouts that rows refer to by number: nearly all rows of a table have one of a few.
#[derive(Debug, Default)]
struct Layouts {
    known: Vec<Layout>,
    last: usize,
}

/// Maximum number of layouts that are known, and of their cells; a row of another has it before its cells.
const MOST_LAYOUTS: usize = 16;
const MOST_CELLS: usize = 128;
/// Bytes of a row before its layout and its cells.
const HEAD: usize = 17;

impl Layouts {
    /// The number of a layout, and whether it is new.
    fn number(&mut self, layout: &Layout) -> (usize, bool) {
        if self.known.get(self.last) == Some(layout) {
            return (self.last, false);
        }
        let found = self.known.iter().position(|known| known == layout);
        self.last = found.unwrap_or(self.known.len());
        if found.is_none() {
            self.learn(layout);
        }
        (self.last, found.is_none())
    }

    fn learn(&mut self, layout: &Layout) {
        if self.known.len() < MOST_LAYOUTS && layout.len() <= MOST_CELLS {
            self.known.push(layout.clone());
        }
    }
}

/// Block size of a single table; with thousands of tables, blocks are smaller.
const BLOCK: usize = 256 << 10;
/// Approximate total size of all blocks in memory.
const ALL: usize = 8 << 20;
/// Minimum block size.
const LEAST: usize = 4 << 10;

impl Spool {
    /// Creates a spool for a table with `others` open.
    pub(super) fn new(shared: Shared, spools: Spools, others: usize) -> Self {
        let block = ALL.checked_div(others).unwrap_or(BLOCK).clamp(LEAST, BLOCK);
        Self {
            shared,
            spools,
            blocks: Vec::new(),
            buffer: Vec::new(),
            row: 0,
            layout: Vec::new(),
            layouts: Layouts::default(),
            block,
        }
    }

    /// Begins a row.
    pub(super) fn begin(&mut self, time: Option<Timestamp>, channel: u32) {
        self.row = self.buffer.len();
        self.layout.clear();
        let (clock, nanos) = time.map_or((NO_TIME, 0), |time| (clock_number(time.clock()), time.nanos()));
        // Filled in when the row ends.
        self.buffer.extend_from_slice(&0_u32.to_le_bytes());
        self.buffer.extend_from_slice(&channel.to_le_bytes());
        self.buffer.push(clock);
        self.buffer.extend_from_slice(&nanos.to_le_bytes());
    }

    /// Adds a cell for the column at `place`.
    pub(super) fn cell(&mut self, place: usize, cell: &Cell) -> Result<()> {
        let place = u32::try_from(place).map_err(|_| Error::Target(Reason::TooManyColumns))?;
        let out = &mut self.buffer;
        let kind = match cell {
            Cell::Null => 0,
            Cell::Bool(value) => {
                out.push(u8::from(*value));
                1
            }
            Cell::Int(value) => {
                out.extend_from_slice(&value.to_le_bytes());
                2
            }
            Cell::Float(value) => {
                out.extend_from_slice(&value.to_le_bytes());
                3
            }
            Cell::Text(text) => {
                let too_long = |_| Error::Target(Reason::LongValue { bytes: text.len() });
                let len = u32::try_from(text.len()).map_err(too_long)?;
                out.extend_from_slice(&len.to_le_bytes());
                out.extend_from_slice(text.as_bytes());
                4
            }
        };
        self.layout.push(u64::from(place) << 8 | kind);
        Ok(())
    }

    /// Ends the row.
    pub(super) fn end(&mut self) -> Result<()> {
        let (number, is_new) = self.layouts.number(&self.layout);
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        if let Some(place) = self.buffer.get_mut(self.row..).and_then(<[u8]>::first_chunk_mut) {
            *place = number.to_le_bytes();
        }
        if is_new {
            let told = std::iter::once(self.layout.len() as u64).chain(self.layout.iter().copied());
            let told = told.flat_map(u64::to_le_bytes);
            let at = self.row + HEAD;
            self.buffer.splice(at..at, told);
        }
        self.flush_full()
    }

    /// Adds a record of any bytes, instead of a row.
    pub(super) fn record(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let start = self.buffer.len();
        self.buffer.extend_from_slice(&0_u32.to_le_bytes());
        write(&mut self.buffer);
        let bytes = self.buffer.len() - start;
        let len = u32::try_from(bytes).map_err(|_| Error::Target(Reason::LongValue { bytes }))?;
        if let Some(place) = self.buffer.get_mut(start..).and_then(<[u8]>::first_chunk_mut) {
            *place = len.to_le_bytes();
        }
        self.flush_full()
    }

    fn flush_full(&mut self) -> Result<()> {
        if self.buffer.len() >= self.block {
            let at = self.shared.append(&self.buffer, self.spools)?;
            self.blocks.push((at, self.buffer.len()));
            self.buffer.clear();
        }
        Ok(())
    }

    /// Returns an iterator over all rows.
    pub(super) fn rows(&mut self) -> Result<Rows<'_>> {
        let last = std::mem::take(&mut self.buffer);
        let mut rows = Rows {
            shared: &self.shared,
            blocks: self.blocks.iter(),
            last: Some(last),
            block: Vec::new(),
            at: 0,
            layouts: Layouts::default(),
        };
        rows.load()?;
        Ok(rows)
    }
}

/// Reads the rows back.
pub(super) struct Rows<'a> {
    shared: &'a Shared,
    blocks: std::slice::Iter<'a, (u64, usize)>,
    last: Option<Vec<u8>>,
    block: Vec<u8>,
    at: usize,
    /// Layouts of the rows read so far.
    layouts: Layouts,
}

impl Rows<'_> {
    /// Returns the time and channel number of the next row, if any; passes its cells and their places to `put`.
    pub(super) fn next_row(
        &mut self,
        mut put: impl FnMut(usize, Cell),
    ) -> Result<Option<(Option<Timestamp>, u32)>> {
        while self.at >= self.block.len() {
            if !self.load()? {
                return Ok(None);
            }
        }
        let number = u32::from_le_bytes(self.take()?) as usize;
        let channel = u32::from_le_bytes(self.take()?);
        let [clock] = self.take()?;
        let nanos = i64::from_le_bytes(self.take()?);
        let time = CLOCKS.get(usize::from(clock)).map(|clock| Timestamp::new(nanos, *clock));
        let known = self.layouts.known.get_mut(number).map(std::mem::take);
        let layout = if let Some(known) = known { known } else { self.new_layout()? };
        for cell in &layout {
            let [kind, place @ .., _, _, _] = cell.to_le_bytes();
            put(u32::from_le_bytes(place) as usize, self.cell(kind)?);
        }
        if let Some(known) = self.layouts.known.get_mut(number) {
            *known = layout;
        }
        Ok(Some((time, channel)))
    }

    /// The next record of any bytes.
    pub(super) fn next_record(&mut self) -> Result<Option<&[u8]>> {
        while self.at >= self.block.len() {
            if !self.load()? {
                return Ok(None);
            }
        }
        let start = self.at;
        let len = u32::from_le_bytes(self.take()?) as usize;
        let end = start.saturating_add(len);
        let record = self.block.get(self.at..end).ok_or_else(changed)?;
        self.at = end;
        Ok(Some(record))
    }

    /// Reads the next block; returns false at the end.
    fn load(&mut self) -> Result<bool> {
        self.at = 0;
        if let Some((at, len)) = self.blocks.next() {
            self.block.resize(*len, 0);
            self.shared.read(*at, &mut self.block)?;
            return Ok(true);
        }
        let last = self.last.take();
        let is_there = last.is_some();
        self.block = last.unwrap_or_default();
        Ok(is_there)
    }

    /// Reads a layout that no row before had, or that is not kept.
    fn new_layout(&mut self) -> Result<Layout> {
        let count = u64::from_le_bytes(self.take()?);
        let mut layout = Layout::new();
        for _ in 0..count {
            layout.push(u64::from_le_bytes(self.take()?));
        }
        self.layouts.learn(&layout);
        Ok(layout)
    }

    #[inline]
    fn cell(&mut self, kind: u8) -> Result<Cell> {
        Ok(match kind {
            1 => Cell::Bool(self.take::<1>()? != [0]),
            2 => Cell::Int(i64::from_le_bytes(self.take()?)),
            3 => Cell::Float(f64::from_le_bytes(self.take()?)),
            4 => {
                let len = u32::from_le_bytes(self.take()?) as usize;
                let end = self.at + len;
                let text = self.block.get(self.at..end).ok_or_else(changed)?;
                let text = String::from_utf8_lossy(text).into_owned();
                self.at = end;
                Cell::Text(text)
            }
            _ => Cell::Null,
        })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.block.get(self.at..).and_then(<[u8]>::first_chunk).copied().ok_or_else(changed)?;
        self.at += N;
        Ok(bytes)
    }
}

#[cold]
fn changed() -> Error {
    Error::Write(io::Error::new(io::ErrorKind::InvalidData, "the temporary file of a table was changed"))
}

const CLOCKS: [Clock; 4] = [Clock::Unix, Clock::Gps, Clock::Device, Clock::Relative];
const NO_TIME: u8 = u8::MAX;

fn clock_number(clock: Clock) -> u8 {
    CLOCKS.iter().zip(0..).find_map(|(other, number)| (*other == clock).then_some(number)).unwrap_or(NO_TIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_with_whichever_cells_they_have() {
        // More kinds of rows than are known, again and again, in several blocks.
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
        let mut spool = Spool::new(Shared::default(), Spools::default(), 1 << 20);
        let time = |n: u32| (!n.is_multiple_of(5)).then(|| Timestamp::new(n.into(), Clock::Gps));
        for n in 0..3000 {
            spool.begin(time(n), n);
            for (place, cell) in rows(n) {
                spool.cell(place, &cell).unwrap();
            }
            spool.end().unwrap();
        }
        assert!(spool.blocks.len() > 10 && spool.layouts.known.len() == MOST_LAYOUTS);
        let mut back = spool.rows().unwrap();
        for n in 0..3000 {
            let mut cells = Vec::new();
            let row = back.next_row(|place, cell| cells.push((place, cell))).unwrap();
            assert_eq!((row, cells), (Some((time(n), n)), rows(n).collect()));
        }
        assert!(back.next_row(|_, _| ()).unwrap().is_none());
    }
}
