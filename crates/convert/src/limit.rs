//! Which samples are wanted: by time and by channel.

mod parse;

use std::{fmt, sync::Arc};

use robolog_core::{Clock, Sample, Timestamp, Value, text::Escaped};

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

/// Answers whether a channel is meant. What it has met is shared by all its clones.
///
/// ```
/// use robolog_convert::ChannelFilter;
/// let points = ChannelFilter::new(|channel| channel.ends_with("/points"));
/// assert!(points.matches("3WEDH7600101501/points") && !points.matches("tf_static"));
/// ```
#[derive(Clone)]
pub struct ChannelFilter {
    is_meant: Arc<dyn Fn(&str) -> bool + Send + Sync>,
    unmatched: Arc<dyn Fn() -> Option<NoChannel> + Send + Sync>,
    /// The same, whether or not this filter is [checked](Limit::unchecked).
    unmet: Arc<dyn Fn() -> Option<NoChannel> + Send + Sync>,
    names_channels: bool,
}

/// A pattern that no channel of the recording matches.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no channel matches '{}'{}", Escaped(.pattern.as_bytes()), Nearest(.nearest))]
pub struct NoChannel {
    /// The pattern.
    pub pattern: String,
    /// The channel whose name is the most like it, if one is.
    pub nearest: Option<String>,
    /// The first channels that were met, by name.
    pub met: Vec<String>,
}

struct Nearest<'a>(&'a Option<String>);

impl fmt::Display for Nearest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, "; did you mean {}?", Escaped(name.as_bytes())),
            None => Ok(()),
        }
    }
}

impl ChannelFilter {
    /// Of the channels for which `is_meant` answers true.
    pub fn new(is_meant: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        let none = Arc::new(|| None);
        Self { is_meant: Arc::new(is_meant), unmatched: none.clone(), unmet: none, names_channels: true }
    }

    /// The same; `unmatched` gives, once the whole recording has been met, a pattern that no channel matched.
    #[must_use]
    pub fn with_unmatched(self, unmatched: impl Fn() -> Option<NoChannel> + Send + Sync + 'static) -> Self {
        let unmatched = Arc::new(unmatched);
        Self { unmatched: unmatched.clone(), unmet: unmatched, ..self }
    }

    /// The same for a filter that only excludes channels: it asks for none by name.
    #[must_use]
    pub fn excluding(self) -> Self {
        Self { names_channels: false, ..self }
    }

    /// Fails when a pattern matched no channel of all that were met.
    pub(crate) fn check(&self) -> Result<(), NoChannel> {
        (self.unmatched)().map_or(Ok(()), Err)
    }

    /// Whether each pattern has matched a channel: nothing that is met or not from now on changes what a user is told.
    pub(crate) fn is_settled(&self) -> bool {
        (self.unmet)().is_none()
    }

    /// Whether it is this one, among others.
    pub fn matches(&self, channel: &str) -> bool {
        (self.is_meant)(channel)
    }
}

impl fmt::Debug for ChannelFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelFilter").finish_non_exhaustive()
    }
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
        !self.kinds.is_empty() || self.channel.as_ref().is_some_and(|channel| channel.names_channels)
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
        let channel = self.channel.map(|channel| ChannelFilter { unmatched: Arc::new(|| None), ..channel });
        Self { channel, ..self }
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
mod tests {
    use super::*;

    fn sample(value: Value) -> Sample {
        Sample { time: None, offset: 0, channel: "a".into(), frame_id: "".into(), value }
    }

    #[test]
    fn bounds_are_half_open_and_count_from_the_first_stamp() {
        let at = |ns| Some(Timestamp::new(ns, Clock::Device));
        let mut limit = Limit::new(Some(Bound::FromStart(5)), Some(Bound::FromStart(10)), None);
        let wanted = [100, 104, 105, 109, 110].map(|ns| limit.wants("a", at(ns)));
        assert_eq!(wanted, [false, false, true, true, false]);
        assert_eq!(limit.unjudged(), 0);
        assert!(!limit.wants("a", None));
        assert_eq!(limit.unjudged(), 1);
        assert!(Limit::default().wants("a", None));
    }

    #[test]
    fn the_start_can_be_told_and_else_is_the_first_stamp_of_any_channel() {
        let at = |ns| Some(Timestamp::new(ns, Clock::Device));
        let from_0 = || Limit::new(Some(Bound::FromStart(0)), None, Some(ChannelFilter::new(|c| c == "a")));
        let mut limit = from_0();
        assert!(!limit.wants("b", None), "what has no stamp does not begin the recording");
        assert!(!limit.wants("b", at(100)));
        assert!(!limit.wants("a", at(99)), "before the first stamp");
        let mut limit = from_0();
        limit.begin_at(Timestamp::new(99, Clock::Device));
        assert!(!limit.wants("b", at(100)) && limit.wants("a", at(99)));
    }

    #[test]
    fn the_first_n_are_wanted_and_then_no_more() {
        let mut limit = Limit::default().with_most(Some(2));
        let wanted = [1, 2, 3].map(|ns| limit.wants("a", Some(Timestamp::new(ns, Clock::Device))));
        assert_eq!((wanted, limit.is_full(), limit.is_unlimited()), ([true, true, false], true, false));
        assert!(!limit.wants_always(&sample(Value::Scalar(1.0))));
    }

    #[test]
    fn kinds_are_chosen_as_channels_are() {
        let mut limit = Limit::default().with_kinds(["scalar".to_owned()]);
        assert!(limit.chooses_channels() && !limit.is_unlimited());
        let samples = [Value::Scalar(1.0), Value::Text("1".into())].map(sample);
        let wanted = samples.each_ref().map(|sample| limit.wants_sample(sample));
        let always = samples.each_ref().map(|sample| limit.wants_always(sample));
        assert_eq!((wanted, always), ([true, false], [true, false]));
    }

    #[test]
    fn a_pattern_without_a_channel_is_told_once_all_is_met() {
        let missing =
            || NoChannel { pattern: "nav_x".into(), nearest: Some("NAV_X".into()), met: Vec::new() };
        let filter = ChannelFilter::new(|_| true).with_unmatched(move || Some(missing()));
        let mut limit = Limit::new(None, None, Some(filter));
        let error = limit.check_channels().unwrap_err();
        assert_eq!(error.to_string(), "no channel matches 'nav_x'; did you mean NAV_X?");
        limit = limit.with_most(Some(1));
        assert!(limit.wants("a", None) && limit.check_channels().is_ok(), "the rest was not met");
    }

    #[test]
    fn a_filter_that_only_excludes_chooses_nothing_by_name() {
        let limit = Limit::new(None, None, Some(ChannelFilter::new(|c| c != "a").excluding()));
        assert!(limit.filters_channels() && !limit.chooses_channels() && !limit.is_unlimited());
    }

    #[test]
    fn bounds_from_the_end_need_an_end() {
        let at = |ns| Some(Timestamp::new(ns, Clock::Device));
        let mut limit = Limit::new(Some(Bound::FromEnd(10)), Some(Bound::FromEnd(2)), None);
        assert!(limit.needs_end() && !limit.wants("a", at(95)));
        assert_eq!(limit.unjudged(), 1);
        limit.end_at(Timestamp::new(100, Clock::Device));
        let wanted = [89, 90, 97, 98, 100].map(|ns| limit.wants("a", at(ns)));
        assert_eq!(wanted, [false, true, true, false, false]);
    }

    #[test]
    fn unix_bounds_need_unix_stamps() {
        let mut limit =
            Limit::new(Some(Bound::Unix(50)), None, Some(ChannelFilter::new(|c| c.ends_with("imu"))));
        assert!(limit.wants("x/imu", Some(Timestamp::new(50, Clock::Unix))));
        assert!(!limit.wants("x/points", Some(Timestamp::new(50, Clock::Unix))));
        assert!(!limit.wants("x/imu", Some(Timestamp::new(60, Clock::Device))));
        assert_eq!(limit.unjudged(), 1);
        let mut limit = Limit::new(None, Some(Bound::Unix(50)), None);
        assert!(!limit.wants("a", Some(Timestamp::new(60, Clock::Device))), "an upper bound binds too");
        assert!(limit.wants("a", Some(Timestamp::new(49, Clock::Unix))));
        assert_eq!(limit.unjudged(), 1);
    }
}
