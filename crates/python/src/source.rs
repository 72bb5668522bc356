//! What a recording is read from: a path, an address, bytes, or a copy of what a file object gave.

use std::{
    io::{self, Cursor, Read, Seek, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyByteArray, PyBytes, PyDict, PyMemoryView, PyString},
};
use robolog_convert::{Error, Input, Result};
use tempfile::NamedTempFile;

use crate::pulse::Pulse;

/// What a recording is read from, as often as it is asked for.
pub(crate) enum Source {
    Path(PathBuf),
    Memory(Shared),
    Remote(Arc<Remote>),
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

/// A file of a file system of fsspec.
pub(crate) struct Remote {
    url: String,
    system: Py<PyAny>,
    path: String,
    len: Option<u64>,
}

impl Remote {
    /// `None` for what is no address.
    fn of(py: Python<'_>, text: &str) -> PyResult<Option<Self>> {
        // A drive of Windows has one letter and no such slashes.
        if !text.contains("://") {
            return Ok(None);
        }
        let remote = py.import("pyrobolog._remote")?;
        if !remote.call_method1("is_url", (text,))?.is_truthy()? {
            return Ok(None);
        }
        let (system, path): (Bound<'_, PyAny>, String) = remote.call_method1("find", (text,))?.extract()?;
        let len = system.call_method1("size", (&path,))?.extract()?;
        Ok(Some(Self { url: text.to_owned(), system: system.unbind(), path, len }))
    }

    /// Opens the file: nothing is asked for before it is read.
    fn open(&self, pulse: &Pulse) -> io::Result<RemoteFile> {
        let opened = Python::attach(|py| {
            let options = PyDict::new(py);
            options.set_item("block_size", BLOCK)?;
            options.set_item("cache_type", "readahead")?;
            self.system.call_method(py, "open", (&self.path, "rb"), Some(&options))
        });
        let pulse = pulse.clone();
        opened.map(|file| RemoteFile { file, pulse: pulse.clone() }).map_err(|raised| pulse.fail(raised))
    }
}

/// A file of fsspec, which fetches the ranges that are read.
struct RemoteFile {
    file: Py<PyAny>,
    pulse: Pulse,
}

impl Read for RemoteFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = Python::attach(|py| {
            let bytes = self.file.bind(py).call_method1("read", (buffer.len().min(BLOCK),))?;
            let bytes = bytes.cast::<PyBytes>()?.as_bytes();
            let Some(part) = buffer.get_mut(..bytes.len()) else {
                return Err(PyTypeError::new_err("a file gives more bytes than it is asked for"));
            };
            part.copy_from_slice(bytes);
            Ok(bytes.len())
        });
        read.map_err(|raised| self.pulse.fail(raised))
    }
}

impl Seek for RemoteFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let sought = Python::attach(|py| {
            let file = self.file.bind(py);
            match to {
                SeekFrom::Start(offset) => file.call_method1("seek", (offset, 0)),
                SeekFrom::Current(offset) => file.call_method1("seek", (offset, 1)),
                SeekFrom::End(offset) => file.call_method1("seek", (offset, 2)),
            }?;
            file.call_method0("tell")?.extract()
        });
        sought.map_err(|raised| self.pulse.fail(raised))
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

    /// Its name for messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Path(path) => path.to_string_lossy().into_owned(),
            Self::Memory(_) => "<bytes>".to_owned(),
            Self::Remote(remote) => remote.url.clone(),
            Self::Copy { name, .. } => name.clone(),
        }
    }

    /// What it was opened from. Fails for a file object, which cannot be opened anew elsewhere.
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

    /// The file to read, where there is one.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Memory(_) | Self::Remote(_) => None,
            Self::Copy { file, .. } => Some(file.path()),
        }
    }

    /// Its size in bytes, where that is known.
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

    /// Opens it once more.
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
                    Input::reopening(self.name(), len, move || remote.open(&pulse))?
                } else {
                    let file = remote.open(pulse).map_err(|e| Error::file(self.name(), e))?;
                    Input::new(self.name(), Box::new(file))?
                }
            }
            Self::Copy { file, .. } => Input::open(file.path())?,
        };
        let pulse = pulse.clone();
        Ok(input.watched(move || pulse.tick(None)))
    }

    /// Calls `work` with a path to its bytes: those that are in no file here are written to a temporary one.
    pub(crate) fn with_path<T>(&self, pulse: &Pulse, work: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
        if let Some(path) = self.path() {
            return work(path);
        }
        let mut file = NamedTempFile::new()?;
        match self {
            Self::Memory(bytes) => file.write_all(bytes.as_ref())?,
            Self::Remote(remote) => {
                let mut remote = remote.open(pulse)?;
                io::copy(&mut remote, &mut file)?;
            }
            Self::Path(_) | Self::Copy { .. } => {}
        }
        file.flush()?;
        work(file.path())
    }
}
