//! From a recording into a sink.

mod files;
mod pool;

use std::{collections::BTreeMap, ops::Range, path::Path};

use effibox::dataset;
use robolog_core::{Event, Sample, Sampler as _, StreamReader, Timestamp, Value};

use crate::{
    Error, Input, Limit, Result, Settings, Sink, SinkOptions, Source, TargetFormat, Took, Visit,
    source::Stream, target::Target,
};
use files::Files;

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
    /// The first faults of a data set's files; at most as many.
    pub faults: Vec<dataset::Fault>,
    /// How many faults there were.
    pub damages: u64,
    /// Bytes that belong to no record.
    pub lost_bytes: u64,
    /// Samples that were refused because their time does not compare with the limits: see [`Limit::unjudged`].
    pub unjudged: u64,
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
        self.damages == 0 && self.left_out.is_empty() && self.unjudged == 0
    }

    /// Notes a fault.
    pub fn damage(&mut self, error: robolog_core::Error, lost: Range<u64>) {
        self.damages = self.damages.saturating_add(1);
        self.lost_bytes = self.lost_bytes.saturating_add(lost.end.saturating_sub(lost.start));
        if self.damage.len() < Self::DAMAGE_KEPT {
            self.damage.push(Damage { error, lost });
        }
    }

    /// Notes a fault of a data set's file.
    fn fault(&mut self, fault: dataset::Fault) {
        self.damages = self.damages.saturating_add(1);
        if self.faults.len() < Self::DAMAGE_KEPT {
            self.faults.push(fault);
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

    /// A file without a value in it is no success. `advice` says how what was left out would have had a place.
    fn check_not_empty(&self, advice: Option<&str>) -> Result<()> {
        if self.written.values().any(|n| n.values > 0) {
            return Ok(());
        }
        let list = |counts: &BTreeMap<&str, Count>| {
            counts.iter().map(|(kind, n)| format!("{} {kind}", n.samples)).collect::<Vec<_>>().join(", ")
        };
        Err(Error::Empty(if let Some(damage) = self.damage.first() {
            damage.error.to_string()
        } else if !self.written.is_empty() {
            format!("{} without a point", list(&self.written))
        } else if !self.left_out.is_empty() {
            let left_out = list(&self.left_out);
            let advice = advice.map(|advice| format!(": {advice}")).unwrap_or_default();
            format!("the target has no place for {left_out}{advice}")
        } else if self.unjudged > 0 {
            format!("{} samples have no time that compares with the limits", self.unjudged)
        } else {
            "no sample is within the limits".into()
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
    let take = &mut |sample: &mut Sample, start: Option<Timestamp>, report: &mut Report| {
        if let Some(start) = start {
            sink.begin_at(start);
        }
        let took = sink.write(sample)?;
        report.count(took, &sample.value);
        Ok(())
    };
    drive(input, format, Drive { settings, limit, report: &mut report, take, progress })?;
    report.files = 1;
    report.check_not_empty(sink.advice())?;
    Ok(report)
}

/// Takes a sample; is told when the recording begins.
type Take<'a> = &'a mut dyn FnMut(&mut Sample, Option<Timestamp>, &mut Report) -> Result<()>;

struct Drive<'a> {
    settings: &'a Settings,
    limit: &'a mut Limit,
    report: &'a mut Report,
    take: Take<'a>,
    progress: &'a mut dyn FnMut(u64),
}

/// Drives the samples of a recording, or of all files of a data set in order of time.
fn drive(input: Input, format: Option<&str>, drive: Drive<'_>) -> Result<()> {
    let Some(dataset) = input.dataset() else { return input.visit(format, drive)? };
    let Drive { settings, limit, report, take, progress: _ } = drive;
    let options = dataset::Options::default().with_mounts();
    dataset.visit::<Error>(&options, &mut |event| match event {
        dataset::Event::Sample(sample) => {
            report.records = report.records.saturating_add(1);
            offer(sample, settings, limit, take, report)
        }
        dataset::Event::Fault(fault) => {
            report.fault(fault);
            Ok(())
        }
    })?;
    report.unjudged = limit.unjudged();
    Ok(())
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
                    match sampler
                        .push::<Error>(&record, &mut |sample| offer(sample, settings, limit, take, report))
                    {
                        Err(Error::Recording(error)) => report.damage(error, 0..0),
                        outcome => outcome?,
                    }
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => break,
            }
            progress(reader.position());
        }
        sampler.finish::<Error>(&mut |sample| offer(sample, settings, limit, take, report))?;
        report.unjudged = limit.unjudged();
        Ok(())
    }
}

fn offer(
    sample: &mut Sample,
    settings: &Settings,
    limit: &mut Limit,
    take: Take<'_>,
    report: &mut Report,
) -> Result<()> {
    if let Some(time) = sample.time {
        let moved = settings.moved(time).ok_or_else(|| {
            robolog_core::Error::invalid("time", time, "one that 64 bits can tell when moved", sample.offset)
        })?;
        sample.time = Some(moved);
    }
    if limit.wants(&sample.channel, sample.time) { take(sample, limit.start(), report) } else { Ok(()) }
}

/// What goes into one file of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Per {
    /// Each sample: a frame of one device, a scan.
    Frame,
    /// Each channel.
    Channel,
    /// Each device: all channels that are one but for what follows the last slash.
    Device,
    /// Each kind of channel: all that have the same name behind the last slash.
    Kind,
}

impl Per {
    /// What names the file of a channel's samples.
    fn group(self, channel: &str) -> &str {
        match self {
            Self::Frame | Self::Channel => channel,
            Self::Device => channel.rsplit_once('/').map_or(channel, |(device, _)| device),
            Self::Kind => channel.rsplit_once('/').map_or(channel, |(_, kind)| kind),
        }
    }

    /// Whether each file has a place for whatever its channels hold.
    fn chooses_channels(self) -> bool {
        matches!(self, Self::Channel | Self::Kind)
    }
}

/// Writes a file per frame, channel, device or kind of channel into a new folder at `path`, with an `index.csv` of
/// file, time and channel of what is written.
///
/// The folder appears when it is whole. A cloud without points makes no file, but a line of JSON. There may be thousands
/// of channels: few files are open at a time. Fails when nothing at all was written, and when the target is a
/// trajectory, which is that of one channel, but the files are not one for each channel.
#[expect(clippy::too_many_arguments, reason = "each is one choice of the caller's")]
pub fn convert_into_folder(
    input: Input,
    format: Option<&str>,
    settings: &Settings,
    limit: &mut Limit,
    path: &Path,
    (target, options): (TargetFormat, &SinkOptions),
    (per, force): (Per, bool),
    progress: &mut dyn FnMut(u64),
) -> Result<Report> {
    if target.is_trajectory() && per != Per::Channel {
        let name = target.name();
        return Err(Error::Target(format!(
            "a {name} file holds the trajectory of one channel: use --per channel"
        )));
    }
    let folder = Target::folder(path, force, input.path().as_slice())?;
    let chosen = limit.chooses_channels() || per.chooses_channels();
    let mut files = Files::new(folder.path(), (target, options), per, chosen)?;
    let mut report = Report::default();
    let take = &mut |sample: &mut Sample, start: Option<Timestamp>, report: &mut Report| {
        files.take(sample, start, report)
    };
    drive(input, format, Drive { settings, limit, report: &mut report, take, progress })?;
    let advice = files.finish()?;
    report.check_not_empty(advice)?;
    folder.persist()?;
    Ok(report)
}
