//! Converts times of day to timestamps.

use robolog_core::{Clock, Timestamp, slices::InRange as _};

use super::{Date, Message, Time};

/// How far a date is trusted, least first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// There is none.
    #[default]
    None,
    /// Nearest to a time that a logger wrote.
    Logged,
    /// From the receiver, without a valid fix.
    Own,
    /// From the receiver, with a valid fix; or from the caller.
    Certain,
}

/// Date and time of a sentence.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Stamp {
    pub(super) date: Option<Date>,
    pub(super) time: Option<Time>,
    trust: Trust,
    /// The time beside the sentence: Unix time in nanoseconds.
    logged: Option<i64>,
}

impl Stamp {
    pub(super) fn of(message: &Message<'_>) -> Self {
        let (date, time) = match message {
            Message::Rmc(rmc) => (rmc.date, rmc.time),
            Message::Zda(zda) => (zda.date, zda.time),
            Message::Gga(m) => (None, m.time),
            Message::Gll(m) => (None, m.time),
            Message::Gns(m) => (None, m.time),
            Message::Gst(m) => (None, m.time),
            _ => (None, None),
        };
        let is_certain = matches!(message, Message::Rmc(rmc) if rmc.status == Some('A'));
        let trust = if is_certain { Trust::Certain } else { Trust::Own };
        Self { date, time, trust, logged: None }
    }

    /// The same with the time beside the sentence.
    pub(super) fn beside(self, logged: Option<i64>) -> Self {
        Self { logged, ..self }
    }

    /// How far its date is trusted.
    pub(super) const fn trust(self) -> Trust {
        self.trust
    }

    /// The time beside the sentence.
    pub(super) fn logged(self) -> Option<Timestamp> {
        self.logged.map(|nanos| Timestamp::new(nanos, Clock::Unix))
    }

    /// The date and the time of the sentence itself.
    pub(super) fn own(self) -> Option<Timestamp> {
        self.date?.midnight()?.checked_add(self.time?.since_midnight())
    }

    /// Start of the day on which the time of day is nearest to the time beside it.
    fn logged_midnight(self) -> Option<i64> {
        let nanos = self.logged?.checked_sub(self.time?.since_midnight())?.checked_add(HALF)?;
        nanos.div_euclid(DAY).checked_mul(DAY)
    }
}

/// Follows the times of day through a log, in which only some sentences have dates and midnights may pass between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Epoch {
    /// Start of the day, nanoseconds.
    midnight: i64,
    clock: Clock,
    trust: Trust,
    /// Nanoseconds since midnight of the last time of day.
    last: Option<i64>,
    now: Option<Timestamp>,
}

const HALF: i64 = 43_200_000_000_000;
/// Nanoseconds.
pub(super) const DAY: i64 = 2 * HALF;

/// Before the first sentence of a log without a date.
impl Default for Epoch {
    fn default() -> Self {
        Self::new(None, Trust::None)
    }
}

impl Epoch {
    pub(super) fn new(date: Option<(Date, Time)>, trust: Trust) -> Self {
        let midnight = date.and_then(|(date, _)| date.midnight());
        Self {
            midnight: midnight.map_or(0, Timestamp::nanos),
            clock: if midnight.is_some() { Clock::Unix } else { Clock::Relative },
            trust,
            last: date.map(|(_, time)| time.since_midnight()),
            now: None,
        }
    }

    /// The state after some sentences. `midnight` and `last` are nanoseconds, on `clock` and of the day.
    pub(super) const fn of(
        midnight: i64,
        clock: Clock,
        trust: Trust,
        last: Option<i64>,
        now: Option<Timestamp>,
    ) -> Self {
        Self { midnight, clock, trust, last, now }
    }

    /// Start of the day, nanoseconds.
    pub(super) const fn midnight(&self) -> i64 {
        self.midnight
    }

    /// Last time of day, or that of the sentence with the date, nanoseconds since midnight.
    pub(super) const fn last(&self) -> Option<i64> {
        self.last
    }

    /// How far its date is trusted.
    pub(super) const fn trust(&self) -> Trust {
        self.trust
    }

    /// The day, if known.
    pub(super) fn date(&self) -> Option<Date> {
        let text = Timestamp::new(self.midnight, self.clock).to_string();
        let number = |range: std::ops::Range<usize>| text.get(range);
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
            .filter(|_| self.clock == Clock::Unix)
    }

    /// The same, counting days from `date` if no date is known.
    pub(super) fn dated_from(self, date: Date) -> Self {
        let Some(first) = date.midnight().map(Timestamp::nanos) else { return self };
        let days = if self.clock == Clock::Unix { 0 } else { self.midnight };
        let midnight = first.saturating_add(days);
        let now = self.now.and(self.last).and_then(|last| midnight.checked_add(last));
        let now = now.map(|nanos| Timestamp::new(nanos, Clock::Unix));
        Self { midnight, clock: Clock::Unix, trust: Trust::Certain, last: self.last, now }
    }

    /// The state before the first sentence with a time.
    pub(super) const fn before_times(self) -> Self {
        Self { now: None, ..self }
    }

    /// The time of the last sentence with one.
    pub(super) fn now(&self) -> Option<Timestamp> {
        self.now
    }

    /// Follows the time of a sentence, if it has one.
    pub(super) fn apply(&mut self, stamp: Stamp) {
        if let Some(midnight) = self.midnight_of(stamp) {
            self.midnight = midnight;
            self.clock = Clock::Unix;
            self.trust = if stamp.date.is_some() { stamp.trust } else { Trust::Logged };
            self.last = stamp.time.map(Time::since_midnight);
        }
        self.time(stamp.time);
    }

    /// Start of the day of a stamp with a time, the next one, if its date counts.
    fn midnight_of(&self, stamp: Stamp) -> Option<i64> {
        stamp.time?;
        match stamp.date {
            Some(date) if stamp.trust >= self.trust => date.midnight().map(Timestamp::nanos),
            None if self.trust <= Trust::Logged => stamp.logged_midnight(),
            _ => None,
        }
    }

    /// Follows the time of a sentence with a date and a valid fix, which does not depend on earlier sentences. `None`
    /// for others.
    pub(super) fn begin(&mut self, message: &Message<'_>) -> Option<Timestamp> {
        let stamp = Stamp::of(message);
        let is_certain = stamp.trust == Trust::Certain;
        let is_complete = is_certain && stamp.time.is_some() && stamp.date?.midnight().is_some();
        is_complete.then(|| self.apply(stamp))?;
        self.now
    }

    /// Whether the date of a stamp, the next one, counts.
    pub(super) fn takes_date_of(&self, stamp: Stamp) -> bool {
        self.midnight_of(stamp).is_some()
    }

    /// Whether both count from the same day.
    pub(super) fn is_same_day(&self, other: &Self) -> bool {
        (self.clock, self.midnight) == (other.clock, other.midnight)
    }

    /// Whether the day's start differs from before.
    pub(super) fn is_of_another_day(&self, before: &Self) -> bool {
        self.midnight != before.midnight
    }

    /// A time of day more than twelve hours from the last belongs to the next or previous day.
    fn time(&mut self, time: Option<Time>) {
        let Some(time) = time.map(Time::since_midnight) else { return };
        let step = time.minus(self.last.unwrap_or(time));
        let days = if step < -HALF {
            2
        } else if step > HALF {
            -2
        } else {
            0_i64
        };
        self.midnight = self.midnight.saturating_add(days.times(HALF));
        self.last = Some(time);
        self.now = self.midnight.checked_add(time).map(|nanos| Timestamp::new(nanos, self.clock));
    }
}
