//! The verbs of the program: what they read and write, and what they say.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyString},
};
use robolog::call::Watch;
use robolog_convert::Result;
use tempfile::NamedTempFile;

use crate::{
    convert::output,
    error::{Error, Loss, OnDamage, exception},
    opened::Opened,
    pulse::Pulse,
    recording::Recording,
    report::Report,
    source::Source,
    words::{pythonic, refused, words},
};

/// A recording that a verb reads.
enum Read {
    /// A file or a folder, also of many recordings.
    Path(PathBuf),
    /// With the options it was opened with.
    Opened(Arc<Opened>, Py<PyDict>),
    Source(Source),
}

impl Read {
    fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(recording) = given.cast::<Recording>() {
            let (opened, options) = recording.get().parts(given.py());
            return Ok(Self::Opened(opened, options));
        }
        Ok(match Source::of(given)? {
            Source::Path(path) => Self::Path(path),
            source => Self::Source(source),
        })
    }

    fn source(&self) -> Option<&Source> {
        match self {
            Self::Path(_) => None,
            Self::Opened(opened, _) => Some(&opened.source),
            Self::Source(source) => Some(source),
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Path(path) => path.to_string_lossy().into_owned(),
            _ => self.source().map(Source::name).unwrap_or_default(),
        }
    }

    fn len(&self) -> Option<u64> {
        match self {
            Self::Path(path) => {
                std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file).map(|meta| meta.len())
            }
            _ => self.source()?.len(),
        }
    }

    /// A local file of its bytes, which may be temporary.
    fn local(&self, pulse: &Pulse) -> Result<(PathBuf, Option<NamedTempFile>)> {
        match (self, self.source()) {
            (Self::Path(path), _) => Ok((path.clone(), None)),
            (_, Some(source)) => source.local(pulse),
            (_, None) => Ok((PathBuf::new(), None)),
        }
    }
}

/// Runs a verb on recordings. Returns its report, and what the program would print.
#[pyfunction]
#[pyo3(name = "_call", signature = (verb, recordings, output, options, errors="warn", progress=None))]
pub(crate) fn call<'py>(
    py: Python<'py>,
    verb: &str,
    recordings: Vec<Bound<'py, PyAny>>,
    output: Option<Bound<'py, PyAny>>,
    options: &Bound<'py, PyDict>,
    errors: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Report, String)> {
    let errors = OnDamage::from_name(errors)?;
    let read = recordings.iter().map(Read::of).collect::<PyResult<Vec<_>>>()?;
    let all = with_their_own(py, verb, &read, options)?;
    let mut line = vec![OsString::from(verb)];
    line.extend(words(verb, &all)?);
    if verb == "align" {
        // Objects, not lines for people.
        line.push("--json".into());
    }
    let to = all.get_item("to")?.map(|to| to.extract::<String>()).transpose()?;
    let (path, file) = match &output {
        None => (None, None),
        Some(given) => {
            let (path, file) = destination(given, verb, to.as_deref())?;
            (Some(path), file)
        }
    };
    if let Some(path) = &path {
        let mut word = OsString::from("--output=");
        word.push(named(path));
        line.push(word);
    }
    line.push("--".into());
    let pulse = Pulse::new(progress, read.iter().map(Read::len).sum());
    let name = read.first().map(Read::name).unwrap_or_default();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let called = py.detach(|| -> Result<_> {
        let local = read.iter().map(|one| one.local(&pulse)).collect::<Result<Vec<_>>>()?;
        line.extend(local.iter().map(|(path, _)| named(path)));
        let watch: Watch = {
            let pulse = pulse.clone();
            Arc::new(move |at| pulse.tick(at))
        };
        let heard = Arc::clone(&heard);
        let hear = move |report: &robolog_convert::Report| {
            let both = (Report::from(report), Loss::of(report));
            heard.lock().unwrap_or_else(PoisonError::into_inner).push(both);
        };
        Ok(robolog::call::call(&line, watch, Box::new(hear)))
    });
    let called = called.map_err(|error| crate::error::raised(py, &error, &name, Some(&pulse)))?;
    if let Some(raised) = pulse.take() {
        return Err(raised);
    }
    let called = called.map_err(|why| refused(py, verb, &why, &name))?;
    if !called.is_done {
        let told = pythonic(verb, &called.messages.join("; "));
        return Err(exception::<Error>(py, &name, told.trim_start_matches("robolog: "), None, None));
    }
    if let (Some(file), Some(given)) = (file, &output) {
        file.copy_into(given)?;
    }
    pulse.done(py)?;
    let heard = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
    let (reports, losses): (Vec<Report>, Vec<Option<Loss>>) = heard.into_iter().unzip();
    let losses: Vec<Loss> = losses.into_iter().flatten().collect();
    let told = losses.is_empty() && !called.is_complete;
    for loss in losses.into_iter().chain(told.then(|| Loss::told(called.messages.join("; ")))) {
        errors.tell(py, &name, Some(loss))?;
    }
    let printed = String::from_utf8_lossy(&called.printed).into_owned();
    Ok((Report::of(&called, reports), printed))
}

/// The options of a call, with those that its recordings were opened with, as far as the verb has them.
fn with_their_own<'py>(
    py: Python<'py>,
    verb: &str,
    read: &[Read],
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for one in read {
        let Read::Opened(opened, own) = one else { continue };
        let names: Vec<String> = robolog::options::of_verb(verb).map(|(_, row)| row.python()).collect();
        for (name, value) in own.bind(py) {
            if names.contains(&name.extract::<String>()?) {
                same(&all, &name, &value)?;
            }
        }
        if let Some(format) = &opened.format {
            same(&all, "format".into_pyobject(py)?.as_any(), PyString::new(py, format).as_any())?;
        }
    }
    all.update(options.as_mapping())?;
    Ok(all)
}

/// Sets an option that all recordings must have alike.
fn same(all: &Bound<'_, PyDict>, name: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match all.get_item(name)? {
        Some(other) if !other.eq(value)? => {
            Err(PyValueError::new_err(format!("{name}: the recordings were opened with different values")))
        }
        _ => all.set_item(name, value),
    }
}

/// Where a verb writes. Copies of records have the format of the recording.
fn destination(
    given: &Bound<'_, PyAny>,
    verb: &str,
    to: Option<&str>,
) -> PyResult<(PathBuf, Option<crate::convert::Whole>)> {
    let has_targets = robolog::options::find(verb, "to").is_some();
    output(given, if has_targets { to } else { Some("") })
}

/// A path that the program does not take for standard input or output.
fn named(path: &Path) -> OsString {
    if path == Path::new("-") { "./-".into() } else { path.as_os_str().to_owned() }
}
