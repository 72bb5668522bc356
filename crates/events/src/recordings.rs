//! Events of recordings of any format, read once.

use std::{cell::RefCell, io::Read as _, rc::Rc};

use robolog_convert::{
    ChannelFilter, Feed, Input, Limit, Outcome, Report, Result, Settings, Sink, Surveyed, deliver, look,
    robolog_core::Limits, survey, survey_with_observer,
};
use robolog_core::{Sample, Timestamp, format::Observer};
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
const HEADS: [(&str, u64); 2] = [("alog", 1 << 20), (CARLA, 64 << 20)];
const CARLA: &str = "carla-rec";
/// Formats whose survey counts what samples do not show: packets that never arrived, and alarms of status words.
const COUNTED: [&str; 2] = ["lvx", "pcap"];

/// Finds the events of several recordings, read as one. Each function opens a recording, more than once if it is a
/// file. `progress` gets the position in the input.
///
/// ```
/// use robolog_convert::Input;
/// use robolog_events::{Kind, Options, events};
/// const LOG: &[u8] = b"%% LOGSTART 1700000000.5\n1.0 NAV_X pSim 1.5 \n2.0 NAV_X pSim 1.6 \n";
/// let open = || Input::new("mission.alog", Box::new(LOG));
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
    if let [open] = recordings
        && !changes(&options.settings)
    {
        let input = open()?;
        if !input.is_dataset() {
            return of_one(input, open, options, progress);
        }
    }
    let mut known = Context::default();
    let (mut feeds, mut counted) = (Vec::new(), Vec::new());
    for open in recordings {
        let input = open()?;
        let name = name_of(&input, format)?;
        let own = context_of(name, &input, open, options)?;
        known = Context {
            late_poses: known.late_poses || own.late_poses,
            vessels: known.vessels || own.vessels,
            warp: own.warp,
            several: recordings.len() > 1,
        };
        if COUNTED.contains(&name) && input.len().is_some() {
            counted = of_survey(&survey(open()?, format, &mut |_| {})?, counted);
        }
        let limit =
            if name == CARLA { Limit::default().with_channels(of_actors()) } else { Limit::default() };
        let feed = Feed::new(input).with_format(format).with_settings(lean(&options.settings));
        feeds.push(feed.with_limit(limit.unchecked()));
    }
    let mut finder = Finder::new(known, &options.thresholds);
    let report = deliver(feeds, &mut finder, progress)?;
    Ok(found(finder, counted, report))
}

/// The events of a recording, each of whose samples is seen where it is decoded.
fn of_one<O: Fn() -> Result<Input>>(
    input: Input,
    open: &O,
    options: &Options,
    progress: &mut dyn FnMut(u64),
) -> Result<Found> {
    let Options { settings, thresholds, .. } = options;
    let format = options.format.as_deref();
    let name = name_of(&input, format)?;
    let known = context_of(name, &input, open, options)?;
    let mut finder = Finder::new(known, thresholds);
    let mut counted = Vec::new();
    if COUNTED.contains(&name) && input.len().is_some() {
        // Points need not be decoded, as their times are counted.
        let shared = Rc::new(RefCell::new(finder));
        let observer = Box::new(Shared(Rc::clone(&shared)));
        let surveyed =
            survey_with_observer(open()?.with_settings(settings), format, observer, &mut *progress)?;
        let seen = shared.replace(Finder::new(known, thresholds));
        counted = of_survey(&surveyed, counted);
        if surveyed.is_sound() {
            let mut report = Report::default();
            report.records = surveyed.summary.records;
            return Ok(found(seen, counted, report));
        }
        // Reading the samples tells what is lost.
        finder = shared.replace(Finder::new(known, thresholds));
    }
    let wanted = if name == CARLA { of_actors() } else { ChannelFilter::new(|_| true) };
    if name == CARLA {
        finder.detectors = finder.detectors.with_channels(is_of_actors);
    }
    let report = look(input, format, &lean(settings), &wanted, &mut |sample| finder.see(sample), progress)?;
    Ok(found(finder, counted, report))
}

/// What a finder found, and what was counted.
fn found(finder: Finder, mut counted: Vec<Event>, report: Report) -> Found {
    let (start, left_out) = (finder.start, finder.left_out());
    counted.extend(finder.finish());
    counted.sort_by(by_time);
    Found { events: counted, left_out, start, report }
}

/// Whether settings give samples other times, names or kinds.
fn changes(settings: &Settings) -> bool {
    let Settings { clock, topics, origin, epoch, time_offset, aligned, .. } = settings;
    let moves = epoch.is_some() || *time_offset != 0 || aligned.is_some() || clock.is_some();
    moves || !topics.is_empty() || origin.is_some()
}

/// Settings that leave out what no detector looks at, and keep moments without a fix.
fn lean(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.carla.drop_velocities = true;
    settings.nmea.lost_fixes = true;
    settings
}

/// How the poses and times of a recording are to be taken, by its first bytes.
fn context_of(
    name: &str,
    input: &Input,
    open: &impl Fn() -> Result<Input>,
    options: &Options,
) -> Result<Context> {
    let Some((_, bytes)) = HEADS.iter().find(|(format, _)| *format == name) else {
        return Ok(Context::default());
    };
    let surveyed = survey(head(input, open, *bytes)?, options.format.as_deref(), &mut |_| {})?;
    Ok(context(surveyed.format, &surveyed.summary.details, &options.settings))
}

/// The name of a recording's format, without its dialect.
fn name_of<'n>(input: &Input, format: Option<&'n str>) -> Result<&'n str> {
    if input.is_dataset() {
        return Ok("effibox");
    }
    let name = format.map_or_else(|| input.format(), Ok)?;
    Ok(name.split(':').next().unwrap_or(name))
}

/// Shows a finder what a survey counts.
#[derive(Debug)]
struct Shared(Rc<RefCell<Finder>>);

impl Observer for Shared {
    fn sample(&mut self, sample: &Sample) {
        self.0.borrow_mut().see(sample);
    }

    fn stamp(&mut self, channel: &str, kind: &'static str, time: Timestamp) {
        let mut finder = self.0.borrow_mut();
        finder.start = finder.start.or(Some(time));
        finder.detectors.push_stamp(channel, kind, time);
    }
}

/// Adds what a survey counts and samples do not show: packets that never arrived, and alarms of status words.
pub fn of_survey(surveyed: &Surveyed, mut events: Vec<Event>) -> Vec<Event> {
    details::events(&surveyed.summary.details, surveyed.summary.clock, &mut events);
    events.sort_by(by_time);
    events
}

/// Whether detectors look at this channel of CARLA: lights, controls and wheels are most of a recording, and pause with the
/// poses of their frame.
fn is_of_actors(channel: &str) -> bool {
    let last = channel.rsplit('/').next().unwrap_or(channel);
    ["poses", "events", "collisions", "bounding_boxes"].contains(&last)
}

fn of_actors() -> ChannelFilter {
    ChannelFilter::new(is_of_actors)
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
        several: false,
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

    fn see(&mut self, sample: &Sample) {
        self.start = self.start.or(sample.time);
        self.detectors.push(sample);
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
        self.see(sample);
        Ok(Outcome::Written)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}
