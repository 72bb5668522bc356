//! Inputs that are read more than once: pipes are copied to a temporary file first.

use std::{
    fs::File,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use robolog_convert::{Error, Result, standard_input, target::is_standard_output};
use tempfile::NamedTempFile;

use super::overview::can_be_read_again;

/// A recording that can be opened repeatedly.
#[derive(Debug)]
pub(crate) enum Spooled {
    /// A file or folder.
    Named(PathBuf),
    /// The copy of a pipe, removed on drop.
    Copy(NamedTempFile),
}

impl Spooled {
    pub(crate) fn new(file: &Path) -> Result<Self> {
        if file != Path::new("-") && can_be_read_again(file) {
            return Ok(Self::Named(file.to_owned()));
        }
        if is_standard_output(file) {
            return Err(Error::IsInput("standard output".into()));
        }
        let failed = |e| Error::file(file, e);
        let mut copy = tempfile::Builder::new().prefix(".robolog-").suffix(".partial").tempfile()?;
        if file == Path::new("-") {
            io::copy(&mut standard_input()?, &mut copy).map_err(failed)?;
        } else {
            io::copy(&mut File::open(file).map_err(failed)?, &mut copy).map_err(failed)?;
        }
        copy.flush()?;
        Ok(Self::Copy(copy))
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Named(path) => path,
            Self::Copy(file) => file.path(),
        }
    }
}
