//! Writers for a caller's own arrays. The file appears when it is closed, or not at all.

mod alog;
mod carla;
mod koblenz;
mod lvx;

use std::{
    io::BufWriter,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

pub(crate) use self::{alog::AlogWriter, carla::CarlaRecorder, koblenz::KoblenzWriter, lvx::LvxWriter};
use pyo3::{exceptions::PyValueError, prelude::*};
use robolog_convert::target::{self, Existing, Target};

use crate::error::raised;

/// Output of the writers.
pub(crate) type Output = BufWriter<target::OutputFile>;

/// An open output file and its writer; `None` once it is closed.
pub(crate) struct Out<W> {
    open: Mutex<Option<(Target, W)>>,
    path: String,
    finish: fn(W) -> robolog_core::Result<Output>,
}

impl<W: Send + 'static> Out<W> {
    /// Begins a file at `path`, which `finish` completes.
    pub(crate) fn create(
        py: Python<'_>,
        path: PathBuf,
        force: bool,
        begin: impl FnOnce(Output) -> robolog_core::Result<W> + Send,
        finish: fn(W) -> robolog_core::Result<Output>,
    ) -> PyResult<(Arc<Self>, PyClassInitializer<Closing>)> {
        let name = path.to_string_lossy().into_owned();
        let existing = if force { Existing::Replace } else { Existing::Keep };
        let open = py.detach(|| {
            let target = Target::create(&path, existing, &[])?;
            let writer = begin(target.writer()?)?;
            Ok((target, writer))
        });
        let open = open.map_err(|error| raised(py, &error, &name, None))?;
        let out = Arc::new(Self { open: Mutex::new(Some(open)), path: name, finish });
        Ok((Arc::clone(&out), Closing(out).into()))
    }

    /// Writes. Returns an error if the file is closed.
    pub(crate) fn write<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut W) -> robolog_core::Result<T> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.as_mut().map(|(_, writer)| work(writer))
        });
        match done {
            None => Err(PyValueError::new_err(format!("{}: the recording is closed", self.path))),
            Some(done) => done.map_err(|error| raised(py, &error.into(), &self.path, None)),
        }
    }
}

/// Ends an output file, once.
trait Close: Send + Sync {
    /// Completes the file.
    fn close(&self, py: Python<'_>) -> PyResult<()>;
    /// Removes the file.
    fn discard(&self, py: Python<'_>);
}

impl<W: Send> Close for Out<W> {
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let done = py.detach(|| {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some((target, writer)) = open else { return Ok(()) };
            drop((self.finish)(writer)?);
            target.persist()
        });
        done.map_err(|error: robolog_convert::Error| raised(py, &error, &self.path, None))
    }

    fn discard(&self, py: Python<'_>) {
        py.detach(|| drop(self.open.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }
}

/// Base class of the writers: a context manager that closes the file, or removes it after an exception.
#[pyclass(frozen, subclass, module = "pyrobolog", name = "_Writer")]
pub(crate) struct Closing(Arc<dyn Close>);

#[pymethods]
impl Closing {
    /// Completes the file, which appears now.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.0.close(py)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (kind, _value, _trace))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: Option<Bound<'_, PyAny>>,
        _value: Option<Bound<'_, PyAny>>,
        _trace: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if kind.is_some() {
            self.0.discard(py);
        }
        self.0.close(py)
    }
}
