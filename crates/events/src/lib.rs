#![doc = include_str!("../README.md")]
#![allow(clippy::needless_doctest_main, reason = "the README shows whole programs")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_precision_loss,
    reason = "vectors and times are floating point; counts saturate"
)]

mod actors;
mod approach;
mod collision;
mod contact;
#[cfg(feature = "recordings")]
mod details;
mod event;
mod gap;
mod gnss;
mod mode;
mod motion;
#[cfg(feature = "recordings")]
mod recordings;
mod rectangle;
mod rows;
mod thresholds;

use std::cmp::Ordering;

use robolog_core::{Sample, Timestamp, Value};

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
}

impl Default for Context {
    fn default() -> Self {
        Self { late_poses: false, vessels: false, warp: 1.0 }
    }
}

/// Finds one or several kinds of events in the samples of a recording.
trait Detector: std::fmt::Debug {
    /// Takes the next sample.
    fn push(&mut self, sample: &Sample, found: &mut Vec<Event>);
    /// Ends the recording.
    fn finish(&mut self, found: &mut Vec<Event>);
}

/// Finds events in the samples of a recording, of any format, in order of the file.
///
/// ```
/// use robolog_core::{Clock, FixQuality, GnssFix, Sample, Timestamp, Value};
/// use robolog_events::{Context, Detectors, Kind, Thresholds};
/// let mut detectors = Detectors::new(Context::default(), &Thresholds::default());
/// for (second, quality) in [FixQuality::Gps, FixQuality::None, FixQuality::Gps].into_iter().enumerate() {
///     let fix = GnssFix { latitude: 47.0, longitude: 8.0, quality, ..GnssFix::default() };
///     detectors.push(&Sample {
///         time: Some(Timestamp::new(second as i64 * 1_000_000_000, Clock::Unix)),
///         offset: 0,
///         channel: "gps/fix".into(),
///         frame_id: "gps".into(),
///         attributes: robolog_core::Attributes::default(),
///         value: Value::GnssFix(fix),
///     });
/// }
/// let events = detectors.finish();
/// assert_eq!(events.iter().map(|event| event.kind).collect::<Vec<_>>(), [Kind::GnssLost, Kind::GnssBack]);
/// assert_eq!(events[1].value, Some(1.0));
/// ```
#[derive(Debug)]
pub struct Detectors {
    list: Vec<Box<dyn Detector>>,
    found: Vec<Event>,
    left_out: u64,
}

/// Maximum number of events: a recording whose fixes come and go with every record has as many as records.
const MOST: usize = 100_000;
/// Maximum number of bodies and channels that a detector follows.
const FOLLOWED: usize = 20_000;

impl Detectors {
    /// All detectors.
    pub fn new(context: Context, limits: &Thresholds) -> Self {
        let list: Vec<Box<dyn Detector>> = vec![
            Box::new(contact::Contacts::new(context, limits)),
            Box::new(collision::Collisions::new(limits)),
            Box::new(motion::Motions::new(context, limits)),
            Box::new(approach::Approaches::new(context)),
            Box::new(gap::Gaps::new(context, limits)),
            Box::new(gnss::Receivers::new(context, limits)),
            Box::new(mode::Modes::new(context, limits)),
        ];
        Self { list, found: Vec::new(), left_out: 0 }
    }

    /// Takes the next sample.
    pub fn push(&mut self, sample: &Sample) {
        for detector in &mut self.list {
            detector.push(sample, &mut self.found);
        }
        if let beyond @ 1.. = self.found.len().saturating_sub(MOST) {
            self.found.truncate(MOST);
            self.left_out = self.left_out.saturating_add(beyond as u64);
        }
    }

    /// Number of events left out so far, because there are more than anybody reads.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The events, in order of time.
    pub fn finish(mut self) -> Vec<Event> {
        for detector in &mut self.list {
            detector.finish(&mut self.found);
        }
        self.found.sort_by(by_time);
        self.found
    }
}

/// Whether somebody marked or planned the place: a feature, or a point of a route of GPX. Its time is none of a clock.
fn is_planned(sample: &Sample) -> bool {
    let is_route =
        || sample.channel.strip_prefix("route").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    match sample.value {
        Value::Feature(_) => true,
        Value::GnssFix(_) => is_route(),
        _ => false,
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
