//! A recording, opened.

use std::{path::Path, sync::Arc, time::Duration};

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyString, PyTuple},
};
use robolog_convert::sink::{Fill, Rate, Wide};

use crate::{
    channel::{self, Channel},
    convert,
    error::OnDamage,
    events,
    limit::{Choice, Globs, gap},
    making::TableRows,
    opened::Opened,
    options,
    pulse::Pulse,
    samples::Samples,
    source::Source,
    split::Split,
    table::{Made, Table},
    view::{numpy_nanos, numpy_time},
};

/// A recording of any format. Each method reads it anew, from its beginning, or from near `start` if its times are in
/// order.
///
/// Nothing stays open between calls: `with` is allowed but not needed.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct Recording {
    opened: Arc<Opened>,
    /// The options as given.
    options: Py<PyDict>,
}

/// Opens a recording: a path of a file or a folder, an address, bytes, or a binary file object, which is copied.
///
/// An address such as `s3://bucket/drive.lvx` is read through fsspec, range by range, no further than needed.
///
/// The format is found from the bytes; `format` names it, with a dialect after a colon to force one. The options make
/// choices that a format leaves open: see `pyrobolog.open`.
#[pyfunction]
#[pyo3(signature = (source, *, format=None, **options))]
pub(crate) fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    format: Option<String>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Recording> {
    let options = options.map_or_else(|| PyDict::new(py), Clone::clone);
    let how = options::understood(py, &options)?;
    let mut opened = Opened::new(Source::of(source)?, format, how, options.is_empty());
    let pulse = Pulse::new(None, None);
    let prepared = py.detach(|| opened.prepare(&pulse));
    opened.outcome(py, prepared, &pulse)?;
    Ok(Recording { opened: Arc::new(opened), options: options.unbind() })
}

impl Recording {
    pub(crate) fn opened(&self) -> &Opened {
        &self.opened
    }

    /// Itself, and the options it was opened with.
    pub(crate) fn parts(&self, py: Python<'_>) -> (Arc<Opened>, Py<PyDict>) {
        (Arc::clone(&self.opened), self.options.clone_ref(py))
    }
}

#[pymethods]
impl Recording {
    /// Name shown in messages: its path, or <bytes>.
    #[getter]
    fn name(&self) -> String {
        self.opened.source.name()
    }

    /// The name of its format.
    #[getter]
    fn format(&self, py: Python<'_>) -> PyResult<String> {
        if let Some(format) = &self.opened.format {
            return Ok(format.split_once(':').map_or(&**format, |(name, _)| name).to_owned());
        }
        let pulse = Pulse::new(None, None);
        let found = py.detach(|| {
            let input = self.opened.input(&pulse)?;
            Ok(if input.is_dataset() { "effibox" } else { input.format()? }.to_owned())
        });
        self.opened.outcome(py, found, &pulse)
    }

    /// Reads it to its end, once: its contents, as the program's `info --json` prints them.
    #[pyo3(signature = (*, progress=None))]
    fn info<'py>(&self, py: Python<'py>, progress: Option<Py<PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let surveyed = self.opened.surveyed(py, progress)?;
        let name = self.opened.source.name();
        json(py, &py.detach(|| surveyed.to_json(Path::new(&name)).to_string()))
    }

    /// Its findings, as the program's `check --json` prints them.
    #[pyo3(signature = (*, progress=None))]
    fn check<'py>(&self, py: Python<'py>, progress: Option<Py<PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let surveyed = self.opened.surveyed(py, progress)?;
        let name = self.opened.source.name();
        json(py, &surveyed.findings_to_json(Path::new(&name)).to_string())
    }

    /// Its channels, by name. The first call reads it to its end.
    #[getter]
    fn channels(&self, py: Python<'_>) -> PyResult<Vec<Channel>> {
        Ok(channel::all(self.opened.surveyed(py, None)?))
    }

    /// Its samples, in file order, with start <= time < end.
    ///
    /// `channels` and `exclude` are names or globs such as "*/points". Times are seconds from the start (negative: from
    /// the end), timedeltas, aware datetimes, or text such as "2m30s". Damage is a DamageWarning; errors="raise" makes
    /// it an exception after the last sample, errors="ignore" hides it. `progress` is called some times a second with
    /// the bytes read and the total. If only a part is read, a channel missing there is no error.
    #[pyo3(signature = (
        channels=None, *, exclude=None, start=None, end=None, duration=None, errors="warn", progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
    fn samples<'py>(
        &self,
        py: Python<'py>,
        channels: Option<Globs>,
        exclude: Option<Globs>,
        start: Option<Bound<'py, PyAny>>,
        end: Option<Bound<'py, PyAny>>,
        duration: Option<Bound<'py, PyAny>>,
        errors: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Samples> {
        let query = Choice { channels, exclude, start, end, duration }.query()?;
        self.opened.samples_of(py, None, query, OnDamage::from_name(errors)?, progress)
    }

    /// The samples of the channels as one table, of their kind of value or of `kind`.
    ///
    /// A row is a point of a cloud, a satellite, or one value of any other kind. Columns: time_ns (int64, nanoseconds
    /// of the recording's clock), time (timestamp in UTC, null on other clocks), channel, then those of the kind.
    /// Table.units has the units. Coordinates of points are float32, as sensors measure them. `columns` selects columns
    /// and their order; values of others are not copied. The other arguments are those of samples.
    #[pyo3(signature = (
        channels, *, kind=None, columns=None, exclude=None, start=None, end=None, duration=None, errors="warn"
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
    fn table<'py>(
        slf: Bound<'py, Self>,
        channels: Globs,
        kind: Option<String>,
        columns: Option<Vec<String>>,
        exclude: Option<Globs>,
        start: Option<Bound<'py, PyAny>>,
        end: Option<Bound<'py, PyAny>>,
        duration: Option<Bound<'py, PyAny>>,
        errors: &str,
    ) -> PyResult<Table> {
        let choice = Choice { channels: Some(channels), exclude, start, end, duration };
        let opened = Arc::clone(&slf.get().opened);
        Table::of(slf.as_any(), (opened, None), choice, kind, columns, errors)
    }

    /// One table of all channels: `rate` rows per second, a column for each channel and field.
    ///
    /// Rows lie at whole multiples of the period, counted from time 0 of the clock. A cell holds the channel's last
    /// value at that time; with `interpolate`, numbers are interpolated linearly between two samples. Over gaps longer
    /// than `max_gap` cells are null; by default values are held forever, and gaps of up to 10 s are interpolated.
    /// Clouds, scans and images are left out. The other arguments are those of samples.
    #[pyo3(signature = (
        rate, channels=None, *, interpolate=false, max_gap=None, exclude=None, start=None, end=None, duration=None,
        errors="warn"
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
    fn wide<'py>(
        slf: Bound<'py, Self>,
        rate: f64,
        channels: Option<Globs>,
        interpolate: bool,
        max_gap: Option<Bound<'py, PyAny>>,
        exclude: Option<Globs>,
        start: Option<Bound<'py, PyAny>>,
        end: Option<Bound<'py, PyAny>>,
        duration: Option<Bound<'py, PyAny>>,
        errors: &str,
    ) -> PyResult<Table> {
        let errors = OnDamage::from_name(errors)?;
        let choice = Choice { channels, exclude, start, end, duration };
        let keywords = choice.keywords(slf.py(), errors)?;
        keywords.set_item("rate", rate)?;
        keywords.set_item("interpolate", interpolate)?;
        keywords.set_item("max_gap", &max_gap)?;
        let made = Made { of: slf.clone().into_any().unbind(), method: "wide", keywords: keywords.unbind() };
        let query = choice.query()?;
        let rate = Rate::from_hz(rate)
            .ok_or_else(|| PyValueError::new_err(format!("rate={rate}: give 0.000001 to 1000000 Hz")))?;
        let fill = if interpolate { Fill::Interpolate } else { Fill::Hold };
        let max_gap = max_gap.as_ref().map(gap).transpose()?;
        let rows = TableRows::Ticks(Wide { rate, fill, max_gap, from_start: false });
        let opened = Arc::clone(&slf.get().opened);
        Ok(Table { opened, query, rows, columns: None, may_lack: false, split: None, errors, made })
    }

    /// An HTML page about the recording; written to `output` if given, else returned.
    #[pyo3(signature = (output=None, *, force=false, progress=None))]
    fn report(
        &self,
        py: Python<'_>,
        output: Option<std::path::PathBuf>,
        force: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyString>>> {
        let pulse = Pulse::new(progress, self.opened.source.len());
        let page = py.detach(|| convert::page(&self.opened, output.as_deref(), force, &pulse));
        let html = self.opened.outcome(py, page, &pulse)?;
        pulse.done(py)?;
        Ok(html.map(|html| PyString::new(py, &html).unbind()))
    }

    /// What happened, in order of time, as dictionaries: contacts, braking, gaps, lost fixes, changes of mode. `kind` is
    /// a glob of kinds such as "hard_*", or several; `thresholds` are limits such as near_gap, as the program has them.
    #[pyo3(signature = (kind=None, *, thresholds=None, progress=None))]
    fn events<'py>(
        &self,
        py: Python<'py>,
        kind: Option<Bound<'py, PyAny>>,
        thresholds: Option<Bound<'py, PyDict>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let kinds: Vec<String> = match kind {
            None => Vec::new(),
            Some(kind) if kind.is_instance_of::<PyString>() => vec![kind.extract()?],
            Some(kinds) => kinds.extract()?,
        };
        let thresholds = thresholds.as_ref().map(events::thresholds).transpose()?.unwrap_or_default();
        let pulse = Pulse::new(progress, self.opened.source.len());
        let found = py.detach(|| events::run(&self.opened, &kinds, thresholds, &pulse));
        let found = self.opened.outcome(py, found, &pulse)?;
        pulse.done(py)?;
        found.events.iter().map(|event| events::dictionary(py, event, found.start)).collect()
    }

    /// Parts of its file, of at least this many bytes, that can be read independently. Their samples, one split after
    /// another, are its samples.
    #[pyo3(signature = (target_bytes=64 << 20))]
    fn splits(slf: Bound<'_, Self>, target_bytes: u64) -> PyResult<Vec<Split>> {
        let (py, this) = (slf.py(), &slf.get().opened);
        let pulse = Pulse::new(None, None);
        let found =
            py.detach(|| this.input(&pulse)?.splits(target_bytes, this.format.as_deref(), &this.settings));
        let found = this.outcome(py, found, &pulse)?;
        Ok(found
            .into_iter()
            .map(|split| Split::new(slf.clone().into_any().unbind(), Arc::clone(this), split))
            .collect())
    }

    /// The part with this state, when a split is unpickled.
    #[pyo3(name = "_split")]
    fn split(slf: Bound<'_, Self>, state: &str) -> PyResult<Split> {
        let split = serde_json::from_str(state).map_err(|e| PyValueError::new_err(e.to_string()))?;
        let opened = Arc::clone(&slf.get().opened);
        Ok(Split::new(slf.into_any().unbind(), opened, split))
    }

    /// Pickled as the arguments of open: it is opened anew when unpickled.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let options = self.options.bind(py).copy()?;
        options.set_item("format", &self.opened.format)?;
        let open = py.import("pyrobolog")?.getattr("open")?;
        let open = py.import("functools")?.getattr("partial")?.call((open,), Some(&options))?;
        Ok((open, (self.opened.source.given(py)?,)))
    }

    /// Start: a numpy.datetime64 of unix time, a numpy.timedelta64 from time 0 of other clocks; None without a time.
    /// Found from the first and last records if those between are in order.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.opened.told_span(py)?.map(|(start, _)| numpy_time(py, start)).transpose()
    }

    /// End, as start.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.opened.told_span(py)?.map(|(_, end)| numpy_time(py, end)).transpose()
    }

    /// From start to end, a numpy.timedelta64; None without a time.
    #[getter]
    fn duration<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let nanos = self.opened.told_span(py)?.and_then(|(start, end)| end.since(start));
        nanos.map(|nanos| numpy_nanos(py, "timedelta64", nanos)).transpose()
    }

    /// The table of a channel, or of several: table(channels). Raises ChannelNotFound, which is a KeyError, if there is
    /// none: it is read until a row is found.
    fn __getitem__(slf: Bound<'_, Self>, channels: Globs) -> PyResult<Table> {
        let py = slf.py();
        Self::table(slf, channels, None, None, None, None, None, None, "warn")?.checked(py)
    }

    /// Whether a channel of this name exists. The first call reads it to its end.
    fn __contains__(&self, py: Python<'_>, channel: &str) -> PyResult<bool> {
        Ok(self.opened.surveyed(py, None)?.summary.channels.iter().any(|one| one.name == channel))
    }

    /// A summary for notebooks. The first call reads it to its end.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyrobolog._html")?.call_method1("recording", (slf,))
    }

    /// All its samples.
    fn __iter__(&self, py: Python<'_>) -> PyResult<Samples> {
        let everything = Choice { channels: None, exclude: None, start: None, end: None, duration: None };
        self.opened.samples_of(py, None, everything.query()?, OnDamage::Warn, None)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_raised))]
    #[expect(clippy::unused_self, reason = "a method of Python's")]
    fn __exit__(&self, _raised: &Bound<'_, PyTuple>) {}

    /// Its format, and if it was read or is small, how long it is and how many channels it has.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        /// Bytes that are read at once.
        const SMALL: u64 = 16 << 20;
        let mut about = self.format(py)?;
        let is_small = self.opened.source.len().is_some_and(|len| len <= SMALL);
        if is_small || self.opened.known_summary().is_some() {
            let summary = &self.opened.surveyed(py, None)?.summary;
            if let Some(nanos) = summary.span.and_then(|(start, end)| end.since(start)) {
                let seconds = Duration::from_nanos(nanos.unsigned_abs()).as_secs_f64();
                about = format!("{about}, {seconds:.1} s");
            }
            let s = if summary.channels.len() == 1 { "" } else { "s" };
            about = format!("{about}, {} channel{s}", summary.channels.len());
        }
        Ok(format!("<Recording {:?}: {}>", self.opened.source.name(), about))
    }
}

/// JSON text as Python objects, by Python's own reader, which keeps integers of any size.
fn json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
