//! Python's values in the words of a command line: the program's parsers understand them, so that an option has one
//! meaning.

use std::{ffi::OsString, path::PathBuf};

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyDict, PyList, PyString, PyTuple},
};
use robolog::{
    call::Refused,
    options::{Opt, Takes, of_verb},
};
use robolog_convert::nearest;

use crate::{
    error::raised,
    limit::{seconds, unix},
};

/// The words for the options of a verb, in their order.
pub(crate) fn words(verb: &str, options: &Bound<'_, PyDict>) -> PyResult<Vec<OsString>> {
    let mut line = Vec::new();
    for (name, value) in options {
        let name: String = name.extract()?;
        let row = named(verb, &name)?;
        let texts = texts(row, &value).map_err(|error| with_name(&value, &name, &error))?;
        line.extend(texts.into_iter().map(|text| word(row, text)));
    }
    Ok(line)
}

/// The option of a verb with this name in Python.
fn named(verb: &str, name: &str) -> PyResult<&'static Opt> {
    let rows = || of_verb(verb).filter(|(group, _)| group.python.is_empty()).map(|(_, row)| row);
    rows().find(|row| row.python() == name).ok_or_else(|| {
        let known: Vec<String> = rows().map(Opt::python).collect();
        let near = nearest(name, known.iter().map(String::as_str));
        let tip = near.map_or_else(
            || format!("there are {}", known.join(", ")),
            |near| format!("did you mean {near}?"),
        );
        PyTypeError::new_err(format!("{name}: there is no such option; {tip}"))
    })
}

/// A value and the option that it is for. A switch has no value.
fn word(row: &Opt, text: Option<OsString>) -> OsString {
    let (hyphens, between) = if row.name.len() == 1 { ("-", "") } else { ("--", "=") };
    let mut word = OsString::from(format!("{hyphens}{}", row.name));
    if let Some(text) = text {
        word.push(between);
        word.push(text);
    }
    word
}

fn with_name(value: &Bound<'_, PyAny>, name: &str, error: &PyErr) -> PyErr {
    let py = value.py();
    let text = format!("{name}: {}", error.value(py));
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(text)
    } else {
        PyValueError::new_err(text)
    }
}

/// The texts of a value: none if it is not given, several if the option is repeated.
fn texts(row: &Opt, value: &Bound<'_, PyAny>) -> PyResult<Vec<Option<OsString>>> {
    if value.is_none() {
        return Ok(Vec::new());
    }
    if row.takes == Takes::Switch {
        return Ok(if value.extract::<bool>()? { vec![None] } else { Vec::new() });
    }
    if let Ok(pairs) = value.cast::<PyDict>() {
        let pair = |(old, new): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<_> {
            Ok(Some(OsString::from(format!("{}={}", old.extract::<String>()?, new.extract::<String>()?))))
        };
        return pairs.iter().map(pair).collect();
    }
    let is_joined = matches!(row.takes, Takes::Numbers | Takes::Between | Takes::Pixels);
    let is_list = value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>();
    if is_list && !is_joined {
        return value.try_iter()?.map(|one| Ok(Some(text(row, &one?)?))).collect();
    }
    Ok(vec![Some(text(row, value)?)])
}

/// A value as text.
fn text(row: &Opt, value: &Bound<'_, PyAny>) -> PyResult<OsString> {
    let is_text = value.is_instance_of::<PyString>();
    Ok(match row.takes {
        Takes::Globs if is_text => literal(&value.extract::<String>()?).into(),
        Takes::File => value.extract::<PathBuf>()?.into_os_string(),
        _ if is_text => value.extract::<String>()?.into(),
        Takes::Moment | Takes::Span => time(value)?.into(),
        Takes::Number if value.hasattr("total_seconds")? => decimal(seconds(value)?.0).into(),
        Takes::Numbers => joined(value, ",")?.into(),
        Takes::Between => joined(value, "..")?.into(),
        Takes::Pixels => joined(value, "x")?.into(),
        Takes::Number => value.extract::<f64>()?.to_string().into(),
        Takes::Count | Takes::Bytes => value.extract::<u64>()?.to_string().into(),
        Takes::Text => value.str()?.extract::<String>()?.into(),
        Takes::Globs => {
            let kind = value.get_type().name()?;
            let why = format!("a name or a glob of channels, or a list of them, not {kind}");
            return Err(PyTypeError::new_err(why));
        }
        Takes::Switch | Takes::Word | Takes::Words | Takes::Pairs => value.extract::<String>()?.into(),
    })
}

/// A point in time or a length of it.
fn time(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Some(nanos) = unix(value)? {
        return Ok(format!("@{}", decimal(nanos)));
    }
    let (nanos, is_negative) = seconds(value)?;
    Ok(if nanos == 0 && is_negative { "-0".into() } else { decimal(nanos) })
}

/// Seconds with nine decimals.
fn decimal(nanos: i64) -> String {
    let sign = if nanos < 0 { "-" } else { "" };
    let nanos = nanos.unsigned_abs();
    format!("{sign}{}.{:09}", nanos / 1_000_000_000, nanos % 1_000_000_000)
}

/// Numbers as one text; `None` leaves its place empty. One number stands for itself.
fn joined(value: &Bound<'_, PyAny>, between: &str) -> PyResult<String> {
    let Ok(parts) = value.try_iter() else { return value.str()?.extract() };
    let part = |part: PyResult<Bound<'_, PyAny>>| {
        let part = part?;
        if part.is_none() { Ok(String::new()) } else { part.str()?.extract() }
    };
    Ok(parts.map(part).collect::<PyResult<Vec<String>>>()?.join(between))
}

/// A glob of Python's, in which commas and braces mean themselves.
fn literal(glob: &str) -> String {
    let mut out = String::with_capacity(glob.len());
    for c in glob.chars() {
        match c {
            ',' | '{' | '}' => out.extend(['[', c, ']']),
            c => out.push(c),
        }
    }
    out
}

/// The exception for a line that the program refuses.
pub(crate) fn refused(py: Python<'_>, verb: &str, refused: &Refused, path: &str) -> PyErr {
    match refused {
        Refused::Failed(error) => raised(py, error, path, None),
        Refused::Usage { option, why } => {
            let named = |name: &String| {
                let row = of_verb(verb).map(|(_, row)| row).find(|row| row.name == *name);
                row.map_or_else(|| name.replace('-', "_"), Opt::python)
            };
            let why = pythonic(verb, why);
            PyValueError::new_err(
                option.as_ref().map_or_else(|| why.clone(), |name| format!("{}: {why}", named(name))),
            )
        }
    }
}

/// A message of the program with Python's names of options: `--las-version` is `las_version=`.
pub(crate) fn pythonic(verb: &str, message: &str) -> String {
    let mut rows: Vec<&Opt> = of_verb(verb).chain(of_verb("convert")).map(|(_, row)| row).collect();
    // The longest first: one name can begin another.
    rows.sort_by_key(|row| std::cmp::Reverse(row.name.len()));
    rows.iter().fold(message.to_owned(), |message, row| {
        message.replace(&format!("--{}", row.name), &format!("{}=", row.python()))
    })
}
