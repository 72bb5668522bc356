//! A file whose length others can read.

use std::{
    cell::Cell,
    io::{self, BufWriter, Seek, SeekFrom, Write},
    rc::Rc,
};

use robolog_convert::target::OutputFile;

/// Bytes of a part written at once.
const BUFFER: usize = 1 << 18;

/// Counts the bytes written at the end of a file.
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

    /// The current length of the file, updated on writes.
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
