//! Converts times of day to timestamps.

use robolog_core::{Clock, Timestamp};

use super::{Date, Message, Time};

/// Date and time of a sentence.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Stamp {
    pub(super) date: Option<Date>,
    pub(super) time: Option<Time>,
    /// Whether the date comes with a valid fix.
    is_certain: bool,
}

impl Stamp {
    pub(super) fn of(message: &Message<'_>) -> Self {
        let (date, time, is_certain) = match message {
            Message::Rmc(rmc) => (rmc.date, rmc.time, rmc.status == Some('A')),
            Message::Zda(zda) => (zda.date, zda.time, false),
            Message::Gga(m) => (None, m.time, false),
            Message::Gll(m) => (None, m.time, false),
            Message::Gns(m) => (None, m.time, false),
            Message::Gst(m) => (None, m.time, false),
            _ => (None, None, false),
        };
        Self { date, time, is_certain }
    }
}

/// Follows the times of day through a log, in which only some sentences have dates and midnights may pass between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Epoch {
    /// Start of the day, nanoseconds.
    midnight: i64,
    clock: Clock,
    /// Whether the date comes from a sentence with a valid fix, or from the caller.
    is_certain: bool,
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
        Self::new(None, false)
    }
}

impl Epoch {
    pub(super) fn new(date: Option<(Date, Time)>, is_certain: bool) -> Self {
        let midnight = date.and_then(|(date, _)| date.midnight());
        Self {
            midnight: midnight.map_or(0, Timestamp::nanos),
            clock: if midnight.is_some() { Clock::Unix } else { Clock::Relative },
            is_certain,
            last: date.map(|(_, time)| time.since_midnight()),
            now: None,
        }
    }

    /// The state after some sentences. `midnight` and `last` are nanoseconds, on `clock` and of the day.
    pub(super) const fn of(
        midnight: i64,
        clock: Clock,
        is_certain: bool,
        last: Option<i64>,
        now: Option<Timestamp>,
    ) -> Self {
        Self { midnight, clock, is_certain, last, now }
    }

    /// Start of the day, nanoseconds.
    pub(super) const fn midnight(&self) -> i64 {
        self.midnight
    }

    /// Last time of day, or that of the sentence with the date, nanoseconds since midnight.
    pub(super) const fn last(&self) -> Option<i64> {
        self.last
    }

    /// Whether the date comes from a sentence with a valid fix, or from the caller.
    pub(super) const fn is_certain(&self) -> bool {
        self.is_certain
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
        Self { midnight, clock: Clock::Unix, is_certain: true, last: self.last, now }
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
    pub(super) fn push(&mut self, message: &Message<'_>) {
        self.apply(Stamp::of(message));
    }

    /// The same for a sentence's date and time.
    pub(super) fn apply(&mut self, Stamp { date, time, is_certain }: Stamp) {
        match (date, time) {
            (Some(date), Some(time)) => self.dated(date, time, is_certain),
            (_, time) => self.time(time),
        }
    }

    /// Follows the time of a sentence with a date and a valid fix, which does not depend on earlier sentences. `None`
    /// for others.
    pub(super) fn begin(&mut self, message: &Message<'_>) -> Option<Timestamp> {
        let stamp = Stamp::of(message);
        let is_complete = stamp.is_certain && stamp.time.is_some() && stamp.date?.midnight().is_some();
        is_complete.then(|| self.apply(stamp))?;
        self.now
    }

    /// Whether the date of a stamp, the next one, counts.
    pub(super) fn takes_date_of(&self, stamp: Stamp) -> bool {
        stamp.date.is_some_and(|date| date.midnight().is_some()) && (stamp.is_certain || !self.is_certain)
    }

    /// Whether both count from the same day.
    pub(super) fn is_same_day(&self, other: &Self) -> bool {
        (self.clock, self.midnight) == (other.clock, other.midnight)
    }

    /// Whether the day's start differs from before.
    pub(super) fn is_of_another_day(&self, before: &Self) -> bool {
        self.midnight != before.midnight
    }

    fn dated(&mut self, date: Date, time: Time, is_certain: bool) {
        if let Some(midnight) = date.midnight().filter(|_| is_certain || !self.is_certain) {
            self.midnight = midnight.nanos();
            self.clock = Clock::Unix;
            self.is_certain = is_certain;
            self.last = Some(time.since_midnight());
        }
        self.time(Some(time));
    }

    /// A time of day more than twelve hours from the last belongs to the next or previous day.
    fn time(&mut self, time: Option<Time>) {
        let Some(time) = time.map(Time::since_midnight) else { return };
        let step = time.saturating_sub(self.last.unwrap_or(time));
        let days = if step < HALF.saturating_neg() {
            2
        } else if step > HALF {
            -2
        } else {
            0_i64
        };
        self.midnight = self.midnight.saturating_add(days.saturating_mul(HALF));
        self.last = Some(time);
        self.now = self.midnight.checked_add(time).map(|nanos| Timestamp::new(nanos, self.clock));
    }
}
