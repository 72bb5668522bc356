//! What happened in a opened.

use glob::Pattern;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyDict};
use robolog_convert::{Error, Result, nearest};
use robolog_core::{Clock, Timestamp};
use robolog_events::{Event, Found, Kind, Options, Thresholds};

use crate::{opened::Opened, pulse::Pulse};

/// The events of these kinds, which are globs; of all kinds without one.
pub(crate) fn run(opened: &Opened, kinds: &[String], thresholds: Thresholds, pulse: &Pulse) -> Result<Found> {
    let patterns: Vec<Pattern> = kinds.iter().map(|kind| pattern(kind)).collect::<Result<_>>()?;
    let mut options = Options::default();
    options.format.clone_from(&opened.format);
    options.settings.clone_from(&opened.settings);
    options.thresholds = thresholds;
    let open = || opened.input(pulse);
    let mut found = robolog_events::events(&[open], &options, &mut |at| drop(pulse.tick(Some(at))))?;
    let is_wanted = |event: &Event| patterns.iter().any(|pattern| pattern.matches(event.kind.name()));
    found.events.retain(|event| patterns.is_empty() || is_wanted(event));
    Ok(found)
}

/// The limits with these names; the others are as they are by default.
pub(crate) fn thresholds(given: &Bound<'_, PyDict>) -> PyResult<Thresholds> {
    let mut thresholds = Thresholds::default();
    for (name, value) in given {
        let name: String = name.extract()?;
        let known = || Thresholds::TABLE.iter().map(|one| one.name);
        let value: f64 = value.extract()?;
        if !(value.is_finite() && value >= 0.0) {
            return Err(PyValueError::new_err(format!("{name}: not a number of at least 0")));
        }
        if !thresholds.set(&name, value) {
            let near = nearest(&name, known());
            let tip = near.map_or_else(
                || known().collect::<Vec<_>>().join(", "),
                |near| format!("did you mean {near}?"),
            );
            return Err(PyValueError::new_err(format!("{name}: there is no such threshold; {tip}")));
        }
    }
    Ok(thresholds)
}

/// Returns an error if it matches no kind.
fn pattern(kind: &str) -> Result<Pattern> {
    let pattern = Pattern::new(kind).map_err(|error| Error::Target(format!("{kind}: {error}").into()))?;
    if !Kind::ALL.iter().any(|known| pattern.matches(known.name())) {
        let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        let message = format!("no kind of event matches '{kind}'; {}", names.join(", "));
        return Err(Error::Target(message.into()));
    }
    Ok(pattern)
}

/// An event as a dictionary.
pub(crate) fn dictionary<'py>(
    py: Python<'py>,
    event: &Event,
    start: Option<Timestamp>,
) -> PyResult<Bound<'py, PyDict>> {
    let since = start.and_then(|start| event.time.since(start));
    let values = PyDict::new(py);
    values.set_item("t", since.map(|nanos| Timestamp::new(nanos, Clock::Relative).as_secs()))?;
    values.set_item("t_ns", event.time.nanos())?;
    values.set_item("end_ns", event.end.nanos())?;
    values.set_item("kind", event.kind.name())?;
    values.set_item("subject", &event.subject)?;
    values.set_item("other", event.other.as_deref())?;
    values.set_item("value", event.value)?;
    values.set_item("unit", event.kind.unit())?;
    values.set_item("text", &event.text)?;
    Ok(values)
}
