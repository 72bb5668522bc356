//! Data of tables in a temporary file.
//!
//! All tables of a conversion share one file of blocks, so that thousands of tables keep one file open.

use std::{
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    Error, Opening, Reason, Result,
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

/// Blocks in the file.
#[derive(Debug)]
pub(super) struct Blocks {
    shared: Shared,
    spools: Spools,
    /// Their places and lengths.
    list: Vec<(u64, usize)>,
    /// Bytes of a block.
    pub(super) size: usize,
}

/// Records of a table: blocks in the file, the last one in memory. A block holds whole records.
#[derive(Debug)]
pub(super) struct Spool {
    blocks: Blocks,
    buffer: Vec<u8>,
}

/// Block size of a single table; with thousands of tables, blocks are smaller.
const BLOCK: usize = 256 << 10;
/// Approximate total size of all blocks in memory.
const ALL: usize = 8 << 20;
/// Minimum block size.
const LEAST: usize = 4 << 10;

impl Blocks {
    /// Of a table with `others` open.
    pub(super) fn new(opening: &Opening) -> Self {
        let (shared, spools) = (opening.shared.clone(), opening.options.spools);
        let size = ALL.checked_div(opening.others).unwrap_or(BLOCK).clamp(LEAST, BLOCK);
        Self { shared, spools, list: Vec::new(), size }
    }

    pub(super) fn append(&mut self, block: &[u8]) -> Result<()> {
        let at = self.shared.append(block, self.spools)?;
        self.list.push((at, block.len()));
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Reads the block with this number; returns false if there is none.
    pub(super) fn read(&self, number: usize, block: &mut Vec<u8>) -> Result<bool> {
        let Some((at, len)) = self.list.get(number) else { return Ok(false) };
        block.resize(*len, 0);
        self.shared.read(*at, block)?;
        Ok(true)
    }
}

impl Spool {
    /// Creates a spool for a table.
    pub(super) fn new(opening: &Opening) -> Self {
        Self { blocks: Blocks::new(opening), buffer: Vec::new() }
    }

    /// Adds a record.
    pub(super) fn record(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let start = self.buffer.len();
        self.buffer.extend_from_slice(&0_u32.to_le_bytes());
        write(&mut self.buffer);
        let bytes = self.buffer.len() - start;
        let len = u32::try_from(bytes).map_err(|_| Error::Target(Reason::LongValue { bytes }))?;
        if let Some(place) = self.buffer.get_mut(start..).and_then(<[u8]>::first_chunk_mut) {
            *place = len.to_le_bytes();
        }
        if self.buffer.len() >= self.blocks.size {
            self.blocks.append(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Reads all records.
    pub(super) fn records(&mut self) -> Records<'_> {
        let last = std::mem::take(&mut self.buffer);
        Records { blocks: &self.blocks, number: 0, last: Some(last), block: Vec::new(), at: 0 }
    }
}

/// Reads the records back.
pub(super) struct Records<'a> {
    blocks: &'a Blocks,
    /// Of the next block.
    number: usize,
    last: Option<Vec<u8>>,
    block: Vec<u8>,
    at: usize,
}

impl Records<'_> {
    /// The next record.
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
        if self.blocks.read(self.number, &mut self.block)? {
            self.number += 1;
            return Ok(true);
        }
        let last = self.last.take();
        let is_there = last.is_some();
        self.block = last.unwrap_or_default();
        Ok(is_there)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.block.get(self.at..).and_then(<[u8]>::first_chunk).copied().ok_or_else(changed)?;
        self.at += N;
        Ok(bytes)
    }
}

#[cold]
pub(super) fn changed() -> Error {
    Error::Write(io::Error::new(io::ErrorKind::InvalidData, "the temporary file of a table was changed"))
}
