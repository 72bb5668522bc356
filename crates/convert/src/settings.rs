//! Options for reading any recording.

use std::sync::Arc;

use robolog_core::{Clock, Timestamp};

use crate::{
    ChannelFilter, LidarModel,
    places::{GeoPoint, Grid},
};

/// Options for reading any recording; each format uses those that concern it.
///
/// ```
/// use robolog_convert::{Feed, Input, Settings, Outcome, convert, sink};
/// let mut settings = Settings::default();
/// settings.time_offset = -37_000_000_000; // a clock that ran on TAI
/// settings.lvx.apply_extrinsics = lvx::ApplyExtrinsics::Always;
/// let feed = Feed::new(Input::open("examples/room.lvx")?).with_settings(settings);
/// let report = convert(vec![feed], &mut sink::from_fn(|_| Ok(Outcome::Written)), &mut |_| {})?;
/// assert!(report.span.unwrap().0.to_string().starts_with("2024-05-17T09:59:23"));
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Settings {
    /// Options of LVX.
    #[cfg(feature = "from-lvx")]
    pub lvx: lvx::Options,
    /// Options of CARLA recordings.
    #[cfg(feature = "from-carla-rec")]
    pub carla: carla_rec::Options,
    /// Options of MOOS logs.
    #[cfg(feature = "from-alog")]
    pub alog: alog::Options,
    /// Options of Koblenz logs.
    #[cfg(feature = "from-koblenz-log")]
    pub koblenz: koblenz_log::Options,
    /// Options of NMEA.
    #[cfg(feature = "from-nmea")]
    pub nmea: robolog_nmea::Options,
    /// The model of the LiDARs in captures, LVX and Koblenz logs, if the recording does not name it, or a wrong one.
    pub model: Option<LidarModel>,
    /// Whether the accelerations and rates of a data set are one channel, `imu`, as in bags unless channels are chosen.
    pub joined_imu: bool,
    /// Clock of the stamps, if the recording names the wrong one.
    pub clock: Option<Clock>,
    /// Coordinate frames that replace those of the recording; the first that matches a channel applies.
    pub frame_ids: Vec<FrameId>,
    /// Names that replace those of channels, and so of topics; the first that matches a channel applies.
    pub topics: Vec<Topic>,
    /// Origin of local frames on Earth; with it, poses and odometry become fixes.
    pub origin: Option<GeoPoint>,
    /// Grid of local frames at that origin; `None` uses the format's own: see [`About::grid`](crate::source::About::grid).
    pub origin_grid: Option<Grid>,
    /// Unix time of time stamp 0, for stamps that count from the start of a recording or a device.
    pub epoch: Option<Timestamp>,
    /// Nanoseconds added to all times.
    pub time_offset: i64,
    /// Conversion to the clock of another recording, applied last.
    pub aligned: Option<Aligned>,
}

/// Conversion from one clock to another, with drift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aligned {
    /// A time on the recording's clock.
    pub from: Timestamp,
    /// The same time on the other clock.
    pub to: Timestamp,
    /// Seconds of the other clock per second of this one, minus one.
    pub drift: f64,
}

impl Aligned {
    /// Converts a time to the other clock; leaves a time of a third clock. `None` if it exceeds 64 bits.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "of spans in nanoseconds, by which clocks do not drift"
    )]
    fn place(&self, time: Timestamp) -> Option<Timestamp> {
        if time.clock() != self.from.clock() {
            return Some(time);
        }
        let since = time.since(self.from)?;
        self.to.checked_add(since.checked_add((since as f64 * self.drift).round() as i64)?)
    }
}

/// Coordinate frame to set for some channels.
#[derive(Debug, Clone)]
pub struct FrameId {
    /// Channels to set it for.
    pub channels: ChannelFilter,
    /// Name of the frame.
    pub frame_id: Arc<str>,
}

/// New name of some channels.
#[derive(Debug, Clone)]
pub struct Topic {
    /// Channels to rename.
    pub channels: ChannelFilter,
    /// Their new name.
    pub name: Arc<str>,
}

impl Settings {
    /// The new name of a channel, if any.
    pub(crate) fn topic(&self, channel: &str) -> Option<Arc<str>> {
        let rule = self.topics.iter().find(|rule| rule.channels.matches(channel))?;
        Some(Arc::clone(&rule.name))
    }

    /// The frame to set for a channel, if any.
    pub fn frame_id(&self, channel: &str) -> Option<Arc<str>> {
        let rule = self.frame_ids.iter().find(|rule| rule.channels.matches(channel))?;
        Some(Arc::clone(&rule.frame_id))
    }

    /// Whether no channel gets another name, or another frame.
    pub(crate) fn keeps_names(&self) -> bool {
        self.topics.is_empty() && self.frame_ids.is_empty()
    }

    /// Whether times are changed, which can exceed 64 bits.
    pub(crate) fn moves_times(&self) -> bool {
        self.epoch.is_some() || self.time_offset != 0 || self.aligned.is_some()
    }

    /// Converts a time of the recording as these settings ask; `None` if it exceeds 64 bits.
    pub fn moved(&self, time: Timestamp) -> Option<Timestamp> {
        let time = self.clock.map_or(time, |clock| Timestamp::new(time.nanos(), clock));
        let counts_from_start = matches!(time.clock(), Clock::Relative | Clock::Device);
        match self.epoch.filter(|_| counts_from_start) {
            Some(epoch) => epoch.checked_add(time.nanos())?,
            None => time,
        }
        .checked_add(self.time_offset)
        .and_then(|time| self.aligned.map_or(Some(time), |aligned| aligned.place(time)))
    }
}
