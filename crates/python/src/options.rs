//! Reading options: choices that a format leaves open, as the program understands them.

use pyo3::{prelude::*, types::PyDict};
use robolog::call::{Reading, reading};

use crate::words::{refused, words};

/// How a recording is read with these options.
pub(crate) fn understood(py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Reading> {
    let words = words("report", options)?;
    py.detach(|| reading(&words)).map_err(|why| refused(py, "report", &why, "options"))
}
