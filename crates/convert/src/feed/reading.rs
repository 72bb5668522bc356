//! How the samples of a recording become those that are wanted.

use std::mem;

use robolog_core::{Sample, Split, StreamReader, Timestamp, Value};

use super::{
    Reach, Steps,
    given::Given,
    names::Names,
    recording::Recording,
    split::{self, Parallel},
};
use crate::{
    Limit, Origin, Report, Result, Settings, Source, Visit,
    batch::{Batch, Take},
    places::{Grid, LocalFrame},
    source::{PlainFile, Stream},
};

/// What is wanted of a recording, and what was found in it so far.
pub(super) struct Reading {
    /// Name of the file, without folders.
    name: String,
    pub(super) settings: Settings,
    pub(super) limit: Limit,
    names: Names,
    /// Place of local frames on Earth, if known.
    local: Option<LocalFrame>,
    /// Whether channels and frames keep their names, and poses stay poses.
    is_plain: bool,
    pub(super) report: Report,
    /// The file, if it can be read from any offset, and the number of threads that may decode it.
    file: Option<(PlainFile, usize)>,
    /// The part of the file to read; `None` reads all of it.
    split: Option<Split>,
    /// Whether parts that are certainly not wanted were skipped.
    pub(super) is_partial: bool,
    /// Whether samples outside the time limits need not be made: no channel filter has to see them.
    pub(super) leaves_out: bool,
}

impl Visit for Reading {
    type Output = Result<Box<dyn Steps + Send>>;

    fn visit<F: Source>(mut self, reader: StreamReader<Stream, F>) -> Self::Output {
        self.lie_in(F::ABOUT.grid);
        self.report.notes.extend(F::note(reader.header(), &self.settings)?);
        let Some((file, workers)) = self.file.take() else {
            return match self.split {
                // A file that was split can be read from any offset.
                Some(split) => Err(split.misplaced(0).within(F::NAME).into()),
                None => Ok(Box::new(Recording::new(reader, self))),
            };
        };
        let sought = Reach::find::<F>(&file, &self.limit, &self.settings)?;
        if let Some(split) = self.split.clone() {
            // The first split holds everything before the first time.
            if split.start > 0 && sought.is_some_and(|(_, reach)| !reach.is_within(split.start..split.end)) {
                self.is_partial = true;
                return Ok(Box::new(Given::new(Vec::new(), self)));
            }
            let mut part = Recording::new(file.open::<F>()?, self);
            part.reader.carry_to(&split, &mut part.decoder)?;
            part.reach = Reach::up_to((!split.is_last).then_some(split.end));
            return Ok(Box::new(part));
        }
        if let Some((reader, reach)) = sought {
            let mut recording = Recording::new(reader, self);
            recording.reach = reach;
            return Ok(Box::new(recording));
        }
        // One core writes. For one decoder the search for splits pays off as little as for the first few samples: in logs,
        // it takes half of the time of decoding.
        let workers = workers.saturating_sub(1);
        if workers < 2 || self.limit.has_most() || !split::is_large(&file) {
            return Ok(Box::new(Recording::new(reader, self)));
        }
        Ok(match Parallel::start(reader, self, &file, workers) {
            Ok(parallel) => Box::new(parallel),
            Err(unstarted) => {
                let (reader, reading) = *unstarted;
                Box::new(Recording::new(reader, reading))
            }
        })
    }
}

impl Reading {
    pub(super) fn new(
        name: String,
        settings: Settings,
        limit: Limit,
        below: Option<String>,
        file: Option<(PlainFile, usize)>,
        split: Option<Split>,
    ) -> Self {
        let leaves_out = limit.bounds() != (None, None) && !limit.filters_channels();
        let mut reading = Self {
            name,
            settings,
            limit,
            names: Names::new(below),
            local: None,
            is_plain: false,
            report: Report::default(),
            file,
            split,
            is_partial: false,
            leaves_out,
        };
        reading.lie_in(Grid::Enu);
        reading
    }

    pub(super) fn begin(&mut self, format: &'static str, variant: String, header: &[u8], batch: &mut Batch) {
        let name = mem::take(&mut self.name);
        batch.origin = Some(Origin::new(name, format, variant, header));
    }

    /// Whether a time is known not to be wanted.
    pub(super) fn is_outside(&self, time: Timestamp) -> bool {
        let Some(time) = self.settings.moved(time) else { return false };
        self.limit.is_outside(time)
    }

    /// Sets the grid of local frames, unless the settings name another.
    fn lie_in(&mut self, grid: Grid) {
        let grid = self.settings.origin_grid.unwrap_or(grid);
        self.local = self.settings.origin.map(|origin| LocalFrame::new(origin, grid));
        self.is_plain = self.local.is_none() && self.names.is_empty() && self.settings.keeps_names();
    }

    /// Hands a sample to `take` if it is wanted, with its new time and names.
    pub(super) fn put(&mut self, sample: &mut Sample, batch: &mut Batch, take: Take<'_>) -> Result<()> {
        if let Some(time) = sample.time {
            let moved = self.settings.moved(time).ok_or_else(|| {
                robolog_core::Error::unexpected("the shifted time exceeds 64-bit nanoseconds", sample.offset)
            })?;
            sample.time = Some(moved);
        }
        // A sensor's mount applies at all times: without it, a part of a recording could not place the sensor's points.
        let wanted = match (&sample.value, sample.time) {
            (Value::Transform(_), None) => self.limit.wants_always(sample),
            _ => self.limit.wants_sample(sample),
        };
        if !wanted {
            return Ok(());
        }
        if self.is_plain {
            return take(batch, sample, self.limit.start());
        }
        let topic = self.settings.topic(&sample.channel);
        let renamed = topic.or_else(|| self.names.new_name(&sample.channel));
        let frame_id = self.settings.frame_id(&sample.channel);
        let fix = self.local.and_then(|local| local.fix_of(&sample.value));
        let own_channel = renamed.map(|name| mem::replace(&mut sample.channel, name));
        let own_frame_id = frame_id.map(|name| mem::replace(&mut sample.frame_id, name));
        if let Some(fix) = fix {
            sample.value = Value::GnssFix(fix);
        }
        let outcome = take(batch, sample, self.limit.start());
        // The decoder keeps its own names.
        if let Some(name) = own_channel {
            sample.channel = name;
        }
        if let Some(name) = own_frame_id {
            sample.frame_id = name;
        }
        outcome
    }

    /// Returns an error if reading a split ends at another record than the one after it.
    pub(super) fn check_end<F: Source>(&self, position: u64) -> Result<()> {
        match &self.split {
            Some(split) if !split.is_last && split.end != position => {
                Err(split.misplaced(position).within(F::NAME).into())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn end(mut self) -> Report {
        self.report.unjudged = self.limit.unjudged();
        self.report.span = if self.is_partial { self.limit.span_beyond() } else { self.limit.span() };
        self.report.ended_early = self.limit.is_full() || self.is_partial;
        self.report
    }
}
