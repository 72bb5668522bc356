//! Limits of samples by time, channel and number.

mod channels;
mod parse;

use std::sync::Arc;

use robolog_core::{Channel, Clock, Sample, Timestamp, Value};

pub use self::channels::ChannelFilter;
use crate::NoChannel;

/// Maximum nanoseconds between the stamp of a cloud and its last point: offsets have 32 bits.
const FURTHEST: i64 = u32::MAX as i64;

/// A time to begin or end at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Nanoseconds of Unix time.
    Unix(i64),
    /// Nanoseconds from the start of the recording.
    FromStart(i64),
    /// Nanoseconds before the end of the recording.
    FromEnd(i64),
}

/// Limits by time, channel, kind and number. The default has none.
///
/// ```
/// use robolog_convert::{Bound, Feed, Input, Limit, Outcome, convert, sink};
/// let input = Input::open("examples/room.lvx")?;
/// // From a tenth of a second on, and not from two tenths on.
/// let limit = Limit::new(Some(Bound::FromStart(100_000_000)), Some(Bound::FromStart(200_000_000)), None);
/// let report = convert(vec![Feed::new(input).with_limit(limit)], &mut sink::from_fn(|_| Ok(Outcome::Written)), &mut |_| {})?;
/// assert_eq!(report.written["point_cloud"].samples, 2);
/// # Ok::<(), robolog_convert::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Limit {
    from: Option<Bound>,
    to: Option<Bound>,
    channel: Option<ChannelFilter>,
    /// The [kinds](Value::kind) of samples to keep; empty keeps all.
    kinds: Arc<[String]>,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    unjudged: u64,
    /// Maximum number of samples to keep.
    most: Option<u64>,
    wanted: u64,
    /// Whether the limit goes by the times of points, not of their cloud.
    by_points: bool,
    /// Earliest and latest time found in the wanted channels.
    met: Option<(Timestamp, Timestamp)>,
}

impl Limit {
    /// Keeps samples from `from` up to but not including `to`, of the channels that match `channel`.
    pub fn new(from: Option<Bound>, to: Option<Bound>, channel: Option<ChannelFilter>) -> Self {
        Self { from, to, channel, ..Self::default() }
    }

    /// Keeps only these channels.
    #[must_use]
    pub fn with_channels(self, channels: ChannelFilter) -> Self {
        Self { channel: Some(channels), ..self }
    }

    /// Keeps only samples of these [kinds](Value::kind); all if there are none.
    #[must_use]
    pub fn with_kinds(self, kinds: impl IntoIterator<Item = String>) -> Self {
        Self { kinds: kinds.into_iter().collect(), ..self }
    }

    /// Keeps only the first `most` samples; `None` keeps all.
    #[must_use]
    pub fn with_most(self, most: Option<u64>) -> Self {
        Self { most, ..self }
    }

    /// Keeps a cloud if one of its points is within the limits: points are measured after the stamp of the cloud.
    #[must_use]
    pub fn by_points(self) -> Self {
        Self { by_points: true, ..self }
    }

    /// Removes the time limits.
    #[must_use]
    pub fn of_all_times(self) -> Self {
        Self { from: None, to: None, ..self }
    }

    /// The time limits in nanoseconds of the recording's clock. Empty if a limit counts from an unknown start or end.
    pub fn range(&self) -> std::ops::Range<i64> {
        let place = |bound| match bound {
            Bound::Unix(nanos) => Some(nanos),
            Bound::FromStart(nanos) => self.start?.nanos().checked_add(nanos),
            Bound::FromEnd(nanos) => self.end?.nanos().checked_sub(nanos),
        };
        let from = self.from.map_or(i64::MIN, |from| place(from).unwrap_or(i64::MAX));
        from..self.to.map_or(i64::MAX, |to| place(to).unwrap_or(i64::MIN))
    }

    /// Whether the choice of channels depends on which there are: then [`know_channels`](Self::know_channels) comes
    /// before the first sample.
    pub fn needs_channels(&self) -> bool {
        self.channel.as_ref().is_some_and(ChannelFilter::needs_channels)
    }

    /// Chooses among the channels of a recording, as its survey lists them.
    ///
    /// Returns an error if nothing is chosen.
    pub fn know_channels(&mut self, channels: &[Channel]) -> crate::Result<()> {
        let resolved = self.channel.as_ref().map(|filter| filter.resolved(channels)).transpose()?;
        if let Some(filter) = resolved.flatten() {
            self.channel = Some(filter);
        }
        Ok(())
    }

    /// Whether it keeps samples of this channel, at some time.
    pub fn keeps_channel(&self, channel: &str) -> bool {
        self.wants_channel(channel)
    }

    /// Keeps these channels beside those that were chosen; all stay if none were.
    #[must_use]
    pub fn beside(self, others: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self { channel: self.channel.map(|filter| filter.or(others)), ..self }
    }

    /// Whether channels or kinds were chosen by name.
    pub fn chooses_channels(&self) -> bool {
        !self.kinds.is_empty() || self.channel.as_ref().is_some_and(ChannelFilter::names_channels)
    }

    /// Whether channels were chosen or excluded.
    pub fn filters_channels(&self) -> bool {
        self.channel.is_some()
    }

    /// Whether there are no limits.
    pub fn is_unlimited(&self) -> bool {
        let Self { from, to, channel, kinds, most, .. } = self;
        (from.is_none() && to.is_none()) && channel.is_none() && kinds.is_empty() && most.is_none()
    }

    /// Whether samples with this time are certainly outside the limits.
    pub(crate) fn is_outside(&self, time: Timestamp) -> bool {
        let reach = if self.by_points { FURTHEST } else { 0 };
        self.ahead(time).is_some_and(|ahead| ahead > reach) || self.left(time).is_some_and(|left| left <= 0)
    }

    /// Nanoseconds from `time` to the lower limit, if there is one and the clocks can be compared.
    pub(crate) fn ahead(&self, time: Timestamp) -> Option<i64> {
        self.distance(self.from?, time)
    }

    /// Nanoseconds from `time` to the upper limit, if there is one and the clocks can be compared.
    pub(crate) fn left(&self, time: Timestamp) -> Option<i64> {
        self.distance(self.to?, time)
    }

    /// Nanoseconds from `time` to a limit, if the clocks can be compared.
    fn distance(&self, bound: Bound, time: Timestamp) -> Option<i64> {
        match bound {
            Bound::Unix(nanos) => Timestamp::new(nanos, Clock::Unix).since(time),
            Bound::FromStart(nanos) => nanos.checked_sub(time.since(self.start?)?),
            Bound::FromEnd(nanos) => self.end?.since(time)?.checked_sub(nanos),
        }
    }

    /// Whether the number of samples is limited.
    pub(crate) fn has_most(&self) -> bool {
        self.most.is_some()
    }

    /// Whether the maximum number of samples is reached.
    pub fn is_full(&self) -> bool {
        self.most.is_some_and(|most| self.wanted >= most)
    }

    /// Returns an error if a channel pattern matched no channel. Call it at the end of the recording; never fails if
    /// reading ended early with the maximum number of samples.
    pub fn check_channels(&self) -> Result<(), NoChannel> {
        self.channel.as_ref().filter(|_| !self.is_full()).map_or(Ok(()), ChannelFilter::check)
    }

    /// Allows patterns that match no channel. Channels found still count for the limit that this one is made from.
    #[must_use]
    pub fn unchecked(self) -> Self {
        Self { channel: self.channel.map(ChannelFilter::unchecked), ..self }
    }

    /// The channel filter, if any.
    pub(crate) fn channels(&self) -> Option<&ChannelFilter> {
        self.channel.as_ref()
    }

    /// Start and end of the recording: as the caller set them, otherwise as found so far in the wanted channels. `None`
    /// if nothing in them has a time.
    pub fn span(&self) -> Option<(Timestamp, Timestamp)> {
        self.met.map(|met| self.start.zip(self.end).unwrap_or(met))
    }

    /// Like [`span`](Self::span) for a recording read in part: `None` unless its end was set.
    pub(crate) fn span_beyond(&self) -> Option<(Timestamp, Timestamp)> {
        self.end.and(self.span())
    }

    /// Whether a limit counts from the start or the end of the recording.
    pub fn is_relative(&self) -> bool {
        [self.from, self.to].iter().flatten().any(|bound| !matches!(bound, Bound::Unix(_)))
    }

    /// Whether a limit counts from the end of the recording, which must then be known: see [`end_at`](Self::end_at).
    pub fn needs_end(&self) -> bool {
        [self.from, self.to].iter().flatten().any(|bound| matches!(bound, Bound::FromEnd(_)))
    }

    /// Sets the start of the recording. The default is the first stamp found, which need not be the earliest: devices
    /// are interleaved, and a frame has the stamp of its beginning.
    pub fn begin_at(&mut self, start: Timestamp) {
        self.start = Some(start);
    }

    /// Sets the end of the recording.
    pub fn end_at(&mut self, end: Timestamp) {
        self.end = Some(end);
    }

    /// The lower and the upper time limit.
    pub fn bounds(&self) -> (Option<Bound>, Option<Bound>) {
        (self.from, self.to)
    }

    /// Start of the recording, if known by now.
    pub fn start(&self) -> Option<Timestamp> {
        self.start
    }

    /// End of the recording, if known.
    pub fn end(&self) -> Option<Timestamp> {
        self.end
    }

    /// Number of samples left out because their time cannot be compared with the limits: they have none, or another
    /// clock.
    pub fn unjudged(&self) -> u64 {
        self.unjudged
    }

    fn wants_channel(&self, channel: &str) -> bool {
        self.channel.as_ref().is_none_or(|wanted| wanted.matches(channel))
    }

    fn wants_kind(&self, value: &Value) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|kind| kind == value.kind())
    }

    /// Whether to keep a sample that is valid at all times.
    pub(crate) fn wants_always(&mut self, sample: &Sample) -> bool {
        let is_wanted =
            self.wants_channel(&sample.channel) && self.wants_kind(&sample.value) && !self.is_full();
        self.wanted += u64::from(is_wanted);
        is_wanted
    }

    /// Whether to keep a sample: see [`wants`](Self::wants).
    pub fn wants_sample(&mut self, sample: &Sample) -> bool {
        if !self.wants_kind(&sample.value) {
            self.start = self.start.or(sample.time);
            // The channel counts as matched by its pattern.
            self.wants_channel(&sample.channel);
            return false;
        }
        let last = match &sample.value {
            Value::PointCloud(cloud) if self.by_points && self.from.is_some() => {
                cloud.time_offset.iter().max()
            }
            _ => None,
        };
        let behind = last.and_then(|last| sample.time?.checked_add((*last).into()));
        self.wants_between(&sample.channel, sample.time, behind.or(sample.time))
    }

    /// Whether to keep a sample of `channel` at `time`. False if its time cannot be compared with a limit.
    pub fn wants(&mut self, channel: &str, time: Option<Timestamp>) -> bool {
        self.wants_between(channel, time, time)
    }

    fn wants_between(&mut self, channel: &str, time: Option<Timestamp>, last: Option<Timestamp>) -> bool {
        self.start = self.start.or(time);
        if !self.wants_channel(channel) {
            return false;
        }
        if let Some(time) = time {
            let (first, last) = self.met.unwrap_or((time, time));
            self.met = Some((first.earlier(time), last.later(time)));
        }
        let reached = |bound: Option<Bound>, time: Option<Timestamp>, default: bool| match bound {
            None => Some(default),
            Some(Bound::Unix(ns)) => Some(time?.partial_cmp(&Timestamp::new(ns, Clock::Unix))?.is_ge()),
            Some(Bound::FromStart(ns)) => Some(time?.since(self.start?)? >= ns),
            Some(Bound::FromEnd(ns)) => Some(self.end?.since(time?)? <= ns),
        };
        let Some((begun, over)) = reached(self.from, last, true).zip(reached(self.to, time, false)) else {
            self.unjudged += 1;
            return false;
        };
        let is_wanted = begun && !over && !self.is_full();
        self.wanted += u64::from(is_wanted);
        is_wanted
    }
}

#[cfg(test)]
mod tests;
