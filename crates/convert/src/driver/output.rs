//! Applies the steps of a plan and writes to the sink.

use robolog_core::{Sample, Timestamp};

use crate::{Plan, Result, Sink, batch::Batch, report::Counts};

/// The steps of a plan and the sink after them.
pub(super) struct Output<'a> {
    pub(super) plan: Plan,
    pub(super) sink: &'a mut dyn Sink,
    pub(super) progress: &'a mut dyn FnMut(u64),
    pub(super) counts: Counts,
    /// The start that the sink was told last.
    pub(super) begun: Option<Timestamp>,
}

impl Output<'_> {
    /// Takes the recording of a batch, if it is its first.
    pub(super) fn begin(&mut self, batch: &mut Batch) -> Result<()> {
        batch.origin.take().map_or(Ok(()), |origin| self.sink.origin(&origin))
    }

    /// Applies the steps to a sample and writes it; `start` is the start of the recordings, as far as known.
    pub(super) fn write(&mut self, sample: &mut Sample, start: Option<Timestamp>) -> Result<()> {
        if !self.plan.apply(sample)? {
            return Ok(());
        }
        if let Some(start) = start
            && self.begun != Some(start)
        {
            self.begun = Some(start);
            self.sink.begin_at(start);
        }
        if self.plan.has_steps() {
            self.sink.pose(self.plan.pose());
        }
        let took = self.sink.write(sample)?;
        self.counts.add(took, &sample.value);
        Ok(())
    }

    /// Writes all samples of the only recording's batch.
    pub(super) fn write_all(&mut self, batch: &mut Batch) -> Result<()> {
        self.begin(batch)?;
        batch.each(|sample, start| self.write(sample, start))?;
        (self.progress)(batch.position);
        Ok(())
    }
}
