//! Events, found while the samples pass.

use robolog_convert::{Outcome, Result, Settings, Sink, Surveyed};
use robolog_core::{Sample, Value};
use robolog_events::{Event, Finder, Thresholds, context, of_survey};

use crate::collect::Collector;

/// Shows each sample to the collector and to the detectors.
pub(crate) struct Watched {
    pub(crate) collector: Collector,
    finder: Finder,
}

impl Watched {
    pub(crate) fn new(collector: Collector, surveyed: &Surveyed, settings: &Settings) -> Self {
        let context = context(surveyed.format, &surveyed.summary.details, settings);
        Self { collector, finder: Finder::new(context, &Thresholds::default()) }
    }

    /// The collector, and the events in order of time.
    pub(crate) fn finish(self, surveyed: &Surveyed) -> (Collector, Vec<Event>) {
        (self.collector, of_survey(surveyed, self.finder.finish()))
    }
}

impl Sink for Watched {
    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.finder.write(sample)?;
        // Only the finder needs moments without a fix.
        if matches!(&sample.value, Value::GnssFix(fix) if fix.latitude.is_nan()) {
            return Ok(Outcome::Written);
        }
        self.collector.write(sample)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
