#![doc = include_str!("../README.md")]
#![allow(clippy::needless_doctest_main, reason = "the README shows whole programs")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    reason = "vectors and times are floating point; counts saturate"
)]

mod actors;
mod approach;
mod bodies;
mod collision;
mod contact;
#[cfg(feature = "recordings")]
mod details;
mod event;
mod gap;
mod gnss;
mod mode;
mod motion;
mod names;
#[cfg(feature = "recordings")]
mod recordings;
mod rectangle;
mod rows;
mod thresholds;

use std::cmp::Ordering;

use robolog_core::{FixQuality, Sample, Timestamp, Value};

use self::{mode::Texts, names::at};

pub use event::{Event, Kind};
#[cfg(feature = "recordings")]
pub use recordings::{Finder, Found, Options, context, events, of_survey};
pub use thresholds::{Threshold, Thresholds};

/// What samples do not say of themselves.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Context {
    /// Whether poses are those at the stamp before, as CARLA's recorder 0.9.6 writes them.
    pub late_poses: bool,
    /// Whether the recording is of vessels, and its texts are variables of MOOS.
    pub vessels: bool,
    /// How much faster than the stamps the vessels' world ran: MOOS's time warp.
    pub warp: f64,
    /// Whether samples of several recordings come mixed: then vehicles tell their channels apart.
    pub several: bool,
}

impl Default for Context {
    fn default() -> Self {
        Self { late_poses: false, vessels: false, warp: 1.0, several: false }
    }
}

/// Finds events in the samples of a recording, of any format, in order of the file.
///
/// ```
/// use robolog_core::{Clock, FixQuality, GnssFix, Sample, Timestamp, Value};
/// use robolog_events::{Context, Detectors, Kind, Thresholds};
/// let mut detectors = Detectors::new(Context::default(), &Thresholds::default());
/// for (second, quality) in [FixQuality::Gps, FixQuality::None, FixQuality::Gps].into_iter().enumerate() {
///     let fix = GnssFix { latitude: 47.0, longitude: 8.0, quality, ..GnssFix::default() };
///     let time = Timestamp::new(second as i64 * 1_000_000_000, Clock::Unix);
///     detectors.push(&Sample::new("gps/fix", Value::GnssFix(fix)).with_time(time));
/// }
/// let events = detectors.finish();
/// assert_eq!(events.iter().map(|event| event.kind).collect::<Vec<_>>(), [Kind::GnssLost, Kind::GnssBack]);
/// assert_eq!(events[1].value, Some(1.0));
/// ```
#[derive(Debug)]
pub struct Detectors {
    vessels: bool,
    several: bool,
    /// Whether a channel is looked at.
    wants: fn(&str) -> bool,
    channels: names::Names,
    /// What the channels hold, by number.
    topics: Vec<Option<Topic>>,
    bodies: bodies::Bodies,
    contacts: contact::Contacts,
    collisions: collision::Collisions,
    motions: motion::Motions,
    approaches: approach::Approaches,
    gaps: gap::Gaps,
    receivers: gnss::Receivers,
    modes: mode::Modes,
    found: Vec<Event>,
    left_out: u64,
}

/// What a channel holds, by its name.
#[derive(Debug, Clone, Copy)]
struct Topic {
    rows: SimulatorTable,
    texts: Texts,
    is_route: bool,
    is_wanted: bool,
}

/// The tables of a simulator that detectors look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SimulatorTable {
    Actors,
    Boxes,
    Collisions,
    Others,
}

impl Topic {
    fn of(channel: &str, is_wanted: bool) -> Self {
        let rows = match channel {
            "events" => SimulatorTable::Actors,
            "collisions" => SimulatorTable::Collisions,
            channel if channel.ends_with("/bounding_boxes") => SimulatorTable::Boxes,
            _ => SimulatorTable::Others,
        };
        let route = channel.strip_prefix("route");
        let is_route = route.is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()));
        Self { rows, texts: Texts::of(channel), is_route, is_wanted }
    }
}

/// Maximum number of events: a recording whose fixes come and go with every record has as many as records.
const MOST: usize = 100_000;
/// Maximum number of bodies and channels that a detector follows.
const FOLLOWED: usize = 20_000;

impl Detectors {
    /// All detectors.
    pub fn new(context: Context, limits: &Thresholds) -> Self {
        Self {
            vessels: context.vessels,
            several: context.several,
            wants: |_| true,
            channels: names::Names::default(),
            topics: Vec::new(),
            bodies: bodies::Bodies::default(),
            contacts: contact::Contacts::new(context, limits),
            collisions: collision::Collisions::new(limits),
            motions: motion::Motions::new(context, limits),
            approaches: approach::Approaches::new(context),
            gaps: gap::Gaps::new(context, limits),
            receivers: gnss::Receivers::new(context, limits),
            modes: mode::Modes::new(limits),
            found: Vec::new(),
            left_out: 0,
        }
    }

    /// Looks only at the channels that `wants` accepts.
    #[must_use]
    pub fn with_channels(self, wants: fn(&str) -> bool) -> Self {
        Self { wants, ..self }
    }

    fn topic(&mut self, number: usize, channel: &str) -> Topic {
        let wants = self.wants;
        *at(&mut self.topics, number).get_or_insert_with(|| Topic::of(channel, wants(channel)))
    }

    /// Takes the next sample.
    pub fn push(&mut self, sample: &Sample) {
        let owner = sample.attributes.get("vehicle").filter(|_| self.several);
        let prefixed = owner.map(|owner| format!("{owner}/{}", sample.channel));
        let number = match &prefixed {
            Some(name) => self.channels.of(name),
            None => self.channels.of_shared(&sample.channel),
        };
        let Some(number) = number else { return };
        let topic = self.topic(number, &sample.channel);
        if !topic.is_wanted {
            return;
        }
        let (channel, found) = ((number, prefixed.as_deref().unwrap_or(&sample.channel)), &mut self.found);
        if let Value::Row(row) = &sample.value {
            let names = &mut self.bodies.names;
            match topic.rows {
                SimulatorTable::Actors => self.contacts.introduce(row, names),
                SimulatorTable::Boxes => self.contacts.measure(row, names),
                SimulatorTable::Collisions | SimulatorTable::Others => {}
            }
        }
        let Some(time) = sample.time else {
            if let (Value::GnssFix(fix), Some(time)) = (&sample.value, self.receivers.last(number))
                && fix.quality == FixQuality::None
            {
                self.receivers.push(channel, fix, time, found);
            }
            return;
        };
        match &sample.value {
            Value::Odometry(odometry) => {
                if let Some(placed) = self.bodies.place(number, odometry, owner) {
                    let names = &self.bodies.names;
                    self.contacts.push(placed, names, time);
                    self.motions.push(placed, names, time, found);
                    self.approaches.push(placed, time);
                }
            }
            Value::Row(row) if topic.rows == SimulatorTable::Collisions => {
                self.collisions.push(row, time, found);
            }
            // Somebody marked or planned the place: its time is none of a clock.
            Value::Feature(_) => return,
            Value::GnssFix(_) if topic.is_route => return,
            Value::GnssFix(fix) => self.receivers.push(channel, fix, time, found),
            Value::Text(text) if self.vessels => self.modes.push(channel, (topic.texts, text), time, found),
            _ => {}
        }
        self.stamp(channel, matches!(sample.value, Value::Text(_) | Value::Row(_)), time);
    }

    /// Takes the stamp of a sample of this [kind](Value::kind) that nobody made: all that its detectors look at, unless it is
    /// a pose, a fix, or a text or row with a meaning.
    pub fn push_stamp(&mut self, channel: &str, kind: &str, time: Timestamp) {
        let Some(number) = self.channels.of(channel) else { return };
        let topic = self.topic(number, channel);
        if topic.is_wanted && kind != "feature" && !(kind == "gnss_fix" && topic.is_route) {
            self.stamp((number, channel), matches!(kind, "text" | "row"), time);
        }
    }

    /// Takes the stamp of a sample.
    fn stamp(&mut self, channel: (usize, &str), is_event: bool, time: Timestamp) {
        self.gaps.push(channel, is_event, time, &mut self.found);
        if let beyond @ 1.. = self.found.iter().skip(MOST).len() {
            self.found.truncate(MOST);
            self.left_out += beyond as u64;
        }
    }

    /// Number of events left out so far, because there are more than anybody reads.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The events, in order of time.
    pub fn finish(mut self) -> Vec<Event> {
        let (found, bodies) = (&mut self.found, &self.bodies.names);
        self.contacts.finish(bodies, found);
        self.collisions.finish(found);
        self.motions.finish(bodies, found);
        self.approaches.finish(bodies, found);
        self.gaps.finish(&self.channels, found);
        self.modes.finish(&self.channels, found);
        self.found.sort_by(by_time);
        self.found
    }
}

/// The order of events.
fn by_time(a: &Event, b: &Event) -> Ordering {
    let key = |event: &Event| (event.time.clock().name(), event.time.nanos(), event.kind);
    key(a).cmp(&key(b)).then_with(|| a.subject.cmp(&b.subject))
}

/// Seconds from one stamp to another; 0 if their clocks differ.
fn seconds(from: Timestamp, to: Timestamp) -> f64 {
    to.since(from).map_or(0.0, |nanos| nanos as f64 / 1e9)
}
