//! Samples to batches of a table.

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use robolog_convert::{
    Outcome, Result,
    sink::{
        Wide,
        arrow::{Batches, WideBatches},
    },
};
use robolog_core::{Channel, Sample};

/// Rows of a table.
#[derive(Debug, Clone)]
pub(crate) enum TableRows {
    /// Values, or parts of values: of this kind, or of the recording's only kind.
    Values(Option<String>),
    /// Ticks of a clock.
    Ticks(Wide),
}

/// Makes the batches of a table.
pub(crate) enum Making {
    Values {
        batches: Box<Batches>,
        kind: Option<&'static str>,
        /// The requested kind: others are skipped.
        wanted: Option<String>,
    },
    Ticks(Box<WideBatches>),
}

impl Making {
    pub(crate) fn new(rows: &TableRows, columns: Option<Vec<String>>) -> Self {
        match rows {
            TableRows::Values(wanted) => {
                let batches = Box::new(Batches::default().with_columns(columns));
                Self::Values { batches, kind: None, wanted: wanted.clone() }
            }
            TableRows::Ticks(options) => Self::Ticks(Box::new(WideBatches::new(*options))),
        }
    }

    /// Sets the columns of the rows to come.
    pub(crate) fn expect<'a>(&mut self, channels: impl Iterator<Item = &'a Channel>) {
        if let Self::Values { batches, .. } = self {
            batches.expect(channels);
        }
    }

    /// Examines a sample. Returns whether the columns are known now.
    pub(crate) fn observe(&mut self, sample: &mut Sample) -> Result<bool> {
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

    /// Whether a sample does not fit the table, which continues without it.
    pub(crate) fn passes_over(&self, sample: &Sample) -> bool {
        match self {
            Self::Values { wanted, .. } => {
                wanted.as_ref().is_some_and(|wanted| wanted != sample.value.kind())
            }
            Self::Ticks(_) => false,
        }
    }

    pub(crate) fn schema(&mut self) -> Result<Option<SchemaRef>> {
        match self {
            Self::Values { batches, .. } => Ok(batches.schema()),
            Self::Ticks(batches) => batches.schema(),
        }
    }

    /// Adds a sample; returns false if it does not fit the columns found.
    pub(crate) fn push(&mut self, sample: &mut Sample, name: &str) -> std::result::Result<bool, ArrowError> {
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
                    kind.unwrap_or(""),
                    sample.channel
                )))
            }
            // Nothing that does not fit was requested by name.
            Self::Ticks(batches) => batches.push(sample).map(|_: Outcome| true).map_err(failed),
        }
    }

    pub(crate) fn finish(&mut self) -> Result<()> {
        match self {
            Self::Values { batches, .. } => batches.finish(),
            Self::Ticks(batches) => batches.finish(),
        }
    }

    pub(crate) fn pop(&mut self) -> Option<RecordBatch> {
        match self {
            Self::Values { batches, .. } => batches.pop(),
            Self::Ticks(batches) => batches.pop(),
        }
    }

    pub(crate) fn late(&self) -> u64 {
        if let Self::Ticks(batches) = self { batches.late() } else { 0 }
    }
}

/// An error of the table, for the consumer.
pub(crate) fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ArrowError {
    ArrowError::ExternalError(error.into())
}
