//! Compares the receiver's clock with that of the logger: differences, and a week counter that has rolled over.

use robolog_core::{Clock, Severity, Timestamp, format::SurveyBuilder};

use crate::{
    Date, Header,
    epoch::{DAY, Stamp, Trust},
};

/// What the clocks of a log say.
#[derive(Debug)]
pub(super) struct Clocks {
    /// Midnight of the date in the file's name.
    named: Option<Timestamp>,
    /// The receiver's first time that is too early: with a valid fix, and any.
    certain: Option<Late>,
    any: Option<Late>,
    /// Whether a date came with a valid fix.
    is_certain: bool,
    /// The offset of the first sentence whose time differs from the one beside it, and the largest difference.
    apart: Option<(u64, i64)>,
}

/// A date of the receiver, and a later one of the log.
#[derive(Debug, Clone, Copy)]
struct Late {
    offset: u64,
    own: Timestamp,
    told: Timestamp,
    is_named: bool,
}

const SECOND: i64 = 1_000_000_000;
/// What a logger's clock, or the seconds of a TAG block, may differ by.
const CLOSE: u64 = 2 * SECOND.unsigned_abs();
/// The period of the week counter.
const PERIOD: i64 = 1024 * 7 * DAY;
/// What a date in a name may differ by.
const DAYS: i64 = 3 * DAY;
/// 2006-01-01.
const OLD: i64 = 1_136_073_600 * SECOND;

impl Clocks {
    pub(super) fn new(header: &Header) -> Self {
        let named = header.named().and_then(Date::midnight);
        Self { named, certain: None, any: None, is_certain: false, apart: None }
    }

    /// Follows the stamp of a sentence at `offset`; `now` is the receiver's time after it.
    pub(super) fn push(&mut self, stamp: Stamp, now: Option<Timestamp>, offset: u64) {
        if self.named.is_none() && stamp.logged().is_none() {
            return;
        }
        if let Some(own) = stamp.own() {
            let is_certain = stamp.trust() == Trust::Certain;
            self.is_certain |= is_certain;
            let kept = if is_certain { &mut self.certain } else { &mut self.any };
            if kept.is_none() {
                *kept = late(own, stamp.logged(), self.named, offset);
            }
        }
        let of_sentence = now.filter(|now| stamp.time.is_some() && now.clock() == Clock::Unix);
        if let Some((now, logged)) = of_sentence.zip(stamp.logged()) {
            let apart = now.nanos().saturating_sub(logged.nanos());
            let (at, most) = self.apart.unwrap_or((offset, 0));
            if apart.unsigned_abs() > CLOSE.max(most.unsigned_abs()) {
                self.apart = Some((at, apart));
            }
        }
    }

    pub(super) fn finish(&self, notes: &mut SurveyBuilder) {
        let late = if self.is_certain { self.certain } else { self.any };
        if let Some(late) = late {
            notes.find(Severity::Warning, "week-rollover", late.offset, late.message());
        } else if let Some((at, apart)) = self.apart {
            let side = if apart < 0 { "behind" } else { "ahead of" };
            let apart = duration(apart.saturating_abs());
            let message = format_args!(
                "the receiver's times, which count, are up to {apart} {side} those beside the sentences"
            );
            notes.find(Severity::Note, "two-clocks", at, message);
        }
    }
}

/// Whether the log says a later date, a multiple of the counter's period after the receiver's or one that an old date
/// excludes.
fn late(own: Timestamp, logged: Option<Timestamp>, named: Option<Timestamp>, offset: u64) -> Option<Late> {
    let told = logged.map(|told| (told, false)).into_iter().chain(named.map(|told| (told, true)));
    let is_late = |(told, _): &(Timestamp, bool)| {
        let ahead = told.nanos().saturating_sub(own.nanos());
        let rest = ahead.saturating_sub(periods(ahead).saturating_mul(PERIOD));
        (periods(ahead) > 0 && (-DAYS..=DAYS).contains(&rest))
            || (own.nanos() < OLD && told.nanos() >= OLD && ahead > 366 * DAY)
    };
    let (told, is_named) = told.into_iter().find(is_late)?;
    Some(Late { offset, own, told, is_named })
}

/// The nearest number of periods.
const fn periods(nanos: i64) -> i64 {
    nanos.saturating_add(PERIOD / 2).div_euclid(PERIOD)
}

impl Late {
    fn message(&self) -> String {
        let day = |at: Timestamp| at.to_string().chars().take(10).collect::<String>();
        let by = if self.is_named { "file's name" } else { "time beside the sentence" };
        let ahead = self.told.nanos().saturating_sub(self.own.nanos());
        let days = periods(ahead).max(1) * (PERIOD / DAY);
        format!(
            "the receiver's date {} is too early, as the {by} says {}: its week counter has rolled over; \
             robolog edit --shift {}h corrects it",
            day(self.own),
            day(self.told),
            days * 24,
        )
    }
}

/// Such as `4 h 27 min` or `3.5 s`.
fn duration(nanos: i64) -> String {
    let seconds = nanos / SECOND;
    match seconds {
        0..=119 => format!("{}.{} s", seconds, nanos / (SECOND / 10) % 10),
        120..=7199 => format!("{} min", seconds / 60),
        7200..=172_799 => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
        _ => format!("{} days", seconds / 86_400),
    }
}
