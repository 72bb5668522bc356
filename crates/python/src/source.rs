//! What a recording is read from: a path, bytes, or a copy of what a file object gave.

use std::{
    io::{Cursor, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyByteArray, PyBytes, PyMemoryView},
};
use robolog_convert::{Error, Input, Result};
use tempfile::NamedTempFile;

use crate::pulse::Pulse;

/// What a recording is read from, as often as it is asked for.
pub(crate) enum Source {
    Path(PathBuf),
    Memory(Shared),
    /// A copy, for a file object need not seek and has one position for all that read it.
    Copy {
        name: String,
        file: NamedTempFile,
    },
}

/// Bytes of Python, which do not change.
#[derive(Clone)]
pub(crate) struct Shared(Arc<PyBackedBytes>);

impl Shared {
    fn of(bytes: &Bound<'_, PyBytes>) -> Self {
        Self(Arc::new(bytes.clone().into()))
    }
}

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Bytes asked for at a time.
const BLOCK: usize = 1 << 20;

impl Source {
    /// From what Python gave.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return Ok(Self::Memory(Shared::of(bytes)));
        }
        if given.is_instance_of::<PyByteArray>() || given.is_instance_of::<PyMemoryView>() {
            let bytes = given.py().get_type::<PyBytes>().call1((given,))?;
            return Ok(Self::Memory(Shared::of(bytes.cast::<PyBytes>()?)));
        }
        if let Ok(path) = given.extract::<PathBuf>() {
            return Ok(Self::Path(path));
        }
        if given.hasattr("read")? {
            return Self::copy(given);
        }
        let kind = given.get_type().name()?;
        Err(PyTypeError::new_err(format!("a path, bytes or a binary file object is opened, not {kind}")))
    }

    fn copy(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut file = NamedTempFile::new()?;
        loop {
            let block = given.call_method1("read", (BLOCK,))?;
            let block = block.cast::<PyBytes>().map_err(|_| {
                PyTypeError::new_err("the file object gives text: open it in binary mode, open(path, \"rb\")")
            })?;
            if block.as_bytes().is_empty() {
                break;
            }
            file.write_all(block.as_bytes())?;
        }
        file.flush()?;
        let name = given.getattr("name").and_then(|name| name.extract::<PathBuf>()).ok();
        let name = name.map_or_else(|| "<stream>".to_owned(), |name| name.to_string_lossy().into_owned());
        Ok(Self::Copy { name, file })
    }

    /// Its name for messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Path(path) => path.to_string_lossy().into_owned(),
            Self::Memory(_) => "<bytes>".to_owned(),
            Self::Copy { name, .. } => name.clone(),
        }
    }

    /// The file to read, where there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Memory(_) => None,
            Self::Copy { file, .. } => Some(file.path()),
        }
    }

    /// Its size in bytes, where that is known.
    pub(crate) fn len(&self) -> Option<u64> {
        match self {
            Self::Memory(bytes) => Some(bytes.as_ref().len() as u64),
            Self::Path(_) | Self::Copy { .. } => {
                let meta = std::fs::metadata(self.path()?).ok()?;
                meta.is_file().then_some(meta.len())
            }
        }
    }

    /// Opens it once more.
    pub(crate) fn open(&self, pulse: &Pulse) -> Result<Input> {
        let input = match self {
            Self::Path(path) => Input::open(path)?,
            Self::Memory(bytes) => Input::new(self.name(), Box::new(Cursor::new(bytes.clone())))?,
            Self::Copy { file, .. } => Input::open(file.path())?,
        };
        let pulse = pulse.clone();
        Ok(input.watched(move || pulse.tick(None)))
    }

    /// Calls `work` with a path to its bytes: those in memory are written to a temporary file.
    pub(crate) fn with_path<T>(&self, work: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
        if let Some(path) = self.path() {
            return work(path);
        }
        let Self::Memory(bytes) = self else { return Err(Error::Write(std::io::ErrorKind::NotFound.into())) };
        let mut file = NamedTempFile::new()?;
        file.write_all(bytes.as_ref())?;
        file.flush()?;
        work(file.path())
    }
}
