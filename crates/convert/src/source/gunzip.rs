//! Gzip streams: reads everything that decompresses, then returns the fault.

use std::io::{self, Read};

use flate2::{Crc, Decompress, FlushDecompress, Status};
use robolog_core::{
    Error, ErrorKind, Limits,
    slices::{OrZero as _, Part as _, fitting},
};

/// Magic bytes of compressed files.
pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];

/// Bytes read from the file at once.
const BLOCK: usize = 64 << 10;

/// Bytes decompressed at once. Decompressors with a window of their own return no more, so that nothing stays in it
/// when they fail: a call fills the window to its end and not beyond.
const WINDOW: usize = 32 << 10;

/// Decompresses the members of a gzip stream in order. After a fault it reads on as far as possible, and fails at the
/// end with [`io::ErrorKind::InvalidData`], or with [`io::ErrorKind::UnexpectedEof`] for a truncated file.
pub(super) struct Gunzip<R> {
    file: File<R>,
    limits: Limits,
    inflate: Decompress,
    crc: Crc,
    state: State,
    /// The first fault.
    fault: Option<io::Error>,
    window: Vec<u8>,
    /// The bytes of the window that are not returned yet.
    given: usize,
    filled: usize,
    /// Decompressed bytes of all members.
    expanded: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a member; the first is required.
    Between {
        is_first: bool,
    },
    Inside,
    Over,
}

impl<R: Read> Gunzip<R> {
    pub(super) fn new(inner: R, limits: Limits) -> Self {
        Self {
            file: File { inner, block: vec![0; BLOCK], start: 0, end: 0, taken: 0 },
            limits,
            inflate: Decompress::new(false),
            crc: Crc::new(),
            state: State::Between { is_first: true },
            fault: None,
            window: vec![0; WINDOW],
            filled: 0,
            given: 0,
            expanded: 0,
        }
    }

    /// Fills the window with the next bytes; it stays empty at the end.
    fn fill(&mut self) -> io::Result<()> {
        (self.filled, self.given) = (0, 0);
        while self.given == self.filled && self.state != State::Over {
            let went_on = match self.state {
                State::Between { is_first } => self.begin(is_first),
                State::Inside => self.inflate(),
                State::Over => Ok(()),
            };
            match went_on {
                Ok(()) => {}
                Err(e) if matches!(e.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData) => {
                    self.fault.get_or_insert(e);
                    self.state = State::Over;
                }
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// Reads the header of a member, or the bytes after the last one.
    fn begin(&mut self, is_first: bool) -> io::Result<()> {
        let start = self.file.peek(MAGIC.len())?;
        if start.is_empty() && !is_first {
            self.state = State::Over;
            return Ok(());
        }
        if !start.starts_with(&MAGIC) {
            let at = self.file.taken;
            let (junk, is_padding) = self.file.rest()?;
            let what = if is_padding { "of padding" } else { "that are not a gzip stream" };
            return Err(wrong(format_args!("{junk} bytes {what} from byte {at:#x} on"), "its end"));
        }
        let [_, _, _, flags, ..] = self.file.bytes::<10>()?;
        if flags & 4 != 0 {
            for _ in 0..u16::from_le_bytes(self.file.bytes()?) {
                self.file.bytes::<1>()?;
            }
        }
        // A name, and a comment.
        for flag in [8, 16] {
            while flags & flag != 0 && self.file.bytes::<1>()? != [0] {}
        }
        if flags & 2 != 0 {
            self.file.bytes::<2>()?;
        }
        self.inflate.reset(false);
        self.crc.reset();
        self.state = State::Inside;
        Ok(())
    }

    fn inflate(&mut self) -> io::Result<()> {
        let input = self.file.peek(1)?;
        let is_end = input.is_empty();
        let before = (self.inflate.total_in(), self.inflate.total_out());
        let used = fitting::<usize>(before.1.rem_or_zero(WINDOW as u64));
        let window = self.window.part_mut(used..);
        let outcome = self.inflate.decompress(input, window, FlushDecompress::None);
        let count = |now: u64, before: u64| fitting::<usize>(now.wrapping_sub(before));
        let (read, written) =
            (count(self.inflate.total_in(), before.0), count(self.inflate.total_out(), before.1));
        (self.given, self.filled) = (used, used.wrapping_add(written));
        self.crc.update(window.part(..written));
        self.file.take(read);
        self.expanded += written as u64;
        match outcome {
            Ok(Status::StreamEnd) => {
                self.state = State::Between { is_first: false };
                self.trailer()?;
            }
            Ok(_) if is_end && written == 0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => {}
            Err(_) => {
                let at = format_args!("a damaged block at byte {} of the file", self.file.taken);
                return Err(wrong(at, "one that can be decompressed"));
            }
        }
        self.check_expansion()
    }

    /// Compares the checksum and the length after a member. Another member may follow a damaged one.
    fn trailer(&mut self) -> io::Result<()> {
        let crc = u32::from_le_bytes(self.file.bytes()?);
        let len = u32::from_le_bytes(self.file.bytes()?);
        let fault = if crc != self.crc.sum() {
            wrong(format_args!("the checksum {:#010x}", self.crc.sum()), format_args!("{crc:#010x}"))
        } else if len != self.crc.amount() {
            wrong(format_args!("{} bytes", self.crc.amount()), format_args!("{len}"))
        } else {
            return Ok(());
        };
        self.fault.get_or_insert(fault);
        Ok(())
    }

    fn check_expansion(&self) -> io::Result<()> {
        let most = self.limits.expand.saturating_mul(self.file.taken).saturating_add(Limits::EXPAND_FREE);
        if self.expanded <= most {
            return Ok(());
        }
        let len = self.expanded.checked_div(self.file.taken).unwrap_or(u64::MAX);
        let kind = ErrorKind::Limit { what: EXPANSION, len, limit: self.limits.expand };
        Err(fault(Error::new(kind, 0)))
    }
}

/// Name of [`Limits::expand`] in errors.
pub(crate) const EXPANSION: &str = "expansion factor";

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.given >= self.filled {
            self.fill()?;
        }
        let ready = self.window.part(self.given..self.filled);
        if ready.is_empty() {
            return self.fault.take().map_or(Ok(0), Err);
        }
        let len = ready.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..len), ready.get(..len)) {
            to.copy_from_slice(from);
        }
        self.given = self.given.wrapping_add(len);
        Ok(len)
    }
}

fn wrong(found: impl std::fmt::Display, expected: impl std::fmt::Display) -> io::Error {
    fault(Error::invalid("content", found, expected, 0))
}

fn fault(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.within("compressed stream"))
}

/// The compressed file.
struct File<R> {
    inner: R,
    block: Vec<u8>,
    start: usize,
    end: usize,
    /// Bytes consumed.
    taken: u64,
}

impl<R: Read> File<R> {
    /// The next bytes: at least `need`, which must be few, unless the file ends.
    fn peek(&mut self, need: usize) -> io::Result<&[u8]> {
        while self.end.wrapping_sub(self.start) < need {
            self.block.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end.wrapping_sub(self.start));
            match self.inner.read(self.block.part_mut(self.end..)) {
                Ok(0) => break,
                Ok(n) => self.end = self.end.saturating_add(n).min(self.block.len()),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(self.block.part(self.start..self.end))
    }

    fn take(&mut self, len: usize) {
        self.start = self.start.saturating_add(len).min(self.end);
        self.taken += len as u64;
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let found = self.peek(N)?.first_chunk::<N>().copied();
        self.take(N);
        found.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// Number of bytes left, and whether all are zero.
    fn rest(&mut self) -> io::Result<(u64, bool)> {
        let (mut len, mut is_padding) = (0_u64, true);
        loop {
            let ready = self.peek(1)?;
            let n = ready.len();
            if n == 0 {
                return Ok((len, is_padding));
            }
            is_padding &= ready.iter().all(|b| *b == 0);
            len += n as u64;
            self.take(n);
        }
    }
}

#[cfg(test)]
mod tests;
