//! Recordings as they are to be converted: which part of each, and what of its samples is changed.

#[cfg(feature = "from-effibox")]
mod dataset;
mod given;
mod names;
mod pull;
mod seek;
mod split;
mod unwanted;

use std::{
    io::Read,
    mem,
    path::{Path, PathBuf},
    sync::Arc,
};

use robolog_core::{Event, Pose, Sample, Sampling, Split, StreamReader, Timed as _, Timestamp, Value};

pub(crate) use self::seek::{GoTo, Reach};
use self::{given::Given, names::Names, split::Parallel, unwanted::Unwanted};
pub use self::{
    pull::Pull,
    seek::{span, start},
};
use crate::{
    Error, Input, Limit, Origin, Report, Result, Settings, Source, Visit,
    places::{Grid, LocalFrame},
    source::{PlainFile, Stream},
};

/// A recording that is to be converted, by itself or together with others.
///
/// ```
/// use robolog_convert::{ChannelFilter, Feed, Input, Limit, Outcome, convert, sink};
/// let input = Input::open("examples/drive.log")?;
/// let poses = Limit::default().with_channels(ChannelFilter::new(|channel| channel == "imu"));
/// let mut count = 0;
/// let mut sink = sink::from_fn(|_| {
///     count += 1;
///     Ok(Outcome::Written)
/// });
/// convert(vec![Feed::new(input).with_limit(poses)], &mut sink, &mut |_| {})?;
/// drop(sink);
/// assert_eq!(count, 40);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug)]
pub struct Feed {
    samples: Contents,
    format: Option<String>,
    settings: Settings,
    limit: Limit,
    below: Option<String>,
    /// Files that are read beside the recording.
    beside: Vec<PathBuf>,
    /// Threads that decode.
    workers: usize,
    /// The part of the file that is read; `None` is all of it.
    split: Option<Split>,
}

#[derive(Debug)]
enum Contents {
    OfRecording(Box<Input>),
    These(Vec<Sample>),
}

impl Feed {
    /// All of a recording, of the format that its bytes show.
    pub fn new(input: Input) -> Self {
        Self::of(Contents::OfRecording(Box::new(input)))
    }

    /// Samples that are there already, such as transforms that a recording does not hold.
    pub fn of_samples(samples: Vec<Sample>) -> Self {
        Self::of(Contents::These(samples))
    }

    fn of(samples: Contents) -> Self {
        let (settings, limit) = (Settings::default(), Limit::default());
        Self {
            samples,
            format: None,
            settings,
            limit,
            below: None,
            beside: Vec::new(),
            workers: 1,
            split: None,
        }
    }

    /// Reads it as this format, where one is named.
    #[must_use]
    pub fn with_format(self, format: Option<&str>) -> Self {
        Self { format: format.map(str::to_owned), ..self }
    }

    /// Reads it in this way.
    #[must_use]
    pub fn with_settings(self, settings: Settings) -> Self {
        Self { settings, ..self }
    }

    /// Gives accelerations and rates of a data set as bags have them.
    #[must_use]
    pub(crate) fn with_joined_imu(mut self) -> Self {
        self.settings.joined_imu = true;
        self
    }

    /// Takes this part of it. Channels are judged by the names that they have in the recording.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }

    /// Takes this split of it alone, one of those that [`splits`](crate::splits) found with the same format and settings.
    #[must_use]
    pub fn with_split(self, split: Split) -> Self {
        Self { split: Some(split).filter(|split| !split.is_whole()), ..self }
    }

    /// Puts `name` and a slash before the names of its channels, so that they differ from those of other recordings.
    #[must_use]
    pub fn below(self, name: &str) -> Self {
        Self { below: Some(name.to_owned()), ..self }
    }

    /// Notes that it comes from `file` too, such as a calibration: no output replaces that file.
    #[must_use]
    pub fn reads(mut self, file: impl Into<PathBuf>) -> Self {
        self.beside.push(file.into());
        self
    }

    /// Lets up to `workers` threads decode a large file.
    #[must_use]
    pub(crate) fn with_workers(self, workers: usize) -> Self {
        Self { workers, ..self }
    }

    /// The files that it comes from; `-` for standard input.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let input = match &self.samples {
            Contents::OfRecording(input) => Some(input.path().unwrap_or_else(|| Path::new(input.name()))),
            Contents::These(_) => None,
        };
        input.into_iter().chain(self.beside.iter().map(PathBuf::as_path))
    }

    /// The files that all of these come from.
    pub(crate) fn all_files(feeds: &[Self]) -> Vec<&Path> {
        feeds.iter().flat_map(Self::files).collect()
    }

    /// How the recording is read.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Its name for messages.
    pub(crate) fn name(&self) -> &str {
        match &self.samples {
            Contents::OfRecording(input) => input.name(),
            Contents::These(_) => "samples",
        }
    }

    /// Its limits.
    pub(crate) fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Hands all its samples to `outlet`: those of a data set's files in order of time. Gives what was met on the way.
    pub(crate) fn read(self, outlet: &mut dyn Outlet) -> Result<Report> {
        let mut steps = self.open()?;
        while steps.step(outlet)? {}
        Ok(steps.end())
    }

    /// Begins to read it.
    pub(crate) fn open(self) -> Result<Box<dyn Steps + Send>> {
        let Self { samples, format, settings, limit, below, beside: _, workers, split } = self;
        let names = Names::new(below);
        let name = match &samples {
            Contents::OfRecording(input) => input.file_name(),
            Contents::These(_) => String::new(),
        };
        let report = Report::default();
        let leaves_out = limit.bounds() != (None, None) && !limit.filters_channels();
        let mut reading = Reading {
            name,
            settings,
            limit,
            names,
            local: None,
            report,
            file: None,
            split,
            is_partial: false,
            leaves_out,
        };
        if let Contents::OfRecording(input) = &samples {
            reading.file = input.plain_file(format.as_deref()).zip(Some(workers));
        }
        reading.lie_in(Grid::Enu);
        match samples {
            Contents::These(samples) => Ok(Box::new(Given::new(samples, reading))),
            #[cfg(feature = "from-effibox")]
            Contents::OfRecording(input) if input.is_dataset() => Ok(dataset::open(input, reading)),
            Contents::OfRecording(input) => input.visit(format.as_deref(), reading)?,
        }
    }
}

/// Something with samples that is read bit by bit.
pub(crate) trait Steps {
    /// Hands over the next samples, if any; false at the end.
    fn step(&mut self, outlet: &mut dyn Outlet) -> Result<bool>;
    /// What was met on the way.
    fn end(self: Box<Self>) -> Report;
}

/// Where samples go as they are read.
pub(crate) trait Outlet {
    /// Takes what is read, before a sample.
    fn begin(&mut self, origin: Origin) -> Result<()>;
    /// Says from which of several recordings the next samples come.
    fn of_feed(&mut self, feed: usize) {
        let _ = feed;
    }
    /// Says where the frame of the next sample was, if a step says it.
    fn pose(&mut self, pose: Option<Pose>) {
        let _ = pose;
    }
    /// Takes one; `start` is when the recording begins, as far as is known.
    fn sample(&mut self, sample: &mut Sample, start: Option<Timestamp>) -> Result<()>;
    /// Takes the position in the input.
    fn position(&mut self, position: u64) -> Result<()>;
}

/// How what is read becomes what is wanted.
struct Reading {
    name: String,
    settings: Settings,
    limit: Limit,
    names: Names,
    /// Where local frames lie on Earth, when that is known.
    local: Option<LocalFrame>,
    report: Report,
    /// The file, where it can be read from anywhere, and how many threads may decode it.
    file: Option<(PlainFile, usize)>,
    /// The part of it that is read.
    split: Option<Split>,
    /// Whether what is certainly not wanted was not read.
    is_partial: bool,
    /// Whether samples of some times need not be made: nobody asks what channels there are.
    leaves_out: bool,
}

impl Visit for Reading {
    type Output = Result<Box<dyn Steps + Send>>;

    fn visit<F: Source>(mut self, reader: StreamReader<Stream, F>) -> Self::Output {
        self.lie_in(F::GRID);
        self.report.notes.extend(F::note(reader.header(), &self.settings)?);
        let Some((file, workers)) = self.file.take() else {
            return match self.split {
                // What was split can be read from anywhere.
                Some(split) => Err(split.misplaced(0).within(F::NAME).into()),
                None => Ok(Box::new(Recording::new(reader, self))),
            };
        };
        let sought = Reach::find::<F>(&file, &self.limit, &self.settings)?;
        if let Some(split) = self.split.clone() {
            // The first split has what comes before any time.
            if split.start > 0 && sought.is_some_and(|(_, reach)| !reach.is_within(split.start..split.end)) {
                self.is_partial = true;
                return Ok(Box::new(Given::new(Vec::new(), self)));
            }
            let mut part = Recording::new(file.open::<F>()?, self);
            part.reader.carry_to(&split, &mut part.sampler)?;
            part.reach = Reach::up_to((!split.is_last).then_some(split.end));
            return Ok(Box::new(part));
        }
        if let Some((reader, reach)) = sought {
            return Ok(Box::new(Recording { reach, ..Recording::new(reader, self) }));
        }
        // One core writes.
        let workers = workers.saturating_sub(1);
        // The first few samples are soon read.
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

/// A recording that is being read.
struct Recording<R, F: Source> {
    reader: StreamReader<R, F>,
    sampler: F::Sampler,
    reading: Reading,
    is_begun: bool,
    reach: Reach,
    /// Whether the last time was one that is not wanted.
    is_outside: bool,
    unwanted: Unwanted,
}

impl<R, F: Source> Recording<R, F>
where
    R: Read,
{
    fn new(reader: StreamReader<R, F>, reading: Reading) -> Self {
        let sampler = F::Sampler::new(reader.header(), F::options(&reading.settings));
        let unwanted = Unwanted::new(&reading.limit, &reading.settings);
        Self {
            reader,
            sampler,
            reading,
            is_begun: false,
            reach: Reach::default(),
            is_outside: false,
            unwanted,
        }
    }
}

impl<R: GoTo, F: Source> Steps for Recording<R, F> {
    fn step(&mut self, outlet: &mut dyn Outlet) -> Result<bool> {
        let Self { reader, sampler, reading, is_begun, reach, is_outside, unwanted } = self;
        if !*is_begun {
            *is_begun = true;
            reading.begin(F::NAME, F::variant(reader.header()), reader.header_bytes(), outlet)?;
        }
        if reading.limit.is_full() {
            return Ok(false);
        }
        let has_more = reach.advance(reader)?;
        reading.is_partial = reach.is_partial();
        if !has_more {
            reading.check_end::<F>(reader.position())?;
            return Ok(false);
        }
        let mut is_end = false;
        match reader.next_event()? {
            Event::Record(record) => {
                reading.report.records += 1;
                if reading.leaves_out
                    && let Some(time) = record.time()
                {
                    *is_outside = reading.is_outside(time);
                }
                let is_unwanted = unwanted.has(&record, sampler, reading.limit.start().is_some());
                let mut take = |sample: &mut Sample| reading.offer(sample, outlet);
                let taken = if is_unwanted {
                    Ok(())
                } else if *is_outside {
                    sampler.push_unwanted::<Error>(&record, &mut take)
                } else {
                    sampler.push::<Error>(&record, &mut take)
                };
                match taken {
                    // The record is whole, but nobody can decode it: `check` warns of that too.
                    Err(Error::Recording(error)) if F::is_closed(&error) => {
                        reading.report.undecodable(&error);
                    }
                    Err(Error::Recording(error)) => reading.report.damage(error, 0..0),
                    outcome => outcome?,
                }
            }
            Event::Damage { error, lost } => reading.report.damage(error, lost),
            Event::End => {
                match sampler.finish::<Error>(&mut |sample| reading.offer(sample, outlet)) {
                    Err(Error::Recording(error)) => reading.report.damage(error, 0..0),
                    outcome => outcome?,
                }
                is_end = true;
            }
        }
        let position = reader.position();
        if is_end {
            reading.check_end::<F>(position)?;
            return Ok(false);
        }
        outlet.position(position)?;
        Ok(true)
    }

    fn end(mut self: Box<Self>) -> Report {
        for note in F::notes(&self.sampler) {
            self.reading.report.note(note);
        }
        self.reading.end()
    }
}

impl Reading {
    fn begin(
        &mut self,
        format: &'static str,
        variant: String,
        header: &[u8],
        outlet: &mut dyn Outlet,
    ) -> Result<()> {
        let name = mem::take(&mut self.name);
        outlet.begin(Origin { name, format, variant, header: header.into() })
    }

    /// Whether a time is known not to be wanted.
    fn is_outside(&self, time: Timestamp) -> bool {
        let Some(time) = self.settings.moved(time) else { return false };
        self.limit.is_outside(time)
    }

    /// Local frames are of this grid, where nobody says another.
    fn lie_in(&mut self, grid: Grid) {
        let grid = self.settings.origin_grid.unwrap_or(grid);
        self.local = self.settings.origin.map(|origin| LocalFrame::new(origin, grid));
    }

    fn offer(&mut self, sample: &mut Sample, outlet: &mut dyn Outlet) -> Result<()> {
        if let Some(time) = sample.time {
            let moved = self.settings.moved(time).ok_or_else(|| {
                robolog_core::Error::invalid(
                    "time",
                    time,
                    "one that 64 bits can tell when moved",
                    sample.offset,
                )
            })?;
            sample.time = Some(moved);
        }
        // Where a sensor is mounted holds all the time: without that, a part of a recording has no place for it.
        let wanted = match (&sample.value, sample.time) {
            (Value::Transform(_), None) => self.limit.wants_always(sample),
            _ => self.limit.wants_sample(sample),
        };
        if !wanted {
            return Ok(());
        }
        let renamed = self.names.new_name(&sample.channel);
        let frame_id = self.settings.frame_id(&sample.channel);
        let fix = self.local.and_then(|local| local.fix_of(&sample.value));
        if renamed.is_none() && frame_id.is_none() && fix.is_none() {
            return outlet.sample(sample, self.limit.start());
        }
        // The sampler goes on with its own names and values.
        let is_fix = fix.is_some();
        let mut changed = Sample {
            time: sample.time,
            offset: sample.offset,
            channel: renamed.unwrap_or_else(|| Arc::clone(&sample.channel)),
            frame_id: frame_id.unwrap_or_else(|| Arc::clone(&sample.frame_id)),
            value: match fix {
                Some(fix) => Value::GnssFix(fix),
                None => sample.value.take(),
            },
        };
        let outcome = outlet.sample(&mut changed, self.limit.start());
        if !is_fix {
            sample.value = changed.value;
        }
        outcome
    }

    /// Fails where reading a split ends at another record than that behind it.
    fn check_end<F: Source>(&self, position: u64) -> Result<()> {
        match &self.split {
            Some(split) if !split.is_last && split.end != position => {
                Err(split.misplaced(position).within(F::NAME).into())
            }
            _ => Ok(()),
        }
    }

    fn end(mut self) -> Report {
        self.report.unjudged = self.limit.unjudged();
        self.report.span = if self.is_partial { self.limit.span_beyond() } else { self.limit.span() };
        self.report.ended_early = self.limit.is_full() || self.is_partial;
        self.report
    }
}
