//! From recordings into a sink.

mod bag;
mod beside;
mod destination;
mod files;
mod folder;
mod merge;
mod names;
mod per;
mod pool;

use std::{mem, thread};

use robolog_core::{Sample, Timestamp};

pub use self::{
    bag::convert_into_bag, destination::Destination, folder::convert_into_folder, names::partition, per::Per,
};
use crate::{
    ChannelFilter, Feed, Origin, Plan, Report, Result, Sink, feed::Outlet, op::Through, report::Counts,
    sink::Selection,
};

/// Writes the samples of a plan, or of its recordings alone, into `sink`: those of several in order of time. `progress` gets how many bytes of
/// the inputs are read.
///
/// Damage is passed over and reported. Fails when nothing at all was written, and when the times of several feeds do not
/// compare. Where there are two cores, one reads and one writes; what is written is the same. The sink is not finished.
pub fn convert(plan: impl Into<Plan>, sink: &mut dyn Sink, progress: &mut dyn FnMut(u64)) -> Result<Report> {
    let report = deliver(plan, sink, progress)?;
    report.check_not_empty(sink.advice())?;
    Ok(report)
}

/// Like [`convert`], but a recording without samples is no error: [`Report::written`] is then empty.
pub fn deliver(plan: impl Into<Plan>, sink: &mut dyn Sink, progress: &mut dyn FnMut(u64)) -> Result<Report> {
    let plan = plan.into();
    let chosen = selection(&plan.feeds) == Selection::Channels;
    let limited = plan.feeds.iter().any(|feed| !feed.limit().is_unlimited());
    let mut file = OneFile { sink, progress, counts: Counts::default() };
    let read = drive(plan, &mut file)?;
    let OneFile { sink, counts, .. } = file;
    let mut report = Report { files: 1, chosen, limited, ..read.with(counts) };
    report.notes.extend(sink.notes()?);
    for damage in &report.damage {
        sink.warn(&damage.error.to_string());
    }
    #[cfg(feature = "from-effibox")]
    for fault in &report.faults {
        sink.warn(&fault.to_string());
    }
    Ok(report)
}

/// Takes the samples of all feeds.
struct OneFile<'a> {
    sink: &'a mut dyn Sink,
    progress: &'a mut dyn FnMut(u64),
    counts: Counts,
}

impl Outlet for OneFile<'_> {
    fn begin(&mut self, origin: Origin) -> Result<()> {
        self.sink.origin(&origin)
    }

    fn of_feed(&mut self, feed: usize) {
        self.counts.feed = feed;
    }

    fn sample(&mut self, sample: &mut Sample, start: Option<Timestamp>) -> Result<()> {
        if let Some(start) = start {
            self.sink.begin_at(start);
        }
        let took = self.sink.write(sample)?;
        self.counts.add(took, &sample.value);
        Ok(())
    }

    fn position(&mut self, position: u64) -> Result<()> {
        (self.progress)(position);
        Ok(())
    }
}

/// What the limits of feeds ask for.
fn selection(feeds: &[Feed]) -> Selection {
    let is_chosen = feeds.iter().any(|feed| feed.limit().chooses_channels());
    if is_chosen { Selection::Channels } else { Selection::Everything }
}

/// Drives the samples of all feeds through the steps into `outlet`. Gives what was met in reading.
///
/// Fails when a pattern for channels matches none of those that were met.
fn drive(mut plan: Plan, outlet: &mut dyn Outlet) -> Result<Report> {
    let feeds = mem::take(&mut plan.feeds);
    let filters: Vec<_> = feeds.iter().filter_map(|feed| feed.limit().channels().cloned()).collect();
    let report = drive_all(feeds, &mut Through { plan: &mut plan, outlet })?;
    if !report.ended_early {
        filters.iter().try_for_each(ChannelFilter::check)?;
    }
    Ok(plan.report(report))
}

fn drive_all(mut feeds: Vec<Feed>, outlet: &mut dyn Outlet) -> Result<Report> {
    let has_cores = || thread::available_parallelism().is_ok_and(|n| n.get() > 1);
    if feeds.len() != 1 || has_cores() {
        return merge::drive(feeds, outlet);
    }
    let mut report = Report::default();
    if let Some(feed) = feeds.pop() {
        report.add(0, feed.read(outlet)?);
    }
    Ok(report)
}
