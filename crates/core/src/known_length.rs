//! Streams whose length is known before they are read.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::Path,
};

use crate::{Error, ErrorKind, Result, slices::past};

/// A stream that fails if it ends before the length that it had when it was opened: as a file does that another program
/// shortens, whose new end looks like its own. It may be longer, like a file that grows.
///
/// The failure is an [`io::ErrorKind::UnexpectedEof`], so readers deliver everything before it, and then report it.
///
/// ```
/// use std::io::Read;
/// use robolog_core::format::KnownLength;
/// let mut text = String::new();
/// KnownLength::new(&b"whole"[..], 5).read_to_string(&mut text)?;
/// assert_eq!(text, "whole");
/// assert!(KnownLength::new(&b"whole"[..], 6).read_to_string(&mut text).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct KnownLength<R> {
    inner: R,
    len: u64,
    at: u64,
}

impl<R> KnownLength<R> {
    /// A stream at its first byte, with `len` bytes.
    pub fn new(inner: R, len: u64) -> Self {
        Self { inner, len, at: 0 }
    }

    /// The stream.
    pub fn into_inner(self) -> R {
        self.inner
    }

    #[cold]
    fn shrunk(&self) -> io::Error {
        io::Error::new(io::ErrorKind::UnexpectedEof, Error::new(ErrorKind::Shrunk { len: self.len }, self.at))
    }
}

impl KnownLength<File> {
    /// Opens the file at `path`, which has its present length or `least` bytes, whichever is more: those that it had
    /// before. A pipe has no length.
    ///
    /// Returns an error with the path if it cannot be opened.
    pub fn open(path: impl AsRef<Path>, least: u64) -> Result<Self> {
        let path = path.as_ref();
        let open = || {
            let file = File::open(path)?;
            let len = length_of(&file)?.map_or(0, |len| len.max(least));
            Ok(Self::new(file, len))
        };
        open().map_err(|e| Error::file(e, path))
    }
}

/// Length of an open file; `None` for a pipe or a device.
fn length_of(file: &File) -> io::Result<Option<u64>> {
    let meta = file.metadata()?;
    Ok(meta.is_file().then_some(meta.len()))
}

impl<R: Read> Read for KnownLength<R> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(buffer)?;
        if got == 0 && self.at < self.len && !buffer.is_empty() {
            return Err(self.shrunk());
        }
        self.at = past(self.at, got);
        Ok(got)
    }
}

impl<R: Seek> Seek for KnownLength<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.inner.seek(to)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that ends after `left` bytes, wherever it is read.
    struct Shrinking<'a>(io::Cursor<&'a [u8]>, usize);

    impl Read for Shrinking<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let len = buffer.len().min(self.1);
            let got = self.0.read(buffer.get_mut(..len).unwrap_or_default())?;
            self.1 = self.1.saturating_sub(got);
            Ok(got)
        }
    }

    impl Seek for Shrinking<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    fn shrinking(bytes: &[u8], left: usize) -> KnownLength<Shrinking<'_>> {
        KnownLength::new(Shrinking(io::Cursor::new(bytes), left), bytes.len() as u64)
    }

    #[test]
    fn a_stream_that_ends_early_fails_after_its_bytes() {
        let mut bytes = Vec::new();
        let failure = shrinking(b"0123456789", 7).read_to_end(&mut bytes).unwrap_err();
        assert_eq!((&*bytes, failure.kind()), (&b"0123456"[..], io::ErrorKind::UnexpectedEof));
        let error = failure.downcast::<Error>().unwrap();
        assert!(matches!(error.kind(), ErrorKind::Shrunk { len: 10 }));
        assert_eq!(error.offset(), 7);
        let mut seeking = shrinking(b"0123456789", 2);
        seeking.seek(SeekFrom::Start(8)).unwrap();
        assert!(seeking.read_to_end(&mut bytes).is_ok());
        seeking.seek(SeekFrom::Start(5)).unwrap();
        assert!(seeking.read_to_end(&mut bytes).is_err());
    }

    #[test]
    fn a_whole_or_growing_stream_and_an_empty_buffer_are_no_failure() {
        assert_eq!(KnownLength::new(&b"grown"[..], 2).read_to_end(&mut Vec::new()).unwrap(), 5);
        assert_eq!(shrinking(b"all", 3).read(&mut []).unwrap(), 0);
        assert_eq!(shrinking(b"all", 3).read_to_end(&mut Vec::new()).unwrap(), 3);
        assert_eq!(shrinking(b"", 0).read_to_end(&mut Vec::new()).unwrap(), 0);
    }
}
