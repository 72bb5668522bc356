//! Converts recordings into a sink or a folder.

mod bag;
mod beside;
mod destination;
mod files;
mod folder;
mod merge;
mod names;
mod output;
mod pool;
mod read;

use std::mem;

use self::output::Output;
pub use self::{
    bag::convert_into_bag, destination::Destination, folder::convert_into_folder, names::partition,
};
use crate::{ChannelFilter, Feed, Plan, Report, Result, Sink, report::Counts, sink::Selection};

/// Writes the samples of a plan, or of recordings without steps, into `sink`; samples of several recordings in order of
/// time. `progress` gets the number of input bytes read.
///
/// Skips and reports damage. Returns an error if nothing was written, or if times of several feeds cannot be compared.
/// With two cores, one reads and one writes; the output is the same. Does not finish the sink.
pub fn convert(plan: impl Into<Plan>, sink: &mut dyn Sink, progress: &mut dyn FnMut(u64)) -> Result<Report> {
    let report = deliver(plan, sink, progress)?;
    report.check_not_empty(sink.advice())?;
    Ok(report)
}

/// Like [`convert`], but a recording without samples is not an error: [`Report::written`] is then empty.
pub fn deliver(plan: impl Into<Plan>, sink: &mut dyn Sink, progress: &mut dyn FnMut(u64)) -> Result<Report> {
    let mut plan = plan.into();
    let feeds = mem::take(&mut plan.feeds);
    let chosen = selection(&feeds) == Selection::Channels;
    let limited = feeds.iter().any(|feed| !feed.limit().is_unlimited());
    let filters: Vec<_> = feeds.iter().flat_map(Feed::filters).cloned().collect();
    let mut output = Output { plan, sink, progress, counts: Counts::default(), begun: None };
    let mut read = Report::default();
    match <[Feed; 1]>::try_from(feeds) {
        Ok([feed]) => read.add(0, read::one(feed, &mut output)?),
        Err(feeds) => read = merge::merge(feeds, &mut output)?,
    }
    if !read.ended_early {
        filters.iter().try_for_each(ChannelFilter::check)?;
    }
    let Output { plan, sink, counts, .. } = output;
    let mut report = Report { files: 1, chosen, limited, ..plan.report(read).with(counts) };
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

/// The selection that the limits of feeds ask for.
fn selection(feeds: &[Feed]) -> Selection {
    let is_chosen = feeds.iter().any(|feed| feed.limit().chooses_channels());
    if is_chosen { Selection::Channels } else { Selection::Everything }
}
