//! Selection of channels and times: the common arguments of all reading methods.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use glob::Pattern;
use pyo3::{
    Borrowed,
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{IntoPyDict as _, PyDict},
};
use robolog_convert::{Bound as Moment, ChannelFilter, Limit, NoChannel, nearest};
use robolog_core::{Clock, Timestamp};

use crate::error::OnDamage;

/// One glob, or several.
pub(crate) enum Globs {
    One(String),
    Many(Vec<String>),
}

impl<'py> FromPyObject<'_, 'py> for Globs {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(glob) = given.extract() {
            return Ok(Self::One(glob));
        }
        given.extract().map(Self::Many).map_err(|_| {
            let kind = given.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
            PyTypeError::new_err(format!("a name or a glob of channels, or a list of them, not {kind}"))
        })
    }
}

impl Globs {
    fn names(&self) -> Vec<&str> {
        match self {
            Self::One(glob) => vec![glob],
            Self::Many(globs) => globs.iter().map(String::as_str).collect(),
        }
    }

    fn list(self) -> Vec<String> {
        match self {
            Self::One(glob) => vec![glob],
            Self::Many(globs) => globs,
        }
    }
}

/// The arguments as given.
pub(crate) struct Choice<'py> {
    pub(crate) channels: Option<Globs>,
    pub(crate) exclude: Option<Globs>,
    pub(crate) start: Option<Bound<'py, PyAny>>,
    pub(crate) end: Option<Bound<'py, PyAny>>,
    pub(crate) duration: Option<Bound<'py, PyAny>>,
}

/// The selection from a recording, which can be read any number of times.
#[derive(Clone)]
pub(crate) struct Query {
    from: Option<Moment>,
    to: Option<Moment>,
    wanted: Option<Arc<Wanted>>,
    seen: Seen,
}

/// Selection of channels.
struct Wanted {
    globs: Vec<String>,
    include: Option<Vec<Pattern>>,
    exclude: Vec<Pattern>,
}

/// The channels seen so far, and whether they are selected.
type Seen = Arc<Mutex<BTreeMap<String, bool>>>;

impl Choice<'_> {
    /// The given arguments, by name.
    pub(crate) fn keywords<'py>(&self, py: Python<'py>, errors: OnDamage) -> PyResult<Bound<'py, PyDict>> {
        let keywords = [("errors", errors.name())].into_py_dict(py)?;
        for (name, globs) in [("channels", &self.channels), ("exclude", &self.exclude)] {
            if let Some(globs) = globs {
                keywords.set_item(name, globs.names())?;
            }
        }
        for (name, time) in [("start", &self.start), ("end", &self.end), ("duration", &self.duration)] {
            if let Some(time) = time {
                keywords.set_item(name, time)?;
            }
        }
        Ok(keywords)
    }

    pub(crate) fn query(self) -> PyResult<Query> {
        let Self { channels, exclude, start, end, duration } = self;
        let from = start.as_ref().map(moment).transpose()?;
        let to = match (end, duration) {
            (Some(_), Some(_)) => {
                return Err(PyValueError::new_err("end and duration say the same: give one of them"));
            }
            (Some(end), None) => Some(moment(&end)?),
            (None, Some(duration)) => Some(Moment::after(from, span(&duration)?)),
            (None, None) => None,
        };
        let is_empty = match (from, to) {
            (Some(Moment::Unix(from)), Some(Moment::Unix(to)))
            | (Some(Moment::FromStart(from)), Some(Moment::FromStart(to)))
            | (Some(Moment::FromEnd(to)), Some(Moment::FromEnd(from))) => to < from,
            _ => false,
        };
        if is_empty {
            return Err(PyValueError::new_err("the end lies before the start"));
        }
        let globs = channels.map(Globs::list);
        let exclude = exclude.map(Globs::list);
        let wanted = if globs.is_none() && exclude.is_none() {
            None
        } else {
            let include = globs.as_deref().map(set).transpose()?;
            let exclude = set(exclude.as_deref().unwrap_or(&[]))?;
            Some(Arc::new(Wanted { globs: globs.unwrap_or_default(), include, exclude }))
        };
        Ok(Query { from, to, wanted, seen: Seen::default() })
    }
}

impl Query {
    /// The resulting limit. Requires the start and the end of the recording if it is [relative](Limit::is_relative).
    pub(crate) fn limit(&self) -> Limit {
        let filter = self.wanted.as_ref().map(|wanted| {
            let (wanted, seen) = (Arc::clone(wanted), Arc::clone(&self.seen));
            let (asked, met) = (Arc::clone(&wanted), Arc::clone(&seen));
            let filter = ChannelFilter::new(move |channel| {
                let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(is_wanted) = seen.get(channel) {
                    return *is_wanted;
                }
                let is_wanted = wanted.means(channel);
                seen.insert(channel.to_owned(), is_wanted);
                is_wanted
            });
            filter.with_unmatched(move || asked.unmatched(&met))
        });
        // With exclusions alone, all other channels are selected.
        let excludes = self.wanted.as_ref().is_some_and(|wanted| wanted.include.is_none());
        Limit::new(self.from, self.to, if excludes { filter.map(ChannelFilter::excluding) } else { filter })
    }

    /// Whether a channel is selected.
    pub(crate) fn wants(&self, channel: &str) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted.means(channel))
    }

    /// Returns an error if channels were given and none of those seen matches. Call it after the whole recording has
    /// been read.
    pub(crate) fn check(&self) -> Result<(), NoChannel> {
        let unmatched = self.wanted.as_ref().and_then(|wanted| wanted.unmatched(&self.seen));
        unmatched.map_or(Ok(()), Err)
    }
}

/// The requested channels.
impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let globs = self.wanted.as_ref().map(|wanted| wanted.globs.join(", "));
        write!(f, "{:?}", globs.filter(|globs| !globs.is_empty()).unwrap_or_else(|| "*".to_owned()))
    }
}

impl Wanted {
    fn means(&self, channel: &str) -> bool {
        let is_one = |globs: &[Pattern]| globs.iter().any(|glob| glob.matches(channel));
        // A name with brackets is also a glob with another meaning; it matches itself too.
        let is_named = self.globs.iter().any(|glob| glob == channel);
        (is_named || self.include.as_deref().is_none_or(is_one)) && !is_one(&self.exclude)
    }

    /// The request, if channels were seen and none of them matches.
    fn unmatched(&self, seen: &Seen) -> Option<NoChannel> {
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.is_empty() || seen.values().any(|is_wanted| *is_wanted) {
            return None;
        }
        let near = self.globs.first().and_then(|glob| nearest(glob, seen.keys().map(String::as_str)));
        let nearest = near.map(ToString::to_string);
        Some(NoChannel { pattern: self.globs.join(", "), nearest, met: seen.keys().cloned().collect() })
    }
}

fn set(globs: &[String]) -> PyResult<Vec<Pattern>> {
    let pattern = |glob: &String| {
        Pattern::new(glob).map_err(|e| PyValueError::new_err(format!("{glob:?} is no glob: {e}")))
    };
    globs.iter().map(pattern).collect()
}

/// A time in a recording: seconds from the start, negative ones from the end; a `timedelta` likewise; an aware
/// `datetime` or a `datetime64`; text as the program takes it.
pub(crate) fn moment(given: &Bound<'_, PyAny>) -> PyResult<Moment> {
    if let Ok(text) = given.extract::<String>() {
        return text.parse().map_err(|why| PyValueError::new_err(format!("{text:?}: {why}")));
    }
    if let Some(nanos) = unix(given)? {
        return Ok(Moment::Unix(nanos));
    }
    let (nanos, is_negative) = seconds(given)?;
    Ok(if is_negative { Moment::FromEnd(nanos.saturating_neg()) } else { Moment::FromStart(nanos) })
}

/// A duration: seconds, a `timedelta`, or text.
pub(crate) fn span(given: &Bound<'_, PyAny>) -> PyResult<Duration> {
    if let Ok(text) = given.extract::<String>() {
        return Moment::duration(&text).map_err(|why| PyValueError::new_err(format!("{text:?}: {why}")));
    }
    let (nanos, _) = seconds(given)?;
    let nanos = u64::try_from(nanos).map_err(|_| PyValueError::new_err("a duration is not negative"))?;
    Ok(Duration::from_nanos(nanos))
}

/// The longest gap in a table, nanoseconds.
pub(crate) fn gap(given: &Bound<'_, PyAny>) -> PyResult<i64> {
    let nanos = i64::try_from(span(given)?.as_nanos()).ok().filter(|nanos| *nanos > 0);
    nanos.ok_or_else(|| PyValueError::new_err("max_gap is a time above 0"))
}

/// Nanoseconds of unix time of a `datetime`, a pandas `Timestamp` or a NumPy `datetime64`; `None` for anything else.
pub(crate) fn unix(given: &Bound<'_, PyAny>) -> PyResult<Option<i64>> {
    let py = given.py();
    if given.hasattr("tzinfo")? && given.hasattr("timestamp")? {
        if given.getattr("tzinfo")?.is_none() {
            return Err(PyValueError::new_err(
                "a datetime without a time zone may mean any moment: add tzinfo=datetime.timezone.utc",
            ));
        }
        let datetime = py.import("datetime")?;
        let utc = datetime.getattr("timezone")?.getattr("utc")?;
        let epoch = datetime.getattr("datetime")?.call1((1970, 1, 1, 0, 0, 0, 0, utc))?;
        // A pandas Timestamp minus a datetime is a Timedelta, which has nanoseconds.
        let (nanos, _) = seconds(&given.sub(epoch)?)?;
        return Ok(Some(nanos));
    }
    if given.get_type().name()?.to_string_lossy() == "datetime64" {
        let nanos = given.call_method1("astype", ("datetime64[ns]",))?.call_method1("astype", ("int64",))?;
        return nanos.extract().map(Some);
    }
    Ok(None)
}

/// Nanoseconds of a number of seconds, a `timedelta` or a NumPy `timedelta64`, and whether they are negative, including
/// -0.0.
pub(crate) fn seconds(given: &Bound<'_, PyAny>) -> PyResult<(i64, bool)> {
    if given.get_type().name()?.to_string_lossy() == "timedelta64" {
        let nanos = given.call_method1("astype", ("timedelta64[ns]",))?.call_method1("astype", ("int64",))?;
        let nanos: i64 = nanos.extract()?;
        return Ok((nanos, nanos < 0));
    }
    let out_of_range = || PyValueError::new_err("a time is out of range");
    if given.hasattr("total_seconds")? {
        let part = |name| given.getattr(name)?.extract::<i64>();
        let nanos = if given.hasattr("nanoseconds")? { part("nanoseconds")? } else { 0 };
        let whole =
            part("days")?.checked_mul(86_400).and_then(|days| days.checked_add(part("seconds").ok()?));
        let nanos = whole
            .and_then(|seconds| seconds.checked_mul(1_000_000))
            .and_then(|micros| micros.checked_add(part("microseconds").ok()?))
            .and_then(|micros| micros.checked_mul(1000)?.checked_add(nanos))
            .ok_or_else(out_of_range)?;
        return Ok((nanos, nanos < 0));
    }
    let seconds: f64 = given.extract()?;
    let time = Timestamp::from_secs(seconds, Clock::Relative).ok_or_else(out_of_range)?;
    Ok((time.nanos(), seconds.is_sign_negative()))
}
