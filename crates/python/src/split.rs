//! A part of a recording that another process or machine can read.

use std::{path::PathBuf, sync::Arc};

use pyo3::{exceptions::PyValueError, prelude::*};

use crate::{
    error::OnDamage,
    limit::{Choice, Globs},
    opened::Opened,
    samples::Samples,
    table::Table,
};

/// A part of a recording's file that can be read independently. It is small when pickled, and reopens the file.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct Split {
    /// Its recording, as Python has it.
    recording: Py<PyAny>,
    opened: Arc<Opened>,
    part: robolog_core::Split,
}

impl Split {
    pub(crate) fn new(recording: Py<PyAny>, opened: Arc<Opened>, part: robolog_core::Split) -> Self {
        Self { recording, opened, part }
    }
}

#[pymethods]
impl Split {
    /// Pickled as the method of its recording that makes it again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<PyAny>,))> {
        let state = serde_json::to_string(&self.part).map_err(|e| PyValueError::new_err(e.to_string()))?;
        let caller = py.import("operator")?.getattr("methodcaller")?;
        Ok((caller.call1(("_split", state))?, (self.recording.clone_ref(py),)))
    }

    /// Its recording.
    #[getter]
    fn recording(&self, py: Python<'_>) -> Py<PyAny> {
        self.recording.clone_ref(py)
    }

    /// The file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.part.path.clone()
    }

    /// Offset of the first record in bytes; 0 for the first split, whose records begin after the header.
    #[getter]
    fn start(&self) -> u64 {
        self.part.start
    }

    /// Offset after the last record in bytes.
    #[getter]
    fn end(&self) -> u64 {
        self.part.end
    }

    /// Time of the first record with a time, nanoseconds of the recording's clock.
    #[getter]
    fn first_time_ns(&self) -> Option<i64> {
        self.part.first_time.map(robolog_core::Timestamp::nanos)
    }

    /// Time of the last record with a time.
    #[getter]
    fn last_time_ns(&self) -> Option<i64> {
        self.part.last_time.map(robolog_core::Timestamp::nanos)
    }

    /// Earlier byte ranges that are read first, with state that a reader needs: actors, devices, values in parts.
    #[getter]
    fn prerequisites(&self) -> Vec<(u64, u64)> {
        self.part.prerequisites.iter().map(|range| (range.start, range.end)).collect()
    }

    /// Its samples, in file order.
    #[pyo3(signature = (
        channels=None, *, exclude=None, start=None, end=None, duration=None, errors="warn", progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
    fn samples<'py>(
        &self,
        py: Python<'py>,
        channels: Option<Globs>,
        exclude: Option<Globs>,
        start: Option<Bound<'py, PyAny>>,
        end: Option<Bound<'py, PyAny>>,
        duration: Option<Bound<'py, PyAny>>,
        errors: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Samples> {
        let query = Choice { channels, exclude, start, end, duration }.query()?;
        let errors = OnDamage::from_name(errors)?;
        self.opened.samples_of(py, Some(&self.part), query, errors, progress)
    }

    /// The samples of the channels as one table, with the columns of the recording or `columns` of them.
    #[pyo3(signature = (
        channels, *, kind=None, columns=None, exclude=None, start=None, end=None, duration=None, errors="warn"
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
    fn table<'py>(
        slf: Bound<'py, Self>,
        channels: Globs,
        kind: Option<String>,
        columns: Option<Vec<String>>,
        exclude: Option<Globs>,
        start: Option<Bound<'py, PyAny>>,
        end: Option<Bound<'py, PyAny>>,
        duration: Option<Bound<'py, PyAny>>,
        errors: &str,
    ) -> PyResult<Table> {
        let this = slf.get();
        let choice = Choice { channels: Some(channels), exclude, start, end, duration };
        let part = (Arc::clone(&this.opened), Some(this.part.clone()));
        Table::of(slf.as_any(), part, choice, kind, columns, errors)
    }

    fn __repr__(&self) -> String {
        let robolog_core::Split { path, start, end, .. } = &self.part;
        format!("<Split {:?}: bytes {start} to {end}>", path.display().to_string())
    }
}
