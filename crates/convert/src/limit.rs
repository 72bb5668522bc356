//! Which samples are wanted: by time and by channel.

use std::{fmt, sync::Arc};

use robolog_core::{Clock, Timestamp};

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

/// Answers whether a channel is meant.
#[derive(Clone)]
pub struct ChannelFilter(Arc<dyn Fn(&str) -> bool + Send + Sync>);

impl ChannelFilter {
    /// Of the channels for which `is_meant` answers true.
    pub fn new(is_meant: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_meant))
    }

    /// Whether it is this one, among others.
    pub fn matches(&self, channel: &str) -> bool {
        (self.0)(channel)
    }
}

impl fmt::Debug for ChannelFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelFilter").finish_non_exhaustive()
    }
}

/// A limit by time and channel. The default lets everything through.
#[derive(Debug, Clone, Default)]
pub struct Limit {
    from: Option<Bound>,
    to: Option<Bound>,
    channel: Option<ChannelFilter>,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    unjudged: u64,
}

impl Limit {
    /// From `from` on, up to but not including `to`; only channels that `channel` means.
    pub fn new(from: Option<Bound>, to: Option<Bound>, channel: Option<ChannelFilter>) -> Self {
        Self { from, to, channel, start: None, end: None, unjudged: 0 }
    }

    /// The same for these channels alone.
    #[must_use]
    pub fn with_channels(self, channels: ChannelFilter) -> Self {
        Self { channel: Some(channels), ..self }
    }

    /// Whether channels were chosen.
    pub fn chooses_channels(&self) -> bool {
        self.channel.is_some()
    }

    /// Whether everything is wanted.
    pub fn is_unlimited(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.channel.is_none()
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

    /// Whether `channel` is wanted, whatever the time: for what holds all the time.
    pub(crate) fn wants_channel(&self, channel: &str) -> bool {
        self.channel.as_ref().is_none_or(|wanted| wanted.matches(channel))
    }

    /// Whether what `channel` has at `time` is wanted. What does not compare with a bound that was asked for is not.
    pub fn wants(&mut self, channel: &str, time: Option<Timestamp>) -> bool {
        self.start = self.start.or(time);
        if !self.wants_channel(channel) {
            return false;
        }
        let reached = |bound: Option<Bound>, default: bool| match bound {
            None => Some(default),
            Some(Bound::Unix(ns)) => Some(time?.partial_cmp(&Timestamp::new(ns, Clock::Unix))?.is_ge()),
            Some(Bound::FromStart(ns)) => Some(time?.since(self.start?)? >= ns),
            Some(Bound::FromEnd(ns)) => Some(self.end?.since(time?)? <= ns),
        };
        let Some((begun, over)) = reached(self.from, true).zip(reached(self.to, false)) else {
            self.unjudged = self.unjudged.saturating_add(1);
            return false;
        };
        begun && !over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
