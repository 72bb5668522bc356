//! Writers for a caller's own arrays. The file appears when it is closed, or not at all.

mod alog;
mod carla;
mod koblenz;
mod lvx;

use std::{
    io::BufWriter,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

pub(crate) use self::{alog::AlogWriter, carla::CarlaRecorder, koblenz::KoblenzWriter, lvx::LvxWriter};
use pyo3::{exceptions::PyValueError, prelude::*};
use robolog_convert::target::{self, Existing, Target};

use crate::error::raised;

/// Output of the writers.
pub(crate) type Output = BufWriter<target::OutputFile>;

/// A file on its way, and its writer; nothing when it is closed.
pub(crate) struct Out<W> {
    open: Mutex<Option<(Target, W)>>,
    path: String,
}

impl<W: Send> Out<W> {
    /// Begins a file at `path`.
    pub(crate) fn create(
        py: Python<'_>,
        path: PathBuf,
        force: bool,
        begin: impl FnOnce(Output) -> robolog_core::Result<W> + Send,
    ) -> PyResult<Self> {
        let name = path.to_string_lossy().into_owned();
        let existing = if force { Existing::Replace } else { Existing::Keep };
        let open = py.detach(|| {
            let target = Target::create(&path, existing, &[])?;
            let writer = begin(target.writer()?)?;
            Ok((target, writer))
        });
        let open = open.map_err(|error| raised(py, &error, &name, None))?;
        Ok(Self { open: Mutex::new(Some(open)), path: name })
    }

    /// Writes. Fails when it is closed.
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

    /// Completes the file, once.
    pub(crate) fn close(
        &self,
        py: Python<'_>,
        finish: impl FnOnce(W) -> robolog_core::Result<Output> + Send,
    ) -> PyResult<()> {
        let done = py.detach(|| {
            let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some((target, writer)) = open else { return Ok(()) };
            drop(finish(writer)?);
            target.persist()
        });
        done.map_err(|error: robolog_convert::Error| raised(py, &error, &self.path, None))
    }

    /// Leaves nothing.
    pub(crate) fn discard(&self, py: Python<'_>) {
        py.detach(|| drop(self.open.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }
}
