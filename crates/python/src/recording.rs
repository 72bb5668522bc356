//! A recording, opened.

use std::{path::Path, sync::OnceLock};

use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyDict, PyString, PyTuple},
};
use robolog_convert::{
    Error, Feed, Input, Limit, Result, Settings, Surveyed, Visit,
    sink::{Fill, Rate, Wide},
    source::Stream,
};
use robolog_core::{StreamReader, Summary, Timestamp};

use crate::{
    channel::{self, Channel},
    convert, cut,
    error::{Loss, OnDamage, raised},
    limit::{Choice, Globs, Query, gap},
    options::{self, Asked},
    pulse::Pulse,
    report::Report,
    samples::Samples,
    source::Source,
    split::Split,
    table::{Rows, Table},
};

/// A recording of any format. It is read anew by each method, from its beginning, or from near `start` where its times are
/// in order.
///
/// Nothing is held open between calls: `with` is allowed and not needed.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct Recording {
    pub(crate) source: Source,
    pub(crate) format: Option<String>,
    pub(crate) settings: Settings,
    pub(crate) asked: Asked,
    /// The options as they were given.
    options: Py<PyDict>,
    surveyed: OnceLock<Surveyed>,
}

/// Opens a recording: a path of a file or a folder, an address, bytes, or a binary file object, which is copied.
///
/// An address such as `s3://bucket/drive.lvx` is read through fsspec, range by range, as far as it is needed.
///
/// The format is found from the bytes; `format` names it, with a dialect behind a colon where one is to be forced. The
/// options say what a format leaves open:
///
/// apply_extrinsics: move the points of each device of LVX to where it is mounted: if the "file" says so, "always", "never".
/// extrinsic_unit: the unit of translations in LVX2: "m", "cm" or "mm".
/// drop_no_return: leave out points of LVX without a return.
/// axes: "ros" gives poses of CARLA right-handed, in metres and radians; "unreal" in its own axes and units.
/// time: of MOOS, the time inside a value where there is one ("embedded"), the time "column", or that without LOGSTART
///   ("relative"), or the first by the mission's own clock ("mission").
/// time_warp: how much faster than real time a MOOS log was made.
/// pictures: read the pictures that entries of CAMERA_FILE_WRITE name, from the folder of the MOOS log or one below it.
/// calibration: path of a Velodyne's calibration: db.xml or YAML.
/// formula: of Velodyne's points: "veloview", "two-point", "simple5", "ros" or "velodyne-decoder".
/// clouds: a cloud for each "turn" of the head, or for each "message" of a Koblenz log.
/// laser_angles: of laser scanners of unknown type, the angle of the first range and the step, degrees counter-clockwise.
/// quaternion, acceleration: of Koblenz logs: "wxyz" or "xyzw", and "m/s2" or "g".
/// keep_codes: keep the error codes of laser scanners among the ranges.
/// clock: what times count from, where the recording names a wrong one: "unix", "gps", "device" or "relative".
/// epoch: the moment of time 0: unix seconds, a datetime, text, or "auto" for what the recording says.
/// time_offset: seconds that are added to all times.
/// origin: latitude and longitude in degrees, and metres of altitude, of local frames: poses become fixes. Or "auto".
/// origin_grid: what x and y of local frames mean at the origin: "enu", "utm" or "local".
/// frame_id: the coordinate frame of all channels, or a dict of globs and frames.
#[pyfunction]
#[pyo3(signature = (source, *, format=None, **options))]
pub(crate) fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    format: Option<String>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Recording> {
    let (settings, asked) = options::settings(options)?;
    let source = Source::of(source)?;
    let options = options.map_or_else(|| PyDict::new(py), Clone::clone).unbind();
    let mut recording = Recording { source, format, settings, asked, options, surveyed: OnceLock::new() };
    let pulse = Pulse::new(None, None);
    let prepared = py.detach(|| recording.prepare(&pulse));
    recording.outcome(py, prepared, &pulse)?;
    Ok(recording)
}

#[pymethods]
impl Recording {
    /// What it is called in messages: its path, or <bytes>.
    #[getter]
    fn name(&self) -> String {
        self.source.name()
    }

    /// The name of its format.
    #[getter]
    fn format(&self, py: Python<'_>) -> PyResult<String> {
        if let Some(format) = &self.format {
            return Ok(format.split(':').next().unwrap_or_default().to_owned());
        }
        let pulse = Pulse::new(None, None);
        let found = py.detach(|| {
            let input = self.input(&pulse)?;
            Ok(if input.is_dataset() { "effibox" } else { input.format()? }.to_owned())
        });
        self.outcome(py, found, &pulse)
    }

    /// Reads it to its end, once: what it holds, as the program's `info --json` prints it.
    #[pyo3(signature = (*, progress=None))]
    fn info<'py>(&self, py: Python<'py>, progress: Option<Py<PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let surveyed = self.surveyed(py, progress)?;
        let name = self.source.name();
        json(py, &py.detach(|| surveyed.to_json(Path::new(&name)).to_string()))
    }

    /// What is wrong with it, as the program's `check --json` prints it.
    #[pyo3(signature = (*, progress=None))]
    fn check<'py>(&self, py: Python<'py>, progress: Option<Py<PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let surveyed = self.surveyed(py, progress)?;
        let name = self.source.name();
        json(py, &surveyed.findings_to_json(Path::new(&name)).to_string())
    }

    /// Its channels, by name. The first time it is read to its end.
    #[getter]
    fn channels(&self, py: Python<'_>) -> PyResult<Vec<Channel>> {
        Ok(channel::all(self.surveyed(py, None)?))
    }

    /// Its samples, in file order; from `start` up to but not including `end`.
    ///
    /// `channels` and `exclude` are names or globs such as "*/points". Times are seconds from the start (negative: from the
    /// end), timedeltas, aware datetimes, or text such as "2m30s". Damage is a DamageWarning; errors="raise" makes it an
    /// exception behind the last sample, errors="ignore" nothing. `progress` is called some times a second with the bytes
    /// that are read and their number. Where only a part is read, a channel that is not met there is no error.
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
        self.samples_of(py, None, query, OnDamage::from_name(errors)?, progress)
    }

    /// The samples of the channels as one table, of the kind of value that they hold or that `kind` names.
    ///
    /// A row is a point of a cloud, a satellite, or one value of any other kind. Columns: time_ns (int64, nanoseconds of the
    /// recording's clock), time (timestamp in UTC, null on other clocks), channel, then those of the kind. Table.units has
    /// the units. Coordinates of points are float32, as sensors measure them. The other arguments are those of samples.
    #[pyo3(signature = (
        channels, *, kind=None, exclude=None, start=None, end=None, duration=None, errors="warn"
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
    fn table<'py>(
        slf: Bound<'py, Self>,
        channels: Globs,
        kind: Option<String>,
        exclude: Option<Globs>,
        start: Option<Bound<'py, PyAny>>,
        end: Option<Bound<'py, PyAny>>,
        duration: Option<Bound<'py, PyAny>>,
        errors: &str,
    ) -> PyResult<Table> {
        let errors = OnDamage::from_name(errors)?;
        let query = Choice { channels: Some(channels), exclude, start, end, duration }.query()?;
        Ok(Table { recording: slf.unbind(), query, rows: Rows::Values(kind), split: None, errors })
    }

    /// One table of all channels: `rate` rows a second, a column for each channel and field.
    ///
    /// Rows lie at whole multiples of the period, counted from time 0 of the clock. A cell holds the channel's last value at
    /// that moment; with `interpolate` numbers lie on the line between two samples. Over gaps longer than `max_gap` cells are
    /// null; by default values are held for ever, and gaps of up to 10 s are interpolated. Clouds, scans and images have no
    /// place in it. The other arguments are those of samples.
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
        let query = Choice { channels, exclude, start, end, duration }.query()?;
        let rate = Rate::from_hz(rate)
            .ok_or_else(|| PyValueError::new_err(format!("rate={rate}: give 0.000001 to 1000000 Hz")))?;
        let fill = if interpolate { Fill::Interpolate } else { Fill::Hold };
        let max_gap = max_gap.as_ref().map(gap).transpose()?;
        let rows = Rows::Ticks(Wide { rate, fill, max_gap });
        Ok(Table { recording: slf.unbind(), query, rows, split: None, errors })
    }

    /// Writes its samples in another format: that of `to` (see targets()), else that of the name of `output`.
    ///
    /// With `per` ("frame", "channel", "device" or "kind") a folder of files. The output appears when it is whole; `force`
    /// replaces a file that is there. The options are those of the targets: pcd_data, schema, mcap_compression, scan_points,
    /// las_intensity, las_version, crs, hive, device_type, carla_map, carla_blueprint. The other arguments are those of
    /// samples.
    #[pyo3(signature = (
        output, *, to=None, channels=None, exclude=None, start=None, end=None, duration=None, per=None, force=false,
        errors="warn", progress=None, **options
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
    fn convert<'py>(
        &self,
        py: Python<'py>,
        output: std::path::PathBuf,
        to: Option<String>,
        channels: Option<Globs>,
        exclude: Option<Globs>,
        start: Option<Bound<'py, PyAny>>,
        end: Option<Bound<'py, PyAny>>,
        duration: Option<Bound<'py, PyAny>>,
        per: Option<&str>,
        force: bool,
        errors: &str,
        progress: Option<Py<PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Report> {
        let errors = OnDamage::from_name(errors)?;
        let query = Choice { channels, exclude, start, end, duration }.query()?;
        let job = convert::Job::new(output, to, per, force, options)?;
        let pulse = Pulse::new(progress, self.source.len());
        let report = py.detach(|| job.run(self, &query, &pulse));
        let report = self.outcome(py, report, &pulse)?;
        pulse.done(py)?;
        errors.tell(py, &self.source.name(), Loss::of(&report))?;
        Ok(Report::from(&report))
    }

    /// Copies a part of it, byte for byte, into a recording of the same format. The arguments are those of samples.
    #[pyo3(signature = (
        output, *, channels=None, exclude=None, start=None, end=None, duration=None, force=false, errors="warn",
        progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
    fn cut<'py>(
        &self,
        py: Python<'py>,
        output: std::path::PathBuf,
        channels: Option<Globs>,
        exclude: Option<Globs>,
        start: Option<Bound<'py, PyAny>>,
        end: Option<Bound<'py, PyAny>>,
        duration: Option<Bound<'py, PyAny>>,
        force: bool,
        errors: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Report> {
        let errors = OnDamage::from_name(errors)?;
        let query = Choice { channels, exclude, start, end, duration }.query()?;
        let pulse = Pulse::new(progress, self.source.len());
        let report = py.detach(|| cut::run(self, &output, force, &query, &pulse));
        let report = self.outcome(py, report, &pulse)?;
        pulse.done(py)?;
        errors.tell(py, &self.source.name(), Loss::of(&report))?;
        Ok(Report::from(&report))
    }

    /// A page of HTML that shows what it holds; written to `output` where that is given, else returned.
    #[pyo3(signature = (output=None, *, force=false, progress=None))]
    fn report(
        &self,
        py: Python<'_>,
        output: Option<std::path::PathBuf>,
        force: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<Py<PyString>>> {
        let pulse = Pulse::new(progress, self.source.len());
        let page = py.detach(|| convert::page(self, output.as_deref(), force, &pulse));
        let html = self.outcome(py, page, &pulse)?;
        pulse.done(py)?;
        Ok(html.map(|html| PyString::new(py, &html).unbind()))
    }

    /// Parts of its file that can be read each by itself, of this many bytes or more each. Their samples, one split after
    /// another, are its samples.
    #[pyo3(signature = (target_bytes=64 << 20))]
    fn splits(slf: Bound<'_, Self>, target_bytes: u64) -> PyResult<Vec<Split>> {
        let (py, this) = (slf.py(), slf.get());
        let pulse = Pulse::new(None, None);
        let found =
            py.detach(|| this.input(&pulse)?.splits(target_bytes, this.format.as_deref(), &this.settings));
        let found = this.outcome(py, found, &pulse)?;
        Ok(found.into_iter().map(|split| Split::new(slf.clone().unbind(), split)).collect())
    }

    /// Pickled is how it was opened: it is opened anew where it arrives.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let options = self.options.bind(py).copy()?;
        options.set_item("format", &self.format)?;
        let open = py.import("pyrobolog")?.getattr("open")?;
        let open = py.import("functools")?.getattr("partial")?.call((open,), Some(&options))?;
        Ok((open, (self.source.given(py)?,)))
    }

    /// All its samples.
    fn __iter__(&self, py: Python<'_>) -> PyResult<Samples> {
        let everything = Choice { channels: None, exclude: None, start: None, end: None, duration: None };
        self.samples_of(py, None, everything.query()?, OnDamage::Warn, None)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_raised))]
    #[expect(clippy::unused_self, reason = "a method of Python's")]
    fn __exit__(&self, _raised: &Bound<'_, PyTuple>) {}

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Recording {:?}: {}>", self.source.name(), self.format(py)?))
    }
}

impl Recording {
    /// Reads the header, so that what is no recording fails at once; takes from it what the options left to it.
    fn prepare(&mut self, pulse: &Pulse) -> Result<()> {
        let input = self.input(pulse)?;
        if !input.is_dataset() {
            input.visit(self.format.as_deref(), HeaderOnly)?;
        }
        if self.asked.origin {
            let told = |path| robolog_convert::origin(path, self.settings.origin_grid);
            let origin = self.source.path().map(told).transpose()?.flatten().map(|told| told.place);
            let missing =
                || Error::Target("it does not tell its origin: origin=(latitude, longitude)".into());
            self.settings.origin = Some(origin.ok_or_else(missing)?);
        }
        if self.asked.epoch {
            let epoch = self.survey(pulse)?.epoch;
            let missing = || Error::Target("it does not say when it began: give epoch=".into());
            self.settings.epoch = Some(epoch.ok_or_else(missing)?);
        }
        Ok(())
    }

    /// Opens it once more.
    pub(crate) fn input(&self, pulse: &Pulse) -> Result<Input> {
        self.source.open(pulse)
    }

    /// What is to be read of it, or of a part of it.
    pub(crate) fn feed(
        &self,
        pulse: &Pulse,
        limit: Limit,
        split: Option<&robolog_core::Split>,
    ) -> Result<Feed> {
        let feed = self.limited(self.settings.clone(), pulse, limit)?;
        Ok(if let Some(split) = split { feed.with_split(split.clone()) } else { feed })
    }

    /// The samples of it, or of a part of it.
    pub(crate) fn samples_of(
        &self,
        py: Python<'_>,
        split: Option<&robolog_core::Split>,
        query: Query,
        errors: OnDamage,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Samples> {
        let pulse = Pulse::new(progress, self.source.len());
        let limit = || self.limit(&query, &self.settings, &pulse);
        let pull = py.detach(|| self.feed(&pulse, limit()?, split)?.pull());
        let pull = self.outcome(py, pull, &pulse)?;
        // A channel that is not in a part may be in another.
        let name = self.source.name();
        Ok(Samples::new(pull, pulse, query, errors, name, split.is_some()))
    }

    /// The same, read in another way.
    pub(crate) fn feed_with(&self, settings: Settings, pulse: &Pulse, query: &Query) -> Result<Feed> {
        let limit = self.limit(query, &settings, pulse)?;
        self.limited(settings, pulse, limit)
    }

    fn limited(&self, settings: Settings, pulse: &Pulse, limit: Limit) -> Result<Feed> {
        let feed = Feed::new(self.input(pulse)?).with_format(self.format.as_deref());
        Ok(feed.with_settings(settings).with_limit(limit))
    }

    /// What is wanted of it; times from its start and its end count from those that `settings` give it.
    pub(crate) fn limit(&self, query: &Query, settings: &Settings, pulse: &Pulse) -> Result<Limit> {
        let mut limit = query.limit();
        if !limit.is_relative() {
            return Ok(limit);
        }
        if !limit.needs_end()
            && self.surveyed.get().is_none()
            && let Some(start) = robolog_convert::start(self.input(pulse)?, self.format.as_deref(), settings)?
        {
            limit.begin_at(start);
        } else if let Some((start, end)) = self.span(settings, pulse)? {
            limit.begin_at(start);
            limit.end_at(end);
        }
        Ok(limit)
    }

    /// When it starts and ends, with the times that `settings` give it: found from its first and last records where those
    /// between are in order.
    pub(crate) fn span(&self, settings: &Settings, pulse: &Pulse) -> Result<Option<(Timestamp, Timestamp)>> {
        if self.surveyed.get().is_none()
            && let Some(span) = robolog_convert::span(self.input(pulse)?, self.format.as_deref(), settings)?
        {
            return Ok(Some(span));
        }
        let span = self.survey(pulse)?.summary.span;
        Ok(span.and_then(|(start, end)| settings.moved(start).zip(settings.moved(end))))
    }

    /// What a survey found, if one was made.
    pub(crate) fn known_summary(&self) -> Option<&Summary<serde_json::Value>> {
        self.surveyed.get().map(|surveyed| &surveyed.summary)
    }

    /// Its survey, made once.
    pub(crate) fn survey(&self, pulse: &Pulse) -> Result<&Surveyed> {
        if let Some(surveyed) = self.surveyed.get() {
            return Ok(surveyed);
        }
        let mut tick = |at| drop(pulse.tick(Some(at)));
        let surveyed = robolog_convert::survey(self.input(pulse)?, self.format.as_deref(), &mut tick)?;
        Ok(self.surveyed.get_or_init(|| surveyed))
    }

    fn surveyed(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<&Surveyed> {
        let pulse = Pulse::new(progress, self.source.len());
        let surveyed = py.detach(|| self.survey(&pulse));
        let surveyed = self.outcome(py, surveyed, &pulse)?;
        pulse.done(py)?;
        Ok(surveyed)
    }

    /// What came of work. What Python raised meanwhile counts, be the work done or not: a header is read of what a stream gave
    /// before it was stopped.
    pub(crate) fn outcome<T>(&self, py: Python<'_>, worked: Result<T>, pulse: &Pulse) -> PyResult<T> {
        let done = worked.map_err(|error| raised(py, &error, &self.source.name(), Some(pulse)))?;
        pulse.take().map_or(Ok(done), Err)
    }
}

/// Reads the header and nothing else.
struct HeaderOnly;

impl Visit for HeaderOnly {
    type Output = ();

    fn visit<F: robolog_convert::Source>(self, _: StreamReader<Stream, F>) {}
}

/// Text of JSON as Python's objects: by its own reader, which keeps integers of any size.
fn json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}
