//! From recordings into a sink.

mod bag;
mod files;
mod merge;
mod names;
mod pool;

use std::{path::Path, thread};

use robolog_core::{Sample, Timestamp};

use crate::{
    Error, Feed, Origin, Report, Result, Sink, SinkOptions, TargetFormat, feed::Outlet, target::Target,
};
pub use bag::convert_into_bag;
use files::Files;
#[cfg(feature = "mcap")]
pub(crate) use merge::weight;

/// Writes the samples of `feeds` into `sink`: those of several in order of time. `progress` is told how many bytes of
/// the inputs are read.
///
/// Damage is passed over and reported. Fails when nothing at all was written, and when the times of several feeds do not
/// compare. Where there are two cores, one reads and one writes; what is written is the same. The sink is not finished.
pub fn convert(feeds: Vec<Feed>, sink: &mut dyn Sink, progress: &mut dyn FnMut(u64)) -> Result<Report> {
    let report = deliver(feeds, sink, progress)?;
    report.check_not_empty(sink.advice())?;
    Ok(report)
}

/// Like [`convert`], but a recording without samples is no error: [`Report::written`] is then empty.
pub fn deliver(feeds: Vec<Feed>, sink: &mut dyn Sink, progress: &mut dyn FnMut(u64)) -> Result<Report> {
    let chosen = feeds.iter().any(|feed| feed.limit().chooses_channels());
    let limited = feeds.iter().any(|feed| !feed.limit().is_unlimited());
    let mut report = drive(feeds, &mut OneFile { sink }, progress)?;
    (report.files, report.chosen, report.limited) = (1, chosen, limited);
    for damage in &report.damage {
        sink.warn(&damage.error.to_string());
    }
    for fault in &report.faults {
        sink.warn(&fault.to_string());
    }
    Ok(report)
}

/// Where the samples of all feeds go.
trait Intake {
    /// Is told of each recording.
    fn begin(&mut self, origin: &Origin) -> Result<()>;
    /// Takes a sample; `start` is when the recording begins, as far as is known.
    fn take(&mut self, sample: &mut Sample, start: Option<Timestamp>, report: &mut Report) -> Result<()>;
}

struct OneFile<'a> {
    sink: &'a mut dyn Sink,
}

impl Intake for OneFile<'_> {
    fn begin(&mut self, origin: &Origin) -> Result<()> {
        self.sink.origin(origin)
    }

    fn take(&mut self, sample: &mut Sample, start: Option<Timestamp>, report: &mut Report) -> Result<()> {
        if let Some(start) = start {
            self.sink.begin_at(start);
        }
        let took = self.sink.write(sample)?;
        report.count(took, &sample.value);
        Ok(())
    }
}

/// Drives the samples of all feeds into `intake`.
fn drive(mut feeds: Vec<Feed>, intake: &mut dyn Intake, progress: &mut dyn FnMut(u64)) -> Result<Report> {
    let has_cores = || thread::available_parallelism().is_ok_and(|n| n.get() > 1);
    if feeds.len() != 1 || has_cores() {
        return merge::drive(feeds, intake, progress);
    }
    let Some(feed) = feeds.pop() else { return Ok(Report::default()) };
    let mut here = Here { intake, progress, report: Report::default() };
    let read = feed.read(&mut here)?;
    let mut report = here.report;
    report.add(0, read);
    Ok(report)
}

/// Takes the samples of one feed as they are read.
struct Here<'a> {
    intake: &'a mut dyn Intake,
    progress: &'a mut dyn FnMut(u64),
    report: Report,
}

impl Outlet for Here<'_> {
    fn begin(&mut self, origin: Origin) -> Result<()> {
        self.intake.begin(&origin)
    }

    fn sample(&mut self, sample: &mut Sample, start: Option<Timestamp>) -> Result<()> {
        self.intake.take(sample, start, &mut self.report)
    }

    fn position(&mut self, position: u64) -> Result<()> {
        (self.progress)(position);
        Ok(())
    }
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

/// Writes a file per frame, channel, device or kind of channel into a new folder at `path`, with an `_index.csv` of
/// file, time and channel of what is written. Of CSV files, `_csv-metadata.json` tells the units.
///
/// The folder appears when it is whole. A cloud without points makes no file, but a line of JSON. There may be thousands
/// of channels: few files are open at a time, and each channel takes about a kilobyte of memory until the end. Fails when nothing at all was written, and when the target is a
/// trajectory, which is that of one channel, but the files are not one for each channel.
pub fn convert_into_folder(
    feeds: Vec<Feed>,
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
    if options.tables.hive && !(target.is_binary_table() && per.chooses_channels()) {
        return Err(Error::Target(
            "--hive lays out Parquet and Arrow files with --per channel or --per kind".into(),
        ));
    }
    let folder = {
        let inputs: Vec<&Path> = feeds.iter().flat_map(Feed::files).collect();
        Target::folder(path, force, &inputs)?
    };
    let by_name = feeds.iter().any(|feed| feed.limit().chooses_channels());
    let limited = feeds.iter().any(|feed| !feed.limit().is_unlimited());
    let mut files = Files::new(folder.path(), (target, options), per, by_name || per.chooses_channels())?;
    let mut report = drive(feeds, &mut files, progress)?;
    (report.chosen, report.limited) = (by_name, limited);
    let advice = files.finish()?;
    report.check_not_empty(advice)?;
    folder.persist()?;
    Ok(report)
}
