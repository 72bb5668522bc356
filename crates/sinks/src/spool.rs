//! Storage for bytes that cannot be written to the target yet: temporary files or memory.
//!
//! All temporary data of a conversion goes through here, so that it also runs without a file system.

use std::{
    fs::File,
    io::{self, Cursor, Read, Seek, SeekFrom, Write},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Kind of storage for bytes that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Spools {
    /// Unnamed temporary files in the system's folder, deleted with their last handle.
    Files,
    /// Memory, which grows with the bytes that wait: see each target.
    Memory,
}

/// Files, or memory in WebAssembly without a system.
impl Default for Spools {
    fn default() -> Self {
        if cfg!(all(target_family = "wasm", target_os = "unknown")) { Self::Memory } else { Self::Files }
    }
}

impl Spools {
    /// Opens a new spool. Returns an error if no temporary file can be created.
    pub fn open(self) -> io::Result<Spool> {
        Ok(Spool(match self {
            Self::Files => Backing::File(tempfile::tempfile()?),
            Self::Memory => Backing::Memory(Cursor::default()),
        }))
    }
}

/// Temporary bytes: written, then read back.
///
/// ```
/// use std::io::{Read, Seek, Write};
/// use robolog_sinks::spool::Spools;
/// let mut spool = Spools::Memory.open()?;
/// spool.write_all(b"later")?;
/// spool.rewind()?;
/// let mut text = String::new();
/// spool.read_to_string(&mut text)?;
/// assert_eq!(text, "later");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Spool(Backing);

#[derive(Debug)]
enum Backing {
    File(File),
    Memory(Cursor<Vec<u8>>),
}

impl Read for Spool {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Backing::File(file) => file.read(buffer),
            Backing::Memory(bytes) => bytes.read(buffer),
        }
    }
}

impl Write for Spool {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Backing::File(file) => file.write(buffer),
            Backing::Memory(bytes) => bytes.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Backing::File(file) => file.flush(),
            Backing::Memory(_) => Ok(()),
        }
    }
}

impl Seek for Spool {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Backing::File(file) => file.seek(to),
            Backing::Memory(bytes) => bytes.seek(to),
        }
    }
}

/// A file in memory. All handles share the bytes.
///
/// ```
/// use robolog_sinks::{Opening, mcap::MCAP, spool::MemoryFile};
/// let file = MemoryFile::default();
/// MCAP.open(file.clone(), &Opening::default())?.finish()?;
/// assert!(file.into_bytes().starts_with(b"\x89MCAP0\r\n"));
/// # Ok::<(), robolog_sinks::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryFile(Arc<Mutex<Cursor<Vec<u8>>>>);

impl MemoryFile {
    fn file(&self) -> MutexGuard<'_, Cursor<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes all bytes. The file is then empty for every handle.
    pub fn into_bytes(self) -> Vec<u8> {
        std::mem::take(&mut *self.file()).into_inner()
    }
}

impl Write for MemoryFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.file().write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for MemoryFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file().seek(to)
    }
}
