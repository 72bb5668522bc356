//! Tables as Arrow streams, by the interface of capsules that pyarrow, polars, DuckDB, pandas and others take.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader, ffi_stream::FFI_ArrowArrayStream};
use arrow_schema::{ArrowError, SchemaRef, ffi::FFI_ArrowSchema};
use pyo3::{
    prelude::*,
    types::{PyCapsule, PyDict},
};
use robolog_convert::{Pull, sink::arrow::Batches};

use crate::{
    error::{ChannelNotFound, Loss, OnDamage, exception},
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
    pub(crate) kind: Option<String>,
    pub(crate) errors: OnDamage,
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
    /// Finds the columns, and begins again.
    fn open(&self, py: Python<'_>) -> PyResult<Reading> {
        let recording = self.recording.get();
        let name = recording.source.name();
        let pulse = Pulse::new(None, None);
        let opened = py.detach(|| {
            let mut batches = Batches::default();
            let mut kind = None;
            for sample in recording.feed(&pulse, &self.query)?.pull()? {
                let sample = sample?;
                let here = sample.value.kind();
                if self.kind.as_ref().is_some_and(|kind| kind != here) {
                    continue;
                }
                // Of another kind it is told when the rows are read.
                if *kind.get_or_insert(here) == here && batches.observe(&sample) {
                    break;
                }
            }
            let pull = recording.feed(&pulse, &self.query)?.pull()?;
            Ok((batches.schema(), batches, kind, pull))
        });
        let (schema, batches, kind, pull) = opened.map_err(|error| recording.raised(py, &error, &pulse))?;
        let (Some(schema), Some(kind)) = (schema, kind) else {
            self.query.check(py, &name)?;
            let message = "no samples of these channels lie within the limits";
            return Err(exception::<ChannelNotFound>(py, &name, message, None, None));
        };
        let (wanted, errors) = (self.kind.is_some(), self.errors);
        Ok(Reading { pull, batches, schema, kind, wanted, errors, pulse, name, is_over: false })
    }
}

/// A table that is being read.
struct Reading {
    pull: Pull,
    batches: Batches,
    schema: SchemaRef,
    kind: &'static str,
    /// The kind was asked for: others are passed over.
    wanted: bool,
    errors: OnDamage,
    pulse: Pulse,
    name: String,
    is_over: bool,
}

impl Reading {
    fn step(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        loop {
            if let Some(batch) = self.batches.pop() {
                return Ok(Some(batch));
            }
            if self.is_over {
                return Ok(None);
            }
            let Some(sample) = self.pull.next() else {
                self.is_over = true;
                self.batches.finish().map_err(failed)?;
                Python::attach(|py| self.end(py)).map_err(failed)?;
                continue;
            };
            let sample = sample.map_err(|error| match self.pulse.take() {
                Some(raised) => failed(raised),
                None => failed(error),
            })?;
            let here = sample.value.kind();
            if here == self.kind {
                if !self.batches.push(&sample).map_err(failed)? {
                    return Err(failed(
                        "a row does not fit: the recording changed while it was read".to_owned(),
                    ));
                }
            } else if !self.wanted {
                let Self { kind, name, .. } = self;
                return Err(failed(format!(
                    "{name}: the channels hold {kind} and, in {}, {here}: a table holds one kind, choose with kind=",
                    sample.channel
                )));
            }
        }
    }

    fn end(&self, py: Python<'_>) -> PyResult<()> {
        self.errors.tell(py, &self.name, self.pull.report().and_then(Loss::of))
    }
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
