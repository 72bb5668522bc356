//! Outputs: paths and file objects; the report page.

use std::{
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
};

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyBytes,
};
use robolog_convert::{
    Result,
    target::{Existing, Target},
};

use crate::{opened::Opened, pulse::Pulse};

/// A file that is completed before it is copied to a file object.
pub(crate) struct Whole(tempfile::TempDir);

/// Destination of the output: a path, or a file that is copied to a file object.
pub(crate) fn output(given: &Bound<'_, PyAny>, to: Option<&str>) -> PyResult<(PathBuf, Option<Whole>)> {
    if let Ok(path) = given.extract() {
        return Ok((path, None));
    }
    if !given.hasattr("write")? {
        let kind = given.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a path or a binary file object is written to, not {kind}"
        )));
    }
    if to.is_none() {
        return Err(PyValueError::new_err("a file object has no ending: to= names the target"));
    }
    let whole = Whole(tempfile::tempdir()?);
    Ok((whole.path(), Some(whole)))
}

impl Whole {
    fn path(&self) -> PathBuf {
        self.0.path().join("output")
    }

    pub(crate) fn copy_into(self, to: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut file = std::fs::File::open(self.path()).map_err(|_| {
            PyValueError::new_err("a file object takes one file: what makes a folder needs a path")
        })?;
        let mut block = vec![0; BLOCK];
        loop {
            let n = file.read(&mut block)?;
            let Some(part) = block.get(..n).filter(|part| !part.is_empty()) else { return Ok(()) };
            to.call_method1("write", (PyBytes::new(to.py(), part),))?;
        }
    }
}

/// Bytes copied to a file object at a time.
const BLOCK: usize = 1 << 20;

/// The report page: written to `output`, else returned.
pub(crate) fn page(
    opened: &Opened,
    output: Option<&Path>,
    force: bool,
    pulse: &Pulse,
) -> Result<Option<String>> {
    let mut options = robolog_report::Options::default();
    options.format.clone_from(&opened.format);
    options.settings = opened.settings.clone();
    let mut progress = |at| drop(pulse.tick(Some(at)));
    let page =
        opened.source.with_path(pulse, |path| robolog_report::report(path, &options, &mut progress))?;
    // An exception of the caller's code.
    pulse.tick(None)?;
    let Some(output) = output else { return Ok(Some(page.html)) };
    let existing = if force { Existing::Replace } else { Existing::Keep };
    let inputs: Vec<&Path> = opened.source.path().into_iter().collect();
    let target = Target::create(output, existing, &inputs)?;
    let mut out = target.writer()?;
    out.write_all(page.html.as_bytes())?;
    out.flush()?;
    drop(out);
    target.persist()?;
    Ok(None)
}
