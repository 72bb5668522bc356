//! Text from files, for a terminal.

use std::io::{self, Write};

use super::{Styles, printable};

/// A writer for text from files: keeps lines and tabs, and escapes whatever else could control a terminal.
#[derive(Debug)]
pub(crate) struct Safe<W: Write> {
    out: W,
    /// An incomplete line.
    held: Vec<u8>,
}

impl<W: Write> Safe<W> {
    /// Maximum bytes of a line held.
    const MOST: usize = 1 << 16;

    pub(crate) fn new(out: W) -> Self {
        Self { out, held: Vec::new() }
    }

    fn write_held(&mut self) -> io::Result<()> {
        let text = printable(&self.held, Styles::Escaped).into_owned();
        self.held.clear();
        self.out.write_all(&text)
    }
}

impl<W: Write> Write for Safe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Escapes whole lines only, so that no character is split; the rest follows later.
        let (whole, rest) = match bytes.iter().rposition(|b| *b == b'\n') {
            Some(end) => bytes.split_at(end + 1),
            None => (&[][..], bytes),
        };
        self.held.extend_from_slice(whole);
        if !whole.is_empty() && self.held.len() >= Self::MOST || self.held.len() >= Self::MOST * 16 {
            self.write_held()?;
        }
        self.held.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_held()?;
        self.out.flush()
    }
}
