//! Sources of a recording. It is read twice, so a stream is spooled to a temporary file.

use std::{
    fs::{self, File, Metadata},
    io::{self, Read, Seek as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use robolog_convert::{Error, Input, ReadSeek, Reopen, Result};
use robolog_core::Limits;

/// Source of a recording.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Source<'a> {
    /// A file, a folder, or a named pipe, which is spooled like a stream.
    Path(&'a Path),
    /// A spooled stream.
    Spooled(&'a Spooled),
}

impl<'a> From<&'a Path> for Source<'a> {
    fn from(path: &'a Path) -> Self {
        Self::Path(path)
    }
}

impl<'a> From<&'a PathBuf> for Source<'a> {
    fn from(path: &'a PathBuf) -> Self {
        Self::Path(path)
    }
}

impl<'a> From<&'a str> for Source<'a> {
    fn from(path: &'a str) -> Self {
        Self::Path(Path::new(path))
    }
}

impl<'a> From<&'a Spooled> for Source<'a> {
    fn from(spooled: &'a Spooled) -> Self {
        Self::Spooled(spooled)
    }
}

/// A stream spooled to an unnamed temporary file, deleted on drop or when the program ends; or a source that can be
/// reopened and needs no file.
#[derive(Debug)]
pub struct Spooled {
    name: String,
    kept: Kept,
}

enum Kept {
    File(File),
    Reopening { len: u64, open: Reopen },
}

impl Spooled {
    /// Reads `stream` to its end. `name` is shown on the page.
    ///
    /// Returns an error of the stream, or if the temporary folder is full.
    pub fn new(name: impl Into<String>, stream: &mut dyn Read) -> Result<Self> {
        let name = name.into();
        match kept(stream) {
            Ok(file) => Ok(Self { name, kept: Kept::File(file) }),
            Err(error) => Err(Error::file(&name, error)),
        }
    }

    /// The same for a named pipe.
    pub fn of_pipe(path: &Path) -> Result<Self> {
        let mut pipe = File::open(path).map_err(|e| Error::file(path, e))?;
        Self::new(file_name(path), &mut pipe)
    }

    /// A source of `len` bytes that `open` reopens on each call: bytes in memory, or a file in a browser. Needs no
    /// file system.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use robolog_report::{Options, Spooled, report};
    /// let file = std::fs::read("examples/room.lvx")?;
    /// let len = file.len() as u64;
    /// let room = Spooled::reopening("room.lvx", len, move || Ok(Cursor::new(file.clone())));
    /// let page = report(&room, &Options::default(), &mut |_| {})?;
    /// assert_eq!(page.html, report("examples/room.lvx", &Options::default(), &mut |_| {})?.html);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reopening<S: ReadSeek + 'static>(
        name: impl Into<String>,
        len: u64,
        open: impl Fn() -> io::Result<S> + Send + Sync + 'static,
    ) -> Self {
        let open: Reopen = Arc::new(move || Ok(Box::new(open()?)));
        Self { name: name.into(), kept: Kept::Reopening { len, open } }
    }

    /// The recording from its beginning. A spooled stream allows one reader at a time.
    pub fn open(&self, limits: Limits) -> Result<Input> {
        match &self.kept {
            Kept::File(file) => {
                let file = again(file).map_err(|e| Error::file(&self.name, e))?;
                Input::new_with(&*self.name, Box::new(file), limits)
            }
            Kept::Reopening { len, open } => {
                let open = Arc::clone(open);
                Input::reopening_with(&*self.name, *len, move || open(), limits)
            }
        }
    }
}

impl Source<'_> {
    /// The spooled stream of a named pipe; `None` for sources that can be read twice.
    pub(crate) fn spool(self) -> Result<Option<Spooled>> {
        let Self::Path(path) = self else { return Ok(None) };
        let meta = fs::metadata(path).map_err(|e| Error::file(path, e))?;
        if meta.is_file() || meta.is_dir() { Ok(None) } else { Spooled::of_pipe(path).map(Some) }
    }

    /// Opens it. A file has lost bytes if it is shorter than `len` by now.
    pub(crate) fn open(self, limits: Limits, len: u64) -> Result<Input> {
        match self {
            Self::Path(path) => Input::open_again(path, limits, len),
            Self::Spooled(spooled) => spooled.open(limits),
        }
    }

    /// Length of a file; 0 for everything else.
    pub(crate) fn len(self) -> u64 {
        let Self::Path(path) = self else { return 0 };
        fs::metadata(path).ok().filter(Metadata::is_file).map_or(0, |meta| meta.len())
    }

    /// Name shown to people.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Path(path) => file_name(path),
            Self::Spooled(spooled) => spooled.name.clone(),
        }
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(file) => file.fmt(f),
            Self::Reopening { len, .. } => {
                f.debug_struct("Reopening").field("len", len).finish_non_exhaustive()
            }
        }
    }
}

fn kept(stream: &mut dyn Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(stream, &mut file)?;
    Ok(file)
}

fn again(file: &File) -> io::Result<File> {
    let mut file = file.try_clone()?;
    file.rewind()?;
    Ok(file)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
