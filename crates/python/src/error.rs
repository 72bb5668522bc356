//! Errors as Python exceptions, with file, byte offset and advice.

use std::io::ErrorKind;

use arrow_schema::ArrowError;
use pyo3::{
    create_exception,
    exceptions::{
        PyException, PyFileExistsError, PyFileNotFoundError, PyIsADirectoryError, PyKeyError, PyOSError,
        PyUserWarning,
    },
    prelude::*,
    sync::PyOnceLock,
    types::{PyDict, PyType},
};
use robolog_convert::{Advice, Error as Failure, NoChannel, Note};

use crate::pulse::Pulse;

create_exception!(
    pyrobolog,
    Error,
    PyException,
    "A recording cannot be read, or a target cannot be written.\n\n`path` names the file, `offset` is the byte of the \
     recording at which the fault was met, `advice` says what to do; each is None where it is not known."
);
create_exception!(pyrobolog, UnknownFormat, Error, "The input is no recording that pyrobolog reads.");
create_exception!(
    pyrobolog,
    Damaged,
    Error,
    "The recording is damaged, and errors=\"raise\" was asked for. What can be read has been delivered."
);
create_exception!(
    pyrobolog,
    DamageWarning,
    PyUserWarning,
    "Part of a recording cannot be read, or part of it is not in the target."
);

/// Adds the common attributes to the exceptions, and the exception that `create_exception` cannot make to the module.
pub(crate) fn declare(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    for name in ["path", "offset", "advice"] {
        py.get_type::<Error>().setattr(name, py.None())?;
    }
    module.add("ChannelNotFound", channel_not_found(py)?)
}

/// The exception `ChannelNotFound`, which is a `KeyError` too.
fn channel_not_found(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let make = || {
        let bases = (py.get_type::<Error>(), py.get_type::<PyKeyError>());
        let members = PyDict::new(py);
        members.set_item("__module__", "pyrobolog")?;
        members.set_item("__doc__", "No channel of the recording is meant.")?;
        // A KeyError shows its text as a string with quotes.
        members.set_item("__str__", py.get_type::<PyException>().getattr("__str__")?)?;
        let class = py.get_type::<PyType>().call1(("ChannelNotFound", bases, members))?;
        Ok(class.cast_into::<PyType>()?.unbind())
    };
    CLASS.get_or_try_init(py, make).map(|class| class.bind(py))
}

/// An exception of the kind `ChannelNotFound`.
pub(crate) fn missing_channel(py: Python<'_>, path: &str, message: &str, advice: Option<&str>) -> PyErr {
    match channel_not_found(py) {
        Ok(class) => of_class(class.clone(), path, message, None, advice),
        Err(error) => error,
    }
}

/// An exception of this module.
pub(crate) fn exception<E: pyo3::PyTypeInfo>(
    py: Python<'_>,
    path: &str,
    message: &str,
    offset: Option<u64>,
    advice: Option<&str>,
) -> PyErr {
    of_class(py.get_type::<E>(), path, message, offset, advice)
}

fn of_class(
    class: Bound<'_, PyType>,
    path: &str,
    message: &str,
    offset: Option<u64>,
    advice: Option<&str>,
) -> PyErr {
    let py = class.py();
    let text = match advice {
        Some(advice) => format!("{path}: {message}; {advice}"),
        None => format!("{path}: {message}"),
    };
    let error = PyErr::from_type(class, text);
    let value = error.value(py);
    let outcome = value
        .setattr("path", path)
        .and_then(|()| value.setattr("offset", offset))
        .and_then(|()| value.setattr("advice", advice));
    // An exception accepts any attribute; a failure is reported in its place.
    outcome.err().unwrap_or(error)
}

/// The Python exception for a failure; one raised by the caller's code comes first.
pub(crate) fn raised(py: Python<'_>, failure: &Failure, path: &str, pulse: Option<&Pulse>) -> PyErr {
    if let Some(raised) = pulse.and_then(Pulse::take) {
        return raised;
    }
    let message = failure.to_string();
    match failure {
        Failure::File { path, source } => match source.raw_os_error() {
            Some(number) => {
                let text = source.to_string();
                let text = text.split_once(" (os error").map_or(&*text, |(text, _)| text).to_owned();
                PyOSError::new_err((number, text, path.clone().into_os_string()))
            }
            None if source.kind() == ErrorKind::IsADirectory => {
                /// EISDIR of POSIX, on Windows too.
                const EISDIR: i32 = 21;
                let text =
                    "a folder that is no recording itself; pyrobolog.recordings() lists those below it";
                PyIsADirectoryError::new_err((EISDIR, text, path.clone().into_os_string()))
            }
            None if source.kind() == ErrorKind::NotFound => {
                /// ENOENT of POSIX, on Windows too.
                const ENOENT: i32 = 2;
                PyFileNotFoundError::new_err((ENOENT, source.to_string(), path.clone().into_os_string()))
            }
            None => exception::<Error>(py, &path.to_string_lossy(), &source.to_string(), None, None),
        },
        Failure::Exists(path) => {
            /// EEXIST of POSIX, on Windows too.
            const EEXIST: i32 = 17;
            let text = "there is a file already; force=True replaces it";
            PyFileExistsError::new_err((EEXIST, text, path.clone().into_os_string()))
        }
        Failure::UnknownFormat(_)
        | Failure::Foreign(_)
        | Failure::EmptyFile
        | Failure::NoSuchFormat { .. } => exception::<UnknownFormat>(py, path, &message, None, None),
        Failure::NoChannel(missing) => no_channel(py, path, missing),
        Failure::Recording(error) => exception::<Error>(py, path, &message, Some(error.offset()), None),
        Failure::Input { source, name } => raised(py, source, name, None),
        failure => {
            let advice = failure.advice().map(words);
            exception::<Error>(py, path, &message, None, advice.as_deref())
        }
    }
}

/// The Python exception for a failure of a table, which may come from Python itself.
pub(crate) fn of_arrow(py: Python<'_>, path: &str, failure: &ArrowError) -> PyErr {
    let ArrowError::ExternalError(inner) = failure else {
        return exception::<Error>(py, path, &failure.to_string(), None, None);
    };
    match inner.downcast_ref::<PyErr>() {
        Some(raised) => raised.clone_ref(py),
        None => exception::<Error>(py, path, &inner.to_string(), None, None),
    }
}

/// The requested channel does not exist.
pub(crate) fn no_channel(py: Python<'_>, path: &str, missing: &NoChannel) -> PyErr {
    let advice = match &missing.nearest {
        Some(name) => format!("did you mean {name:?}?"),
        None => "Recording.channels lists them".to_owned(),
    };
    let message = format!("no channel matches {:?}", missing.pattern);
    missing_channel(py, path, &message, Some(&advice))
}

/// Advice with Python's names of arguments.
fn words(advice: Advice) -> String {
    match advice {
        Advice::ChooseChannels | Advice::OneChannel | Advice::FewerChannels | Advice::FewerDevices => {
            "channels=\"GLOB\" chooses".into()
        }
        Advice::Replace => "force=True replaces it".into(),
        Advice::FilePerFrame => "per=\"frame\"".into(),
        Advice::FilePerChannel => "per=\"channel\"".into(),
        Advice::FilePerKind => "per=\"kind\", or channels=".into(),
        Advice::WriteAs(target) => format!("to=\"{target}\""),
        Advice::Epoch => "open(..., epoch=) gives stamps that count from a start their date".into(),
        Advice::MissionTime => "open(..., time=\"mission\") gives its times".into(),
        Advice::Origin => "open(..., origin=(latitude, longitude)) makes fixes of poses".into(),
        advice => advice.to_string(),
    }
}

/// Handling of damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnDamage {
    Warn,
    Raise,
    Ignore,
}

impl OnDamage {
    pub(crate) fn from_name(name: &str) -> PyResult<Self> {
        match name {
            "warn" => Ok(Self::Warn),
            "raise" => Ok(Self::Raise),
            "ignore" => Ok(Self::Ignore),
            other => Err(pyo3::exceptions::PyValueError::new_err(format!(
                "errors={other:?}: choose \"warn\", \"raise\" or \"ignore\""
            ))),
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Raise => "raise",
            Self::Ignore => "ignore",
        }
    }

    /// Reports the damage, if any.
    pub(crate) fn tell(self, py: Python<'_>, path: &str, loss: Option<Loss>) -> PyResult<()> {
        let Some(Loss { message, offset }) = loss else { return Ok(()) };
        match self {
            Self::Ignore => Ok(()),
            Self::Raise => Err(exception::<Damaged>(py, path, &message, offset, None)),
            Self::Warn => {
                let text = std::ffi::CString::new(format!("{path}: {message}").replace('\0', "\\0"))?;
                PyErr::warn(py, &py.get_type::<DamageWarning>(), &text, 1)
            }
        }
    }
}

/// A line about the missing part of a recording, and the offset of the first fault.
pub(crate) struct Loss {
    message: String,
    offset: Option<u64>,
}

impl Loss {
    /// In words of the program.
    pub(crate) const fn told(message: String) -> Self {
        Self { message, offset: None }
    }

    /// `None` if nothing is missing.
    pub(crate) fn of(report: &robolog_convert::Report) -> Option<Self> {
        Self::with(report, None)
    }

    /// The same with a note on the output.
    pub(crate) fn with(report: &robolog_convert::Report, note: Option<Note>) -> Option<Self> {
        let mut parts = Vec::new();
        if report.damages > 0 {
            let first = report.damage.first().map(|damage| damage.error.to_string());
            let first = first.or_else(|| report.faults.first().map(ToString::to_string)).unwrap_or_default();
            parts.push(format!("{} faults, {} bytes lost: {first}", report.damages, report.lost_bytes));
        }
        if report.unjudged > 0 {
            let n = report.unjudged;
            parts.push(format!("left out {n} samples whose time does not compare with the limits"));
        }
        for (kind, count) in report.lost() {
            parts.push(format!("left out {} {kind}: the target cannot hold them", count.samples));
        }
        let notes = report.notes.iter().copied().chain(note).filter(|note| note.is_loss());
        parts.extend(notes.map(|note| note.to_string()));
        let offset = report.damage.first().map(|damage| damage.error.offset());
        (!parts.is_empty()).then(|| Self { message: parts.join("; "), offset })
    }
}
