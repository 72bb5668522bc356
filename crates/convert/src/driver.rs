//! From a recording into a sink.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::BufWriter,
    ops::Range,
    path::Path,
};

use robolog_core::{Event, Sample, Sampler as _, StreamReader, Timestamp, Value, text::file_name};

use crate::{
    Error, Input, Limit, Result, Settings, Sink, Source, TargetFormat, Took, Visit,
    sink::{self, PcdData},
    source::Stream,
    target::{INDEX, INDEX_HEADER, Target},
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

    /// A file without a value in it is no success.
    fn check_not_empty(&self) -> Result<()> {
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
            format!("the target has no place for {} (--channel chooses)", list(&self.left_out))
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
    input.visit(format, Drive { settings, limit, report: &mut report, take, progress })??;
    report.files = 1;
    report.check_not_empty()?;
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

impl Visit for Drive<'_> {
    type Output = Result<()>;

    fn visit<F: Source>(self, mut reader: StreamReader<Stream, F>) -> Result<()> {
        let Self { settings, limit, report, take, progress } = self;
        let mut sampler = F::Sampler::new(reader.header(), F::options(settings));
        loop {
            match reader.next_event()? {
                Event::Record(record) => {
                    report.records = report.records.saturating_add(1);
                    match sampler.push::<Error>(&record, &mut |sample| offer(sample, limit, take, report)) {
                        Err(Error::Recording(error)) => report.damage(error, 0..0),
                        outcome => outcome?,
                    }
                }
                Event::Damage { error, lost } => report.damage(error, lost),
                Event::End => break,
            }
            progress(reader.position());
        }
        sampler.finish::<Error>(&mut |sample| offer(sample, limit, take, report))?;
        report.unjudged = limit.unjudged();
        Ok(())
    }
}

fn offer(sample: &mut Sample, limit: &mut Limit, take: Take<'_>, report: &mut Report) -> Result<()> {
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
}

impl Per {
    /// What names the file of a channel's samples.
    fn group(self, channel: &str) -> &str {
        match self {
            Self::Frame | Self::Channel => channel,
            Self::Device => channel.rsplit_once('/').map_or(channel, |(device, _)| device),
        }
    }
}

/// Writes a file per frame, channel or device into a new folder at `path`, with an `index.csv` of file, time and
/// channel.
///
/// The folder appears when it is whole. A cloud without points makes no file, but a line of JSON.
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
    let folder = Target::folder(path, force, input.path().as_slice())?;
    let mut index = csv::Writer::from_path(folder.path().join(INDEX)).map_err(csv_error)?;
    index.write_record(INDEX_HEADER).map_err(csv_error)?;
    let chosen = limit.chooses_channels();
    let names = BTreeSet::from([INDEX.to_owned()]);
    let (folder_path, open) = (folder.path(), BTreeMap::new());
    let mut files =
        Files { folder: folder_path, target, pcd_data, chosen, per, index, names, open, samples: 0 };
    let mut report = Report::default();
    let take = &mut |sample: &mut Sample, start: Option<Timestamp>, report: &mut Report| {
        files.take(sample, start, report)
    };
    input.visit(format, Drive { settings, limit, report: &mut report, take, progress })??;
    files.finish()?;
    report.check_not_empty()?;
    folder.persist()?;
    Ok(report)
}

/// The files of a folder on their way.
struct Files<'a> {
    folder: &'a Path,
    target: TargetFormat,
    pcd_data: PcdData,
    chosen: bool,
    per: Per,
    index: csv::Writer<fs::File>,
    /// In lower case: there are file systems that do not tell capitals apart.
    names: BTreeSet<String>,
    /// By what they hold; a file's name, and what writes it.
    open: BTreeMap<String, (String, Box<dyn Sink>)>,
    samples: u64,
}

impl Files<'_> {
    fn take(&mut self, sample: &mut Sample, start: Option<Timestamp>, report: &mut Report) -> Result<()> {
        if !sink::takes(self.target, &sample.value, self.chosen) {
            report.count(Took::LeftOut, &sample.value);
            return Ok(());
        }
        let values = if let Value::PointCloud(cloud) = &sample.value { cloud.len() } else { 1 };
        if values == 0 && self.target != TargetFormat::Jsonl {
            report.count(Took::Written, &sample.value);
            return Ok(());
        }
        let group = self.per.group(&sample.channel);
        let (name, mut sink) = if let Some(open) = self.open.remove(group) {
            open
        } else {
            report.files = report.files.saturating_add(1);
            self.create(group)?
        };
        self.samples = self.samples.saturating_add(1);
        if let Some(start) = start {
            sink.begin_at(start);
        }
        let time = sample.time.map(|t| t.nanos().to_string()).unwrap_or_default();
        let row = [&name, &time, &*sample.channel, &values.to_string()];
        self.index.write_record(row).map_err(csv_error)?;
        let took = sink.write(sample)?;
        report.count(took, &sample.value);
        if self.per == Per::Frame {
            return sink.finish();
        }
        let group = self.per.group(&sample.channel).to_owned();
        self.open.insert(group, (name, sink));
        Ok(())
    }

    fn create(&mut self, group: &str) -> Result<(String, Box<dyn Sink>)> {
        let (stem, extension) = (file_name(group.as_bytes()), self.target.name());
        let mut name = match self.per {
            Per::Frame => format!("{:06}_{stem}.{extension}", self.samples),
            Per::Channel | Per::Device => format!("{stem}.{extension}"),
        };
        // What differs in a recording must not become one file because its name was made harmless.
        let mut number = 2_u64;
        while self.names.contains(&name.to_lowercase()) {
            name = format!("{stem}_{number}.{extension}");
            number = number.saturating_add(1);
        }
        if self.per != Per::Frame {
            self.names.insert(name.to_lowercase());
        }
        let path = self.folder.join(&name);
        let out = fs::File::create_new(&path).map_err(|e| Error::file(&path, e))?;
        let out = BufWriter::with_capacity(1 << 20, out);
        Ok((name, sink::open(self.target, out, self.pcd_data, self.chosen)?))
    }

    fn finish(mut self) -> Result<()> {
        for (_, sink) in self.open.into_values() {
            sink.finish()?;
        }
        self.index.flush()?;
        Ok(())
    }
}

fn csv_error(error: csv::Error) -> Error {
    Error::Write(error.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_whose_names_become_the_same_keep_files_of_their_own() {
        let dir = tempfile::tempdir().unwrap();
        let index = csv::Writer::from_path(dir.path().join(INDEX)).unwrap();
        let mut files = Files {
            folder: dir.path(),
            target: TargetFormat::Csv,
            pcd_data: PcdData::Binary,
            chosen: true,
            per: Per::Channel,
            index,
            names: BTreeSet::from([INDEX.to_owned()]),
            open: BTreeMap::new(),
            samples: 0,
        };
        let mut report = Report::default();
        for channel in ["a/b", "a_b", "A b", "index", "a/b"] {
            let mut sample = Sample {
                time: None,
                offset: 0,
                channel: channel.into(),
                frame_id: "".into(),
                value: Value::Scalar(1.0),
            };
            files.take(&mut sample, None, &mut report).unwrap();
        }
        files.finish().unwrap();
        let mut names: Vec<_> = fs::read_dir(dir.path())
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["A_b_3.csv", "a_b.csv", "a_b_2.csv", "index.csv", "index_2.csv"]);
        assert_eq!((report.files, report.written["scalar"].samples), (4, 5));
        assert_eq!(fs::read_to_string(dir.path().join("a_b.csv")).unwrap().lines().count(), 1 + 2);
    }
}
