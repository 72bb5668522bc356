//! Files and folders in memory.

use std::{
    cell::RefCell,
    io::{Cursor, Result, Seek, SeekFrom, Write},
    path::Path,
    rc::Rc,
};

use tempfile::TempDir;

/// A file in memory that stays readable after a sink has taken it.
#[derive(Debug, Clone, Default)]
pub struct Shared(Rc<RefCell<Cursor<Vec<u8>>>>);

impl Shared {
    /// The written bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.borrow().get_ref().clone()
    }
}

impl Write for Shared {
    fn write(&mut self, buf: &[u8]) -> Result<usize> {
        self.0.borrow_mut().write(buf)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.0.borrow_mut().seek(to)
    }
}

/// A folder in memory if the system supports it, else a temporary folder. Removed on drop.
pub fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.unwrap()
}
