//! Tables as Arrow streams, by the interface of capsules that pyarrow, polars, DuckDB, pandas and others take.

use std::{ops::Range, sync::Arc};

use arrow_array::{
    BooleanArray, RecordBatch, RecordBatchReader, cast::AsArray as _, ffi_stream::FFI_ArrowArrayStream,
    types::Int64Type,
};
use arrow_schema::{ArrowError, SchemaRef, ffi::FFI_ArrowSchema};
use arrow_select::filter::filter_record_batch;
use pyo3::{
    exceptions::PyKeyboardInterrupt,
    prelude::*,
    types::{PyCapsule, PyDict},
};
use robolog_convert::{
    Limit, Note, Outcome, Pull, Result as ConvertResult,
    sink::{
        Wide,
        arrow::{Batches, WideBatches},
    },
};
use robolog_core::{Channel, Sample};

use crate::{
    error::{ChannelNotFound, Loss, OnDamage, exception, no_channel},
    limit::Query,
    pulse::Pulse,
    recording::Recording,
};

/// The samples of channels as one table, which libraries of tables take as it is. Each that takes it reads the recording
/// anew, batch by batch.
#[pyclass(frozen, module = "pyrobolog")]
pub(crate) struct Table {
    pub(crate) recording: Py<Recording>,
    pub(crate) query: Query,
    pub(crate) rows: Rows,
    /// The part of the recording; `None` is all of it.
    pub(crate) split: Option<robolog_core::Split>,
    pub(crate) errors: OnDamage,
}

/// What a row of a table is.
#[derive(Debug, Clone)]
pub(crate) enum Rows {
    /// A value, or one of many in a value: those of this kind, or those of the one kind that there is.
    Values(Option<String>),
    /// A tick of a clock.
    Ticks(Wide),
}

#[pymethods]
impl Table {
    /// The table as a stream of record batches, in a capsule of Arrow's.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Whoever takes the stream casts what it wants otherwise; the interface allows that.
        drop(requested_schema);
        let batches = self.open(py)?;
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    /// The columns of the table, in a capsule of Arrow's.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = self.open(py)?.schema;
        let schema = FFI_ArrowSchema::try_from(&*schema);
        let schema = schema.map_err(|e| pyo3::exceptions::PyValueError::new_err(e.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The names of its columns.
    #[getter]
    fn columns(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.open(py)?.schema.fields().iter().map(|field| field.name().clone()).collect())
    }

    fn __repr__(&self) -> String {
        let what = match (&self.rows, &self.split) {
            (Rows::Ticks(_), _) => "wide table of",
            (Rows::Values(_), Some(_)) => "table of a part of",
            (Rows::Values(_), None) => "table of",
        };
        format!("<Table: {what} {:?}, channels {}>", self.recording.get().source.name(), self.query)
    }

    /// The units of its columns, of those that have one.
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
    /// Looks at samples until the columns are known, and answers whether the last was met before that.
    fn observed(&self, mut samples: Pull) -> ConvertResult<(Making, Met)> {
        let mut making = Making::new(&self.rows);
        // The parts of a recording are to have their columns in one order, which only the whole shows.
        if let (None, Some(summary)) = (&self.split, self.recording.get().known_summary()) {
            let wanted = |channel: &&Channel| channel.kind == "row" && self.query.wants(&channel.name);
            making.expect(summary.channels.iter().filter(wanted));
        }
        for sample in samples.by_ref() {
            if making.observe(&mut sample?)? {
                return Ok((making, Met::Enough));
            }
        }
        let ended_early = samples.report().is_some_and(|report| report.ended_early);
        Ok((making, if ended_early { Met::Part } else { Met::All }))
    }

    /// Finds the columns, and begins again.
    fn open(&self, py: Python<'_>) -> PyResult<Reading> {
        let recording = self.recording.get();
        let name = recording.source.name();
        let pulse = Pulse::new(None, None);
        let opened = py.detach(|| {
            let split = self.split.as_ref();
            let (limit, times) = self.limit(&pulse)?;
            let pull = |limit: &Limit, split| recording.feed(&pulse, limit.clone(), split)?.pull();
            let (mut making, met) = self.observed(pull(&limit, split)?)?;
            if split.is_some() && met != Met::Enough && making.schema()?.is_some() {
                // Another part may show more columns, and is to have the same.
                (making, _) = self.observed(pull(&limit, None)?)?;
            }
            if making.schema()?.is_none() && limit.bounds() != (None, None) {
                // No row is no error: the columns are those of other times.
                (making, _) = self.observed(pull(&limit.clone().of_all_times(), None)?)?;
            }
            Ok((making.schema()?, making, pull(&limit, split)?, met, times))
        });
        let (schema, making, pull, met, times) = recording.outcome(py, opened, &pulse)?;
        let Some(schema) = schema else {
            if self.split.is_none() && met == Met::All {
                self.query.check().map_err(|missing| no_channel(py, &name, &missing))?;
            }
            let message = match self.rows {
                Rows::Values(_) => "these channels hold no samples",
                Rows::Ticks(_) => {
                    "no samples have a place in a wide table, which takes values with a time and few fields"
                }
            };
            return Err(exception::<ChannelNotFound>(py, &name, message, None, None));
        };
        Ok(Reading { pull, making, schema, times, errors: self.errors, pulse, name, is_over: false })
    }

    /// What is read, and the times of the rows that are kept of it: a cloud that is stamped before the first of them may
    /// hold points behind it.
    fn limit(&self, pulse: &Pulse) -> ConvertResult<(Limit, Option<Range<i64>>)> {
        let recording = self.recording.get();
        let limit = recording.limit(&self.query, &recording.settings, pulse)?;
        if matches!(self.rows, Rows::Ticks(_)) || limit.bounds() == (None, None) {
            return Ok((limit, None));
        }
        let times = limit.range();
        Ok((limit.by_points(), Some(times)))
    }
}

/// How much of a recording was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    All,
    /// The part around the time that is wanted.
    Part,
    /// As much as shows the columns.
    Enough,
}

/// Makes the batches of a table.
enum Making {
    Values {
        batches: Box<Batches>,
        kind: Option<&'static str>,
        /// The kind that was asked for: others are passed over.
        wanted: Option<String>,
    },
    Ticks(Box<WideBatches>),
}

impl Making {
    fn new(rows: &Rows) -> Self {
        match rows {
            Rows::Values(wanted) => {
                Self::Values { batches: Box::default(), kind: None, wanted: wanted.clone() }
            }
            Rows::Ticks(options) => Self::Ticks(Box::new(WideBatches::new(*options))),
        }
    }

    /// Says whose rows are to come.
    fn expect<'a>(&mut self, channels: impl Iterator<Item = &'a Channel>) {
        if let Self::Values { batches, .. } = self {
            batches.expect(channels);
        }
    }

    /// Looks at a sample. Answers whether the columns are known now.
    fn observe(&mut self, sample: &mut Sample) -> ConvertResult<bool> {
        match self {
            Self::Values { batches, kind, wanted } => {
                let here = sample.value.kind();
                if wanted.as_ref().is_some_and(|wanted| wanted != here) {
                    return Ok(false);
                }
                // Another kind is an error when the rows are read.
                Ok(*kind.get_or_insert(here) == here && batches.observe(sample))
            }
            Self::Ticks(batches) => batches.observe(sample).map(|_| false),
        }
    }

    fn schema(&mut self) -> ConvertResult<Option<SchemaRef>> {
        match self {
            Self::Values { batches, .. } => Ok(batches.schema()),
            Self::Ticks(batches) => batches.schema(),
        }
    }

    /// Takes a sample; false where it does not fit the columns that were found.
    fn push(&mut self, sample: &mut Sample, name: &str) -> Result<bool, ArrowError> {
        match self {
            Self::Values { batches, kind, wanted } => {
                let here = sample.value.kind();
                if Some(here) == *kind {
                    return batches.push(sample).map_err(failed);
                }
                if wanted.is_some() {
                    return Ok(true);
                }
                Err(failed(format!(
                    "{name}: the channels hold {} and, in {}, {here}: a table holds one kind, choose with kind=",
                    kind.unwrap_or_default(),
                    sample.channel
                )))
            }
            // What it has no place for was asked for by no name.
            Self::Ticks(batches) => batches.push(sample).map(|_: Outcome| true).map_err(failed),
        }
    }

    fn finish(&mut self) -> ConvertResult<()> {
        match self {
            Self::Values { batches, .. } => batches.finish(),
            Self::Ticks(batches) => batches.finish(),
        }
    }

    fn pop(&mut self) -> Option<RecordBatch> {
        match self {
            Self::Values { batches, .. } => batches.pop(),
            Self::Ticks(batches) => batches.pop(),
        }
    }

    fn late(&self) -> u64 {
        if let Self::Ticks(batches) = self { batches.late() } else { 0 }
    }
}

/// A table that is being read.
struct Reading {
    pull: Pull,
    making: Making,
    schema: SchemaRef,
    /// Of the rows that are kept; `None` keeps all.
    times: Option<Range<i64>>,
    errors: OnDamage,
    pulse: Pulse,
    name: String,
    is_over: bool,
}

impl Reading {
    fn step(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        loop {
            if let Some(batch) = self.making.pop() {
                let batch = self.kept(batch)?;
                if batch.num_rows() == 0 {
                    continue;
                }
                return Ok(Some(batch));
            }
            if self.is_over {
                return Ok(None);
            }
            if let Err(error) = self.pulse.tick(None) {
                return Err(self.stopped().unwrap_or_else(|| failed(error)));
            }
            let Some(sample) = self.pull.next() else {
                self.is_over = true;
                self.making.finish().map_err(failed)?;
                Python::attach(|py| self.end(py)).map_err(failed)?;
                continue;
            };
            let mut sample = sample.map_err(|error| self.stopped().unwrap_or_else(|| unread(&error)))?;
            if !self.making.push(&mut sample, &self.name)? {
                return Err(failed("a row does not fit: the recording changed while it was read".to_owned()));
            }
        }
    }

    /// What Python raised meanwhile. A stream of Arrow's hands on nothing but its text, in an `Exception` of whoever takes
    /// the stream: Ctrl-C, which is none, is raised again in the main thread.
    fn stopped(&self) -> Option<ArrowError> {
        let raised = self.pulse.take()?;
        // Its text comes first: to ask Python for it afterwards would meet the interrupt, and drop it.
        let text = raised.to_string();
        Python::attach(|py| {
            if raised.is_instance_of::<PyKeyboardInterrupt>(py) {
                let again = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
                // Where that fails, its text is still an error.
                let _ = again;
            }
        });
        Some(failed(text))
    }

    /// The rows within the times.
    fn kept(&self, batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
        let times = batch.columns().first().and_then(|column| column.as_primitive_opt::<Int64Type>());
        let Some((wanted, times)) = self.times.as_ref().zip(times) else { return Ok(batch) };
        let is_kept: BooleanArray =
            times.iter().map(|time| Some(time.is_some_and(|time| wanted.contains(&time)))).collect();
        if is_kept.true_count() == batch.num_rows() {
            return Ok(batch);
        }
        filter_record_batch(&batch, &is_kept)
    }

    fn end(&self, py: Python<'_>) -> PyResult<()> {
        let late = match self.making.late() {
            0 => None,
            samples => Some(Note::Late { samples }),
        };
        self.errors.tell(py, &self.name, self.pull.report().and_then(|report| Loss::with(report, late)))
    }
}

/// The file cannot be read on: for who takes the stream an error of input, where what is wrong with the table is none.
fn unread(error: &robolog_convert::Error) -> ArrowError {
    ArrowError::IoError(error.to_string(), std::io::Error::other(error.to_string()))
}

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ArrowError {
    ArrowError::ExternalError(error.into())
}

impl Iterator for Reading {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.step().transpose();
        self.is_over |= matches!(next, Some(Err(_)));
        next
    }
}

impl RecordBatchReader for Reading {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
