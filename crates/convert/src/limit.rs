//! Which samples are wanted: by time and by channel.

mod channels;
mod parse;

use std::sync::Arc;

use robolog_core::{Clock, Sample, Timestamp, Value};

pub use self::channels::{ChannelFilter, NoChannel};
pub(crate) use self::parse::decimal;

/// How many nanoseconds later than its cloud's stamp a point can lie: offsets have 32 bits.
const FURTHEST: i64 = u32::MAX as i64;

/// A moment to begin or end at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Nanoseconds of unix time.
    Unix(i64),
    /// Nanoseconds from the start of the recording.
    FromStart(i64),
    /// Nanoseconds before the end of the recording.
    FromEnd(i64),
}

/// A limit by time and channel. The default lets everything through.
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
    /// The [kinds](Value::kind) of samples that are wanted; all where there is none.
    kinds: Arc<[String]>,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    unjudged: u64,
    /// As many as are wanted at most, and as many as there were.
    most: Option<u64>,
    wanted: u64,
    /// Whether points are judged, not their cloud.
    by_points: bool,
    /// The earliest and latest time of the wanted channels that was met.
    met: Option<(Timestamp, Timestamp)>,
}

impl Limit {
    /// From `from` on, up to but not including `to`; only channels that `channel` means.
    pub fn new(from: Option<Bound>, to: Option<Bound>, channel: Option<ChannelFilter>) -> Self {
        Self { from, to, channel, ..Self::default() }
    }

    /// The same for these channels alone.
    #[must_use]
    pub fn with_channels(self, channels: ChannelFilter) -> Self {
        Self { channel: Some(channels), ..self }
    }

    /// The same for samples of these [kinds](Value::kind); of all where there is none.
    #[must_use]
    pub fn with_kinds(self, kinds: impl IntoIterator<Item = String>) -> Self {
        Self { kinds: kinds.into_iter().collect(), ..self }
    }

    /// The same for the first `most` of what it wants, where there is such a number.
    #[must_use]
    pub fn with_most(self, most: Option<u64>) -> Self {
        Self { most, ..self }
    }

    /// The same where a cloud is wanted as soon as one of its points is: they are measured after its stamp.
    #[must_use]
    pub fn by_points(self) -> Self {
        Self { by_points: true, ..self }
    }

    /// The same without bounds of time.
    #[must_use]
    pub fn of_all_times(self) -> Self {
        Self { from: None, to: None, ..self }
    }

    /// The bounds in nanoseconds of the recording's clock: from, and up to but not including. Nothing lies between those that
    /// count from a start or an end that is not known.
    pub fn range(&self) -> std::ops::Range<i64> {
        let place = |bound| match bound {
            Bound::Unix(nanos) => Some(nanos),
            Bound::FromStart(nanos) => self.start?.nanos().checked_add(nanos),
            Bound::FromEnd(nanos) => self.end?.nanos().checked_sub(nanos),
        };
        let from = self.from.map_or(i64::MIN, |from| place(from).unwrap_or(i64::MAX));
        from..self.to.map_or(i64::MAX, |to| place(to).unwrap_or(i64::MIN))
    }

    /// Whether channels were chosen by name, or kinds of samples.
    pub fn chooses_channels(&self) -> bool {
        !self.kinds.is_empty() || self.channel.as_ref().is_some_and(ChannelFilter::names_channels)
    }

    /// Whether some channels are not wanted: others were chosen, or these excluded.
    pub fn filters_channels(&self) -> bool {
        self.channel.is_some()
    }

    /// Whether everything is wanted.
    pub fn is_unlimited(&self) -> bool {
        let Self { from, to, channel, kinds, most, .. } = self;
        (from.is_none() && to.is_none()) && channel.is_none() && kinds.is_empty() && most.is_none()
    }

    /// Whether nothing that is stamped with this time is wanted, as far as is known.
    pub(crate) fn is_outside(&self, time: Timestamp) -> bool {
        let reach = if self.by_points { FURTHEST } else { 0 };
        self.ahead(time).is_some_and(|ahead| ahead > reach) || self.left(time).is_some_and(|left| left <= 0)
    }

    /// Nanoseconds from `time` to the first moment that is wanted, where there is one and they compare.
    pub(crate) fn ahead(&self, time: Timestamp) -> Option<i64> {
        self.distance(self.from?, time)
    }

    /// Nanoseconds from `time` to the first moment that is wanted no more, where there is one and they compare.
    pub(crate) fn left(&self, time: Timestamp) -> Option<i64> {
        self.distance(self.to?, time)
    }

    /// Nanoseconds from `time` to a bound, where they compare.
    fn distance(&self, bound: Bound, time: Timestamp) -> Option<i64> {
        match bound {
            Bound::Unix(nanos) => Timestamp::new(nanos, Clock::Unix).since(time),
            Bound::FromStart(nanos) => nanos.checked_sub(time.since(self.start?)?),
            Bound::FromEnd(nanos) => self.end?.since(time)?.checked_sub(nanos),
        }
    }

    /// Whether only the first samples, up to a number, are wanted.
    pub(crate) fn has_most(&self) -> bool {
        self.most.is_some()
    }

    /// Whether nothing more is wanted, for there is as much as was asked for.
    pub fn is_full(&self) -> bool {
        self.most.is_some_and(|most| self.wanted >= most)
    }

    /// Fails when a pattern for channels matched none. To be asked when the whole recording has been met; says nothing where
    /// reading ended early, with as much as was asked for.
    pub fn check_channels(&self) -> Result<(), NoChannel> {
        self.channel.as_ref().filter(|_| !self.is_full()).map_or(Ok(()), ChannelFilter::check)
    }

    /// The same; that a pattern matches no channel is no error. What is met counts for the limit that this one is made of.
    #[must_use]
    pub fn unchecked(self) -> Self {
        Self { channel: self.channel.map(ChannelFilter::unchecked), ..self }
    }

    /// What answers whether a channel is wanted, where not all are.
    pub(crate) fn channels(&self) -> Option<&ChannelFilter> {
        self.channel.as_ref()
    }

    /// When the recording starts and ends: as the caller gave it, or else as was met so far in the wanted channels. `None` where
    /// nothing of them has a time.
    pub fn span(&self) -> Option<(Timestamp, Timestamp)> {
        self.met.map(|met| self.start.zip(self.end).unwrap_or(met))
    }

    /// The same where a part of the recording was not read: `None` unless its end was told.
    pub(crate) fn span_beyond(&self) -> Option<(Timestamp, Timestamp)> {
        self.end.and(self.span())
    }

    /// Whether a bound counts from the start or the end of the recording.
    pub fn is_relative(&self) -> bool {
        [self.from, self.to].iter().flatten().any(|bound| !matches!(bound, Bound::Unix(_)))
    }

    /// Whether a bound counts from the end of the recording, which must then be known: see [`end_at`](Self::end_at).
    pub fn needs_end(&self) -> bool {
        [self.from, self.to].iter().flatten().any(|bound| matches!(bound, Bound::FromEnd(_)))
    }

    /// Says when the recording begins. Without this it begins at the first stamp that is met, which need not be the
    /// earliest: devices are interleaved, and a frame is stamped when it began.
    pub fn begin_at(&mut self, start: Timestamp) {
        self.start = Some(start);
    }

    /// Says when the recording ends.
    pub fn end_at(&mut self, end: Timestamp) {
        self.end = Some(end);
    }

    /// The bounds: from, and up to.
    pub fn bounds(&self) -> (Option<Bound>, Option<Bound>) {
        (self.from, self.to)
    }

    /// When the recording begins, as far as is known by now.
    pub fn start(&self) -> Option<Timestamp> {
        self.start
    }

    /// When the recording ends, where that is known.
    pub fn end(&self) -> Option<Timestamp> {
        self.end
    }

    /// How much was refused because its time does not compare with the bounds: it has none, or another clock.
    pub fn unjudged(&self) -> u64 {
        self.unjudged
    }

    fn wants_channel(&self, channel: &str) -> bool {
        self.channel.as_ref().is_none_or(|wanted| wanted.matches(channel))
    }

    fn wants_kind(&self, value: &Value) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|kind| kind == value.kind())
    }

    /// Whether a sample that holds all the time is wanted.
    pub(crate) fn wants_always(&mut self, sample: &Sample) -> bool {
        let is_wanted =
            self.wants_channel(&sample.channel) && self.wants_kind(&sample.value) && !self.is_full();
        self.wanted += u64::from(is_wanted);
        is_wanted
    }

    /// Whether a sample is wanted: see [`wants`](Self::wants).
    pub fn wants_sample(&mut self, sample: &Sample) -> bool {
        if !self.wants_kind(&sample.value) {
            self.start = self.start.or(sample.time);
            // A pattern that matches its channel has matched one.
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

    /// Whether what `channel` has at `time` is wanted. What does not compare with a bound that was asked for is not.
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
