//! The sentences that another decoder needs: those that give the date and time, the pending fix and the satellites.

use std::ops::Range;

use robolog_core::{Timestamp, format::extend_ranges};

use crate::{
    Message, Time,
    epoch::{Epoch, Stamp},
    fix::covariance,
};

/// The sentences kept so far.
#[derive(Debug)]
pub(super) struct Carried {
    start: Epoch,
    /// The last sentence whose date counts.
    date: Option<Entry>,
    /// The sentences before and after each midnight since.
    midnights: Vec<Entry>,
    /// The last sentence with a time.
    timed: Option<Entry>,
    fix: Vec<Entry>,
    /// The covariance of the same time before it.
    before_fix: Option<Entry>,
    covariance: Option<Entry>,
    /// The sentences of the pending satellites, and those that give their times.
    satellites: Vec<Entry>,
    /// Whether the first of them is numbered as the first.
    is_numbered: bool,
    /// Whether a sentence had a date and a valid fix.
    pub(super) has_fix: bool,
}

/// A sentence.
#[derive(Debug, Clone)]
struct Entry {
    range: Range<u64>,
    stamp: Stamp,
    role: Role,
    /// The time after it.
    now: Option<Timestamp>,
}

/// Role of a sentence besides giving a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Begins or continues a fix.
    Fix,
    /// Completes satellites.
    Satellites,
    Other,
}

/// Maximum sentences per epoch.
const MOST: usize = 1 << 10;
/// Maximum number of days; a log is not split after them.
const MIDNIGHTS: usize = 1 << 10;

fn of_day(entry: &Entry) -> Option<i64> {
    entry.stamp.time.map(Time::since_midnight)
}

impl Carried {
    pub(super) fn new(start: Epoch) -> Self {
        Self {
            start,
            date: None,
            midnights: Vec::new(),
            timed: None,
            fix: Vec::new(),
            before_fix: None,
            covariance: None,
            satellites: Vec::new(),
            is_numbered: true,
            has_fix: false,
        }
    }

    /// Keeps a decoded sentence: its range, the time before and after it, and whether it began a fix and satellites.
    pub(super) fn push(
        &mut self,
        range: Range<u64>,
        (message, stamp): (&Message<'_>, Stamp),
        (before, after): (&Epoch, &Epoch),
        (begins_fix, begins_sky): (bool, bool),
    ) {
        let role = match message {
            Message::Gga(_) | Message::Gns(_) | Message::Rmc(_) | Message::Gll(_) => Role::Fix,
            Message::Gsv(_) => Role::Satellites,
            _ => Role::Other,
        };
        let entry = Entry { range, stamp, role, now: after.now() };
        self.has_fix =
            self.has_fix || matches!(message, Message::Rmc(_)) && Epoch::default().begin(message).is_some();
        self.time(&entry, before, after);
        match message {
            Message::Gsv(gsv) => {
                if begins_sky {
                    self.satellites.clear();
                    self.is_numbered = gsv.number.is_some();
                }
                if self.satellites.len() <= MOST {
                    self.satellites.extend(self.timed.clone());
                    self.satellites.push(entry);
                }
            }
            Message::Gst(gst) if covariance(gst).is_some() => {
                let first = self.fix.first().and_then(of_day);
                if first.is_some() && of_day(&entry) == first {
                    self.before_fix = Some(entry.clone());
                }
                self.covariance = Some(entry);
            }
            Message::Vtg(_) | Message::Gsa(_) if !self.fix.is_empty() => self.fix(entry),
            _ if role == Role::Fix => {
                if begins_fix {
                    let same = |other: &Entry| of_day(other).is_some() && of_day(other) == of_day(&entry);
                    self.covariance = self.covariance.take().filter(same);
                    self.before_fix.clone_from(&self.covariance);
                    self.fix.clear();
                }
                self.fix(entry);
            }
            _ => {}
        }
    }

    fn fix(&mut self, entry: Entry) {
        if self.fix.len() <= MOST + MIDNIGHTS {
            self.fix.push(entry);
        }
    }

    fn time(&mut self, entry: &Entry, before: &Epoch, after: &Epoch) {
        if entry.stamp.time.is_none() {
            return;
        }
        if before.takes_date_of(entry.stamp) {
            self.date = Some(entry.clone());
            self.midnights.clear();
        } else if after.is_of_another_day(before) && self.midnights.len() < MIDNIGHTS {
            self.midnights.extend(self.timed.take());
            self.midnights.push(entry.clone());
        }
        self.timed = Some(entry.clone());
    }

    /// The ranges; `None` if a decoder does not reach the time `epoch`, the same fix and the same satellites from these
    /// alone.
    pub(super) fn ranges(&self, epoch: &Epoch) -> Option<Vec<Range<u64>>> {
        let single = [&self.date, &self.timed, &self.covariance, &self.before_fix].into_iter().flatten();
        let mut all: Vec<_> =
            single.chain(&self.midnights).chain(&self.satellites).chain(&self.fix).collect();
        all.sort_by_key(|entry| entry.range.start);
        if all.len() > MOST + MIDNIGHTS || !self.suffices(&all, epoch) {
            return None;
        }
        let mut ranges = Vec::new();
        extend_ranges(&mut ranges, all.into_iter().map(|entry| &entry.range));
        Some(ranges)
    }

    fn suffices(&self, carried: &[&Entry], now: &Epoch) -> bool {
        let first = self.fix.first();
        let first_at = first.map_or(u64::MAX, |first| first.range.start);
        let first_time = first.and_then(of_day);
        let mut epoch = self.start;
        for entry in carried {
            epoch.apply(entry.stamp);
            let needs_time = entry.role == Role::Satellites || entry.range.start == first_at;
            if needs_time && epoch.now() != entry.now {
                return false;
            }
            // A fix before the pending one must end where that begins.
            let is_older = entry.role == Role::Fix && entry.range.start < first_at;
            if is_older && (first_time.is_none() || of_day(entry).is_none() || of_day(entry) == first_time) {
                return false;
            }
        }
        epoch == *now && self.is_numbered
    }
}
