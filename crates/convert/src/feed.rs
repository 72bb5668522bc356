//! Recordings as they are to be converted: which part of each, and what of its samples is changed.

use std::{collections::HashMap, mem, sync::Arc};

use effibox::dataset;
use robolog_core::{Event, Sample, Sampler as _, StreamReader, Timestamp, Value};

use crate::{Error, Input, Limit, Report, Result, Settings, Source, Visit, source::Stream};

/// A recording that is to be converted, by itself or together with others.
#[derive(Debug)]
pub struct Feed {
    samples: Samples,
    format: Option<String>,
    settings: Settings,
    limit: Limit,
    below: Option<String>,
}

#[derive(Debug)]
enum Samples {
    OfRecording(Box<Input>),
    These(Vec<Sample>),
}

impl Feed {
    /// All of a recording, of the format that its bytes show.
    pub fn new(input: Input) -> Self {
        Self::of(Samples::OfRecording(Box::new(input)))
    }

    /// Samples that are there already, such as transforms that a recording does not hold.
    pub fn of_samples(samples: Vec<Sample>) -> Self {
        Self::of(Samples::These(samples))
    }

    fn of(samples: Samples) -> Self {
        let (settings, limit) = (Settings::default(), Limit::default());
        Self { samples, format: None, settings, limit, below: None }
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

    /// Takes this part of it. Channels are judged by the names that they have in the recording.
    #[must_use]
    pub fn with_limit(self, limit: Limit) -> Self {
        Self { limit, ..self }
    }

    /// Puts `name` and a slash before the names of its channels, so that they differ from those of other recordings.
    #[must_use]
    pub fn below(self, name: &str) -> Self {
        Self { below: Some(name.to_owned()), ..self }
    }

    /// Its name for messages.
    pub(crate) fn name(&self) -> &str {
        match &self.samples {
            Samples::OfRecording(input) => input.name(),
            Samples::These(_) => "samples",
        }
    }

    /// Its limits.
    pub(crate) fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Its recording, if it is one.
    pub(crate) fn input(&self) -> Option<&Input> {
        match &self.samples {
            Samples::OfRecording(input) => Some(input),
            Samples::These(_) => None,
        }
    }

    /// Hands all its samples to `outlet`: those of a data set's files in order of time. Gives what was met on the way.
    pub(crate) fn read(self, outlet: &mut dyn Outlet) -> Result<Report> {
        let Self { samples, format, settings, limit, below } = self;
        let names = Names { below, known: HashMap::new() };
        let name = match &samples {
            Samples::OfRecording(input) => input.file_name(),
            Samples::These(_) => String::new(),
        };
        let mut reading = Reading { name, settings, limit, names, outlet, report: Report::default() };
        match samples {
            Samples::These(samples) => {
                for mut sample in samples {
                    reading.offer(&mut sample)?;
                }
                Ok(reading.end())
            }
            Samples::OfRecording(input) if input.dataset().is_some() => {
                let Some(dataset) = input.dataset() else { return Ok(reading.end()) };
                reading.begin("effibox", String::new(), &[])?;
                let options = dataset::Options::default().with_mounts();
                dataset.visit::<Error>(&options, &mut |event| match event {
                    dataset::Event::Sample(sample) => {
                        reading.report.records = reading.report.records.saturating_add(1);
                        reading.offer(sample)
                    }
                    dataset::Event::Fault(fault) => {
                        reading.report.fault(fault);
                        Ok(())
                    }
                })?;
                Ok(reading.end())
            }
            Samples::OfRecording(input) => input.visit(format.as_deref(), reading)?,
        }
    }
}

/// What a target can tell of the recording that its samples come from.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Origin {
    /// The name of its file, without folders.
    pub name: String,
    /// Its format.
    pub format: &'static str,
    /// The version or dialect, as far as the beginning of the recording tells it.
    pub variant: String,
    /// The recording's header as it stands there.
    pub header: Arc<[u8]>,
}

/// Where samples go as they are read.
pub(crate) trait Outlet {
    /// Is told what is read, before a sample.
    fn begin(&mut self, origin: Origin) -> Result<()>;
    /// Takes one; `start` is when the recording begins, as far as is known.
    fn sample(&mut self, sample: &mut Sample, start: Option<Timestamp>) -> Result<()>;
    /// Is told the position in the input.
    fn position(&mut self, position: u64) -> Result<()>;
}

/// A recording that is being read.
struct Reading<'a> {
    name: String,
    settings: Settings,
    limit: Limit,
    names: Names,
    outlet: &'a mut dyn Outlet,
    report: Report,
}

impl Visit for Reading<'_> {
    type Output = Result<Report>;

    fn visit<F: Source>(mut self, mut reader: StreamReader<Stream, F>) -> Result<Report> {
        self.begin(F::NAME, F::variant(reader.header()), reader.header_bytes())?;
        let mut sampler = F::Sampler::new(reader.header(), F::options(&self.settings));
        loop {
            match reader.next_event()? {
                Event::Record(record) => {
                    self.report.records = self.report.records.saturating_add(1);
                    match sampler.push::<Error>(&record, &mut |sample| self.offer(sample)) {
                        Err(Error::Recording(error)) => self.report.damage(error, 0..0),
                        outcome => outcome?,
                    }
                }
                Event::Damage { error, lost } => self.report.damage(error, lost),
                Event::End => break,
            }
            self.outlet.position(reader.position())?;
        }
        match sampler.finish::<Error>(&mut |sample| self.offer(sample)) {
            Err(Error::Recording(error)) => self.report.damage(error, 0..0),
            outcome => outcome?,
        }
        Ok(self.end())
    }
}

impl Reading<'_> {
    fn begin(&mut self, format: &'static str, variant: String, header: &[u8]) -> Result<()> {
        let name = mem::take(&mut self.name);
        self.outlet.begin(Origin { name, format, variant, header: header.into() })
    }

    fn offer(&mut self, sample: &mut Sample) -> Result<()> {
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
            (Value::Transform(_), None) => self.limit.wants_channel(&sample.channel),
            _ => self.limit.wants(&sample.channel, sample.time),
        };
        if !wanted {
            return Ok(());
        }
        let renamed = self.names.new_name(&sample.channel);
        let frame_id = self.settings.frame_id(&sample.channel);
        let fix = self.settings.origin.and_then(|origin| origin.fix_of(&sample.value));
        if renamed.is_none() && frame_id.is_none() && fix.is_none() {
            return self.outlet.sample(sample, self.limit.start());
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
                None => mem::replace(&mut sample.value, Value::Scalar(0.0)),
            },
        };
        let outcome = self.outlet.sample(&mut changed, self.limit.start());
        if !is_fix {
            sample.value = changed.value;
        }
        outcome
    }

    fn end(mut self) -> Report {
        self.report.unjudged = self.limit.unjudged();
        self.report
    }
}

/// The names of channels below another name.
struct Names {
    below: Option<String>,
    known: HashMap<Arc<str>, Arc<str>>,
}

impl Names {
    fn new_name(&mut self, channel: &Arc<str>) -> Option<Arc<str>> {
        let below = self.below.as_ref()?;
        if let Some(name) = self.known.get(channel) {
            return Some(Arc::clone(name));
        }
        let name: Arc<str> = format!("{below}/{channel}").into();
        self.known.insert(Arc::clone(channel), Arc::clone(&name));
        Some(name)
    }
}
