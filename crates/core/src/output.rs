//! New files that appear when they are complete, and a writer that tracks its position.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::{Error, Result, slices::InRange as _};

/// A file made by [`create`], which appears under its name when it is complete.
///
/// Its bytes go to a file beside it, with a name that ends in `.partial`. The first flush, which is what
/// [`CountingWriter::finish`] does, gives it its own name. Dropped before that, it is removed.
#[derive(Debug)]
pub struct NewFile {
    file: BufWriter<File>,
    path: PathBuf,
    /// Where the bytes are until the file is complete.
    partial: Option<PathBuf>,
}

/// Creates the file at `path` for a writer. Returns an error with its path if it exists: nothing is overwritten.
///
/// ```
/// use std::io::Write;
/// # let path = std::env::temp_dir().join(format!("robolog-create-{}.log", std::process::id()));
/// let mut file = robolog_core::format::create(&path)?;
/// file.write_all(b"new")?;
/// assert!(!path.exists()); // nobody meets half of it
/// file.flush()?;
/// assert!(path.exists() && robolog_core::format::create(&path).is_err());
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn create(path: impl AsRef<Path>) -> Result<NewFile> {
    let path = path.as_ref();
    NewFile::create(path).map_err(|e| Error::file(e, path))
}

impl NewFile {
    fn create(path: &Path) -> io::Result<Self> {
        if path.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let Some(name) = path.file_name() else { return Err(io::ErrorKind::InvalidInput.into()) };
        let mut number = 0_u32;
        loop {
            let mut beside = std::ffi::OsString::from(".");
            beside.push(name);
            beside.push(format!(".{number}.partial"));
            let partial = path.with_file_name(beside);
            match File::create_new(&partial) {
                // Another program's, or left behind by one that was killed.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {
                    number = number.plus(1);
                }
                made => {
                    let (file, path) = (BufWriter::new(made?), path.to_owned());
                    return Ok(Self { file, path, partial: Some(partial) });
                }
            }
        }
    }
}

/// Renames a file, and returns an error if one has the name already.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(e),
        // Not every file system has hard links.
        Err(_) if to.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some(partial) = &self.partial {
            rename(partial, &self.path)?;
            self.partial = None;
        }
        Ok(())
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // There is nobody to tell.
            let _ = fs::remove_file(partial);
        }
    }
}

/// The target of all format writers; tracks the bytes written and whether they end a line.
///
/// ```
/// use robolog_core::format::CountingWriter;
/// let mut out = CountingWriter::new(Vec::new());
/// out.bytes(b"# a log")?;
/// out.end_line()?;
/// out.end_line()?;
/// assert_eq!(out.position(), 8);
/// assert_eq!(out.finish()?, b"# a log\n");
/// # Ok::<(), robolog_core::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the target is flushed by `finish`"]
pub struct CountingWriter<W> {
    inner: W,
    position: u64,
    is_line_ended: bool,
}

impl<W: Write> CountingWriter<W> {
    /// Starts at position 0.
    pub fn new(inner: W) -> Self {
        Self::continued(inner, 0)
    }

    /// Continues after `position` bytes already in the target, the last of which ends a line.
    pub fn continued(inner: W, position: u64) -> Self {
        Self { inner, position, is_line_ended: true }
    }

    /// Bytes written so far, which is the offset of the next one.
    #[inline]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Writes all of `bytes`. An error has the position of their start.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(end) = self.position.checked_add(bytes.len() as u64) else { return Err(self.overflow()) };
        self.inner.write_all(bytes).map_err(|e| Error::io(e, self.position))?;
        self.position = end;
        if let Some(last) = bytes.last() {
            self.is_line_ended = *last == b'\n';
        }
        Ok(())
    }

    /// Ends the last line if it has no line ending. Writes nothing if the output is empty.
    #[inline]
    pub fn end_line(&mut self) -> Result<()> {
        if self.is_line_ended { Ok(()) } else { self.bytes(b"\n") }
    }

    /// Flushes and returns the target.
    pub fn finish(mut self) -> Result<W> {
        self.inner.flush().map_err(|e| Error::io(e, self.position))?;
        Ok(self.inner)
    }

    #[cold]
    fn overflow(&self) -> Error {
        Error::unexpected("more than 2^64 bytes of output", self.position)
    }
}

impl<W: Write + Seek> CountingWriter<W> {
    /// Overwrites the bytes at position `at` with `bytes`, then returns to the end.
    ///
    /// Returns an error if that would extend the output.
    pub fn replace(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        let behind = at.checked_add(bytes.len() as u64).and_then(|end| self.position.checked_sub(end));
        let (Some(back), Some(on)) =
            (self.position.checked_sub(at).and_then(distance), behind.and_then(distance))
        else {
            let found = format_args!("{} bytes", bytes.len());
            return Err(Error::invalid("replacement", found, "a range already written", at));
        };
        // Relative to the target's position, as the output may have started past its beginning.
        self.inner
            .seek(SeekFrom::Current(back.saturating_neg()))
            .and_then(|_| self.inner.write_all(bytes))
            .and_then(|()| self.inner.seek(SeekFrom::Current(on)))
            .map_err(|e| Error::io(e, at))?;
        Ok(())
    }
}

fn distance(bytes: u64) -> Option<i64> {
    i64::try_from(bytes).ok()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn a_new_file_appears_when_it_is_flushed_and_replaces_nothing() {
        let folder = std::env::temp_dir().join(format!("robolog-new-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let names = || {
            let mut names: Vec<_> =
                fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let path = folder.join("drive.log");
        let mut dropped = create(&path).unwrap();
        dropped.write_all(b"half").unwrap();
        let mut whole = create(&path).unwrap();
        whole.write_all(b"whole").unwrap();
        assert_eq!(names(), [".drive.log.0.partial", ".drive.log.1.partial"]);
        drop(dropped);
        assert_eq!(names(), [".drive.log.1.partial"]);
        let mut late = create(&path).unwrap();
        whole.seek(SeekFrom::Start(0)).unwrap();
        whole.write_all(b"W").unwrap();
        CountingWriter::new(whole).finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"Whole");
        assert_eq!(late.flush().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        drop(late);
        assert_eq!(names(), ["drive.log"]);
        assert!(create(&path).is_err() && create(folder.join("no/such")).is_err() && create("/").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_replacement_stays_within_what_was_written() {
        let mut target = Cursor::new(b"before".to_vec());
        target.set_position(6);
        let mut out = CountingWriter::new(target);
        out.bytes(b"0123456789").unwrap();
        out.replace(2, b"ab").unwrap();
        out.replace(8, b"yz").unwrap();
        assert_eq!(out.replace(9, b"yz").unwrap_err().offset(), 9);
        assert!(out.replace(11, b"").is_err() && out.replace(u64::MAX, b"a").is_err());
        assert_eq!(out.position(), 10);
        out.bytes(b"!").unwrap();
        assert_eq!(out.finish().unwrap().into_inner(), b"before01ab4567yz!");
    }

    #[test]
    fn a_failure_tells_where() {
        let mut room = [0; 4];
        let mut out = CountingWriter::continued(&mut room[..], 100);
        out.bytes(b"abc").unwrap();
        let error = out.bytes(b"de").unwrap_err();
        assert_eq!((error.offset(), out.position()), (103, 103));
        let mut full = CountingWriter::continued(Vec::new(), u64::MAX);
        assert_eq!(full.bytes(b"a").unwrap_err().offset(), u64::MAX);
    }
}
