//! Files of object stores, read through fsspec in ranges. Fetched blocks are cached: detecting the format, reading the
//! header and searching a time read the same bytes more than once.

#![expect(clippy::arithmetic_side_effects, reason = "places and counts of what the store says is there")]

use std::{
    collections::BTreeMap,
    io::{self, Read, Seek, SeekFrom},
    sync::{Arc, Mutex, PoisonError},
};

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyDict},
};
use robolog_convert::seek_place;

use robolog_core::slices::Part as _;

use crate::pulse::Pulse;

/// Bytes of a block.
const BLOCK: usize = 1 << 15;
/// Maximum number of blocks requested together: for a single read, and for continued reading.
const LOOK: usize = 2;
const MOST: usize = 32;
/// Number of consecutive blocks after which more are requested together; a single record is complete by then.
const READ: usize = 16;
/// Maximum share of read-ahead in what was read in one go: blocks after the end of reading are wasted.
const BEYOND: usize = 8;
/// Maximum number of cached blocks.
const KEPT: usize = 512;

/// A file in a file system of fsspec.
pub(crate) struct Remote {
    pub(crate) url: String,
    pub(crate) len: Option<u64>,
    system: Py<PyAny>,
    path: String,
    blocks: Mutex<Blocks>,
}

/// Blocks by number, each with the time of its last use.
#[derive(Default)]
struct Blocks {
    kept: BTreeMap<u64, (u64, Arc<[u8]>)>,
    uses: u64,
}

impl Blocks {
    fn get(&mut self, number: u64) -> Option<Arc<[u8]>> {
        self.uses += 1;
        let (used, block) = self.kept.get_mut(&number)?;
        *used = self.uses;
        Some(Arc::clone(block))
    }

    fn put(&mut self, number: u64, block: &[u8]) {
        self.uses += 1;
        self.kept.insert(number, (self.uses, block.into()));
        if self.kept.len() > KEPT {
            let oldest = self.kept.iter().min_by_key(|(_, (used, _))| *used).map(|(number, _)| *number);
            oldest.map(|oldest| self.kept.remove(&oldest));
        }
    }
}

impl Remote {
    /// `None` if it is no address.
    pub(crate) fn of(py: Python<'_>, text: &str) -> PyResult<Option<Self>> {
        // A Windows drive has one letter and no such slashes.
        if !text.contains("://") {
            return Ok(None);
        }
        let remote = py.import("pyrobolog._remote")?;
        if !remote.call_method1("is_url", (text,))?.is_truthy()? {
            return Ok(None);
        }
        let (system, path): (Bound<'_, PyAny>, String) = remote.call_method1("find", (text,))?.extract()?;
        let len = system.call_method1("size", (&path,))?.extract()?;
        let (url, system, blocks) = (text.to_owned(), system.unbind(), Mutex::default());
        Ok(Some(Self { url, len, system, path, blocks }))
    }

    /// A reader from the first byte. Requests nothing before it is read.
    pub(crate) fn open(self: &Arc<Self>, pulse: &Pulse) -> RemoteFile {
        let (remote, pulse) = (Arc::clone(self), pulse.clone());
        RemoteFile { remote, pulse, file: None, at: 0, behind: 0, run: 0 }
    }

    fn block(&self, number: u64) -> Option<Arc<[u8]>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).get(number)
    }
}

/// A file of fsspec that fetches the ranges to read.
pub(crate) struct RemoteFile {
    remote: Arc<Remote>,
    pulse: Pulse,
    /// The file object, opened at the first fetch.
    file: Option<Py<PyAny>>,
    at: u64,
    /// The block after the last fetched ones, and the number of consecutive fetches.
    behind: u64,
    run: usize,
}

impl RemoteFile {
    /// Fetches a block, and some more in continued reading, unless they are cached. Returns the block, which another
    /// thread may drive out of the cache at once; it is empty at the end of a file.
    fn fetch(&mut self, number: u64) -> io::Result<Arc<[u8]>> {
        if number != self.behind {
            self.run = 0;
        }
        let is_new = |next: &u64| *next == number || self.remote.block(*next).is_none();
        let blocks = (number..).take(self.ahead()).take_while(is_new).count();
        let fetched = Python::attach(|py| self.read(py, number * BLOCK as u64, blocks * BLOCK));
        let bytes = fetched.map_err(|raised| self.pulse.fail(raised))?;
        self.behind = number + blocks as u64;
        self.run += blocks;
        let mut kept = self.remote.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, block) in (number..).zip(bytes.chunks(BLOCK)) {
            kept.put(number, block);
        }
        Ok(bytes.part(..bytes.len().min(BLOCK)).into())
    }

    /// Number of blocks to request: few for a single record, more in continued reading.
    fn ahead(&self) -> usize {
        match self.run {
            0 => 1,
            run if run < READ => run.min(LOOK),
            run => (run / BEYOND).clamp(READ / 4, MOST),
        }
    }

    /// Reads at most `len` bytes, and fewer only at the end.
    fn read(&mut self, py: Python<'_>, at: u64, len: usize) -> PyResult<Vec<u8>> {
        let file = if let Some(file) = &self.file {
            file
        } else {
            let options = PyDict::new(py);
            options.set_item("cache_type", "none")?;
            let Remote { system, path, .. } = &*self.remote;
            self.file.insert(system.call_method(py, "open", (path, "rb"), Some(&options))?)
        };
        let file = file.bind(py);
        file.call_method1("seek", (at, 0))?;
        let mut all = Vec::new();
        while all.len() < len {
            let bytes = file.call_method1("read", (len - all.len(),))?;
            let bytes = bytes.cast::<PyBytes>()?.as_bytes();
            if bytes.len() > len - all.len() {
                return Err(PyTypeError::new_err("a file gives more bytes than it is asked for"));
            }
            if bytes.is_empty() {
                break;
            }
            all.extend_from_slice(bytes);
        }
        Ok(all)
    }
}

impl Read for RemoteFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.remote.len.is_some_and(|len| self.at >= len) {
            return Ok(0);
        }
        let number = self.at / BLOCK as u64;
        let skip = usize::try_from(self.at % BLOCK as u64).unwrap_or(BLOCK);
        let block = match self.remote.block(number) {
            Some(block) => block,
            None => self.fetch(number)?,
        };
        // The last block ends with the file.
        let part = block.part_or_empty(skip..);
        let len = part.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(part) {
            *to = *from;
        }
        self.at += len as u64;
        Ok(len)
    }
}

impl Seek for RemoteFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let end = || self.remote.len.ok_or_else(|| io::ErrorKind::Unsupported.into());
        self.at = seek_place(to, self.at, end)?;
        Ok(self.at)
    }
}
