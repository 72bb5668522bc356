//! Recordings to convert, with limits and settings.

#[cfg(feature = "from-effibox")]
mod dataset;
mod given;
mod look;
mod names;
mod pull;
mod reading;
mod recording;
mod seek;
mod split;
mod unwanted;

use std::path::{Path, PathBuf};

use robolog_core::{Sample, Split};

pub(crate) use self::seek::Reach;
use self::{given::Given, reading::Reading};
pub use self::{
    look::look,
    pull::Pull,
    seek::{span, start},
};
use crate::{
    ChannelFilter, Input, Limit, Report, Result, Settings,
    batch::{Batch, Take},
};

/// A recording to convert, alone or with others.
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
    /// Files read besides the recording.
    beside: Vec<PathBuf>,
    /// Maximum number of decoder threads.
    workers: usize,
    /// The part of the file to read; `None` reads the whole file.
    split: Option<Split>,
}

#[derive(Debug)]
enum Contents {
    OfRecording(Box<Input>),
    These(Vec<Sample>),
}

impl Feed {
    /// Reads a whole recording, with its format detected from the bytes.
    pub fn new(input: Input) -> Self {
        Self::of(Contents::OfRecording(Box::new(input)))
    }

    /// Takes samples from memory, such as transforms that a recording lacks.
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

    /// Reads it as this format; `None` detects the format.
    #[must_use]
    pub fn with_format(self, format: Option<&str>) -> Self {
        Self { format: format.map(str::to_owned), ..self }
    }

    /// Reads it with these settings.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        if let Contents::OfRecording(input) = self.samples {
            self.samples = Contents::OfRecording(Box::new(input.with_settings(&settings)));
        }
        Self { settings, ..self }
    }

    /// Joins accelerations and rates of a data set to one channel, as in bags.
    #[must_use]
    pub(crate) fn with_joined_imu(mut self) -> Self {
        self.settings.joined_imu = true;
        self
    }

    /// Reads only this part. Channels are matched by their names in the recording.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }

    /// Reads only this split, which [`splits`](crate::splits) found with the same format and settings.
    #[must_use]
    pub fn with_split(self, split: Split) -> Self {
        Self { split: Some(split).filter(|split| !split.is_whole()), ..self }
    }

    /// Prefixes its channels with `name` and a slash, so that they differ from those of other recordings.
    #[must_use]
    pub fn below(self, name: &str) -> Self {
        Self { below: Some(name.to_owned()), ..self }
    }

    /// Marks `file`, such as a calibration, as an input too: no output replaces it.
    #[must_use]
    pub fn reads(mut self, file: impl Into<PathBuf>) -> Self {
        self.beside.push(file.into());
        self
    }

    /// Decodes a large file with up to `workers` threads.
    #[must_use]
    pub(crate) fn with_workers(self, workers: usize) -> Self {
        Self { workers, ..self }
    }

    /// Input files; `-` for standard input.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let input = match &self.samples {
            Contents::OfRecording(input) => Some(input.path().unwrap_or_else(|| Path::new(input.name()))),
            Contents::These(_) => None,
        };
        input.into_iter().chain(self.beside.iter().map(PathBuf::as_path))
    }

    /// Input files of all feeds.
    pub(crate) fn all_files(feeds: &[Self]) -> Vec<&Path> {
        feeds.iter().flat_map(Self::files).collect()
    }

    /// Settings for reading.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Name shown in messages.
    pub(crate) fn name(&self) -> &str {
        match &self.samples {
            Contents::OfRecording(input) => input.name(),
            Contents::These(_) => "samples",
        }
    }

    /// The channels that are wanted or renamed.
    pub(crate) fn filters(&self) -> impl Iterator<Item = &ChannelFilter> {
        let Settings { topics, frame_ids, .. } = &self.settings;
        let topics = topics.iter().map(|rule| &rule.channels);
        let frame_ids = frame_ids.iter().map(|rule| &rule.channels);
        self.limit.channels().into_iter().chain(topics).chain(frame_ids)
    }

    /// Limits.
    pub(crate) fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Reads all samples and hands each to `take`: the samples of a data set's files in order of time. Returns the last
    /// batch, too.
    pub(crate) fn read(self, take: Take<'_>) -> Result<(Batch, Report)> {
        let mut steps = self.open()?;
        let mut batch = Batch::default();
        while steps.step(&mut batch, take)? {}
        Ok((batch, steps.end()))
    }

    /// Begins to read.
    pub(crate) fn open(self) -> Result<Box<dyn Steps + Send>> {
        let Self { samples, format, settings, limit, below, beside: _, workers, split } = self;
        let name = match &samples {
            Contents::OfRecording(input) => input.file_name(),
            Contents::These(_) => String::new(),
        };
        let file = match &samples {
            Contents::OfRecording(input) => input.plain_file(format.as_deref()).zip(Some(workers)),
            Contents::These(_) => None,
        };
        let reading = Reading::new(name, settings, limit, below, file, split);
        match samples {
            Contents::These(samples) => Ok(Box::new(Given::new(samples, reading))),
            #[cfg(feature = "from-effibox")]
            Contents::OfRecording(input) if input.is_dataset() => Ok(dataset::open(input, reading)),
            Contents::OfRecording(input) => input.visit(format.as_deref(), reading)?,
        }
    }
}

/// A recording that is read step by step.
pub(crate) trait Steps {
    /// Reads on, and hands each sample to `take` with `batch`; false at the end.
    fn step(&mut self, batch: &mut Batch, take: Take<'_>) -> Result<bool>;
    /// What was found in reading.
    fn end(self: Box<Self>) -> Report;
}
