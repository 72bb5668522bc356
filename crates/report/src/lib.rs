//! One self-contained HTML page that shows what is in a robot recording, and charts of single channels.
//!
//! ```
//! # let folder = std::env::temp_dir().join(format!("robolog-report-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("drive.gpx");
//! # std::fs::write(&path, "<gpx version=\"1.1\"><trk><trkseg>\
//! #     <trkpt lat=\"47\" lon=\"8\"><time>2024-05-17T10:00:00Z</time></trkpt>\
//! #     <trkpt lat=\"47.001\" lon=\"8\"><time>2024-05-17T10:00:09Z</time></trkpt></trkseg></trk></gpx>")?;
//! let page = robolog_report::report(&path, &robolog_report::Options::default(), &mut |_| {})?;
//! assert!(page.html.starts_with("<!doctype html>") && page.verdict < robolog_report::Verdict::Damaged);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The page needs no network and no program but a browser. It is below 5 MB for any input, the same bytes for the same
//! input, and reads without its script, which turns point clouds, links a cursor through all charts and searches tables.
//! Its security policy lets nothing run but that script; every text of a recording is escaped.
//!
//! Reading takes two passes: [`robolog_convert::survey`] says when the recording begins and ends, and the second pass
//! takes its samples. Memory does not grow with the recording.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    reason = "no bytes of a file are read here: counters count samples, and numbers are drawn"
)]
#![allow(
    clippy::float_cmp,
    clippy::many_single_char_names,
    clippy::similar_names,
    reason = "charts are made of x, y and t and their ends; a value is compared with the one before, which is equal or not"
)]

mod axis;
mod collect;
mod draw;
mod folder;
mod page;
mod plot;
mod raster;
mod text;

use std::path::Path;

use robolog_convert::{Error, Feed, Input, Limit, Report, Result, Settings, Surveyed, deliver, pcap, survey};

pub use folder::{Entry, index};
pub use page::Verdict;
pub use plot::{PlotFormat, plot};

use self::{
    axis::Axis,
    collect::{Collected, Collector},
};

/// What can be chosen for a page or a plot.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The name of the format, where it is not to be found from the bytes.
    pub format: Option<String>,
    /// How the recording is read.
    pub settings: Settings,
}

/// A page about a recording.
#[derive(Debug)]
#[non_exhaustive]
pub struct Page {
    /// The document.
    pub html: String,
    /// Whether the recording can be trusted.
    pub verdict: Verdict,
    /// What the page of a folder says of the recording.
    pub entry: Entry,
    /// What the survey counted.
    pub surveyed: Surveyed,
    /// What was met when the samples were read.
    pub read: Report,
}

/// Makes the page of the recording at `path`, a file or the folder of a data set. `progress` gets the position in the
/// input, once for each pass.
///
/// Damage is shown on the page. Fails when the input cannot be read twice, when its format is not known, and for a capture
/// of packets, which is to be converted first.
pub fn report(path: &Path, options: &Options, progress: &mut dyn FnMut(u64)) -> Result<Page> {
    let (surveyed, collected, read) = collect(path, options, None, progress)?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let recording = page::Recording { name: &name, surveyed: &surveyed, kept: &collected, read: &read };
    let (html, verdict, entry) = page::build(&recording);
    Ok(Page { html, verdict, entry, surveyed, read })
}

fn collect(
    path: &Path,
    options: &Options,
    limit: Option<Limit>,
    progress: &mut dyn FnMut(u64),
) -> Result<(Surveyed, Collected, Report)> {
    let meta = std::fs::metadata(path).map_err(|e| Error::file(path, e))?;
    if !(meta.is_file() || meta.is_dir()) {
        return Err(Error::Target("it is read twice: give a file, not a pipe".into()));
    }
    let input = Input::open(path)?;
    if pcap::detect(input.start()) {
        return Err(Error::Target("a capture of packets: convert it first, to lvx or koblenz-log".into()));
    }
    let format = options.format.as_deref();
    let surveyed = survey(input, format, progress)?;
    let moved = |time| options.settings.moved(time);
    let span = surveyed.summary.span.and_then(|(start, end)| moved(start).zip(moved(end)));
    let mut collector = Collector::new(Axis::new(span), &surveyed.summary.channels);
    let feed = Feed::new(Input::open(path)?).with_format(format).with_settings(options.settings.clone());
    let feed = feed.with_limit(limit.unwrap_or_default());
    let read = deliver(vec![feed], &mut collector, progress)?;
    Ok((surveyed, collector.into_collected(), read))
}
