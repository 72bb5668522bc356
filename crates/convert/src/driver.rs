//! From a recording into a sink.

use std::{collections::BTreeMap, fs, io::Write as _, ops::Range, path::Path};

use robolog_core::{Event, Sample, Sampler as _, StreamReader, Value, text::file_name};

use crate::{
    Error, Input, Limit, Result, Settings, Sink, Source, TargetFormat, Took, Visit,
    sink::{self, PcdData},
    source::Stream,
    target::Target,
};

/// What a conversion took in and gave out.
#[derive(Debug, Default)]
pub struct Report {
    /// Records read.
    pub records: u64,
    /// What was written, by kind of value.
    pub written: BTreeMap<&'static str, Count>,
    /// What the target has no place for, by kind of value.
    pub left_out: BTreeMap<&'static str, Count>,
    /// The first faults of the recording; at most [`Report::DAMAGE_KEPT`].
    pub damage: Vec<Damage>,
    /// How many faults there were.
    pub damages: u64,
    /// Bytes that belong to no record.
    pub lost_bytes: u64,
    /// Files written.
    pub files: u64,
}

/// A number of samples and of the values in them: points of clouds, ranges of scans.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Samples.
    pub samples: u64,
    /// Values.
    pub values: u64,
}

/// A fault of the recording, past which reading went on.
#[derive(Debug)]
pub struct Damage {
    /// What is wrong.
    pub error: robolog_core::Error,
    /// The bytes that belong to no record because of it.
    pub lost: Range<u64>,
}

impl Report {
    /// How many faults are kept.
    pub const DAMAGE_KEPT: usize = 100;

    /// Whether everything that was asked for is in the target.
    pub fn is_complete(&self) -> bool {
        self.damages == 0 && self.left_out.is_empty()
    }

    /// Notes a fault.
    pub fn damage(&mut self, error: robolog_core::Error, lost: Range<u64>) {
        self.damages = self.damages.saturating_add(1);
        self.lost_bytes = self.lost_bytes.saturating_add(lost.end.saturating_sub(lost.start));
        if self.damage.len() < Self::DAMAGE_KEPT {
            self.damage.push(Damage { error, lost });
        }
    }

    fn count(&mut self, took: Took, value: &Value) {
        let counts = if took == Took::Written { &mut self.written } else { &mut self.left_out };
        let count = counts.entry(value.kind()).or_default();
        count.samples = count.samples.saturating_add(1);
        let values = match value {
            Value::PointCloud(cloud) => cloud.len() as u64,
            Value::LaserScan(scan) => scan.ranges.len() as u64,
            _ => 1,
        };
        count.values = count.values.saturating_add(values);
    }

    fn check_not_empty(&self) -> Result<()> {
        if !self.written.is_empty() {
            return Ok(());
        }
        if let Some(damage) = self.damage.first() {
            return Err(Error::Empty(damage.error.to_string()));
        }
        let kinds: Vec<_> = self.left_out.iter().map(|(kind, n)| format!("{} {kind}", n.samples)).collect();
        Err(Error::Empty(if kinds.is_empty() {
            "no sample is within the limits".into()
        } else {
            format!("the target has no place for {} (--channel chooses)", kinds.join(", "))
        }))
    }
}

/// Writes the samples of `input` that `limit` wants into `sink`. `progress` is told the position in the input.
///
/// Damage is passed over and reported. Fails when nothing at all was written. The sink is not finished.
pub fn convert(
    input: Input,
    format: Option<&str>,
    settings: &Settings,
    limit: &mut Limit,
    sink: &mut dyn Sink,
    progress: &mut dyn FnMut(u64),
) -> Result<Report> {
    let mut report = Report::default();
    let take = &mut |sample: &mut Sample, report: &mut Report| {
        let took = sink.write(sample)?;
        report.count(took, &sample.value);
        Ok(())
    };
    input.visit(format, Drive { settings, limit, report: &mut report, take, progress })??;
    report.files = 1;
    report.check_not_empty()?;
    Ok(report)
}

type Take<'a> = &'a mut dyn FnMut(&mut Sample, &mut Report) -> Result<()>;

struct Drive<'a> {
    settings: &'a Settings,
    limit: &'a mut Limit,
    report: &'a mut Report,
    take: Take<'a>,
    progress: &'a mut dyn FnMut(u64),
}

impl Visit for Drive<'_> {
    type Output = Result<()>;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Result<()> {
        let Self { settings, limit, report, take, progress } = self;
        let mut sampler = F::Sampler::new(reader.header(), F::options(settings));
        loop {
            match reader.next_event()? {
                Event::Record(record) => {
                    report.records = report.records.saturating_add(1);
                    let outcome = sampler.push::<Error>(&record, &mut |sample| {
                        if limit.wants(&sample.channel, sample.time) { take(sample, report) } else { Ok(()) }
                    });
                    match outcome {
                        Err(Error::Recording(error)) => report.damage(error, 0..0),
                        outcome => outcome?,
                    }
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => break,
            }
            progress(reader.position());
        }
        sampler.finish::<Error>(&mut |sample| {
            if limit.wants(&sample.channel, sample.time) { take(sample, report) } else { Ok(()) }
        })
    }
}

/// What goes into one file of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// Each sample: a frame of one device, a scan.
    Frame,
    /// Each channel.
    Channel,
}

/// Writes a file per frame or channel into a new folder at `path`, with an `index.csv` of file, time and channel.
///
/// The folder appears when it is whole.
#[expect(clippy::too_many_arguments, reason = "each is one choice of the caller's")]
pub fn convert_into_folder(
    input: Input,
    format: Option<&str>,
    settings: &Settings,
    limit: &mut Limit,
    path: &Path,
    (target, pcd_data): (TargetFormat, PcdData),
    (per, force): (Per, bool),
    progress: &mut dyn FnMut(u64),
) -> Result<Report> {
    let folder = Target::folder(path, force)?;
    let mut report = Report::default();
    let mut index = csv::Writer::from_path(folder.path().join("index.csv")).map_err(csv_error)?;
    index.write_record(["file", "time_ns", "channel", "values"]).map_err(csv_error)?;
    let chosen = limit.chooses_channels();
    let mut open: BTreeMap<String, (Box<dyn Sink>, u64)> = BTreeMap::new();
    let mut number = 0_u64;
    let mut files = 0_u64;
    let take = &mut |sample: &mut Sample, report: &mut Report| -> Result<()> {
        let channel = file_name(sample.channel.as_bytes());
        let make = |name: &str| -> Result<Box<dyn Sink>> {
            let file = folder.path().join(name);
            let out = fs::File::create_new(&file).map_err(|e| Error::file(&file, e))?;
            sink::open(target, std::io::BufWriter::with_capacity(1 << 20, out), pcd_data, chosen)
        };
        if !sink::takes(target, &sample.value, chosen) {
            report.count(Took::LeftOut, &sample.value);
            return Ok(());
        }
        let time = sample.time.map(|t| t.nanos().to_string()).unwrap_or_default();
        let values = if let Value::PointCloud(cloud) = &sample.value { cloud.len() } else { 1 }.to_string();
        let name = match per {
            Per::Frame => format!("{number:06}_{channel}.{}", target.name()),
            Per::Channel => format!("{channel}.{}", target.name()),
        };
        number = number.saturating_add(1);
        if per == Per::Frame {
            let mut sink = make(&name)?;
            report.count(sink.write(sample)?, &sample.value);
            sink.finish()?;
            files = files.saturating_add(1);
        } else {
            if !open.contains_key(&name) {
                open.insert(name.clone(), (make(&name)?, 0));
                files = files.saturating_add(1);
            }
            let Some((sink, n)) = open.get_mut(&name) else { return Ok(()) };
            *n = n.saturating_add(1);
            report.count(sink.write(sample)?, &sample.value);
        }
        index.write_record([&name, &time, &*sample.channel, &values]).map_err(csv_error)
    };
    input.visit(format, Drive { settings, limit, report: &mut report, take, progress })??;
    for (sink, _) in open.into_values() {
        sink.finish()?;
    }
    report.files = files;
    report.check_not_empty()?;
    index.flush()?;
    index.into_inner().map_err(|e| Error::Write(e.into_error()))?.flush()?;
    folder.persist()?;
    Ok(report)
}

fn csv_error(error: csv::Error) -> Error {
    Error::Write(error.into())
}
