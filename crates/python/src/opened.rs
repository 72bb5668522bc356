//! Reading of a recording: anew each time, its header first, its survey once.

use std::sync::OnceLock;

use pyo3::prelude::*;
use robolog::call::Reading;
use robolog_convert::{
    Error, Feed, Input, Limit, Result, Settings, Surveyed, Visit, journey::survey_with_journey,
    source::Stream,
};
use robolog_core::{StreamReader, Summary, Timestamp};

use crate::{
    error::{OnDamage, raised},
    limit::Query,
    pulse::Pulse,
    samples::Samples,
    source::Source,
};

/// A recording that was opened, and how it is read.
pub(crate) struct Opened {
    pub(crate) source: Source,
    pub(crate) format: Option<String>,
    pub(crate) settings: Settings,
    /// Whether the recording gives the time of its stamp 0, and the origin of its local frames.
    takes: (bool, bool),
    /// Whether it is read as the file says, without options.
    pub(crate) is_plain: bool,
    surveyed: OnceLock<Surveyed>,
}

impl Opened {
    pub(crate) fn new(source: Source, format: Option<String>, how: Reading, is_plain: bool) -> Self {
        let takes = (how.epoch_from_recording, how.origin_from_recording);
        Self { source, format, settings: how.settings, takes, is_plain, surveyed: OnceLock::new() }
    }

    /// Reads the header, so that an invalid file fails immediately, and sets the options that depend on it.
    pub(crate) fn prepare(&mut self, pulse: &Pulse) -> Result<()> {
        let input = self.input(pulse)?;
        if !input.is_dataset() {
            input.visit(self.format.as_deref(), HeaderOnly)?;
        }
        let (takes_epoch, takes_origin) = self.takes;
        if takes_origin {
            let told = |path| robolog_convert::origin(path, self.settings.origin_grid);
            let origin = self.source.path().map(told).transpose()?.flatten().map(|told| told.place);
            let missing =
                || Error::Target("it does not tell its origin: origin=(latitude, longitude)".into());
            self.settings.origin = Some(origin.ok_or_else(missing)?);
        }
        if takes_epoch {
            let epoch = self.survey(pulse)?.summary.epoch;
            let missing = || Error::Target("it does not say when it began: give epoch=".into());
            self.settings.epoch = Some(epoch.ok_or_else(missing)?);
        }
        Ok(())
    }

    /// Opens it again.
    pub(crate) fn input(&self, pulse: &Pulse) -> Result<Input> {
        Ok(self.source.open(pulse)?.with_model(self.settings.model))
    }

    /// The reading for the whole recording or a part.
    pub(crate) fn feed(
        &self,
        pulse: &Pulse,
        limit: Limit,
        split: Option<&robolog_core::Split>,
    ) -> Result<Feed> {
        let feed = self.limited(self.settings.clone(), pulse, limit)?;
        Ok(if let Some(split) = split { feed.with_split(split.clone()) } else { feed })
    }

    /// The samples of the whole recording or a part.
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
        // A channel that a part lacks may be in another.
        let name = self.source.name();
        Ok(Samples::new(pull, pulse, query, errors, name, split.is_some()))
    }

    fn limited(&self, settings: Settings, pulse: &Pulse, limit: Limit) -> Result<Feed> {
        let feed = Feed::new(self.input(pulse)?).with_format(self.format.as_deref());
        Ok(feed.with_settings(settings).with_limit(limit))
    }

    /// The selection from it; times from its start and its end count from those with `settings`.
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

    /// Start and end, with the times under `settings`: from its first and last records if those between are in order.
    pub(crate) fn span(&self, settings: &Settings, pulse: &Pulse) -> Result<Option<(Timestamp, Timestamp)>> {
        if self.surveyed.get().is_none()
            && let Some(span) = robolog_convert::span(self.input(pulse)?, self.format.as_deref(), settings)?
        {
            return Ok(Some(span));
        }
        let span = self.survey(pulse)?.summary.span;
        Ok(span.and_then(|(start, end)| settings.moved(start).zip(settings.moved(end))))
    }

    pub(crate) fn told_span(&self, py: Python<'_>) -> PyResult<Option<(Timestamp, Timestamp)>> {
        let pulse = Pulse::new(None, None);
        let span = py.detach(|| self.span(&self.settings, &pulse));
        self.outcome(py, span, &pulse)
    }

    /// The survey's result, if one was made.
    pub(crate) fn known_summary(&self) -> Option<&Summary<serde_json::Value>> {
        self.surveyed.get().map(|surveyed| &surveyed.summary)
    }

    /// Its survey, made once.
    pub(crate) fn survey(&self, pulse: &Pulse) -> Result<&Surveyed> {
        if let Some(surveyed) = self.surveyed.get() {
            return Ok(surveyed);
        }
        let mut tick = |at| drop(pulse.tick(Some(at)));
        let open = || self.input(pulse);
        let surveyed = survey_with_journey(&open, self.format.as_deref(), false, &mut tick)?;
        Ok(self.surveyed.get_or_init(|| surveyed))
    }

    pub(crate) fn surveyed(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<&Surveyed> {
        let pulse = Pulse::new(progress, self.source.len());
        let surveyed = py.detach(|| self.survey(&pulse));
        let surveyed = self.outcome(py, surveyed, &pulse)?;
        pulse.done(py)?;
        Ok(surveyed)
    }

    /// The result of work. An exception of Python comes first, whether the work is done or not: a header may be read
    /// from what a stream gave before it was stopped.
    pub(crate) fn outcome<T>(&self, py: Python<'_>, worked: Result<T>, pulse: &Pulse) -> PyResult<T> {
        let done = worked.map_err(|error| raised(py, &error, &self.source.name(), Some(pulse)))?;
        pulse.take().map_or(Ok(done), Err)
    }
}

/// Reads only the header.
struct HeaderOnly;

impl Visit for HeaderOnly {
    type Output = ();

    fn visit<F: robolog_convert::Source>(self, _: StreamReader<Stream, F>) {}
}
