//! Compressed points, chunk by chunk.

use std::{
    io::{self, Cursor, Seek, SeekFrom, Write},
    sync::atomic::{AtomicUsize, Ordering},
};

use ::laz::{
    LazVlr,
    laszip::{ChunkTable, ChunkTableEntry, compress_buffer},
};

use robolog_core::slices::{OrZero as _, Part as _, fitting};

use crate::{
    Advice, Error, Reason, Result,
    parallel::{cores, in_order},
};

/// Compresses points into chunks, whose bounds do not depend on the number of threads.
#[derive(Debug)]
pub(super) struct Chunks {
    vlr: LazVlr,
    /// Position of the chunk table's offset.
    start: u64,
    table: ChunkTable,
    /// Bytes of a chunk before it is compressed.
    chunk: usize,
    pending: Vec<u8>,
    _share: Share,
}

/// Chunks in memory shared by all open files: 1.7 MB each.
const SHARED: usize = 16;
/// Maximum number of files open at a time.
const MAX_FILES: usize = 32;

impl Chunks {
    /// Begins on `out`, at the position of the points.
    pub(super) fn new(vlr: LazVlr, out: &mut (impl Write + Seek)) -> Result<Self> {
        let share = Share::new()?;
        let start = begin_chunks(out)?;
        let points = fitting::<usize>(vlr.chunk_size());
        let chunk = fitting::<usize>(vlr.items_size()) * points;
        Ok(Self { vlr, start, table: ChunkTable::default(), chunk, pending: Vec::new(), _share: share })
    }

    /// Adds records and compresses full chunks.
    pub(super) fn push(&mut self, records: &[u8], out: &mut impl Write) -> Result<()> {
        self.pending.extend_from_slice(records);
        let batch = self.chunk * Share::chunks();
        if self.pending.len() >= batch {
            let rest = self.pending.len().rem_or_zero(self.chunk);
            self.compress(self.pending.len() - rest, out)?;
        }
        Ok(())
    }

    fn compress(&mut self, len: usize, out: &mut impl Write) -> Result<()> {
        let whole = self.pending.part(..len);
        let (vlr, table) = (&self.vlr, &mut self.table);
        in_order(
            Share::chunks(),
            whole.chunks(self.chunk.max(1)),
            |points| chunk(points, vlr),
            |made| {
                let (entry, bytes) = made?;
                table.push(entry);
                Ok(out.write_all(&bytes)?)
            },
        )?;
        self.pending.drain(..len);
        Ok(())
    }

    /// Compresses the rest and writes the chunk table. `out` is then at the end of the table.
    pub(super) fn finish(&mut self, out: &mut (impl Write + Seek)) -> Result<()> {
        if !self.pending.is_empty() {
            self.compress(self.pending.len(), out)?;
        }
        end_chunks(out, self.start, &self.table, &self.vlr)
    }
}

/// Reserves room for the chunk table's offset. Returns its position.
pub(super) fn begin_chunks(out: &mut (impl Write + Seek)) -> Result<u64> {
    let start = out.stream_position()?;
    out.write_all(&[0; ChunkTable::OFFSET_SIZE])?;
    Ok(start)
}

/// Writes the chunk table, and its offset at `start`. `out` is then at the end of the table.
pub(super) fn end_chunks(
    out: &mut (impl Write + Seek),
    start: u64,
    table: &ChunkTable,
    vlr: &LazVlr,
) -> Result<()> {
    let end = out.stream_position()?;
    out.seek(SeekFrom::Start(start))?;
    out.write_all(&end.to_le_bytes())?;
    out.seek(SeekFrom::Start(end))?;
    Ok(table.write_to(out, vlr)?)
}

/// Compresses the points of one chunk. The library writes a whole file, whose table is cut off.
pub(super) fn chunk(points: &[u8], vlr: &LazVlr) -> Result<(ChunkTableEntry, Vec<u8>)> {
    let failed = |e: ::laz::LasZipError| Error::Write(io::Error::other(e));
    let mut file = Cursor::new(Vec::new());
    compress_buffer(&mut file, points, vlr.clone()).map_err(failed)?;
    let mut bytes = file.into_inner();
    let end = bytes.first_chunk().map_or(0, |place| u64::from_le_bytes(*place));
    bytes.truncate(fitting::<usize>(end));
    bytes.drain(..ChunkTable::OFFSET_SIZE.min(bytes.len()));
    let points = (points.len() as u64).div_or_zero(vlr.items_size());
    Ok((ChunkTableEntry { point_count: points, byte_count: bytes.len() as u64 }, bytes))
}

/// A share of the memory for chunks.
#[derive(Debug)]
struct Share;

/// Number of open files.
static FILES: AtomicUsize = AtomicUsize::new(0);

impl Share {
    fn new() -> Result<Self> {
        let taken = FILES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |files| {
            files.checked_add(1).filter(|files| *files <= MAX_FILES)
        });
        match taken {
            Ok(_) => Ok(Self),
            Err(_) => Err(Error::Target(Reason::TooManyFiles {
                what: "LAZ",
                most: MAX_FILES,
                problem: "cannot be compressed",
                advice: Advice::PlainLas,
            })),
        }
    }

    /// Number of chunks to compress at a time.
    fn chunks() -> usize {
        let threads = cores();
        let files = FILES.load(Ordering::Relaxed);
        SHARED.checked_div(files).unwrap_or(SHARED).clamp(1, threads)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        FILES.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use ::laz::LazVlrBuilder;

    use super::*;

    #[test]
    fn memory_for_chunks_is_shared() {
        let vlr = || LazVlrBuilder::default().with_point_format(6, 0).unwrap().build();
        let mut out = Cursor::new(Vec::new());
        let mut files = Vec::new();
        while let Ok(chunks) = Chunks::new(vlr(), &mut out) {
            files.push(chunks);
        }
        assert_eq!((files.len(), Share::chunks()), (MAX_FILES, 1));
        assert_eq!(Chunks::new(vlr(), &mut out).unwrap_err().advice(), Some(Advice::PlainLas));
        files.truncate(1);
        assert!(Share::chunks() <= SHARED && Chunks::new(vlr(), &mut out).is_ok());
    }
}
