//! Recordings that can be read from anywhere: files, and what is like them.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Arc,
};

use robolog_core::{Limits, StreamReader};

use super::{
    Input, Source, begin,
    input::How,
    streams::{Watch, Watched},
};
use crate::{Error, Result};

/// A stream that can be read from anywhere.
pub trait ReadSeek: Read + Seek + Send {}

impl<S: Read + Seek + Send> ReadSeek for S {}

/// Where a stream at `at` goes by `to`; `end` gives where it ends, if that is asked for.
///
/// ```
/// use std::io::SeekFrom;
/// use robolog_convert::seek_place;
/// assert_eq!(seek_place(SeekFrom::Current(-2), 5, || Ok(9))?, 3);
/// assert_eq!(seek_place(SeekFrom::End(1), 5, || Ok(9))?, 10);
/// assert!(seek_place(SeekFrom::Current(-6), 5, || Ok(9)).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// Fails where that is before the start, or where the end is not known.
pub fn seek_place(to: SeekFrom, at: u64, end: impl FnOnce() -> io::Result<u64>) -> io::Result<u64> {
    let (from, by) = match to {
        SeekFrom::Start(place) => return Ok(place),
        SeekFrom::Current(by) => (at, by),
        SeekFrom::End(by) => (end()?, by),
    };
    from.checked_add_signed(by).ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// Opens the bytes of a recording once more.
pub(super) type Open = Arc<dyn Fn() -> io::Result<Box<dyn ReadSeek>> + Send + Sync>;

/// What opens the file at `path`.
pub(super) fn file(path: &Path) -> Open {
    let path = path.to_owned();
    Arc::new(move || Ok(Box::new(Positional::new(File::open(&path)?))))
}

/// A file that is read from places of its own: those who share its handle, as a process and its fork do, leave each
/// other's alone.
pub(super) struct Positional {
    file: File,
    at: u64,
}

impl Positional {
    /// From its first byte on.
    pub(super) fn new(file: File) -> Self {
        Self { file, at: 0 }
    }
}

impl Read for Positional {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&self.file, buffer, self.at)?;
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, self.at)?;
        #[cfg(not(any(unix, windows)))]
        let read = {
            self.file.seek(SeekFrom::Start(self.at))?;
            self.file.read(buffer)?
        };
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Positional {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = seek_place(to, self.at, || Ok(self.file.metadata()?.len()))?;
        Ok(self.at)
    }
}

/// The bytes of a recording, to be read from anywhere.
pub(crate) type PlainStream = Watched<Box<dyn ReadSeek>>;

/// A file, or what is like one, whose bytes are those of a recording: it can be opened again and read from anywhere.
#[derive(Clone)]
pub(crate) struct PlainFile {
    /// Where it is; of what is no file, its name.
    pub(crate) path: PathBuf,
    pub(crate) len: u64,
    /// Whether it is a file here, which may be read twice.
    pub(crate) is_file: bool,
    pub(super) open: Open,
    /// Called before each read.
    pub(super) watch: Option<Watch>,
    pub(super) dialect: Option<String>,
    pub(super) how: How,
}

impl PlainFile {
    /// Opens it again, as [`Input::visit`] does.
    pub(crate) fn open<F: Source>(&self) -> Result<StreamReader<PlainStream, F>> {
        let stream = (self.open)().map_err(|e| Error::file(&self.path, e))?;
        let stream = Watched { stream, watch: self.watch.clone() };
        begin(self.dialect.as_deref(), Some(&self.path), stream, self.how)
    }
}

impl Input {
    /// What `open` opens, each time anew, and what is `len` bytes long: a file of a store, or bytes in memory. It is read
    /// from anywhere, as a file is.
    ///
    /// Fails when it cannot be opened or read.
    ///
    /// ```
    /// use std::io::Cursor;
    /// let file = lvx::doc::recording();
    /// let len = file.len() as u64;
    /// let input = robolog_convert::Input::reopening("store/a.lvx", len, move || Ok(Cursor::new(file.clone())))?;
    /// assert_eq!(input.format()?, "lvx");
    /// # Ok::<(), robolog_convert::Error>(())
    /// ```
    pub fn reopening<S: ReadSeek + 'static>(
        name: impl Into<String>,
        len: u64,
        open: impl Fn() -> io::Result<S> + Send + Sync + 'static,
    ) -> Result<Self> {
        Self::reopening_with(name, len, open, Limits::default())
    }

    /// The same with limits of the caller's.
    pub fn reopening_with<S: ReadSeek + 'static>(
        name: impl Into<String>,
        len: u64,
        open: impl Fn() -> io::Result<S> + Send + Sync + 'static,
        limits: Limits,
    ) -> Result<Self> {
        let name = name.into();
        let reopen: Open = Arc::new(move || Ok(Box::new(open()?)));
        let stream = reopen().map_err(|e| Error::file(&name, e))?;
        Ok(Self { len: Some(len), reopen: Some(reopen), ..Self::new_with(name, Box::new(stream), limits)? })
    }
}
