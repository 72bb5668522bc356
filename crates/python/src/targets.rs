//! Supported formats and targets, and the recordings in a folder.

use std::path::PathBuf;

use pyo3::prelude::*;
use robolog_convert::Error;
use robolog_core::Limits;

use crate::{error::raised, pulse::Pulse};

/// The names of the readable formats.
#[pyfunction]
pub(crate) fn formats() -> Vec<&'static str> {
    robolog_convert::source::formats()
}

/// The targets of Recording.convert: names and descriptions.
#[pyfunction]
pub(crate) fn targets() -> std::collections::BTreeMap<&'static str, &'static str> {
    robolog_convert::targets::ALL.iter().map(|target| (target.name, target.about)).collect()
}

/// The recordings at a path, in order of name: the path itself if it is a file or a folder that is one recording,
/// otherwise all recordings below the folder, including files that cannot be opened but may be recordings.
#[pyfunction]
pub(crate) fn recordings(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    let pulse = Pulse::new(None, None);
    let found = py.detach(|| {
        std::fs::metadata(&path).map_err(|source| Error::File { path: path.clone(), source })?;
        robolog_convert::recordings(&path, Limits::default())
    });
    let found = found.map_err(|error| raised(py, &error, &path.to_string_lossy(), Some(&pulse)))?;
    let mut all: Vec<_> = found.files.iter().chain(found.unreadable()).collect();
    all.sort_unstable();
    Ok(all.into_iter().map(|path| path.to_string_lossy().into_owned()).collect())
}
