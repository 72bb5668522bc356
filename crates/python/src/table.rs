//! Tables as Arrow streams, through the capsule interface that pyarrow, polars, DuckDB, pandas and others take.

use std::{ops::Range, sync::Arc};

use arrow_schema::{SchemaRef, ffi::FFI_ArrowSchema};
use pyo3::{
    exceptions::{PyImportError, PyKeyError, PyValueError},
    prelude::*,
    types::{PyCapsule, PyDict},
};
use robolog_convert::{Limit, Pull, Result as ConvertResult, nearest};
use robolog_core::{Channel, Sample, Value, slices::InRange as _};

use crate::{
    batch,
    error::{OnDamage, missing_channel, no_channel, of_arrow},
    limit::{Choice, Query},
    making::{Making, TableRows},
    opened::Opened,
    pulse::Pulse,
    reading::{Reading, TIME_NS},
};

/// A table library, or an error with advice if it is not installed.
fn engine<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(name).map_err(|error| {
        let wanted = PyImportError::new_err(format!("{name} is not installed: pip install {name}"));
        wanted.set_cause(py, Some(error));
        wanted
    })
}

/// The samples of channels as one table, which table libraries take directly. Each reads the recording anew, batch by
/// batch.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct Table {
    pub(crate) opened: Arc<Opened>,
    pub(crate) query: Query,
    pub(crate) rows: TableRows,
    /// Names and order of its columns; `None` for all.
    pub(crate) columns: Option<Vec<String>>,
    /// Whether some of these may be missing: rows have columns of their own.
    pub(crate) may_lack: bool,
    /// The part of the recording; `None` for all of it.
    pub(crate) split: Option<robolog_core::Split>,
    pub(crate) errors: OnDamage,
    /// Its pickled form.
    pub(crate) made: Made,
}

/// Origin of a table: a method of a recording or a split, and its arguments.
pub(crate) struct Made {
    pub(crate) of: Py<PyAny>,
    pub(crate) method: &'static str,
    pub(crate) keywords: Py<PyDict>,
}

impl Made {
    fn again(&self, py: Python<'_>) -> Self {
        Self { of: self.of.clone_ref(py), method: self.method, keywords: self.keywords.clone_ref(py) }
    }
}

#[pymethods]
impl Table {
    /// The table as a stream of record batches, in an Arrow capsule.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The consumer casts to the requested schema itself; the interface allows that.
        drop(requested_schema);
        batch::stream(py, self.open(py)?)
    }

    /// The columns of the table, in an Arrow capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = self.open(py)?.schema;
        let schema = FFI_ArrowSchema::try_from(&*schema);
        let schema = schema.map_err(|e| PyValueError::new_err(e.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The names of its columns.
    #[getter]
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.open(py)?.schema.fields().iter().map(|field| field.name().clone()).collect())
    }

    /// Its rows, batch by batch: each a Batch, which table libraries take directly.
    fn __iter__(&self, py: Python<'_>) -> PyResult<batch::Batches> {
        Ok(batch::Batches::new(self.open(py)?))
    }

    /// Number of its rows. Without limits of time and options a survey counts them, except rows, numbers, texts and
    /// satellites, which are read.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        if let Some(rows) = self.counted(py)? {
            return Ok(rows);
        }
        let columns =
            matches!(self.rows, TableRows::Values(_)).then(Vec::new).or_else(|| self.columns.clone());
        let mut reading = self.with_columns(py, columns).open(py)?;
        py.detach(|| reading.try_fold(0_usize, |rows, batch| batch.map(|batch| rows.plus(batch.num_rows()))))
            .map_err(|error| of_arrow(py, &self.opened.source.name(), &error))
    }

    /// Its columns as a pyarrow.Schema.
    #[getter]
    fn schema<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        engine(slf.py(), "pyarrow")?.call_method1("schema", (slf,))
    }

    /// Its rows as a pyarrow.Table.
    fn to_arrow<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        engine(slf.py(), "pyarrow")?.call_method1("table", (slf.get().whole(slf.py())?,))
    }

    /// Its rows as a polars.DataFrame.
    fn to_polars<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        engine(slf.py(), "polars")?.call_method1("DataFrame", (slf.get().whole(slf.py())?,))
    }

    /// Its rows as a pandas.DataFrame.
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        engine(slf.py(), "pandas")?;
        Self::to_arrow(slf)?.call_method0("to_pandas")
    }

    /// Its columns and first rows, for notebooks.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyrobolog._html")?.call_method1("table", (slf,))
    }

    /// Number of rows by a survey; None if they must be read: a survey ignores options and limits.
    #[pyo3(name = "_counted")]
    fn counted(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        let recording = &self.opened;
        let TableRows::Values(kind) = &self.rows else { return Ok(None) };
        let is_whole = self.split.is_none() && self.query.limit().bounds() == (None, None);
        if !is_whole || !recording.is_plain || kind.as_deref().is_some_and(|kind| row_count(kind).is_none()) {
            return Ok(None);
        }
        let summary = &recording.surveyed(py, None)?.summary;
        let is_wanted = |channel: &&Channel| {
            kind.as_ref().is_none_or(|kind| kind == channel.kind) && self.query.wants(&channel.name)
        };
        let mut wanted = summary.channels.iter().filter(is_wanted).peekable();
        if wanted.peek().is_none() || !summary.complete {
            return Ok(None);
        }
        let rows =
            wanted.map(|channel| row_count(channel.kind).map(|rows| rows(channel))).sum::<Option<u64>>();
        Ok(rows.and_then(|rows| usize::try_from(rows).ok()))
    }

    /// The same with those of these columns that exist.
    fn _having(&self, py: Python<'_>, columns: Vec<String>) -> Self {
        Self { may_lack: true, ..self.with_columns(py, Some(columns)) }
    }

    /// Pickled as its request: it is read when unpickled.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<PyAny>,))> {
        let Made { of, method, keywords } = self.made.again(py);
        let caller = py.import("operator")?.getattr("methodcaller")?;
        Ok((caller.call((method,), Some(keywords.bind(py)))?, (of,)))
    }

    fn __repr__(&self) -> String {
        let what = match (&self.rows, &self.split) {
            (TableRows::Ticks(_), _) => "wide table of",
            (TableRows::Values(_), Some(_)) => "table of a part of",
            (TableRows::Values(_), None) => "table of",
        };
        format!("<Table: {what} {:?}, channels {}>", self.opened.source.name(), self.query)
    }

    /// The units of its columns, if they have one.
    #[getter]
    fn units<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let units = PyDict::new(py);
        for field in self.open(py)?.schema.fields() {
            if let Some(unit) = field.metadata().get("unit") {
                units.set_item(field.name(), unit)?;
            }
        }
        Ok(units)
    }
}

impl Table {
    /// The table for the method `table` of a recording or a split.
    pub(crate) fn of(
        of: &Bound<'_, PyAny>,
        (opened, split): (Arc<Opened>, Option<robolog_core::Split>),
        choice: Choice<'_>,
        kind: Option<String>,
        columns: Option<Vec<String>>,
        errors: &str,
    ) -> PyResult<Self> {
        let errors = OnDamage::from_name(errors)?;
        // Channels of what nobody can decode have kinds of their own.
        let of_channels = opened.known_summary().into_iter().flat_map(|summary| &summary.channels);
        let kinds: Vec<_> = of_channels.map(|channel| channel.kind).chain(Value::KINDS).collect();
        if let Some(kind) = kind.as_deref().filter(|kind| !kinds.contains(kind)) {
            return Err(no_kind(kind));
        }
        let keywords = choice.keywords(of.py(), errors)?;
        keywords.set_item("kind", &kind)?;
        keywords.set_item("columns", &columns)?;
        let made = Made { of: of.clone().unbind(), method: "table", keywords: keywords.unbind() };
        let (query, rows) = (choice.query()?, TableRows::Values(kind));
        Ok(Self { opened, query, rows, columns, may_lack: false, split, errors, made })
    }

    /// Raises an error if it has no channel: it is read until its columns are known.
    pub(crate) fn checked(self, py: Python<'_>) -> PyResult<Self> {
        self.open(py).map(|_| self)
    }

    fn with_columns(&self, py: Python<'_>, columns: Option<Vec<String>>) -> Self {
        let (opened, split) = (Arc::clone(&self.opened), self.split.clone());
        let (query, rows, made) = (self.query.clone(), self.rows.clone(), self.made.again(py));
        Self { opened, query, rows, columns, may_lack: self.may_lack, split, errors: self.errors, made }
    }

    /// All its rows in memory. Libraries call a stream without the interpreter's lock: called through a method of this
    /// package, which holds it, the reader would take the lock for held.
    fn whole(&self, py: Python<'_>) -> PyResult<batch::Whole> {
        let mut reading = self.open(py)?;
        let schema = Arc::clone(&reading.schema);
        let batches = py.detach(|| reading.by_ref().collect::<Result<Vec<_>, _>>());
        let batches = batches.map_err(|error| of_arrow(py, &reading.name, &error))?;
        Ok(batch::Whole { schema, batches })
    }

    /// Reads samples until the columns are known. Returns how far it read, and the first sample with a row and those
    /// after it, if no row came before.
    fn observed(&self, mut samples: Pull, is_by_time: bool) -> ConvertResult<(Making, Search, Option<Rest>)> {
        let mut kept = self.columns.clone();
        // Their times show which rows are selected.
        if let Some(kept) = kept.as_mut().filter(|_| is_by_time) {
            kept.push(TIME_NS.to_owned());
        }
        let mut making = Making::new(&self.rows, kept);
        // The parts of a recording need their columns in one order, which only the whole shows.
        if let (None, Some(summary)) = (&self.split, self.opened.known_summary()) {
            let wanted = |channel: &&Channel| channel.kind == "row" && self.query.wants(&channel.name);
            making.expect(summary.channels.iter().filter(wanted));
        }
        let mut is_first = true;
        while let Some(sample) = samples.next() {
            let mut sample = sample?;
            if making.observe(&mut sample)? {
                return Ok((making, Search::Enough, is_first.then_some((sample, samples))));
            }
            is_first &= making.passes_over(&sample);
        }
        let ended_early = samples.report().is_some_and(|report| report.ended_early);
        Ok((making, if ended_early { Search::Part } else { Search::All }, None))
    }

    /// Finds the columns, and starts again if that passed rows.
    fn open(&self, py: Python<'_>) -> PyResult<Reading> {
        let recording = &self.opened;
        let name = recording.source.name();
        let pulse = Pulse::new(None, None);
        let opened = py.detach(|| {
            let split = self.split.as_ref();
            let (limit, times) = self.limit(&pulse)?;
            let pull = |limit: &Limit, split| recording.feed(&pulse, limit.clone(), split)?.pull();
            let (mut making, search, rest) = self.observed(pull(&limit, split)?, times.is_some())?;
            if split.is_some() && search != Search::Enough && making.schema()?.is_some() {
                // Another part may have more columns, and all parts need the same.
                (making, ..) = self.observed(pull(&limit, None)?, times.is_some())?;
            }
            if making.schema()?.is_none() && limit.bounds() != (None, None) {
                // It is no error to have no rows: the columns are those of other times.
                (making, ..) = self.observed(pull(&limit.clone().of_all_times(), None)?, times.is_some())?;
            }
            let (first, pull) = match rest {
                Some((first, pull)) => (Some(first), pull),
                None => (None, pull(&limit, split)?),
            };
            Ok((making.schema()?, making, first, pull, search, times))
        });
        let (schema, making, first, pull, search, times) = recording.outcome(py, opened, &pulse)?;
        let Some(schema) = schema else {
            if self.split.is_none() && search == Search::All {
                self.query.check().map_err(|missing| no_channel(py, &name, &missing))?;
            }
            let message = match self.rows {
                TableRows::Values(_) => "these channels hold no samples",
                TableRows::Ticks(_) => {
                    "no samples have a place in a wide table, which takes values with a time and few fields"
                }
            };
            return Err(missing_channel(py, &name, message, None));
        };
        let order = self.columns.as_deref().map(|names| order(names, &schema, self.may_lack)).transpose()?;
        let schema = match &order {
            Some(order) => Arc::new(schema.project(order).map_err(|e| PyValueError::new_err(e.to_string()))?),
            None => schema,
        };
        let errors = self.errors;
        Ok(Reading { first, pull, making, schema, order, times, errors, pulse, name, is_over: false })
    }

    /// The reading, and the times of the kept rows: a cloud with an earlier stamp may have points after the first of
    /// them.
    fn limit(&self, pulse: &Pulse) -> ConvertResult<(Limit, Option<Range<i64>>)> {
        let recording = &self.opened;
        let limit = recording.limit(&self.query, &recording.settings, pulse)?;
        if matches!(self.rows, TableRows::Ticks(_)) || limit.bounds() == (None, None) {
            return Ok((limit, None));
        }
        let times = limit.range();
        Ok((limit.by_points(), Some(times)))
    }
}

/// There is no kind of this name.
fn no_kind(kind: &str) -> PyErr {
    let advice = match nearest(kind, Value::KINDS) {
        Some(near) => format!("did you mean {near:?}?"),
        None => format!("there are {}", Value::KINDS.join(", ")),
    };
    PyValueError::new_err(format!("kind={kind:?}: there is no such kind; {advice}"))
}

/// How a survey counts the rows of a kind; `None` if it does not: a variable may hold numbers and text, and satellites
/// are counted differently.
fn row_count(kind: &str) -> Option<fn(&Channel) -> u64> {
    match kind {
        "point_cloud" => Some(|channel| channel.values),
        "gnss_fix" | "image" | "imu" | "laser_scan" | "odometry" | "pose" | "transform" => {
            Some(|channel| channel.records)
        }
        _ => None,
    }
}

/// The first sample with a row, and the samples after it.
type Rest = (Sample, Pull);

/// Extent of a search for the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Search {
    All,
    /// The part around the selected time.
    Part,
    /// Until the columns are known.
    Enough,
}

/// Indices of the columns with these names, without missing ones.
fn order(names: &[String], schema: &SchemaRef, may_lack: bool) -> PyResult<Vec<usize>> {
    let place = |name: &String| match schema.index_of(name) {
        Err(_) if may_lack => None,
        found => Some(found.map_err(|_| PyKeyError::new_err(format!("the table has no column {name:?}")))),
    };
    names.iter().filter_map(place).collect()
}
