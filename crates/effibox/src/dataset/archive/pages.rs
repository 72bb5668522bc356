//! Bytes of a file at any offset.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek as _, SeekFrom},
    ops::Range,
};

use memchr::memmem;

use robolog_core::slices::{InRange as _, Part as _, past};

/// Bytes read at once.
const PAGE: usize = 8 << 10;

/// A file and a part of it in memory.
pub(super) struct Pages {
    file: File,
    len: u64,
    /// Place of the part.
    at: u64,
    page: Vec<u8>,
}

impl Pages {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let len = file.metadata()?.len();
        Ok(Self { file, len, at: 0, page: Vec::new() })
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The bytes at `at`: fewer than `len` at the end. `len` must be small.
    pub(super) fn bytes(&mut self, at: u64, len: usize) -> io::Result<&[u8]> {
        let place = at.checked_sub(self.at).and_then(|place| usize::try_from(place).ok());
        let place = place.filter(|place| place.saturating_add(len) <= self.page.len());
        let place = if let Some(place) = place {
            place
        } else {
            self.page.clear();
            self.file.seek(SeekFrom::Start(at))?;
            self.file.by_ref().take(PAGE.max(len) as u64).read_to_end(&mut self.page)?;
            self.at = at;
            0
        };
        let rest = self.page.part(place..);
        Ok(rest.get(..len).unwrap_or(rest))
    }

    /// The first place of `magic` that begins in the range.
    pub(super) fn find(&mut self, magic: [u8; 4], range: Range<u64>) -> io::Result<Option<u64>> {
        let mut at = range.start;
        while at < range.end {
            let most = range.end.minus(at).plus(3);
            let len = usize::try_from(most).unwrap_or(usize::MAX).min(PAGE);
            let bytes = self.bytes(at, len)?;
            if let Some(found) = memmem::find(bytes, &magic) {
                return Ok(Some(past(at, found)));
            }
            let Some(moved) = bytes.len().checked_sub(3).filter(|moved| *moved > 0) else { break };
            at = past(at, moved);
        }
        Ok(None)
    }

    /// The bytes from `at` on. Leaves the part in memory as it is.
    pub(super) fn stream(&mut self, at: u64) -> io::Result<BufReader<&File>> {
        self.file.seek(SeekFrom::Start(at))?;
        Ok(BufReader::with_capacity(1 << 16, &self.file))
    }
}
