//! From the times of entries to timestamps.

use robolog_core::{Clock, Timestamp};

use crate::{
    TimeFrom,
    time::{Seconds, Warp},
};

/// Converts the times of entries to timestamps.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Epoch {
    pub(crate) logstart: Option<Seconds>,
    pub(crate) warp: Warp,
    /// Whether the warp was given, not guessed.
    pub(crate) warp_given: bool,
    pub(crate) times: TimeFrom,
}

impl std::fmt::Debug for Epoch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = f.debug_struct("Epoch");
        out.field("logstart", &self.logstart).field("warp", &self.warp).field("warp_given", &self.warp_given);
        // A rare option.
        if self.times != TimeFrom::default() {
            out.field("times", &self.times);
        }
        out.finish()
    }
}

impl Default for Epoch {
    fn default() -> Self {
        Self { logstart: None, warp: Warp::NONE, warp_given: false, times: TimeFrom::default() }
    }
}

/// Applications that run without the community's warp stamp their entries within this time of LOGSTART, or within half
/// of what the warp added if that is less.
const UNWARPED: Seconds = Seconds::from_nanos(365 * 86_400 * 1_000_000_000);

/// Maximum distance of a time inside a value from its column's; beyond it, the time is not Unix time.
const NEAR: Seconds = Seconds::from_nanos(3600 * 1_000_000_000);

impl Epoch {
    /// Start of the entries' times, if known: a LOGSTART after the year 2096 was multiplied by a warp, and is useless
    /// without it.
    pub(crate) fn start(self) -> Option<Seconds> {
        let is_lost = |start: &Seconds| self.warp == Warp::NONE && !self.warp_given && Warp::is_far(*start);
        self.logstart.filter(|start| !is_lost(start))
    }

    /// The time of an entry: see [`Header::time`](crate::Header::time).
    pub(crate) fn time(self, seconds: Seconds) -> Option<Timestamp> {
        let Some(start) = self.start().filter(|_| !self.times.is_of_mission()) else {
            return seconds.on(Clock::Relative);
        };
        let absolute = start.plus(seconds)?;
        if self.warp == Warp::NONE {
            return absolute.on(Clock::Unix);
        }
        let unwarped = self.warp.unwarp(start)?;
        let added = start.minus(unwarped)?.abs();
        let near = UNWARPED.min(Seconds::from_nanos(added.nanos() / 2));
        let is_unwarped = absolute.minus(unwarped)?.abs() < near;
        if is_unwarped { absolute } else { self.warp.unwarp(absolute)? }.on(Clock::Unix)
    }

    /// A time inside a value, in seconds of the log; `None` if it is far from its entry's time, or without LOGSTART.
    pub(crate) fn embedded(self, unix: Seconds, column: Seconds) -> Option<Seconds> {
        let seconds = unix.minus(self.start()?)?;
        (seconds.minus(column)?.abs() <= NEAR).then_some(seconds)
    }
}
