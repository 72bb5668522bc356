//! What can be chosen for any recording.

use std::sync::Arc;

use robolog_core::{Clock, Timestamp};

use crate::{
    ChannelFilter,
    places::{Grid, Place},
};

/// What can be chosen for any recording; formats take what concerns them.
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
    /// What LVX leaves open.
    #[cfg(feature = "from-lvx")]
    pub lvx: lvx::Options,
    /// What recordings of the CARLA simulator leave open.
    #[cfg(feature = "from-carla-rec")]
    pub carla: carla_rec::Options,
    /// What MOOS logs leave open.
    #[cfg(feature = "from-alog")]
    pub alog: alog::Options,
    /// What Koblenz logs leave open.
    #[cfg(feature = "from-koblenz-log")]
    pub koblenz: koblenz_log::Options,
    /// Whether the accelerations and rates of a data set are one channel, `imu`: in bags they are, unless channels are chosen.
    pub joined_imu: bool,
    /// What clock the stamps are of, where the recording says another than it should.
    pub clock: Option<Clock>,
    /// The coordinate frames of channels, where they are to be others than the recording says; the first that means a
    /// channel counts.
    pub frame_ids: Vec<FrameId>,
    /// Where on Earth the origin of local frames lies: poses and odometry become fixes.
    pub origin: Option<Place>,
    /// How the axes of local frames lie at that origin; otherwise as the format has them: see
    /// [`Source::GRID`](crate::Source::GRID).
    pub origin_grid: Option<Grid>,
    /// The moment of time stamp 0, in unix time, for stamps that count from the start of a recording or a device.
    pub epoch: Option<Timestamp>,
    /// Nanoseconds by which all times are moved.
    pub time_offset: i64,
    /// How its clock becomes that of another recording, behind all of these.
    pub aligned: Option<Aligned>,
}

/// A clock as another one has it, of which it may drift apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aligned {
    /// A moment on the recording's clock.
    pub from: Timestamp,
    /// The same on the other one.
    pub to: Timestamp,
    /// Seconds of the other clock that pass in a second of this one, less one.
    pub drift: f64,
}

impl Aligned {
    /// A time as the other clock has it; one on a third clock stays. `None` when 64 bits cannot hold it.
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

/// The coordinate frame that channels are to have.
#[derive(Debug, Clone)]
pub struct FrameId {
    /// Which channels.
    pub channels: ChannelFilter,
    /// The name of the frame.
    pub frame_id: Arc<str>,
}

impl Settings {
    /// The frame that a channel is to have, if another than it has.
    pub fn frame_id(&self, channel: &str) -> Option<Arc<str>> {
        let rule = self.frame_ids.iter().find(|rule| rule.channels.matches(channel))?;
        Some(Arc::clone(&rule.frame_id))
    }

    /// Whether some times are given otherwise than the recording has them, which may be more than 64 bits can hold.
    pub(crate) fn moves_times(&self) -> bool {
        self.epoch.is_some() || self.time_offset != 0 || self.aligned.is_some()
    }

    /// A time of the recording as it is to be given; `None` when 64 bits cannot hold it.
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
