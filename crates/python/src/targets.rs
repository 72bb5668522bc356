//! What can be read and written.

use pyo3::prelude::*;

/// The names of the formats that are read.
#[pyfunction]
pub(crate) fn formats() -> Vec<&'static str> {
    robolog_convert::source::formats()
}

/// The targets of Recording.convert: from their names to what they are.
#[pyfunction]
pub(crate) fn targets() -> std::collections::BTreeMap<&'static str, &'static str> {
    robolog_convert::targets::ALL.iter().map(|target| (target.name, target.about)).collect()
}
