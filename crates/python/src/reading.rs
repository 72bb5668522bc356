//! A table that is being read, batch by batch.

use std::{ops::Range, sync::Arc};

use arrow_array::{BooleanArray, RecordBatch, RecordBatchReader, cast::AsArray as _, types::Int64Type};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::filter::filter_record_batch;
use pyo3::{exceptions::PyKeyboardInterrupt, prelude::*};
use robolog_convert::{Note, Pull};
use robolog_core::Sample;

use crate::{
    error::{Loss, OnDamage},
    making::{Making, failed},
    pulse::Pulse,
};

/// The column with the time of a row.
pub(crate) const TIME_NS: &str = "time_ns";

/// A table that is being read.
pub(crate) struct Reading {
    /// Samples already read.
    pub(crate) first: Option<Sample>,
    pub(crate) pull: Pull,
    pub(crate) making: Making,
    pub(crate) schema: SchemaRef,
    /// Indices of the selected columns, unless all are selected.
    pub(crate) order: Option<Vec<usize>>,
    /// Times of the kept rows; `None` keeps all.
    pub(crate) times: Option<Range<i64>>,
    pub(crate) errors: OnDamage,
    pub(crate) pulse: Pulse,
    pub(crate) name: String,
    pub(crate) is_over: bool,
}

impl Reading {
    fn step(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        loop {
            if let Some(batch) = self.making.pop() {
                let batch = self.kept(batch)?;
                if batch.num_rows() == 0 {
                    continue;
                }
                return Ok(Some(match &self.order {
                    Some(order) => batch.project(order)?,
                    None => batch,
                }));
            }
            if self.is_over {
                return Ok(None);
            }
            if let Err(error) = self.pulse.tick(None) {
                return Err(self.stopped().unwrap_or_else(|| failed(error)));
            }
            let Some(sample) = self.first.take().map(Ok).or_else(|| self.pull.next()) else {
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

    /// An exception raised by Python. An Arrow stream passes on only its text, in an `Exception` of the consumer;
    /// Ctrl-C, which is not an `Exception`, is raised again in the main thread.
    fn stopped(&self) -> Option<ArrowError> {
        let raised = self.pulse.take()?;
        // Its text first: asking Python for it later would receive the interrupt and drop it.
        let text = raised.to_string();
        Python::attach(|py| {
            if raised.is_instance_of::<PyKeyboardInterrupt>(py) {
                let again = py.import("_thread").and_then(|thread| thread.call_method0("interrupt_main"));
                // If that fails, its text is still an error.
                let _ = again;
            }
        });
        Some(failed(text))
    }

    /// The rows within the times.
    fn kept(&self, batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
        let times = batch.column_by_name(TIME_NS).and_then(|column| column.as_primitive_opt::<Int64Type>());
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

/// Reading failed: an input error for the consumer, unlike an error in the table.
fn unread(error: &robolog_convert::Error) -> ArrowError {
    ArrowError::IoError(error.to_string(), std::io::Error::other(error.to_string()))
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
