//! Expanding members: everything before a fault is delivered, however it is read.

use std::io::{self, BufRead, Read};

use flate2::{Crc, Decompress, FlushDecompress, Status};

use robolog_core::slices::{InRange as _, Part as _, fitting};

use robolog_core::slices::OrZero as _;

/// Bytes expanded at once. The decompressor has a window of this size and fills it to its end and not beyond, so that
/// nothing stays in it when it fails.
const WINDOW: usize = 32 << 10;

/// Expands a deflate stream.
pub(super) struct Inflate<R> {
    inner: R,
    state: Decompress,
    window: Vec<u8>,
    /// Bytes of the window that were delivered.
    given: usize,
    is_over: bool,
    fault: Option<io::Error>,
}

impl<R: BufRead> Inflate<R> {
    pub(super) fn new(inner: R) -> Self {
        let state = Decompress::new(false);
        Self { inner, state, window: Vec::with_capacity(WINDOW), given: 0, is_over: false, fault: None }
    }

    /// Compressed bytes so far.
    pub(super) fn taken(&self) -> u64 {
        self.state.total_in()
    }

    /// Begins another stream.
    fn restart(&mut self) {
        self.state.reset(false);
        self.is_over = false;
    }

    fn fill(&mut self) -> io::Result<()> {
        self.window.clear();
        self.given = 0;
        while self.window.is_empty() && !self.is_over {
            let input = self.inner.fill_buf()?;
            let is_end = input.is_empty();
            let before = (self.state.total_in(), self.state.total_out());
            let used = fitting::<usize>(before.1.rem_or_zero(WINDOW as u64));
            self.window.resize(WINDOW.wrapping_sub(used), 0);
            let outcome = self.state.decompress(input, &mut self.window, FlushDecompress::None);
            let count = |now: u64, before: u64| fitting::<usize>(now.wrapping_sub(before));
            let written = count(self.state.total_out(), before.1);
            self.inner.consume(count(self.state.total_in(), before.0));
            self.window.truncate(written);
            match outcome {
                Ok(Status::StreamEnd) => self.is_over = true,
                Ok(_) if is_end && written == 0 => self.fail(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) => {}
                Err(_) => self.fail(wrong("it cannot be decompressed")),
            }
        }
        Ok(())
    }

    fn fail(&mut self, fault: io::Error) {
        self.fault = Some(fault);
        self.is_over = true;
    }
}

impl<R: BufRead> Read for Inflate<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.given >= self.window.len() {
            self.fill()?;
        }
        let ready = self.window.part(self.given..);
        if ready.is_empty() {
            return self.fault.take().map_or(Ok(0), Err);
        }
        let len = ready.len().min(buf.len());
        if let (Some(to), Some(from)) = (buf.get_mut(..len), ready.get(..len)) {
            to.copy_from_slice(from);
        }
        self.given = self.given.plus(len);
        Ok(len)
    }
}

/// Expands the members of a gzip stream. A wrong checksum is an error at the end.
pub(super) struct Gunzip<R> {
    inflate: Inflate<R>,
    crc: Crc,
    state: State,
    fault: Option<io::Error>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Between { is_first: bool },
    Inside,
    Over,
}

impl<R: BufRead> Gunzip<R> {
    pub(super) fn new(inner: R) -> Self {
        let state = State::Between { is_first: true };
        Self { inflate: Inflate::new(inner), crc: Crc::new(), state, fault: None }
    }

    /// Reads the header of a member. What follows the last one is padding.
    fn begin(&mut self, is_first: bool) -> io::Result<()> {
        if self.inflate.inner.fill_buf()?.is_empty() && !is_first {
            self.state = State::Over;
            return Ok(());
        }
        let [a, b, method, flags, ..] = self.bytes::<10>()?;
        if [a, b, method] != [0x1f, 0x8b, 8] {
            self.state = State::Over;
            return if is_first || [a, b] != [0, 0] { Err(wrong("it is not a gzip stream")) } else { Ok(()) };
        }
        if flags & 4 != 0 {
            for _ in 0..u16::from_le_bytes(self.bytes()?) {
                self.bytes::<1>()?;
            }
        }
        // A name, and a comment.
        for flag in [8, 16] {
            while flags & flag != 0 && self.bytes::<1>()? != [0] {}
        }
        if flags & 2 != 0 {
            self.bytes::<2>()?;
        }
        self.inflate.restart();
        self.crc.reset();
        self.state = State::Inside;
        Ok(())
    }

    fn trailer(&mut self) -> io::Result<()> {
        self.state = State::Between { is_first: false };
        let (crc, len) = (u32::from_le_bytes(self.bytes()?), u32::from_le_bytes(self.bytes()?));
        if (crc, len) != (self.crc.sum(), self.crc.amount()) {
            self.fault.get_or_insert_with(|| wrong("its checksum is another one"));
        }
        Ok(())
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.inflate.inner.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn step(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        match self.state {
            State::Over => {}
            State::Between { is_first } => self.begin(is_first)?,
            State::Inside => match self.inflate.read(buf)? {
                0 => self.trailer()?,
                n => {
                    self.crc.update(buf.part(..n));
                    return Ok(n);
                }
            },
        }
        Ok(0)
    }
}

impl<R: BufRead> Read for Gunzip<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        loop {
            match self.step(buf) {
                Ok(0) if self.state == State::Over => return self.fault.take().map_or(Ok(0), Err),
                Ok(0) => {}
                Err(e) if is_damage(&e) => {
                    self.fault.get_or_insert(e);
                    self.state = State::Over;
                }
                outcome => return outcome,
            }
        }
    }
}

/// Whether an error is one of the bytes, after which everything before it counts.
pub(super) fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData)
}

fn wrong(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// A stream that must have a known number of bytes and, if known, a certain checksum.
pub(super) struct Exact<R> {
    inner: R,
    pub(super) left: u64,
    end: End,
}

/// What is checked at the end of a member.
#[derive(Debug)]
pub(super) enum End {
    Length,
    Checksum(Crc, u32),
    /// The member ends too early.
    Torn,
    Checked,
}

impl End {
    pub(super) fn checksum(sum: u32) -> Self {
        Self::Checksum(Crc::new(), sum)
    }

    fn check(&mut self) -> io::Result<usize> {
        match std::mem::replace(self, Self::Checked) {
            Self::Checksum(crc, sum) if crc.sum() != sum => {
                Err(wrong("the checksum in the archive is another one"))
            }
            Self::Torn => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(0),
        }
    }
}

impl<R> Exact<R> {
    pub(super) fn new(inner: R, size: u64, end: End) -> Self {
        Self { inner, left: size, end }
    }
}

impl<R: Read> Read for Exact<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buf.len());
        let room = buf.part_mut(..most);
        if room.is_empty() {
            return if self.left == 0 { self.end.check() } else { Ok(0) };
        }
        let got = self.inner.read(room)?;
        if got == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let End::Checksum(crc, _) = &mut self.end {
            crc.update(room.part(..got));
        }
        self.left = self.left.minus(got as u64);
        Ok(got)
    }
}

/// A stream that returns an error if it has more bytes than allowed.
pub(super) struct Budget<R> {
    pub(super) inner: R,
    pub(super) left: u64,
}

impl<R: Read> Read for Budget<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buf)?;
        let left = self.left.checked_sub(got as u64);
        self.left = left.ok_or_else(|| {
            let message = "what the archive expands to exceeds the limit";
            io::Error::new(io::ErrorKind::FileTooLarge, message)
        })?;
        Ok(got)
    }
}
