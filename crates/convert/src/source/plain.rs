//! Recordings that can be read from any offset: files and their equivalents.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Arc,
};

use robolog_core::{Limits, StreamReader, format::KnownLength, slices::Part as _};
use robolog_sinks::output::seek_place;

use super::{
    BoxRead, Input, Opened, Source,
    streams::{Watch, Watched},
};
use crate::{Error, LidarModel, Result};

/// How records are read, whatever is made of them: for surveys and copies too.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct How {
    /// Limits of the reader.
    pub limits: Limits,
    /// The times of MOOS logs.
    #[cfg(feature = "from-alog")]
    pub times: ::alog::TimeFrom,
    /// The model of the LiDARs, if the recording does not name it, or a wrong one.
    pub model: Option<LidarModel>,
}

impl How {
    /// The model, for a recording that only has LiDARs of this maker. Returns an error for a model of another one.
    #[cfg(any(feature = "from-lvx", feature = "from-koblenz-log"))]
    pub(super) fn model_of<M>(
        &self,
        maker: &str,
        of: impl FnOnce(LidarModel) -> Option<M>,
    ) -> Result<Option<M>> {
        let Some(model) = self.model else { return Ok(None) };
        let wrong = || format!("--model {}: the LiDARs of such a recording are of {maker}", model.name());
        of(model).map(Some).ok_or_else(|| Error::Target(wrong().into()))
    }
}

/// A stream that can be read from any offset.
pub trait ReadSeek: Read + Seek + Send {}

impl<S: Read + Seek + Send> ReadSeek for S {}

/// Opens the bytes of a recording again.
pub type Reopen = Arc<dyn Fn() -> io::Result<Box<dyn ReadSeek>> + Send + Sync>;

/// Returns a function that opens the file at `path`, which had `len` bytes.
pub(super) fn file(path: &Path, len: u64) -> Reopen {
    let path = path.to_owned();
    Arc::new(move || Ok(Box::new(KnownLength::new(Positional::new(File::open(&path)?), len))))
}

/// A file read at its own position, independent of others that share the handle, such as a forked process.
pub(super) struct Positional {
    file: File,
    at: u64,
}

impl Positional {
    /// Reads from the first byte.
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

/// Bytes of a recording. One type for all, since each format's reader is compiled for it.
pub struct Stream(Bytes);

enum Bytes {
    /// Opens them again; only the bytes of a file can be opened twice.
    Forward(BoxRead, Option<Reopen>),
    Seekable(Watched<Box<dyn ReadSeek>>),
}

impl Stream {
    /// Bytes that can only be read from start to end: a pipe, or the contents of a compressed file.
    pub(crate) fn forward(bytes: BoxRead) -> Self {
        Self(Bytes::Forward(bytes, None))
    }

    /// Bytes of a file, from start to end.
    pub(super) fn of_file(bytes: BoxRead, open: Option<Reopen>) -> Self {
        Self(Bytes::Forward(bytes, open))
    }
}

impl Stream {
    /// Looks ahead, and comes back to the same place: anywhere in a file, or at the start of what can only be read once,
    /// which is held meanwhile.
    pub(crate) fn look<T>(
        &mut self,
        file: impl FnOnce(&mut dyn ReadSeek) -> io::Result<T>,
        start: impl FnOnce(&mut dyn Read) -> T,
    ) -> io::Result<T> {
        match &mut self.0 {
            Bytes::Forward(_, Some(open)) => file(&mut open()?),
            Bytes::Forward(bytes, None) => {
                let rest = std::mem::replace(bytes, Box::new(io::empty()));
                let mut ahead = Ahead { rest, seen: Vec::new(), failure: None };
                let found = start(&mut ahead);
                let Ahead { seen, failure, rest } = ahead;
                *bytes = Box::new(io::Cursor::new(seen).chain(Failing(failure)).chain(rest));
                Ok(found)
            }
            Bytes::Seekable(bytes) => {
                let at = bytes.stream_position()?;
                let found = file(bytes);
                bytes.seek(SeekFrom::Start(at))?;
                found
            }
        }
    }
}

/// Holds what it reads, up to [`HELD`] bytes.
struct Ahead {
    rest: BoxRead,
    seen: Vec<u8>,
    failure: Option<io::Error>,
}

/// More than the first half minute of a LiDAR.
const HELD: usize = 64 << 20;

impl Read for Ahead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.failure.is_some() || self.seen.len() >= HELD {
            return Ok(0);
        }
        match self.rest.read(buffer) {
            Ok(read) => {
                self.seen.extend_from_slice(buffer.part(..read));
                Ok(read)
            }
            Err(error) => {
                if error.kind() != io::ErrorKind::Interrupted {
                    self.failure = Some(error);
                    return Ok(0);
                }
                Err(error)
            }
        }
    }
}

/// Returns an error once.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Bytes::Forward(bytes, _) => bytes.read(buffer),
            Bytes::Seekable(bytes) => bytes.read(buffer),
        }
    }
}

/// Returns an error if the bytes can only be read from start to end.
impl Seek for Stream {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Bytes::Forward(..) => Err(io::ErrorKind::NotSeekable.into()),
            Bytes::Seekable(bytes) => bytes.seek(to),
        }
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Stream").finish_non_exhaustive()
    }
}

/// A file or its equivalent with the bytes of a recording, which can be opened again and read from any offset.
#[derive(Clone)]
pub(crate) struct PlainFile {
    /// Path; if it is not a file, its name.
    pub(crate) path: PathBuf,
    pub(crate) len: u64,
    /// Whether it is a local file, which is cheap to read twice.
    pub(crate) is_file: bool,
    pub(super) open: Reopen,
    /// Called before each read.
    pub(super) watch: Option<Watch>,
    pub(super) dialect: Option<String>,
    pub(super) how: How,
}

impl PlainFile {
    /// Opens it again, as [`Input::visit`] does.
    pub(crate) fn open<F: Source>(&self) -> Result<StreamReader<Stream, F>> {
        let (path, dialect) = (Some(self.path.clone()), self.dialect.clone());
        Opened { stream: self.bytes()?, path, dialect, how: self.how }.reader()
    }

    /// Its bytes, from the first one on.
    pub(crate) fn bytes(&self) -> Result<Stream> {
        let stream = (self.open)().map_err(|e| Error::file(&self.path, e))?;
        Ok(Stream(Bytes::Seekable(Watched { stream, watch: self.watch.clone() })))
    }
}

impl Input {
    /// Reads the `len` bytes that `open` opens each time: an object in a store, or bytes in memory. Can be read from
    /// any offset, like a file.
    ///
    /// Returns an error if it cannot be opened or read.
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

    /// Like [`reopening`](Self::reopening), with the caller's limits.
    pub fn reopening_with<S: ReadSeek + 'static>(
        name: impl Into<String>,
        len: u64,
        open: impl Fn() -> io::Result<S> + Send + Sync + 'static,
        limits: Limits,
    ) -> Result<Self> {
        let name = name.into();
        let reopen: Reopen = Arc::new(move || Ok(Box::new(KnownLength::new(open()?, len))));
        let stream = reopen().map_err(|e| Error::file(&name, e))?;
        Ok(Self { len: Some(len), reopen: Some(reopen), ..Self::new_with(name, Box::new(stream), limits)? })
    }
}
