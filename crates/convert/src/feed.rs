//! Recordings as they are to be converted: which part of each, and what of its samples is changed.

#[cfg(feature = "from-effibox")]
mod dataset;
mod given;
mod names;
mod pull;
mod reading;
mod recording;
mod seek;
mod split;
mod unwanted;

use std::path::{Path, PathBuf};

use robolog_core::{Sample, Split};

pub(crate) use self::seek::{GoTo, Reach};
use self::{given::Given, reading::Reading};
pub use self::{
    pull::Pull,
    seek::{span, start},
};
use crate::{
    Input, Limit, Report, Result, Settings,
    batch::{Batch, Take},
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

    /// Reads all samples into batches of about `full` bytes and hands each to `take`: the samples of a data set's files in
    /// order of time.
    pub(crate) fn read(self, full: usize, take: Take<'_>) -> Result<Report> {
        let mut steps = self.open()?;
        let mut batch = Batch::default();
        let mut take_full = |batch: &mut Batch| if batch.weight() < full { Ok(()) } else { take(batch) };
        while steps.step(&mut batch, &mut take_full)? {}
        take(&mut batch)?;
        Ok(steps.end())
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
    /// Reads on into `batch`, and calls `take` after each sample; false at the end.
    fn step(&mut self, batch: &mut Batch, take: Take<'_>) -> Result<bool>;
    /// What was found in reading.
    fn end(self: Box<Self>) -> Report;
}
