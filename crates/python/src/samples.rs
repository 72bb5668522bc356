//! Iterator over the samples of a recording.

use std::sync::{Mutex, PoisonError};

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use robolog_convert::Pull;

use crate::{
    error::{Loss, OnDamage, no_channel, raised},
    limit::Query,
    pulse::Pulse,
    report::Report,
    value::Sample,
};

/// Iterator over samples. After the last one, `report` has the results of reading.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct Samples {
    pull: Mutex<Pull>,
    pulse: Pulse,
    query: Query,
    errors: OnDamage,
    name: String,
    is_part: bool,
    told: std::sync::atomic::AtomicBool,
    /// The process that opened it.
    process: u32,
}

#[pymethods]
impl Samples {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<Sample>>> {
        let next = py.detach(|| {
            let mut pull = self.pull.lock().unwrap_or_else(PoisonError::into_inner);
            if pull.reads_ahead() && std::process::id() != self.process {
                return Err(PyRuntimeError::new_err(
                    "these samples were begun before this process was forked: begin anew, with Recording.samples",
                ));
            }
            let next = pull.next();
            // A failure loses nothing: the Python exception is kept.
            let _ = self.pulse.tick(Some(pull.position()));
            Ok(next)
        })?;
        if let Some(raised) = self.pulse.take() {
            return Err(raised);
        }
        match next {
            Some(Ok(sample)) => Ok(Some(Sample::of(py, sample)?)),
            Some(Err(error)) => Err(raised(py, &error, &self.name, Some(&self.pulse))),
            None => self.end(py).map(|()| None),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Samples of {:?}, channels {}>", self.name, self.query)
    }

    /// Results of reading; None before the last sample.
    #[getter]
    fn report(&self, py: Python<'_>) -> Option<Report> {
        py.detach(|| {
            let pull = self.pull.lock().unwrap_or_else(PoisonError::into_inner);
            pull.report().map(Report::from)
        })
    }
}

impl Samples {
    /// A channel may be missing from a part of a recording.
    pub(crate) fn new(
        pull: Pull,
        pulse: Pulse,
        query: Query,
        errors: OnDamage,
        name: String,
        is_part: bool,
    ) -> Self {
        Self {
            pull: Mutex::new(pull),
            pulse,
            query,
            errors,
            name,
            is_part,
            told: false.into(),
            process: std::process::id(),
        }
    }

    /// Reports the damage, once.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        if self.told.swap(true, std::sync::atomic::Ordering::Relaxed) {
            return Ok(());
        }
        let (is_all, loss) = py.detach(|| {
            let pull = self.pull.lock().unwrap_or_else(PoisonError::into_inner);
            let report = pull.report();
            (report.is_some_and(|report| !report.ended_early), report.and_then(Loss::of))
        });
        self.pulse.done(py)?;
        if is_all && !self.is_part {
            self.query.check().map_err(|missing| no_channel(py, &self.name, &missing))?;
        }
        self.errors.tell(py, &self.name, loss)
    }
}
