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
use robolog::call::{Away, Called, Caller, Refused};
use robolog_convert::{Input, Result};
use tempfile::NamedTempFile;

use crate::{
    convert::{self, Whole},
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
    Source(Arc<Source>),
}

impl Read {
    fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(recording) = given.cast::<Recording>() {
            let (opened, options) = recording.get().parts(given.py());
            return Ok(Self::Opened(opened, options));
        }
        Ok(match Source::of(given)? {
            Source::Path(path) => Self::Path(path),
            source => Self::Source(Arc::new(source)),
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

    /// How it is opened without a file: verbs that read it once, or from a place, need no more of an address than they use.
    fn away(&self, verb: &str, pulse: &Pulse) -> Option<Away> {
        let is_away = |source: &Source| match source {
            Source::Memory(_) => true,
            Source::Remote(remote) => remote.len.is_some(),
            Source::Path(_) | Source::Copy { .. } => false,
        };
        let source = self.source().filter(|source| is_away(source) && ["cut", "convert"].contains(&verb))?;
        let (name, pulse) = (PathBuf::from(source.name()), pulse.clone());
        let open: Box<dyn Fn() -> Result<Input>> = match self {
            Self::Path(_) => return None,
            Self::Opened(opened, _) => {
                let opened = Arc::clone(opened);
                Box::new(move || opened.source.open(&pulse))
            }
            Self::Source(source) => {
                let source = Arc::clone(source);
                Box::new(move || source.open(&pulse))
            }
        };
        Some(Away { name, open })
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
    let (line, file) = line(verb, &all, output.as_ref())?;
    let pulse = Pulse::new(progress, read.iter().map(Read::len).sum());
    let name = read.first().map(Read::name).unwrap_or_default();
    let heard = Heard::default();
    let called = py.detach(|| run(verb, line, &read, &pulse, &heard));
    let called = called.map_err(|error| crate::error::raised(py, &error, &name, Some(&pulse)))?;
    if let Some(raised) = pulse.take() {
        return Err(raised);
    }
    let mut called = called.map_err(|why| refused(py, verb, &why, &name))?;
    for line in &mut called.messages {
        let told = line.strip_prefix("robolog: ").unwrap_or(line);
        *line = pythonic(verb, told.strip_prefix(&format!("{name}: ")).unwrap_or(told));
    }
    if !called.is_done {
        return Err(exception::<Error>(py, &name, &called.messages.join("; "), None, None));
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

/// The reports of a verb, and what they lack.
type Heard = Arc<Mutex<Vec<(Report, Option<Loss>)>>>;

/// The words of the command line before the recordings, and the file that is copied to a file object.
fn line(
    verb: &str,
    options: &Bound<'_, PyDict>,
    output: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<OsString>, Option<Whole>)> {
    let mut line = vec![OsString::from(verb)];
    line.extend(words(verb, options)?);
    if verb == "align" {
        // Objects, not lines for people.
        line.push("--json".into());
    }
    let mut file = None;
    if let Some(given) = output {
        let to = options.get_item("to")?.map(|to| to.extract::<String>()).transpose()?;
        // Copies of records have the format of the recording.
        let has_targets = robolog::options::find(verb, "to").is_some();
        let (path, whole) = convert::output(given, if has_targets { to.as_deref() } else { Some("") })?;
        let mut word = OsString::from("--output=");
        word.push(named(&path));
        line.push(word);
        file = whole;
    }
    line.push("--".into());
    Ok((line, file))
}

/// Runs the verb, with the interpreter released.
fn run(
    verb: &str,
    mut line: Vec<OsString>,
    read: &[Read],
    pulse: &Pulse,
    heard: &Heard,
) -> Result<std::result::Result<Called, Refused>> {
    let away = if let [one] = read { one.away(verb, pulse) } else { None };
    // Temporary files are there until the end.
    let local = match &away {
        Some(away) => vec![(away.name.clone(), None)],
        None => read.iter().map(|one| one.local(pulse)).collect::<Result<Vec<_>>>()?,
    };
    line.extend(local.iter().map(|(path, _)| named(path)));
    let (pulse, heard) = (pulse.clone(), Arc::clone(heard));
    let hear = move |report: &robolog_convert::Report| {
        let both = (Report::from(report), Loss::of(report));
        heard.lock().unwrap_or_else(PoisonError::into_inner).push(both);
    };
    let watch = Arc::new(move |at| pulse.tick(at));
    Ok(robolog::call::call(&line, Caller { watch, hear: Box::new(hear), away }))
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

/// A path that the program does not take for standard input or output.
fn named(path: &Path) -> OsString {
    if path == Path::new("-") { "./-".into() } else { path.as_os_str().to_owned() }
}
