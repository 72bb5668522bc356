//! Which samples are wanted: by time and by channel.

use robolog_core::Timestamp;

/// A moment to begin or end at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Nanoseconds of unix time.
    Unix(i64),
    /// Nanoseconds from the first stamp in the recording.
    FromStart(i64),
}

/// Answers whether a channel is wanted.
pub type ChannelFilter = Box<dyn Fn(&str) -> bool>;

/// A limit by time and channel. The default lets everything through.
#[derive(Default)]
pub struct Limit {
    from: Option<Bound>,
    to: Option<Bound>,
    channel: Option<ChannelFilter>,
    start: Option<Timestamp>,
}

impl Limit {
    /// From `from` on, up to but not including `to`; only channels for which `channel` answers true.
    pub fn new(from: Option<Bound>, to: Option<Bound>, channel: Option<ChannelFilter>) -> Self {
        Self { from, to, channel, start: None }
    }

    /// Whether channels were chosen.
    pub fn chooses_channels(&self) -> bool {
        self.channel.is_some()
    }

    /// Whether what `channel` has at `time` is wanted. What has no time is wanted unless a time was asked for.
    pub fn wants(&mut self, channel: &str, time: Option<Timestamp>) -> bool {
        let start = *self
            .start
            .get_or_insert_with(|| time.unwrap_or(Timestamp::new(0, robolog_core::Clock::Relative)));
        if self.channel.as_ref().is_some_and(|wanted| !wanted(channel)) {
            return false;
        }
        if self.from.is_none() && self.to.is_none() {
            return true;
        }
        let Some(time) = time else { return false };
        let reached = |bound: Bound| match bound {
            Bound::Unix(ns) => time >= Timestamp::new(ns, robolog_core::Clock::Unix),
            Bound::FromStart(ns) => time.since(start).is_some_and(|since| since >= ns),
        };
        self.from.is_none_or(reached) && !self.to.is_some_and(reached)
    }
}

impl std::fmt::Debug for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Limit").field("from", &self.from).field("to", &self.to).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robolog_core::Clock;

    #[test]
    fn bounds_are_half_open_and_count_from_the_first_stamp() {
        let at = |ns| Some(Timestamp::new(ns, Clock::Device));
        let mut limit = Limit::new(Some(Bound::FromStart(5)), Some(Bound::FromStart(10)), None);
        let wanted = [100, 104, 105, 109, 110].map(|ns| limit.wants("a", at(ns)));
        assert_eq!(wanted, [false, false, true, true, false]);
        assert!(!limit.wants("a", None));
        assert!(Limit::default().wants("a", None));
    }

    #[test]
    fn unix_bounds_need_unix_stamps() {
        let mut limit = Limit::new(Some(Bound::Unix(50)), None, Some(Box::new(|c| c.ends_with("imu"))));
        assert!(limit.wants("x/imu", Some(Timestamp::new(50, Clock::Unix))));
        assert!(!limit.wants("x/points", Some(Timestamp::new(50, Clock::Unix))));
        assert!(!limit.wants("x/imu", Some(Timestamp::new(60, Clock::Device))));
    }
}
