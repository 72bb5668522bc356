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
//! The page needs only a browser, no network. It stays below 5 MB for any input, and the same input gives the same
//! bytes. It is readable without its script, which replays the recording, rotates point clouds, links a cursor
//! through all charts and searches tables. The security policy allows only that script; all text from the recording
//! is escaped.
//!
//! Reading takes two passes: [`robolog_convert::survey`] finds the time span, the second pass reads the samples. A
//! stream is spooled to a temporary file. Memory does not
//! grow with the recording: it stays below 128 MiB for any input.

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

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod axis;
mod collect;
mod compare;
mod draw;
mod folder;
mod happened;
mod many;
mod page;
mod plot;
mod quantiles;
mod raster;
mod sheet;
mod source;
mod text;

use robolog_convert::{Feed, Input, Limit, Report, Result, Settings, Surveyed, deliver, survey};
use robolog_core::Limits;

pub use compare::{Comparison, Statistics, TrajectoryError, compare};
pub use folder::{Entry, index};
pub use many::{Multiples, multiples};
pub use page::Verdict;
pub use plot::{Picture, PlotFormat, PlotSize, Plotting, plot};
pub use source::{Source, Spooled};

use self::{
    axis::{Axis, Span},
    collect::{Collected, Collector},
    happened::Watched,
};

/// Options of a page or a plot.
///
/// ```
/// let mut options = robolog_report::Options::default();
/// options.format = Some("nmea".into()); // whatever the bytes look like
/// options.settings.time_offset = 1_000_000_000; // a second
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Name of the format; `None` detects it from the bytes.
    pub format: Option<String>,
    /// Settings of the reader.
    pub settings: Settings,
    /// Memory limits of the reader; by default, records of at most [`Options::RECORD`] bytes.
    pub limits: Limits,
    /// The samples that a page shows.
    pub limit: Limit,
    /// Events that a plot marks on its time axis.
    pub marks: Vec<robolog_events::Event>,
}

impl Options {
    /// Default maximum record size in bytes: with it, a page takes less than 128 MiB of memory for any input. A
    /// larger record counts as damage and is reported on the page.
    pub const RECORD: usize = 16 << 20;
}

impl Default for Options {
    fn default() -> Self {
        let limits = Limits::default().with_record(Self::RECORD);
        Self {
            format: None,
            settings: Settings::default(),
            limits,
            limit: Limit::default(),
            marks: Vec::new(),
        }
    }
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
    /// The survey.
    pub surveyed: Surveyed,
    /// Report of reading the samples.
    pub read: Report,
}

/// Makes the page of a recording: a file, a data set folder, or a stream. `progress` gets the position in the input,
/// in each pass.
///
/// Damage is shown on the page. Returns an error if the input cannot be read or its format is unknown.
///
/// ```
/// use robolog_report::{Options, Verdict, report};
/// let page = report("examples/room.lvx", &Options::default(), &mut |_| {})?;
/// assert!(page.verdict < Verdict::Damaged && page.html.contains("HORIZONROOM0001"));
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn report<'a>(
    source: impl Into<Source<'a>>,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Page> {
    let source = source.into();
    let (surveyed, collected, read) = collect(source, options, progress)?;
    let name = source.name();
    let recording = page::Recording { name: &name, surveyed: &surveyed, kept: &collected, read: &read };
    let (html, verdict, thumbnail) = page::build(&recording);
    let entry = Entry::new(&recording, verdict, thumbnail);
    Ok(Page { html, verdict, entry, surveyed, read })
}

fn collect(
    source: Source<'_>,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<(Surveyed, Collected, Report)> {
    let spooled = source.spool()?;
    let source = spooled.as_ref().map_or(source, Source::Spooled);
    let len = source.len();
    let mut surveyed = surveyed(source, len, options, progress)?;
    let (limit, span) = chosen(&mut surveyed, &options.limit, options)?;
    let part = Part { axis: Axis::new(span), limit };
    let (kept, read) = read(source, len, &surveyed, part, options, progress)?;
    Ok((surveyed, kept, read))
}

/// A source from its beginning.
fn open(source: Source<'_>, len: u64, options: &Options) -> Result<Input> {
    let (times, model) = (options.settings.alog.time, options.settings.model);
    source.open(options.limits, len).map(|input| input.with_times(times).with_model(model))
}

/// The first pass.
pub(crate) fn surveyed(
    source: Source<'_>,
    len: u64,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Surveyed> {
    survey(open(source, len, options)?, options.format.as_deref(), progress)
}

/// Start and end with the settings applied.
pub(crate) fn moved((start, end): Span, options: &Options) -> Option<Span> {
    options.settings.moved(start).zip(options.settings.moved(end))
}

/// Start and end of the time axis.
pub(crate) fn span_of(surveyed: &Surveyed, options: &Options) -> Option<Span> {
    let span = surveyed.summary.span?;
    moved(axis::busy(&surveyed.summary.channels, span).unwrap_or(span), options)
}

/// The limits of a recording, of which only the chosen channels stay, and its time axis within them.
pub(crate) fn chosen(
    surveyed: &mut Surveyed,
    limit: &Limit,
    options: &Options,
) -> Result<(Limit, Option<Span>)> {
    let mut limit = limit.clone();
    limit.know_channels(&surveyed.summary.channels)?;
    surveyed.summary.channels.retain(|channel| limit.keeps_channel(&channel.name));
    // They name what the other channels are of.
    let mut limit = limit.beside(|channel| channel == "actors");
    let whole = surveyed.summary.span.and_then(|span| moved(span, options));
    let Some((start, end)) = whole.filter(|_| limit.bounds() != (None, None)) else {
        return Ok((limit, span_of(surveyed, options)));
    };
    limit.begin_at(start);
    limit.end_at(end);
    let span = axis::within((start, end), &limit.range());
    Ok((limit, Some(span)))
}

/// What the second pass reads.
pub(crate) struct Part {
    pub(crate) axis: Axis,
    pub(crate) limit: Limit,
}

/// The second pass.
pub(crate) fn read(
    source: Source<'_>,
    len: u64,
    surveyed: &Surveyed,
    part: Part,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<(Collected, Report)> {
    let warp = surveyed.summary.details.get("time_warp").and_then(serde_json::Value::as_f64);
    // Speeds are by the mission's own clock.
    let warp = warp.filter(|_| !options.settings.alog.time.is_of_mission());
    let axis = part.axis.with_warp(warp.unwrap_or(1.0));
    let collector = Collector::new(axis, &surveyed.summary);
    let mut watched = Watched::new(collector, surveyed, &options.settings);
    let feed = Feed::new(open(source, len, options)?).with_format(options.format.as_deref());
    let mut settings = options.settings.clone();
    settings.nmea.lost_fixes = true;
    let feed = feed.with_settings(settings).with_limit(part.limit);
    let read = deliver(vec![feed], &mut watched, progress)?;
    let (collector, happened) = watched.finish(surveyed);
    let mut kept = collector.into_collected();
    kept.happened = happened;
    Ok((kept, read))
}
