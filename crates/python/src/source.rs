//! Source of a recording: a path, an address, bytes, or a copy of a file object's content.

use std::{
    io::{self, Cursor, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBytes, PyMemoryView, PyString},
};
use robolog_convert::{Input, Result};
use tempfile::NamedTempFile;

use crate::{pulse::Pulse, remote::Remote};

/// Source of a recording, which can be opened any number of times.
pub(crate) enum Source {
    Path(PathBuf),
    Memory(Shared),
    Remote(Arc<Remote>),
    /// A copy, as a file object may not seek and has a single position for all readers.
    Copy {
        name: String,
        file: NamedTempFile,
    },
}

/// Immutable Python bytes.
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

/// Bytes read at a time from a file object.
const BLOCK: usize = 1 << 20;

impl Source {
    /// Converts a Python argument.
    pub(crate) fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return Ok(Self::Memory(Shared::of(bytes)));
        }
        // bytearray, memoryview, array, mmap, NumPy arrays: anything with a buffer.
        if let Ok(memory) = given.py().get_type::<PyMemoryView>().call1((given,)) {
            let bytes = memory.call_method0("tobytes")?;
            return Ok(Self::Memory(Shared::of(bytes.cast::<PyBytes>()?)));
        }
        // An fsspec.OpenFile: a file that is not open yet.
        if given.hasattr("fs")? && given.hasattr("full_name")? {
            let file = given.call_method0("__enter__")?;
            let copied = Self::copy(&file);
            given.call_method1("__exit__", (given.py().None(), given.py().None(), given.py().None()))?;
            return copied;
        }
        if let Ok(text) = given.extract::<String>()
            && let Some(remote) = Remote::of(given.py(), &text)?
        {
            return Ok(Self::Remote(Arc::new(remote)));
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

    /// Name shown in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Path(path) => path.to_string_lossy().into_owned(),
            Self::Memory(_) => "<bytes>".to_owned(),
            Self::Remote(remote) => remote.url.clone(),
            Self::Copy { name, .. } => name.clone(),
        }
    }

    /// The argument for pickling. Returns an error for a file object, which cannot be opened elsewhere.
    pub(crate) fn given<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Path(path) => Ok(path.into_pyobject(py)?.into_any()),
            Self::Remote(remote) => Ok(PyString::new(py, &remote.url).into_any()),
            Self::Memory(bytes) => Ok(PyBytes::new(py, bytes.as_ref()).into_any()),
            Self::Copy { .. } => {
                Err(PyTypeError::new_err("a recording of a file object cannot be pickled: open a path"))
            }
        }
    }

    /// The file to read, if there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Memory(_) | Self::Remote(_) => None,
            Self::Copy { file, .. } => Some(file.path()),
        }
    }

    /// Its size in bytes, if known.
    pub(crate) fn len(&self) -> Option<u64> {
        match self {
            Self::Memory(bytes) => Some(bytes.as_ref().len() as u64),
            Self::Remote(remote) => remote.len,
            Self::Path(_) | Self::Copy { .. } => {
                let meta = std::fs::metadata(self.path()?).ok()?;
                meta.is_file().then_some(meta.len())
            }
        }
    }

    /// Opens it again.
    pub(crate) fn open(&self, pulse: &Pulse) -> Result<Input> {
        let input = match self {
            Self::Path(path) => Input::open(path)?,
            Self::Memory(bytes) => {
                let (len, bytes) = (bytes.as_ref().len() as u64, bytes.clone());
                Input::reopening(self.name(), len, move || Ok(Cursor::new(bytes.clone())))?
            }
            Self::Remote(remote) => {
                if let Some(len) = remote.len {
                    let (remote, pulse) = (Arc::clone(remote), pulse.clone());
                    Input::reopening(self.name(), len, move || Ok(remote.open(&pulse)))?
                } else {
                    Input::new(self.name(), Box::new(remote.open(pulse)))?
                }
            }
            Self::Copy { file, .. } => Input::open(file.path())?,
        };
        let pulse = pulse.clone();
        Ok(input.watched(move || pulse.tick(None)))
    }

    /// Calls `work` with a path to its bytes: bytes that are in no local file are written to a temporary one.
    pub(crate) fn with_path<T>(&self, pulse: &Pulse, work: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
        let (path, _kept) = self.local(pulse)?;
        work(&path)
    }

    /// A path to its bytes, and the temporary file there, if they are in no local one.
    pub(crate) fn local(&self, pulse: &Pulse) -> Result<(PathBuf, Option<NamedTempFile>)> {
        if let Some(path) = self.path() {
            return Ok((path.to_owned(), None));
        }
        let mut file = NamedTempFile::new()?;
        match self {
            Self::Memory(bytes) => file.write_all(bytes.as_ref())?,
            Self::Remote(remote) => {
                io::copy(&mut remote.open(pulse), &mut file)?;
            }
            Self::Path(_) | Self::Copy { .. } => {}
        }
        file.flush()?;
        Ok((file.path().to_owned(), Some(file)))
    }
}
