//! A file that others can ask how long it is.

use std::{
    cell::Cell,
    io::{self, BufWriter, Seek, SeekFrom, Write},
    rc::Rc,
};

use robolog_convert::target::OutputFile;

/// So much of a part is written at once.
const BUFFER: usize = 1 << 18;

/// Counts the bytes that are written at the end of a file.
#[derive(Debug)]
pub(super) struct Counted {
    out: BufWriter<OutputFile>,
    position: u64,
    len: Rc<Cell<u64>>,
}

impl Counted {
    pub(super) fn new(file: OutputFile) -> Self {
        Self { out: BufWriter::with_capacity(BUFFER, file), position: 0, len: Rc::default() }
    }

    /// How long the file is, now and later.
    pub(super) fn len(&self) -> Rc<Cell<u64>> {
        Rc::clone(&self.len)
    }
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.position += n as u64;
        self.len.set(self.len.get().max(self.position));
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.out.seek(to)?;
        Ok(self.position)
    }
}
