//! MOOS logs.

use std::{path::PathBuf, sync::Arc};

use alog::{Header, Seconds, Writer};
use pyo3::{exceptions::PyValueError, prelude::*};
use robolog_core::{Clock, Timestamp};

use super::{Closing, Out, Output};
use crate::{array, limit::unix};

/// Writes a MOOS log: numbers and texts of variables.
#[pyclass(frozen, extends = Closing, module = "pyrobolog")]
pub(crate) struct AlogWriter {
    out: Arc<Out<Writer<Output>>>,
}

#[pymethods]
impl AlogWriter {
    /// Begins a log. `start` is the origin of times: seconds of unix time, or an aware datetime.
    #[new]
    #[pyo3(signature = (path, start, *, force=false))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        start: &Bound<'_, PyAny>,
        force: bool,
    ) -> PyResult<PyClassInitializer<Self>> {
        let start = match unix(start)? {
            Some(nanos) => Seconds::from_nanos(nanos.into()),
            None => seconds(start.extract()?)?,
        };
        let name = path.file_name().unwrap_or_default().as_encoded_bytes().to_vec();
        let begin = |out| Writer::new(out, &Header::new(name, start));
        let (out, base) = Out::create(py, path, force, begin, Writer::finish)?;
        Ok(base.add_subclass(Self { out }))
    }

    /// Writes a number, `time` seconds after the start, so that it reads back exactly. Raises an error if it is NaN or
    /// infinite.
    #[pyo3(signature = (time, name, value, *, source="pyrobolog"))]
    fn number(&self, py: Python<'_>, time: f64, name: &str, value: f64, source: &str) -> PyResult<()> {
        let time = seconds(time)?;
        self.out.write(py, |out| out.number(time, name, source, value))
    }

    /// Writes a number for each time: two arrays of equal length.
    #[pyo3(signature = (times, name, values, *, source="pyrobolog"))]
    fn numbers(
        &self,
        py: Python<'_>,
        times: &Bound<'_, PyAny>,
        name: &str,
        values: &Bound<'_, PyAny>,
        source: &str,
    ) -> PyResult<()> {
        let (times, values) = (array::doubles(times)?, array::doubles(values)?);
        if times.len() != values.len() {
            let (times, values) = (times.len(), values.len());
            return Err(PyValueError::new_err(format!("{times} times and {values} values")));
        }
        let times = times.into_iter().map(seconds).collect::<PyResult<Vec<_>>>()?;
        self.out.write(py, |out| {
            times.iter().zip(&values).try_for_each(|(time, value)| out.number(*time, name, source, *value))
        })
    }

    /// Writes a text, `time` seconds after the start.
    #[pyo3(signature = (time, name, value, *, source="pyrobolog"))]
    fn text(&self, py: Python<'_>, time: f64, name: &str, value: &str, source: &str) -> PyResult<()> {
        let time = seconds(time)?;
        self.out.write(py, |out| out.entry(time, name, source, value.as_bytes()))
    }
}

fn seconds(seconds: f64) -> PyResult<Seconds> {
    let time = Timestamp::from_secs(seconds, Clock::Relative);
    let time = time.ok_or_else(|| PyValueError::new_err(format!("{seconds} is no time in seconds")))?;
    Ok(Seconds::from_nanos(time.nanos().into()))
}
