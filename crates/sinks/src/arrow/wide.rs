//! A wide table as record batches in memory.

use std::fmt;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use robolog_core::Sample;

use super::Batches;
use crate::{Outcome, Result, Sink, Wide as Options, wide::Wide};

/// Builds the record batches of a wide table, as set by [`TableOptions::wide`](crate::TableOptions): one row per clock
/// tick, one column per channel and field.
///
/// Later samples may add columns, so samples are passed twice: all of them to [`observe`](Self::observe), then the same
/// ones to [`push`](Self::push).
///
/// ```
/// use robolog_sinks::{Wide, arrow::WideBatches};
/// use robolog_core::{Clock, Sample, Timestamp, Value};
/// let samples = [(0, 1.5), (200_000_000, 2.5)].map(|(nanos, value)| {
///     Sample::new("NAV_X", Value::Scalar(value)).with_time(Timestamp::new(nanos, Clock::Relative))
/// });
/// let mut batches = WideBatches::new(Wide::new("10".parse()?));
/// for sample in &samples {
///     batches.observe(&mut sample.clone())?;
/// }
/// let schema = batches.schema()?.ok_or("no rows")?;
/// assert_eq!(schema.fields().iter().map(|field| field.name().as_str()).collect::<Vec<_>>(), ["time_ns", "time", "NAV_X"]);
/// for sample in &samples {
///     batches.push(&mut sample.clone())?;
/// }
/// batches.finish()?;
/// assert_eq!(batches.pop().map(|batch| batch.num_rows()), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WideBatches {
    options: Options,
    wide: Wide<WideRows>,
}

/// Receives the rows: observes them in the first pass, keeps them in the second.
struct WideRows {
    batches: Batches,
    schema: Option<SchemaRef>,
    is_known: bool,
}

impl WideBatches {
    /// Creates an empty table.
    pub fn new(options: Options) -> Self {
        let rows = WideRows { batches: Batches::without_channel(), schema: None, is_known: false };
        Self { options, wide: Wide::around(Box::new(rows), options) }
    }

    /// Observes a sample. Returns whether the table can hold it: flat values with a time.
    pub fn observe(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.wide.write(sample)
    }

    /// Returns the columns once all samples were observed; `None` if there is no row. Samples may then be pushed.
    pub fn schema(&mut self) -> Result<Option<SchemaRef>> {
        if !self.wide.rows().is_known {
            self.wide.flush()?;
            let mut batches = std::mem::take(&mut self.wide.rows().batches);
            let rows = WideRows { schema: batches.schema(), batches, is_known: true };
            self.wide = Wide::around(Box::new(rows), self.options);
        }
        Ok(self.wide.rows().schema.clone())
    }

    /// Adds a sample. Returns an error if it was not observed and adds a column.
    pub fn push(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.schema()?;
        self.wide.write(sample)
    }

    /// Makes the remaining rows and their batch.
    pub fn finish(&mut self) -> Result<()> {
        self.schema()?;
        self.wide.flush()?;
        self.wide.rows().batches.finish()
    }

    /// Returns the next complete batch.
    pub fn pop(&mut self) -> Option<RecordBatch> {
        self.wide.rows().batches.pop()
    }

    /// Number of samples missing in rows because they came too late.
    pub fn late(&self) -> u64 {
        self.wide.late
    }
}

impl Sink for WideRows {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        if !self.is_known {
            self.batches.observe(sample);
            return Ok(Outcome::Written);
        }
        Ok(if self.batches.push(sample)? { Outcome::Written } else { Outcome::LeftOut })
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

impl fmt::Debug for WideBatches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WideBatches").field("options", &self.options).finish_non_exhaustive()
    }
}
