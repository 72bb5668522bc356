//! Files that can be read from anywhere.

use std::{fs::File, path::PathBuf};

use robolog_core::{Limits, StreamReader};

use super::{Source, begin};
use crate::{Error, Result};

/// A file whose bytes are those of a recording: it can be opened again and read from anywhere.
#[derive(Debug, Clone)]
pub(crate) struct PlainFile {
    pub(crate) path: PathBuf,
    pub(crate) len: u64,
    /// Whether someone watches it being read from its start to its end.
    pub(crate) is_watched: bool,
    pub(super) dialect: Option<String>,
    pub(super) limits: Limits,
}

impl PlainFile {
    /// Opens it again, as [`Input::visit`] does.
    pub(crate) fn open<F: Source>(&self) -> Result<StreamReader<File, F>> {
        let file = File::open(&self.path).map_err(|e| Error::file(&self.path, e))?;
        begin(self.dialect.as_deref(), Some(&self.path), file, self.limits)
    }
}
