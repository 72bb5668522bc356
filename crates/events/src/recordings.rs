//! Events of recordings of any format, read once.

use std::io::Read as _;

use robolog_convert::{
    ChannelFilter, Feed, Input, Limit, Outcome, Report, Result, Settings, Sink, Surveyed, deliver,
    robolog_core::Limits, survey,
};
use robolog_core::{Sample, Timestamp};
use serde_json::Value as Json;

use crate::{Context, Detectors, Event, Thresholds, by_time, details};

/// How recordings are read, and what is an event.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Name of the format; `None` detects it.
    pub format: Option<String>,
    /// Settings of the readers.
    pub settings: Settings,
    /// From when on something is an event.
    pub thresholds: Thresholds,
}

/// The events of recordings.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found {
    /// In order of time.
    pub events: Vec<Event>,
    /// Number of events beyond those listed.
    pub left_out: u64,
    /// The earliest start of the recordings.
    pub start: Option<Timestamp>,
    /// Report of reading them.
    pub report: Report,
}

/// Bytes at the start of a log that tell how its poses and times are to be taken: the header of a MOOS log; of CARLA,
/// the frames by which late poses are known.
const HEADS: [(&str, u64); 2] = [("alog", 1 << 20), ("carla-rec", 64 << 20)];
/// Formats whose survey counts what samples do not show: packets that never arrived, and alarms of status words.
const COUNTED: [&str; 2] = ["lvx", "pcap"];

/// Finds the events of several recordings, read as one. Each function opens a recording, more than once if it is a
/// file. `progress` gets the position in the input.
///
/// ```
/// use robolog_convert::Input;
/// use robolog_events::{Kind, Options, events};
/// let open = || Input::open("../alog/examples/moosivp.alog");
/// let found = events(&[open], &Options::default(), &mut |_| {})?;
/// assert!(found.events.iter().all(|event| event.kind != Kind::Contact));
/// # Ok::<(), robolog_convert::Error>(())
/// ```
pub fn events<O: Fn() -> Result<Input>>(
    recordings: &[O],
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Found> {
    let format = options.format.as_deref();
    let mut known = Context::default();
    let (mut feeds, mut counted) = (Vec::new(), Vec::new());
    for open in recordings {
        let input = open()?;
        let name = if input.is_dataset() { "effibox" } else { format.map_or_else(|| input.format(), Ok)? };
        let name = name.split(':').next().unwrap_or(name);
        if let Some((_, bytes)) = HEADS.iter().find(|(format, _)| *format == name) {
            let surveyed = survey(head(&input, open, *bytes)?, format, &mut |_| {})?;
            let own = context(surveyed.format, &surveyed.summary.details, &options.settings);
            known = Context {
                late_poses: known.late_poses || own.late_poses,
                vessels: known.vessels || own.vessels,
                warp: own.warp,
            };
        }
        if COUNTED.contains(&name) && input.len().is_some() {
            counted = of_survey(&survey(open()?, format, &mut |_| {})?, counted);
        }
        let limit = if name == "carla-rec" { of_actors() } else { Limit::default() };
        let feed = Feed::new(input).with_format(format).with_settings(options.settings.clone());
        feeds.push(feed.with_limit(limit));
    }
    let mut finder = Finder::new(known, &options.thresholds);
    let report = deliver(feeds, &mut finder, progress)?;
    let (start, left_out) = (finder.start, finder.left_out());
    counted.extend(finder.finish());
    counted.sort_by(by_time);
    Ok(Found { events: counted, left_out, start, report })
}

/// Adds what a survey counts and samples do not show: packets that never arrived, and alarms of status words.
pub fn of_survey(surveyed: &Surveyed, mut events: Vec<Event>) -> Vec<Event> {
    details::events(&surveyed.summary.details, surveyed.summary.clock, &mut events);
    events.sort_by(by_time);
    events
}

/// The channels of CARLA that detectors look at: lights, controls and wheels are most of a recording, and pause with the
/// poses of their frame.
fn of_actors() -> Limit {
    let is_wanted = |channel: &str| {
        let last = channel.rsplit('/').next().unwrap_or(channel);
        ["events", "collisions", "poses", "bounding_boxes"].contains(&last)
    };
    Limit::default().with_channels(ChannelFilter::new(is_wanted)).unchecked()
}

/// The first bytes of a recording; of a pipe, those that were read to know its format.
fn head(input: &Input, open: &impl Fn() -> Result<Input>, bytes: u64) -> Result<Input> {
    let stream: Box<dyn std::io::Read + Send> = match input.len() {
        Some(_) => Box::new(open()?.into_stream().take(bytes)),
        None => Box::new(std::io::Cursor::new(input.start().to_vec())),
    };
    let head = Input::new_with(input.name(), stream, Limits::default())?;
    Ok(match input.path() {
        Some(path) => head.read_as(path),
        None => head,
    })
}

/// What a survey says that samples do not.
pub fn context(format: &str, details: &Json, settings: &Settings) -> Context {
    let warp = details.get("time_warp").and_then(Json::as_f64);
    // Under the mission's own clock nothing is faster.
    let warp = warp.filter(|warp| *warp > 0.0 && !settings.alog.time.is_of_mission());
    Context {
        late_poses: details.get("late_poses") == Some(&Json::Bool(true)),
        vessels: format == "alog",
        warp: warp.unwrap_or(1.0),
    }
}

/// Shows each sample to the detectors.
#[derive(Debug)]
pub struct Finder {
    detectors: Detectors,
    start: Option<Timestamp>,
}

impl Finder {
    /// With all detectors.
    pub fn new(context: Context, limits: &Thresholds) -> Self {
        Self { detectors: Detectors::new(context, limits), start: None }
    }

    /// Number of events left out, because there are more than anybody reads.
    pub fn left_out(&self) -> u64 {
        self.detectors.left_out()
    }

    /// The events, in order of time.
    pub fn finish(self) -> Vec<Event> {
        self.detectors.finish()
    }
}

impl Sink for Finder {
    fn begin_at(&mut self, start: Timestamp) {
        self.start = Some(start);
    }

    fn write(&mut self, sample: &mut Sample) -> Result<Outcome> {
        self.start = self.start.or(sample.time);
        self.detectors.push(sample);
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
