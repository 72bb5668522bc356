//! Where a recording is read from. It is read twice, so a stream is kept in a temporary file.

use std::{
    fs::{self, File},
    io::{self, Read, Seek as _},
    path::{Path, PathBuf},
};

use robolog_convert::{Error, Input, Result};
use robolog_core::Limits;

/// Where a recording is read from.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Source<'a> {
    /// A file, a folder, or a named pipe, which is kept like any stream.
    Path(&'a Path),
    /// A stream that was kept.
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

/// A stream kept in a temporary file without a name, which goes when this is dropped or the program ends.
#[derive(Debug)]
pub struct Spooled {
    name: String,
    file: File,
}

impl Spooled {
    /// Reads `stream` to its end. The page calls the recording `name`.
    ///
    /// Fails when the stream does, or when the folder of temporary files has no room for it.
    pub fn new(name: impl Into<String>, stream: &mut dyn Read) -> Result<Self> {
        let name = name.into();
        match kept(stream) {
            Ok(file) => Ok(Self { name, file }),
            Err(error) => Err(Error::file(&name, error)),
        }
    }

    /// The same of a named pipe.
    pub fn of_pipe(path: &Path) -> Result<Self> {
        let mut pipe = File::open(path).map_err(|e| Error::file(path, e))?;
        Self::new(file_name(path), &mut pipe)
    }

    /// The recording from its beginning. One at a time can be read.
    pub fn open(&self, limits: Limits) -> Result<Input> {
        let file = again(&self.file).map_err(|e| Error::file(&self.name, e))?;
        Input::new_with(&*self.name, Box::new(file), limits)
    }
}

impl Source<'_> {
    /// The stream of a named pipe, kept; `None` for what can be read twice as it is.
    pub(crate) fn spool(self) -> Result<Option<Spooled>> {
        let Self::Path(path) = self else { return Ok(None) };
        let meta = fs::metadata(path).map_err(|e| Error::file(path, e))?;
        if meta.is_file() || meta.is_dir() { Ok(None) } else { Spooled::of_pipe(path).map(Some) }
    }

    pub(crate) fn open(self, limits: Limits) -> Result<Input> {
        match self {
            Self::Path(path) => Input::open_with(path, limits),
            Self::Spooled(spooled) => spooled.open(limits),
        }
    }

    /// What a person calls it.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Path(path) => file_name(path),
            Self::Spooled(spooled) => spooled.name.clone(),
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
